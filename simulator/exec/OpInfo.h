//===- OpInfo.h - What an operation reads, writes and counts ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A static description of each operation for observers (Observe.h): its class,
// the registers it names, the wait counters it increments and, for a wait, the
// counts for which it waits. It is derived from the record and the operands
// when the operation is bound. The executor does not use it.
//
// Registers are those that the instruction names or implies (VCC, EXEC, M0,
// SCC). The read of EXEC by every vector operation is not listed. Register
// numbers that depend on M0 (v_movrel*, s_set_gpr_idx_on) are listed as in the
// encoding, and `relative` is set.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_OPINFO_H
#define AIRCC_SIMULATOR_EXEC_OPINFO_H

#include "simulator/exec/Op.h"
#include "simulator/isa/Chip.h"
#include "simulator/isa/DecodedInstruction.h"
#include "simulator/isa/InstructionFacts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace aircc::sim {

/// The wait counters, by what they count. On gfx9, stores count as loads, and
/// up to gfx11, scalar loads count as LDS operations. `Load` is vmcnt or
/// loadcnt, `Store` is vscnt or storecnt, `Lds` is lgkmcnt or dscnt, and
/// `Scalar` is kmcnt.
enum class WaitCounter : uint8_t { Load, Store, Lds, Scalar, Export };
constexpr unsigned kWaitCounters = 5;

/// The number of operations that may be outstanding after a wait, by
/// WaitCounter. kNoWait means any number.
struct WaitCounts {
  static constexpr uint8_t kNoWait = 255;
  uint8_t most[kWaitCounters] = {kNoWait, kNoWait, kNoWait, kNoWait, kNoWait};
  uint8_t operator[](WaitCounter c) const {
    return most[static_cast<unsigned>(c)];
  }
};

/// Consecutive registers: rows of the vector file (AccVGPRs from kFirstAgprRow
/// on) or scalars (ScalarReg, including VCC, EXEC and M0).
struct RegRange {
  enum Role : uint8_t {
    Value,
    Address, ///< Addresses, offsets, descriptors and M0 of a memory operation.
    Data,    ///< The data operands of a store or an atomic.
  };
  bool vector = false;
  Role role = Value;
  uint16_t first = 0;
  uint16_t count = 0;
};

struct OpInfo {
  OpClass opClass = OpClass::Unknown;
  AccessKind access = AccessKind::None;
  bool toLds = false;    ///< For LDS DMA, which reads memory and writes LDS.
  bool returns = false;  ///< Whether an atomic returns the old value.
  bool relative = false; ///< Whether register numbers depend on M0.
  bool readsScc = false, writesScc = false;
  bool writesExec = false;
  bool ignoresExec = false; ///< Whether it acts on all lanes: matrix, readlane,
                            ///< …
  bool sleeps = false;      ///< Whether the wave yields to others.
  /// The scope of a memory access or a cache operation, from its modifiers: 0
  /// wave, 1 workgroup, 2 device, 3 system (sc0 and sc1 on gfx940; glc is 2 on
  /// the others; gfx12's scopes). Atomics are always executed in the L2 cache.
  uint8_t scope = 0;
  /// For a cache operation.
  bool invalidates = false, writesBack = false;
  /// The number of bytes that a lane accesses at each address.
  uint8_t bytes = 0;
  uint8_t places = 1;   ///< 2 for ds_read2 and ds_write2.
  uint8_t counters = 0; ///< Bit c is set if it increments WaitCounter c.
  WaitCounts waits;     ///< Only for waits.
  uint32_t index = 0;   ///< The index of the operation in its program.
  llvm::SmallVector<RegRange, 4> reads, writes;

  bool increments(WaitCounter c) const {
    return counters >> static_cast<unsigned>(c) & 1;
  }
  bool isVectorAlu() const {
    return opClass == OpClass::VectorAlu || opClass == OpClass::Dual ||
           opClass == OpClass::Transcendental;
  }
  bool isVectorMemory() const {
    return opClass == OpClass::Flat || opClass == OpClass::Global ||
           opClass == OpClass::Scratch || opClass == OpClass::Buffer;
  }
};

/// Describes a bound operation, whose record and operands have been set.
OpInfo describeOp(const Chip &chip, bool wave32, const DecodedInstruction &inst,
                  const Op &op);

/// Describes a VOPD by the descriptions of its halves.
OpInfo describeDual(const OpInfo &x, const OpInfo &y);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_OPINFO_H
