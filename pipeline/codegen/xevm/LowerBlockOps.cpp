//===- LowerBlockOps.cpp - Lower block and matrix ops of Xe subgroups -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/AddressPointers.h"

#include "dialects/kernel/BlockOps.h"

#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERBLOCKOPS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

using namespace aircc::kernel;

//===----------------------------------------------------------------------===//
// Cache hints
//===----------------------------------------------------------------------===//

using Hint = std::optional<xegpu::CachePolicy>;

/// Returns the cache control for the hints. Returns null, the hardware's
/// default, if there are no hints or no cache control corresponds to them.
static xevm::LoadCacheControlAttr getLoadControl(MLIRContext *context, Hint l1,
                                                 Hint l2, Hint l3) {
  if (!l1 && !l2 && !l3)
    return {};
  using Policy = xegpu::CachePolicy;
  using Control = xevm::LoadCacheControl;
  auto get = [&](Control control) {
    return xevm::LoadCacheControlAttr::get(context, control);
  };
  if (l1 == Policy::READ_INVALIDATE)
    return get(Control::INVALIDATE_READ);
  bool l2Uncached = l2 == Policy::UNCACHED, l3Uncached = l3 == Policy::UNCACHED;
  static constexpr Control kControls[3][2][2] = {
      {{Control::L1C_L2C_L3C, Control::L1C_L2C_L3UC},
       {Control::L1C_L2UC_L3C, Control::L1C_L2UC_L3UC}},
      {{Control::L1UC_L2C_L3C, Control::L1UC_L2C_L3UC},
       {Control::L1UC_L2UC_L3C, Control::L1UC_L2UC_L3UC}},
      {{Control::L1S_L2C_L3C, Control::L1S_L2C_L3UC},
       {Control::L1S_L2UC_L3C, Control::L1S_L2UC_L3UC}}};
  int first = l1 == Policy::UNCACHED ? 1 : l1 == Policy::STREAMING ? 2 : 0;
  return get(kControls[first][l2Uncached][l3Uncached]);
}

