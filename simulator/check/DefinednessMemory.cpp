//===- DefinednessMemory.cpp - Undefined values and memory ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Definedness.h"

#include "simulator/check/UndefinedBits.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/MemoryAccess.h"
#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

/// Handles ds_swizzle, ds_permute and ds_bpermute.
void Definedness::permute(Wave &wave, WaveShadow &s, const Op &op) {
  const TransferKind kind = op.record->transfer;
  const uint64_t exec = wave.exec();
  if (kind == TransferKind::Swizzle) {
    if (!s.lanes[op.src[0].reg] && !s.lanes[op.dst.reg])
      return;
    return moveUndefined(wave, s, op, op.src[0].reg, op.dst.reg);
  }
  const unsigned address = op.src[0].reg, data = op.src[1].reg;
  const bool forward = kind == TransferKind::Scatter;
  const uint32_t *at = wave.row(address);
  uint32_t out[kRowLanes] = {};
  if (s.lanes[address] & exec) {
    report(wave, op, s.lanes[address] & exec,
           "the lane to exchange data with depends on it", s.originOf(address));
    s.define(address, exec);
  }
  const Origin origin = s.originOf(data);
  if (s.lanes[data])
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      unsigned other = (at[lane] + static_cast<uint32_t>(op.imm)) / 4;
      other = op.flags ? (other & 31) | (lane & 32) : other & (wave.lanes - 1);
      const unsigned from = forward ? lane : other, to = forward ? other : lane;
      if (exec >> from & 1 || kind == TransferKind::GatherAll)
        out[to] = s.row(data)[from];
    }
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    s.setBits(op.dst.reg, lane, out[lane]);
  }
  if (s.lanes[op.dst.reg])
    s.rowOrigin[op.dst.reg] = origin;
}

/// Returns the bits of a register that a load of `format` writes.
static uint32_t writtenBits(const MemoryFormat &format) {
  switch (format.kind) {
  case MemoryFormat::D16:
  case MemoryFormat::D16Sext:
    return 0xffff;
  case MemoryFormat::D16Hi:
  case MemoryFormat::D16HiSext:
    return 0xffff0000;
  default:
    return ~0u;
  }
}

static bool hasFormat(const OpInfo &info) {
  return info.access != AccessKind::Atomic &&
         info.opClass != OpClass::ScalarMemory;
}

/// Returns the undefined bits of a register after a load of `format`. `u` are
/// those of the memory, and `old` those of the register before the load.
static uint32_t loadedBits(const MemoryFormat &format, uint32_t u,
                           uint32_t old) {
  if (format.kind == MemoryFormat::Dwords)
    return u;
  const uint32_t written = writtenBits(format);
  const bool sext = format.kind == MemoryFormat::Sext ||
                    format.kind == MemoryFormat::D16Sext ||
                    format.kind == MemoryFormat::D16HiSext;
  if (sext && u)
    u = static_cast<uint32_t>(upwards(u));
  if (written == 0xffff0000)
    u <<= 16;
  return (old & ~written) | (u & written);
}

/// Returns whether `op` is a compare-and-swap in LDS. access() handles these.
static bool comparesLds(const Op &op) {
  return op.info->opClass == OpClass::Lds &&
         op.info->access == AccessKind::Atomic &&
         static_cast<const AtomicOp *>(op.table)->kind == AtomicKind::CmpSwap;
}

/// Compilers implement atomics on a byte or half of a dword as compare-and-swap
/// loops on the whole dword, which write back its other, possibly undefined
/// bits unchanged. This is not a use of these bits, and a successful comparison
/// defines them.
void Definedness::compareAndSwap(Wave &wave, WaveShadow &s, LdsShadow &lds,
                                 const Op &op, const MemoryAccess &access) {
  const bool newFirst = op.record->has(trait::NewFirst);
  const unsigned compare = op.src[newFirst ? 2 : 1].reg;
  const unsigned next = op.src[newFirst ? 1 : 2].reg;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t at = access.addresses[lane];
    if (at + access.bytes > wave.group->lds.size())
      return; // The executor faults.
    bool swaps = true;
    for (unsigned k = 0; k < access.bytes / 4; ++k) {
      uint32_t there;
      std::memcpy(&there, &wave.group->lds[at + 4 * k], 4);
      swaps &= there == wave.row(compare + k)[lane];
    }
    for (unsigned k = 0; k < access.bytes / 4; ++k) {
      uint32_t before, there;
      std::memcpy(&before, &lds.bits[at + 4 * k], 4);
      std::memcpy(&there, &wave.group->lds[at + 4 * k], 4);
      for (unsigned row : {compare + k, next + k})
        if (s.row(row)[lane] & ~before)
          report(wave, op, uint64_t(1) << lane, "an atomic operation uses it",
                 s.originOf(row));
      // Unchanged bits keep their state, because other lanes may have read them
      // before.
      const uint32_t changed = there ^ wave.row(next + k)[lane];
      if (swaps)
        lds.set(at + 4 * k, 4, before & (s.row(next + k)[lane] | ~changed));
      s.setBits(compare + k, lane, 0);
      s.setBits(next + k, lane, 0);
    }
  }
}

