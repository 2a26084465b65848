//===- MatrixTable.cpp - Which matrix instructions an ISA has -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables list name, shape and types as AMD's manuals do; all else
// (registers, layouts, arithmetic) follows from these. Passes are those of
// LLVM's scheduling models and AMD's matrix instruction calculator, four cycles
// each.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixPlan.h"

#include <array>
#include <bit>
#include <memory>
#include <vector>

using namespace aircc::sim;
using enum MatrixType;

namespace {

/// The generations of matrix instructions, by the chip that introduced them.
enum Generation : unsigned {
  Gfx90a,
  Gfx942,
  Gfx950,
  Gfx11,
  Gfx12,
  NoGeneration
};
constexpr unsigned kGenerations = NoGeneration;

/// A CDNA instruction: its name on gfx90a and on gfx942 and later, null where
/// the chip does not have it (gfx950 has those of gfx942 with passes there).
struct CdnaRow {
  const char *gfx90a, *gfx942;
  uint8_t m, n, k, blocks;
  MatrixType a, b, c;
  uint8_t passes[3];
};

// One instruction, one row.
// clang-format off
// clang-format off
constexpr CdnaRow kMfma[] = {
    // f32
    {"v_mfma_f32_32x32x1f32", "v_mfma_f32_32x32x1_2b_f32",
     32, 32, 1, 2, F32, F32, F32, {16, 16, 16}},
    {"v_mfma_f32_16x16x1f32", "v_mfma_f32_16x16x1_4b_f32",
     16, 16, 1, 4, F32, F32, F32, {8, 8, 8}},
    {"v_mfma_f32_4x4x1f32", "v_mfma_f32_4x4x1_16b_f32",
     4, 4, 1, 16, F32, F32, F32, {2, 2, 2}},
    {"v_mfma_f32_32x32x2f32", "v_mfma_f32_32x32x2_f32",
     32, 32, 2, 1, F32, F32, F32, {16, 16, 16}},
    {"v_mfma_f32_16x16x4f32", "v_mfma_f32_16x16x4_f32",
     16, 16, 4, 1, F32, F32, F32, {8, 8, 8}},
    // f16
    {"v_mfma_f32_32x32x4f16", "v_mfma_f32_32x32x4_2b_f16",
     32, 32, 4, 2, F16, F16, F32, {16, 16, 16}},
    {"v_mfma_f32_16x16x4f16", "v_mfma_f32_16x16x4_4b_f16",
     16, 16, 4, 4, F16, F16, F32, {8, 8, 8}},
    {"v_mfma_f32_4x4x4f16", "v_mfma_f32_4x4x4_16b_f16",
     4, 4, 4, 16, F16, F16, F32, {2, 2, 2}},
    {"v_mfma_f32_32x32x8f16", "v_mfma_f32_32x32x8_f16",
     32, 32, 8, 1, F16, F16, F32, {16, 8, 8}},
    {"v_mfma_f32_16x16x16f16", "v_mfma_f32_16x16x16_f16",
     16, 16, 16, 1, F16, F16, F32, {8, 4, 4}},
    {nullptr, "v_mfma_f32_32x32x16_f16",
     32, 32, 16, 1, F16, F16, F32, {0, 0, 8}},
    {nullptr, "v_mfma_f32_16x16x32_f16",
     16, 16, 32, 1, F16, F16, F32, {0, 0, 4}},
    // bf16, one register each of A and B
    {"v_mfma_f32_32x32x2bf16",
     nullptr, 32, 32, 2, 2, BF16, BF16, F32, {16, 0, 0}},
    {"v_mfma_f32_16x16x2bf16",
     nullptr, 16, 16, 2, 4, BF16, BF16, F32, {8, 0, 0}},
    {"v_mfma_f32_4x4x2bf16", nullptr, 4, 4, 2, 16, BF16, BF16, F32, {2, 0, 0}},
    {"v_mfma_f32_32x32x4bf16",
     nullptr, 32, 32, 4, 1, BF16, BF16, F32, {16, 0, 0}},
    {"v_mfma_f32_16x16x8bf16",
     nullptr, 16, 16, 8, 1, BF16, BF16, F32, {8, 0, 0}},
    // bf16, two and more
    {"v_mfma_f32_32x32x4bf16_1k", "v_mfma_f32_32x32x4_2b_bf16",
     32, 32, 4, 2, BF16, BF16, F32, {16, 16, 16}},
    {"v_mfma_f32_16x16x4bf16_1k", "v_mfma_f32_16x16x4_4b_bf16",
     16, 16, 4, 4, BF16, BF16, F32, {8, 8, 8}},
    {"v_mfma_f32_4x4x4bf16_1k", "v_mfma_f32_4x4x4_16b_bf16",
     4, 4, 4, 16, BF16, BF16, F32, {2, 2, 2}},
    {"v_mfma_f32_32x32x8bf16_1k", "v_mfma_f32_32x32x8_bf16",
     32, 32, 8, 1, BF16, BF16, F32, {16, 8, 8}},
    {"v_mfma_f32_16x16x16bf16_1k", "v_mfma_f32_16x16x16_bf16",
     16, 16, 16, 1, BF16, BF16, F32, {8, 4, 4}},
    {nullptr, "v_mfma_f32_32x32x16_bf16",
     32, 32, 16, 1, BF16, BF16, F32, {0, 0, 8}},
    {nullptr, "v_mfma_f32_16x16x32_bf16",
     16, 16, 32, 1, BF16, BF16, F32, {0, 0, 4}},
    // i8
    {"v_mfma_i32_32x32x4i8", "v_mfma_i32_32x32x4_2b_i8",
     32, 32, 4, 2, I8, I8, I32, {16, 16, 16}},
    {"v_mfma_i32_16x16x4i8", "v_mfma_i32_16x16x4_4b_i8",
     16, 16, 4, 4, I8, I8, I32, {8, 8, 8}},
    {"v_mfma_i32_4x4x4i8", "v_mfma_i32_4x4x4_16b_i8",
     4, 4, 4, 16, I8, I8, I32, {2, 2, 2}},
    {"v_mfma_i32_32x32x8i8", nullptr, 32, 32, 8, 1, I8, I8, I32, {16, 0, 0}},
    {"v_mfma_i32_16x16x16i8", nullptr, 16, 16, 16, 1, I8, I8, I32, {8, 0, 0}},
    {nullptr, "v_mfma_i32_32x32x16_i8", 32, 32, 16, 1, I8, I8, I32, {0, 8, 8}},
    {nullptr, "v_mfma_i32_16x16x32_i8", 16, 16, 32, 1, I8, I8, I32, {0, 4, 4}},
    {nullptr, "v_mfma_i32_32x32x32_i8", 32, 32, 32, 1, I8, I8, I32, {0, 0, 8}},
    {nullptr, "v_mfma_i32_16x16x64_i8", 16, 16, 64, 1, I8, I8, I32, {0, 0, 4}},
    // f64
    {"v_mfma_f64_16x16x4f64", "v_mfma_f64_16x16x4_f64",
     16, 16, 4, 1, F64, F64, F64, {8, 8, 16}},
    {"v_mfma_f64_4x4x4f64", "v_mfma_f64_4x4x4_4b_f64",
     4, 4, 4, 4, F64, F64, F64, {4, 4, 4}},
    // xf32
    {nullptr, "v_mfma_f32_32x32x4_xf32",
     32, 32, 4, 1, XF32, XF32, F32, {0, 8, 0}},
    {nullptr, "v_mfma_f32_16x16x8_xf32",
     16, 16, 8, 1, XF32, XF32, F32, {0, 4, 0}},
    // fp8 and bf8 (which of the two pairs of formats: by chip)
    {nullptr, "v_mfma_f32_32x32x16_fp8_fp8",
     32, 32, 16, 1, FP8, FP8, F32, {0, 8, 8}},
    {nullptr, "v_mfma_f32_32x32x16_fp8_bf8",
     32, 32, 16, 1, FP8, BF8, F32, {0, 8, 8}},
    {nullptr, "v_mfma_f32_32x32x16_bf8_fp8",
     32, 32, 16, 1, BF8, FP8, F32, {0, 8, 8}},
    {nullptr, "v_mfma_f32_32x32x16_bf8_bf8",
     32, 32, 16, 1, BF8, BF8, F32, {0, 8, 8}},
    {nullptr, "v_mfma_f32_16x16x32_fp8_fp8",
     16, 16, 32, 1, FP8, FP8, F32, {0, 4, 4}},
    {nullptr, "v_mfma_f32_16x16x32_fp8_bf8",
     16, 16, 32, 1, FP8, BF8, F32, {0, 4, 4}},
    {nullptr, "v_mfma_f32_16x16x32_bf8_fp8",
     16, 16, 32, 1, BF8, FP8, F32, {0, 4, 4}},
    {nullptr, "v_mfma_f32_16x16x32_bf8_bf8",
     16, 16, 32, 1, BF8, BF8, F32, {0, 4, 4}},
    // Any of the small formats; passes are those of fp6, bf6 and fp4, twice as
    // many with an operand of eight bits.
    {nullptr, "v_mfma_f32_32x32x64_f8f6f4",
     32, 32, 64, 1, F8F6F4, F8F6F4, F32, {0, 0, 8}},
    {nullptr, "v_mfma_f32_16x16x128_f8f6f4",
     16, 16, 128, 1, F8F6F4, F8F6F4, F32, {0, 0, 4}},
    {nullptr, "v_mfma_scale_f32_32x32x64_f8f6f4",
     32, 32, 64, 1, F8F6F4, F8F6F4, F32, {0, 0, 8}},
    {nullptr, "v_mfma_scale_f32_16x16x128_f8f6f4",
     16, 16, 128, 1, F8F6F4, F8F6F4, F32, {0, 0, 4}},
};
// clang-format on

// clang-format off
constexpr CdnaRow kSmfmac[] = {
    {nullptr, "v_smfmac_f32_32x32x16_f16",
     32, 32, 16, 1, F16, F16, F32, {0, 8, 8}},
    {nullptr, "v_smfmac_f32_16x16x32_f16",
     16, 16, 32, 1, F16, F16, F32, {0, 4, 4}},
    {nullptr, "v_smfmac_f32_32x32x16_bf16",
     32, 32, 16, 1, BF16, BF16, F32, {0, 8, 8}},
    {nullptr, "v_smfmac_f32_16x16x32_bf16",
     16, 16, 32, 1, BF16, BF16, F32, {0, 4, 4}},
    {nullptr, "v_smfmac_i32_32x32x32_i8",
     32, 32, 32, 1, I8, I8, I32, {0, 8, 8}},
    {nullptr, "v_smfmac_i32_16x16x64_i8",
     16, 16, 64, 1, I8, I8, I32, {0, 4, 4}},
    {nullptr, "v_smfmac_f32_32x32x32_fp8_fp8",
     32, 32, 32, 1, FP8, FP8, F32, {0, 8, 8}},
    {nullptr, "v_smfmac_f32_32x32x32_fp8_bf8",
     32, 32, 32, 1, FP8, BF8, F32, {0, 8, 8}},
    {nullptr, "v_smfmac_f32_32x32x32_bf8_fp8",
     32, 32, 32, 1, BF8, FP8, F32, {0, 8, 8}},
    {nullptr, "v_smfmac_f32_32x32x32_bf8_bf8",
     32, 32, 32, 1, BF8, BF8, F32, {0, 8, 8}},
    {nullptr, "v_smfmac_f32_16x16x64_fp8_fp8",
     16, 16, 64, 1, FP8, FP8, F32, {0, 4, 4}},
    {nullptr, "v_smfmac_f32_16x16x64_fp8_bf8",
     16, 16, 64, 1, FP8, BF8, F32, {0, 4, 4}},
    {nullptr, "v_smfmac_f32_16x16x64_bf8_fp8",
     16, 16, 64, 1, BF8, FP8, F32, {0, 4, 4}},
    {nullptr, "v_smfmac_f32_16x16x64_bf8_bf8",
     16, 16, 64, 1, BF8, BF8, F32, {0, 4, 4}},
    // Those of gfx950 are twice as deep.
    {nullptr, "v_smfmac_f32_32x32x32_f16",
     32, 32, 32, 1, F16, F16, F32, {0, 0, 8}},
    {nullptr, "v_smfmac_f32_16x16x64_f16",
     16, 16, 64, 1, F16, F16, F32, {0, 0, 4}},
    {nullptr, "v_smfmac_f32_32x32x32_bf16",
     32, 32, 32, 1, BF16, BF16, F32, {0, 0, 8}},
    {nullptr, "v_smfmac_f32_16x16x64_bf16",
     16, 16, 64, 1, BF16, BF16, F32, {0, 0, 4}},
    {nullptr, "v_smfmac_i32_32x32x64_i8",
     32, 32, 64, 1, I8, I8, I32, {0, 0, 8}},
    {nullptr, "v_smfmac_i32_16x16x128_i8",
     16, 16, 128, 1, I8, I8, I32, {0, 0, 4}},
    {nullptr, "v_smfmac_f32_32x32x64_fp8_fp8",
     32, 32, 64, 1, FP8, FP8, F32, {0, 0, 8}},
    {nullptr, "v_smfmac_f32_32x32x64_fp8_bf8",
     32, 32, 64, 1, FP8, BF8, F32, {0, 0, 8}},
    {nullptr, "v_smfmac_f32_32x32x64_bf8_fp8",
     32, 32, 64, 1, BF8, FP8, F32, {0, 0, 8}},
    {nullptr, "v_smfmac_f32_32x32x64_bf8_bf8",
     32, 32, 64, 1, BF8, BF8, F32, {0, 0, 8}},
    {nullptr, "v_smfmac_f32_16x16x128_fp8_fp8",
     16, 16, 128, 1, FP8, FP8, F32, {0, 0, 4}},
    {nullptr, "v_smfmac_f32_16x16x128_fp8_bf8",
     16, 16, 128, 1, FP8, BF8, F32, {0, 0, 4}},
    {nullptr, "v_smfmac_f32_16x16x128_bf8_fp8",
     16, 16, 128, 1, BF8, FP8, F32, {0, 0, 4}},
    {nullptr, "v_smfmac_f32_16x16x128_bf8_bf8",
     16, 16, 128, 1, BF8, BF8, F32, {0, 0, 4}},
};
// clang-format on

// clang-format on

/// An RDNA instruction: 16 x 16 x k, one block.
struct RdnaRow {
  const char *name;
  uint8_t k;
  MatrixType a, b, c;
  bool gfx11;
};

// clang-format off
constexpr RdnaRow kWmma[] = {
    {"v_wmma_f32_16x16x16_f16", 16, F16, F16, F32, true},
    {"v_wmma_f32_16x16x16_bf16", 16, BF16, BF16, F32, true},
    {"v_wmma_f16_16x16x16_f16", 16, F16, F16, F16, true},
    {"v_wmma_bf16_16x16x16_bf16", 16, BF16, BF16, BF16, true},
    {"v_wmma_i32_16x16x16_iu8", 16, IU8, IU8, I32, true},
    {"v_wmma_i32_16x16x16_iu4", 16, IU4, IU4, I32, true},
    {"v_wmma_i32_16x16x32_iu4", 32, IU4, IU4, I32, false},
    {"v_wmma_f32_16x16x16_fp8_fp8", 16, FP8, FP8, F32, false},
    {"v_wmma_f32_16x16x16_fp8_bf8", 16, FP8, BF8, F32, false},
    {"v_wmma_f32_16x16x16_bf8_fp8", 16, BF8, FP8, F32, false},
    {"v_wmma_f32_16x16x16_bf8_bf8", 16, BF8, BF8, F32, false},
};
// clang-format on

// clang-format off
constexpr RdnaRow kSwmmac[] = {
    {"v_swmmac_f32_16x16x32_f16", 32, F16, F16, F32, false},
    {"v_swmmac_f32_16x16x32_bf16", 32, BF16, BF16, F32, false},
    {"v_swmmac_f16_16x16x32_f16", 32, F16, F16, F16, false},
    {"v_swmmac_bf16_16x16x32_bf16", 32, BF16, BF16, BF16, false},
    {"v_swmmac_i32_16x16x32_iu8", 32, IU8, IU8, I32, false},
    {"v_swmmac_i32_16x16x32_iu4", 32, IU4, IU4, I32, false},
    {"v_swmmac_i32_16x16x64_iu4", 64, IU4, IU4, I32, false},
    {"v_swmmac_f32_16x16x32_fp8_fp8", 32, FP8, FP8, F32, false},
    {"v_swmmac_f32_16x16x32_fp8_bf8", 32, FP8, BF8, F32, false},
    {"v_swmmac_f32_16x16x32_bf8_fp8", 32, BF8, FP8, F32, false},
    {"v_swmmac_f32_16x16x32_bf8_bf8", 32, BF8, BF8, F32, false},
};
// clang-format on

using Table = std::vector<MatrixPlan>;

} // namespace

