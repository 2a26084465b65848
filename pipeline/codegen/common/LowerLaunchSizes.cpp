//===- LowerLaunchSizes.cpp - Lower block and grid sizes in kernels -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include <optional>

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERLAUNCHSIZES
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// The location of a size in the implicit arguments.
struct Field {
  unsigned offset; ///< In bytes.
  unsigned bits;
};

Field getBlockSizeField(gpu::Dimension dim) {
  return {12 + 2 * static_cast<unsigned>(dim), 16};
}
Field getGridSizeField(gpu::Dimension dim) {
  return {4 * static_cast<unsigned>(dim), 32};
}

/// AMDGPU's address space of constant memory, which includes kernel arguments.
constexpr unsigned kConstantAddressSpace = 4;

Value loadImplicit(OpBuilder &b, Location loc, Field field) {
  auto pointer =
      LLVM::LLVMPointerType::get(b.getContext(), kConstantAddressSpace);
  Value base = LLVM::CallIntrinsicOp::create(
                   b, loc, pointer,
                   b.getStringAttr("llvm.amdgcn.implicitarg.ptr"), ValueRange())
                   .getResults();
  Value address =
      LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), base,
                          ArrayRef<LLVM::GEPArg>{int32_t(field.offset)});
  auto load = LLVM::LoadOp::create(b, loc, b.getIntegerType(field.bits),
                                   address, /*alignment=*/field.bits / 8);
  load.setInvariant(true);
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), load);
}

struct LowerLaunchSizes : aircc::impl::LowerLaunchSizesBase<LowerLaunchSizes> {
  using LowerLaunchSizesBase::LowerLaunchSizesBase;

  LogicalResult initialize(MLIRContext *ctx) override {
    RewritePatternSet patterns(ctx);
    populateGpuGlobalIdPatterns(patterns);
    // Intel's compiler infers uniformity for values that do not depend on the
    // lane's number.
    if (backend == aircc::Backend::ROCDL)
      populateGpuSubgroupIdPatterns(patterns);
    frozen = FrozenRewritePatternSet(std::move(patterns));
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), frozen);
    getOperation().walk([&](gpu::NumSubgroupsOp op) { countWaves(op); });
    // Intel's compiler has functions for the sizes, which become instructions.
    bool isImplicit = backend == aircc::Backend::ROCDL;
    getOperation().walk([&](Operation *op) {
      if (auto blockDim = dyn_cast<gpu::BlockDimOp>(op))
        replace(op, blockDim.getDimension(), &gpu::GPUFuncOp::getKnownBlockSize,
                getBlockSizeField, isImplicit);
      else if (auto gridDim = dyn_cast<gpu::GridDimOp>(op))
        replace(op, gridDim.getDimension(), &gpu::GPUFuncOp::getKnownGridSize,
                getGridSizeField, isImplicit);
    });
  }

  /// Counts the waves of a workgroup, including a partial last one.
  void countWaves(gpu::NumSubgroupsOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value lanes = gpu::BlockDimOp::create(b, loc, gpu::Dimension::x);
    for (gpu::Dimension dim : {gpu::Dimension::y, gpu::Dimension::z})
      lanes = arith::MulIOp::create(b, loc, lanes,
                                    gpu::BlockDimOp::create(b, loc, dim));
    Value wave = arith::ConstantIndexOp::create(b, loc, waveSize);
    op.replaceAllUsesWith(
        arith::CeilDivUIOp::create(b, loc, lanes, wave).getResult());
    op.erase();
  }

  template <typename Known>
  static void replace(Operation *op, gpu::Dimension dim, Known known,
                      Field (*getField)(gpu::Dimension), bool isImplicit) {
    OpBuilder b(op);
    auto function = op->getParentOfType<gpu::GPUFuncOp>();
    std::optional<ArrayRef<int32_t>> sizes;
    if (function)
      sizes = (function.*known)();
    Value size;
    if (!sizes && !isImplicit)
      return;
    if (sizes)
      size = arith::ConstantIndexOp::create(
          b, op->getLoc(), (*sizes)[static_cast<unsigned>(dim)]);
    else
      size = loadImplicit(b, op->getLoc(), getField(dim));
    op->getResult(0).replaceAllUsesWith(size);
    op->erase();
  }

  FrozenRewritePatternSet frozen;
};

} // namespace
