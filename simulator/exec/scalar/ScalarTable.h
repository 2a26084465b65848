//===- ScalarTable.h - What scalar instructions compute ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// An entry reads like the manual: the name, the widths of the destination and
// sources in dwords, and the computation of the result and SCC. Reference:
// CDNA3 ISA guide, "SOP2", "SOPK", "SOP1" and "SOPC Instructions".
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_SCALAR_SCALARTABLE_H
#define AIRCC_SIMULATOR_EXEC_SCALAR_SCALARTABLE_H

#include "simulator/isa/InstructionFacts.h"

#include <cstdint>

namespace aircc::sim {

/// Computes the result (ignored for comparisons) and SCC of an operation. For
/// operations with an immediate, `a` is the old destination and `b` the
/// immediate.
using ScalarKernel = uint64_t (*)(uint64_t a, uint64_t b, bool &scc);

/// Returns a kernel of the tables ScalarInteger, ScalarFloat and
/// ScalarImmediate.
const ScalarKernel *scalarKernel(InstructionTable table, unsigned index);
const ScalarKernel *scalarFloatKernel(unsigned index);

} // namespace aircc::sim

// Turns the lines of isa/tables into elements of an array of kernels.
#define AIRCC_SCALAR_KERNEL(...)                                               \
  [](u64 a, u64 b, bool &scc) -> u64 {                                         \
    (void)a;                                                                   \
    (void)b;                                                                   \
    (void)scc;                                                                 \
    __VA_ARGS__                                                                \
  },
#define SCALAR(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, ...)   \
  AIRCC_SCALAR_KERNEL(__VA_ARGS__)

#endif // AIRCC_SIMULATOR_EXEC_SCALAR_SCALARTABLE_H
