//===- Matrix.h - The matrix instructions of AMD GPUs -----------*- C++ -*-===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that the simulator knows of MFMA, SMFMAC, WMMA and SWMMAC is here: which
// instructions a chip has, the shape and registers of each, and what each does
// to the registers of one wave. The simulator core decodes, finds the rows of
// its register file, and calls this; it has no matrix arithmetic of its own.
// The library is plain C++ over arrays: it needs neither LLVM nor the core.
//
// Use, once an instruction (decode time):
//
//   const MatrixOp *op = findMatrixOp(mnemonic, {9, 4, 2}, waveSize);
//   if (!op)                                  -> not a matrix instruction here
//   if (std::string e = checkMatrixModifiers(*op, mods); !e.empty())
//                                             -> refuse it, saying `e`
//   MatrixRegs regs = matrixRegs(*op, mods);  -> how many registers to resolve
//
// and each time it executes:
//
//   executeMatrixOp(*op, mods, operands);
//
// EXEC: the instructions here take part with all lanes of the wave, whatever
// EXEC says. ("CDNA3 ISA", section 7, "Matrix Arithmetic Instructions": the
// EXEC mask is ignored; "RDNA3 ISA", section 7.9: EXEC is ignored for WMMA.)
// VGPR and AccVGPR rows may be mixed freely: on gfx90a and later they are one
// file.
//
// Arithmetic. AMD's manuals give no rounding for matrix instructions and say
// little of denormals. What is implemented, always to nearest even where
// rounding is not said to be otherwise, and whatever MODE holds:
//
// - Integers: exact; the sum wraps, or saturates once at the end under clamp.
// - f64, and f32 inputs: a chain of fused multiply-adds from C over ascending
// k,
//   denormals kept. (Xie et al., "Bit-Accurate Modeling of GPU Matrix
//   Multiply-Accumulate Units", arXiv 2511.10909, and its code, MMA-Sim:
//   measured on CDNA1 to CDNA3, bit by bit. What follows says MODEL where it is
//   from there.)
// - gfx90a, f16 and bf16 inputs: denormal inputs and results are flushed to
// zero
//   ("MI200 MFMA behavior specifics" in MIOpen's documentation). Products are
//   rounded to f32; four of them (two for the bf16 forms without _1k) are added
//   in a tree, then to the accumulator; each addition rounds and flushes.
//   MODEL.
// - gfx942, f16, bf16 and xf32 inputs: eight products (xf32: four) at a time
// are
//   added exactly after each was truncated to 24 fraction bits below the
//   largest exponent of the group; that sum is rounded DOWN to 31 bits and C to
//   24 bits below the larger of the two exponents; their sum is rounded to f32,
//   nearest even. xf32 inputs are truncated to ten mantissa bits. MODEL.
// - gfx942, fp8 and bf8 inputs: the same, sixteen products at a time in two
// groups
//   (even k and odd k), and truncation wherever the other form rounds down.
//   MODEL.
// - gfx950: no measurement is published. As gfx942; fp6, bf6 and fp4 as fp8;
//   block scales are added to the exponents of the products, which is exact.
//   Sparse forms: as the dense form of the stored elements.
// - gfx11 and gfx12, float inputs: nothing is published. A chain of fused
//   multiply-adds in f32 over ascending k, denormals kept; an f16 or bf16
//   result is rounded once, at the end.
// - A NaN result is the default NaN: positive, quiet, payload zero.
//
// Register layouts: AMD's matrix instruction calculator; where that has no
// entry for an instruction, tests on hardware that AMD publishes with hip-fpsan
// (sparse forms, f8f6f4, wave64 of gfx12).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_MATRIX_MATRIX_H
#define AIRCC_SIM_MATRIX_MATRIX_H

#include <cstdint>
#include <string>
#include <string_view>

