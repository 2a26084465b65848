//===- LdsOps.cpp - DS: local data share ----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every address is checked against the workgroup's LDS. CDNA3 ISA guide, "LDS
// and GDS Instructions"; gfx11's names (ds_load_b32, ds_store_2addr_b64) beside
// gfx9's.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/Atomics.h"
#include "runtime-stubs/sim/Bind.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/MemoryAccess.h"
#include "runtime-stubs/sim/Observe.h"
#include "runtime-stubs/sim/Wave.h"
#include "runtime-stubs/sim/lanes/LaneLevel.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using llvm::StringRef;

namespace {

uint8_t *ldsAt(Wave &wave, const Op &op, uint64_t address, unsigned bytes,
               bool isWrite, int lane) {
  if (address + bytes > wave.group->lds.size())
    faultLds(wave, op, address, bytes, isWrite, lane);
  return wave.group->lds.data() + address;
}

// src[0]: address row, src[1], src[2]: data rows.

bool runRead(Wave &wave, const Op &op) {
  std::vector<uint8_t> &lds = wave.group->lds;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Read, wave.row(op.src[0].reg), op.imm,
               op.width);
  int bad = wave.level->ldsRead(
      wave.row(op.src[0].reg), static_cast<uint32_t>(op.imm), lds.size(),
      lds.data(), wave.exec(), op.width / 4, wave.row(op.dst.reg));
  if (bad >= 0)
    faultLds(wave, op,
             static_cast<uint32_t>(wave.row(op.src[0].reg)[bad] + op.imm),
             op.width, false, bad);
  return false;
}

bool runWrite(Wave &wave, const Op &op) {
  std::vector<uint8_t> &lds = wave.group->lds;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Write, wave.row(op.src[0].reg), op.imm,
               op.width, wave.row(op.src[1].reg));
  int bad = wave.level->ldsWrite(
      wave.row(op.src[0].reg), static_cast<uint32_t>(op.imm), lds.size(),
      lds.data(), wave.exec(), op.width / 4, wave.row(op.src[1].reg));
  if (bad >= 0)
    faultLds(wave, op,
             static_cast<uint32_t>(wave.row(op.src[0].reg)[bad] + op.imm),
             op.width, true, bad);
  return false;
}

bool runReadSmall(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const uint32_t *row = wave.row(op.src[0].reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Read, row, op.imm, format.bytes);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    loadLane(format,
             ldsAt(wave, op, static_cast<uint32_t>(row[lane] + op.imm),
                   format.bytes, false, lane),
             wave.row(op.dst.reg), lane);
  }
  return false;
}

bool runWriteSmall(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const uint32_t *row = wave.row(op.src[0].reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Write, row, op.imm, format.bytes,
               wave.row(op.src[1].reg), format.kind == MemoryFormat::D16Hi);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    storeLane(format,
              ldsAt(wave, op, static_cast<uint32_t>(row[lane] + op.imm),
                    format.bytes, true, lane),
              wave.row(op.src[1].reg), lane);
  }
  return false;
}

/// Two places, offsets in units of the element (64 of them for st64), which
/// `imm` and `flags` hold in bytes.
bool runRead2(Wave &wave, const Op &op) {
  std::vector<uint8_t> &lds = wave.group->lds;
  // The first result may be where the address is.
  uint32_t *address = wave.temp[0];
  std::memcpy(address, wave.row(op.src[0].reg), kRowLanes * 4);
  unsigned dwords = op.width / 4;
  const uint32_t offsets[2] = {static_cast<uint32_t>(op.imm), op.flags};
  if (__builtin_expect(wave.observers != nullptr, 0))
    for (unsigned k = 0; k < 2; ++k)
      observeLds(wave, op, AccessKind::Read, address, offsets[k], op.width,
                 nullptr, false, k * dwords);
  for (unsigned k = 0; k < 2; ++k) {
    int bad = wave.level->ldsRead(address, offsets[k], lds.size(), lds.data(),
                                  wave.exec(), dwords,
                                  wave.row(op.dst.reg + k * dwords));
    if (bad >= 0)
      faultLds(wave, op, address[bad] + offsets[k], op.width, false, bad);
  }
  return false;
}

