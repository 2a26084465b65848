//===- FlatOps.cpp - FLAT, GLOBAL and SCRATCH -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CDNA3 ISA guide, "FLAT, Scratch and Global Instructions". A flat address in
// the shared aperture is LDS, in the private aperture scratch. Scratch is
// interleaved: dword k of lane L lies at base + (k * lanes + L) * 4, as the
// hardware swizzles it.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/Atomics.h"
#include "runtime-stubs/sim/Bind.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/Launch.h"
#include "runtime-stubs/sim/MemoryAccess.h"
#include "runtime-stubs/sim/Observe.h"
#include "runtime-stubs/sim/Wave.h"
#include "runtime-stubs/sim/lanes/LaneLevel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <atomic>

using namespace aircc::sim;
using llvm::StringRef;

namespace {

// src[0]: address row(s) or none; src[1]: data; src[2]: scalar base or none.
enum FlatFlags : uint32_t {
  kWideAddress = 1, ///< src[0] is 64 bits
  kReturns = 2,
  kIsLoad = 4,
  kIsScratch = 8,
};

void computeAddresses(Wave &wave, const Op &op) {
  uint64_t base = op.imm;
  if (op.src[2].kind == Operand::Kind::Scalar)
    base += wave.scalar64(op.src[2].reg);
  const uint32_t *row = wave.row(op.src[0].reg);
  if (op.flags & kWideAddress)
    wave.level->addresses64(row, base, wave.addresses);
  else
    wave.level->addresses32(row, base, wave.addresses);
}

/// Checks all lanes at once where they hit one allocation.
AddressSpan checkSpan(Wave &wave, const Op &op, uint64_t exec, unsigned bytes,
                      bool isWrite) {
  AddressSpan span = wave.level->span(wave.addresses, exec, bytes);
  if (!isAccessible(wave, op, span.low, span.high + bytes))
    checkLanes(wave, op, wave.addresses, exec, bytes, isWrite);
  return span;
}

/// Whether the access may reach memory that other processes write and read.
bool isShared(const Wave &wave, const AddressSpan &span) {
  const MemoryRange &shared = wave.launch->shared;
  return span.high >= shared.begin && span.low < shared.end;
}

// On hardware a wave's access of a cache line is one. Here other processes may
// see, and write, parts of it; so that whoever sees the last word of what one
// instruction stored sees all of it, stores go up through the lanes and their
// dwords, and loads go down.

template <class T> uint64_t loadOrdered(uint64_t address) {
  return __atomic_load_n(reinterpret_cast<const T *>(address),
                         __ATOMIC_ACQUIRE);
}
template <class T> void storeOrdered(uint64_t address, uint64_t value) {
  __atomic_store_n(reinterpret_cast<T *>(address), static_cast<T>(value),
                   __ATOMIC_RELEASE);
}

void loadShared(Wave &wave, uint64_t exec, const MemoryFormat &format,
                uint32_t *dst) {
  for (unsigned lane = kRowLanes; lane-- > 0;) {
    if (!(exec >> lane & 1))
      continue;
    const uint64_t address = wave.addresses[lane];
    if (format.kind != MemoryFormat::Dwords || address % 4) {
      loadLane(format, reinterpret_cast<const void *>(address), dst, lane);
      std::atomic_thread_fence(std::memory_order_acquire);
      continue;
    }
    for (unsigned k = format.dwords(); k > 0;) {
      // Eight bytes are one where they may be: flags have up to that many.
      if (k % 2 == 0 && (address + 4 * (k - 2)) % 8 == 0) {
        k -= 2;
        uint64_t value = loadOrdered<uint64_t>(address + 4 * k);
        dst[k * kRowLanes + lane] = static_cast<uint32_t>(value);
        dst[(k + 1) * kRowLanes + lane] = static_cast<uint32_t>(value >> 32);
      } else {
        --k;
        dst[k * kRowLanes + lane] =
            static_cast<uint32_t>(loadOrdered<uint32_t>(address + 4 * k));
      }
    }
  }
}

void storeShared(Wave &wave, uint64_t exec, const MemoryFormat &format,
                 const uint32_t *src) {
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t address = wave.addresses[lane];
    if (format.kind != MemoryFormat::Dwords || address % 4) {
      std::atomic_thread_fence(std::memory_order_release);
      storeLane(format, reinterpret_cast<void *>(address), src, lane);
      continue;
    }
    for (unsigned k = 0; k < format.dwords();) {
      uint64_t low = src[k * kRowLanes + lane];
      if (k + 1 < format.dwords() && (address + 4 * k) % 8 == 0) {
        uint64_t high = src[(k + 1) * kRowLanes + lane];
        storeOrdered<uint64_t>(address + 4 * k, low | high << 32);
        k += 2;
      } else {
        storeOrdered<uint32_t>(address + 4 * k, low);
        ++k;
      }
    }
  }
  // A wait for the store would be one for its arrival; that is now.
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

bool runGlobalLoad(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  ++wave.vmemIssued;
  if (!exec)
    return false;
  computeAddresses(wave, op);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeAccess(wave, op, MemorySpace::Global, AccessKind::Read, exec,
                  wave.addresses, format.bytes);
  AddressSpan span = checkSpan(wave, op, exec, format.bytes, false);
  uint32_t *dst = wave.row(op.dst.reg);
  if (__builtin_expect(isShared(wave, span), 0)) {
    loadShared(wave, exec, format, dst);
    return false;
  }
  if (format.kind == MemoryFormat::Dwords) {
    if (span.contiguous && format.bytes == 4)
      std::memcpy(dst, reinterpret_cast<const void *>(wave.addresses[0]),
                  llvm::popcount(exec) * 4);
    else
      wave.level->gather(wave.addresses, exec, format.bytes / 4, dst);
    return false;
  }
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    loadLane(format, reinterpret_cast<const void *>(wave.addresses[lane]), dst,
             lane);
  }
  return false;
}

