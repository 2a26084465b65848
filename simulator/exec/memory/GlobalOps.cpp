//===- GlobalOps.cpp - GLOBAL ---------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Instructions whose addresses are always in global memory. Reference: CDNA3
// ISA guide, "FLAT, Scratch and Global Instructions".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/FlatOps.h"
#include "simulator/exec/vector/LaneLevel.h"

#include "llvm/ADT/bit.h"
#include <atomic>

using namespace aircc::sim;

void aircc::sim::computeAddresses(Wave &wave, const Op &op) {
  uint64_t base = op.imm;
  if (op.src[2].kind == Operand::Kind::Scalar)
    base += wave.scalar64(op.src[2].reg);
  const uint32_t *row = wave.row(op.src[0].reg);
  if (op.flags & kWideAddress)
    wave.level->addresses64(row, base, wave.addresses);
  else
    wave.level->addresses32(row, base, wave.addresses);
}

/// Checks all lanes together if they access one allocation.
static AddressSpan checkSpan(Wave &wave, const Op &op, uint64_t exec,
                             unsigned bytes, bool isWrite) {
  AddressSpan span = wave.level->span(wave.addresses, exec, bytes);
  if (!isAccessible(wave, op, span.low, span.high + bytes))
    checkLanes(wave, op, wave.addresses, exec, bytes, isWrite);
  return span;
}

bool aircc::sim::isShared(const Wave &wave, const AddressSpan &span) {
  const MemoryRange &shared = wave.launch->shared;
  return span.high >= shared.begin && span.low < shared.end;
}

namespace {

// The hardware accesses a whole cache line at once for a wave. Here, other
// processes may observe and write parts of it. Therefore, stores are in
// ascending order of lanes and dwords, and loads in descending order, so that a
// reader of the last word of a store reads all of it.

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
      // Aligned eight bytes are one access, because flags have up to eight
      // bytes.
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
  // The store completes here, so a later wait need not do anything.
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

} // namespace

template <AccessKind Kind>
void aircc::sim::accessRows(Wave &wave, const MemoryFormat &format,
                            uint64_t exec, const AddressSpan &span,
                            uint32_t *rows) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  if (format.kind != MemoryFormat::Dwords) {
    if (kWrites)
      wave.level->scatterSmall(wave.addresses, exec, smallAccess(format), rows);
    else
      wave.level->gatherSmall(wave.addresses, exec, smallAccess(format), rows);
    return;
  }
  if (span.contiguous && format.bytes == 4) {
    // The lanes are contiguous in memory, as they are in a register.
    void *memory = reinterpret_cast<void *>(wave.addresses[0]);
    std::memcpy(kWrites ? memory : rows, kWrites ? rows : memory,
                llvm::popcount(exec) * 4);
  } else if (kWrites) {
    wave.level->scatter(wave.addresses, exec, format.bytes / 4, rows);
  } else {
    wave.level->gather(wave.addresses, exec, format.bytes / 4, rows);
  }
}
template void
aircc::sim::accessRows<AccessKind::Read>(Wave &, const MemoryFormat &, uint64_t,
                                         const AddressSpan &, uint32_t *);
template void aircc::sim::accessRows<AccessKind::Write>(
    Wave &, const MemoryFormat &, uint64_t, const AddressSpan &, uint32_t *);

template <AccessKind Kind>
bool aircc::sim::runGlobal(Wave &wave, const Op &op) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  ++wave.vmemIssued;
  if (!exec)
    return false;
  computeAddresses(wave, op);
  uint32_t *rows = wave.row(kWrites ? op.src[1].reg : op.dst.reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeAccess(wave, op, MemorySpace::Global, Kind, exec, wave.addresses,
                  {format.bytes, kWrites ? rows : nullptr,
                   kWrites && format.kind == MemoryFormat::D16Hi});
  AddressSpan span = checkSpan(wave, op, exec, format.bytes, kWrites);
  if (__builtin_expect(isShared(wave, span), 0)) {
    if constexpr (kWrites)
      storeShared(wave, exec, format, rows);
    else
      loadShared(wave, exec, format, rows);
    return false;
  }
  accessRows<Kind>(wave, format, exec, span, rows);
  return false;
}
template bool aircc::sim::runGlobal<AccessKind::Read>(Wave &, const Op &);
template bool aircc::sim::runGlobal<AccessKind::Write>(Wave &, const Op &);

/// Loads by LDS DMA to M0's LDS address + offset + lane * size, once a wait
/// covers it.
bool aircc::sim::runGlobalLoadLds(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  ++wave.vmemIssued;
  if (!exec)
    return false;
  computeAddresses(wave, op);
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeAccess(wave, op, MemorySpace::Global, AccessKind::Read, exec,
                  wave.addresses, {format.bytes});
    observeDma(wave, op, exec, base, ldsDmaBytes(format));
  }
  checkSpan(wave, op, exec, format.bytes, false);
  issueLdsRow(wave, op, format, exec, base);
  return false;
}

/// Executes GLOBAL_LOAD_ADDTID and GLOBAL_STORE_ADDTID, which access base +
/// offset + 4 * lane.
bool aircc::sim::runGlobalAddTid(Wave &wave, const Op &op) {
  ++wave.vmemIssued;
  uint64_t base = op.imm;
  if (op.src[2].kind == Operand::Kind::Scalar)
    base += wave.scalar64(op.src[2].reg);
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    wave.addresses[lane] = base + 4 * lane;
  const bool load = op.flags & kIsLoad;
  uint32_t *row = wave.row(load ? op.dst.reg : op.src[1].reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeAccess(wave, op, MemorySpace::Global,
                  load ? AccessKind::Read : AccessKind::Write, wave.exec(),
                  wave.addresses, {4, load ? nullptr : row});
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    accessDword(wave, op, wave.addresses[lane], row, !load, lane);
  }
  return false;
}

/// Executes GLOBAL_LOAD_TR_B128 and _B64, which load a 16x16 matrix of 16- or
/// 8-bit elements. Lanes l and l + 16 load the first and the last eight
/// elements of column l. The result is an operand of WMMA: each lane gets eight
/// elements of a row or, in wave64, four. In wave64, only the addresses of the
/// first 32 lanes are used. EXEC is treated as all ones.
bool aircc::sim::runGlobalTransposed(Wave &wave, const Op &op) {
  ++wave.vmemIssued;
  computeAddresses(wave, op);
  const unsigned elementBytes = op.width; // 8 elements per lane.
  uint8_t in[32][16];
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeAccess(wave, op, MemorySpace::Global, AccessKind::Read, 0xffffffff,
                  wave.addresses, {8 * elementBytes});
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint64_t address = wave.addresses[lane];
    unsigned bytes = 8 * elementBytes;
    checkAccess(wave, op, address, bytes, false, lane);
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
