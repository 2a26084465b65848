//===- MatrixTable.cpp - Which matrix instructions an ISA has -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// isa/tables/Matrix.def lists names, shapes and types as AMD's manuals do.
// Everything else (registers, layouts, arithmetic) is derived from these.
// Passes are those of LLVM's scheduling models and AMD's matrix instruction
// calculator, four cycles each.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixPlan.h"

#include <array>
#include <cassert>
#include <iterator>
#include <optional>
#include <vector>

using namespace aircc::sim;
using enum MatrixType;
using namespace aircc::sim::generations;

namespace {

/// A line of isa/tables/Matrix.def.
struct Row {
  MatrixFamily family;
  /// The names on gfx90a, and on gfx942 and later. Those of RDNA are the same.
  const char *gfx90a, *gfx942;
  uint8_t m, n, k, blocks;
  MatrixType a, b, c;
  Generations generations;
  uint8_t passes[3]; ///< By generation of CDNA, or 0 if it does not have the
                     ///< instruction.
  bool scaled = false;

  bool isCdna() const {
    return family == MatrixFamily::MFMA || family == MatrixFamily::SMFMAC;
  }
};

constexpr Generations cdnaOf(unsigned gfx90a, unsigned gfx940,
                             unsigned gfx950) {
  return static_cast<Generations>(
      (gfx90a ? Gfx90a : 0) | (gfx940 ? Gfx940 : 0) | (gfx950 ? Gfx950 : 0));
}

#define CDNA_ROW(FAMILY, GFX90A, GFX940, M, N, K, BLOCKS, A, B, C, P90A, P940, \
                 P950, ...)                                                    \
  {MatrixFamily::FAMILY,                                                       \
   GFX90A,                                                                     \
   GFX940,                                                                     \
   M,                                                                          \
   N,                                                                          \
   K,                                                                          \
   BLOCKS,                                                                     \
   A,                                                                          \
   B,                                                                          \
   C,                                                                          \
   cdnaOf(P90A, P940, P950),                                                   \
   {P90A, P940, P950},                                                         \
   __VA_ARGS__},
#define RDNA_ROW(FAMILY, NAME, GENERATIONS, K, A, B, C)                        \
  {MatrixFamily::FAMILY, NAME, NAME, 16, 16, K, 1, A, B, C, GENERATIONS, {}},
#define MFMA(...) CDNA_ROW(MFMA, __VA_ARGS__, false)
#define MFMA_SCALED(...) CDNA_ROW(MFMA, __VA_ARGS__, true)
#define SMFMAC(...) CDNA_ROW(SMFMAC, __VA_ARGS__, false)
#define WMMA(...) RDNA_ROW(WMMA, __VA_ARGS__)
#define SWMMAC(...) RDNA_ROW(SWMMAC, __VA_ARGS__)
constexpr Row kRows[] = {
#include "simulator/isa/tables/Matrix.def"
};
#undef MFMA
#undef MFMA_SCALED
#undef SMFMAC
#undef WMMA
#undef SWMMAC

/// The plans, by line of the table.
using Table = std::vector<std::optional<MatrixPlan>>;

} // namespace

/// gfx942 has the 8-bit formats without signed zeros and infinities.
static MatrixType onChip(MatrixType type, Generation generation) {
  if (generation == Generation::Gfx940 && type == FP8)
    return FP8FNUZ;
  if (generation == Generation::Gfx940 && type == BF8)
    return BF8FNUZ;
  return type;
}

static MatrixPlan makeCdna(const Row &row, Generation generation) {
  const unsigned passes = row.passes[static_cast<unsigned>(generation)];
  MatrixPlan p;
  p.mnemonic = generation == Generation::Gfx90a ? row.gfx90a : row.gfx942;
  p.family = row.family;
  p.m = row.m;
  p.n = row.n;
  p.k = row.k;
  p.blocks = row.blocks;
  p.aType = onChip(row.a, generation);
  p.bType = onChip(row.b, generation);
  p.cType = row.c;
  p.scaled = row.scaled;
  p.passes = static_cast<uint16_t>(passes);
  p.storedK = p.isSparse() ? p.k / 2 : p.k;
  p.lanePatterns =
      row.family == MatrixFamily::MFMA && row.a != F64 && row.a != F8F6F4;
  // On gfx90a, the manual defines no meaning of blgp for f64.
  p.f64Negation = row.a == F64 && generation != Generation::Gfx90a;

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
    if (generation == Generation::Gfx90a) {
      // Later chips lack the bf16 instructions with factors of one register.
      bool oneK = row.a == F16 || *row.gfx942;
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
  layOutMatrixPlan(p, /*gfx12=*/false,
                   /*cdna4Sparse=*/!(row.generations & Gfx940));
  return p;
}

static MatrixPlan makeRdna(const Row &row, Generation generation,
                           unsigned waveSize) {
  MatrixPlan p;
  p.mnemonic = row.gfx942;
  p.family = row.family;
  p.waveSize = waveSize;
  p.m = row.m;
  p.n = row.n;
  p.k = row.k;
  p.aType = row.a;
  p.bType = row.b;
  p.cType = row.c;
  p.storedK = p.isSparse() ? p.k / 2 : p.k;
  p.arithmetic =
      row.c == I32 ? MatrixArithmetic::Integer : MatrixArithmetic::FmaF32;
  p.negatable = row.a == F16 || row.a == BF16;
  p.halfSelect =
      generation != Generation::Gfx12 && (row.c == F16 || row.c == BF16);
  layOutMatrixPlan(p, generation == Generation::Gfx12, /*cdna4Sparse=*/false);
  return p;
}

static Table makeTable(Generation generation, unsigned waveSize) {
  Table table;
  for (const Row &row : kRows) {
    std::optional<MatrixPlan> &plan = table.emplace_back();
    if (!(row.generations & setOf(generation)))
      continue;
    if (!row.isCdna())
      plan = makeRdna(row, generation, waveSize);
    else if (waveSize == 64)
      plan = makeCdna(row, generation);
  }
  return table;
}

unsigned aircc::sim::matrixOpCount() { return std::size(kRows); }

const MatrixOp *aircc::sim::findMatrixOp(unsigned index, Generation generation,
                                         unsigned waveSize) {
  static const auto tables = [] {
    std::array<std::array<Table, 2>, kGenerations> all;
    for (unsigned g = 0; g < kGenerations; ++g)
      for (unsigned wave64 = 0; wave64 < 2; ++wave64)
        all[g][wave64] =
            makeTable(static_cast<Generation>(g), wave64 ? 64 : 32);
    return all;
  }();
  assert(index < std::size(kRows) && (waveSize == 32 || waveSize == 64));
  const std::optional<MatrixPlan> &plan =
      tables[static_cast<unsigned>(generation)][waveSize == 64][index];
  return plan ? &*plan : nullptr;
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
    return "abid " + number(mods.abid) + " is not a block of the " +
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
  // For integers, neg_lo is the signedness of A and B. For fp8, only C can be
  // negated. Sparse forms have no C to negate.
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
    // 32 elements per lane, of 8 (formats 0, 1), 6 (2, 3) or 4 bits.
    constexpr unsigned kRegs[] = {8, 8, 6, 6, 4};
    regs.a = kRegs[modifiers.cbsz];
    regs.b = kRegs[modifiers.blgp];
  }
  return regs;
}