/// Addresses and the data of atomics must be defined. Set the result of a load
/// to defined; access() corrects it for LDS and scratch.
void Definedness::memory(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  const uint64_t exec = wave.exec();
  if (!exec && info.opClass != OpClass::ScalarMemory)
    return;
  for (const RegRange &range : info.reads) {
    const bool data = range.role == RegRange::Data;
    if (data && (info.access != AccessKind::Atomic || comparesLds(op)))
      continue;
    const char *what =
        data ? "an atomic operation uses it" : "an address depends on it";
    for (unsigned k = 0; k < range.count; ++k) {
      const unsigned reg = range.first + k;
      if (range.vector && s.lanes[reg] & exec) {
        report(wave, op, s.lanes[reg] & exec, what, s.originOf(reg));
        s.define(reg, exec);
      } else if (!range.vector && s.scalars[reg]) {
        report(wave, op, exec, what, s.scalarOrigin[reg]);
        s.scalars[reg] = 0;
      }
    }
  }
  for (const RegRange &range : info.writes) {
    if (!range.vector) {
      for (unsigned k = 0; k < range.count; ++k)
        s.scalars[range.first + k] = 0;
      continue;
    }
    uint32_t written = ~0u;
    if (hasFormat(info) && op.table)
      written = writtenBits(*static_cast<const MemoryFormat *>(op.table));
    for (unsigned k = 0; k < range.count; ++k) {
      const unsigned reg = range.first + k;
      if (written == ~0u) {
        s.define(reg, exec);
        continue;
      }
      for (uint64_t rest = exec & s.lanes[reg]; rest; rest &= rest - 1) {
        unsigned lane = llvm::countr_zero(rest);
        s.setBits(reg, lane, s.row(reg)[lane] & ~written);
      }
    }
  }
}

bool LdsShadow::findUndefined(const AccessFootprint &footprint) const {
  uint64_t any = 0;
  footprint.forEach([&](unsigned, uint64_t address, unsigned bytes) {
    const uint8_t *at = &bits[address];
    for (; bytes >= 8; bytes -= 8, at += 8) {
      uint64_t some;
      std::memcpy(&some, at, 8);
      any |= some;
    }
    for (; bytes; --bytes)
      any |= *at++;
    return !any;
  });
  return any != 0;
}

/// Returns the first row of the data of a write.
static unsigned dataRowOf(const Wave &wave, const MemoryAccess &access) {
  return access.data
             ? static_cast<unsigned>((access.data - wave.rows) / kRowLanes)
             : 0;
}

/// Checks that data stored to global memory is defined.
void Definedness::storeGlobal(Wave &wave, WaveShadow &s, const Op &op,
                              const MemoryAccess &access) {
  const unsigned dwords = access.bytes < 4 ? 1 : access.bytes / 4;
  const uint32_t narrow = access.bytes < 4 ? (1u << 8 * access.bytes) - 1 : ~0u;
  const unsigned dataRow = dataRowOf(wave, access);
  for (unsigned k = 0; k < dwords; ++k) {
    const unsigned row = dataRow + k;
    uint64_t bad = 0;
    for (uint64_t rest = s.lanes[row] & access.lanes; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      uint32_t u = s.row(row)[lane] >> (access.dataHigh ? 16 : 0);
      bad |= uint64_t((u & narrow) != 0) << lane;
    }
    if (bad)
      report(wave, op, bad, "it is stored to global memory", s.originOf(row));
  }
}

/// The undefined bits of the LDS or scratch memory that an instruction
/// accesses.
struct Definedness::StoredBits {
  const Wave &wave;
  WaveShadow &s;
  LdsShadow &lds;
  const MemoryAccess &access;
  const bool isLds = access.space == MemorySpace::Lds;