static xevm::StoreCacheControlAttr getStoreControl(MLIRContext *context,
                                                   Hint l1, Hint l2, Hint l3) {
  if (!l1 && !l2 && !l3)
    return {};
  using Policy = xegpu::CachePolicy;
  using Control = xevm::StoreCacheControl;
  bool l2Uncached = l2 == Policy::UNCACHED, l3Uncached = l3 == Policy::UNCACHED;
  static constexpr Control kControls[3][2][2] = {
      {{Control::L1UC_L2WB_L3WB, Control::L1UC_L2WB_L3UC},
       {Control::L1UC_L2UC_L3WB, Control::L1UC_L2UC_L3UC}},
      {{Control::L1WT_L2WB_L3WB, Control::L1WT_L2WB_L3UC},
       {Control::L1WT_L2UC_L3WB, Control::L1WT_L2UC_L3UC}},
      {{Control::L1S_L2WB_L3WB, Control::L1S_L2WB_L3UC},
       {Control::L1S_L2UC_L3WB, Control::L1S_L2UC_L3UC}}};
  if (l1 == Policy::WRITE_BACK) {
    // No cache control writes back at all levels.
    if (!l2Uncached && !l3Uncached)
      return {};
    return xevm::StoreCacheControlAttr::get(
        context, !l2Uncached  ? Control::L1WB_L2WB_L3UC
                 : l3Uncached ? Control::L1WB_L2UC_L3UC
                              : Control::L1WB_L2UC_L3WB);
  }
  int first = l1 == Policy::WRITE_THROUGH ? 1 : l1 == Policy::STREAMING ? 2 : 0;
  return xevm::StoreCacheControlAttr::get(
      context, kControls[first][l2Uncached][l3Uncached]);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {

class BlockOpLowering {
public:
  explicit BlockOpLowering(MLIRContext *context) : b(context) {}

  /// Lowers `op` if it is a subgroup op of the kernel dialect.
  void lower(Operation *op);
  /// Erases the lowered ops.
  void finish();

private:
  Value lowerOp(BlockLoadOp op);
  Value lowerOp(BlockStoreOp op);
  Value lowerOp(BlockPrefetchOp op);
  Value lowerOp(PrefetchOp op);
  Value lowerOp(DpasOp op);

  OpBuilder b;
  aircc::AddressPointers pointers;
  /// The lowered ops, which are erased later because `pointers` may refer to
  /// their results.
  SmallVector<Operation *> lowered;
};

} // namespace

Value BlockOpLowering::lowerOp(BlockLoadOp op) {
  Location loc = op.getLoc();
  return xevm::BlockLoad2dOp::create(
      b, loc, op.getResult().getType(), pointers.get(b, loc, op.getBase()),
      op.getWidth(), op.getHeight(), op.getPitch(), op.getX(), op.getY(),
      op.getElementBits(), op.getColumns(), op.getRows(), op.getBlocks(),
      op.getTransposed(), op.getPacked(),
      getLoadControl(op.getContext(), op.getL1Hint(), op.getL2Hint(),
                     op.getL3Hint()));
}

Value BlockOpLowering::lowerOp(BlockStoreOp op) {
  Location loc = op.getLoc();
  xevm::BlockStore2dOp::create(b, loc, pointers.get(b, loc, op.getBase()),
                               op.getWidth(), op.getHeight(), op.getPitch(),
                               op.getX(), op.getY(), op.getElementBits(),
                               op.getColumns(), op.getRows(), op.getValue(),
                               getStoreControl(op.getContext(), op.getL1Hint(),
                                               op.getL2Hint(), op.getL3Hint()));
  return {};
}

Value BlockOpLowering::lowerOp(BlockPrefetchOp op) {
  Location loc = op.getLoc();
  xevm::BlockPrefetch2dOp::create(
      b, loc, pointers.get(b, loc, op.getBase()), op.getWidth(), op.getHeight(),
      op.getPitch(), op.getX(), op.getY(), op.getElementBits(), op.getColumns(),
      op.getRows(), op.getBlocks(),
      getLoadControl(op.getContext(), op.getL1Hint(), op.getL2Hint(),
                     op.getL3Hint()));
  return {};
}

Value BlockOpLowering::lowerOp(PrefetchOp op) {
  xevm::PrefetchOp::create(b, op.getLoc(),
                           pointers.get(b, op.getLoc(), op.getAddress()),
                           xevm::LoadCacheControlAttr());
  return {};
}

static xevm::ElemType getElemType(Type type) {
  if (type.isF16())
    return xevm::ElemType::F16;
  if (type.isBF16())
    return xevm::ElemType::BF16;
  if (type.isF32())
    return xevm::ElemType::F32;
  if (type.isInteger(32))
    return xevm::ElemType::S32;
  if (type.isUnsignedInteger(8))
    return xevm::ElemType::U8;
  if (type.isInteger(8))
    return xevm::ElemType::S8;
  assert(isa<FloatTF32Type>(type) && "the verifier allows no other type");
  return xevm::ElemType::TF32;
}

Value BlockOpLowering::lowerOp(DpasOp op) {
  MLIRContext *context = op.getContext();
  xevm::ElemType sum = getElemType(op.getAcc().getType().getElementType());
  auto shape =
      xevm::MMAShapeAttr::get(context, op.getM(), op.getN(), op.getK());
  auto types =
      xevm::MMATypesAttr::get(context, sum, getElemType(op.getLhsType()),
                              getElemType(op.getRhsType()), sum);
  return xevm::MMAOp::create(b, op.getLoc(), op.getResult().getType(),
                             op.getLhs(), op.getRhs(), op.getAcc(), shape,
                             types);
}

void BlockOpLowering::lower(Operation *op) {
  b.setInsertionPoint(op);
  auto replace = [&](auto op) {
    if (Value result = lowerOp(op))
      op->replaceAllUsesWith(ValueRange(result));
    lowered.push_back(op);
  };
  TypeSwitch<Operation *>(op)
      .Case<BlockLoadOp, BlockStoreOp, BlockPrefetchOp, PrefetchOp, DpasOp>(
          replace);
}

void BlockOpLowering::finish() {
  for (Operation *op : lowered)
    op->erase();
}

namespace {

struct LowerBlockOps : aircc::impl::LowerBlockOpsBase<LowerBlockOps> {
  void runOnOperation() override {
    BlockOpLowering lowering(&getContext());
    getOperation().walk([&](Operation *op) { lowering.lower(op); });
    lowering.finish();
  }
};

} // namespace