bool runGlobalStore(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  ++wave.vmemIssued;
  if (!exec)
    return false;
  computeAddresses(wave, op);
  const uint32_t *src = wave.row(op.src[1].reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeAccess(wave, op, MemorySpace::Global, AccessKind::Write, exec,
                  wave.addresses, format.bytes, src,
                  format.kind == MemoryFormat::D16Hi);
  AddressSpan span = checkSpan(wave, op, exec, format.bytes, true);
  if (__builtin_expect(isShared(wave, span), 0)) {
    storeShared(wave, exec, format, src);
    return false;
  }
  if (format.kind == MemoryFormat::Dwords) {
    if (span.contiguous && format.bytes == 4)
      std::memcpy(reinterpret_cast<void *>(wave.addresses[0]), src,
                  llvm::popcount(exec) * 4);
    else
      wave.level->scatter(wave.addresses, exec, format.bytes / 4, src);
    return false;
  }
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    storeLane(format, reinterpret_cast<void *>(wave.addresses[lane]), src,
              lane);
  }
  return false;
}

/// LDS DMA: to M0's LDS address + offset + lane * size, once a wait covers it.
bool runGlobalLoadLds(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  ++wave.vmemIssued;
  if (!exec)
    return false;
  computeAddresses(wave, op);
  // A byte or a short takes a dword of LDS.
  unsigned size = format.bytes < 4 ? 4 : format.bytes;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeAccess(wave, op, MemorySpace::Global, AccessKind::Read, exec,
                  wave.addresses, format.bytes);
    observeDma(wave, op, exec, base, size);
  }
  checkSpan(wave, op, exec, format.bytes, false);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t rows[4 * kRowLanes];
    uint32_t values[4] = {0, 0, 0, 0};
    loadLane(format, reinterpret_cast<const void *>(wave.addresses[lane]), rows,
             0);
    for (unsigned k = 0; k < size / 4; ++k)
      values[k] = rows[k * kRowLanes];
    issueLds(wave, op, base + lane * size, values, size, lane);
  }
  return false;
}

/// The host address of a scratch byte of a lane.
uint8_t *scratchAt(Wave &wave, uint64_t offset, unsigned lane) {
  return reinterpret_cast<uint8_t *>(
      wave.scratchBase + (offset / 4 * wave.lanes + lane) * 4 + offset % 4);
}

