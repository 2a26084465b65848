//===- LowerKernelOps.cpp - Lower barriers and fences ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/DeviceFunctions.h"

#include "dialects/kernel/Attributions.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERKERNELOPS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

using aircc::kernel::BarrierOp;
using aircc::kernel::FenceOp;
using aircc::kernel::Ordering;
using aircc::kernel::Scope;

/// OpenCL's CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE.
constexpr int32_t kLocalFence = 1, kGlobalFence = 2;
/// SPIR-V's scope Subgroup, and its semantics AcquireRelease, WorkgroupMemory
/// and CrossWorkgroupMemory.
constexpr int32_t kSubgroupScope = 3, kAllMemory = 0x308;

LLVM::AtomicOrdering getLLVMOrdering(Ordering ordering) {
  switch (ordering) {
  case Ordering::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case Ordering::Release:
    return LLVM::AtomicOrdering::release;
  case Ordering::AcqRel:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("unknown ordering");
}

/// Returns the only memory space that `op` orders; nullopt if it orders both.
template <typename OpTy>
std::optional<gpu::AddressSpace> getOnlySpace(OpTy op) {
  bool global = op.orders(gpu::AddressSpace::Global);
  if (global == op.orders(gpu::AddressSpace::Workgroup))
    return std::nullopt;
  return global ? gpu::AddressSpace::Global : gpu::AddressSpace::Workgroup;
}

//===----------------------------------------------------------------------===//
// ROCDL
//===----------------------------------------------------------------------===//

/// Returns the name of a scope in LLVM's AMDGPU backend; "" for the system
/// scope.
StringRef getAMDGPUScope(Scope scope) {
  switch (scope) {
  case Scope::Lane:
    return "singlethread";
  case Scope::Wave:
    return "wavefront";
  case Scope::Workgroup:
    return "workgroup";
  case Scope::Device:
    return "agent";
  case Scope::System:
    return "";
  }
  llvm_unreachable("unknown scope");
}

void createAMDGPUFence(OpBuilder &b, Location loc,
                       LLVM::AtomicOrdering ordering, Scope scope,
                       std::optional<gpu::AddressSpace> space) {
  auto fence = LLVM::FenceOp::create(b, loc, ordering, getAMDGPUScope(scope));
  if (!space)
    return;
  StringRef memory = *space == gpu::AddressSpace::Global ? "global" : "local";
  fence->setDiscardableAttr(
      LLVM::LLVMDialect::getMmraAttrName(),
      LLVM::MMRATagAttr::get(b.getContext(), "amdgpu-synchronize-as", memory));
}

void lowerToROCDL(FenceOp fence) {
  OpBuilder b(fence);
  createAMDGPUFence(b, fence.getLoc(), getLLVMOrdering(fence.getOrdering()),
                    fence.getScope(), getOnlySpace(fence));
}

void lowerToROCDL(BarrierOp barrier) {
  OpBuilder b(barrier);
  Location loc = barrier.getLoc();
  std::optional<gpu::AddressSpace> space = getOnlySpace(barrier);
  if (barrier.getScope() == Scope::Wave) {
    // The hardware keeps the accesses of a wave in order. The fence and the
    // barrier do not cost any instructions and only constrain the optimizer:
    // the fence prevents it from reordering accesses, and the barrier from
    // duplicating the control flow around it.
    if (barrier.ordersMemory())
      createAMDGPUFence(b, loc, LLVM::AtomicOrdering::acq_rel, Scope::Wave,
                        space);
    LLVM::CallIntrinsicOp::create(
        b, loc, b.getStringAttr("llvm.amdgcn.wave.barrier"), ValueRange());
    return;
  }
  if (barrier.ordersMemory() && !space) {
    ROCDL::BarrierOp::create(b, loc);
    return;
  }
  if (space)
    createAMDGPUFence(b, loc, LLVM::AtomicOrdering::release, Scope::Workgroup,
                      space);
  ROCDL::SBarrierOp::create(b, loc);
  if (space)
    createAMDGPUFence(b, loc, LLVM::AtomicOrdering::acquire, Scope::Workgroup,
                      space);
}

//===----------------------------------------------------------------------===//
// XeVM
//===----------------------------------------------------------------------===//

/// Returns the name of a scope in LLVM's SPIR-V backend; "" for the system
/// scope.
StringRef getSPIRVScope(Scope scope) {
  switch (scope) {
  case Scope::Lane:
    return "singlethread";
  case Scope::Wave:
    return "subgroup";
  case Scope::Workgroup:
    return "workgroup";
  case Scope::Device:
    return "device";
  case Scope::System:
    return "";
  }
  llvm_unreachable("unknown scope");
}

xevm::MemScope getXeVMScope(Scope scope) {
  switch (scope) {
  case Scope::Lane:
    return xevm::MemScope::LANE;
  case Scope::Wave:
    return xevm::MemScope::SUBGROUP;
  case Scope::Workgroup:
    return xevm::MemScope::WORKGROUP;
  case Scope::Device:
    return xevm::MemScope::DEVICE;
  case Scope::System:
    return xevm::MemScope::SYSTEM;
  }
  llvm_unreachable("unknown scope");
}

void lowerToXeVM(FenceOp fence) {
  OpBuilder b(fence);
  Location loc = fence.getLoc();
  std::optional<gpu::AddressSpace> space = getOnlySpace(fence);
  if (!space) {
    LLVM::FenceOp::create(b, loc, getLLVMOrdering(fence.getOrdering()),
                          getSPIRVScope(fence.getScope()));
    return;
  }
  MLIRContext *context = b.getContext();
  xevm::MemfenceOp::create(
      b, loc, xevm::MemScopeAttr::get(context, getXeVMScope(fence.getScope())),
      xevm::AddrSpaceAttr::get(context, *space == gpu::AddressSpace::Global
                                            ? xevm::AddrSpace::GLOBAL
                                            : xevm::AddrSpace::SHARED));
}

void createSubgroupBarrier(OpBuilder &b, Location loc,
                           gpu::GPUModuleOp module) {
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  };
  Value scope = constant(kSubgroupScope);
  aircc::callDeviceFunction(b, loc, module, "_Z22__spirv_ControlBarrieriii",
                            Type(), {scope, scope, constant(kAllMemory)},
                            {/*isConvergent=*/true});
}

