//===- PartialSums.cpp - Add parts of long sums ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/contractions/PartialSums.h"

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/RowLoops.h"
#include "pipeline/common/kernels/Work.h"
#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/WorkgroupLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aircc;

/// The number of result elements that a workgroup of the second kernel
/// computes: at least one for each lane, and at most the default for other
/// elementwise ops.
static constexpr int64_t kMinTile = 256, kMaxTile = 4096;

/// Converts a number to the type in which products are summed.
static Value extend(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return isa<FloatType>(type)
             ? arith::ExtFOp::create(b, loc, type, value).getResult()
             : arith::ExtSIOp::create(b, loc, type, value).getResult();
}

static Value add(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType())
             ? arith::AddFOp::create(b, loc, x, y).getResult()
             : arith::AddIOp::create(b, loc, x, y).getResult();
}

static Value multiply(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType())
             ? arith::MulFOp::create(b, loc, x, y).getResult()
             : arith::MulIOp::create(b, loc, x, y).getResult();
}

static Value narrow(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return isa<FloatType>(type)
             ? arith::TruncFOp::create(b, loc, type, value).getResult()
             : arith::TruncIOp::create(b, loc, type, value).getResult();
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

Type dispatch::getSumType(linalg::LinalgOp op,
                          const strategy::MatmulProblem &problem) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (type.getIntOrFloatBitWidth() == problem.cBits)
    return type;
  return isa<FloatType>(type) ? Type(Float32Type::get(op->getContext()))
                              : IntegerType::get(op->getContext(), 32);
}

linalg::GenericOp dispatch::createProducts(OpBuilder &b, Location loc,
                                           ValueRange factors,
                                           ArrayRef<AffineMap> maps,
                                           RankedTensorType type,
                                           unsigned reduction) {
  Type sums = type.getElementType();
  SmallVector<utils::IteratorType> iterators(maps[0].getNumDims(),
                                             utils::IteratorType::parallel);
  iterators[reduction] = utils::IteratorType::reduction;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(sums));
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), sums);
  Value init =
      linalg::FillOp::create(b, loc, zero, ValueRange{empty}).getResult(0);
  return linalg::GenericOp::create(
      b, loc, type, factors, ValueRange{init}, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        Value product =
            multiply(inner, loc, extend(inner, loc, values[0], sums),
                     extend(inner, loc, values[1], sums));
        linalg::YieldOp::create(inner, loc,
                                add(inner, loc, values[2], product));
      });
}

/// Adds the products to the initial value, one after the other.
static linalg::GenericOp createSum(OpBuilder &b, linalg::LinalgOp op,
                                   Value products) {
  Location loc = op.getLoc();
  int64_t parts = cast<RankedTensorType>(products.getType()).getDimSize(0);
  Type sums = getElementTypeOrSelf(products);
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  SmallVector<Value> inputs;
  if (!fill)
    inputs.push_back(init);
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), 1);
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(b.getContext(), shape),
      strides(shape.size(), b.getIndexAttr(1));
  for (int64_t i = 0; i < parts; ++i) {
    offsets[0] = b.getIndexAttr(i);
    inputs.push_back(tensor::ExtractSliceOp::create(
        b, loc, type.clone(sums), products, offsets, sizes, strides));
  }
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, type, inputs, ValueRange{empty}, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        values = values.drop_back();
        Value sum;
        if (fill && !isZero(fill.getInputs()[0]))
          sum = extend(inner, loc, fill.getInputs()[0], sums);
        for (Value value : values) {
          value = extend(inner, loc, value, sums);
          sum = sum ? add(inner, loc, sum, value) : value;
        }
        linalg::YieldOp::create(inner, loc,
                                narrow(inner, loc, sum, type.getElementType()));
      });
}

/// Fuses an elementwise op with its only user.
static linalg::GenericOp fuse(IRRewriter &b, linalg::GenericOp producer,
                              OpOperand *use) {
  if (!linalg::areElementwiseOpsFusable(use))
    return nullptr;
  b.setInsertionPoint(use->getOwner());
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(b, use);
  if (failed(fused))
    return nullptr;
  Operation *user = use->getOwner();
  for (auto [before, after] : fused->replacements)
    if (before.getDefiningOp() == user)
      b.replaceAllUsesWith(before, after);
  b.eraseOp(user);
  b.eraseOp(producer);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

linalg::GenericOp dispatch::replaceBySum(IRRewriter &b, linalg::LinalgOp op,
                                         Value products) {
  bool isDescribed = !getWorks(op).empty();
  b.setInsertionPoint(op);
  linalg::GenericOp sum = createSum(b, op, products);
  b.replaceOp(op, sum);
  auto init = sum.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  if (init && init->hasOneUse() && isElementwiseOnTiles(init))
    if (linalg::GenericOp fused = fuse(b, init, sum.getDpsInputOperand(0)))
      sum = fused;
  if (findEpilogue(sum))
    if (linalg::GenericOp fused = fuse(b, sum, &*sum->getUses().begin()))
      sum = fused;
  if (isDescribed)
    setWork(sum);
  return sum;
}

/// Returns the largest divisor of `size` that is at most `limit`.
static int64_t findDivisor(int64_t size, int64_t limit) {
  int64_t divisor = std::min(size, limit);
  while (size % divisor)
    --divisor;
  return divisor;
}

bool dispatch::tileSum(IRRewriter &b, linalg::GenericOp sum, int64_t cus) {
  sum = joinRowLoops(b, sum);
  SmallVector<int64_t> ranges = sum.getStaticLoopRanges();
  int64_t elements = 1;
  for (int64_t size : ranges)
    elements *= size;
  int64_t wanted = std::clamp<int64_t>(
      llvm::PowerOf2Ceil(elements / std::max<int64_t>(cus, 1)), kMinTile,
      kMaxTile);
  AffineMap result = sum.getMatchingIndexingMap(sum.getDpsInitOperand(0));
  SmallVector<OpFoldResult> sizes(ranges.size(), b.getIndexAttr(0));
  int64_t tile = 1;
  size_t numTiled = 0;
  for (AffineExpr index : llvm::reverse(result.getResults())) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    int64_t size = findDivisor(ranges[loop], wanted / tile);
    tile *= size;
    if (size == ranges[loop])
      continue;
    sizes[loop] = b.getIndexAttr(size);
    ++numTiled;
    wanted = tile;
  }
  if (numTiled == 0 || numTiled > dispatch::maxWorkgroupLoops ||
      tile < kMinTile / 2)
    return false;
  return succeeded(dispatch::tileToWorkgroups(
      b, sum, sizes, [](Operation *) { return false; }));
}
