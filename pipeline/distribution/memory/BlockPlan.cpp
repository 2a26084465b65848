//===- BlockPlan.cpp - Plan block accesses --------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/memory/BlockPlan.h"

#include "dialects/layout/LayoutValues.h"
#include "pipeline/distribution/memory/Divisibility.h"
#include "pipeline/layout/VectorScopes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

#include <numeric>

using namespace mlir;
using aircc::layout::DimTiles;

namespace aircc::distribution {

namespace {

constexpr int64_t kBaseAlignment = 64, kMinWidth = 64, kPitchMultiple = 16;

class BlockPlanner {
public:
  BlockPlanner(Distributor &d, const MemoryAccess &access,
               const BlockOptions &options, BlockDirection direction)
      : d(d), b(d.b), options(options), direction(direction),
        loc(access.op->getLoc()), plan{access}, a(plan.access) {}

  std::optional<BlockPlan> make();

private:
  void foldSubViews();
  bool findDims();
  bool findForm();
  bool checkRules();
  bool isMultiple(Value index, int64_t count) const;

  Distributor &d;
  OpBuilder &b;
  BlockOptions options;
  BlockDirection direction;
  Location loc;
  SmallVector<int64_t> strides;
  BlockPlan plan;
  MemoryAccess &a;
};

} // namespace

SmallVector<BlockSpan> getBlockSpans(const DimTiles &dim, int64_t width) {
  SmallVector<BlockSpan> spans;
  for (int64_t k = 0; k < dim.values(); k += width) {
    int64_t x = dim.coordinate(0, 0, k);
    if (!spans.empty() &&
        x == spans.back().coordinate + spans.back().count * dim.thread * width)
      ++spans.back().count;
    else
      spans.push_back({k, x, 1});
  }
  return spans;
}

int64_t getWaveTileSize(const DimTiles &dim) {
  return dim.subgroup > 1 ? dim.coordinate(1, 0, 0) : dim.size();
}

/// Folds views into the indices, which is valid if no access is out of bounds.
void BlockPlanner::foldSubViews() {
  if (!llvm::all_of(a.inBounds, [](bool inside) { return inside; }))
    return;
  while (auto view = a.memref.getDefiningOp<memref::SubViewOp>()) {
    if (!view.hasUnitStride() || view.getDroppedDims().any() ||
        !isa<MemRefType>(view.getSource().getType()))
      return;
    for (auto [index, offset] :
         llvm::zip_equal(a.indices, view.getMixedOffsets()))
      index = LaneIds::sum(b, loc, index,
                           getValueOrCreateConstantIndexOp(b, loc, offset));
    a.memref = view.getSource();
  }
}

bool BlockPlanner::findDims() {
  plan.type = dyn_cast<MemRefType>(a.memref.getType());
  if (!plan.type || plan.type.getRank() == 0 || a.mask)
    return false;
  if (auto space = plan.type.getMemorySpace()) {
    auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space);
    auto number = dyn_cast<IntegerAttr>(space);
    if (!(gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Global) &&
        !(number && (number.getInt() == 0 || number.getInt() == 1)))
      return false;
  }
  Type element = plan.type.getElementType();
  if (!element.isIntOrFloat() || element != a.elementType)
    return false;
  plan.bits = element.getIntOrFloatBitWidth();
  if (plan.bits != 8 && plan.bits != 16 && plan.bits != 32)
    return false;
  int64_t offset;
  if (failed(plan.type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1)
    return false;
  int64_t last = plan.type.getRank() - 1;
  for (auto [i, expr] : llvm::enumerate(a.map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return false;
    int64_t memoryDim = dim.getPosition();
    if (memoryDim == last)
      plan.columnDim = i;
    else if (memoryDim == last - 1)
      plan.rowDim = i;
    else if (a.layout.dim(i).thread > 1)
      return false;
  }
  if (plan.columnDim < 0)
    return false;
  plan.columns = a.layout.dim(plan.columnDim);
  plan.rows = plan.rowDim < 0 ? DimTiles() : a.layout.dim(plan.rowDim);
  return true;
}

bool BlockPlanner::findForm() {
  if (direction == BlockDirection::Prefetch)
    return true;
  const int64_t lanes = d.target.waveSize;
  bool acrossColumns = plan.columns.thread == lanes &&
                       plan.columns.threadStride == 1 && plan.rows.thread == 1;
  if (acrossColumns && plan.columns.element == (plan.bits == 8 ? 2 : 1)) {
    plan.form = BlockForm::Rows;
    auto isPackable = [](const BlockSpan &span) {
      return span.count % 16 == 0;
    };
    if (direction == BlockDirection::Load && plan.bits == 16 &&
        options.packed && llvm::all_of(getBlockSpans(plan.rows, 1), isPackable))
      plan.form = BlockForm::Packed;
    return true;
  }
  if (direction == BlockDirection::Store)
    return false;
  if (acrossColumns && plan.bits == 8 && plan.columns.element == 1) {
    plan.form = BlockForm::Packed;
    return true;
  }
  if (plan.bits == 32 && plan.columns.thread == 8 &&
      plan.columns.threadStride == 1 && plan.columns.element == 1 &&
      plan.rows.thread == 2 && plan.rows.threadStride == 8 &&
      plan.rows.element == 1) {
    plan.form = BlockForm::Narrow;
    return true;
  }
  if (plan.rows.thread == lanes && plan.rows.threadStride == 1 &&
      plan.rows.element == 1 && plan.columns.thread == 1) {
    plan.form = BlockForm::Transposed;
    return llvm::all_of(getBlockSpans(plan.columns, 1),
                        [&](const BlockSpan &span) {
                          return span.count % (32 / plan.bits) == 0 &&
                                 span.coordinate % (32 / plan.bits) == 0;
                        });
  }
  return false;
}

/// Returns whether the index is a known multiple of `count`. The offset of the
/// wave is checked separately.
bool BlockPlanner::isMultiple(Value index, int64_t count) const {
  return count == 1 || isKnownMultiple(index, count);
}

/// Returns whether the offsets of the view are known multiples of the
/// alignment.
static bool areOffsetsAligned(memref::SubViewOp view, int64_t bytes) {
  auto strides = view.getSourceType().getStridesAndOffset().first;
  for (auto [offset, stride] :
       llvm::zip_equal(view.getMixedOffsets(), strides)) {
    if (isConstantIntValue(offset, 0))
      continue;
    if (ShapedType::isDynamic(stride) ||
        !isKnownMultiple(offset, kBaseAlignment /
                                     std::gcd(kBaseAlignment, stride * bytes)))
      return false;
  }
  return true;
}

/// Returns whether the memref is aligned, that is, whether its offset in a
/// kernel argument, which the runtime aligns, is a known multiple of the
/// alignment.
static bool isAligned(Value memref, int64_t bytes) {
  auto isMultiple = [&](MemRefType type) {
    int64_t offset = type.getStridesAndOffset().second;
    return !ShapedType::isDynamic(offset) &&
           offset * bytes % kBaseAlignment == 0;
  };
  if (auto argument = dyn_cast<BlockArgument>(memref))
    return isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()) &&
           isMultiple(cast<MemRefType>(memref.getType()));
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return isAligned(cast.getSource(), bytes);
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  return view && isa<MemRefType>(view.getSource().getType()) &&
         areOffsetsAligned(view, bytes) && isAligned(view.getSource(), bytes);
}

bool BlockPlanner::checkRules() {
  int64_t bytes = plan.bits / 8, last = plan.type.getRank() - 1;
  // Known violations are rejected even if the program requests a block access.
  auto check = [&](int64_t value, function_ref<bool(int64_t)> rule) {
    return ShapedType::isDynamic(value) ? options.isRequested : rule(value);
  };
  ArrayRef<int64_t> shape = plan.type.getShape();
  bool rightWidth = check(shape[last], [&](int64_t count) {
    return count * bytes >= kMinWidth && count * bytes % 4 == 0 &&
           count * bytes <= kMaxBlockExtent;
  });
  if (!rightWidth)
    return false;
  int64_t pitch = ShapedType::kDynamic;
  if (last > 0) {
    pitch = strides[last - 1];
    bool rightPitch = check(pitch, [&](int64_t count) {
      return count * bytes >= kMinWidth &&
             count * bytes % kPitchMultiple == 0 &&
             count * bytes <= kMaxBlockExtent;
    });
    if (!rightPitch)
      return false;
    if (!ShapedType::isDynamic(pitch) && !ShapedType::isDynamic(shape[last]) &&
        pitch < shape[last])
      return false;
    bool rightHeight = check(shape[last - 1], [](int64_t count) {
      return count > 0 && count < kMaxBlockExtent;
    });
    if (!rightHeight) {
      // The height is unknown and may be too large, but that of the vector is
      // not, so the matrix can start at the vector's first row.
      plan.startsAtRow = ShapedType::isDynamic(shape[last - 1]) &&
                         !options.isRequested &&
                         (plan.rowDim < 0 || a.inBounds[plan.rowDim]) &&
                         pitch * bytes % kBaseAlignment == 0;
      if (!plan.startsAtRow)
        return false;
    }
  } else if (ShapedType::isDynamic(shape[last]) ||
             shape[last] * bytes % kPitchMultiple != 0) {
    // The pitch of a single row is its width.
    return false;
  }
  for (int64_t i = 0; i < last - 1; ++i)
    if (!options.isRequested && (ShapedType::isDynamic(strides[i]) ||
                                 strides[i] * bytes % kBaseAlignment != 0))
      return false;
  // Check the first column of the block.
  int64_t step = std::max<int64_t>(1, 4 / bytes);
  int64_t inWave = plan.columns.batch * plan.columns.outer *
                   plan.columns.thread * plan.columns.element;
  if (plan.columns.subgroup > 1 && inWave % step != 0)
    return false;
  bool mustKnow = !options.isRequested || plan.form == BlockForm::Transposed ||
                  getConstantIntValue(a.indices[last]).has_value();
  if (mustKnow && !isMultiple(a.indices[last], step))
    return false;
  return options.isRequested || isAligned(a.memref, bytes);
}

std::optional<BlockPlan> BlockPlanner::make() {
  if (!options.isRequested)
    foldSubViews();
  if (!findDims() || !findForm() || !checkRules())
    return std::nullopt;
  return plan;
}

std::optional<BlockPlan> planBlocks(Distributor &d, const MemoryAccess &access,
                                    const BlockOptions &options,
                                    BlockDirection direction) {
  return BlockPlanner(d, access, options, direction).make();
}

static bool isRightFactor(Value value, unsigned depth) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<vector::ContractionOp, xegpu::DpasOp>(user)) {
      if (use.getOperandNumber() == 1 &&
          user->hasAttr(
              layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
        return true;
      continue;
    }
    // Trace the value through control flow.
    Operation *flow =
        layout::isControlFlowTerminator(user) ? user->getParentOp() : user;
    if (depth == 0 || !layout::isControlFlow(flow))
      continue;
    for (const layout::Slot &slot : layout::getSlots(flow))
      if (llvm::is_contained(slot.operands, &use) &&
          llvm::any_of(slot.values, [&](Value inner) {
            return isRightFactor(inner, depth - 1);
          }))
        return true;
  }
  return false;
}

bool isRightFactor(Value value) { return isRightFactor(value, /*depth=*/3); }

} // namespace aircc::distribution
