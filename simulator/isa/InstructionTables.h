//===- InstructionTables.h - Records of all instructions --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_INSTRUCTIONTABLES_H
#define AIRCC_SIMULATOR_ISA_INSTRUCTIONTABLES_H

#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace aircc::sim {

/// Returns the record of a mnemonic (without _e32, _e64, _dpp, _sdwa) in a
/// generation, or null. If `clamped` is set, prefers the record that saturates.
const InstructionRecord *findRecord(llvm::StringRef mnemonic,
                                    Generation generation,
                                    bool clamped = false);

/// Returns the record of V_MOV_B32, of which other instructions are composed.
const InstructionRecord &moveRecord();

/// Returns all records of a table, in order.
llvm::ArrayRef<InstructionRecord> recordsOf(InstructionTable table);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_INSTRUCTIONTABLES_H