void lowerToXeVM(BarrierOp barrier) {
  OpBuilder b(barrier);
  Location loc = barrier.getLoc();
  auto module = barrier->getParentOfType<gpu::GPUModuleOp>();
  if (barrier.getScope() == Scope::Wave) {
    // SPIR-V's barrier orders all memory. If the op lists no memory spaces, a
    // preceding fence also orders accesses for LLVM.
    if (!barrier.getMemory())
      LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel,
                            getSPIRVScope(Scope::Wave));
    return createSubgroupBarrier(b, loc, module);
  }
  // Upstream's lowering of gpu.barrier orders only accesses to SLM.
  int32_t flags = 0;
  if (barrier.orders(gpu::AddressSpace::Workgroup))
    flags |= kLocalFence;
  if (barrier.orders(gpu::AddressSpace::Global))
    flags |= kGlobalFence;
  Value fences = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(flags));
  aircc::callDeviceFunction(b, loc, module, "_Z7barrierj", Type(), fences,
                            {/*isConvergent=*/true});
}

/// Lowers fences and wave barriers that the program specifies in AMD's or
/// OpenCL's form, which LLVM's SPIR-V backend does not support.
void lowerVendorForms(gpu::GPUModuleOp module) {
  SmallVector<Operation *> barriers;
  module.walk([&](Operation *op) {
    auto fence = dyn_cast<LLVM::FenceOp>(op);
    auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op);
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (fence && fence.getSyncscope() == getAMDGPUScope(Scope::Wave))
      fence.setSyncscope(getSPIRVScope(Scope::Wave));
    if ((intrinsic && intrinsic.getIntrin() == "llvm.amdgcn.wave.barrier") ||
        (call && call.getCallee() == "_Z17sub_group_barrierj"))
      barriers.push_back(op);
  });
  for (Operation *barrier : barriers) {
    OpBuilder b(barrier);
    createSubgroupBarrier(b, barrier->getLoc(), module);
    barrier->erase();
  }
}

//===----------------------------------------------------------------------===//
// Attributions
//===----------------------------------------------------------------------===//

/// The conversion of gpu.func reads the alignment of a buffer from LLVM's
/// attribute.
void lowerAlignments(gpu::GPUFuncOp function) {
  for (unsigned i = 0, end = function.getNumWorkgroupAttributions(); i < end;
       ++i) {
    Attribute alignment =
        function.getWorkgroupAttributionAttr(i, aircc::kernel::kAlignmentAttr);
    if (!alignment)
      continue;
    function.setWorkgroupAttributionAttr(i, aircc::kernel::kAlignmentAttr,
                                         /*value=*/nullptr);
    function.setWorkgroupAttributionAttr(
        i, LLVM::LLVMDialect::getAlignAttrName(), alignment);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct LowerKernelOps : aircc::impl::LowerKernelOpsBase<LowerKernelOps> {
  using LowerKernelOpsBase::LowerKernelOpsBase;

  void runOnOperation() override {
    // Programs that start at stage codegen may contain these.
    getOperation().walk([](gpu::BarrierOp barrier) {
      OpBuilder b(barrier);
      BarrierOp::create(b, barrier.getLoc(), Scope::Workgroup);
      barrier.erase();
    });
    bool isROCDL = backend == aircc::Backend::ROCDL;
    if (!isROCDL)
      lowerVendorForms(getOperation());
    auto lower = [&](auto op) {
      isROCDL ? lowerToROCDL(op) : lowerToXeVM(op);
      op.erase();
    };
    getOperation().walk(lowerAlignments);
    getOperation().walk([&](FenceOp fence) { lower(fence); });
    getOperation().walk([&](BarrierOp barrier) { lower(barrier); });
  }
};

} // namespace