void checkScratch(Wave &wave, const Op &, uint64_t offset, unsigned bytes,
                  bool isWrite, unsigned lane) {
  if (offset + bytes > wave.scratchBytes || offset + bytes < offset)
    throw Fault(std::string(isWrite ? "write" : "read") + " of " +
                    std::to_string(bytes) + " bytes at scratch address 0x" +
                    llvm::utohexstr(offset, true) + ", outside of the lane's " +
                    std::to_string(wave.scratchBytes) + " bytes of scratch",
                lane);
}

void readScratch(Wave &wave, const Op &op, uint64_t offset, void *to,
                 unsigned bytes, unsigned lane) {
  checkScratch(wave, op, offset, bytes, false, lane);
  for (unsigned k = 0; k < bytes; ++k)
    static_cast<uint8_t *>(to)[k] = *scratchAt(wave, offset + k, lane);
}
void writeScratch(Wave &wave, const Op &op, uint64_t offset, const void *from,
                  unsigned bytes, unsigned lane) {
  checkScratch(wave, op, offset, bytes, true, lane);
  for (unsigned k = 0; k < bytes; ++k)
    *scratchAt(wave, offset + k, lane) = static_cast<const uint8_t *>(from)[k];
}

void loadScratchLane(Wave &wave, const Op &op, const MemoryFormat &format,
                     uint64_t offset, unsigned lane) {
  uint8_t bytes[16];
  if (format.kind == MemoryFormat::Dwords && offset % 4 == 0) {
    checkScratch(wave, op, offset, format.bytes, false, lane);
    for (unsigned k = 0; k < format.bytes; k += 4)
      std::memcpy(bytes + k, scratchAt(wave, offset + k, lane), 4);
  } else {
    readScratch(wave, op, offset, bytes, format.bytes, lane);
  }
  loadLane(format, bytes, wave.row(op.dst.reg), lane);
}
void storeScratchLane(Wave &wave, const Op &op, const MemoryFormat &format,
                      uint64_t offset, unsigned lane) {
  uint8_t bytes[16];
  storeLane(format, bytes, wave.row(op.src[1].reg), lane);
  if (format.kind == MemoryFormat::Dwords && offset % 4 == 0) {
    checkScratch(wave, op, offset, format.bytes, true, lane);
    for (unsigned k = 0; k < format.bytes; k += 4)
      std::memcpy(scratchAt(wave, offset + k, lane), bytes + k, 4);
  } else {
    writeScratch(wave, op, offset, bytes, format.bytes, lane);
  }
}

uint64_t scratchOffset(Wave &wave, const Op &op, unsigned lane) {
  // Scratch addresses are 32 bits; a negative sum wraps and is then refused.
  uint32_t offset = static_cast<uint32_t>(op.imm);
  if (op.src[0].kind == Operand::Kind::Vector)
    offset += wave.row(op.src[0].reg)[lane];
  if (op.src[2].kind != Operand::Kind::None)
    offset += static_cast<uint32_t>(readScalar(wave, op.src[2]));
  return offset;
}

void observeScratch(Wave &wave, const Op &op, AccessKind kind,
                    const MemoryFormat &format, const uint32_t *data) {
  uint64_t offsets[kRowLanes];
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    offsets[lane] = scratchOffset(wave, op, lane);
  observeAccess(wave, op, MemorySpace::Scratch, kind, wave.exec(), offsets,
                format.bytes, data, format.kind == MemoryFormat::D16Hi);
}

/// Whether all lanes access the same dwords of their scratch, as spills do:
/// those of the lanes lie side by side, like the lanes of a register.
bool sameScratchForAll(Wave &wave, const Op &op, const MemoryFormat &format) {
  return op.src[0].kind != Operand::Kind::Vector && wave.execFull &&
         format.kind == MemoryFormat::Dwords &&
         scratchOffset(wave, op, 0) % 4 == 0;
}