bool runWrite2(Wave &wave, const Op &op) {
  std::vector<uint8_t> &lds = wave.group->lds;
  const uint32_t *address = wave.row(op.src[0].reg);
  const uint32_t offsets[2] = {static_cast<uint32_t>(op.imm), op.flags};
  if (__builtin_expect(wave.observers != nullptr, 0))
    for (unsigned k = 0; k < 2; ++k)
      observeLds(wave, op, AccessKind::Write, address, offsets[k], op.width,
                 wave.row(op.src[1 + k].reg), false, k * op.width / 4);
  for (unsigned k = 0; k < 2; ++k) {
    int bad = wave.level->ldsWrite(address, offsets[k], lds.size(), lds.data(),
                                   wave.exec(), op.width / 4,
                                   wave.row(op.src[1 + k].reg));
    if (bad >= 0)
      faultLds(wave, op, address[bad] + offsets[k], op.width, true, bad);
  }
  return false;
}

enum LdsAtomicFlags : uint32_t { kReturns = 1, kSwappedOperands = 2 };

uint64_t rowValue(const uint32_t *row, unsigned lane, unsigned bytes) {
  uint64_t value = row[lane];
  if (bytes == 8)
    value |= static_cast<uint64_t>(row[lane + kRowLanes]) << 32;
  return value;
}

/// In lane order. Waves of a workgroup run on one thread, so that LDS needs no
/// host atomics.
bool runAtomic(Wave &wave, const Op &op) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Atomic, wave.row(op.src[0].reg), op.imm,
               atomic.bytes, wave.row(op.src[1].reg));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t *at = ldsAt(
        wave, op, static_cast<uint32_t>(wave.row(op.src[0].reg)[lane] + op.imm),
        atomic.bytes, true, lane);
    uint64_t data = rowValue(wave.row(op.src[1].reg), lane, atomic.bytes);
    uint64_t compare = 0;
    if (op.srcCount > 2) {
      // gfx9's cmpst and mskor: first the value compared with (the mask), then
      // the new one; gfx11's cmpstore the other way round.
      compare = data;
      data = rowValue(wave.row(op.src[2].reg), lane, atomic.bytes);
      if (op.flags & kSwappedOperands)
        std::swap(data, compare);
    }
    uint64_t old = 0;
    std::memcpy(&old, at, atomic.bytes);
    uint64_t next = applyAtomic(atomic, old, data, compare);
    std::memcpy(at, &next, atomic.bytes);
    if (op.flags & kReturns) {
      wave.row(op.dst.reg)[lane] = static_cast<uint32_t>(old);
      if (atomic.bytes == 8)
        wave.row(op.dst.reg + 1)[lane] = static_cast<uint32_t>(old >> 32);
    }
  }
  return false;
}

/// DS_WRXCHG2: two exchanges, offsets as in runRead2.
bool runExchange2(Wave &wave, const Op &op) {
  const unsigned bytes = op.width;
  const uint32_t offsets[2] = {static_cast<uint32_t>(op.imm), op.flags};
  uint32_t address[kRowLanes];
  std::memcpy(address, wave.row(op.src[0].reg), sizeof(address));
  if (__builtin_expect(wave.observers != nullptr, 0))
    for (unsigned k = 0; k < 2; ++k)
      observeLds(wave, op, AccessKind::Atomic, address, offsets[k], bytes,
                 wave.row(op.src[1 + k].reg), false, k * bytes / 4);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t old[16];
    uint64_t data[2];
    for (unsigned k = 0; k < 2; ++k)
      data[k] = rowValue(wave.row(op.src[1 + k].reg), lane, bytes);
    for (unsigned k = 0; k < 2; ++k) {
      uint8_t *at =
          ldsAt(wave, op, static_cast<uint32_t>(address[lane] + offsets[k]),
                bytes, true, lane);
      std::memcpy(old + k * bytes, at, bytes);
      std::memcpy(at, &data[k], bytes);
    }
    for (unsigned k = 0; k < bytes / 2; ++k)
      std::memcpy(&wave.row(op.dst.reg + k)[lane], old + 4 * k, 4);
  }
  return false;
}

