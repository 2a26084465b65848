//===- LargeConstants.h - Constants outside of LLVM IR ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LLVM copies the bytes of a constant several times: into the context, into the
// fragments of the assembler and into the object. Host constants of at least a
// megabyte bypass this: the host code refers to a section, into which the
// driver writes the bytes.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_CONSTANTS_LARGECONSTANTS_H
#define AIRCC_PIPELINE_LINK_CONSTANTS_LARGECONSTANTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace aircc {

/// A constant that is hidden from LLVM.
struct LargeConstant {
  std::string name; ///< The name of the global.
  mlir::LLVM::GlobalOp global;
  mlir::Attribute value; ///< The value of the global.
  llvm::StringRef bytes; ///< Owned by the context of the module.

  /// Returns the section that contains the bytes.
  std::string getSection() const { return ".lrodata.aircc_data." + name; }
};

/// The large constants of a module in the LLVM dialect. While this object
/// exists, their globals have no values.
class LargeConstants {
public:
  explicit LargeConstants(mlir::ModuleOp module);
  LargeConstants(const LargeConstants &) = delete;
  ~LargeConstants();

  llvm::ArrayRef<LargeConstant> get() const { return constants; }

  /// Makes the translation of the module refer to the sections, which have
  /// placeholder contents. Errors are reported.
  mlir::LogicalResult useSections(llvm::Module &module) const;

  /// Makes the translation declare the constants, for printing. Warns that they
  /// are not defined.
  void declare(llvm::Module &module) const;

private:
  std::vector<LargeConstant> constants;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_CONSTANTS_LARGECONSTANTS_H
