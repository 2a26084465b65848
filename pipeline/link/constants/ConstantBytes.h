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

/// Returns the bytes of a constant as they are in host memory, or "" if the
/// attribute stores them in another form. The context owns them.
llvm::StringRef getStoredBytes(mlir::Attribute value);

/// Returns the number of bytes of the constant in memory; 0 if the memory
/// representation of its elements is unknown.
uint64_t getByteCount(mlir::ElementsAttr value);

/// Returns the bytes of a constant whose getByteCount is not 0. They are in
/// `storage` if the attribute stores them in another form. Fails if the
/// attribute has no data.
mlir::FailureOr<llvm::StringRef> getBytes(mlir::ElementsAttr value,
                                          std::string &storage);

/// Returns a form of the constant that MLIR can translate to LLVM IR; null if
/// that is `value` itself. MLIR cannot translate resources whose elements have
/// fewer than 8 bits, such as i1.
mlir::Attribute getTranslatableForm(mlir::Attribute value);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_CONSTANTS_CONSTANTBYTES_H
