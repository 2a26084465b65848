//===- MatrixLayout.cpp - Registers of matrix elements --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The layouts of A and B. A wave holds a matrix in groups of lanes: group g has
// one lane for each row of A (column of B) of each block. The functions below
// define the position along K of the e-th element of a lane in group g, which
// differs by family. It is relevant if A and B have different orders (sparse
// forms, mixed widths) and if the order of additions affects the result.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixPlan.h"

#include <cassert>

using namespace aircc::sim;

namespace {
/// How the elements of a matrix along K are distributed over groups of lanes.
struct Order {
  enum class Kind : uint8_t {
    Chunks, ///< `chunk` consecutive elements to each group in turn.
    /// A of the 8-bit SMFMAC forms of gfx950 (hip-fpsan, measured on MI350).
    /// Each group has ranges of sixteen stored elements, of which the first and
    /// third four, and the second and fourth four, are adjacent along K.
    Interleaved,
  } kind = Kind::Chunks;
  unsigned groups = 1;
  unsigned chunk = 1;

  unsigned k(unsigned group, unsigned element) const {
    if (kind == Kind::Chunks)
      return chunk * (group + groups * (element / chunk)) + element % chunk;
    unsigned quad = element / 4;
    unsigned inner = ((quad & 1) << 1 | quad >> 1) * 4 + element % 4;
    if (groups == 2)
      return group * 16 + inner;
    return (group >> 1) * 32 + (inner >> 3) * 16 + (group & 1) * 8 + inner % 8;
  }
};
} // namespace

/// Fills a layout whose groups are `lanesApart` lanes apart.
static void fillInput(InputLayout &layout, const Order &order,
                      unsigned laneElements, unsigned lanesApart) {
  layout.laneElements = laneElements;
  for (unsigned g = 0; g < order.groups; ++g)
    for (unsigned e = 0; e < laneElements; ++e)
      layout.offset[order.k(g, e)] = e * kMatrixLanes + g * lanesApart;
}

/// Fills a layout for wave64 on gfx12: the upper half of the registers of a
/// wave32 lane are in lane + 32. Matrices that are too small for that (4-bit
/// elements, one register in wave32) are in the lower 32 lanes only.
static void fillGfx12(InputLayout &layout, const Order &order, unsigned wave32,
                      bool split) {
  if (!split) {
    fillInput(layout, order, wave32, 16);
    return;
  }
  unsigned wave64 = wave32 / 2;
  layout.laneElements = wave64;
  for (unsigned g = 0; g < order.groups; ++g)
    for (unsigned e = 0; e < wave32; ++e)
      layout.offset[order.k(g, e)] =
          (e % wave64) * kMatrixLanes + g * 16 + e / wave64 * 32;
}

static void layOutCdna(MatrixPlan &p, bool cdna4Sparse) {
  unsigned groups = kMatrixLanes / (p.m * p.blocks);
  unsigned apart = p.m * p.blocks;
  unsigned aElements = p.storedK / groups, bElements = p.k / groups;
  bool bytes = matrixTypeBits(p.aType) == 8;
  Order a{Order::Kind::Chunks, groups, aElements};
  Order b{Order::Kind::Chunks, groups, bElements};
  if (p.aType == MatrixType::F8F6F4) {
    // 8-bit elements have two ranges of sixteen along K. Narrower ones have one
    // range of 32, so that a lane holds the scale of its own elements, which is
    // how kernels for fp4 load them (Triton's, for example). hip-fpsan has the
    // same layout for a narrow operand with an 8-bit one. For two narrow
    // operands, it also has two ranges of sixteen, which give the same products
    // with other scales.
    fillInput(p.narrow, a, aElements, apart);
    a.chunk = b.chunk = 16;
  } else if (p.isSparse()) {
    // Each lane of B has ranges of eight, which correspond to four stored
    // elements of A. gfx950's new forms distribute A like their dense
    // counterparts of half the depth.
    b.chunk = 8;
    if (!cdna4Sparse)
      a.chunk = 4;
    else if (bytes)
      a.kind = Order::Kind::Interleaved;
  }
  fillInput(p.a, a, aElements, apart);
  fillInput(p.b, b, bElements, apart);

  for (unsigned block = 0; block < p.blocks; ++block) {
    for (unsigned i = 0; i < p.m; ++i) {
      // A register of each group of n lanes has four rows, or one if they are
      // f64.
      unsigned height = p.cType == MatrixType::F64 ? 1 : 4;
      unsigned perRegister = kMatrixLanes / p.n; // Groups of rows.
      unsigned blocksPerRegister = p.m * p.n / height >= kMatrixLanes
                                       ? 1
                                       : kMatrixLanes / (p.m * p.n / height);
      unsigned reg = block * (p.m * p.n / kMatrixLanes) +
                     i / (height * perRegister) * height + i % height;
      unsigned lane = block % blocksPerRegister * p.n +
                      i / height % perRegister * blocksPerRegister * p.n;
      p.cRegister[block * p.m + i] = p.cType == MatrixType::F64 ? 2 * reg : reg;
      p.cLane[block * p.m + i] = lane;
    }
  }
}

