//===- ConstantBytes.h - Constants as they are in memory --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_CONSTANTS_CONSTANTBYTES_H
#define AIRCC_PIPELINE_LINK_CONSTANTS_CONSTANTBYTES_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc {

/// The bytes of a constant as they are in memory of the host, or "" if the
/// attribute stores them in another form. The context owns them.
llvm::StringRef getStoredBytes(mlir::Attribute value);

/// The number of bytes of the constant in memory; 0 if its elements have no
/// form in memory that is known here.
uint64_t getByteCount(mlir::ElementsAttr value);

/// The bytes of a constant whose getByteCount is not 0, which are in `storage`
/// if the attribute stores them in another form. Fails if the attribute has no
/// data.
mlir::FailureOr<llvm::StringRef> getBytes(mlir::ElementsAttr value,
                                          std::string &storage);

/// A form of the constant that MLIR can translate to LLVM IR; null if that is
/// `value` itself. It knows no resources whose elements have less than 8 bits,
/// such as i1.
mlir::Attribute getTranslatableForm(mlir::Attribute value);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_CONSTANTS_CONSTANTBYTES_H
