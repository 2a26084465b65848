//===- SPIRVEmission.h - Many SPIR-V modules in one process -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The SPIR-V backend of LLVM 22.1.8 was designed for one module per process: it
// keeps three kinds of state from one module to the next.
//
//  - The ids of blocks (ModuleAnalysisInfo::BBNumToRegMap), by the address of
//    the MachineFunction and the number of the block. A later MachineFunction
//    at the address of a freed one would get its ids, which have other meanings
//    in its module. So no MachineFunction is freed here.
//  - The numbers of the scopes "subgroup", "workgroup" and "device" in the
//    first LLVMContext (getMemScope). So every context uses the same numbers.
//  - Buffers that it writes to while it works. So it works on one module at a
//    time.
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

/// Gives the scopes of atomic operations and fences the same numbers in every
/// context. Must be called before anything is created in `context`.
void numberSPIRVScopes(llvm::LLVMContext &context);

/// Appends the SPIR-V code for `module` to `output`, as text or as an object.
/// The module cannot be used afterwards. Its context must have been passed to
/// numberSPIRVScopes. May be called on any thread.
llvm::Error emitSPIRV(llvm::Module &module, llvm::TargetMachine &machine,
                      llvm::CodeGenFileType kind,
                      llvm::SmallVectorImpl<char> &output);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVEMISSION_H