static Generation generationOf(MatrixIsa isa) {
  if (isa.major == 9 && isa.minor == 0 && isa.stepping == 10)
    return Gfx90a;
  if (isa.major == 9 && isa.minor == 4)
    return Gfx942;
  if (isa.major == 9 && isa.minor == 5)
    return Gfx950;
  // gfx11.7 and gfx12.5 changed the matrix instructions again.
  if (isa.major == 11 && isa.minor <= 5)
    return Gfx11;
  if (isa.major == 12 && isa.minor == 0)
    return Gfx12;
  return NoGeneration;
}

/// gfx942 has the 8-bit formats without signed zeros and infinities.
static MatrixType onChip(MatrixType type, Generation generation) {
  if (generation == Gfx942 && type == FP8)
    return FP8FNUZ;
  if (generation == Gfx942 && type == BF8)
    return BF8FNUZ;
  return type;
}

static void addCdna(Table &table, const CdnaRow &row, MatrixFamily family,
                    Generation generation) {
  const char *name = generation == Gfx90a ? row.gfx90a : row.gfx942;
  if (!name || !row.passes[generation])
    return;
  MatrixPlan &p = table.emplace_back();
  p.mnemonic = name;
  p.family = family;
  p.m = row.m;
  p.n = row.n;
  p.k = row.k;
  p.blocks = row.blocks;
  p.aType = onChip(row.a, generation);
  p.bType = onChip(row.b, generation);
  p.cType = row.c;
  p.scaled = p.mnemonic.starts_with("v_mfma_scale_");
  p.passes = row.passes[generation];
  p.storedK = p.isSparse() ? p.k / 2 : p.k;
  p.lanePatterns =
      family == MatrixFamily::MFMA && row.a != F64 && row.a != F8F6F4;
  // On gfx90a the manual gives blgp no meaning for f64.
  p.f64Negation = row.a == F64 && generation != Gfx90a;

  switch (row.a) {
  case F64:
    p.arithmetic = MatrixArithmetic::FmaF64;
    break;
  case F32:
    p.arithmetic = MatrixArithmetic::FmaF32;
    break;
  case I8:
    p.arithmetic = MatrixArithmetic::Integer;
    break;
  case F16:
  case BF16:
    if (generation == Gfx90a) {
      bool oneK = row.a == F16 || p.mnemonic.ends_with("_1k");
      p.arithmetic =
          oneK ? MatrixArithmetic::FlushTree4 : MatrixArithmetic::FlushTree2;
      break;
    }
    p.arithmetic = MatrixArithmetic::Fused;
    p.group = p.storedK < 8 ? 4 : 8;
    break;
  case XF32:
    p.arithmetic = MatrixArithmetic::Fused;
    p.group = 4;
    break;
  default:
    p.arithmetic = MatrixArithmetic::FusedPaired;
    p.group = 16;
    break;
  }
  // The passes tell what gfx950 added.
  layOutMatrixPlan(p, /*gfx12=*/false, /*cdna4Sparse=*/!row.passes[Gfx942]);
}

