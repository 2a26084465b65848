//===- Matrix.h - The matrix instructions of AMD GPUs -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// MFMA, SMFMAC, WMMA and SWMMAC: which instructions a chip has, the shape and
// registers of each, and its effect on the registers of one wave. The simulator
// core decodes instructions, finds the rows of its register file, and calls
// this library; it has no matrix arithmetic of its own. The library is plain
// C++ over arrays and needs neither LLVM nor the core.
//
// Usage, once for each instruction, when it is decoded:
//
//   const MatrixOp *op = findMatrixOp(record.index, generation, waveSize);
//   if (!op)                                  -> not a matrix instruction here
//   if (std::string e = checkMatrixModifiers(*op, mods); !e.empty())
//                                             -> an error with text `e`
//   MatrixRegs regs = matrixRegs(*op, mods);  -> how many registers to resolve
//
// and each time it is executed:
//
//   executeMatrixOp(*op, mods, operands);
//
// The instructions ignore EXEC: all lanes of the wave take part. VGPR and
// AccVGPR rows may be mixed freely, because they are one file on gfx90a and
// later.
//
// Arithmetic
//
// AMD's public documents do not specify the rounding of these instructions.
// Rules that are marked MODEL were measured on CDNA1 to CDNA3 by Xie et al.
// ("Bit-Accurate Modeling of GPU Matrix Multiply-Accumulate Units", arXiv
// 2511.10909) and are taken from their reference code, MMA-Sim. The rules do
// not depend on MODE. Rounding is to nearest even unless another rounding is
// named:
//
// - Integers. Exact. The sum wraps or, with clamp, saturates once, at the end.
// - f64 and f32 inputs. A chain of fused multiply-adds from C over ascending k,
//   with denormals kept. MODEL.
// - gfx90a, f16 and bf16 inputs. Denormal inputs and results are flushed to
//   zero (also in MIOpen's documentation, "MI200 MFMA behavior specifics").
//   Products are rounded to f32. Four of them (two for the bf16 forms without
//   _1k) are added in a tree, then to the accumulator, with a rounding and a
//   flush at each addition. MODEL.
// - gfx942, f16, bf16 and xf32 inputs. Eight products (xf32: four) at a time
//   are truncated to 24 fraction bits below the largest exponent among them and
//   added exactly. Their sum is rounded DOWN to 31 bits, and C to 24 bits,
//   below the larger of the two exponents. The total is rounded to f32. xf32
//   inputs are truncated to ten mantissa bits. MODEL.
// - gfx942, fp8 and bf8 inputs. The same with sixteen products in two groups
//   (even k and odd k), and with truncation wherever the other form rounds
//   down. MODEL (its later version; an earlier one rounded down here as well).
// - gfx950. No measurements are published. ASSUMED to be like gfx942, with fp6,
//   bf6 and fp4 like fp8. Block scales add to the exponents of the products,
//   which is exact. Sparse forms, also on gfx942, are like the dense form on
//   the elements that are stored.
// - gfx11 and gfx12, float inputs. Nothing is published. ASSUMED: a chain of
//   fused multiply-adds in f32 over ascending k, with denormals kept. An f16 or
//   bf16 result is rounded once, at the end.
// - A NaN result is the default NaN: positive, quiet, payload zero. ASSUMED.
//
// Register layouts are those of AMD's matrix instruction calculator. For sparse
// forms, f8f6f4 and wave64 on gfx12, they are those of the layout tests in
// AMD's hip-fpsan, which were run on hardware. Sparse i8 is ASSUMED to have the
// layout of fp8.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIX_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIX_H

#include "simulator/isa/Generation.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace aircc::sim {

/// The type of an element of a matrix operand.
enum class MatrixType : uint8_t {
  F64,
  F32,
  XF32, ///< f32 in the register, but the multiplier uses fewer mantissa bits.
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
  IU8, ///< Returns the bits of one element in its register, which is 8 for
       ///< F8F6F4 (its widest).
  IU4,
};

/// Bits of one element in its register; 8 for F8F6F4 (its widest).
unsigned matrixTypeBits(MatrixType type);

enum class MatrixFamily : uint8_t {
  MFMA,   ///< Dense, wave64, CDNA.
  SMFMAC, ///< A is 4:2 structured sparse, and D is also the accumulator. CDNA.
  WMMA,   ///< Dense, wave32 or wave64, RDNA.
  SWMMAC, ///< A is 4:2 structured sparse, and D is also the accumulator. RDNA4.
};