/// DS_APPEND, DS_CONSUME: the number of active lanes is added to (taken from)
/// the dword at M0 + offset, once; all lanes get its old value.
bool runAppend(Wave &wave, const Op &op) {
  const uint64_t exec = wave.exec();
  if (!exec)
    return false;
  uint64_t address = uint64_t(wave.scalars[kM0] & 0xffff) + op.imm;
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    // Once for the wave; the first row of temp stands for the count.
    wave.temp[0][0] = static_cast<uint32_t>(llvm::popcount(exec));
    observeAccess(wave, op, MemorySpace::Lds, AccessKind::Atomic, 1, &address,
                  4, wave.temp[0]);
  }
  uint8_t *at = ldsAt(wave, op, address, 4, true, -1);
  uint32_t old, count = static_cast<uint32_t>(llvm::popcount(exec));
  std::memcpy(&old, at, 4);
  uint32_t next = op.flags ? old - count : old + count;
  std::memcpy(at, &next, 4);
  for (uint64_t rest = exec; rest; rest &= rest - 1)
    wave.row(op.dst.reg)[llvm::countr_zero(rest)] = old;
  return false;
}

/// LDS_DIRECT_LOAD: one value for all lanes, from M0's address (15:0); 18:16
/// say what it is: byte, short, dword, or signed byte (4) or short (5).
bool runDirectLoad(Wave &wave, const Op &op) {
  const uint32_t m0 = wave.scalars[kM0];
  const unsigned type = m0 >> 16 & 7;
  const unsigned bytes = type == 2 ? 4 : type & 1 ? 2 : 1;
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    uint64_t address = m0 & 0xffff;
    observeAccess(wave, op, MemorySpace::Lds, AccessKind::Read, 1, &address,
                  bytes);
  }
  uint8_t *at = ldsAt(wave, op, m0 & 0xffff, bytes, false, -1);
  uint32_t value = 0;
  std::memcpy(&value, at, bytes);
  if (type == 4)
    value = static_cast<uint32_t>(static_cast<int8_t>(value));
  else if (type == 5)
    value = static_cast<uint32_t>(static_cast<int16_t>(value));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1)
    wave.row(op.dst.reg)[llvm::countr_zero(rest)] = value;
  return false;
}

/// Where a lane reads in ds_swizzle_b32: always within its 32 lanes.
unsigned swizzleSource(unsigned offset, unsigned lane) {
  const unsigned in = lane & 31, upper = lane & 32, mask = offset & 31;
  if (offset >= 0xe000) {
    // Steps of an FFT: the bits above the mask, in reverse order.
    unsigned reversed = 0;
    for (unsigned b = 0; b < 5; ++b)
      reversed |= (in >> b & 1) << (4 - b);
    return upper | reversed >> llvm::popcount(mask) | (in & mask);
  }
  if (offset >= 0xc000) {
    // Rotation: direction in bit 10, distance in 9:5, the lanes that stay in
    // 4:0.
    unsigned distance = offset >> 5 & 31;
    unsigned to = offset & 0x400 ? in - distance : in + distance;
    return upper | (in & mask) | (to & ~mask & 31);
  }
  if (offset >= 0x8000) // a permutation of quads
    return (lane & ~3u) | (offset >> (2 * (lane & 3)) & 3);
  // and, or, xor masks.
  return upper | (((in & mask) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

/// Lanes that EXEC has off give zero.
bool runSwizzle(Wave &wave, const Op &op) {
  const uint32_t *src = wave.row(op.src[0].reg);
  uint64_t exec = wave.exec();
  uint32_t *out = wave.temp[3];
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned from = swizzleSource(static_cast<unsigned>(op.imm), lane);
    out[lane] = exec >> from & 1 ? src[from] : 0;
  }
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    wave.row(op.dst.reg)[lane] = out[lane];
  }
  return false;
}

/// ds_bpermute_b32: each lane reads from the lane its address names;
/// ds_permute: each lane sends, the highest sender wins, who gets nothing gets
/// zero.
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
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    wave.row(op.dst.reg)[lane] = out[lane];
  }
  return false;
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
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    wave.row(op.dst.reg)[lane] = out[lane];
  }
  return false;
}

