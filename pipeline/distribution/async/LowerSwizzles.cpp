//===- LowerSwizzles.cpp - Lower accesses to swizzles ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Passes.h"
#include "pipeline/distribution/async/Swizzle.h"
#include "pipeline/distribution/memory/Divisibility.h"

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <numeric>

namespace aircc::distribution {
#define GEN_PASS_DEF_LOWERSWIZZLES
#include "pipeline/distribution/Passes.h.inc"
} // namespace aircc::distribution

using namespace mlir;
using namespace aircc;
using namespace aircc::distribution;

namespace {

/// Lowers the accesses to one swizzled buffer.
class SwizzledBuffer {
public:
  explicit SwizzledBuffer(layout::SwizzleHintOp hint)
      : hint(hint), swizzle(hint.getSwizzle().getShuffle()),
        type(cast<MemRefType>(hint.getType())) {}

  /// Rewrites `op`, which uses the buffer, or emits an error at it.
  LogicalResult lower(Operation *op);

private:
  /// Returns the buffer as one row of elements.
  Value getFlat();
  /// Returns the index in getFlat() at which the element at `indices` is
  /// stored.
  Value createStorageIndex(OpBuilder &b, Location loc, ValueRange indices);
  Value createSwizzledIndex(OpBuilder &b, Location loc, ValueRange indices);
  /// Removes terms from `indices` that are multiples of the swizzle's period
  /// and can be added after swizzling, which often makes the xor
  /// loop-invariant. Returns their sum as an index of getFlat(), or null.
  Value extractPeriods(OpBuilder &b, Location loc,
                       SmallVectorImpl<Value> &indices);
  /// If a row of the swizzle consists of several rows of the buffer, removes
  /// constant offsets from `indices` that do not change the permutation.
  /// Returns them as an offset in getFlat().
  int64_t extractEquivalentRows(OpBuilder &b, Location loc,
                                SmallVectorImpl<Value> &indices);
  /// Removes constant offsets from `indices` whose bits the other terms do not
  /// have. Because the swizzle is an xor of bits, it swizzles a sum without
  /// carries term by term. Returns the swizzled constant.
  int64_t extractConstants(OpBuilder &b, Location loc,
                           SmallVectorImpl<Value> &indices);
  /// Returns the number of elements starting at `first` along the innermost
  /// dimension that are known to be contiguous, which is a divisor of `length`.
  int64_t getAccessWidth(Value first, int64_t length);
  Value shift(OpBuilder &b, Location loc, Value index, int64_t by);

  Value loadRow(OpBuilder &b, Location loc, ValueRange indices, VectorType row);
  void storeRow(OpBuilder &b, Location loc, ValueRange indices, Value row);
  LogicalResult lowerRead(vector::TransferReadOp op);
  LogicalResult lowerWrite(vector::TransferWriteOp op);
  LogicalResult checkTransfer(VectorTransferOpInterface op);
  template <typename OpTy> LogicalResult lowerMasked(OpTy op);
  LogicalResult emitLeavesBlock(Operation *op, int64_t length);
  LogicalResult lowerTransposeLoad(amdgpu::TransposeLoadOp op);
  /// Returns the indices of the element at `position` of the vector of a
  /// transfer.
  SmallVector<Value> getIndices(OpBuilder &b, VectorTransferOpInterface op,
                                ArrayRef<int64_t> position);

  layout::SwizzleHintOp hint;
  const layout::XorShuffle swizzle;
  const MemRefType type;
  Value flat;
};

Value SwizzledBuffer::getFlat() {
  if (flat)
    return flat;
  if (type.getRank() == 1)
    return flat = hint.getSource();
  OpBuilder b(hint);
  ReassociationIndices all(llvm::to_vector(llvm::seq<int64_t>(type.getRank())));
  return flat = memref::CollapseShapeOp::create(
             b, hint.getLoc(), hint.getSource(), ArrayRef{all});
}

/// Returns true if `index` is known to be non-negative. Looks through `depth`
/// ops.
static bool isNotNegative(Value index, unsigned depth = 6) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant >= 0;
  Operation *op = index.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::BlockIdOp>(
          op))
    return true;
  if (!isa<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp,
           arith::MinUIOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isNotNegative(operand, depth - 1);
  });
}

