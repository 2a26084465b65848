//===- LowerConvolutions.cpp - Convolutions to matrix products ------------===//
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
#include "pipeline/dispatch/contractions/PartialSums.h"
#include "pipeline/dispatch/convolutions/ProductLoops.h"

#include "dialects/air/AIRDialect.h"
#include "pipeline/common/PassTarget.h"
#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Windows.h"
#include "pipeline/common/kernels/Work.h"
#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_LOWERCONVOLUTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;
using aircc::dispatch::getLoops;
using aircc::dispatch::groupRows;
using aircc::dispatch::multiplySizes;
using aircc::dispatch::ProductLoops;

namespace {

/// The maximum width of elements. For wider elements, matrix instructions are
/// not much faster than the loops of the convolution.
constexpr unsigned kMaxElementBits = 32;

/// Wider elements are multiplied at a fraction of the rate. For these, the
/// loops of the convolution, whose kernel also computes the initial value, are
/// faster if there are few multiply-adds.
constexpr unsigned kFastElementBits = 16;
constexpr int64_t kMinSlowProducts = 1 << 24;

Value collapse(OpBuilder &b, Location loc, Value tensor,
               ArrayRef<ReassociationIndices> groups) {
  if (llvm::all_of(groups, [](ArrayRef<int64_t> g) { return g.size() == 1; }))
    return tensor;
  return tensor::CollapseShapeOp::create(b, loc, tensor, groups);
}

/// Lowers one convolution.
class Lowering {
public:
  Lowering(IRRewriter &b, linalg::LinalgOp op, ProductLoops loops)
      : b(b), op(op), loc(op.getLoc()), loops(std::move(loops)),
        epilogue(dispatch::findEpilogue(op)) {
    findMaps();
  }

  /// Removes loops from the rows until the epilogue and the op that computes
  /// the initial value can operate on rows.
  void chooseRows();
  /// Returns whether matrix instructions can compute the product from tiles in
  /// LDS, and offsets can reach all windows that a tile needs.
  bool isSupported(const TargetProfile &profile);
  /// Lowers the convolution. Returns the op that adds the products of parts, or
  /// null if there is only one product.
  linalg::GenericOp lower();

private:
  void findMaps() {
    image = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
    filter = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
    result = op.getIndexingMapMatchingResult(op->getResult(0));
  }
  bool canGroup(linalg::GenericOp op, AffineMap map);
  void collapseLoops(linalg::GenericOp op, AffineMap map);
  linalg::GenericOp getInit() {
    auto init = op.getDpsInits()[0].getDefiningOp<linalg::GenericOp>();
    return init && init->hasOneUse() && isElementwiseOnTiles(init) ? init
                                                                   : nullptr;
  }
  Value transposeFilter();
  Value viewImage();
  Value createWindows();
  Value createInit();
  void createProduct(Value windows, Value weights);
  linalg::GenericOp addProducts(Value windows, Value weights);
  /// Returns the indexing maps of the product.
  SmallVector<AffineMap> getProductMaps();

  IRRewriter &b;
  linalg::LinalgOp op;
  Location loc;
  ProductLoops loops;
  AffineMap image, filter, result;
  linalg::GenericOp epilogue;
  /// The loops of the matrix of windows, in the order of its dimensions.
  SmallVector<unsigned> windowLoops;
  /// The type in which products are summed.
  Type sumType;
};

/// Returns the loops of an elementwise op that form the rows. `map` maps them
/// to the dimensions of the convolution's result.
ReassociationIndices getRowLoops(AffineMap map, AffineMap result,
                                 ArrayRef<unsigned> rows) {
  ReassociationIndices group;
  for (auto [dim, loop] : llvm::enumerate(getLoops(result)))
    if (llvm::is_contained(rows, loop))
      group.push_back(map.getDimPosition(dim));
  return group;
}

bool Lowering::canGroup(linalg::GenericOp op, AffineMap map) {
  ReassociationIndices group = getRowLoops(map, result, loops.rows);
  for (size_t i = 1; i < group.size(); ++i)
    if (group[i] != group[i - 1] + 1)
      return false;
  return linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {group});
}

void Lowering::chooseRows() {
  auto canGroupAll = [&] {
    linalg::GenericOp init = getInit();
    return (!init || canGroup(init, init.getMatchingIndexingMap(
                                        init.getDpsInitOperand(0)))) &&
           (!epilogue || canGroup(epilogue, epilogue.getMatchingIndexingMap(
                                                &*op->getUses().begin())));
  };
  while (loops.rows.size() > 1 && !canGroupAll())
    loops.rows.erase(loops.rows.begin());
  SmallVector<unsigned> outer;
  for (unsigned loop : getLoops(result))
    if (loop != loops.column && !llvm::is_contained(loops.rows, loop))
      outer.push_back(loop);
  loops.outer = std::move(outer);
}