static void addRdna(Table &table, const RdnaRow &row, MatrixFamily family,
                    Generation generation, unsigned waveSize) {
  if (generation == Gfx11 && !row.gfx11)
    return;
  MatrixPlan &p = table.emplace_back();
  p.mnemonic = row.name;
  p.family = family;
  p.waveSize = waveSize;
  p.m = p.n = 16;
  p.k = row.k;
  p.aType = row.a;
  p.bType = row.b;
  p.cType = row.c;
  p.storedK = p.isSparse() ? p.k / 2 : p.k;
  p.arithmetic =
      row.c == I32 ? MatrixArithmetic::Integer : MatrixArithmetic::FmaF32;
  p.negatable = row.a == F16 || row.a == BF16;
  p.halfSelect = generation == Gfx11 && (row.c == F16 || row.c == BF16);
  layOutMatrixPlan(p, generation == Gfx12, /*cdna4Sparse=*/false);
}

static Table makeTable(Generation generation, unsigned waveSize) {
  Table table;
  if (generation <= Gfx950) {
    if (waveSize != 64)
      return table;
    for (const CdnaRow &row : kMfma)
      addCdna(table, row, MatrixFamily::MFMA, generation);
    for (const CdnaRow &row : kSmfmac)
      addCdna(table, row, MatrixFamily::SMFMAC, generation);
    return table;
  }
  for (const RdnaRow &row : kWmma)
    addRdna(table, row, MatrixFamily::WMMA, generation, waveSize);
  for (const RdnaRow &row : kSwmmac)
    addRdna(table, row, MatrixFamily::SWMMAC, generation, waveSize);
  return table;
}

