//===- Windows.cpp - Windows of images ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Windows.h"

#include "dialects/air/AIROps.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {

namespace {

/// No tile of a matmul kernel has more rows.
constexpr uint64_t kMaxRows = 1024;

/// Returns the strides of a memref, or those that a tensor will have. Returns
/// nullopt if one of them is unknown.
std::optional<SmallVector<int64_t>> getStrides(ShapedType type) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)) ||
        llvm::is_contained(strides, ShapedType::kDynamic))
      return std::nullopt;
    return strides;
  }
  if (!type.hasRank() ||
      (type.getRank() > 0 &&
       ShapedType::isDynamicShape(type.getShape().drop_front())))
    return std::nullopt;
  return computeSuffixProduct(type.getShape());
}

/// Returns the factors of the loops in `index`, and the constant that is added;
/// nullopt if `index` has another form or one of them is negative.
std::optional<SmallVector<int64_t>> getFactors(AffineExpr index,
                                               unsigned numLoops) {
  WalkResult isSum = index.walk([](AffineExpr expr) {
    return llvm::is_contained({AffineExprKind::Add, AffineExprKind::Mul,
                               AffineExprKind::DimId, AffineExprKind::Constant},
                              expr.getKind())
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  SmallVector<int64_t> factors;
  if (isSum.wasInterrupted() || !index.isPureAffine() ||
      failed(getFlattenedAffineExpr(index, numLoops, 0, &factors)) ||
      llvm::any_of(factors, [](int64_t factor) { return factor < 0; }))
    return std::nullopt;
  return factors;
}

} // namespace

bool isWindowCopy(linalg::GenericOp op) {
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0)
    return false;
  Block *body = op.getBody();
  OpOperand *input = op.getDpsInputOperand(0);
  auto type = dyn_cast<ShapedType>(input->get().getType());
  return type && getStrides(type) &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         body->getTerminator()->getOperand(0) == body->getArgument(0) &&
         body->without_terminator().empty() &&
         llvm::all_of(op.getMatchingIndexingMap(input).getResults(),
                      [&](AffineExpr index) {
                        return getFactors(index, op.getNumLoops()).has_value();
                      });
}

bool isWithinReach(ShapedType image, AffineMap map, ArrayRef<int64_t> sizes,
                   ArrayRef<unsigned> rows, ArrayRef<unsigned> columns) {
  // A tile contains all iterations of the inner loops of the rows, and some
  // iterations of the first loop.
  uint64_t inner = 1;
  for (unsigned loop : rows.drop_front()) {
    if (ShapedType::isDynamic(sizes[loop]))
      return false;
    inner = llvm::SaturatingMultiply<uint64_t>(inner, sizes[loop]);
  }
  uint64_t first = kMaxRows / std::max<uint64_t>(inner, 1) + 2;
  if (!ShapedType::isDynamic(sizes[rows.front()]))
    first = std::min<uint64_t>(first, sizes[rows.front()]);
  SmallVector<std::pair<unsigned, uint64_t>> ranges{{rows.front(), first}};
  for (unsigned loop :
       llvm::concat<const unsigned>(rows.drop_front(), columns)) {
    if (ShapedType::isDynamic(sizes[loop]))
      return false;
    ranges.push_back({loop, sizes[loop]});
  }
  std::optional<SmallVector<int64_t>> strides = getStrides(image);
  if (!strides)
    return false;
  uint64_t elements = 1;
  for (auto [index, stride] : llvm::zip_equal(map.getResults(), *strides)) {
    std::optional<SmallVector<int64_t>> factors =
        getFactors(index, map.getNumDims());
    if (!factors)
      return false;
    uint64_t reach = factors->back();
    for (auto [loop, range] : ranges)
      reach = llvm::SaturatingMultiplyAdd<uint64_t>(
          (*factors)[loop], range - (range != 0), reach);
    elements = llvm::SaturatingMultiplyAdd<uint64_t>(reach, stride, elements);
  }
  unsigned bits = image.getElementTypeBitWidth();
  return elements < uint64_t(kMaxWindowBytes) / llvm::divideCeil(bits, 8);
}

namespace {

/// Returns the value that a launch passes to its body as `value`; returns other
/// values unchanged.
Value getOutside(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return value;
  auto launch =
      dyn_cast<air::HierarchyInterface>(argument.getOwner()->getParentOp());
  Value outside = launch ? launch.getTiedKernelOperand(argument) : Value();
  return outside ? outside : value;
}

bool isZero(Value value) {
  value = getOutside(value);
  return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
}

/// Matches the index of a dimension of the source of a padding.
class PaddingIndex {
public:
  /// Matches `index` as the index of dimension `dim`, which has `size`
  /// elements.
  bool match(Value index, int64_t dim, int64_t size);