/// Adds the terms of the sum `index` to `terms`.
static void collectTerms(Value index, SmallVectorImpl<Value> &terms) {
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    collectTerms(sum.getLhs(), terms);
    collectTerms(sum.getRhs(), terms);
    return;
  }
  terms.push_back(index);
}

Value SwizzledBuffer::extractPeriods(OpBuilder &b, Location loc,
                                     SmallVectorImpl<Value> &indices) {
  Value whole;
  int64_t stride = 1;
  auto add = [&](Value x, Value y) {
    return x ? b.createOrFold<arith::AddIOp>(loc, x, y) : y;
  };
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    SmallVector<Value> terms;
    collectTerms(indices[dim], terms);
    Value periods, rest;
    bool isSplit = true;
    for (Value term : terms) {
      // Split off terms that are multiples of the period.
      if (getKnownDivisor(term) * stride % swizzle.period() == 0) {
        periods = add(periods, term);
        continue;
      }
      isSplit &= isNotNegative(term);
      rest = add(rest, term);
    }
    if (isSplit && periods) {
      Value linear = b.createOrFold<arith::MulIOp>(
          loc, periods, arith::ConstantIndexOp::create(b, loc, stride));
      whole = add(whole, linear);
      indices[dim] =
          rest ? rest : arith::ConstantIndexOp::create(b, loc, 0).getResult();
    }
    stride *= type.getDimSize(dim);
  }
  return whole;
}

int64_t SwizzledBuffer::extractEquivalentRows(OpBuilder &b, Location loc,
                                              SmallVectorImpl<Value> &indices) {
  // Find the dimension along which several steps form a row of the swizzle.
  int64_t dim = type.getRank() - 1, size = 1;
  while (dim >= 0 && size * type.getDimSize(dim) <= swizzle.rowWidth())
    size *= type.getDimSize(dim--);
  int64_t count = swizzle.rowWidth() / size;
  if (dim < 0 || count == 1 || swizzle.rowWidth() % size ||
      type.getDimSize(dim) % count)
    return 0;
  SmallVector<Value> terms;
  collectTerms(indices[dim], terms);
  int64_t constants = 0;
  Value rest;
  for (Value term : terms) {
    if (std::optional<int64_t> constant = getConstantIntValue(term)) {
      constants += *constant;
      continue;
    }
    if (getKnownDivisor(term) % count)
      return 0;
    rest = rest ? b.createOrFold<arith::AddIOp>(loc, rest, term) : term;
  }
  int64_t steps = constants < 0 ? 0 : constants % count;
  // Blocks whose distance is a multiple of the periods keep the permutation.
  if (steps == 0 || steps * size % (swizzle.phases() * swizzle.accessWidth()))
    return 0;
  indices[dim] =
      rest ? shift(b, loc, rest, constants - steps)
           : arith::ConstantIndexOp::create(b, loc, constants - steps);
  return steps * size;
}

int64_t SwizzledBuffer::extractConstants(OpBuilder &b, Location loc,
                                         SmallVectorImpl<Value> &indices) {
  if (!llvm::isPowerOf2_64(swizzle.accessWidth()))
    return 0;
  SmallVector<Value> rests(indices.size());
  int64_t stride = 1, constants = 0;
  uint64_t bits = 0;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    SmallVector<Value> terms;
    collectTerms(indices[dim], terms);
    int64_t constant = 0;
    for (Value term : terms) {
      if (std::optional<int64_t> value = getConstantIntValue(term)) {
        constant += *value;
        continue;
      }
      rests[dim] = rests[dim]
                       ? b.createOrFold<arith::AddIOp>(loc, rests[dim], term)
                       : term;
    }
    if (!llvm::isPowerOf2_64(stride) || constant < 0)
      return 0;
    uint64_t own = rests[dim] ? getPossibleBits(rests[dim]) * stride : 0;
    if (bits & own)
      return 0;
    bits |= own;
    constants += constant * stride;
    stride *= type.getDimSize(dim);
  }
  if (constants & bits)
    return 0;
  for (auto [index, rest] : llvm::zip_equal(indices, rests))
    index = rest ? rest : arith::ConstantIndexOp::create(b, loc, 0).getResult();
  return swizzle.apply(constants);
}

