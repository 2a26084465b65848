//===- Atomics.h - Read-modify-write operations -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MEMORY_ATOMICS_H
#define AIRCC_SIMULATOR_EXEC_MEMORY_ATOMICS_H

#include "simulator/exec/Bind.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace aircc::sim {

enum class AtomicKind : uint8_t {
  Swap,
  CmpSwap,
  Add,
  Sub,
  Rsub,
  SMin,
  UMin,
  SMax,
  UMax,
  And,
  Or,
  Xor,
  Inc,
  Dec,
  FAdd,
  FMin,
  FMax,
  PkAddF16,
  PkAddBF16,
  SubClamp,
  CondSub,
  MskOr,
  FCmpSwap, ///< Compares as floats.
  Wrap,     ///< Ring buffer: `compare` is added below, else `data` taken off.
  CondXchg, ///< Each dword whose data has bit 31: the other bits.
};

/// Whether the operation has a second data operand.
inline bool takesCompare(AtomicKind kind) {
  return kind == AtomicKind::CmpSwap || kind == AtomicKind::FCmpSwap ||
         kind == AtomicKind::MskOr || kind == AtomicKind::Wrap;
}

/// One mnemonic's operation, by its last part ("add_x2", "cmpst_b64").
struct AtomicOp {
  const char *name;
  AtomicKind kind;
  uint8_t bytes;
};

/// The operation named `suffix`, the part behind "global_atomic_" or "ds_" with
/// "_rtn" taken out, or null.
const AtomicOp *findAtomic(llvm::StringRef suffix);

/// Makes `op` the atomic operation `suffix`, run by `handler`; refuses what is
/// none.
bool bindAtomic(BindContext &context, llvm::StringRef suffix, Handler handler,
                Op &op);

/// The new value. `compare` is what CmpSwap compares with, or MskOr's mask.
uint64_t applyAtomic(const AtomicOp &op, uint64_t old, uint64_t data,
                     uint64_t compare);

/// Whether the operation leaves the bytes of a dword from byte `first` on as
/// they are, whatever they are.
bool keepsBytesFrom(const AtomicOp &op, unsigned first, uint64_t data,
                    uint64_t compare);

/// Does it on shared memory with a real atomic of the host and returns the old
/// value. Faults when `address` is not aligned to the operation's size.
uint64_t atomicOnMemory(const AtomicOp &op, uint64_t address, uint64_t data,
                        uint64_t compare, int lane);

/// Does it on LDS and returns the old value. Waves of a workgroup run on one
/// thread, so that LDS needs no atomics of the host.
uint64_t atomicOnLds(const AtomicOp &op, uint8_t *at, uint64_t data,
                     uint64_t compare);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_ATOMICS_H
