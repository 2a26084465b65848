//===- InstructionRecord.h - What is known of an instruction ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per instruction and meaning, in the tables of isa/tables, which
// follow the chapters of the ISA guides: the executor, the checker, the hazard
// rules and the counters all read it, and none of them looks at a mnemonic. A
// mnemonic without a record of the chip's generation is not implemented.
//
// A line of a table names the instruction, then the facts, then the semantics:
// InstructionTables.cpp includes the tables for the facts, the executor's
// families include the same lines for the semantics (in place `index` of the
// array that belongs to `table`). Without LLVM: code that is compiled per host
// level includes it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_INSTRUCTIONRECORD_H
#define AIRCC_SIMULATOR_ISA_INSTRUCTIONRECORD_H

#include "simulator/isa/Generation.h"
#include "simulator/isa/InstructionFacts.h"

namespace aircc::sim {

struct InstructionRecord {
  /// Its mnemonic, then those of other generations: "v_add_u32|v_add_nc_u32".
  const char *names = "";
  InstructionTable table = {};
  Encoding encoding = {};
  /// The generations that have it, with this meaning.
  Generations generations = 0;
  OpClass opClass = OpClass::Unknown;
  TransferKind transfer = TransferKind::Any;
  Traits traits = 0;

  /// What stands at each place of the printed operands: 'd' is written, 's'
  /// read, 'b' both, 'a' read as an address, 'v' read as data of a store or an
  /// atomic, '-' neither. The last one counts for all that follow.
  const char *operands = "";
  /// Vector and scalar arithmetic: how operands are interpreted.
  ValueType dst = ValueType::None, dst2 = ValueType::None;
  ValueType src[3] = {ValueType::None, ValueType::None, ValueType::None};
  uint8_t sourceCount = 0;

  CounterClass counter = CounterClass::None;
  AccessKind access = AccessKind::None;
  MemoryFormat format = {};  ///< Of a load or a store.
  AtomicOp atomic = {};      ///< Of an atomic.
  ShapeOfControl shape = {}; ///< Of a control instruction.
  uint16_t index = 0;        ///< In its table.

  bool has(Traits wanted) const { return (traits & wanted) == wanted; }
  bool hasAny(Traits wanted) const { return (traits & wanted) != 0; }
  bool isIn(Generation generation) const {
    return generations >> static_cast<unsigned>(generation) & 1;
  }
  CostClass cost() const;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_INSTRUCTIONRECORD_H