const MatrixOp *aircc::sim::findMatrixOp(std::string_view mnemonic,
                                         MatrixIsa isa, unsigned waveSize) {
  static const auto tables = [] {
    std::array<std::array<Table, 2>, kGenerations> all;
    for (unsigned g = 0; g < kGenerations; ++g)
      for (unsigned wave64 = 0; wave64 < 2; ++wave64)
        all[g][wave64] =
            makeTable(static_cast<Generation>(g), wave64 ? 64 : 32);
    return all;
  }();
  Generation generation = generationOf(isa);
  if (generation == NoGeneration || (waveSize != 32 && waveSize != 64))
    return nullptr;
  for (const MatrixPlan &plan : tables[generation][waveSize == 64])
    if (plan.mnemonic == mnemonic)
      return &plan;
  return nullptr;
}

unsigned aircc::sim::matrixTypeBits(MatrixType type) {
  switch (type) {
  case F64:
    return 64;
  case F32:
  case XF32:
  case I32:
    return 32;
  case F16:
  case BF16:
    return 16;
  case FP8FNUZ:
  case BF8FNUZ:
  case FP8:
  case BF8:
  case F8F6F4:
  case I8:
  case IU8:
    return 8;
  case FP6:
  case BF6:
    return 6;
  case FP4:
  case IU4:
    return 4;
  }
  return 0;
}

