//===- MatrixFused.h - Fused sums, vector by vector -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The fused sums of gfx942, faster than in MatrixMultiply.h, for inputs whose
// exponents are in the range of nearly all data. In this range,
//
// - a product of two factors is exact in f32;
// - multiplication by a power of two converts the relevant bits of a product to
//   an integer; this power is a normal f32, and its exponent field fits into a
//   byte;
// - the sum with C is a 32-bit integer, which is rounded by its conversion.
//
// The exponent field of the power is F = 127 + 24 - (exponent of A + exponent
// of B). The least F of a group belongs to the largest product. Each factor
// contributes a byte to F, and four consecutive elements along K are packed
// into one dword, so that one addition computes F for four products.
//
// This is a part of MatrixKernels.cpp, which is compiled once for each level of
// the host's vector instructions (MatrixKernels.h). Nothing here may have
// external linkage, and no inline function of another header may be called.
// Otherwise, the linker could use a copy that was compiled for a newer level.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXFUSED_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXFUSED_H

#include "simulator/exec/matrix/MatrixMultiply.h"

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
namespace {

using Bytes = uint8_t __attribute__((vector_size(4 * kWidth)));
using Unsigneds = uint32_t __attribute__((vector_size(4 * kWidth)));

/// The exponents to which the bytes of the factors are relative: 127 + 24
/// together.
constexpr int32_t kExponentBiasA = 75, kExponentBiasB = 76;
/// The byte of a zero. Its sum saturates, which no other sum does.
constexpr int32_t kZeroByte = 255;
constexpr int32_t kExponentMask = 0x7f800000;

/// The exponents of A or B by lane, with four k in each dword.
struct ExponentQuads {
  alignas(64) int32_t dwords[kMaxK / 4 * kLanes];
};

/// Returns whether the exponents of all products satisfy the conditions above.
bool exponentsFit(const Decoded &a, const Decoded &b) {
  constexpr int32_t kLeast = -100, kMost = 60;
  return !a.special && !b.special && a.largest <= kMost && b.largest <= kMost &&
         a.smallest >= kLeast && b.smallest >= kLeast &&
         127 + kFraction - (a.smallest + b.smallest) < kZeroByte - 1;
}

/// Returns the exponent fields of the values at four offsets, as bytes.
KERNEL_INLINE Ints exponentFields(const float *values, const uint16_t *offset) {
  auto shifted = [&](unsigned n) KERNEL_INLINE_LAMBDA {
    return (Unsigneds)loadFloats(values + offset[n]) << 1;
  };
  constexpr uint32_t kField = 0xff000000;
  return (Ints)(shifted(0) >> 24 | (shifted(1) & kField) >> 16 |
                (shifted(2) & kField) >> 8 | (shifted(3) & kField));
}

/// Returns the bytes of packExponents for exponent fields of values in range.
KERNEL_INLINE Ints bytesOfFields(Ints fields, const Decoded &from,
                                 int32_t bias) {
  const Bytes zero{}, field = (Bytes)fields;
  const Bytes denormal =
      zero + static_cast<uint8_t>(from.denormalExponent + 127);
  const Bytes base = zero + static_cast<uint8_t>(bias + 127);
  const Bytes byte = base - (field > denormal ? field : denormal);
  return (Ints)(byte | (Bytes)(field == zero));
}

/// Fills `lanes` dwords for each four of the first `count` elements along K.
/// With kFromValues, the exponents are those of the values; otherwise, they are
/// in from.ints.
template <bool kFromValues>
void packExponents(const Decoded &from, const uint16_t *offset, unsigned count,
                   unsigned lanes, int32_t bias, ExponentQuads &to) {
  auto packed = [&](const uint16_t *at, unsigned l) KERNEL_INLINE_LAMBDA {
    if constexpr (kFromValues)
      return bytesOfFields(exponentFields(from.floats + l, at), from, bias);
    Ints bytes{};
    for (unsigned n = 0; n < 4; ++n) {
      Ints byte = bias - loadInts(from.ints + at[n] + l);
      bytes |= (byte > kZeroByte ? Ints{} + kZeroByte : byte) << (8 * n);
    }
    return bytes;
  };
  for (unsigned quad = 0; quad < count / 4; ++quad)
    for (unsigned l = 0; l < lanes; l += kWidth)
      storeVector(to.dwords + quad * kLanes + l, packed(offset + 4 * quad, l));
}

KERNEL_INLINE Ints lesserBytes(Ints a, Ints b) {
  Bytes x = (Bytes)a, y = (Bytes)b;
  return (Ints)(x < y ? x : y);
}
template <bool kSaturates> KERNEL_INLINE Ints addBytes(Ints a, Ints b) {
  if constexpr (!kSaturates)
    return a + b; // No byte overflows into the next.
  Bytes sum = (Bytes)a + (Bytes)b;
  return (Ints)(sum | (Bytes)(sum < (Bytes)a));
}
template <unsigned kBits> KERNEL_INLINE Ints rotate(Ints v) {
  return v << kBits | (Ints)((Unsigneds)v >> (32 - kBits));
}

KERNEL_INLINE Ints toInts(Floats v) { return __builtin_convertvector(v, Ints); }
KERNEL_INLINE Floats toFloats(Ints v) {
  return __builtin_convertvector(v, Floats);
}

/// Converts to an integer, rounding down or toward zero.
template <bool kTruncate> KERNEL_INLINE Ints toIntsRounded(Floats v) {
  if constexpr (kTruncate)
    return toInts(v);
#if AIRCC_MATRIX_WIDTH == 16
  return (Ints)_mm512_cvt_roundps_epi32((__m512)v, _MM_FROUND_TO_NEG_INF |
                                                       _MM_FROUND_NO_EXC);
#elif AIRCC_MATRIX_WIDTH == 8
  return toInts((Floats)_mm256_floor_ps((__m256)v));
#else
  Ints truncated = toInts(v);
  return truncated + (toFloats(truncated) > v); // A true lane is -1.
#endif
}

/// Shifts right, rounding down or toward zero. Amounts below 0 do not matter.
template <bool kTruncate>
KERNEL_INLINE Ints shiftRounded(Ints value, Ints amount) {
#if AIRCC_MATRIX_WIDTH == 16
  if constexpr (!kTruncate)
    return (Ints)_mm512_srav_epi32((__m512i)value, (__m512i)amount);
#elif AIRCC_MATRIX_WIDTH == 8
  if constexpr (!kTruncate)
    return (Ints)_mm256_srav_epi32((__m256i)value, (__m256i)amount);
#endif
  amount = (amount > 31 ? Ints{} + 31 : amount) & 31;
  if constexpr (!kTruncate)
    return value >> amount;
  Ints sign = value >> 31;
  return (((value ^ sign) - sign) >> amount ^ sign) - sign;
}

/// Returns C + sum if C is so large that the bits of both do not fit in 32
/// bits, because its exponent is at least 6 larger than that of the sum. C is
/// in units of 2^-28 of its exponent. Bits of the sum below 2^-31 are dropped;
/// its other bits below the unit are combined into the lowest one.
template <bool kTruncate>
KERNEL_INLINE Floats addToLargeC(Ints sum, Floats scaledC, Floats c) {
  constexpr int32_t kUnit = 28;
  Ints apart = ((Ints)scaledC >> 23 & 255) - (127 + kFraction);
  Ints fine = shiftRounded<kTruncate>(sum << 1, apart - 6);
  constexpr int32_t kDropped = (1 << (kSumFraction - kUnit)) - 1;
  Ints coarse = fine >> (kSumFraction - kUnit);
  // A true lane is -1.
  coarse |= -((fine & kDropped) != 0);
  Ints bits = (Ints)c;
  Floats significand = (Floats)((bits & ~kExponentMask) | (127 + kUnit) << 23);
  Floats total = toFloats(toInts(significand) + coarse);
  return total * powerOf2(-kUnit) * (Floats)(bits & kExponentMask);
}

/// Returns C plus `sum`, which is in units of 1 / scale, for any C other than
/// infinity and NaN. One sticky bit replaces the bits below 2^-29 of C's
/// exponent, so that the sum has 32 bits.
KERNEL_INLINE Floats addSumToAnyC(Ints sum, Ints scale, Floats c) {
  constexpr uint32_t kLeastUnit = (2 * 127 + 29u) << 23;
  Unsigneds fromC = kLeastUnit - (Unsigneds)((Ints)c & kExponentMask);
  Unsigneds unit = fromC < (Unsigneds)scale ? fromC : (Unsigneds)scale;
  // Keep two more bits, so that what is below 2^-31 is dropped.
  Ints fine =
      shiftRounded<false>(sum << 2, (Ints)((Unsigneds)scale - unit) >> 23);
  Ints coarse = (fine | ((fine & 3) + 3)) >> 2;
  Ints units = toIntsRounded<false>(c * (Floats)unit);
  return toFloats(coarse + units) * (Floats)(0x7f000000 - unit);
}

/// Returns C plus `sum`, which is in units of 1 / scale, like addToC in
/// MatrixMultiply.h. C is not NaN. With kAny, all products may be zero, and
/// scaling C may give zero.
template <bool kTruncate, bool kAny>
KERNEL_INLINE Floats addSumToC(Ints sum, Ints scale, Floats c) {
  // 2^30. From there on, the exponent of C exceeds that of the sum by at least
  // 6, and addToLargeC is needed.
  constexpr int32_t kLarge = (127 + 30) << 23;
  Floats scaled = c * (Floats)scale;
  Ints units = toIntsRounded<kTruncate>(scaled);
  if constexpr (kAny && !kTruncate)
    units = ((scaled == 0.0f) & (c < 0.0f)) ? Ints{} - 1 : units;
  Floats total = toFloats(sum + units);
  Floats result = total * (Floats)(0x7f000000 - scale);
  Ints large = ((Ints)scaled & 0x7fffffff) >= kLarge;
  if (anyLane(large)) {
    Floats other = addToLargeC<kTruncate>(sum, scaled, c);
    result = large ? other : result;
  }
  if constexpr (kAny) {
    Ints none = scale == kExponentMask;
    result = none ? c + 0.0f : result;
  }
  return result;
}

/// Conditions on C and the sums along K.
enum class FusedRange {
  Usual,  ///< No value is zero, and C is at most about 2^6 times a product.
  LargeC, ///< No value is zero.
  Any,
};

/// A row of A and its exponents in one step along k.
template <unsigned kCount> struct FusedRow {
  Floats a[kCount];
  Ints quads[kCount / 4];

  /// Returns the least sums of the exponent bytes of A and B, separately for
  /// each position in four consecutive elements along K.
  template <bool kAny>
  KERNEL_INLINE Ints leastBytes(const int32_t *const *bQuads,
                                unsigned j) const {
    Ints least = addBytes<kAny>(quads[0], loadInts(bQuads[0] + j));
    for (unsigned n = 1; n < kCount / 4; ++n)
      least =
          lesserBytes(least, addBytes<kAny>(quads[n], loadInts(bQuads[n] + j)));
    return lesserBytes(least, rotate<16>(least));
  }
  /// Returns the products of every kStride-th k from kFirst on, in units of 1 /
  /// scale.
  template <unsigned kFirst, unsigned kStride>
  KERNEL_INLINE Ints sum(const float *const *b, unsigned j, Ints scale) const {
    Ints total{};
    for (unsigned n = kFirst; n < kCount; n += kStride)
      total += toInts(a[n] * loadFloats(b[n] + j) * (Floats)scale);
    return total;
  }
};

/// Returns C plus the products of one step.
template <unsigned kCount, bool kPaired, FusedRange kRange>
KERNEL_INLINE Floats addStep(const FusedRow<kCount> &row, const float *const *b,
                             const int32_t *const *bQuads, unsigned j,
                             Floats c) {
  constexpr bool kAny = kRange == FusedRange::Any;
  Ints bytes = row.template leastBytes<kAny>(bQuads, j);
  if constexpr (!kPaired) {
    bytes = lesserBytes(bytes, rotate<8>(bytes));
    Ints scale = bytes >> 1 & kExponentMask;
    Ints sum = row.template sum<0, 1>(b, j, scale);
    if constexpr (kRange == FusedRange::LargeC)
      return addSumToAnyC(sum, scale, c);
    return addSumToC<false, kAny>(sum, scale, c);
  } else {
    Ints oddScale = bytes >> 1 & kExponentMask;
    Ints evenScale = bytes << 7 & kExponentMask;
    Ints even = row.template sum<0, 2>(b, j, evenScale);
    Ints odd = row.template sum<1, 2>(b, j, oddScale);
    if constexpr (kAny) {
      even = evenScale == kExponentMask ? Ints{} : even;
      odd = oddScale == kExponentMask ? Ints{} : odd;
    }
    Ints scale = evenScale < oddScale ? evenScale : oddScale;
    Ints sum = shiftRounded<true>(even, (evenScale - scale) >> 23) +
               shiftRounded<true>(odd, (oddScale - scale) >> 23);
    return addSumToC<true, kAny>(sum, scale, c);
  }
}

template <unsigned kCount, bool kPaired, FusedRange kRange>
__attribute__((noinline)) void
multiplyFusedInRange(const Job &job, const ExponentQuads &aQuads,
                     const ExponentQuads &bQuads) {
  for (unsigned block = 0; block < job.blocks; ++block) {
    const unsigned aBase = job.aBlock[block] * job.aBlockStride;
    const unsigned bBase = block * job.bBlockStride;
    const uint16_t *rows = job.rowOffset + block * job.rows;
    for (unsigned k = 0; k < job.k; k += kCount) {
      const float *a[kCount], *b[kCount];
      const int32_t *aOfQuad[kCount / 4], *bOfQuad[kCount / 4];
      for (unsigned n = 0; n < kCount; ++n) {
        a[n] = job.a->floats + job.aOffset[k + n] + aBase;
        b[n] = job.b->floats + job.bOffset[k + n] + bBase;
      }
      for (unsigned n = 0; n < kCount / 4; ++n) {
        const unsigned quad = (k / 4 + n) * kLanes;
        aOfQuad[n] = aQuads.dwords + quad + aBase;
        bOfQuad[n] = bQuads.dwords + quad + bBase;
      }
      for (unsigned i = 0; i < job.rows; ++i) {
        FusedRow<kCount> row;
        for (unsigned n = 0; n < kCount; ++n)
          row.a[n] = a[n][i] - Floats{};
        for (unsigned n = 0; n < kCount / 4; ++n)
          row.quads[n] = aOfQuad[n][i] + Ints{};
        float *to = job.accumulator + rows[i];
        for (unsigned j = 0; j < job.columns; j += kWidth)
          storeVector(to + j, addStep<kCount, kPaired, kRange>(
                                  row, b, bOfQuad, j, loadFloats(to + j)));
      }
    }
  }
}

/// `largestC` is the exponent of the largest element of C.
template <unsigned kCount, bool kPaired>
void multiplyFusedValues(const Job &job, int32_t largestC) {
  ExponentQuads a, b;
  packExponents<!kPaired>(*job.a, job.aOffset, job.k, job.rows * job.blocks,
                          kExponentBiasA, a);
  packExponents<!kPaired>(*job.b, job.bOffset, job.k, job.columns * job.blocks,
                          kExponentBiasB, b);
  // Scales of 1 and more keep all bits of C.
  const int32_t largest = job.a->largest + job.b->largest;
  if (job.a->zeros || job.b->zeros || largest > kFraction)
    return multiplyFusedInRange<kCount, kPaired, FusedRange::Any>(job, a, b);
  if constexpr (!kPaired)
    if (largestC >= largest + 6 && largestC < 100)
      return multiplyFusedInRange<kCount, kPaired, FusedRange::LargeC>(job, a,
                                                                       b);
  multiplyFusedInRange<kCount, kPaired, FusedRange::Usual>(job, a, b);
}

/// Returns whether all elements, which are below 2^(largest + 1), are multiples
/// of 2^unit. Tries 2^coarse first, which is a multiple of 2^unit, is faster to
/// check, and divides the elements of most matrices.
bool areMultiples(const float *values, unsigned count, int32_t largest,
                  int32_t unit, int32_t coarse) {
  if (largest < coarse + 22) {
    // Adding a number whose last bit is 2^coarse does not change any multiple
    // of it.
    const float shift = 1.5f * powerOf2(coarse + 23);
    Ints bad{};
    for (unsigned l = 0; l < count * kLanes; l += kWidth) {
      Floats value = loadFloats(values + l);
      bad |= (value + shift) - shift != value;
    }
    if (!anyLane(bad))
      return true;
  }
  Ints bad{};
  for (unsigned l = 0; l < count * kLanes; l += kWidth) {
    Ints magnitude = (Ints)loadFloats(values + l) & 0x7fffffff;
    Floats scaled = (Floats)magnitude * powerOf2(-unit);
    // A value of 2^23 units or more has no fraction.
    Floats whole = (scaled + 0x1p23f) - 0x1p23f;
    bad |= (scaled < 0x1p23f) & (whole != scaled);
  }
  return !anyLane(bad);
}

/// Returns whether all sums are exact until C is added, as they are for values
/// of few bits, such as small integers. Every product is a multiple of 2^unit,
/// and the sum of a group, which is below 2^(largest + 5), has at most 24 bits.
bool isExact(const MatrixPlan &plan, const Job &job, int32_t largestC) {
  const Decoded &a = *job.a, &b = *job.b;
  constexpr int32_t kMost = 24 - 5;
  const int32_t largest = a.largest + b.largest;
  if (a.fractionBits + b.fractionBits > kMost || largest > kFraction ||
      largest < -60)
    return false;
  const int32_t unit =
      a.smallest - a.fractionBits + b.smallest - b.fractionBits;
  // All bits of C are relevant to sums with any product, and C stays below
  // 2^(unit + 30) in sixteen groups.
  return largest - unit <= kMost && unit <= largest && largestC < unit + 29 &&
         areMultiples(job.accumulator, plan.cRegs, largestC,
                      largest - kFraction, unit);
}

/// Returns a * b + c without any rounding, by the faster method.
KERNEL_INLINE Floats addExact(Floats a, Floats b, Floats c) {
  return kWidth > 4 ? multiplyAdd(a, b, c) : a * b + c;
}

/// Computes sums for which isExact holds.
template <unsigned kGroup, unsigned kVectors>
__attribute__((noinline)) void multiplyExact(const Job &job) {
  constexpr unsigned kRows = 4;
  forTiles<kRows, kVectors>(
      job, [&](const float *a, const float *b, auto at) KERNEL_INLINE_LAMBDA {
        for (unsigned k = 0; k < job.k; k += kGroup) {
          Floats sums[kRows][kVectors] = {};
          addProducts(job, a, b, k, k + kGroup, sums, addExact);
          for (unsigned r = 0; r < kRows; ++r)
            for (unsigned v = 0; v < kVectors; ++v)
              storeVector(at(r, v), loadFloats(at(r, v)) + sums[r][v]);
        }
      });
}
template <unsigned kGroup> void multiplyExact(const Job &job) {
  hasPairsOfVectors(job) ? multiplyExact<kGroup, 2>(job)
                         : multiplyExact<kGroup, 1>(job);
}

/// Multiplies inputs in Form::Scaled for which exponentsFit holds.
void multiplyFusedValues(const MatrixPlan &plan, const Job &job,
                         int32_t largestC) {
  if (plan.arithmetic == MatrixArithmetic::FusedPaired)
    multiplyFusedValues<16, true>(job, largestC);
  else if (isExact(plan, job, largestC))
    job.group == 8 ? multiplyExact<8>(job) : multiplyExact<4>(job);
  else if (job.group == 8)
    multiplyFusedValues<8, false>(job, largestC);
  else
    multiplyFusedValues<4, false>(job, largestC);
}

} // namespace
} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXFUSED_H
