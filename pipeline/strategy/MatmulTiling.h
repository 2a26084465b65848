//===- MatmulTiling.h - Tiles of a matmul kernel ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the tiles of a kernel that computes C (M x N) += A (M x K) *
// B (K x N). A workgroup computes a tile of C in registers. For each step along
// K, it stages a tile of A and one of B in one of several LDS buffers while it
// multiplies from another; or its waves read their operands from memory. This
// does not depend on IR. Stage hierarchy makes the choice; stage layout derives
// the layouts from it with getMatmulLayouts.
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
  std::string type; ///< As in profiles: "f16", "i8", …
  int64_t bits = 0;
  /// Whether its rows are along K (A as usual, B transposed).
  bool alongK = false;
  /// Whether tiles are computed in registers before they are stored to LDS.
  bool isComputed = false;

  /// The elements along K that share a byte in memory.
  int64_t getPacking() const { return bits > 0 && bits < 8 ? 8 / bits : 1; }
  /// The bits of an element of a tile in memory: of all that share a byte.
  int64_t getMemoryBits() const { return bits * getPacking(); }
};

/// The product to compute. Sizes unknown at compile time are empty.
struct MatmulProblem {
  std::optional<int64_t> m, n, k;
  MatmulOperand a, b;
  std::string cType;
  int64_t cBits = 0;
  std::optional<int64_t> matrices = 1; ///< The number of such products.
  /// The elements of A and B along K that share a scale, by which a matrix
  /// instruction multiplies them; 0: there are no scales.
  int64_t scaleBlock = 0;
};

/// The choices that a user can fix; 0: the compiler chooses.
struct MatmulChoices {
  int64_t tileM = 0, tileN = 0, tileK = 0, wavesM = 0, wavesN = 0, buffers = 0;
};

/// The parameters that determine the layouts of the tiles of a matmul kernel.
struct MatmulSpec {
  /// Null if vector instructions multiply.
  const MatrixInstruction *instruction = nullptr;
  int64_t tileM = 0, tileN = 0, tileK = 0, wavesM = 0, wavesN = 0;
  MatmulOperand a, b;
  /// Tiles are staged in LDS; otherwise waves read them from memory.
  bool isStaged = true;
  /// Tiles of B, whose rows in memory are across K, are transposed when they
  /// are copied to LDS; `b` describes them there.
  bool transposesB = false;
  /// Only tiles of A are staged, and B is in registers.
  bool keepsB = false;
  /// The same as transposesB for tiles of A.
  bool transposesA = false;
  /// The depth of the tiles in LDS, of which tileK is a part.
  int64_t stagedK = 0;
  /// As in MatmulProblem; the scales are staged in LDS, too.
  int64_t scaleBlock = 0;

  int64_t getNumWaves() const { return wavesM * wavesN; }
  /// The shape of a tile of A or B in memory: rows along K or across.
  layout::Ints getShapeA() const { return getShape(tileM, a.alongK); }
  layout::Ints getShapeB() const { return getShape(tileN, b.alongK); }
  /// The shape of a tile of tileK by `across` elements.
  layout::Ints getShape(int64_t across, bool alongK) const {
    return alongK ? layout::Ints{across, tileK} : layout::Ints{tileK, across};
  }
  /// The same for the elements in memory, of which one holds several elements
  /// of a packed operand.
  layout::Ints getMemoryShape(const MatmulOperand &operand,
                              int64_t across) const {
    layout::Ints shape = getShape(across, operand.alongK);
    shape[operand.alongK ? 1 : 0] /= operand.getPacking();
    return shape;
  }
  /// The shape of the tile with the scales of `across` rows.
  layout::Ints getScaleShape(int64_t across) const {
    return {across, tileK / scaleBlock};
  }
};

/// The xor swizzle of the LDS buffer of a tile: widths in elements, and the
/// number of permutations (0: one for each block of a row), and the rows of a
/// group (0: there are no groups).
struct LdsSwizzle {
  int64_t row = 1, access = 1, phases = 0, group = 0;
};

/// The layouts in which tiles of A, B and C are multiplied.
///
/// To avoid scattered accesses, layouts of staged tiles differ in two ways from
/// repetitions of the layouts of the instruction. A lane holds as many adjacent
/// elements along K as it reads at once. If the rows of B are along N and the
/// read does not transpose them, the same holds along N. This is correct
/// because the columns of a tile can be assigned to instructions freely as long
/// as B and C agree, and positions along K as long as A and B agree. Blocks
/// that are loaded as a whole already have the layout of the instruction.
struct MatmulLayouts {
  NestedLayout a, b, c;
  LdsSwizzle swizzleA, swizzleB; ///< Of staged tiles, in elements in memory.
  /// Of the scales of A (m x k / block) and B (n x k / block), if there are
  /// any.
  NestedLayout scalesA, scalesB;
};

