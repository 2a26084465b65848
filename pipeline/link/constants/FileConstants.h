//===- FileConstants.h - Constants in a file next to the program *- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The pass link-move-constants replaces large constants with variables that
// tell the runtime where to find them. These variables keep the values for the
// driver, which writes the file.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_CONSTANTS_FILECONSTANTS_H
#define AIRCC_PIPELINE_LINK_CONSTANTS_FILECONSTANTS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace aircc {

/// The attribute of the variable: a dictionary with `name` and `value`.
inline constexpr llvm::StringLiteral kFileConstantAttr = "file_constant";

/// A constant that the file must contain.
struct FileConstant {
  llvm::StringRef name;
  mlir::ShapedType type;
  llvm::StringRef bytes;
  /// Owns the bytes if the context does not.
  std::unique_ptr<std::string> storage;
};

/// Returns the constants of a module that the stage has lowered, each name
/// once, in module order. Emits an error for two constants with the same name
/// and different bytes.
mlir::FailureOr<std::vector<FileConstant>>
collectFileConstants(mlir::ModuleOp module);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_CONSTANTS_FILECONSTANTS_H
