//===- SetCallingConventions.cpp - SPIR-V's calling conventions -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIR-V has two calling conventions, for kernels and for other functions; the
// translation of a gpu.module only marks kernels. Jump tables are disabled,
// because they would be constants in the address space of the stack.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

PreservedAnalyses
aircc::spirv::SetCallingConventionsPass::run(Module &module,
                                             ModuleAnalysisManager &) {
  for (Function &function : module) {
    function.addFnAttr("no-jump-tables", "true");
    if (function.getCallingConv() == CallingConv::SPIR_KERNEL ||
        function.isIntrinsic())
      continue;
    function.setCallingConv(CallingConv::SPIR_FUNC);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->setCallingConv(CallingConv::SPIR_FUNC);
  }
  return PreservedAnalyses::none();
}