bool runScratchLoad(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeScratch(wave, op, AccessKind::Read, format, nullptr);
  if (sameScratchForAll(wave, op, format)) {
    const uint64_t offset = scratchOffset(wave, op, 0);
    checkScratch(wave, op, offset, format.bytes, false, 0);
    for (unsigned k = 0; k < format.dwords(); ++k)
      std::memcpy(wave.row(op.dst.reg + k), scratchAt(wave, offset + 4 * k, 0),
                  wave.lanes * 4);
    return false;
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    loadScratchLane(wave, op, format, scratchOffset(wave, op, lane), lane);
  }
  return false;
}
bool runScratchStore(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeScratch(wave, op, AccessKind::Write, format,
                   wave.row(op.src[1].reg));
  if (sameScratchForAll(wave, op, format)) {
    const uint64_t offset = scratchOffset(wave, op, 0);
    checkScratch(wave, op, offset, format.bytes, true, 0);
    for (unsigned k = 0; k < format.dwords(); ++k)
      std::memcpy(scratchAt(wave, offset + 4 * k, 0),
                  wave.row(op.src[1].reg + k), wave.lanes * 4);
    return false;
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    storeScratchLane(wave, op, format, scratchOffset(wave, op, lane), lane);
  }
  return false;
}

constexpr uint64_t kApertureMask = ~uint64_t(0xffffffff);

bool inApertures(const AddressSpan &span) {
  return span.high >= kSharedAperture;
}

/// A flat access whose lanes may fall into several spaces, one after the other.
void observeFlat(Wave &wave, const Op &op, AccessKind kind, unsigned bytes,
                 const uint32_t *data, bool dataHigh) {
  const uint64_t exec = wave.exec();
  uint64_t shared = 0, scratch = 0;
  uint64_t offsets[kRowLanes];
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t aperture = wave.addresses[lane] & kApertureMask;
    shared |= uint64_t(aperture == kSharedAperture) << lane;
    scratch |= uint64_t(aperture == kPrivateAperture) << lane;
    offsets[lane] = wave.addresses[lane] & ~kApertureMask;
  }
  observeAccess(wave, op, MemorySpace::Lds, kind, shared, offsets, bytes, data,
                dataHigh);
  observeAccess(wave, op, MemorySpace::Scratch, kind, scratch, offsets, bytes,
                data, dataHigh);
  observeAccess(wave, op, MemorySpace::Global, kind, exec & ~shared & ~scratch,
                wave.addresses, bytes, data, dataHigh);
}

bool runFlatLoad(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  if (!exec)
    return runGlobalLoad(wave, op);
  computeAddresses(wave, op);
  if (!inApertures(wave.level->span(wave.addresses, exec, format.bytes)))
    return runGlobalLoad(wave, op);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeFlat(wave, op, AccessKind::Read, format.bytes, nullptr, false);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = wave.addresses[lane];
    if ((address & kApertureMask) == kPrivateAperture) {
      loadScratchLane(wave, op, format, address & ~kApertureMask, lane);
      continue;
    }
    const void *from;
    if ((address & kApertureMask) == kSharedAperture) {
      uint64_t local = address & ~kApertureMask;
      if (local + format.bytes > wave.group->lds.size())
        faultLds(wave, op, local, format.bytes, false, lane);
      from = wave.group->lds.data() + local;
    } else {
      if (!isReadable(wave, op, address, format.bytes))
        faultAccess(wave, op, address, format.bytes, false, lane);
      from = reinterpret_cast<const void *>(address);
    }
    loadLane(format, from, wave.row(op.dst.reg), lane);
  }
  return false;
}

bool runFlatStore(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  if (!exec)
    return runGlobalStore(wave, op);
  computeAddresses(wave, op);
  if (!inApertures(wave.level->span(wave.addresses, exec, format.bytes)))
    return runGlobalStore(wave, op);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeFlat(wave, op, AccessKind::Write, format.bytes,
                wave.row(op.src[1].reg), format.kind == MemoryFormat::D16Hi);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = wave.addresses[lane];
    if ((address & kApertureMask) == kPrivateAperture) {
      storeScratchLane(wave, op, format, address & ~kApertureMask, lane);
      continue;
    }
    void *to;
    if ((address & kApertureMask) == kSharedAperture) {
      uint64_t local = address & ~kApertureMask;
      if (local + format.bytes > wave.group->lds.size())
        faultLds(wave, op, local, format.bytes, true, lane);
      to = wave.group->lds.data() + local;
    } else {
      if (!isAccessible(wave, op, address, address + format.bytes))
        faultAccess(wave, op, address, format.bytes, true, lane);
      to = reinterpret_cast<void *>(address);
    }
    storeLane(format, to, wave.row(op.src[1].reg), lane);
  }
  return false;
}

