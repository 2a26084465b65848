//===- ExpandDynamicReshapes.cpp - Reshapes into several dynamic sizes ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): expand-strided-metadata computes one dynamic size of
// each group of dimensions from the others, and crashes if there is more than
// one:
//
//   memref.expand_shape %m [[0, 1]] output_shape [%a, %b]
//       : memref<?xf32> into memref<?x?xf32>
//
// Workaround: compute the strides from the sizes of the op.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDDYNAMICRESHAPES
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

bool isAffected(memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  return llvm::any_of(op.getReassociationIndices(),
                      [&](const ReassociationIndices &group) {
                        return llvm::count_if(group, [&](int64_t dim) {
                                 return type.isDynamicDim(dim);
                               }) > 1;
                      });
}

void expand(memref::ExpandShapeOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, op.getSrc());
  MemRefType type = op.getResultType();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<Value> computed(type.getRank());
  for (auto [source, group] : llvm::enumerate(op.getReassociationIndices())) {
    Value stride = metadata.getStrides()[source];
    for (int64_t dim : llvm::reverse(group)) {
      computed[dim] = stride;
      Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
      stride = b.createOrFold<arith::MulIOp>(loc, stride, size);
    }
  }
  // Sizes that are static in the type must be constants in the op.
  SmallVector<int64_t> known;
  int64_t offset;
  LogicalResult isStrided = type.getStridesAndOffset(known, offset);
  assert(succeeded(isStrided) && "expand_shape has a strided result");
  (void)isStrided;
  auto choose = [&](int64_t constant, Value value) -> OpFoldResult {
    if (ShapedType::isDynamic(constant))
      return value;
    return b.getIndexAttr(constant);
  };
  SmallVector<OpFoldResult> strides;
  for (auto [constant, value] : llvm::zip_equal(known, computed))
    strides.push_back(choose(constant, value));
  Value view = memref::ReinterpretCastOp::create(
      b, loc, type, metadata.getBaseBuffer(),
      choose(offset, metadata.getOffset()), sizes, strides);
  op.replaceAllUsesWith(view);
  op.erase();
}

struct ExpandDynamicReshapes
    : aircc::impl::ExpandDynamicReshapesBase<ExpandDynamicReshapes> {
  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> ops;
    getOperation()->walk([&](memref::ExpandShapeOp op) {
      if (isAffected(op))
        ops.push_back(op);
    });
    for (memref::ExpandShapeOp op : ops)
      expand(op);
  }
};

} // namespace
