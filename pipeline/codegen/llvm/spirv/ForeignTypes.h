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

/// Returns the instructions with an operand or a result whose type is
/// `foreign`, each after the definitions of its operands (except for phis).
/// Removes unreachable blocks.
llvm::SmallVector<llvm::Instruction *>
findForeign(llvm::Function &function,
            llvm::function_ref<bool(llvm::Type *)> foreign);

/// Erases instructions that have been replaced.
void eraseReplaced(llvm::ArrayRef<llvm::Instruction *> replaced);

/// Reports that `instruction` cannot be replaced, and empties its function,
/// which may be partly rewritten, so that later passes get valid IR.
void reportForeign(llvm::Instruction &instruction, llvm::StringRef what);

} // namespace aircc::spirv

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_FOREIGNTYPES_H
