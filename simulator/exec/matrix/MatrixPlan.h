//===- MatrixPlan.h - A matrix instruction, ready to execute ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Internal to this directory. The object that findMatrixOp returns is a
// MatrixPlan, which contains the public description, the position of every
// element, and the arithmetic.
//
// Decoding converts the registers of A (and B) to rows of 64 values, one row
// for each element that a lane holds: element e of lane l is at e * 64 + l. For
// stored position k and block b, the elements of A for i = 0, 1, … are then
// contiguous, starting at a.offset[k] + b * m, and those of B for j = 0, 1, …
// starting at b.offset[k] + b * n. Row i of C and D in block b is in n
// consecutive lanes of one register.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXPLAN_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXPLAN_H

#include "simulator/exec/matrix/Matrix.h"

namespace aircc::sim {

constexpr unsigned kMatrixLanes = 64;
/// The maximum number of elements of A or B that a lane holds, and the maximum
/// along k.
constexpr unsigned kMaxLaneElements = 32;
constexpr unsigned kMaxK = 128;
/// The maximum number of rows of C: 32 in each of two blocks.
constexpr unsigned kMaxRows = 64;

enum class MatrixArithmetic : uint8_t {
  FmaF64,
  FmaF32,      ///< A chain of fused multiply-adds.
  FlushTree2,  ///< gfx90a, bf16 without _1k.
  FlushTree4,  ///< gfx90a, f16 and bf16.
  Fused,       ///< gfx942, one truncating sum of `group` products.
  FusedPaired, ///< gfx942, one sum each for even and odd k.
  Integer,
};

/// The positions of the elements of A or B.
struct InputLayout {
  uint8_t laneElements = 0;
  uint16_t offset[kMaxK] = {}; ///< By k or, for A of a sparse form, stored k.
};

struct MatrixPlan : MatrixOp {
  MatrixArithmetic arithmetic = MatrixArithmetic::FmaF32;
  uint8_t group = 0;         ///< Products in one step of Fused and FusedPaired.
  uint8_t storedK = 0;       ///< k, or half of it for sparse forms.
  bool negatable = false;    ///< Whether neg_lo and neg_hi negate A and B.
  bool lanePatterns = false; ///< Whether blgp selects lanes of B.
  bool f64Negation = false;  ///< Whether blgp negates.
  bool halfSelect = false;   ///< Whether op_sel selects the half of C and D.
  uint8_t indexSets = 0;     ///< How many an index register holds, for sparse
                             ///< forms.
  InputLayout a, b;
  /// A and B of F8F6F4 with elements of six and four bits.
  InputLayout narrow;
  /// For row i of block b, at [b * m + i], the register (for f64, of the low
  /// half; with two 16-bit elements per register, 2 * register + half) and the
  /// first lane.
  uint8_t cRegister[kMaxRows] = {};
  uint8_t cLane[kMaxRows] = {};
  /// The positions of the rows in an accumulator, which consists of registers
  /// or, for 16-bit C and D, of the rows themselves.
  uint16_t rowOffset[kMaxRows] = {};
};

/// Fills in the layouts of a plan whose other fields are set. `gfx12`
/// distinguishes the two WMMA families, and `cdna4Sparse` the SMFMAC forms that
/// gfx950 added.
void layOutMatrixPlan(MatrixPlan &plan, bool gfx12, bool cdna4Sparse);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXPLAN_H