static std::string checkCdna(const MatrixPlan &p, const MatrixModifiers &mods) {
  auto number = [](unsigned value) { return std::to_string(value); };
  if (mods.negLo || mods.negHi || mods.indexKey || mods.clamp)
    return "it has no neg_lo, neg_hi, index_key or clamp";
  if (!p.scaled && (mods.opSel || mods.opSelHi))
    return "it has no op_sel";
  if (p.scaled && ((mods.opSel | mods.opSelHi) & ~3u))
    return "op_sel of a scale is for A and B only";
  if (p.aType == F8F6F4) {
    if (mods.cbsz > 4 || mods.blgp > 4)
      return "cbsz " + number(mods.cbsz) + " and blgp " + number(mods.blgp) +
             " must be element formats: 0 to 4";
    if (mods.abid)
      return "it has no abid";
    return {};
  }
  if (p.family == MatrixFamily::SMFMAC) {
    if (mods.blgp)
      return "it has no blgp";
    if (mods.cbsz == 0 && mods.abid >= p.indexSets)
      return "abid " + number(mods.abid) +
             " picks a set of sparse indices; it " + "has " +
             number(p.indexSets);
    return {};
  }
  if (mods.cbsz > 4 || (1u << mods.cbsz) > p.blocks)
    return "cbsz " + number(mods.cbsz) + " broadcasts among more than its " +
           number(p.blocks) + " blocks";
  if (mods.abid >= 1u << mods.cbsz)
    return "abid " + number(mods.abid) + " is no block of the " +
           number(1u << mods.cbsz) + " that cbsz makes a set";
  if (mods.blgp > 7 || (mods.blgp && !p.lanePatterns && !p.f64Negation))
    return "blgp " + number(mods.blgp) + " has no meaning here";
  return {};
}