bool Lowering::isSupported(const TargetProfile &profile) {
  unsigned bits = 0;
  for (Value factor : op.getDpsInputs()) {
    Type element = getElementTypeOrSelf(factor);
    if (!element.isIntOrFloat())
      return false;
    bits = std::max(bits, element.getIntOrFloatBitWidth());
  }
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool isKnown = llvm::none_of(sizes, ShapedType::isDynamic);
  if (bits > kMaxElementBits || (bits > kFastElementBits && isKnown &&
                                 llvm::product_of(sizes) < kMinSlowProducts))
    return false;
  int64_t depth = multiplySizes(op, loops.sums);
  if (ShapedType::isDynamic(depth) || depth == 0 ||
      ShapedType::isDynamic(sizes[loops.column]) ||
      llvm::is_contained(sizes, 0))
    return false;
  for (unsigned loop : ArrayRef<unsigned>(loops.rows).drop_front())
    if (ShapedType::isDynamic(sizes[loop]))
      return false;
  if (!isWithinReach(cast<ShapedType>(op.getDpsInputs()[0].getType()), image,
                     sizes, loops.rows, loops.sums))
    return false;
  dispatch::orderSums(op, loops);
  strategy::MatmulProblem problem =
      dispatch::describeProduct(op, loops, profile);
  layout::Result<strategy::MatmulTiling> tiling =
      strategy::chooseMatmulTiling(problem, profile, {});
  if (!tiling || !tiling->spec.isStaged)
    return false;
  dispatch::chooseParts(op, loops, problem, *tiling, profile);
  sumType = dispatch::getSumType(op, problem);
  return true;
}

/// Returns the filter with its summed dimensions in the chosen order, and
/// changes its map accordingly.
Value Lowering::transposeFilter() {
  Value weights = op.getDpsInputs()[1];
  SmallVector<unsigned> order = getLoops(filter);
  SmallVector<int64_t> permutation;
  SmallVector<OpFoldResult> shape;
  auto sums = llvm::to_vector(llvm::concat<unsigned>(loops.parts, loops.sums));
  auto nextSum = sums.begin();
  for (unsigned loop : order) {
    if (llvm::is_contained(sums, loop))
      loop = *nextSum++;
    permutation.push_back(llvm::find(order, loop) - order.begin());
    shape.push_back(tensor::getMixedSize(b, loc, weights, permutation.back()));
  }
  if (isIdentityPermutation(permutation))
    return weights;
  filter = AffineMap::get(filter.getNumDims(), 0,
                          applyPermutation(filter.getResults(), permutation),
                          b.getContext());
  auto empty = tensor::EmptyOp::create(b, loc, shape,
                                       getElementTypeOrSelf(weights.getType()));
  return linalg::TransposeOp::create(b, loc, weights, empty, permutation)
      ->getResult(0);
}

/// Returns the image itself as the window matrix if each window is a single
/// pixel and no pixel is skipped; otherwise, returns null.
Value Lowering::viewImage() {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineExpr> first;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    first.push_back(sizes[loop] == 1 && llvm::is_contained(loops.sums, loop)
                        ? b.getAffineConstantExpr(0)
                        : b.getAffineDimExpr(loop));
  AffineMap pixels = simplifyAffineMap(
      image.replaceDimsAndSymbols(first, {}, op.getNumLoops(), 0));
  if (!llvm::all_of(pixels.getResults(), llvm::IsaPred<AffineDimExpr>))
    return nullptr;
  windowLoops = getLoops(pixels);
  size_t begin =
      llvm::find(windowLoops, loops.rows.front()) - windowLoops.begin();
  ArrayRef<unsigned> rows = ArrayRef(windowLoops).slice(begin);
  if (rows.take_front(loops.rows.size()) != ArrayRef(loops.rows))
    return nullptr;
  return collapse(b, loc, op.getDpsInputs()[0], groupRows(pixels, loops.rows));
}

