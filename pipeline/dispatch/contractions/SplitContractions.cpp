//===- SplitContractions.cpp - Split long sums over workgroups ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/WorkgroupLoops.h"
#include "pipeline/dispatch/contractions/FactorProducers.h"
#include "pipeline/dispatch/contractions/TensorProduct.h"

#include "pipeline/common/PassTarget.h"
#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Work.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_SPLITCONTRACTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// The elements of the result that a workgroup of the second kernel computes:
/// at least one for each lane, and as many as the default of other elementwise
/// ops at most.
constexpr int64_t kMinTile = 256, kMaxTile = 4096;

/// The tensor with dimension `dim` divided into `parts`.
Value divideDim(OpBuilder &b, Location loc, Value tensor, unsigned dim,
                int64_t parts) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= parts;
  shape.insert(shape.begin() + dim, parts);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, rank = type.getRank(); i < rank; ++i) {
    int64_t first = i + (i > dim);
    groups.push_back({first});
    if (i == dim)
      groups.back().push_back(first + 1);
  }
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), tensor,
                                       groups);
}

/// Converts a number to the type in which products are summed.
Value extend(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return isa<FloatType>(type)
             ? arith::ExtFOp::create(b, loc, type, value).getResult()
             : arith::ExtSIOp::create(b, loc, type, value).getResult();
}

Value narrow(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return isa<FloatType>(type)
             ? arith::TruncFOp::create(b, loc, type, value).getResult()
             : arith::TruncIOp::create(b, loc, type, value).getResult();
}

Value add(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType())
             ? arith::AddFOp::create(b, loc, x, y).getResult()
             : arith::AddIOp::create(b, loc, x, y).getResult();
}

Value multiply(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType())
             ? arith::MulFOp::create(b, loc, x, y).getResult()
             : arith::MulIOp::create(b, loc, x, y).getResult();
}

bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Splits one contraction.
class Split {
public:
  Split(IRRewriter &b, linalg::LinalgOp op, unsigned depth, int64_t parts,
        Type sums)
      : b(b), op(op), loc(op.getLoc()), depth(depth), parts(parts), sums(sums) {
  }

  /// Replaces the contraction. Returns the op that adds the products.
  linalg::GenericOp run();

private:
  AffineMap addLoop(AffineMap map);
  linalg::GenericOp createProducts();
  linalg::GenericOp createSum(Value products);
  linalg::GenericOp fuse(linalg::GenericOp producer, OpOperand *use);

  IRRewriter &b;
  linalg::LinalgOp op;
  Location loc;
  unsigned depth;
  int64_t parts;
  /// The type in which products are summed.
  Type sums;
};

/// The indices of a factor: those of the contraction, with the number of the
/// product, the outermost loop, before the reduced loop.
AffineMap Split::addLoop(AffineMap map) {
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : map.shiftDims(1).getResults()) {
    if (index == b.getAffineDimExpr(depth + 1))
      indices.push_back(b.getAffineDimExpr(0));
    indices.push_back(index);
  }
  return AffineMap::get(map.getNumDims() + 1, 0, indices, b.getContext());
}

/// The products of all parts, in a dimension before those of the result.
linalg::GenericOp Split::createProducts() {
  SmallVector<AffineMap> maps;
  SmallVector<Value> factors;
  for (OpOperand *factor : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(factor);
    unsigned dim = *map.getResultPosition(b.getAffineDimExpr(depth));
    factors.push_back(divideDim(b, loc, factor->get(), dim, parts));
    maps.push_back(addLoop(map));
  }
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  maps.push_back(result.shiftDims(1).insertResult(b.getAffineDimExpr(0), 0));
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin(), utils::IteratorType::parallel);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape{parts};
  shape.append(type.getShape().begin(), type.getShape().end());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(sums));
  Value empty = tensor::EmptyOp::create(b, loc, shape, sums);
  Value init =
      linalg::FillOp::create(b, loc, zero, ValueRange{empty}).getResult(0);
  auto products = linalg::GenericOp::create(
      b, loc, init.getType(), factors, ValueRange{init}, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        Value product =
            multiply(inner, loc, extend(inner, loc, values[0], sums),
                     extend(inner, loc, values[1], sums));
        linalg::YieldOp::create(inner, loc,
                                add(inner, loc, values[2], product));
      });
  if (!getWorks(op).empty())
    setWork(products);
  return products;
}

