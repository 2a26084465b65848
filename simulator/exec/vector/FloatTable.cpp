//===- FloatTable.cpp - f32, f64 and f16 arithmetic -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// VOP1, VOP2 and VOP3 instructions that compute in floating point, as listed in
// isa/tables/VectorFloat.def. Reference: CDNA3 ISA guide, chapter 12
// ("Instructions"), "VOP1", "VOP2", "VOP3A".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <limits>

namespace aircc::sim {
namespace {

/// This flushes denormals in any MODE.
LANE_INLINE float flushingMad(float a, float b, float c) {
  return flushed(flushed(flushed(a) * flushed(b)) + flushed(c));
}

const LaneKernel kKernels[] = {
#include "simulator/isa/tables/VectorFloat.def"
};

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable floatTable() { return {kKernels, std::size(kKernels)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