/// ds_read_addtid_b32, ds_write_addtid_b32: LDS address is M0 + offset + 4 *
/// lane.
bool runAddTid(Wave &wave, const Op &op) {
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    uint64_t addresses[kRowLanes];
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      addresses[lane] =
          uint64_t(wave.scalars[kM0] & 0xffff) + op.imm + 4 * lane;
    observeAccess(wave, op, MemorySpace::Lds,
                  op.flags ? AccessKind::Write : AccessKind::Read, wave.exec(),
                  addresses, 4, op.flags ? wave.row(op.src[0].reg) : nullptr);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = uint64_t(wave.scalars[kM0] & 0xffff) + op.imm + 4 * lane;
    uint8_t *at = ldsAt(wave, op, address, 4, op.flags, lane);
    if (op.flags)
      std::memcpy(at, &wave.row(op.src[0].reg)[lane], 4);
    else
      std::memcpy(&wave.row(op.dst.reg)[lane], at, 4);
  }
  return false;
}

/// gfx950's transposing reads. Within 16 lanes, a lane's 64 (96 for b6) bits
/// are a row of elements; the result transposes the 16 rows: with N elements a
/// row, lane L gets element L % N of the rows of lanes (L / N) * N … + N - 1
/// for every one of its own N places.
bool runTransposed(Wave &wave, const Op &op) {
  const uint32_t *address = wave.row(op.src[0].reg);
  const unsigned bits = op.width, bytes = op.flags, count = bytes * 8 / bits;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Read, address, op.imm, bytes);
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
      // Element `i` of this lane: column within % count of row-lane i of the
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

bool vectorRow(const AsmInst &inst, size_t i, Operand &to) {
  if (i >= inst.operands.size() ||
      inst.operands[i].kind != AsmOperand::Kind::Vector)
    return false;
  to.kind = Operand::Kind::Vector;
  to.reg = inst.operands[i].reg;
  return true;
}

} // namespace