/// LDS DMA from scratch.
bool runScratchLoadLds(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  ++wave.vmemIssued;
  unsigned size = format.bytes < 4 ? 4 : format.bytes;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeScratch(wave, op, AccessKind::Read, format, nullptr);
    observeDma(wave, op, wave.exec(), base, size);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t bytes[16];
    readScratch(wave, op, scratchOffset(wave, op, lane), bytes, format.bytes,
                lane);
    uint32_t rows[4 * kRowLanes];
    uint32_t values[4] = {0, 0, 0, 0};
    loadLane(format, bytes, rows, 0);
    for (unsigned k = 0; k < size / 4; ++k)
      values[k] = rows[k * kRowLanes];
    issueLds(wave, op, base + lane * size, values, size, lane);
  }
  return false;
}

/// GLOBAL_LOAD_ADDTID, GLOBAL_STORE_ADDTID: base + offset + 4 * lane.
bool runAddTid(Wave &wave, const Op &op) {
  ++wave.vmemIssued;
  uint64_t base = op.imm;
  if (op.src[2].kind == Operand::Kind::Scalar)
    base += wave.scalar64(op.src[2].reg);
  const bool load = op.flags & kIsLoad;
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      wave.addresses[lane] = base + 4 * lane;
    observeAccess(wave, op, MemorySpace::Global,
                  load ? AccessKind::Read : AccessKind::Write, wave.exec(),
                  wave.addresses, 4, load ? nullptr : wave.row(op.src[1].reg));
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = base + 4 * lane;
    if (load ? !isReadable(wave, op, address, 4)
             : !isAccessible(wave, op, address, address + 4))
      faultAccess(wave, op, address, 4, !load, lane);
    void *at = reinterpret_cast<void *>(address);
    if (load)
      std::memcpy(&wave.row(op.dst.reg)[lane], at, 4);
    else
      std::memcpy(at, &wave.row(op.src[1].reg)[lane], 4);
  }
  return false;
}

/// Blocks of up to 32 registers (gfx12): dword i for register i, where M0 has
/// bit i.
bool runBlock(Wave &wave, const Op &op) {
  ++wave.vmemIssued;
  const uint32_t which = wave.scalars[kM0];
  const bool load = op.flags & kIsLoad, scratch = op.flags & kIsScratch;
  const unsigned data = load ? op.dst.reg : op.src[1].reg;
  if (!scratch)
    computeAddresses(wave, op);
  // The registers may hold the address.
  uint64_t base[kRowLanes];
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    base[lane] = scratch ? scratchOffset(wave, op, lane) : wave.addresses[lane];
  for (unsigned i = 0; i < 32; ++i) {
    if (!(which >> i & 1))
      continue;
    uint32_t *row = wave.row(data + i);
    if (__builtin_expect(wave.observers != nullptr, 0)) {
      uint64_t addresses[kRowLanes];
      for (unsigned lane = 0; lane < wave.lanes; ++lane)
        addresses[lane] = base[lane] + 4 * i;
      observeAccess(wave, op,
                    scratch ? MemorySpace::Scratch : MemorySpace::Global,
                    load ? AccessKind::Read : AccessKind::Write, wave.exec(),
                    addresses, 4, load ? nullptr : row, false, i);
    }
    for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      uint64_t address = base[lane] + 4 * i;
      if (scratch) {
        if (load)
          readScratch(wave, op, address, &row[lane], 4, lane);
        else
          writeScratch(wave, op, address, &row[lane], 4, lane);
        continue;
      }
      if (load ? !isReadable(wave, op, address, 4)
               : !isAccessible(wave, op, address, address + 4))
        faultAccess(wave, op, address, 4, !load, lane);
      void *at = reinterpret_cast<void *>(address);
      if (load)
        std::memcpy(&row[lane], at, 4);
      else
        std::memcpy(at, &row[lane], 4);
    }
  }
  return false;
}

