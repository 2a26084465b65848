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
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>

using namespace aircc::sim;
using llvm::StringRef;

// clang-format off
static const AtomicOp kOps[] = {
    // FLAT and MUBUF of gfx9.
    {"swap", AtomicKind::Swap, 4},
    {"swap_x2", AtomicKind::Swap, 8},
    {"cmpswap", AtomicKind::CmpSwap, 4},
    {"cmpswap_x2", AtomicKind::CmpSwap, 8},
    {"add", AtomicKind::Add, 4},
    {"add_x2", AtomicKind::Add, 8},
    {"sub", AtomicKind::Sub, 4},
    {"sub_x2", AtomicKind::Sub, 8},
    {"smin", AtomicKind::SMin, 4},
    {"smin_x2", AtomicKind::SMin, 8},
    {"umin", AtomicKind::UMin, 4},
    {"umin_x2", AtomicKind::UMin, 8},
    {"smax", AtomicKind::SMax, 4},
    {"smax_x2", AtomicKind::SMax, 8},
    {"umax", AtomicKind::UMax, 4},
    {"umax_x2", AtomicKind::UMax, 8},
    {"and", AtomicKind::And, 4},
    {"and_x2", AtomicKind::And, 8},
    {"or", AtomicKind::Or, 4},
    {"or_x2", AtomicKind::Or, 8},
    {"xor", AtomicKind::Xor, 4},
    {"xor_x2", AtomicKind::Xor, 8},
    {"inc", AtomicKind::Inc, 4},
    {"inc_x2", AtomicKind::Inc, 8},
    {"dec", AtomicKind::Dec, 4},
    {"dec_x2", AtomicKind::Dec, 8},
    // Those of every generation, and the names of gfx11 and gfx12.
    {"add_f32", AtomicKind::FAdd, 4},
    {"add_f64", AtomicKind::FAdd, 8},
    {"min_f32", AtomicKind::FMin, 4},
    {"max_f32", AtomicKind::FMax, 4},
    {"min_num_f32", AtomicKind::FMin, 4},
    {"max_num_f32", AtomicKind::FMax, 4},
    {"min_f64", AtomicKind::FMin, 8},
    {"max_f64", AtomicKind::FMax, 8},
    {"min_num_f64", AtomicKind::FMin, 8},
    {"max_num_f64", AtomicKind::FMax, 8},
    {"pk_add_f16", AtomicKind::PkAddF16, 4},
    {"pk_add_bf16", AtomicKind::PkAddBF16, 4},
    {"swap_b32", AtomicKind::Swap, 4},
    {"swap_b64", AtomicKind::Swap, 8},
    {"cmpswap_b32", AtomicKind::CmpSwap, 4},
    {"cmpswap_b64", AtomicKind::CmpSwap, 8},
    {"add_u32", AtomicKind::Add, 4},
    {"add_u64", AtomicKind::Add, 8},
    {"sub_u32", AtomicKind::Sub, 4},
    {"sub_u64", AtomicKind::Sub, 8},
    {"min_i32", AtomicKind::SMin, 4},
    {"min_i64", AtomicKind::SMin, 8},
    {"min_u32", AtomicKind::UMin, 4},
    {"min_u64", AtomicKind::UMin, 8},
    {"max_i32", AtomicKind::SMax, 4},
    {"max_i64", AtomicKind::SMax, 8},
    {"max_u32", AtomicKind::UMax, 4},
    {"max_u64", AtomicKind::UMax, 8},
    {"and_b32", AtomicKind::And, 4},
    {"and_b64", AtomicKind::And, 8},
    {"or_b32", AtomicKind::Or, 4},
    {"or_b64", AtomicKind::Or, 8},
    {"xor_b32", AtomicKind::Xor, 4},
    {"xor_b64", AtomicKind::Xor, 8},
    {"inc_u32", AtomicKind::Inc, 4},
    {"inc_u64", AtomicKind::Inc, 8},
    {"dec_u32", AtomicKind::Dec, 4},
    {"dec_u64", AtomicKind::Dec, 8},
    {"cmpswap_f32", AtomicKind::FCmpSwap, 4},
    {"cmpswap_f64", AtomicKind::FCmpSwap, 8},
    {"csub_u32", AtomicKind::SubClamp, 4},
    {"csub", AtomicKind::SubClamp, 4},
    {"sub_clamp_u32", AtomicKind::SubClamp, 4},
    {"cond_sub_u32", AtomicKind::CondSub, 4},
    // DS only.
    {"rsub_u32", AtomicKind::Rsub, 4},
    {"rsub_u64", AtomicKind::Rsub, 8},
    {"wrxchg_b32", AtomicKind::Swap, 4},
    {"wrxchg_b64", AtomicKind::Swap, 8},
    {"storexchg_b32", AtomicKind::Swap, 4},
    {"storexchg_b64", AtomicKind::Swap, 8},
    {"cmpst_b32", AtomicKind::CmpSwap, 4},
    {"cmpst_b64", AtomicKind::CmpSwap, 8},
    {"cmpst_f32", AtomicKind::FCmpSwap, 4},
    {"cmpst_f64", AtomicKind::FCmpSwap, 8},
    {"cmpstore_f32", AtomicKind::FCmpSwap, 4},
    {"cmpstore_f64", AtomicKind::FCmpSwap, 8},
    {"wrap_b32", AtomicKind::Wrap, 4},
    {"condxchg32_b64", AtomicKind::CondXchg, 8},
    {"cmpstore_b32", AtomicKind::CmpSwap, 4},
    {"cmpstore_b64", AtomicKind::CmpSwap, 8},
    {"mskor_b32", AtomicKind::MskOr, 4},
    {"mskor_b64", AtomicKind::MskOr, 8},
};
// clang-format on

const AtomicOp *aircc::sim::findAtomic(StringRef suffix) {
  static const llvm::StringMap<const AtomicOp *> index = [] {
    llvm::StringMap<const AtomicOp *> made;
    for (const AtomicOp &op : kOps)
      made[op.name] = &op;
    return made;
  }();
  return index.lookup(suffix);
}

bool aircc::sim::bindAtomic(BindContext &context, StringRef suffix,
                            Handler handler, Op &op) {
  op.table = findAtomic(suffix);
  op.handler = handler;
  return op.table || context.refuse("the atomic operation is not known");
}

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