/// Adds the products to the initial value, one after the other.
linalg::GenericOp Split::createSum(Value products) {
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
linalg::GenericOp Split::fuse(linalg::GenericOp producer, OpOperand *use) {
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

linalg::GenericOp Split::run() {
  b.setInsertionPoint(op);
  bool isDescribed = !getWorks(op).empty();
  linalg::GenericOp sum = createSum(createProducts().getResult(0));
  b.replaceOp(op, sum);
  auto init = sum.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  if (init && init->hasOneUse() && isElementwiseOnTiles(init))
    if (linalg::GenericOp fused = fuse(init, sum.getDpsInputOperand(0)))
      sum = fused;
  if (dispatch::findEpilogue(sum))
    if (linalg::GenericOp fused = fuse(sum, &*sum->getUses().begin()))
      sum = fused;
  if (isDescribed)
    setWork(sum);
  return sum;
}

/// The largest divisor of `size` that is at most `limit`.
int64_t findDivisor(int64_t size, int64_t limit) {
  int64_t divisor = std::min(size, limit);
  while (size % divisor)
    --divisor;
  return divisor;
}

class SplitContractions
    : public dispatch::impl::SplitContractionsBase<SplitContractions> {
public:
  using SplitContractionsBase::SplitContractionsBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      if (failed(split(function)))
        return signalPassFailure();
  }

private:
  LogicalResult split(func::FuncOp function);
  /// Splits `op` if that is faster. Returns the op that adds the products.
  linalg::GenericOp split(IRRewriter &b, linalg::LinalgOp op,
                          const TargetProfile &profile);
  bool tile(IRRewriter &b, linalg::GenericOp sum, int64_t cus);

  PassTarget passTarget;
};

linalg::GenericOp SplitContractions::split(IRRewriter &b, linalg::LinalgOp op,
                                           const TargetProfile &profile) {
  auto isComputed = [&](OpOperand *factor) {
    return !dispatch::findFactorProducers(op, factor).empty();
  };
  if (!op.hasPureTensorSemantics() || !isMatrixProduct(op) ||
      dispatch::isInKernel(op) ||
      llvm::any_of(op.getDpsInputOperands(), isComputed))
    return nullptr;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, ShapedType::kDynamic) ||
      llvm::is_contained(sizes, 0))
    return nullptr;
  std::optional<dispatch::TensorProduct> product =
      dispatch::describeProduct(op, profile);
  if (!product)
    return nullptr;
  layout::Result<strategy::MatmulTiling> tiling =
      strategy::chooseMatmulTiling(product->problem, profile, {});
  if (!tiling)
    return nullptr;
  int64_t parts = strategy::chooseSplits(product->problem, *product->matrices,
                                         *tiling, profile);
  if (parts == 1)
    return nullptr;
  Type sums = getElementTypeOrSelf(op->getResult(0).getType());
  if (sums.getIntOrFloatBitWidth() != product->problem.cBits)
    sums = isa<FloatType>(sums) ? Type(b.getF32Type()) : Type(b.getI32Type());
  return Split(b, op, product->depth, parts, sums).run();
}

/// Tiles the sum such that it uses the device. Tiles are contiguous; sizes
/// without suitable divisors are left to the default of elementwise ops.
bool SplitContractions::tile(IRRewriter &b, linalg::GenericOp sum,
                             int64_t cus) {
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

LogicalResult SplitContractions::split(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> contractions;
  function.walk([&](linalg::LinalgOp op) {
    if (linalg::isaContractionOpInterface(op))
      contractions.push_back(op);
  });
  if (contractions.empty())
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  dispatch::resolveSizes(function);
  IRRewriter b(function.getContext());
  bool changed = false;
  // If several contractions have the same user, the last one is fused with it.
  for (linalg::LinalgOp op : llvm::reverse(contractions))
    if (linalg::GenericOp sum = split(b, op, *profile))
      changed |= tile(b, sum, profile->limits.cus);
  if (changed)
    dispatch::finishWorkgroupLoops(function);
  return success();
}

} // namespace

std::unique_ptr<Pass> aircc::dispatch::createSplitContractions(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<SplitContractions>();
  pass->setTarget(std::move(profile));
  return pass;
}
