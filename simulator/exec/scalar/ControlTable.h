//===- ControlTable.h - Control instructions as data ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_SCALAR_CONTROLTABLE_H
#define AIRCC_SIMULATOR_EXEC_SCALAR_CONTROLTABLE_H

#include "simulator/exec/Bind.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace aircc::sim {

/// Real time in ticks of 100 MHz.
uint64_t realTime();

/// How SOPP and friends take their operands.
enum class ControlShape {
  None,       ///< the 16-bit immediate at most
  Dest,       ///< one 64-bit destination
  Source,     ///< one 64-bit source
  DestSource, ///< 64-bit destination and source
  DestRaw,    ///< 32-bit destination; the immediate says what
  SetReg,     ///< the immediate says what; a 32-bit source, perhaps a literal
  Source32,   ///< one 32-bit source, then an immediate
  Sources,    ///< two 64-bit sources
  Sources32,  ///< two 32-bit sources
  Dest32,     ///< one 32-bit destination, then an immediate
  Move32,     ///< 32-bit destination and source
};

struct ControlEntry {
  const char *name;
  Handler handler;
  ControlShape shape;
  uint32_t flags = 0;
};

/// The instructions of one file, found by name.
class ControlTable {
public:
  explicit ControlTable(llvm::ArrayRef<ControlEntry> entries);
  /// Fills `op` where the table has `name`; its immediate is the instruction's
  /// low 16 bits.
  bool bind(BindContext &context, llvm::StringRef name, const AsmInst &inst,
            Op &op) const;

private:
  llvm::StringMap<const ControlEntry *> index;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_SCALAR_CONTROLTABLE_H
