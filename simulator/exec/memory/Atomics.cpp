//===- Atomics.cpp - Read-modify-write operations -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/Atomics.h"

#include "simulator/exec/Fault.h"
#include "simulator/isa/Floats.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>

using namespace aircc::sim;

template <class F> static uint64_t packed(uint64_t old, uint64_t data, F add) {
  uint32_t low = add(static_cast<uint32_t>(old) & 0xffff,
                     static_cast<uint32_t>(data) & 0xffff);
  uint32_t high =
      add(static_cast<uint32_t>(old) >> 16, static_cast<uint32_t>(data) >> 16);
  return low | high << 16;
}

template <class U, class S, class T>
static uint64_t apply(AtomicKind kind, U old, U data, U compare) {
  S signedOld = static_cast<S>(old), signedData = static_cast<S>(data);
  T floatOld = llvm::bit_cast<T>(old), floatData = llvm::bit_cast<T>(data);
  switch (kind) {
  case AtomicKind::Swap:
    return data;
  case AtomicKind::CmpSwap:
    return old == compare ? data : old;
  case AtomicKind::Add:
    return static_cast<U>(old + data);
  case AtomicKind::Sub:
    return static_cast<U>(old - data);
  case AtomicKind::Rsub:
    return static_cast<U>(data - old);
  case AtomicKind::SMin:
    return signedOld < signedData ? old : data;
  case AtomicKind::UMin:
    return old < data ? old : data;
  case AtomicKind::SMax:
    return signedOld > signedData ? old : data;
  case AtomicKind::UMax:
    return old > data ? old : data;
  case AtomicKind::And:
    return old & data;
  case AtomicKind::Or:
    return old | data;
  case AtomicKind::Xor:
    return old ^ data;
  case AtomicKind::Inc:
    return old >= data ? 0 : static_cast<U>(old + 1);
  case AtomicKind::Dec:
    return old == 0 || old > data ? data : static_cast<U>(old - 1);
  case AtomicKind::FAdd:
    return llvm::bit_cast<U>(static_cast<T>(floatOld + floatData));
  case AtomicKind::FMin:
    return llvm::bit_cast<U>(std::fmin(floatOld, floatData));
  case AtomicKind::FMax:
    return llvm::bit_cast<U>(std::fmax(floatOld, floatData));
  case AtomicKind::PkAddF16:
    return packed(old, data, [](uint32_t a, uint32_t b) {
      return floats::doubleToHalf(floats::halfToFloat(a) +
                                  floats::halfToFloat(b));
    });
  case AtomicKind::PkAddBF16:
    return packed(old, data, [](uint32_t a, uint32_t b) {
      return floats::floatToBf16(floats::bf16ToFloat(a) +
                                 floats::bf16ToFloat(b));
    });
  case AtomicKind::SubClamp:
    return old < data ? 0 : static_cast<U>(old - data);
  case AtomicKind::CondSub:
    return old < data ? old : static_cast<U>(old - data);
  case AtomicKind::MskOr:
    return (old & ~compare) | data;
  case AtomicKind::FCmpSwap:
    return floatOld == llvm::bit_cast<T>(compare) ? data : old;
  case AtomicKind::Wrap:
    return old >= data ? static_cast<U>(old - data)
                       : static_cast<U>(old + compare);
  case AtomicKind::CondXchg: {
    uint64_t result = old;
    for (unsigned k = 0; k < 8 * sizeof(U); k += 32)
      if (uint64_t(data) >> (k + 31) & 1)
        result = (result & ~(uint64_t(0xffffffff) << k)) |
                 (uint64_t(data) & uint64_t(0x7fffffff) << k);
    return static_cast<U>(result);
  }
  }
  return old;
}

uint64_t aircc::sim::applyAtomic(const AtomicOp &op, uint64_t old,
                                 uint64_t data, uint64_t compare) {
  if (op.bytes == 8)
    return apply<uint64_t, int64_t, double>(op.kind, old, data, compare);
  return apply<uint32_t, int32_t, float>(op.kind, static_cast<uint32_t>(old),
                                         static_cast<uint32_t>(data),
                                         static_cast<uint32_t>(compare));
}

bool aircc::sim::keepsBytesFrom(const AtomicOp &op, unsigned first,
                                uint64_t data, uint64_t compare) {
  const uint32_t kept = static_cast<uint32_t>(~uint64_t(0) << 8 * first);
  switch (op.kind) {
  case AtomicKind::CmpSwap:
    return ((data ^ compare) & kept) == 0;
  case AtomicKind::And:
    return (data & kept) == kept;
  case AtomicKind::Or:
  case AtomicKind::Xor:
    return (data & kept) == 0;
  default:
    return false;
  }
}

template <class U>
static uint64_t onMemory(const AtomicOp &op, void *address, uint64_t data,
                         uint64_t compare) {
  U *at = static_cast<U *>(address);
  U old = __atomic_load_n(at, __ATOMIC_RELAXED);
  for (;;) {
    U next = static_cast<U>(applyAtomic(op, old, data, compare));
    if (__atomic_compare_exchange_n(at, &old, next, /*weak=*/false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return old;
  }
}

uint64_t aircc::sim::atomicOnMemory(const AtomicOp &op, uint64_t address,
                                    uint64_t data, uint64_t compare, int lane) {
  if (address % op.bytes)
    throw Fault("atomic on the misaligned address 0x" +
                    llvm::utohexstr(address, true),
                lane);
  void *memory = reinterpret_cast<void *>(address);
  return op.bytes == 8 ? onMemory<uint64_t>(op, memory, data, compare)
                       : onMemory<uint32_t>(op, memory, data, compare);
}

uint64_t aircc::sim::atomicOnLds(const AtomicOp &op, uint8_t *at, uint64_t data,
                                 uint64_t compare) {
  uint64_t old = 0;
  std::memcpy(&old, at, op.bytes);
  uint64_t next = applyAtomic(op, old, data, compare);
  std::memcpy(at, &next, op.bytes);
  return old;
}