Value Lowering::createWindows() {
  if (Value view = viewImage())
    return view;
  // Order the dimensions of the copy: the loops of the parts, the outer loops
  // that index the image, the rows, and the sums.
  SmallVector<unsigned> order;
  for (unsigned loop : llvm::concat<unsigned>(loops.parts, loops.outer))
    if (image.isFunctionOfDim(loop))
      order.push_back(loop);
  order.append(loops.rows);
  order.append(loops.sums);
  windowLoops = order;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineExpr> renamed(op.getNumLoops(), b.getAffineConstantExpr(0));
  SmallVector<OpFoldResult> shape;
  for (auto [position, loop] : llvm::enumerate(order)) {
    renamed[loop] = b.getAffineDimExpr(position);
    if (!ShapedType::isDynamic(sizes[loop])) {
      shape.push_back(b.getIndexAttr(sizes[loop]));
      continue;
    }
    unsigned dim = *result.getResultPosition(b.getAffineDimExpr(loop));
    shape.push_back(tensor::getMixedSize(b, loc, op.getDpsInits()[0], dim));
  }
  Value input = op.getDpsInputs()[0];
  auto empty = tensor::EmptyOp::create(b, loc, shape,
                                       getElementTypeOrSelf(input.getType()));
  SmallVector<AffineMap> maps{
      image.replaceDimsAndSymbols(renamed, {}, order.size(), 0),
      b.getMultiDimIdentityMap(order.size())};
  SmallVector<utils::IteratorType> iterators(order.size(),
                                             utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      b, loc, empty.getType(), input, ValueRange(empty), maps, iterators,
      [](OpBuilder &inner, Location loc, ValueRange values) {
        linalg::YieldOp::create(inner, loc, values.front());
      });
  // Collapse the rows to one dimension, and the sums to another.
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, loop] : llvm::enumerate(order)) {
    bool isRow = llvm::is_contained(loops.rows, loop);
    bool isFirst = loop == loops.rows.front() || loop == loops.sums.front();
    if (isFirst || (!isRow && !llvm::is_contained(loops.sums, loop)))
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  return collapse(b, loc, copy.getResult(0), groups);
}

/// Collapses the loops of the rows to one loop.
void Lowering::collapseLoops(linalg::GenericOp op, AffineMap map) {
  ReassociationIndices group = getRowLoops(map, result, loops.rows);
  if (group.size() == 1)
    return;
  b.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> collapsed = linalg::collapseOpIterationDims(
      cast<linalg::LinalgOp>(op.getOperation()), {group}, b);
  assert(succeeded(collapsed) && "the loops can be one");
  StringRef work = air::AIRDialect::WorkAttrHelper::getNameStr();
  if (Attribute description = op->getDiscardableAttr(work))
    collapsed->collapsedOp->setDiscardableAttr(work, description);
  b.replaceOp(op, collapsed->results);
}

Value Lowering::createInit() {
  Value init = op.getDpsInits()[0];
  SmallVector<ReassociationIndices> groups = groupRows(result, loops.rows);
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return collapse(b, loc, init, groups);
  Value empty =
      tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, init),
                              getElementTypeOrSelf(init.getType()));
  return linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(),
                                collapse(b, loc, empty, groups))
      .getResult(0);
}

SmallVector<AffineMap> Lowering::getProductMaps() {
  auto outer =
      llvm::to_vector(llvm::concat<unsigned>(loops.parts, loops.outer));
  unsigned numOuter = outer.size();
  AffineExpr row = b.getAffineDimExpr(numOuter),
             column = b.getAffineDimExpr(numOuter + 1),
             sum = b.getAffineDimExpr(numOuter + 2);
  auto rename = [&](unsigned loop) {
    if (llvm::is_contained(loops.rows, loop))
      return row;
    if (llvm::is_contained(loops.sums, loop))
      return sum;
    return loop == loops.column
               ? column
               : b.getAffineDimExpr(llvm::find(outer, loop) - outer.begin());
  };
  auto getMap = [&](ArrayRef<unsigned> order) {
    SmallVector<AffineExpr> indices;
    for (unsigned loop : order)
      if (indices.empty() || indices.back() != rename(loop))
        indices.push_back(rename(loop));
    return AffineMap::get(numOuter + 3, 0, indices, b.getContext());
  };
  SmallVector<unsigned> ofResult(loops.parts);
  ofResult.append(getLoops(result));
  return {getMap(windowLoops), getMap(getLoops(filter)), getMap(ofResult)};
}

