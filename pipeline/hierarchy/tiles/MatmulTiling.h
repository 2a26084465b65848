//===- MatmulTiling.h - How a matmul is dealt to workgroups -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures and layouts of a kernel that computes C (M x N) += A (M x K) *
// B (K x N). A workgroup computes a tile of C and keeps it in registers; for
// each step along K it stages a tile of A and one of B in LDS, in one of
// several buffers, while it multiplies out of another; or its waves read what
// they multiply from memory themselves. There is no IR here.
//
// Against scattered accesses the layouts differ from the instruction's own,
// tiled up, in two ways. Along K a lane takes as many neighbours as it reads at
// once, and along N, where B's rows lie along N, likewise: which columns of a
// tile make an instruction's is free as long as B and C agree, and which of K
// as long as A and B do. Blocks that are loaded in one piece lie as the
// instruction wants them already.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_MATMULTILING_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_MATMULTILING_H

#include "dialects/layout/algebra/NestedLayout.h"
#include "targets/TargetProfile.h"

#include <optional>
#include <string>

namespace aircc::hierarchy {

/// One of A and B.
struct MatmulOperand {
  std::string type; ///< As in profiles: "f16", "i8", …
  int64_t bits = 0;
  /// Its rows lie along K (A as usual, B transposed).
  bool alongK = false;
};

/// What is to be computed. Sizes that are not known are empty.
struct MatmulProblem {
  std::optional<int64_t> m, n, k;
  MatmulOperand a, b;
  std::string cType;
  int64_t cBits = 0;
};

/// What a user may fix; 0: the compiler chooses.
struct MatmulChoices {
  int64_t tileM = 0, tileN = 0, tileK = 0, wavesM = 0, wavesN = 0, buffers = 0;
};

/// How a tile of A or B gets to LDS and from there to registers. Where waves
/// read from memory, there are the shape and the operand's layout alone.
struct MatmulStaging {
  /// Shape in LDS: rows along K or across.
  layout::Ints shape;
  /// Widths of the xor swizzle of the buffer, in elements, and its turns (0: as
  /// many as a row has blocks).
  int64_t swizzleRow = 1, swizzleAccess = 1, swizzleTurns = 0;
  /// Who copies what, if it goes through registers.
  layout::NestedLayout copy;
  /// Straight to LDS.
  bool isDirect = false;
  /// The layout in which it is multiplied.
  layout::NestedLayout operand;
};

struct MatmulTiling {
  const MatrixInstruction *instruction = nullptr;
  int64_t tileM = 0, tileN = 0, tileK = 0, wavesM = 0, wavesN = 0, buffers = 0;
  MatmulStaging a, b;
  layout::NestedLayout c;

  /// Of a lane, about.
  int64_t registers = 0;

  int64_t getNumWaves() const { return wavesM * wavesN; }
  int64_t getLDSBytes(const MatmulProblem &problem) const {
    return buffers * tileK * (tileM * problem.a.bits + tileN * problem.b.bits) /
           8;
  }
};

/// Chooses for the target. Tiles are staged in LDS, or, for backend xevm, read
/// from memory by the waves. Errors: no matrix instruction takes these types;
/// nothing that the user's choices leave fits.
layout::Result<MatmulTiling> chooseMatmulTiling(const MatmulProblem &problem,
                                                const TargetProfile &profile,
                                                const MatmulChoices &choices);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATMULTILING_H
