//===- IntegerTable.cpp - Integer and bit arithmetic ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// VOP1, VOP2 and VOP3 instructions that compute on integers and bits, as listed
// in isa/tables/VectorInteger.def. Reference: CDNA3 ISA guide, chapter 12.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/LaneSupport.h"

#include <iterator>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aircc::sim {
namespace {

LANE_INLINE i32 signExtend24(u32 v) { return static_cast<i32>(v << 8) >> 8; }
template <class T> LANE_INLINE T minOf(T a, T b) { return a < b ? a : b; }
template <class T> LANE_INLINE T maxOf(T a, T b) { return a > b ? a : b; }
template <class T> LANE_INLINE T med3Of(T a, T b, T c) {
  return maxOf(minOf(a, b), minOf(maxOf(a, b), c));
}
LANE_INLINE u16 saturateU16(i32 v) {
  return v < 0 ? 0 : v > 0xffff ? 0xffff : v;
}
LANE_INLINE i16 saturateI16(i32 v) {
  return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v;
}
LANE_INLINE u32 bitReverse(u32 v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}
LANE_INLINE u32 popcount(u32 v) {
  v = v - (v >> 1 & 0x55555555);
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  return ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
/// V_FFBH_U32 returns the number of leading zeros, or -1 for 0. V_FFBH_I32
/// returns the number of leading bits equal to the sign, or -1 for 0 and -1.
LANE_INLINE u32 firstHigh(u32 v) { return v ? __builtin_clz(v) : ~0u; }
LANE_INLINE u32 firstHighSigned(i32 v) {
  u32 flipped = v < 0 ? ~v : v;
  return flipped ? __builtin_clz(flipped) : ~0u;
}
LANE_INLINE u32 firstLow(u32 v) { return v ? __builtin_ctz(v) : ~0u; }
LANE_INLINE u32 sadU8(u32 a, u32 b) {
  u32 sum = 0;
  for (int k = 0; k < 32; k += 8) {
    i32 x = a >> k & 0xff, y = b >> k & 0xff;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}
/// Bytes for which the reference, b, is zero do not count.
LANE_INLINE u32 msadU8(u32 a, u32 b) {
  u32 sum = 0;
  for (int k = 0; k < 32; k += 8) {
    i32 x = a >> k & 0xff, y = b >> k & 0xff;
    sum += y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}
/// Returns one byte of V_PERM_B32: 0 to 3 are those of S1, 4 to 7 those of S0,
/// and 8 to 11 the signs of bytes 1, 3, 5 and 7. Branch-free, so that rows are
/// vectorized.
LANE_INLINE u32 permByte(u32 a, u32 b, u32 select) {
  const bool isSign = select >= 8;
  u32 index = isSign ? 2 * (select & 3) + 1 : select & 7;
  u32 byte = (index & 4 ? a : b) >> (8 * (index & 3)) & 0xff;
  u32 sign = byte & 0x80 ? 0xff : 0;
  u32 constant = select >= 13 ? 0xff : 0;
  return select >= 12 ? constant : isSign ? sign : byte;
}
LANE_INLINE u32 permute(u32 a, u32 b, u32 select) {
  u32 out = 0;
  for (int k = 0; k < 32; k += 8)
    out |= permByte(a, b, select >> k & 0xff) << k;
  return out;
}
void runPermute(u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *c,
                unsigned lanes) {
  unsigned done = 0;
#if defined(__AVX2__)
  auto load = [](const u32 *row) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(row));
  };
  // This is the first byte of each dword, within its 128 bits.
  const __m256i first =
      _mm256_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c, 0, 0x04040404,
                        0x08080808, 0x0c0c0c0c);
  for (; done < lanes; done += 8) {
    const __m256i select = load(c + done);
    // Selectors of signs and constants take the general path.
    if (!_mm256_testz_si256(select, _mm256_set1_epi8(static_cast<char>(0xf8))))
      break;
    const __m256i byte =
        _mm256_or_si256(_mm256_and_si256(select, _mm256_set1_epi8(3)), first);
    const __m256i fromA = _mm256_shuffle_epi8(load(a + done), byte);
    const __m256i fromB = _mm256_shuffle_epi8(load(b + done), byte);
    // The sign of each byte is bit 2 of its selector.
    const __m256i isA = _mm256_slli_epi32(select, 5);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(d + done),
                        _mm256_blendv_epi8(fromB, fromA, isA));
  }
#endif
  for (unsigned i = done; i < lanes; ++i)
    d[i] = permute(a[i], b[i], c[i]);
}
LANE_INLINE u32 bitfieldMask(u32 width) { return (1u << (width & 31)) - 1; }
LANE_INLINE u32 bfeU32(u32 a, u32 b, u32 c) {
  return a >> (b & 31) & bitfieldMask(c);
}
LANE_INLINE i32 bfeI32(i32 a, u32 b, u32 c) {
  u32 width = c & 31;
  u32 field = static_cast<u32>(a >> (b & 31)) & bitfieldMask(c);
  u32 sign = width ? 1u << (width - 1) : 0;
  return static_cast<i32>((field ^ sign) - sign);
}
template <class F> LANE_INLINE Both<u32, bool> carry(u64 wide, F out) {
  return {static_cast<u32>(wide), out(wide)};
}

const LaneKernel kKernels[] = {
#include "simulator/isa/tables/VectorInteger.def"
};

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable integerTable() { return {kKernels, std::size(kKernels)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
