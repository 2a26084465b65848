//===- MatmulTiling.h - Tiles of a matmul kernel ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Chooses the tiles of a kernel that computes C (M x N) += A (M x K) * B (K x
// N). A workgroup computes a tile of C in registers. For each step along K, it
// stages a tile of A and one of B in one of several LDS buffers while it
// multiplies from another; alternatively, its waves read their operands from
// memory. This does not depend on IR. Stage hierarchy makes the choice; stage
// layout derives the layouts from it with getMatmulLayouts.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_MATMULTILING_H
#define AIRCC_PIPELINE_STRATEGY_MATMULTILING_H

#include "pipeline/strategy/MatrixInstructions.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace aircc::strategy {

/// The operand A or B.
struct MatmulOperand {
  std::string type; ///< As profiles name it: "f16", "i8", …
  int64_t bits = 0;
  /// Whether its rows are along K (an untransposed A, a transposed B).
  bool alongK = false;
  /// Whether tiles are computed in registers before they are stored to LDS.
  bool isComputed = false;

  /// Returns the number of elements along K that share a byte in memory.
  int64_t getPacking() const { return bits > 0 && bits < 8 ? 8 / bits : 1; }
  /// Returns the number of bits in an element of a tile in memory, including
  /// all elements that share a byte.
  int64_t getMemoryBits() const { return bits * getPacking(); }
};

/// The product to compute. Sizes unknown at compile time are nullopt.
struct MatmulProblem {
  std::optional<int64_t> m, n, k;
  MatmulOperand a, b;
  std::string cType;
  int64_t cBits = 0;
  std::optional<int64_t> matrices = 1; ///< The number of such products.
  /// The number of consecutive elements of A and B along K that share a scale,
  /// which the matrix instruction applies; 0 if there are no scales.
  int64_t scaleBlock = 0;
};

/// The choices that a user can fix; 0 leaves a choice to the compiler.
struct MatmulChoices {
  int64_t tileM = 0, tileN = 0, tileK = 0, wavesM = 0, wavesN = 0, buffers = 0;
};

/// The parameters that determine the layouts of the tiles of a matmul kernel.
struct MatmulSpec {
  /// Null if the kernel uses vector instructions.
  const MatrixInstruction *instruction = nullptr;
  int64_t tileM = 0, tileN = 0, tileK = 0, wavesM = 0, wavesN = 0;
  MatmulOperand a, b;
  /// Whether tiles are staged in LDS; otherwise, waves read them from memory.
  bool isStaged = true;
  /// Whether tiles of B, whose rows in memory are across K, are transposed when
  /// they are copied to LDS; `b` describes them there.
  bool transposesB = false;
  /// Whether only tiles of A are staged, and B is in registers.
  bool keepsB = false;
  /// Like transposesB, for tiles of A.
  bool transposesA = false;
  /// The depth of the tiles in LDS, of which tileK is a part.
  int64_t stagedK = 0;
  /// As in MatmulProblem; the scales are also staged in LDS.
  int64_t scaleBlock = 0;

  int64_t getNumWaves() const { return wavesM * wavesN; }
  /// Return the shape of a tile of A or B in memory, with rows along K or
  /// across.
  layout::Ints getShapeA() const { return getShape(tileM, a.alongK); }
  layout::Ints getShapeB() const { return getShape(tileN, b.alongK); }
  /// Returns the shape of a tile of tileK by `across` elements.
  layout::Ints getShape(int64_t across, bool alongK) const {
    return alongK ? layout::Ints{across, tileK} : layout::Ints{tileK, across};
  }
  /// Returns the same for the elements in memory, each of which holds several
  /// elements of a packed operand.
  layout::Ints getMemoryShape(const MatmulOperand &operand,
                              int64_t across) const {
    layout::Ints shape = getShape(across, operand.alongK);
    shape[operand.alongK ? 1 : 0] /= operand.getPacking();
    return shape;
  }
  /// Returns the shape of the tile with the scales of `across` rows of a number
  /// of tiles along K.
  layout::Ints getScaleShape(int64_t across, int64_t tiles) const {
    return {across, tiles * tileK / scaleBlock};
  }
};

/// The xor swizzle of a tile's LDS buffer: widths in elements, the number of
/// permutations (0: one for each block of a row), and the number of rows in a
/// group (0: no groups).
struct LdsSwizzle {
  int64_t row = 1, access = 1, phases = 0, group = 0;
};

/// The layouts in which tiles of A, B and C are multiplied.
///
/// To avoid scattered accesses, layouts of staged tiles differ in two ways from
/// repetitions of the instruction's layouts. A lane holds as many adjacent
/// elements along K as it reads at once. If the rows of B are along N and the
/// read does not transpose them, the same holds along N. This is correct
/// because the columns of a tile can be assigned to instructions freely as long
/// as B and C agree, and positions along K as long as A and B agree. Blocks
/// that are loaded as a whole already have the layout of the instruction.
struct MatmulLayouts {
  NestedLayout a, b, c;
  LdsSwizzle swizzleA, swizzleB; ///< For staged tiles, in elements in memory.
  /// The layouts of the scales of A (m x k / block) and B (n x k / block), if
  /// there are any.
  NestedLayout scalesA, scalesB;
};