Value SwizzledBuffer::createStorageIndex(OpBuilder &b, Location loc,
                                         ValueRange original) {
  SmallVector<Value> indices(original);
  Value whole = extractPeriods(b, loc, indices);
  int64_t offset = extractEquivalentRows(b, loc, indices);
  int64_t constant = extractConstants(b, loc, indices);
  Value index = createSwizzledIndex(b, loc, indices);
  if (whole)
    index = b.createOrFold<arith::AddIOp>(loc, whole, index);
  // Add the part that is not permuted last, so that it can be the offset of the
  // instruction.
  int64_t permuted = constant % (swizzle.phases() * swizzle.accessWidth());
  permuted -= permuted % swizzle.accessWidth();
  if (permuted)
    index = b.createOrFold<arith::XOrIOp>(
        loc, index, arith::ConstantIndexOp::create(b, loc, permuted));
  return shift(b, loc, index, offset + constant - permuted);
}

Value SwizzledBuffer::createSwizzledIndex(OpBuilder &b, Location loc,
                                          ValueRange indices) {
  RowAndColumn position =
      splitIntoRows(b, loc, swizzle, indices, type.getShape());
  Value column = swizzleColumn(b, loc, swizzle, position);
  if (!position.row)
    return column;
  Value width = arith::ConstantIndexOp::create(b, loc, swizzle.rowWidth());
  Value row = b.createOrFold<arith::MulIOp>(loc, position.row, width);
  return b.createOrFold<arith::AddIOp>(loc, row, column);
}

int64_t SwizzledBuffer::getAccessWidth(Value first, int64_t length) {
  int64_t width = std::gcd(length, swizzle.accessWidth());
  return std::gcd(width, getKnownDivisor(first));
}

Value SwizzledBuffer::shift(OpBuilder &b, Location loc, Value index,
                            int64_t by) {
  if (by == 0)
    return index;
  return b.createOrFold<arith::AddIOp>(
      loc, index, arith::ConstantIndexOp::create(b, loc, by));
}

/// Loads one row, which is a vector whose other dimensions have size 1.
Value SwizzledBuffer::loadRow(OpBuilder &b, Location loc, ValueRange indices,
                              VectorType row) {
  int64_t length = row.getNumElements();
  int64_t width = getAccessWidth(indices.back(), length);
  auto lineType = VectorType::get({length}, row.getElementType());
  auto accessType = VectorType::get({width}, row.getElementType());
  Value line;
  if (width != length)
    line = arith::ConstantOp::create(b, loc, b.getZeroAttr(lineType));
  for (int64_t first = 0; first < length; first += width) {
    SmallVector<Value> at(indices);
    at.back() = shift(b, loc, at.back(), first);
    Value part =
        vector::LoadOp::create(b, loc, accessType, getFlat(),
                               ValueRange(createStorageIndex(b, loc, at)));
    line = width == length ? part
                           : vector::InsertStridedSliceOp::create(
                                 b, loc, part, line, first, int64_t(1));
  }
  return row == lineType ? line
                         : vector::ShapeCastOp::create(b, loc, row, line);
}

void SwizzledBuffer::storeRow(OpBuilder &b, Location loc, ValueRange indices,
                              Value row) {
  auto rowType = cast<VectorType>(row.getType());
  int64_t length = rowType.getNumElements();
  int64_t width = getAccessWidth(indices.back(), length);
  if (rowType.getRank() != 1)
    row = vector::ShapeCastOp::create(
        b, loc, VectorType::get({length}, rowType.getElementType()), row);
  for (int64_t first = 0; first < length; first += width) {
    SmallVector<Value> at(indices);
    at.back() = shift(b, loc, at.back(), first);
    Value part = row;
    if (width != length)
      part = vector::ExtractStridedSliceOp::create(b, loc, row, first, width,
                                                   int64_t(1));
    vector::StoreOp::create(b, loc, part, getFlat(),
                            ValueRange(createStorageIndex(b, loc, at)));
  }
}

