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

namespace aircc::sim {

/// Returns the real time in 100 MHz ticks.
uint64_t realTime();

// Return the handlers of the tables Control, Branch, Registers and Barrier, in
// their order.
llvm::ArrayRef<Handler> controlHandlers();
llvm::ArrayRef<Handler> branchHandlers();
llvm::ArrayRef<Handler> registerHandlers();
llvm::ArrayRef<Handler> barrierHandlers();

} // namespace aircc::sim

/// Turns a line of isa/tables into an element of an array of handlers.
#define CONTROL(NAMES, ENCODING, GENERATIONS, CLASS, TRAITS, COUNTER, SHAPE,   \
                OPERANDS, ...)                                                 \
  __VA_ARGS__,

#endif // AIRCC_SIMULATOR_EXEC_SCALAR_CONTROLTABLE_H