bool aircc::sim::bindLds(BindContext &context, StringRef name,
                         const AsmInst &inst, Op &op) {
  if (name == "lds_direct_load" || name == "ds_direct_load") {
    op.handler = runDirectLoad;
    return vectorRow(inst, 0, op.dst)
               ? true
               : context.refuse("its destination is not understood");
  }
  if (!name.consume_front("ds_"))
    return false;
  if (inst.mods.gds)
    return context.refuse("global data share is not simulated");
  op.imm = inst.mods.offset;
  auto rows = [&](size_t first, unsigned sources) {
    for (unsigned i = 0; i < sources; ++i)
      if (!vectorRow(inst, first + i, op.src[i]))
        return context.refuse("its operands are not understood");
    op.srcCount = sources;
    return true;
  };
  auto dest = [&] {
    return vectorRow(inst, 0, op.dst)
               ? true
               : context.refuse("its destination is not understood");
  };

  if (name == "swizzle_b32") {
    op.imm = inst.words[0] & 0xffff;
    op.handler = runSwizzle;
    return dest() && rows(1, 1);
  }
  if (name == "bpermute_b32" || name == "permute_b32" ||
      name == "bpermute_fi_b32") {
    op.handler = name == "permute_b32" ? runForwardPermute : runBackwardPermute;
    // Across the whole of a wave64, but on gfx10 and gfx11.
    op.flags = context.chip.isGfx10Plus() && !context.chip.isGfx12Plus();
    op.width = name == "bpermute_fi_b32";
    return dest() && rows(1, 2);
  }
  if (name == "read_addtid_b32" || name == "load_addtid_b32") {
    op.handler = runAddTid;
    return dest();
  }
  if (name == "write_addtid_b32" || name == "store_addtid_b32") {
    op.handler = runAddTid;
    op.flags = 1;
    return rows(0, 1);
  }
  if (name == "append" || name == "consume") {
    op.handler = runAppend;
    op.flags = name == "consume";
    return dest();
  }
  if (StringRef exchange = name; exchange.consume_front("wrxchg2") ||
                                 exchange.consume_front("storexchg_2addr")) {
    unsigned unit =
        exchange.consume_front("st64") || exchange.consume_front("_stride64")
            ? 64
            : 1;
    op.width = exchange.ends_with("b64") ? 8 : 4;
    op.imm = inst.mods.offset0 * unit * op.width;
    op.flags = static_cast<uint32_t>(inst.mods.offset1 * unit * op.width);
    op.handler = runExchange2;
    return dest() && rows(1, 3);
  }
  if (name.starts_with("read_b64_tr_b") || name.starts_with("read_b96_tr_b")) {
    op.flags = name.starts_with("read_b96") ? 12 : 8;
    StringRef bits = name.substr(13);
    unsigned width = 0;
    if (bits.getAsInteger(10, width))
      return context.refuse("its width is not known");
    op.width = width;
    op.handler = runTransposed;
    return dest() && rows(1, 1);
  }

  // Reads and writes, one or two places.
  StringRef rest = name;
  bool read = rest.consume_front("read") || rest.consume_front("load");
  bool write =
      !read &&
      (rest.consume_front("write") ||
       (!name.starts_with("storexchg") && rest.consume_front("store")));
  if (read || write) {
    unsigned places = 1, unit = 1;
    if (rest.consume_front("2st64_") ||
        rest.consume_front("_2addr_stride64_")) {
      places = 2;
      unit = 64;
    } else if (rest.consume_front("2_") || rest.consume_front("_2addr_")) {
      places = 2;
    } else if (!rest.consume_front("_")) {
      return context.refuse("its form is not known");
    }
    const MemoryFormat *format = findMemoryFormat(rest);
    if (!format)
      return context.refuse("its width is not known");
    op.table = format;
    op.width = format->bytes;
    if (places == 2) {
      op.imm = inst.mods.offset0 * unit * format->bytes;
      op.flags =
          static_cast<uint32_t>(inst.mods.offset1 * unit * format->bytes);
    }
    bool small = format->kind != MemoryFormat::Dwords;
    if (read) {
      op.handler = places == 2 ? runRead2 : small ? runReadSmall : runRead;
      return dest() && rows(1, 1);
    }
    op.handler = places == 2 ? runWrite2 : small ? runWriteSmall : runWrite;
    return rows(0, places + 1);
  }

  // Atomics: "add_rtn_u32" is "add_u32" that returns.
  std::string plain = name.str();
  size_t at = plain.find("_rtn");
  if (at != std::string::npos) {
    plain.erase(at, 4);
    op.flags |= kReturns;
  }
  const AtomicOp *atomic = findAtomic(plain);
  if (!atomic)
    return false;
  op.table = atomic;
  op.handler = runAtomic;
  if (StringRef(plain).starts_with("cmpstore") ||
      atomic->kind == AtomicKind::Wrap)
    op.flags |= kSwappedOperands;
  unsigned sources = takesCompare(atomic->kind) ? 3 : 2;
  if (op.flags & kReturns)
    return dest() && rows(1, sources);
  return rows(0, sources);
}
