//===- BufferTypedOps.cpp - MUBUF and MTBUF: typed elements ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Converts elements according to the format of the resource or, for MTBUF, of
// the instruction.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/LaunchState.h"
#include "simulator/exec/memory/BufferAccess.h"
#include "simulator/isa/BufferFormat.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

/// Returns the format and the selection of components (four times three bits:
/// 0, 1, and 4 to 7 for X to W).
static BufferFormat formatOf(const Wave &wave, const Op &op,
                             unsigned &selection) {
  if (op.flags & kTyped) {
    selection = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    return {static_cast<uint8_t>(op.mods->dataFormat),
            static_cast<NumberFormat>(op.mods->numberFormat)};
  }
  uint32_t w3 = wave.scalars[op.src[2].reg + 3];
  selection = w3 & 0xfff;
  if (!wave.launch->chip->hasUnifiedFormats)
    return {static_cast<uint8_t>(w3 >> 15 & 15),
            static_cast<NumberFormat>(w3 >> 12 & 7)};
  return unifiedBufferFormat(w3 >> 12 & 63);
}

/// Loads the registers of one lane, which are at most four dwords.
static void loadElement(Wave &wave, const Op &op, const BufferResource &r,
                        unsigned lane, uint32_t out[4]) {
  unsigned selection;
  const BufferFormat format = formatOf(wave, op, selection);
  uint32_t components[4] = {0, 0, 0, 0};
  uint8_t bytes[16] = {};
  unsigned size = format.bytes();
  uint64_t address = size ? placeOfElement(wave, op, r, size, false, lane) : 0;
  if (address) {
    std::memcpy(bytes, reinterpret_cast<const void *>(address), size);
    decodeElement(format, bytes, components);
  }
  const bool integer = format.number == NumberFormat::Uint ||
                       format.number == NumberFormat::Sint;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned select = selection >> 3 * i & 7;
    out[i] = !address      ? 0
             : select >= 4 ? components[select - 4]
             : select == 1 ? (integer ? 1 : 0x3f800000)
                           : 0;
    if (op.flags & (kD16 | kD16Hi))
      out[i] = narrowComponent(format, out[i]);
  }
}

static unsigned elementBytes(const Wave &wave, const Op &op) {
  unsigned selection;
  return formatOf(wave, op, selection).bytes();
}

bool aircc::sim::runBufferLoadTyped(Wave &wave, const Op &op) {
  const BufferResource r = readResource(wave, op);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeBuffer(wave, op, r, AccessKind::Read, elementBytes(wave, op));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t out[4];
    loadElement(wave, op, r, lane, out);
    uint32_t *row = wave.row(op.dst.reg) + lane;
    if (op.flags & kD16Hi) {
      *row = (*row & 0xffff) | out[0] << 16;
    } else if (op.flags & kD16) {
      // A single component leaves the high half unchanged.
      for (unsigned i = 0; i < op.width; i += 2) {
        uint32_t high = i + 1 < op.width ? out[i + 1] << 16
                        : op.width == 1u ? *row & 0xffff0000
                                         : 0;
        row[i / 2 * kRowLanes] = out[i] | high;
      }
    } else {
      for (unsigned i = 0; i < op.width; ++i)
        row[i * kRowLanes] = out[i];
    }
    if (op.flags & kTfe)
      row[(op.flags & kD16 ? (op.width + 1u) / 2 : op.width) * kRowLanes] = 0;
  }
  return false;
}

bool aircc::sim::runBufferLoadTypedLds(Wave &wave, const Op &op) {
  const BufferResource r = readResource(wave, op);
  ++wave.vmemIssued;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeBuffer(wave, op, r, AccessKind::Read, elementBytes(wave, op));
    observeDma(wave, op, wave.exec(), base, 4);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t out[4];
    loadElement(wave, op, r, lane, out);
    issueLds(wave, op, base + lane * 4, out, 4, 4, lane);
  }
  return false;
}

/// Stores ignore the resource's selection of components.
bool aircc::sim::runBufferStoreTyped(Wave &wave, const Op &op) {
  const BufferResource r = readResource(wave, op);
  ++wave.vmemIssued;
  unsigned selection;
  const BufferFormat format = formatOf(wave, op, selection);
  const unsigned size = format.bytes();
  if (!size)
    return false;
  uint8_t bytes[kRowLanes][16] = {};
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t components[4] = {0, 0, 0, 0};
    const uint32_t *row = wave.row(op.src[1].reg) + lane;
    for (unsigned i = 0; i < op.width; ++i) {
      if (op.flags & kD16Hi)
        components[i] = widenComponent(format, *row >> 16);
      else if (op.flags & kD16)
        components[i] =
            widenComponent(format, row[i / 2 * kRowLanes] >> (i & 1) * 16);
      else
        components[i] = row[i * kRowLanes];
    }
    encodeElement(format, components, bytes[lane]);
  }
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    uint32_t data[4 * kRowLanes];
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      for (unsigned k = 0; k < 4; ++k)
        std::memcpy(&data[k * kRowLanes + lane], bytes[lane] + 4 * k, 4);
    observeBuffer(wave, op, r, AccessKind::Write, size, data);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    if (uint64_t at = placeOfElement(wave, op, r, size, true, lane))
      std::memcpy(reinterpret_cast<void *>(at), bytes[lane], size);
  }
  return false;
}
