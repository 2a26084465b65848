//===- PackedTable.cpp - VOP3P: packed arithmetic and dot products --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The handlers have applied op_sel, op_sel_hi, neg_lo and neg_hi, so a packed
// source is a dword with its low and high value, in this order. CDNA3 ISA
// guide, "VOP3P Instructions". Dot products add in the manual's order, rounding
// after each step.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>
#include <limits>

namespace aircc::sim {
namespace {

template <class T> LANE_INLINE T minOf(T a, T b) { return a < b ? a : b; }
template <class T> LANE_INLINE T maxOf(T a, T b) { return a > b ? a : b; }
LANE_INLINE i32 byteOf(u32 v, unsigned k) {
  return static_cast<i8>(v >> 8 * k);
}
LANE_INLINE u32 ubyteOf(u32 v, unsigned k) { return v >> 8 * k & 0xff; }
LANE_INLINE i32 nibbleOf(u32 v, unsigned k) {
  return static_cast<i32>(v << (28 - 4 * k)) >> 28;
}
LANE_INLINE u32 unibbleOf(u32 v, unsigned k) { return v >> 4 * k & 0xf; }
LANE_INLINE float lowHalf(u32 v) { return halfToFloat(v & 0xffff); }
LANE_INLINE float highHalf(u32 v) { return halfToFloat(v >> 16); }
LANE_INLINE float lowBf16(u32 v) { return asF32(v << 16); }
LANE_INLINE float highBf16(u32 v) { return asF32(v & 0xffff0000); }

// Dot products of integers. The type of the sum determines whether it wraps
// (u32) or is exact (64 bits, for sums that saturate).
template <class Sum> LANE_INLINE Sum dotI8(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 4; ++k)
    c += static_cast<Sum>(byteOf(a, k) * byteOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotU8(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 4; ++k)
    c += static_cast<Sum>(ubyteOf(a, k) * ubyteOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotI4(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 8; ++k)
    c += static_cast<Sum>(nibbleOf(a, k) * nibbleOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotU4(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 8; ++k)
    c += static_cast<Sum>(unibbleOf(a, k) * unibbleOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotI16(u32 a, u32 b, Sum c) {
  return c + static_cast<Sum>(static_cast<i16>(a) * static_cast<i16>(b)) +
         static_cast<Sum>(static_cast<i16>(a >> 16) *
                          static_cast<i16>(b >> 16));
}
template <class Sum> LANE_INLINE Sum dotU16(u32 a, u32 b, Sum c) {
  return c + static_cast<Sum>((a & 0xffff) * (b & 0xffff)) +
         static_cast<Sum>((a >> 16) * (b >> 16));
}
/// Fused multiply-adds, beginning with the high product. Those of floats ignore
/// MODE: they round to nearest and flush f32 denormals. On CDNA ("6.4
/// Denormalized and Rounding Modes") and with bf16 ("7.2.4" of RDNA3), they
/// also flush 16-bit denormals.
LANE_INLINE float dotSteps(float ah, float bh, float al, float bl, float c) {
  c = flushed(__builtin_fmaf(ah, bh, flushed(c)));
  return flushed(__builtin_fmaf(al, bl, c));
}
LANE_INLINE float dotF16(u32 a, u32 b, float c) {
  return dotSteps(highHalf(a), highHalf(b), lowHalf(a), lowHalf(b), c);
}
LANE_INLINE u32 flushedHalves(u32 v) {
  return (v & 0x7c00 ? v & 0xffff : v & 0x8000) |
         (v & 0x7c000000 ? v & 0xffff0000 : v & 0x80000000);
}
LANE_INLINE float dotBf16(u32 a, u32 b, float c) {
  return dotSteps(flushed(highBf16(a)), flushed(highBf16(b)),
                  flushed(lowBf16(a)), flushed(lowBf16(b)), c);
}

const LaneKernel kKernels[] = {
#include "simulator/isa/tables/Packed.def"
};

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable packedTable() { return {kKernels, std::size(kKernels)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