static void layOutGfx11(MatrixPlan &p) {
  // Each sixteen lanes hold all of A and B; only the first copy is read.
  Order all{Order::Kind::Chunks, 1, p.k};
  fillInput(p.a, all, p.k, 16);
  fillInput(p.b, all, p.k, 16);
  unsigned rows = p.waveSize / 16;
  for (unsigned i = 0; i < p.m; ++i) {
    p.cRegister[i] = i / rows;
    p.cLane[i] = i % rows * 16;
  }
}

static void layOutGfx12(MatrixPlan &p) {
  unsigned bits = matrixTypeBits(p.aType);
  unsigned aElements = p.storedK / 2, bElements = p.k / 2;
  Order a{Order::Kind::Chunks, 2, aElements};
  Order b{Order::Kind::Chunks, 2, bElements};
  if (p.isSparse() && bits == 16) {
    a.chunk = 4;
    b.chunk = 8;
  }
  bool wave64 = p.waveSize == 64;
  fillGfx12(p.a, a, aElements, wave64 && aElements * bits > 32);
  fillGfx12(p.b, b, bElements, wave64 && bElements * bits > 32);
  for (unsigned i = 0; i < p.m; ++i) {
    p.cRegister[i] = wave64 ? i % 4 : i % 8;
    p.cLane[i] = i / 8 * 16 + (wave64 ? i / 4 % 2 * 32 : 0);
  }
}

void aircc::sim::layOutMatrixPlan(MatrixPlan &plan, bool gfx12,
                                  bool cdna4Sparse) {
  bool cdna =
      plan.family == MatrixFamily::MFMA || plan.family == MatrixFamily::SMFMAC;
  if (cdna)
    layOutCdna(plan, cdna4Sparse);
  else if (gfx12)
    layOutGfx12(plan);
  else
    layOutGfx11(plan);
  const bool isHalf =
      plan.cType == MatrixType::F16 || plan.cType == MatrixType::BF16;
  for (unsigned r = 0; r < plan.m * plan.blocks; ++r)
    plan.rowOffset[r] =
        isHalf ? r * 16 : plan.cRegister[r] * kMatrixLanes + plan.cLane[r];
  assert(plan.a.laneElements <= kMaxLaneElements &&
         plan.b.laneElements <= kMaxLaneElements && "decoding has no room");

  auto registers = [](unsigned elements, MatrixType type) {
    return (elements * matrixTypeBits(type) + 31) / 32;
  };
  plan.aRegs = registers(plan.a.laneElements, plan.aType);
  plan.bRegs = registers(plan.b.laneElements, plan.bType);
  // Two 16-bit results share a register, unless op_sel selects the half.
  unsigned cElements = plan.m * plan.n * plan.blocks / plan.waveSize;
  plan.cRegs = plan.halfSelect ? cElements : registers(cElements, plan.cType);
  if (plan.isSparse()) {
    plan.indexRegs = 1;
    plan.indexSets = 32 / (2 * plan.a.laneElements);
  }
}
