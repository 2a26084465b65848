//===- ConstantsFile.h - Constants of a program in a file -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The safetensors files of --constants-in, with values for the program, and of
// --constants-out, with values of the compiled program.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_CONSTANTS_CONSTANTSFILE_H
#define AIRCC_DRIVER_CONSTANTS_CONSTANTSFILE_H

#include "driver/files/OutputFile.h"
#include "pipeline/link/constants/FileConstants.h"
#include "runtime-stubs/support/Safetensors.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace aircc {

/// A file with values of `dense_resource` attributes and `ml_program.global`
/// ops, by name.
class SuppliedConstants {
public:
  /// Maps the file. Errors are Failures.
  static llvm::Expected<SuppliedConstants> open(const std::string &path);

  /// Replaces the values for which the file has a tensor. The new values refer
  /// to the mapped file, which stays mapped as long as the context exists.
  /// Reports tensors of another type at the op.
  mlir::LogicalResult apply(mlir::ModuleOp module) const;

private:
  std::string path;
  std::shared_ptr<llvm::MemoryBuffer> contents;
  llvm::StringMap<rt::SafetensorsEntry> tensors;
};

/// Writes the file of a compiled program without copying it in memory.
llvm::Error writeConstants(llvm::ArrayRef<FileConstant> constants,
                           OutputFile &output);

} // namespace aircc

#endif // AIRCC_DRIVER_CONSTANTS_CONSTANTSFILE_H