  uint64_t inScratch(unsigned lane, uint64_t at) const {
    return uint64_t(lane) * wave.scratchBytes + at;
  }
  /// Returns the bits of a lane's access. Returns null if it is out of bounds,
  /// in which case the executor faults.
  const uint8_t *at(unsigned lane) const {
    const std::vector<uint8_t> &memory = isLds ? lds.bits : s.scratch;
    const uint64_t at = access.addresses[lane];
    const uint64_t end = isLds ? memory.size() - 16 : wave.scratchBytes;
    if (at + access.bytes > end || at + access.bytes < at)
      return nullptr;
    return &memory[isLds ? at : inScratch(lane, at)];
  }
  /// Returns dword k of `bits`.
  uint32_t get(const uint8_t *bits, unsigned k) const {
    uint32_t u = 0;
    std::memcpy(&u, bits + 4 * k, std::min(4u, access.bytes - 4 * k));
    return u;
  }
  void set(unsigned lane, unsigned k, uint32_t undefined) {
    const unsigned bytes = std::min(4u, access.bytes - 4 * k);
    const uint64_t at = access.addresses[lane] + 4 * k;
    if (isLds)
      lds.set(at, bytes, undefined);
    else
      std::memcpy(&s.scratch[inScratch(lane, at)], &undefined, bytes);
  }
  void define() {
    for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
      const unsigned lane = llvm::countr_zero(rest);
      for (unsigned k = 0; at(lane) && 4 * k < access.bytes; ++k)
        set(lane, k, 0);
    }
  }
  StoredOrigins &origins() { return isLds ? lds.origins : s.scratchOrigins; }
  uint64_t dword(unsigned lane, unsigned k) const {
    const uint64_t at = access.addresses[lane] + 4 * k;
    return (isLds ? at : inScratch(lane, at)) / 4;
  }
};

/// Propagates the undefined bits of LDS or scratch to the result of a load.
void Definedness::load(const Op &op, StoredBits stored) {
  const MemoryAccess &access = stored.access;
  WaveShadow &s = stored.s;
  const unsigned dwords = access.bytes < 4 ? 1 : access.bytes / 4;
  uint32_t any = 0;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1)
    if (const uint8_t *at = stored.at(llvm::countr_zero(rest)))
      for (unsigned k = 0; k < dwords; ++k)
        any |= stored.get(at, k);
  if (!any || op.dst.kind != Operand::Kind::Vector)
    return;
  const MemoryFormat *format = hasFormat(*op.info)
                                   ? static_cast<const MemoryFormat *>(op.table)
                                   : nullptr;
  const bool transposes = op.record->has(trait::Transposes);
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint8_t *at = stored.at(lane);
    for (unsigned k = 0; at && k < dwords; ++k) {
      const unsigned row = op.dst.reg + access.firstDword + k;
      // Be conservative for transposing loads.
      uint32_t u = transposes ? ~0u : stored.get(at, k);
      if (format && !transposes)
        u = loadedBits(*format, u, s.row(row)[lane]);
      s.setBits(row, lane, u);
      if (!u)
        continue;
      auto origin = stored.origins().find(stored.dword(lane, k));
      s.rowOrigin[row] =
          origin != stored.origins().end()
              ? origin->second
              : Origin{&op, stored.isLds ? Origin::Lds : Origin::Scratch};
    }
  }
}

void Definedness::followAccess(Wave &wave, WaveShadow &s, LdsShadow &lds,
                               const Op &op, const MemoryAccess &access) {
  const unsigned dwords = access.bytes < 4 ? 1 : access.bytes / 4;
  const unsigned dataRow = dataRowOf(wave, access);
  if (access.space == MemorySpace::Global) {
    // memory() checks the data of atomics.
    if (access.kind != AccessKind::Atomic)
      storeGlobal(wave, s, op, access);
    return;
  }
  if (comparesLds(op))
    return compareAndSwap(wave, s, lds, op, access);
  StoredBits stored{wave, s, lds, access};
  if (access.dma)
    return stored.define();
  // The result of an atomic has the undefined bits of the memory.
  if (access.kind == AccessKind::Read ||
      (access.kind == AccessKind::Atomic && op.info->returns))
    load(op, stored);
  if (access.kind == AccessKind::Atomic) {
    // A swap writes its data, which memory() has made defined. Other atomics
    // keep the undefined bits of the memory.
    if (static_cast<const AtomicOp *>(op.table)->kind == AtomicKind::Swap)
      stored.define();
    return;
  }
  if (access.kind != AccessKind::Write)
    return;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    if (!stored.at(lane))
      continue;
    for (unsigned k = 0; k < dwords; ++k) {
      const unsigned row = dataRow + k;
      const bool undefined = s.lanes[row] >> lane & 1;
      stored.set(lane, k,
                 undefined ? s.row(row)[lane] >> (access.dataHigh ? 16 : 0)
                           : 0);
      if (undefined)
        stored.origins()[stored.dword(lane, k)] = s.originOf(row);
    }
  }
}