LogicalResult SwizzledBuffer::checkTransfer(VectorTransferOpInterface op) {
  if (op.getMask())
    return op.emitOpError(
        "cannot be masked, because it accesses a swizzled buffer; use "
        "vector.maskedload, or a buffer that is not swizzled");
  for (unsigned dim = 0; dim < op.getTransferRank(); ++dim)
    if (!op.isDimInBounds(dim))
      return op.emitOpError(
                 "may be out of bounds of its swizzled buffer in dimension ")
             << dim << "; set in_bounds if it never is";
  return success();
}

SmallVector<Value> SwizzledBuffer::getIndices(OpBuilder &b,
                                              VectorTransferOpInterface op,
                                              ArrayRef<int64_t> position) {
  SmallVector<Value> indices(op.getIndices());
  for (auto [at, result] :
       llvm::zip_equal(position, op.getPermutationMap().getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      indices[dim.getPosition()] =
          shift(b, op.getLoc(), indices[dim.getPosition()], at);
  return indices;
}

/// Calls `visit` with the position of each row of a vector, or of each element
/// if `elements` is set.
void forEachRow(VectorType type, bool elements,
                function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> position(type.getRank(), 0);
  int64_t outer = elements ? type.getRank() : type.getRank() - 1;
  while (true) {
    visit(position);
    int64_t dim = outer - 1;
    for (; dim >= 0; --dim) {
      if (++position[dim] < type.getDimSize(dim))
        break;
      position[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

/// Returns true if the last dimension of the vector is along the innermost
/// dimension of the buffer.
bool isAlongRows(VectorTransferOpInterface op) {
  AffineMap map = op.getPermutationMap();
  if (map.getNumResults() == 0)
    return false;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  return last && last.getPosition() + 1 == map.getNumDims();
}

LogicalResult SwizzledBuffer::lowerRead(vector::TransferReadOp op) {
  if (failed(checkTransfer(op)))
    return failure();
  OpBuilder b(op);
  Location loc = op.getLoc();
  VectorType vectorType = op.getVectorType();
  bool rows = isAlongRows(op);
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
  forEachRow(vectorType, !rows, [&](ArrayRef<int64_t> position) {
    SmallVector<Value> indices = getIndices(b, op, position);
    if (!rows) {
      Value element = memref::LoadOp::create(
          b, loc, getFlat(), ValueRange(createStorageIndex(b, loc, indices)));
      result = vector::InsertOp::create(b, loc, element, result, position);
      return;
    }
    auto rowType = VectorType::get(vectorType.getShape().take_back(),
                                   vectorType.getElementType());
    Value row = loadRow(b, loc, indices, rowType);
    result = vectorType.getRank() == 1
                 ? row
                 : vector::InsertOp::create(b, loc, row, result,
                                            position.drop_back());
  });
  op.replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult SwizzledBuffer::lowerWrite(vector::TransferWriteOp op) {
  if (failed(checkTransfer(op)))
    return failure();
  OpBuilder b(op);
  Location loc = op.getLoc();
  VectorType vectorType = op.getVectorType();
  bool rows = isAlongRows(op);
  forEachRow(vectorType, !rows, [&](ArrayRef<int64_t> position) {
    SmallVector<Value> indices = getIndices(b, op, position);
    if (!rows) {
      Value element =
          vector::ExtractOp::create(b, loc, op.getVector(), position);
      memref::StoreOp::create(b, loc, element, getFlat(),
                              ValueRange(createStorageIndex(b, loc, indices)));
      return;
    }
    Value row = op.getVector();
    if (vectorType.getRank() > 1)
      row = vector::ExtractOp::create(b, loc, row, position.drop_back());
    storeRow(b, loc, indices, row);
  });
  op.erase();
  return success();
}

LogicalResult SwizzledBuffer::emitLeavesBlock(Operation *op, int64_t length) {
  return op->emitOpError("accesses ")
         << length
         << " elements, but cannot be proven to stay within one block of "
         << swizzle.accessWidth() << " elements of its swizzled buffer";
}

/// Lowers masked loads and stores that stay within one block.
template <typename OpTy> LogicalResult SwizzledBuffer::lowerMasked(OpTy op) {
  int64_t length = op.getVectorType().getNumElements();
  if (getAccessWidth(op.getIndices().back(), length) != length)
    return emitLeavesBlock(op, length);
  OpBuilder b(op);
  Value index = createStorageIndex(b, op.getLoc(), op.getIndices());
  op.getBaseMutable().assign(getFlat());
  op.getIndicesMutable().assign(index);
  return success();
}

/// Lowers the read of a lane's part of a block that a wave transposes.
LogicalResult SwizzledBuffer::lowerTransposeLoad(amdgpu::TransposeLoadOp op) {
  int64_t length = cast<VectorType>(op.getType()).getNumElements();
  if (getAccessWidth(op.getSrcIndices().back(), length) != length)
    return emitLeavesBlock(op, length);
  OpBuilder b(op);
  Value index = createStorageIndex(b, op.getLoc(), op.getSrcIndices());
  op.getSrcMutable().assign(getFlat());
  op.getSrcIndicesMutable().assign(index);
  return success();
}

LogicalResult SwizzledBuffer::lower(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  // The stored value cannot be the buffer.
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value index = createStorageIndex(b, loc, load.getIndices());
    load.getMemrefMutable().assign(getFlat());
    load.getIndicesMutable().assign(index);
    return success();
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Value index = createStorageIndex(b, loc, store.getIndices());
    store.getMemrefMutable().assign(getFlat());
    store.getIndicesMutable().assign(index);
    return success();
  }
  auto isRow = [](VectorType type) {
    return type.getRank() > 0 &&
           type.getNumElements() == type.getShape().back();
  };
  if (auto load = dyn_cast<vector::LoadOp>(op);
      load && isRow(load.getVectorType())) {
    load.replaceAllUsesWith(
        loadRow(b, loc, load.getIndices(), load.getVectorType()));
    load.erase();
    return success();
  }
  if (auto store = dyn_cast<vector::StoreOp>(op);
      store && isRow(store.getVectorType())) {
    storeRow(b, loc, store.getIndices(), store.getValueToStore());
    store.erase();
    return success();
  }
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return lowerRead(read);
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return lowerWrite(write);
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return lowerMasked(load);
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return lowerMasked(store);
  if (auto load = dyn_cast<amdgpu::TransposeLoadOp>(op))
    return lowerTransposeLoad(load);
  if (isa<memref::DeallocOp>(op)) {
    op->setOperand(0, hint.getSource());
    return success();
  }
  return op->emitOpError(
      "uses a swizzled buffer in an unsupported way; access it with loads, "
      "stores and transfers, or remove layout.swizzle_hint");
}

struct LowerSwizzlesPass
    : distribution::impl::LowerSwizzlesBase<LowerSwizzlesPass> {
  void runOnOperation() override {
    SmallVector<layout::SwizzleHintOp> hints;
    getOperation()->walk(
        [&](layout::SwizzleHintOp hint) { hints.push_back(hint); });
    if (hints.empty())
      return;
    // Fold views, so that all accesses are to the buffer itself.
    bool hasViews = llvm::any_of(hints, [](layout::SwizzleHintOp hint) {
      return llvm::any_of(hint->getUsers(), [](Operation *user) {
        return isa<ViewLikeOpInterface>(user);
      });
    });
    if (hasViews) {
      RewritePatternSet patterns(&getContext());
      memref::populateFoldMemRefAliasOpPatterns(patterns);
      if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
        return signalPassFailure();
      hints.clear();
      getOperation()->walk(
          [&](layout::SwizzleHintOp hint) { hints.push_back(hint); });
    }
    for (layout::SwizzleHintOp hint : hints) {
      SwizzledBuffer buffer(hint);
      SmallVector<Operation *> users;
      for (Operation *user : hint->getUsers())
        if (!llvm::is_contained(users, user))
          users.push_back(user);
      for (Operation *user : llvm::reverse(users)) {
        if (isMemoryEffectFree(user) && user->use_empty()) {
          user->erase();
          continue;
        }
        if (failed(buffer.lower(user)))
          return signalPassFailure();
      }
      hint.erase();
    }
  }
};

} // namespace
