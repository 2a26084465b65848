//===- InstructionRecord.h - Description of an instruction ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The tables in isa/tables are arranged like the chapters of the ISA guides.
// Each line is one record: an instruction with one meaning. The executor, the
// checker, the hazard rules and the counters read records and never test
// mnemonics. An instruction without a record for the chip's generation is not
// implemented.
//
// A line lists the names, then the properties, then the semantics.
// InstructionTables.cpp includes the tables to get the properties; the families
// of the executor include the same lines to get the semantics, as element
// `index` of an array for each table.
//
// The macro of a line and, for memory, the encoding determine the class of an
// instruction. The class and the types determine the cost (cost()). Only
// CONTROL lines name the class.
//
// This header does not use LLVM, because code that is compiled once for each
// level of the host's vector instructions includes it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_INSTRUCTIONRECORD_H
#define AIRCC_SIMULATOR_ISA_INSTRUCTIONRECORD_H

#include "simulator/isa/Generation.h"
#include "simulator/isa/InstructionFacts.h"

namespace aircc::sim {

struct InstructionRecord {
  /// The mnemonics in all generations: "v_add_u32|v_add_nc_u32".
  const char *names = "";
  InstructionTable table = {};
  Encoding encoding = {};
  /// The generations that have the instruction with this meaning.
  Generations generations = 0;
  OpClass opClass = OpClass::Unknown;
  TransferKind transfer = TransferKind::Any;
  Traits traits = 0;

  /// One letter for each operand in the assembly syntax: 'd' is written, 's' is
  /// read, 'b' is both, 'a' is read as an address, 'v' is read as the data of a
  /// store or atomic, and '-' is neither read nor written. The last letter also
  /// applies to all further operands.
  const char *operands = "";
  /// Vector and scalar arithmetic: the types of the operands
  ValueType dst = ValueType::None, dst2 = ValueType::None;
  ValueType src[3] = {ValueType::None, ValueType::None, ValueType::None};
  uint8_t sourceCount = 0;

  CounterClass counter = CounterClass::None;
  AccessKind access = AccessKind::None;
  MemoryFormat format = {};  ///< Loads and stores only.
  AtomicOp atomic = {};      ///< Atomics only.
  ShapeOfControl shape = {}; ///< Control instructions only.
  uint16_t index = 0;        ///< The position in its table.

  bool has(Traits wanted) const { return (traits & wanted) == wanted; }
  bool hasAny(Traits wanted) const { return (traits & wanted) != 0; }
  bool isIn(Generation generation) const {
    return generations >> static_cast<unsigned>(generation) & 1;
  }
  /// Returns the class of the instruction in the counters. f64 arithmetic has
  /// its own cost.
  CostClass cost() const;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_INSTRUCTIONRECORD_H
