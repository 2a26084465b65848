//===- MachineOpcodes.h - Opcodes of machine instructions -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MACHINE_MACHINEOPCODES_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MACHINE_MACHINEOPCODES_H

#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/Support/ErrorHandling.h"

namespace aircc::amdgpu {

/// Returns the opcode of the instruction with this name, because LLVM's
/// installed headers do not declare opcodes. Compares the names of all
/// instructions, so callers should keep the result.
inline unsigned findOpcode(const llvm::TargetInstrInfo &info,
                           llvm::StringRef name) {
  for (unsigned opcode = 1, end = info.getNumOpcodes(); opcode != end; ++opcode)
    if (info.getName(opcode) == name)
      return opcode;
  llvm::reportFatalInternalError("no instruction is named " + name);
}

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MACHINE_MACHINEOPCODES_H
