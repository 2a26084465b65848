//===- ScalarFloatTable.cpp - Scalar instructions on floats ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar floating-point instructions of gfx11.5 and gfx12. Reference: RDNA4 ISA
// guide, "SOP1", "SOP2" and "SOPC Instructions", and V_S_* of "VOP3".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/scalar/ScalarTable.h"
#include "simulator/exec/vector/FloatMath.h"
#include "simulator/isa/Floats.h"

#include "llvm/ADT/bit.h"
#include <cmath>

using namespace aircc::sim;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;

u32 lo(u64 v) { return static_cast<u32>(v); }
i32 slo(u64 v) { return static_cast<i32>(v); }
float f32(u64 v) { return llvm::bit_cast<float>(static_cast<u32>(v)); }
u64 bits(float v) { return llvm::bit_cast<u32>(v); }
float f16(u64 v) { return floats::withDefaultNan(floats::halfToFloat(lo(v))); }
u64 bits16(double v) { return floats::doubleToHalf(v); }
float quietMin(float a, float b) {
  return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? a : b;
}
float quietMax(float a, float b) {
  return a != a ? b : b != b ? a : a > b || (a == b && std::signbit(b)) ? a : b;
}
float minimum(float a, float b) {
  return a != a ? a : b != b ? b : quietMin(a, b);
}
float maximum(float a, float b) {
  return a != a ? a : b != b ? b : quietMax(a, b);
}
u64 towardZero16(float v) {
  return floats::halfTowardZero(floats::withDefaultNan(v));
}

constexpr ScalarKernel kFloats[] = {
#include "simulator/isa/tables/ScalarFloat.def"
};

} // namespace

const ScalarKernel *aircc::sim::scalarFloatKernel(unsigned index) {
  return &kFloats[index];
}