  int64_t low = 0;
  /// The index before and after it is clamped to the source. Both are null if
  /// the index is always inside.
  Value at, clamped;

private:
  /// Matches a value as the loop of the dimension minus a constant.
  bool matchPlace(Value value, int64_t dim);
};

bool isLoop(Value value, int64_t dim) {
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && int64_t(index.getDim()) == dim;
}

/// Returns the constant operand of a commutative op, and the other operand.
std::optional<std::pair<Value, int64_t>> splitConstant(Operation *op) {
  for (unsigned i : {0, 1})
    if (APInt value;
        matchPattern(getOutside(op->getOperand(i)), m_ConstantInt(&value)))
      return std::pair(op->getOperand(1 - i), value.getSExtValue());
  return std::nullopt;
}

bool PaddingIndex::matchPlace(Value value, int64_t dim) {
  if (isLoop(value, dim))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::SubIOp, arith::AddIOp>(op))
    return false;
  auto split = splitConstant(op);
  if (!split || !isLoop(split->first, dim) ||
      (isa<arith::SubIOp>(op) && op->getOperand(0) != split->first))
    return false;
  low = isa<arith::SubIOp>(op) ? split->second : -split->second;
  return true;
}

bool PaddingIndex::match(Value index, int64_t dim, int64_t size) {
  if (isLoop(index, dim) || (size == 1 && isZero(index)))
    return true;
  auto max = index.getDefiningOp<arith::MaxSIOp>();
  auto notNegative = max ? splitConstant(max) : std::nullopt;
  if (!notNegative || notNegative->second != 0)
    return false;
  auto min = notNegative->first.getDefiningOp<arith::MinSIOp>();
  auto inside = min ? splitConstant(min) : std::nullopt;
  if (!inside || inside->second != size - 1 || !matchPlace(inside->first, dim))
    return false;
  at = inside->first;
  clamped = index;
  return true;
}

/// Collects the terms of a conjunction.
void collectTerms(Value condition, SmallVectorImpl<Value> &terms) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    collectTerms(both.getLhs(), terms);
    collectTerms(both.getRhs(), terms);
    return;
  }
  terms.push_back(condition);
}

/// Returns whether `condition` implies that no index has been clamped.
bool isInside(Value condition, ArrayRef<PaddingIndex> indices) {
  SmallVector<Value> terms;
  collectTerms(condition, terms);
  size_t numClamped = llvm::count_if(
      indices, [](const PaddingIndex &index) { return bool(index.clamped); });
  return terms.size() == numClamped &&
         llvm::all_of(indices, [&](const PaddingIndex &index) {
           return !index.clamped || llvm::any_of(terms, [&](Value term) {
             auto equal = term.getDefiningOp<arith::CmpIOp>();
             return equal && equal.getPredicate() == arith::CmpIPredicate::eq &&
                    ((equal.getLhs() == index.clamped &&
                      equal.getRhs() == index.at) ||
                     (equal.getRhs() == index.clamped &&
                      equal.getLhs() == index.at));
           });
         });
}

} // namespace

std::optional<Padding> matchPadding(linalg::GenericOp op) {
  if (!op || op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  auto select = op.getBody()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::SelectOp>();
  if (!select || !isZero(select.getFalseValue()))
    return std::nullopt;
  Padding padding;
  ValueRange indices;
  Operation *element = select.getTrueValue().getDefiningOp();
  if (auto extract = dyn_cast_or_null<tensor::ExtractOp>(element)) {
    padding.source = extract.getTensor();
    indices = extract.getIndices();
  } else if (auto load = dyn_cast_or_null<memref::LoadOp>(element)) {
    padding.source = load.getMemRef();
    indices = load.getIndices();
  } else {
    return std::nullopt;
  }
  auto type = cast<ShapedType>(padding.source.getType());
  if (!type.hasStaticShape() || !getStrides(type))
    return std::nullopt;
  SmallVector<PaddingIndex> matched(indices.size());
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (!matched[dim].match(index, dim, type.getDimSize(dim)))
      return std::nullopt;
    padding.low.push_back(matched[dim].low);
  }
  if (!isInside(select.getCondition(), matched))
    return std::nullopt;
  return padding;
}

} // namespace aircc