/// GLOBAL_LOAD_TR_B128, _B64: a 16x16 matrix of 16- or 8-bit elements, of which
/// lanes l and l + 16 load the first and the last eight of column l; lanes get
/// what WMMA takes: eight elements of a row, in wave64 four. In wave64 the
/// addresses of the first 32 lanes count. EXEC is taken as all ones.
bool runTransposed(Wave &wave, const Op &op) {
  ++wave.vmemIssued;
  computeAddresses(wave, op);
  const unsigned elementBytes = op.width; // 8 elements a lane
  uint8_t in[32][16];
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeAccess(wave, op, MemorySpace::Global, AccessKind::Read, 0xffffffff,
                  wave.addresses, 8 * elementBytes);
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint64_t address = wave.addresses[lane];
    unsigned bytes = 8 * elementBytes;
    if (!isReadable(wave, op, address, bytes))
      faultAccess(wave, op, address, bytes, false, lane);
    std::memcpy(in[lane], reinterpret_cast<const void *>(address), bytes);
  }
  const unsigned count = wave.lanes == 64 ? 4 : 8;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    uint8_t out[16];
    unsigned row = lane % 16;
    unsigned first = 8 * (lane / 16 % 2) + 4 * (lane / 32);
    for (unsigned i = 0; i < count; ++i) {
      unsigned column = first + i;
      std::memcpy(out + i * elementBytes,
                  in[column + 16 * (row / 8)] + row % 8 * elementBytes,
                  elementBytes);
    }
    for (unsigned k = 0; k < count * elementBytes / 4; ++k)
      std::memcpy(&wave.row(op.dst.reg + k)[lane], out + 4 * k, 4);
  }
  return false;
}

uint64_t rowValue(const uint32_t *row, unsigned lane, unsigned bytes) {
  uint64_t value = row[lane];
  if (bytes == 8)
    value |= static_cast<uint64_t>(row[lane + kRowLanes]) << 32;
  return value;
}

/// Compare-and-swap has the new value first, then the one compared with.
bool runAtomic(Wave &wave, const Op &op) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  uint64_t exec = wave.exec();
  ++wave.vmemIssued;
  if (!exec)
    return false;
  computeAddresses(wave, op);
  const unsigned bytes = atomic.bytes;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeFlat(wave, op, AccessKind::Atomic, bytes, wave.row(op.src[1].reg),
                false);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = wave.addresses[lane];
    uint64_t data = rowValue(wave.row(op.src[1].reg), lane, bytes);
    uint64_t compare = 0;
    if (takesCompare(atomic.kind))
      compare = rowValue(wave.row(op.src[1].reg + bytes / 4), lane, bytes);
    uint64_t old = 0;
    if ((address & kApertureMask) == kSharedAperture) {
      uint64_t local = address & ~kApertureMask;
      if (local + bytes > wave.group->lds.size())
        faultLds(wave, op, local, bytes, true, lane);
      uint8_t *at = wave.group->lds.data() + local;
      std::memcpy(&old, at, bytes);
      uint64_t next = applyAtomic(atomic, old, data, compare);
      std::memcpy(at, &next, bytes);
    } else if ((address & kApertureMask) == kPrivateAperture) {
      uint64_t offset = address & ~kApertureMask;
      readScratch(wave, op, offset, &old, bytes, lane);
      uint64_t next = applyAtomic(atomic, old, data, compare);
      writeScratch(wave, op, offset, &next, bytes, lane);
    } else {
      // The dword of an allocation's last byte or short: what lies behind the
      // allocation must stay as it is.
      if (!isAccessible(wave, op, address, address + bytes)) {
        unsigned inside = bytes == 4 ? dwordBytesInside(wave, op, address) : 0;
        if (!inside || !keepsBytesFrom(atomic, inside, data, compare))
          faultAccess(wave, op, address, bytes, true, lane);
      }
      if (address % bytes)
        throw Fault("atomic on the misaligned address 0x" +
                        llvm::utohexstr(address, true),
                    lane);
      old = atomicOnMemory(atomic, reinterpret_cast<void *>(address), data,
                           compare);
    }
    if (op.flags & kReturns) {
      wave.row(op.dst.reg)[lane] = static_cast<uint32_t>(old);
      if (bytes == 8)
        wave.row(op.dst.reg + 1)[lane] = static_cast<uint32_t>(old >> 32);
    }
  }
  return false;
}

} // namespace

