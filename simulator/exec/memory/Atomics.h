//===- Atomics.h - Read-modify-write operations -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MEMORY_ATOMICS_H
#define AIRCC_SIMULATOR_EXEC_MEMORY_ATOMICS_H

#include "simulator/isa/InstructionFacts.h"

#include <cstdint>

namespace aircc::sim {

/// Returns whether the operation has a second data operand.
inline bool takesCompare(AtomicKind kind) {
  return kind == AtomicKind::CmpSwap || kind == AtomicKind::FCmpSwap ||
         kind == AtomicKind::MskOr || kind == AtomicKind::Wrap;
}

/// Returns the new value. `compare` is the comparison value of CmpSwap or the
/// mask of MskOr.
uint64_t applyAtomic(const AtomicOp &op, uint64_t old, uint64_t data,
                     uint64_t compare);

/// Returns whether the operation leaves the bytes of a dword from byte `first`
/// on unchanged for any old value.
bool keepsBytesFrom(const AtomicOp &op, unsigned first, uint64_t data,
                    uint64_t compare);

/// Executes the operation on memory as a host atomic and returns the old value.
/// Faults if `address` is not aligned to the operation's size.
uint64_t atomicOnMemory(const AtomicOp &op, uint64_t address, uint64_t data,
                        uint64_t compare, int lane);

/// Executes the operation on LDS and returns the old value. The waves of a
/// workgroup run on one thread, so LDS needs no host atomics.
uint64_t atomicOnLds(const AtomicOp &op, uint8_t *at, uint64_t data,
                     uint64_t compare);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_ATOMICS_H