namespace aircc::sim {

/// What one element of a matrix operand is.
enum class MatrixType : uint8_t {
  F64,
  F32,
  XF32, ///< f32 in the register; the multiplier uses fewer mantissa bits.
  F16,
  BF16,
  FP8FNUZ, ///< f8E4M3FNUZ ("fp8" on gfx942)
  BF8FNUZ, ///< f8E5M2FNUZ ("bf8" on gfx942)
  FP8,     ///< f8E4M3FN   ("fp8" on gfx950 and gfx12)
  BF8,     ///< f8E5M2     ("bf8" on gfx950 and gfx12)
  FP6,     ///< f6E2M3FN
  BF6,     ///< f6E3M2FN
  FP4,     ///< f4E2M1FN
  F8F6F4,  ///< One of FP8, BF8, FP6, BF6, FP4: cbsz says which for A, blgp for
           ///< B.
  I32,
  I8,
  IU8, ///< neg_lo[0] (A), neg_lo[1] (B): 1 signed, 0 unsigned.
  IU4,
};

/// Bits of one element in its register; 8 for F8F6F4 (its widest).
unsigned matrixTypeBits(MatrixType type);

enum class MatrixFamily : uint8_t {
  MFMA,   ///< Dense, wave64, CDNA.
  SMFMAC, ///< A is 4:2 structured sparse; D is the accumulator as well. CDNA.
  WMMA,   ///< Dense, wave32 or wave64, RDNA.
  SWMMAC, ///< A is 4:2 structured sparse; D is the accumulator as well. RDNA4.
};

/// The ISA of a chip as LLVM numbers it: gfx90a is {9, 0, 10}.
struct MatrixIsa {
  unsigned major = 0, minor = 0, stepping = 0;
};

/// One instruction on one ISA and wave size. D[b] = A[b] x B[b] + C[b] for
/// every block b, where A is m x k, B is k x n, C and D are m x n.
struct MatrixOp {
  std::string_view mnemonic; ///< As LLVM prints it for this ISA.
  MatrixFamily family = MatrixFamily::MFMA;
  uint8_t waveSize = 64;
  uint16_t m = 0, n = 0, k = 0; ///< k of the dense B, also for sparse forms.
  uint8_t blocks = 1;
  MatrixType aType = MatrixType::F32;
  MatrixType bType = MatrixType::F32;
  MatrixType cType = MatrixType::F32; ///< Of C and of D.
  bool scaled = false;                ///< Takes an E8M0 scale each for A and B.
  /// 32-bit registers of A, B, and of each of C and D. A and B of F8F6F4: the
  /// most that a format takes; see matrixRegs.
  uint8_t aRegs = 0, bRegs = 0, cRegs = 0;
  uint8_t indexRegs = 0; ///< Of the sparse index, else 0.
  /// How many passes (of four cycles) the instruction takes as AMD and LLVM's
  /// scheduling model publish it; 0 where it is not published.
  uint16_t passes = 0;

  bool isSparse() const {
    return family == MatrixFamily::SMFMAC || family == MatrixFamily::SWMMAC;
  }
};

/// The modifiers as the assembler spells them, not as the bits of an encoding.
/// Those that an instruction does not have stay 0.
struct MatrixModifiers {
  // MFMA and SMFMAC.
  uint8_t cbsz = 0; ///< Broadcast size of A; with F8F6F4 the format of A.
  uint8_t abid = 0; ///< Which block of A is broadcast; SMFMAC: index set.
  /// Lane pattern of B. F8F6F4: format of B. F64: negations ("neg:[a,b,c]" is
  /// bits 0, 1, 2).
  uint8_t blgp = 0;
  // Scaled MFMA: bit 0 is the scale of A, bit 1 that of B. op_sel is the low
  // bit of the scale's byte number and op_sel_hi the high bit. WMMA f16/bf16
  // results on gfx11: op_sel bit 2 picks the half of C and D. (LLVM's
  // op_sel:[a,b,c] is bits 0, 1, 2.)
  uint8_t opSel = 0;
  uint8_t opSelHi = 0;
  uint8_t negLo = 0;    ///< WMMA, bits 0, 1, 2 are A, B, C.
  uint8_t negHi = 0;    ///< WMMA, likewise (C: absolute value).
  uint8_t indexKey = 0; ///< SWMMAC: index_key.
  bool clamp = false;   ///< WMMA with integers: saturate.
};

/// 32-bit registers of each operand, for the given modifiers.
struct MatrixRegs {
  unsigned a = 0, b = 0, c = 0, d = 0, index = 0;
};

/// Registers are rows of lanes: lane l of register r of an operand is at
/// pointer[r * rowStride + l]. D may be the same rows as A, B, C or the index,
/// or overlap them in any way: all is read before anything is written.
struct MatrixOperands {
  const uint32_t *a = nullptr;
  const uint32_t *b = nullptr;
  /// Null: every element of C is the inline constant `cConstant`. SMFMAC and
  /// SWMMAC do not look at it: they accumulate into D.
  const uint32_t *c = nullptr;
  uint32_t *d = nullptr;
  const uint32_t *index = nullptr; ///< SMFMAC and SWMMAC only.
  /// Scaled MFMA only. Null: every lane has the constant (an inline constant or
  /// a scalar register).
  const uint32_t *aScale = nullptr, *bScale = nullptr;
  uint32_t aScaleConstant = 0, bScaleConstant = 0;
  /// The bits of one element of C (f64: 64 bits; f16, bf16: the low 16).
  uint64_t cConstant = 0;
  unsigned rowStride = 64;
};

/// The instruction with this mnemonic (as LLVM prints it, without "_e64" and
/// the like), or null if the ISA has none in waves of `waveSize` lanes. The
/// pointer stays valid.
const MatrixOp *findMatrixOp(std::string_view mnemonic, MatrixIsa isa,
                             unsigned waveSize);

/// Empty, or why the instruction does not have these modifiers ("cbsz 5 is not
/// an element format").
std::string checkMatrixModifiers(const MatrixOp &op,
                                 const MatrixModifiers &modifiers);

/// The registers that each operand takes.
MatrixRegs matrixRegs(const MatrixOp &op, const MatrixModifiers &modifiers);

/// Executes the instruction on one wave. The modifiers must have passed
/// checkMatrixModifiers. The host's floating-point environment must be the
/// default one (round to nearest even, denormals kept).
void executeMatrixOp(const MatrixOp &op, const MatrixModifiers &modifiers,
                     const MatrixOperands &operands);

} // namespace aircc::sim

#endif // AIRCC_SIM_MATRIX_MATRIX_H
