//===- Float8Table.cpp - fp8 and bf8 conversions --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// V_CVT_*_FP8 and V_CVT_*_BF8. gfx942 has the FNUZ formats (one zero, one NaN,
// no infinity); gfx950 and gfx12 have the OCP formats (entries with ".ocp").
// Values too large for the format become its NaN or, for OCP bf8, its infinity
// (MODE.FP16_OVFL is clear for HSA kernels). CDNA3 and CDNA4 ISA guides; OCP
// 8-bit floating point.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>

namespace aircc::sim {
namespace {

using floats::Bf8Fnuz;
using floats::Bf8Ocp;
using floats::Fp8Fnuz;
using floats::Fp8Ocp;

// d2 is the number of the byte.
template <class Format>
void decodeByte(u32 *d, u32 *d2, const u32 *a, const u32 *, const u32 *,
                unsigned lanes) {
  LANE_LOOP(F32::put(d, i, Format::decode(a[i] >> (8 * (d2[i] & 3)))))
}
template <class Format>
void decodePair(u32 *d, u32 *, const u32 *a, const u32 *, const u32 *,
                unsigned lanes) {
  LANE_LOOP(u32 v = a[i]; F32::put(d, i, Format::decode(v));
            F32::put(d, i + kRowLanes, Format::decode(v >> 8)))
}
/// Writes one byte of the destination, whose old value is c.
template <class Format>
void encodeStochastic(u32 *d, u32 *d2, const u32 *a, const u32 *b, const u32 *c,
                      unsigned lanes) {
  LANE_LOOP(u32 shift = 8 * (d2[i] & 3);
            d[i] = (c[i] & ~(0xffu << shift)) |
                   Format::encode(F32::get(a, i), true, b[i]) << shift)
}

template <class A, class B>
LANE_INLINE float dotOfBytes(u32 a, u32 b, float c) {
  for (unsigned k = 0; k < 32; k += 8)
    c = __builtin_fmaf(A::decode(a >> k), B::decode(b >> k), c);
  return c;
}

const LaneKernel kKernels[] = {
#include "simulator/isa/tables/Float8.def"
};

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable float8Table() { return {kKernels, std::size(kKernels)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
