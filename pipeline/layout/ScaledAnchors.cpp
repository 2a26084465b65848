//===- ScaledAnchors.cpp - Products of scaled small floats ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/ScaledAnchors.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace aircc::layout {

namespace {

/// Vectors with more elements than any tile has are not analyzed elementwise.
constexpr int64_t kMaxElements = 1 << 20;

/// The position of a block's scale, for block b of row r of a factor, in the
/// vector from which the scales come.
enum class Broadcast {
  Same,       ///< The same scale for all.
  Rows,       ///< At r.
  Blocks,     ///< At b.
  RowMajor,   ///< At (r, b).
  ColumnMajor ///< At (b, r).
};

/// A factor of a contraction that is computed from small floats and scales.
struct Factor {
  Value narrow;
  /// The dimensions of the factor: rows first, then along the reduction.
  SmallVector<int64_t> order;
  int64_t rows, depth, block;
  Value scales;
  Broadcast broadcast;
};

std::string nameOf(Value vector) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(vector.getType());
  return name;
}

/// A chain of ops that only rearrange elements, from a vector back to its
/// source.
struct Moves {
  SmallVector<Operation *> ops;
  Value source;

  explicit Moves(Value vector) : source(vector) {
    while (Operation *op = source.getDefiningOp()) {
      if (!isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(
              op))
        break;
      ops.push_back(op);
      source = op->getOperand(0);
    }
  }
  /// Returns the row-major position in the source of the element at `at`.
  int64_t trace(SmallVector<int64_t> at) const;
};

} // namespace

static SmallVector<int64_t> shapeOfVector(Value value) {
  if (auto type = dyn_cast<VectorType>(value.getType()))
    return llvm::to_vector(type.getShape());
  return {};
}

int64_t Moves::trace(SmallVector<int64_t> at) const {
  for (Operation *op : ops) {
    SmallVector<int64_t> shape = shapeOfVector(op->getOperand(0));
    if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
      SmallVector<int64_t> before(at.size());
      for (auto [i, dim] : llvm::enumerate(transpose.getPermutation()))
        before[dim] = at[i];
      at = before;
    } else if (isa<vector::BroadcastOp>(op)) {
      at.erase(at.begin(), at.end() - shape.size());
      for (auto [index, size] : llvm::zip_equal(at, shape))
        index = size == 1 ? 0 : index;
    } else {
      Ints delinearized =
          delinearize(linearize(at, shapeOfVector(op->getResult(0))), shape);
      at.assign(delinearized.begin(), delinearized.end());
    }
  }
  SmallVector<int64_t> shape = shapeOfVector(source);
  return shape.empty() ? 0 : linearize(at, shape);
}

/// Finds how the scales of `factor` are distributed over it. Returns false if
/// they are not constant within each block.
static bool analyseScales(Factor &factor, Value scale) {
  SmallVector<int64_t> shape = shapeOfVector(scale);
  int64_t blocks = factor.depth / factor.block;
  if (factor.rows * factor.depth > kMaxElements)
    return false;
  if (matchPattern(scale, m_Constant())) {
    DenseElementsAttr constant;
    matchPattern(scale, m_Constant(&constant));
    factor.scales = scale;
    factor.broadcast = Broadcast::Same;
    return constant && constant.isSplat();
  }
  Moves moves(scale);
  SmallVector<int64_t> sizes;
  for (int64_t dim : factor.order)
    sizes.push_back(shape[dim]);
  SmallVector<int64_t> places;
  for (int64_t row = 0; row < factor.rows; ++row)
    for (int64_t k = 0; k < factor.depth; ++k) {
      Ints ordered = delinearize(row * factor.depth + k, sizes);
      SmallVector<int64_t> at(shape.size());
      for (auto [dim, index] : llvm::zip_equal(factor.order, ordered))
        at[dim] = index;
      int64_t place = moves.trace(at);
      if (k % factor.block == 0)
        places.push_back(place);
      else if (places.back() != place)
        return false;
    }
  factor.scales = moves.source;
  auto broadcastAs =
      [&](Broadcast broadcast, int64_t count,
          llvm::function_ref<int64_t(int64_t, int64_t)> placeOf) {
        auto type = dyn_cast<VectorType>(factor.scales.getType());
        if ((type ? type.getNumElements() : 1) != count)
          return false;
        for (int64_t row = 0; row < factor.rows; ++row)
          for (int64_t b = 0; b < blocks; ++b)
            if (places[row * blocks + b] != placeOf(row, b))
              return false;
        factor.broadcast = broadcast;
        return true;
      };
  return broadcastAs(Broadcast::Same, 1, [](int64_t, int64_t) { return 0; }) ||
         broadcastAs(
             Broadcast::RowMajor, factor.rows * blocks,
             [&](int64_t row, int64_t b) { return row * blocks + b; }) ||
         broadcastAs(
             Broadcast::ColumnMajor, factor.rows * blocks,
             [&](int64_t row, int64_t b) { return b * factor.rows + row; }) ||
         broadcastAs(Broadcast::Rows, factor.rows,
                     [](int64_t row, int64_t) { return row; }) ||
         broadcastAs(Broadcast::Blocks, blocks,
                     [](int64_t, int64_t b) { return b; });
}

