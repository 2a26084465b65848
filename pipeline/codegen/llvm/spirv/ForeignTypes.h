//===- ForeignTypes.h - Types that SPIR-V lacks -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_FOREIGNTYPES_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_FOREIGNTYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Instruction;
class Type;
} // namespace llvm

namespace aircc::spirv {

/// The instructions with an operand or a result of a type that is `foreign`,
/// each after those whose results it takes (those of phis aside). Blocks that
/// nothing leads to go.
llvm::SmallVector<llvm::Instruction *>
findForeign(llvm::Function &function,
            llvm::function_ref<bool(llvm::Type *)> foreign);

/// Removes instructions that others took the place of.
void eraseReplaced(llvm::ArrayRef<llvm::Instruction *> replaced);

/// Reports that nothing can take the place of `instruction`, and empties its
/// function, which may be half rewritten: later passes get valid IR.
void reportForeign(llvm::Instruction &instruction, llvm::StringRef what);

} // namespace aircc::spirv

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_FOREIGNTYPES_H
