//===- SPIRVEmission.h - Many SPIR-V modules of one process -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22.1.8's SPIR-V backend keeps three things from one module to the next,
// and was made to see only one:
//
//  - The ids of blocks (ModuleAnalysisInfo::BBNumToRegMap), by the address of
//    the MachineFunction and the block's number. A later MachineFunction at the
//    address of one that was freed gets that one's ids, which are others' in
//    its module. So no MachineFunction is freed here.
//  - The numbers of the scopes "subgroup", "workgroup" and "device" in the
//  first
//    LLVMContext (getMemScope). So every context gets the same.
//  - What it writes into while it works. So it works on one module at a time.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVEMISSION_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVEMISSION_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace aircc {

/// Gives the scopes of atomic operations and fences the numbers that they have
/// in every context. To be called before anything is made in `context`.
void numberSPIRVScopes(llvm::LLVMContext &context);

/// Appends the SPIR-V of `module`, which is of no other use then, to `output`:
/// as text or as an object. For a module of a context that numberSPIRVScopes
/// has seen; in any thread.
llvm::Error emitSPIRV(llvm::Module &module, llvm::TargetMachine &machine,
                      llvm::CodeGenFileType kind,
                      llvm::SmallVectorImpl<char> &output);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVEMISSION_H
