//===- DecodeTables.h - Private state of the decoder ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_DECODETABLES_H
#define AIRCC_SIMULATOR_ISA_DECODETABLES_H

#include "simulator/isa/Decode.h"
#include "simulator/isa/MCTables.h"

#include "llvm/ADT/DenseMap.h"

namespace aircc::sim {

struct InstructionDecoder::Tables {
  std::unique_ptr<MCTables> mc;
  /// A cache of pseudoOf(), by register.
  llvm::DenseMap<unsigned, unsigned> pseudoOf;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_DECODETABLES_H