/// Matches `value` as a factor whose rows are dimension `row`, and which is
/// reduced along the dimensions `reduced`.
static std::optional<Factor> matchFactor(Value value, AffineMap map,
                                         int64_t row, ArrayRef<int64_t> reduced,
                                         int64_t block) {
  auto extension = value.getDefiningOp<arith::ScalingExtFOp>();
  if (!extension || !isa<VectorType>(value.getType()) ||
      !isa<Float8E8M0FNUType>(
          getElementTypeOrSelf(extension.getScale().getType())))
    return std::nullopt;
  Factor factor{extension.getIn(), {}, 0, 1, block, {}, Broadcast::Same};
  SmallVector<int64_t> shape = shapeOfVector(value);
  auto dimOf = [&](int64_t iteration) -> int64_t {
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      if (map.getDimPosition(i) == iteration)
        return i;
    return -1;
  };
  factor.order.push_back(dimOf(row));
  for (int64_t k : reduced)
    factor.order.push_back(dimOf(k));
  if (llvm::is_contained(factor.order, -1) ||
      factor.order.size() != shape.size())
    return std::nullopt;
  factor.rows = shape[factor.order[0]];
  for (int64_t dim : ArrayRef(factor.order).drop_front())
    factor.depth *= shape[dim];
  if (factor.depth % block || !analyseScales(factor, extension.getScale()))
    return std::nullopt;
  return factor;
}

Result<strategy::ScaledLayouts>
getScaledLayouts(ScaledContractOp op,
                 const strategy::ScaledStrategy &strategy) {
  return strategy::getScaledLayouts(
      op.getLhs().getType().getDimSize(0), op.getRhs().getType().getDimSize(0),
      op.getLhs().getType().getDimSize(1), strategy);
}

bool fitsScaledInstruction(ScaledContractOp op, const TargetProfile &profile) {
  auto name = op->getAttrOfType<StringAttr>(
      LayoutDialect::MatrixInstructionAttrHelper::getNameStr());
  NestedLayoutAttr acc = getLayout(op.getAcc());
  if (!name || !acc || getLayout(op.getResult()) != getLayout(op.getAcc()))
    return false;
  const MatrixInstruction *instruction =
      strategy::findMatrixInstruction(profile, name.getValue());
  if (!instruction || !instruction->isScaled())
    return false;
  NestedLayout layout = acc.getLayout();
  auto wanted = getScaledLayouts(
      op, {instruction, layout.dim(0).subgroup, layout.dim(1).subgroup});
  if (!wanted)
    return false;
  auto is = [&](Value value, const NestedLayout &layout) {
    return getLayout(value) == NestedLayoutAttr::get(op.getContext(), layout);
  };
  return is(op.getLhs(), wanted->lhs) && is(op.getRhs(), wanted->rhs) &&
         is(op.getAcc(), wanted->acc) &&
         is(op.getLhsScales(), wanted->lhsScales) &&
         is(op.getRhsScales(), wanted->rhsScales);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// A contraction that an instruction computes.
struct Match {
  vector::ContractionOp op;
  /// The factor that has the rows of the result comes first.
  Factor lhs, rhs;
  strategy::ScaledStrategy strategy;
};

} // namespace