/// An instruction on one ISA and wave size. D[b] = A[b] x B[b] + C[b] for every
/// block b, where A is m x k, B is k x n, and C and D are m x n.
struct MatrixOp {
  std::string_view mnemonic; ///< As LLVM prints it for this ISA.
  MatrixFamily family = MatrixFamily::MFMA;
  uint8_t waveSize = 64;
  uint16_t m = 0, n = 0, k = 0; ///< k of the dense B, also for sparse forms.
  uint8_t blocks = 1;
  MatrixType aType = MatrixType::F32;
  MatrixType bType = MatrixType::F32;
  MatrixType cType = MatrixType::F32; ///< The type of C and D.
  bool scaled = false;                ///< Whether it takes an E8M0 scale each
                                      ///< for A and B.
  /// The 32-bit registers of A, of B, and of each of C and D. For A and B of
  /// F8F6F4, the maximum that a format takes; see matrixRegs.
  uint8_t aRegs = 0, bRegs = 0, cRegs = 0;
  uint8_t indexRegs = 0; ///< The registers of the sparse index, otherwise 0.
  /// The number of passes (of four cycles) that the instruction takes according
  /// to AMD and LLVM's scheduling model, or 0 if it is not published.
  uint16_t passes = 0;

  bool isSparse() const {
    return family == MatrixFamily::SMFMAC || family == MatrixFamily::SWMMAC;
  }
};

/// The modifiers in the assembler's notation rather than the bits of an
/// encoding. Modifiers that an instruction does not have are 0.
struct MatrixModifiers {
  // For MFMA and SMFMAC.
  uint8_t cbsz = 0; ///< Broadcast size of A; with F8F6F4 the format of A.
  uint8_t abid = 0; ///< Which block of A is broadcast; SMFMAC: index set.
  /// The lane pattern of B. For F8F6F4, the format of B. For F64, negations
  /// ("neg:[a,b,c]" is bits 0, 1, 2).
  uint8_t blgp = 0;
  // For scaled MFMA, bit 0 is for the scale of A and bit 1 for that of B;
  // op_sel is the low bit of the scale's byte number and op_sel_hi the high
  // bit. For WMMA f16/bf16 results on gfx11, op_sel bit 2 selects the half of C
  // and D. (LLVM's op_sel:[a,b,c] is bits 0, 1, 2.)
  uint8_t opSel = 0;
  uint8_t opSelHi = 0;
  uint8_t negLo = 0;    ///< WMMA, bits 0, 1, 2 are A, B, C.
  uint8_t negHi = 0;    ///< The same for WMMA (for C, the absolute value).
  uint8_t indexKey = 0; ///< index_key of SWMMAC.
  bool clamp = false;   ///< Saturates, for WMMA with integers.
};

/// The number of 32-bit registers of each operand, for the given modifiers.
struct MatrixRegs {
  unsigned a = 0, b = 0, c = 0, d = 0, index = 0;
};

/// Registers are rows of lanes: lane l of register r of an operand is at
/// pointer[r * rowStride + l]. D may be the same rows as A, B, C or the index,
/// or overlap them in any way, because everything is read before anything is
/// written.
struct MatrixOperands {
  const uint32_t *a = nullptr;
  const uint32_t *b = nullptr;
  /// If null, every element of C is the inline constant `cConstant`. SMFMAC and
  /// SWMMAC ignore it, because they accumulate into D.
  const uint32_t *c = nullptr;
  uint32_t *d = nullptr;
  const uint32_t *index = nullptr; ///< SMFMAC and SWMMAC only.
  /// For scaled MFMA only. If null, every lane has the constant (an inline
  /// constant or a scalar register).
  const uint32_t *aScale = nullptr, *bScale = nullptr;
  uint32_t aScaleConstant = 0, bScaleConstant = 0;
  /// The bits of an element of C (64 bits for f64; the low 16 bits for f16 and
  /// bf16).
  uint64_t cConstant = 0;
  unsigned rowStride = 64;
};

/// Returns the number of instructions in isa/tables/Matrix.def.
unsigned matrixOpCount();

/// Returns the instruction with this index in isa/tables/Matrix.def
/// (InstructionRecord::index), or null if the generation has none in waves of
/// `waveSize` lanes. The pointer stays valid.
const MatrixOp *findMatrixOp(unsigned index, Generation generation,
                             unsigned waveSize);

/// Returns why the instruction does not have these modifiers ("cbsz 5 is not an
/// element format"), or "" if it does.
std::string checkMatrixModifiers(const MatrixOp &op,
                                 const MatrixModifiers &modifiers);

/// Returns the registers that each operand takes.
MatrixRegs matrixRegs(const MatrixOp &op, const MatrixModifiers &modifiers);

/// Executes the instruction on one wave. The modifiers must have passed
/// checkMatrixModifiers. The host's floating-point environment must be the
/// default one (round to nearest even, denormals kept).
void executeMatrixOp(const MatrixOp &op, const MatrixModifiers &modifiers,
                     const MatrixOperands &operands);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIX_H
