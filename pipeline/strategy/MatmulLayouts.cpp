//===- MatmulLayouts.cpp - Layouts of the tiles of a matmul kernel --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/MatmulTiling.h"
#include "pipeline/strategy/ScaledContraction.h"

#include "dialects/layout/algebra/AsyncDma.h"
#include "dialects/layout/algebra/MatrixLayout.h"
#include "dialects/layout/algebra/Transforms.h"
#include "dialects/layout/algebra/XorShuffle.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace aircc::layout;

namespace aircc::strategy {

/// Returns the number of elements that a lane reads or writes at once.
static int64_t getAccessElements(const TargetProfile &profile, int64_t bits) {
  return std::max<int64_t>(profile.costModel.accessBits / bits, 1);
}

/// Lets a lane hold up to `most` adjacent elements along dimension `dim` that
/// were previously in different batches.
static NestedLayout gather(const NestedLayout &layout, int64_t dim,
                           int64_t most) {
  std::vector<DimTiles> dims = layout.dims();
  DimTiles &d = dims[dim];
  while (d.thread > 1 && d.batch % 2 == 0 && d.element * 2 <= most) {
    d.batch /= 2;
    d.element *= 2;
  }
  return *NestedLayout::ofDims(std::move(dims));
}

/// Lets a lane read several adjacent elements of A and B at once.
static void widenAccesses(ContractLayouts &layouts, const MatmulSpec &spec,
                          const TargetProfile &profile) {
  int64_t piece = getAccessElements(profile, spec.a.bits);
  layouts.a = gather(layouts.a, 1, piece);
  layouts.b = gather(layouts.b, 0, piece);
  if (!spec.b.alongK && !isReadTransposed(spec.b, profile) &&
      layouts.b.dim(1).element == 1 && layouts.c.dim(1).element == 1) {
    layouts.b = gather(layouts.b, 1, getAccessElements(profile, spec.b.bits));
    layouts.c = gather(layouts.c, 1, layouts.b.dim(1).element);
  }
}

/// Returns the swizzle with which lanes that read down a column access
/// different banks. Rows that share a line of all banks are permuted together,
/// as one row. `layout` is that of the buffer's tile of shape `shape`, or of a
/// part of it.
static LdsSwizzle getSwizzle(const MatmulOperand &operand, const Ints &shape,
                             const NestedLayout &layout, bool isTransposed,
                             const TargetProfile &profile) {
  if (isReadTransposed(operand, profile))
    return getTransposedReadSwizzle(operand, shape, layout, profile);
  int64_t piece = getAccessElements(profile, operand.bits);
  int64_t bankLine = profile.limits.ldsBanks * 32 / operand.bits;
  int64_t row = shape[1], access = std::min(piece, row), phases = 0, group = 0;
  // Adjacent lanes read this many elements of a row.
  int64_t part = layout.dim(1).element * layout.dim(1).thread;
  if (operand.alongK) {
    // Parts of a tile may be read in narrower pieces.
    access = std::min(access, layout.dim(1).element);
    row = std::max(row, std::min(bankLine, product(shape)));
    // As many lanes as a line has pieces read a column together, from
    // consecutive rows.
    phases = std::max<int64_t>(bankLine / access * shape[1] / row, 1);
    // If the tile is transposed, lanes write columns to rows at a fixed
    // distance.
    if (isTransposed && access * shape[1] >= row) {
      group = access * shape[1] / row;
      phases = bankLine / access;
    }
  } else if (part % bankLine == 0) {
    access = row;
  } else if (int64_t own = layout.dim(0).element;
             own > 1 && bankLine % part == 0 && part >= piece &&
             shape[0] % (own * bankLine / part) == 0) {
    // The next lanes read rows that are `own` rows further down, and should
    // access the other parts of the line. The rows of one lane have the same
    // permutation, so their offsets differ by constants.
    row *= own;
    access = part;
    phases = bankLine / part;
  }
  if (phases >= row / access)
    phases = 0;
  if (!XorShuffle::get(row, access, phases, group))
    return {shape[1], shape[1]};
  return {row, access, phases, group};
}

NestedLayout packLayout(const NestedLayout &layout,
                        const MatmulOperand &operand) {
  std::vector<DimTiles> dims = layout.dims();
  dims[operand.alongK ? 1 : 0].element /= operand.getPacking();
  return *NestedLayout::ofDims(std::move(dims));
}

/// Returns the swizzle of a tile of `shape` in memory.
static LdsSwizzle getMemorySwizzle(const MatmulOperand &operand,
                                   const Ints &shape,
                                   const NestedLayout &layout,
                                   bool isTransposed,
                                   const TargetProfile &profile) {
  MatmulOperand inMemory = operand;
  inMemory.bits = operand.getMemoryBits();
  return getSwizzle(inMemory, shape, packLayout(layout, operand), isTransposed,
                    profile);
}

Result<MatmulLayouts> getMatmulLayouts(const MatmulSpec &spec,
                                       const TargetProfile &profile) {
  Result<NestedLayout> a = getInstructionLayout(spec.instruction->a),
                       b = getInstructionLayout(spec.instruction->b),
                       c = getInstructionLayout(spec.instruction->c);
  for (const Result<NestedLayout> *operand : {&a, &b, &c})
    if (!*operand)
      return Error{operand->message()};
  Result<ContractLayouts> layouts =
      contractLayouts({*a, *b, *c}, spec.tileM, spec.tileN, spec.tileK,
                      spec.wavesM, spec.wavesN);
  if (!layouts)
    return Error{layouts.message()};
  // Blocks with scales must keep their positions along K.
  if (spec.isStaged && !spec.scaleBlock)
    widenAccesses(*layouts, spec, profile);
  if (!spec.a.alongK)
    layouts->a = *permute(layouts->a, Ints{1, 0});
  if (spec.b.alongK)
    layouts->b = *permute(layouts->b, Ints{1, 0});
  MatmulLayouts result{layouts->a, layouts->b, layouts->c, {}, {}, {}, {}};
  if (spec.scaleBlock) {
    Result<ScaledLayouts> scaled =
        getScaledLayouts(spec.tileM, spec.tileN, spec.tileK,
                         {spec.instruction, spec.wavesM, spec.wavesN});
    if (!scaled)
      return Error{scaled.message()};
    result.scalesA = scaled->lhsScales;
    result.scalesB = scaled->rhsScales;
  }
  if (spec.isStaged) {
    MatmulSpec staged = spec;
    if (spec.stagedK)
      staged.tileK = spec.stagedK;
    result.swizzleA =
        getMemorySwizzle(spec.a, staged.getMemoryShape(spec.a, spec.tileM),
                         result.a, spec.transposesA, profile);
    result.swizzleB =
        getMemorySwizzle(spec.b, staged.getMemoryShape(spec.b, spec.tileN),
                         result.b, spec.transposesB, profile);
  }
  return result;
}

/// Returns the copy with accesses of one of `widths`.
static Result<TileCopy> getCopy(const Ints &shape, int64_t bits, int64_t waves,
                                Ints widths, const TargetProfile &profile) {
  AsyncDmaRequest request;
  request.shape = shape;
  request.elementBits = bits;
  request.waveSize = profile.waveSize;
  request.waves = waves;
  request.allowSurplusWaves = false;
  request.widths = std::move(widths);
  Result<AsyncDmaPlan> plan = planAsyncDma(request);
  if (!plan)
    return Error{plan.message()};
  return TileCopy{plan->layout, plan->width};
}

Result<TileCopy> getTileCopy(const Ints &shape, int64_t bits, int64_t waves,
                             const TargetProfile &profile) {
  Ints widths;
  for (int64_t width = profile.costModel.accessBits; width >= bits; width /= 2)
    widths.push_back(width);
  return getCopy(shape, bits, waves, std::move(widths), profile);
}

Result<TileCopy> getDirectCopy(const Ints &shape, int64_t bits, int64_t waves,
                               const TargetProfile &profile) {
  Ints widths(profile.dmaWidths.begin(), profile.dmaWidths.end());
  if (widths.empty())
    return Error{"the target has no direct loads to LDS"};
  return getCopy(shape, bits, waves, std::move(widths), profile);
}

Result<TileCopy> getTransposingCopy(const Ints &shape, int64_t bits,
                                    int64_t waves, const TargetProfile &profile,
                                    bool isNarrow) {
  // Adjacent lanes read the pieces of a line of all banks from memory.
  int64_t lanes =
      std::min<int64_t>(profile.waveSize, profile.limits.ldsBanks * 32 /
                                              profile.costModel.accessBits);
  int64_t piece = getAccessElements(profile, bits);
  if (isNarrow)
    lanes = std::min(lanes, std::max<int64_t>(shape[1] / piece, 1));
  DimTiles rows, columns;
  columns.element = piece;
  columns.thread = lanes;
  columns.threadStride = 1;
  rows.thread = profile.waveSize / lanes;
  rows.threadStride = rows.thread > 1 ? lanes : 0;
  auto divide = [](int64_t &size, int64_t by) {
    bool divides = size % by == 0;
    size /= by;
    return divides;
  };
  int64_t width = shape[1], depth = shape[0];
  columns.subgroup = std::gcd(width / (lanes * piece), waves);
  rows.subgroup = waves / std::max<int64_t>(columns.subgroup, 1);
  if (!divide(width, lanes * piece) || !divide(width, columns.subgroup) ||
      !divide(depth, rows.thread * rows.subgroup))
    return Error{"a tile of " + shapeText(shape) + " elements of " +
                 std::to_string(bits) +
                 " bits cannot be divided into a block of rows and columns for "
                 "each lane of " +
                 std::to_string(waves) + " waves"};
  rows.element = std::min(depth, piece);
  if (!divide(depth, rows.element))
    return Error{"a lane's " + std::to_string(depth) +
                 " rows are not a multiple of the rows that it writes at once"};
  rows.batch = depth;
  columns.batch = width;
  columns.subgroupStride = columns.subgroup > 1 ? 1 : 0;
  rows.subgroupStride = rows.subgroup > 1 ? columns.subgroup : 0;
  Result<NestedLayout> layout = NestedLayout::ofDims({rows, columns});
  if (!layout)
    return Error{layout.message()};
  return TileCopy{*layout, profile.costModel.accessBits};
}

// Limits of Xe's 2-D block messages (Intel GPU ISA, LSC block 2D messages).
static constexpr int64_t kMaxBlockRows = 32, kMaxBlockRowBytes = 64,
                         kBlockPitchBytes = 16;

std::optional<Ints> getPrefetchBlock(const Ints &shape, int64_t bits,
                                     int64_t waves) {
  if (bits < 8)
    return std::nullopt;
  int64_t columns = std::min(shape[1], kMaxBlockRowBytes * 8 / bits);
  int64_t across = shape[1] / columns;
  if (shape[1] % columns != 0 || waves % across != 0)
    return std::nullopt;
  int64_t down = waves / across;
  int64_t rows = shape[0] / down;
  if (shape[0] % down != 0 || rows > kMaxBlockRows ||
      !llvm::isPowerOf2_64(rows) || !llvm::isPowerOf2_64(columns))
    return std::nullopt;
  return Ints{rows, columns};
}

bool isBlockAddressable(int64_t pitchBytes) {
  return pitchBytes >= kMaxBlockRowBytes && pitchBytes % kBlockPitchBytes == 0;
}

bool hasWideDma(const TargetProfile &profile) {
  return llvm::is_contained(profile.dmaWidths,
                            unsigned(profile.costModel.accessBits));
}

} // namespace aircc::strategy