static std::optional<Match> matchContraction(vector::ContractionOp op,
                                             const TargetProfile &profile,
                                             const Workgroup &workgroup) {
  if (op.getKind() != vector::CombiningKind::ADD ||
      !isa<VectorType>(op.getAccType()))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(maps);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      !dims->batch.empty() || dims->k.empty() || dims->k.size() > 2)
    return std::nullopt;
  int64_t m = dims->m[0], n = dims->n[0];
  SmallVector<int64_t> reduced(dims->k.begin(), dims->k.end());
  // If the columns of the result are its first dimension, swap the factors.
  bool flipped = maps[2].getDimPosition(0) == n;
  for (int64_t block : strategy::getScaleBlocks(profile))
    for (unsigned order = 0; order < reduced.size(); ++order) {
      if (order)
        std::swap(reduced[0], reduced[1]);
      auto lhs = matchFactor(op.getLhs(), maps[0], m, reduced, block);
      auto rhs = matchFactor(op.getRhs(), maps[1], n, reduced, block);
      if (!lhs || !rhs)
        continue;
      if (flipped)
        std::swap(lhs, rhs);
      auto chosen = strategy::chooseScaledContraction(
          {lhs->rows,
           rhs->rows,
           lhs->depth,
           {nameOf(lhs->narrow), nameOf(rhs->narrow), nameOf(op.getAcc())},
           block},
          workgroup.waves, profile);
      if (chosen)
        return Match{op, *lhs, *rhs, *chosen};
    }
  return std::nullopt;
}

/// Returns the elements of a factor as rows x depth.
static Value createRows(OpBuilder &b, Location loc, const Factor &factor) {
  Value rows = factor.narrow;
  if (!llvm::is_sorted(factor.order))
    rows = vector::TransposeOp::create(b, loc, rows, factor.order);
  auto type = VectorType::get({factor.rows, factor.depth},
                              getElementTypeOrSelf(rows.getType()));
  return rows.getType() == type
             ? rows
             : vector::ShapeCastOp::create(b, loc, type, rows).getResult();
}

/// Returns the scales of a factor as rows x blocks.
static Value createScales(OpBuilder &b, Location loc, const Factor &factor) {
  int64_t blocks = factor.depth / factor.block;
  Type element = getElementTypeOrSelf(factor.scales.getType());
  auto typeOf = [&](ArrayRef<int64_t> shape) {
    return VectorType::get(shape, element);
  };
  auto cast = [&](ArrayRef<int64_t> shape) -> Value {
    if (factor.scales.getType() == typeOf(shape))
      return factor.scales;
    return vector::ShapeCastOp::create(b, loc, typeOf(shape), factor.scales);
  };
  auto flip = [&](Value vector) -> Value {
    return vector::TransposeOp::create(b, loc, vector, ArrayRef<int64_t>{1, 0});
  };
  auto broadcast = [&](ArrayRef<int64_t> shape, Value source) -> Value {
    return vector::BroadcastOp::create(b, loc, typeOf(shape), source);
  };
  switch (factor.broadcast) {
  case Broadcast::Same: {
    DenseElementsAttr constant;
    if (matchPattern(factor.scales, m_Constant(&constant)) &&
        constant.isSplat())
      return arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(typeOf({factor.rows, blocks}),
                                 constant.getSplatValue<Attribute>()));
    Value one =
        isa<VectorType>(factor.scales.getType()) ? cast({1}) : factor.scales;
    return broadcast({factor.rows, blocks}, one);
  }
  case Broadcast::Rows:
    return flip(broadcast({blocks, factor.rows}, cast({factor.rows})));
  case Broadcast::Blocks:
    return broadcast({factor.rows, blocks}, cast({blocks}));
  case Broadcast::RowMajor:
    return cast({factor.rows, blocks});
  case Broadcast::ColumnMajor:
    return flip(cast({blocks, factor.rows}));
  }
  llvm_unreachable("unknown kind of broadcast");
}

