//===- ElementTypes.h - Types of elements in safetensors files --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_CONSTANTS_ELEMENTTYPES_H
#define AIRCC_DRIVER_CONSTANTS_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace aircc {

/// Returns the types that a tensor in a safetensors file can have if its
/// elements are of type `type`. The compiler writes the first one. Empty if the
/// format has none.
llvm::SmallVector<llvm::StringRef, 2> getSafetensorsTypes(mlir::Type type);

} // namespace aircc

#endif // AIRCC_DRIVER_CONSTANTS_ELEMENTTYPES_H
