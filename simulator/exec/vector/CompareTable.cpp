//===- CompareTable.cpp - VOPC --------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Comparisons write one bit for each lane; v_cmpx also writes EXEC. In the
// names (CDNA3 ISA guide, "VOPC Instructions"), lg is less or greater (ordered,
// not equal), o and u are ordered and unordered, and the prefix n negates.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>
#include <limits>

namespace aircc::sim {
namespace {

const LaneKernel kKernels[] = {
#include "simulator/isa/tables/Compare.def"
};

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable compareTable() { return {kKernels, std::size(kKernels)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