/// Erases the ops that compute `values`, and their operands, if unused.
static void eraseUnused(ArrayRef<Value> values) {
  SetVector<Operation *> pending;
  auto add = [&](ValueRange range) {
    for (Value value : range)
      if (Operation *definer = value.getDefiningOp())
        pending.insert(definer);
  };
  add(values);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!op->use_empty() || !isPure(op) || op->getNumRegions())
      continue;
    add(op->getOperands());
    op->erase();
  }
}

static void rewrite(const Match &match, bool remarks) {
  vector::ContractionOp op = match.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value lhs = createRows(b, loc, match.lhs),
        rhs = createRows(b, loc, match.rhs);
  Value lhsScales = createScales(b, loc, match.lhs),
        rhsScales = createScales(b, loc, match.rhs);
  auto scaled = ScaledContractOp::create(b, loc, lhs, rhs, op.getAcc(),
                                         lhsScales, rhsScales);
  auto layouts = getScaledLayouts(scaled, match.strategy);
  assert(layouts && "an instruction that was chosen divides the sizes");
  Attribute scope = op->getAttr(LayoutDialect::ScopeAttrHelper::getNameStr());
  auto fix = [&](OpOperand &operand, const NestedLayout &layout) {
    b.setInsertionPoint(scaled);
    auto fixed =
        ToLayoutOp::create(b, loc, operand.get().getType(), operand.get(),
                           NestedLayoutAttr::get(b.getContext(), layout),
                           /*shared_memory_conversion=*/false);
    if (scope)
      fixed->setAttr(LayoutDialect::ScopeAttrHelper::getNameStr(), scope);
    operand.set(fixed);
  };
  fix(scaled.getLhsMutable(), layouts->lhs);
  fix(scaled.getRhsMutable(), layouts->rhs);
  fix(scaled.getAccMutable(), layouts->acc);
  fix(scaled.getLhsScalesMutable(), layouts->lhsScales);
  fix(scaled.getRhsScalesMutable(), layouts->rhsScales);
  scaled->setAttr(LayoutDialect::MatrixInstructionAttrHelper::getNameStr(),
                  b.getStringAttr(match.strategy.instruction->name));
  if (scope)
    scaled->setAttr(LayoutDialect::ScopeAttrHelper::getNameStr(), scope);
  if (remarks)
    scaled->emitRemark("anchor: ")
        << match.strategy.instruction->name << ", with scale blocks of "
        << match.lhs.block;
  SmallVector<Value> factors{op.getLhs(), op.getRhs()};
  op.getResult().replaceAllUsesWith(scaled.getResult());
  op.erase();
  eraseUnused(factors);
}

void anchorScaledContractions(gpu::GPUFuncOp function,
                              const VectorScopes &scopes,
                              const TargetProfile &profile, bool remarks) {
  SmallVector<vector::ContractionOp> contracts;
  function.walk([&](vector::ContractionOp op) {
    if (scopes.getScope(op.getOperation()) &&
        !isa<vector::MaskOp>(op->getParentOp()) &&
        !op->hasAttr(
            LayoutDialect::MatrixInstructionAttrHelper::getNameStr()) &&
        op.getLhs().getDefiningOp<arith::ScalingExtFOp>())
      contracts.push_back(op);
  });
  for (vector::ContractionOp op : contracts)
    if (std::optional<Match> match = matchContraction(
            op, profile,
            scopes.getWorkgroup(*scopes.getScope(op.getOperation()))))
      rewrite(*match, remarks);
}

} // namespace aircc::layout