/// Replaces the convolution with the product of windows and weights.
void Lowering::createProduct(Value windows, Value weights) {
  Value init = createInit();
  SmallVector<AffineMap> maps = getProductMaps();
  SmallVector<utils::IteratorType> iterators(maps[0].getNumDims(),
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto product = linalg::GenericOp::create(b, loc, init.getType(),
                                           ValueRange{windows, weights}, init,
                                           maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&product.getRegion(), mapping);
  StringRef work = air::AIRDialect::WorkAttrHelper::getNameStr();
  // The form of the convolution no longer prevents matrix instructions.
  if (auto description =
          dyn_cast_or_null<air::WorkAttr>(op->getDiscardableAttr(work)))
    product->setDiscardableAttr(
        work,
        air::WorkAttr::get(b.getContext(), description.getKind(),
                           description.getOps(), description.getTypes(),
                           description.getSizes(), description.getOperations(),
                           description.getPlace(), StringAttr()));
  SmallVector<ReassociationIndices> rows = groupRows(result, loops.rows);
  Value whole = product.getResult(0);
  if (loops.rows.size() > 1)
    whole = tensor::ExpandShapeOp::create(
        b, loc, op->getResult(0).getType(), whole, rows,
        tensor::getMixedSizes(b, loc, op.getDpsInits()[0]));
  AffineMap use;
  if (epilogue)
    use = epilogue.getMatchingIndexingMap(&*op->getUses().begin());
  b.replaceOp(op, whole);
  if (epilogue)
    collapseLoops(epilogue, use);
}

/// Replaces the convolution with the sum of the products of its parts.
linalg::GenericOp Lowering::addProducts(Value windows, Value weights) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<ReassociationIndices> groups = groupRows(result, loops.rows);
  SmallVector<int64_t> shape;
  ReassociationIndices parts;
  for (unsigned loop : loops.parts) {
    parts.push_back(shape.size());
    shape.push_back(op.getStaticLoopRanges()[loop]);
  }
  int64_t numParts = multiplySizes(op, loops.parts);
  // The groups that merge the dimensions of the parts, and those that split
  // rows into dimensions of the result.
  SmallVector<ReassociationIndices> ofParts, ofRows;
  ofParts.push_back(parts);
  ofRows.push_back(ReassociationIndices{0});
  SmallVector<int64_t> partShape{numParts}, resultShape{numParts};
  for (const ReassociationIndices &group : groups) {
    int64_t size = 1;
    ofRows.emplace_back();
    for (int64_t dim : group) {
      size *= type.getDimSize(dim);
      ofRows.back().push_back(dim + 1);
    }
    ofParts.push_back({int64_t(shape.size())});
    shape.push_back(size);
    partShape.push_back(size);
  }
  llvm::append_range(resultShape, type.getShape());
  SmallVector<AffineMap> maps = getProductMaps();
  linalg::GenericOp product = dispatch::createProducts(
      b, loc, {windows, weights}, maps, RankedTensorType::get(shape, sumType),
      maps[0].getNumDims() - 1);
  if (!getWorks(op).empty())
    setWork(product);
  Value products = collapse(b, loc, product.getResult(0), ofParts);
  if (partShape != resultShape)
    products = tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get(resultShape, sumType), products, ofRows);
  return dispatch::replaceBySum(b, op, products);
}

linalg::GenericOp Lowering::lower() {
  if (linalg::GenericOp init = getInit(); init && loops.parts.empty())
    collapseLoops(init, init.getMatchingIndexingMap(init.getDpsInitOperand(0)));
  if (linalg::LinalgOp divided = dispatch::divideChannels(b, op, loops)) {
    op = divided;
    findMaps();
  }
  b.setInsertionPoint(op);
  Value weights = transposeFilter();
  weights = collapse(b, loc, weights, groupRows(filter, loops.sums));
  Value windows = createWindows();
  if (!loops.parts.empty())
    return addProducts(windows, weights);
  createProduct(windows, weights);
  return nullptr;
}

class LowerConvolutions
    : public dispatch::impl::LowerConvolutionsBase<LowerConvolutions> {
public:
  using LowerConvolutionsBase::LowerConvolutionsBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      if (failed(lower(function)))
        return signalPassFailure();
  }

private:
  LogicalResult lower(func::FuncOp function);

  PassTarget passTarget;
};

LogicalResult LowerConvolutions::lower(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> convolutions;
  function.walk([&](linalg::LinalgOp op) {
    if (linalg::isaConvolutionOpInterface(op) &&
        !linalg::isaContractionOpInterface(op) && op.hasPureTensorSemantics() &&
        op->getNumResults() == 1 && isProductOfElements(op))
      convolutions.push_back(op);
  });
  if (convolutions.empty())
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  IRRewriter rewriter(function.getContext());
  bool isTiled = false;
  for (linalg::LinalgOp op : convolutions) {
    std::optional<ProductLoops> loops = dispatch::sortLoops(op);
    if (!loops)
      continue;
    Lowering lowering(rewriter, op, std::move(*loops));
    lowering.chooseRows();
    if (!lowering.isSupported(*profile))
      continue;
    if (linalg::GenericOp sum = lowering.lower())
      isTiled |= dispatch::tileSum(rewriter, sum, profile->limits.cus);
  }
  if (isTiled)
    dispatch::finishWorkgroupLoops(function);
  // Fold views of views into one view, or none.
  RewritePatternSet patterns(function.getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       function.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     function.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}

} // namespace

std::unique_ptr<Pass> aircc::dispatch::createLowerConvolutions(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<LowerConvolutions>();
  pass->setTarget(std::move(profile));
  return pass;
}