/// Errors: the instruction and the waves do not divide the tile.
Result<MatmulLayouts> getMatmulLayouts(const MatmulSpec &spec,
                                       const TargetProfile &profile);

/// The layout in memory of a tile of `operand` with `layout`: of the elements
/// that hold several of a packed operand.
NestedLayout packLayout(const NestedLayout &layout,
                        const MatmulOperand &operand);

/// How the workers of a workgroup copy a tile between memory and LDS.
struct TileCopy {
  NestedLayout layout;
  int64_t width = 0; ///< Number of bits that a lane moves at once.
};

/// The copy of a tile of `shape` with elements of `bits` bits by `waves` waves:
/// the widest for which every wave has a part. Errors: there is none.
Result<TileCopy> getTileCopy(const layout::Ints &shape, int64_t bits,
                             int64_t waves, const TargetProfile &profile);

/// The copy of a tile by direct-to-LDS loads. Errors: the target has none that
/// give every wave a part.
Result<TileCopy> getDirectCopy(const layout::Ints &shape, int64_t bits,
                               int64_t waves, const TargetProfile &profile);

/// The copy of a tile that is transposed while it is copied to LDS: each lane
/// has blocks of rows and columns, of which it reads rows and writes columns,
/// as wide as possible. With `isNarrow`, a row may be shorter than a line of
/// all banks. Errors: there are no such blocks.
Result<TileCopy> getTransposingCopy(const layout::Ints &shape, int64_t bits,
                                    int64_t waves, const TargetProfile &profile,
                                    bool isNarrow = false);

/// The copy of a tile whose elements are read one by one: adjacent lanes read
/// adjacent rows, and each lane as many columns as it writes to LDS at once.
/// Errors: the tile does not consist of such parts.
Result<TileCopy> getGatheringCopy(const layout::Ints &shape, int64_t bits,
                                  int64_t waves, const TargetProfile &profile);

/// The block of a tile of `shape` with elements of `bits` bits that each of
/// `waves` waves prefetches by one 2-D block message. Nothing if the tile does
/// not consist of as many blocks as there are waves.
std::optional<layout::Ints> getPrefetchBlock(const layout::Ints &shape,
                                             int64_t bits, int64_t waves);

/// Whether 2-D block messages can address a matrix with rows of `pitchBytes`.
bool isBlockAddressable(int64_t pitchBytes);

/// Whether tiles of the operand, whose rows in LDS are across K, are transposed
/// when they are read.
bool isReadTransposed(const MatmulOperand &operand,
                      const TargetProfile &profile);

/// The swizzle of a tile of `shape` for which the lanes of a transposing read
/// access different banks. `layout` is that of the tile or of a part of it.
LdsSwizzle getTransposedReadSwizzle(const MatmulOperand &operand,
                                    const layout::Ints &shape,
                                    const NestedLayout &layout,
                                    const TargetProfile &profile);

/// Whether the target has direct-to-LDS loads of the widest access.
bool hasWideDma(const TargetProfile &profile);

struct MatmulTiling {
  MatmulSpec spec;
  int64_t buffers = 0;
  /// The parts along K of a tile. With two, waves read one from LDS while they
  /// multiply the other.
  int64_t parts = 1;
  /// Whether tiles of A and B can be moved directly to LDS.
  bool isDirectA = false, isDirectB = false;
  /// The same for the scales of A and B.
  bool isDirectScales = false;
  /// The estimated number of registers of a lane.
  int64_t registers = 0;

  int64_t getLDSBytes() const {
    int64_t scales = spec.scaleBlock ? spec.tileK / spec.scaleBlock *
                                           (spec.tileM + spec.tileN)
                                     : 0;
    return buffers *
           (spec.tileK * (spec.tileM * spec.a.bits + spec.tileN * spec.b.bits) /
                8 +
            scales);
  }
};

/// Chooses for the target. Errors: no matrix instruction supports these types;
/// nothing that the user's choices permit fits.
Result<MatmulTiling> chooseMatmulTiling(const MatmulProblem &problem,
                                        const TargetProfile &profile,
                                        const MatmulChoices &choices);

/// Into how many products along K, of equal depth, to split each of `matrices`
/// products that a kernel with `tiling` computes, because C has too few tiles
/// to use the device: a second kernel adds their results. 1: do not split.
/// `isPossible` may exclude numbers.
int64_t chooseSplits(const MatmulProblem &problem, int64_t matrices,
                     const MatmulTiling &tiling, const TargetProfile &profile,
                     llvm::function_ref<bool(int64_t)> isPossible = nullptr);

/// The tiles of a kernel that multiplies with vector instructions, whose lanes
/// read factors from memory. Nothing if types are too narrow to compute with.
std::optional<MatmulTiling> chooseVectorTiling(const MatmulProblem &problem,
                                               const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_MATMULTILING_H