static std::string checkRdna(const MatrixPlan &p, const MatrixModifiers &mods) {
  if (mods.cbsz || mods.abid || mods.blgp)
    return "it has no cbsz, abid or blgp";
  if (mods.opSel & ~(p.halfSelect ? 4u : 0u))
    return "op_sel here can only pick the half of a 16-bit C and D on gfx11";
  bool integer = p.cType == I32;
  // Integers: neg_lo is the signedness of A and B. fp8: C alone can be negated.
  // Sparse forms have no C to negate.
  unsigned inputs = integer || p.negatable ? 3 : 0;
  unsigned c = integer || p.isSparse() ? 0 : 4;
  if ((mods.negLo & ~(inputs | c)) ||
      (mods.negHi & ~((integer ? 0 : inputs) | c)))
    return "neg_lo or neg_hi is for an operand that cannot be negated";
  if (mods.clamp && !integer)
    return "clamp is for integers";
  if (mods.indexKey && (!p.isSparse() || mods.indexKey >= p.indexSets))
    return "index_key " + std::to_string(mods.indexKey) +
           " is outside the sparse index";
  return {};
}

std::string aircc::sim::checkMatrixModifiers(const MatrixOp &op,
                                             const MatrixModifiers &modifiers) {
  const auto &plan = static_cast<const MatrixPlan &>(op);
  if (op.family == MatrixFamily::MFMA || op.family == MatrixFamily::SMFMAC)
    return checkCdna(plan, modifiers);
  return checkRdna(plan, modifiers);
}

MatrixRegs aircc::sim::matrixRegs(const MatrixOp &op,
                                  const MatrixModifiers &modifiers) {
  MatrixRegs regs{op.aRegs, op.bRegs, op.cRegs, op.cRegs, op.indexRegs};
  if (op.isSparse())
    regs.c = 0;
  if (op.aType == F8F6F4) {
    // 32 elements a lane, of 8 (formats 0, 1), 6 (2, 3) or 4 bits.
    constexpr unsigned kRegs[] = {8, 8, 6, 6, 4};
    regs.a = kRegs[modifiers.cbsz];
    regs.b = kRegs[modifiers.blgp];
  }
  return regs;
}
