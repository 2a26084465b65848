//===- InstructionTables.h - The records of all instructions ----*- C++ -*-===//
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

/// The record of a printed mnemonic (without _e32, _e64, _dpp, _sdwa) on a
/// generation, or null. `clamped`: preferably the one that saturates.
const InstructionRecord *findRecord(llvm::StringRef mnemonic,
                                    Generation generation,
                                    bool clamped = false);

/// That of V_MOV_B32, which others are made of.
const InstructionRecord &moveRecord();

/// All records of a table, in its order.
llvm::ArrayRef<InstructionRecord> recordsOf(InstructionTable table);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_INSTRUCTIONTABLES_H
