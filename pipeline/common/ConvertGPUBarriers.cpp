//===- ConvertGPUBarriers.cpp - Convert gpu.barrier to kernel.barrier -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CONVERTGPUBARRIERS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

struct ConvertGPUBarriers
    : aircc::impl::ConvertGPUBarriersBase<ConvertGPUBarriers> {
  using ConvertGPUBarriersBase::ConvertGPUBarriersBase;

  void runOnOperation() override {
    // Kernels and the functions that they call.
    llvm::SetVector<Operation *> code;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<gpu::GPUModuleOp, gpu::LaunchOp, aircc::air::LaunchOp,
               aircc::air::SegmentOp, aircc::air::HerdOp>(op))
        return WalkResult::advance();
      code.insert(op);
      return WalkResult::skip();
    });
    ArrayAttr lds = Builder(&getContext())
                        .getArrayAttr(gpu::AddressSpaceAttr::get(
                            &getContext(), gpu::AddressSpace::Workgroup));
    for (size_t i = 0; i < code.size(); ++i)
      code[i]->walk([&](CallOpInterface call) {
        if (Operation *callee = call.resolveCallable())
          code.insert(callee);
      });
    for (Operation *op : code)
      op->walk([&](Operation *barrier) {
        if (isa<gpu::BarrierOp>(barrier))
          replace(barrier, ArrayAttr());
        else if (ldsBarriers && isa<amdgpu::LDSBarrierOp>(barrier))
          replace(barrier, lds);
      });
  }

  static void replace(Operation *barrier, ArrayAttr memory) {
    OpBuilder b(barrier);
    auto replacement = aircc::kernel::BarrierOp::create(
        b, barrier->getLoc(),
        aircc::kernel::ScopeAttr::get(b.getContext(),
                                      aircc::kernel::Scope::Workgroup),
        memory);
    replacement->setDiscardableAttrs(barrier->getDiscardableAttrDictionary());
    barrier->erase();
  }
};

} // namespace