bool aircc::sim::bindFlat(BindContext &context, StringRef name,
                          const AsmInst &inst, Op &op) {
  enum { Flat, Global, Scratch } segment;
  if (name.consume_front("flat_"))
    segment = Flat;
  else if (name.consume_front("global_"))
    segment = Global;
  else if (name.consume_front("scratch_"))
    segment = Scratch;
  else
    return false;

  op.imm = inst.mods.offset;
  size_t next = 0;
  auto take = [&]() -> const AsmOperand * {
    return next < inst.operands.size() ? &inst.operands[next++] : nullptr;
  };
  auto vector = [&](Operand &to) {
    const AsmOperand *from = take();
    if (!from || from->kind != AsmOperand::Kind::Vector)
      return false;
    to.kind = Operand::Kind::Vector;
    to.reg = from->reg;
    to.dwords = from->dwords;
    return true;
  };
  /// The address: a vector, or off for scratch.
  auto address = [&] {
    const AsmOperand *from = take();
    if (!from)
      return false;
    if (from->kind == AsmOperand::Kind::Off)
      return segment == Scratch;
    if (from->kind != AsmOperand::Kind::Vector)
      return false;
    op.src[0].kind = Operand::Kind::Vector;
    op.src[0].reg = from->reg;
    if (from->dwords == 2)
      op.flags |= kWideAddress;
    return true;
  };
  auto base = [&] {
    const AsmOperand *from = take();
    if (!from || from->kind == AsmOperand::Kind::Off)
      return true;
    if (segment == Scratch)
      return bindSource(context, *from, ValueType::B32, op.src[2]);
    if (from->kind != AsmOperand::Kind::Scalar)
      return false;
    op.src[2].kind = Operand::Kind::Scalar;
    op.src[2].reg = from->reg;
    return true;
  };
  auto understood = [&](bool good) {
    return good ? true : context.refuse("its operands are not understood");
  };

  if (name.consume_front("atomic_")) {
    if (!bindAtomic(context, name, runAtomic, op))
      return false;
    bool returns = inst.mods.returns;
    // The result is printed first when there is one.
    if (returns) {
      if (!vector(op.dst))
        return understood(false);
      op.flags |= kReturns;
    }
    return understood(address() && vector(op.src[1]) && base());
  }

  bool load = name.consume_front("load_");
  if (!load && !name.consume_front("store_"))
    return false;
  bool lds = name.consume_front("lds_") || inst.mods.lds;
  if (load)
    op.flags |= kIsLoad;
  if (segment == Scratch)
    op.flags |= kIsScratch;
  if (name == "addtid_b32" || name == "dword_addtid") {
    op.handler = runAddTid;
    return understood(vector(load ? op.dst : op.src[1]) && base());
  }
  if (name == "block") {
    op.handler = runBlock;
    return load ? understood(vector(op.dst) && address() && base())
                : understood(address() && vector(op.src[1]) && base());
  }
  if (name == "tr_b128" || name == "tr_b64") {
    op.handler = runTransposed;
    op.width = name == "tr_b128" ? 2 : 1;
    return understood(load && vector(op.dst) && address() && base());
  }
  const MemoryFormat *format = findMemoryFormat(name);
  if (!format)
    return context.refuse("its width is not known");
  op.table = format;
  op.width = format->bytes;
  if (lds) {
    if (segment == Flat || !load)
      return context.refuse("LDS DMA is only known for global and scratch "
                            "loads");
    op.handler = segment == Scratch ? runScratchLoadLds : runGlobalLoadLds;
    return understood(address() && base());
  }
  if (load) {
    op.handler = segment == Flat     ? runFlatLoad
                 : segment == Global ? runGlobalLoad
                                     : runScratchLoad;
    return understood(vector(op.dst) && address() && base());
  }
  op.handler = segment == Flat     ? runFlatStore
               : segment == Global ? runGlobalStore
                                   : runScratchStore;
  return understood(address() && vector(op.src[1]) && base());
}
