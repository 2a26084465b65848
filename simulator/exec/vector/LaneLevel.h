//===- LaneLevel.h - Vector semantics, compiled per host level --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The files in this directory are compiled once for each level of the host's
// vector instructions (plain x86-64, x86-64-v3, x86-64-v4), each time into a
// namespace of its own (AIRCC_SIM_LEVEL). The best level that the host has is
// selected at run time. They contain
// - the tables of vector semantics: by mnemonic, a kernel over all lanes and
//   the types of its operands;
// - the handlers that fetch operands, run such a kernel and write under EXEC;
// - what memory instructions do for all lanes at once.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_LANELEVEL_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_LANELEVEL_H

#include "simulator/exec/Op.h"

#include <cstddef>
#include <cstdint>

namespace aircc::sim {

/// The parts of MODE that affect an operation besides rounding and denormals,
/// as Op::flags.
enum LaneModeFlags : uint32_t {
  kQuietsWithoutIeee =
      1,             ///< min, max: without IEEE, a NaN of either kind loses.
  kTrueInfinity = 2, ///< Its infinities are not overflows (rcp, rsq, log).
  kLimit448 = 4,     ///< The greatest finite value of an 8-bit result.
  kLimit240 = 8,
  kLimit57344 = 16,
};

/// The kernels of a table (isa/tables), in its order.
struct LaneTable {
  const LaneKernel *kernels;
  size_t count;
};

/// The lowest and the highest address of the active lanes, and whether the
/// active lanes are the first 32 or all 64 with consecutive addresses, `width`
/// bytes apart.
struct AddressSpan {
  uint64_t low, high;
  bool contiguous;
};

/// A load or store of a byte or a short in each lane.
struct SmallAccess {
  uint8_t bytes;
  bool isSigned;
  /// The half of the register that is accessed.
  enum Half : uint8_t { Whole, Low, High } half;
};

struct LaneLevel {
  const char *name;
  const LaneTable *tables; ///< By InstructionTable, from the first one on.
  size_t tableCount;

  /// Handlers without modifiers. Bit i of the index says that source i is a
  /// scalar.
  Handler plain[8];
  Handler compare[8];
  /// Handlers of instructions with three sources, of which the last is a mask.
  Handler select[4];
  /// Handles any modifier, DPP, SDWA, and masks as operands.
  Handler general;

  /// Computes addresses[lane] = base + (low row, high row as 64 bits) + offset.
  void (*addresses64)(const uint32_t *low, uint64_t base, uint64_t *out);
  /// Computes addresses[lane] = base + zero-extended row + offset.
  void (*addresses32)(const uint32_t *row, uint64_t base, uint64_t *out);
  AddressSpan (*span)(const uint64_t *addresses, uint64_t exec, unsigned width);
  /// Load and store `dwords` dwords per lane where `exec` has a bit. The rows
  /// are consecutive.
  void (*gather)(const uint64_t *addresses, uint64_t exec, unsigned dwords,
                 uint32_t *rows);
  void (*scatter)(const uint64_t *addresses, uint64_t exec, unsigned dwords,
                  const uint32_t *rows);
  /// Accesses LDS at byte addresses row + offset from `base`, all checked
  /// against `limit`. Returns the first lane that is out of range, or -1.
  int (*ldsRead)(const uint32_t *row, uint32_t offset, uint32_t limit,
                 const uint8_t *base, uint64_t exec, unsigned dwords,
                 uint32_t *rows);
  /// Accesses one or two dwords at each of two offsets. The rows for the second
  /// offset come last. Returns false, without accessing anything, if any access
  /// is out of range.
  bool (*ldsReadTwo)(const uint32_t *row, const uint32_t *offsets,
                     uint32_t limit, const uint8_t *base, uint64_t exec,
                     unsigned dwords, uint32_t *rows);
  int (*ldsWrite)(const uint32_t *row, uint32_t offset, uint32_t limit,
                  uint8_t *base, uint64_t exec, unsigned dwords,
                  const uint32_t *rows);

  // Do the same for bytes and shorts.
  void (*gatherSmall)(const uint64_t *addresses, uint64_t exec, SmallAccess how,
                      uint32_t *row);
  void (*scatterSmall)(const uint64_t *addresses, uint64_t exec,
                       SmallAccess how, const uint32_t *row);
  int (*ldsReadSmall)(const uint32_t *row, uint32_t offset, uint32_t limit,
                      const uint8_t *base, uint64_t exec, SmallAccess how,
                      uint32_t *to);
  int (*ldsWriteSmall)(const uint32_t *row, uint32_t offset, uint32_t limit,
                       uint8_t *base, uint64_t exec, SmallAccess how,
                       const uint32_t *from);
};

/// Returns the best level that this host can execute.
/// AIRCC_SIM_LEVEL=base|v3|v4 in the environment selects a lower one (for
/// tests).
const LaneLevel &selectLaneLevel();

/// Returns the kernel of a vector arithmetic instruction, or null for another
/// kind of instruction.
LaneKernel laneKernel(const LaneLevel &level, const InstructionRecord &record);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_LANELEVEL_H