/// Returns the layouts. Fails if the instruction and the waves do not divide
/// the tile.
Result<MatmulLayouts> getMatmulLayouts(const MatmulSpec &spec,
                                       const TargetProfile &profile);

/// Returns the memory layout of a tile of `operand` with `layout`, which is a
/// layout of the elements that hold several elements of a packed operand.
NestedLayout packLayout(const NestedLayout &layout,
                        const MatmulOperand &operand);

/// How the workers of a workgroup copy a tile between memory and LDS.
struct TileCopy {
  NestedLayout layout;
  int64_t width = 0; ///< The number of bits that a lane copies at once.
};

/// Returns the copy of a tile of shape `shape` with elements of `bits` bits by
/// `waves` waves: the widest for which every wave has a part. Fails if there is
/// none.
Result<TileCopy> getTileCopy(const layout::Ints &shape, int64_t bits,
                             int64_t waves, const TargetProfile &profile);

/// Returns the copy of a tile with direct-to-LDS loads. Fails if the target has
/// no such loads that give every wave a part.
Result<TileCopy> getDirectCopy(const layout::Ints &shape, int64_t bits,
                               int64_t waves, const TargetProfile &profile);

/// Returns the copy of a tile that is transposed while it is copied to LDS.
/// Each lane has blocks of rows and columns, of which it reads rows and writes
/// columns, as wide as possible. With `isNarrow`, a row may be shorter than a
/// line of all banks. Fails if there are no such blocks.
Result<TileCopy> getTransposingCopy(const layout::Ints &shape, int64_t bits,
                                    int64_t waves, const TargetProfile &profile,
                                    bool isNarrow = false);

/// Returns the copy of a tile whose elements are read one by one. Adjacent
/// lanes read adjacent rows, and each lane reads as many columns as it writes
/// to LDS at once. Fails if the tile does not consist of such parts.
Result<TileCopy> getGatheringCopy(const layout::Ints &shape, int64_t bits,
                                  int64_t waves, const TargetProfile &profile);

/// Returns the block of a tile of shape `shape` with elements of `bits` bits
/// that each of `waves` waves prefetches with one 2-D block message. Returns
/// nullopt if the tile does not consist of as many blocks as there are waves.
std::optional<layout::Ints> getPrefetchBlock(const layout::Ints &shape,
                                             int64_t bits, int64_t waves);

/// Returns whether 2-D block messages can address a matrix with rows of
/// `pitchBytes`.
bool isBlockAddressable(int64_t pitchBytes);

/// Returns whether tiles of the operand, whose rows in LDS are across K, are
/// transposed when they are read.
bool isReadTransposed(const MatmulOperand &operand,
                      const TargetProfile &profile);

/// Returns the swizzle of a tile of shape `shape` with which the lanes of a
/// transposing read access different banks. `layout` is that of the tile or of
/// a part of it.
LdsSwizzle getTransposedReadSwizzle(const MatmulOperand &operand,
                                    const layout::Ints &shape,
                                    const NestedLayout &layout,
                                    const TargetProfile &profile);

/// Returns whether the target has direct-to-LDS loads of the widest access.
bool hasWideDma(const TargetProfile &profile);

struct MatmulTiling {
  MatmulSpec spec;
  int64_t buffers = 0;
  /// The number of parts along K in a tile. With two, waves read one part from
  /// LDS while they multiply the other.
  int64_t parts = 1;
  /// The number of tiles along K that an iteration multiplies. A kernel without
  /// LDS prefetches all of them at once. Other kernels have more than one to
  /// copy the scales of all of them at once.
  int64_t tilesPerIteration = 1;
  /// Whether tiles of A and of B can be copied directly to LDS.
  bool isDirectA = false, isDirectB = false;
  /// Like isDirectA, for the scales of A and B.
  bool isDirectScales = false;
  /// The estimated number of registers per lane.
  int64_t registers = 0;

  int64_t getLDSBytes() const {
    int64_t scales = spec.scaleBlock
                         ? tilesPerIteration * spec.tileK / spec.scaleBlock *
                               (spec.tileM + spec.tileN)
                         : 0;
    return buffers *
           (spec.tileK * (spec.tileM * spec.a.bits + spec.tileN * spec.b.bits) /
                8 +
            scales);
  }
};

/// Chooses a tiling for the target. Fails if no matrix instruction supports
/// these types, or if nothing that the user's choices permit fits.
Result<MatmulTiling> chooseMatmulTiling(const MatmulProblem &problem,
                                        const TargetProfile &profile,
                                        const MatmulChoices &choices);

/// Returns the number of products along K, of equal depth, into which to split
/// each of `matrices` products that a kernel with `tiling` computes, if C has
/// too few tiles to fill a device; a second kernel adds their results. Returns
/// 1 if they should not be split. `isPossible` may exclude numbers.
int64_t chooseSplits(const MatmulProblem &problem, int64_t matrices,
                     const MatmulTiling &tiling, const TargetProfile &profile,
                     llvm::function_ref<bool(int64_t)> isPossible = nullptr);

/// Returns the tiles of a kernel that multiplies with vector instructions,
/// whose lanes read factors from memory. Returns nullopt if types are too
/// narrow to compute with.
std::optional<MatmulTiling> chooseVectorTiling(const MatmulProblem &problem,
                                               const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_MATMULTILING_H
