//===- LdsLaneOps.cpp - DS: exchanges between lanes -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Instructions of the DS family that exchange data between lanes: those that
// move registers without accessing LDS, and the transposing reads.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/MemoryAccess.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

namespace {

/// Returns the lane that ds_swizzle_b32 reads for a lane, which is always
/// within its 32 lanes.
unsigned swizzleSource(unsigned offset, unsigned lane) {
  const unsigned in = lane & 31, upper = lane & 32, mask = offset & 31;
  if (offset >= 0xe000) {
    // For the steps of an FFT, take the bits above the mask in reverse order.
    unsigned reversed = 0;
    for (unsigned b = 0; b < 5; ++b)
      reversed |= (in >> b & 1) << (4 - b);
    return upper | reversed >> llvm::popcount(mask) | (in & mask);
  }
  if (offset >= 0xc000) {
    // A rotation has the direction in bit 10, the distance in 9:5, and a mask
    // of unchanged lane bits in 4:0.
    unsigned distance = offset >> 5 & 31;
    unsigned to = offset & 0x400 ? in - distance : in + distance;
    return upper | (in & mask) | (to & ~mask & 31);
  }
  if (offset >= 0x8000) // A permutation of quads.
    return (lane & ~3u) | (offset >> (2 * (lane & 3)) & 3);
  // These are the and, or and xor masks.
  return upper | (((in & mask) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

/// Writes `out` to the active lanes of the destination.
bool putActive(Wave &wave, const Op &op, const uint32_t *out) {
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    wave.row(op.dst.reg)[lane] = out[lane];
  }
  return false;
}

/// Inactive lanes produce zero.
bool runSwizzle(Wave &wave, const Op &op) {
  const uint32_t *src = wave.row(op.src[0].reg);
  uint64_t exec = wave.exec();
  uint32_t *out = wave.temp[3];
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned from = swizzleSource(static_cast<unsigned>(op.imm), lane);
    out[lane] = exec >> from & 1 ? src[from] : 0;
  }
  return putActive(wave, op, out);
}

/// Executes ds_bpermute_b32, where each lane reads from the lane its address
/// names. In ds_permute, each lane sends; the highest sender wins, and lanes
/// without a sender get zero.
bool runBackwardPermute(Wave &wave, const Op &op) {
  const uint32_t *address = wave.row(op.src[0].reg);
  const uint32_t *src = wave.row(op.src[1].reg);
  uint64_t exec = wave.exec();
  uint32_t *out = wave.temp[3];
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned from = (address[lane] + static_cast<uint32_t>(op.imm)) / 4;
    from = op.flags ? (from & 31) | (lane & 32) : from & (wave.lanes - 1);
    out[lane] = exec >> from & 1 || (op.width & 1) ? src[from] : 0;
  }
  return putActive(wave, op, out);
}
bool runForwardPermute(Wave &wave, const Op &op) {
  const uint32_t *address = wave.row(op.src[0].reg);
  const uint32_t *src = wave.row(op.src[1].reg);
  uint32_t *out = wave.temp[3];
  std::memset(out, 0, kRowLanes * 4);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    unsigned to = (address[lane] + static_cast<uint32_t>(op.imm)) / 4;
    to = op.flags ? (to & 31) | (lane & 32) : to & (wave.lanes - 1);
    out[to] = src[lane];
  }
  return putActive(wave, op, out);
}

/// Executes gfx950's transposing reads. In each group of 16 lanes, the 64 (96
/// for b6) bits of a lane are a row of N elements. The result transposes blocks
/// of N rows: the N elements of lane L are element L % N of the N rows that
/// begin with that of lane (L / N) * N.
bool runTransposed(Wave &wave, const Op &op) {
  const uint32_t *address = wave.row(op.src[0].reg);
  const unsigned bits = op.width, bytes = op.flags, count = bytes * 8 / bits;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Read, address, op.imm, {bytes});
  uint8_t in[kRowLanes][12];
  std::memset(in, 0, sizeof(in));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    std::memcpy(
        in[lane],
        ldsAt(wave, op, uint64_t(address[lane]) + op.imm, bytes, false, lane),
        bytes);
  }
  auto element = [&](unsigned lane, unsigned index) {
    uint32_t value = 0;
    for (unsigned b = 0; b < bits; ++b) {
      unsigned at = index * bits + b;
      value |= static_cast<uint32_t>(in[lane][at / 8] >> (at % 8) & 1) << b;
    }
    return value;
  };
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t out[3] = {0, 0, 0};
    unsigned block = lane & ~15u, within = lane & 15;
    for (unsigned i = 0; i < count; ++i) {
      // Element `i` of this lane is column within % count of row-lane i in the
      // group that holds this lane's column block.
      unsigned flat = i * 16 + within;
      uint32_t value = element(block + flat / count, flat % count);
      for (unsigned b = 0; b < bits; ++b) {
        unsigned at = i * bits + b;
        out[at / 32] |= (value >> b & 1) << (at % 32);
      }
    }
    for (unsigned k = 0; k < bytes / 4; ++k)
      wave.row(op.dst.reg + k)[lane] = out[k];
  }
  return false;
}

constexpr Handler kHandlers[] = {
#define LDS_LANES(NAMES, ENCODING, GENERATIONS, TRANSFER, OPERANDS, ...)       \
  __VA_ARGS__,
#define LDS_TRANSPOSED(NAMES, ENCODING, GENERATIONS, BYTES, BITS) runTransposed,
#include "simulator/isa/tables/LdsLanes.def"
};

} // namespace

bool aircc::sim::bindLdsLanes(BindContext &context,
                              const InstructionRecord &record,
                              const DecodedInstruction &inst, Op &op) {
  op.handler = kHandlers[record.index];
  op.imm = inst.mods.offset;
  unsigned sources = 2;
  if (record.has(trait::Transposes)) {
    op.flags = record.format.bytes;
    op.width = record.format.elementBits;
    sources = 1;
  } else if (record.transfer == TransferKind::Swizzle) {
    op.imm = inst.words[0] & 0xffff;
    sources = 1;
  } else {
    // This is across a whole wave64 or within its halves.
    op.flags = context.chip.permutesHalves;
    op.width = record.transfer == TransferKind::GatherAll;
  }
  OperandReader next(inst);
  bool good = next.vector(op.dst);
  for (; good && op.srcCount < sources; ++op.srcCount)
    good = next.vector(op.src[op.srcCount]);
  return context.understood(good);
}
