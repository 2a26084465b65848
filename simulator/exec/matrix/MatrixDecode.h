//===- MatrixDecode.h - From registers to numbers ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the elements of A and B out of their registers.
//
// Part of MatrixKernels.cpp, which is compiled once for each level of the
// host's vector instructions (see MatrixKernels.h): nothing here may have
// external linkage, and no inline function of another header may be called,
// lest a copy made for a newer level serve an older one.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXDECODE_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXDECODE_H

#include "simulator/exec/matrix/MatrixBits.h"

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
namespace {

/// Rows of 64 lanes, one for each element of a lane. Which of the two arrays
/// hold something depends on Form.
struct Decoded {
  alignas(64) float floats[kMaxLaneElements * kLanes];
  alignas(64) int32_t ints[kMaxLaneElements * kLanes];
  // Of Split and Scaled:
  bool special = false;            ///< An infinity or a NaN is among them.
  int32_t largest = kZeroExponent; ///< Of the exponents.
  int32_t smallest = 0;            ///< Of those of other values than zero.
  bool zeros = false;
  int32_t fractionBits = 23; ///< Scaled: bits behind the first that may be set.
};

enum class Form {
  Value,   ///< floats: the values.
  Flushed, ///< floats: the values, denormals as +0.
  Split,   ///< floats: significands; ints: exponents, kZeroExponent for zeros.
  Scaled,  ///< floats: the values; ints: exponents, as of Split.
  Integer, ///< ints: the values.
};

struct Source {
  const uint32_t *rows;
  unsigned stride, lanes;
  /// For sixteen-lane group g of the wave: which group its lanes are read from.
  uint8_t groups[4];
};

/// Element `e`, `bits` wide, of all lanes.
KERNEL_INLINE void extract(const Source &source, unsigned bits, unsigned e,
                           uint32_t *out) {
  unsigned position = e * bits, shift = position % 32;
  const uint32_t *low = source.rows + position / 32 * source.stride;
  uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  bool straddles = shift + bits > 32;
  const uint32_t *high = straddles ? low + source.stride : low;
  for (unsigned g = 0; g < source.lanes / 16; ++g) {
    const uint32_t *lowGroup = low + source.groups[g] * 16;
    const uint32_t *highGroup = high + source.groups[g] * 16;
    uint32_t *to = out + g * 16;
    if (straddles)
      for (unsigned l = 0; l < 16; ++l)
        to[l] = (lowGroup[l] >> shift | highGroup[l] << (32 - shift)) & mask;
    else
      for (unsigned l = 0; l < 16; ++l)
        to[l] = lowGroup[l] >> shift & mask;
  }
}

/// Splits IEEE-like patterns into significand and exponent.
template <int kExponentBits, int kMantissaBits>
KERNEL_INLINE void split(const uint32_t *bits, unsigned lanes,
                         float *significands, int32_t *exponents,
                         Decoded &out) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr uint32_t kOnes = (1u << kExponentBits) - 1;
  int32_t special = 0, largest = out.largest;
  for (unsigned l = 0; l < lanes; ++l) {
    uint32_t x = bits[l];
    uint32_t sign = (x >> (kExponentBits + kMantissaBits) & 1) << 31;
    uint32_t field = x >> kMantissaBits & kOnes;
    uint32_t mantissa = x & ((1u << kMantissaBits) - 1);
    uint32_t aligned = mantissa << (23 - kMantissaBits);
    uint32_t normal = 0x3f800000 | aligned;
    uint32_t subnormal =
        asBits(static_cast<float>(static_cast<int32_t>(mantissa)) *
               powerOf2(-kMantissaBits));
    bool isSpecial = field == kOnes;
    uint32_t significand = field == 0 ? subnormal : normal;
    significand = isSpecial ? 0x7f800000 | aligned : significand;
    int32_t exponent = static_cast<int32_t>(field == 0 ? 1 : field) - kBias;
    exponent = isSpecial ? 0 : exponent;
    exponent = (field | mantissa) == 0 ? kZeroExponent : exponent;
    significands[l] = asFloat(significand | sign);
    exponents[l] = exponent;
    special |= isSpecial;
    largest = exponent > largest ? exponent : largest;
  }
  out.special |= special != 0;
  out.largest = largest;
}

/// Calls step(position, bits) for `kWidth` elements after the other, which are
/// the `kBits` low bits, the others zero.
template <unsigned kBits, class Step>
KERNEL_INLINE void forWideElements(const Source &source, unsigned elements,
                                   unsigned flips, Step step) {
  for (unsigned e = 0; e < elements; ++e) {
    const uint32_t *row = source.rows + e * kBits / 32 * source.stride;
    const unsigned shift = e * kBits % 32;
    const int32_t flip = flips >> (e & 1) & 1 ? 1u << (kBits - 1) : 0;
    for (unsigned l = 0; l < source.lanes; l += kWidth) {
      Ints raw;
      __builtin_memcpy(&raw, row + source.groups[l / 16] * 16 + l % 16,
                       sizeof raw);
      if constexpr (kBits == 16)
        raw = raw >> shift & 0xffff;
      step(e * kLanes + l, raw ^ flip);
    }
  }
}

/// An f16 below infinity, whose magnitude is in `magnitude`, as f32.
KERNEL_INLINE Floats finiteHalf(Ints raw, Ints magnitude) {
  Ints value = (Ints)((Floats)(magnitude << 13) * powerOf2(112));
  return (Floats)(value | (raw & 0x8000) << 16);
}

/// Values of f16, bf16, f32 and xf32; kFlushes: denormals as +0.
template <bool kFlushes>
void decodeWideValues(const Source &source, MatrixType type, unsigned elements,
                      unsigned flips, Decoded &out) {
  auto put = [&](unsigned at, Ints bits) KERNEL_INLINE_LAMBDA {
    if constexpr (kFlushes)
      bits = (bits & 0x7f800000) == 0 ? Ints{} : bits;
    storeVector(out.floats + at, bits);
  };
  if (type == MatrixType::F32)
    forWideElements<32>(source, elements, flips, put);
  else if (type == MatrixType::BF16)
    forWideElements<16>(source, elements, flips,
                        [&](unsigned at, Ints raw)
                            KERNEL_INLINE_LAMBDA { put(at, raw << 16); });
  else
    forWideElements<16>(
        source, elements, flips,
        [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
#if AIRCC_MATRIX_WIDTH == 16
          if constexpr (!kFlushes) {
            __m256i halves = _mm512_cvtepi32_epi16((__m512i)raw);
            storeVector(out.floats + at, _mm512_cvtph_ps(halves));
            return;
          }
#endif
          Ints magnitude = raw & 0x7fff;
          Ints bits = (Ints)finiteHalf(raw, magnitude);
          bits |= magnitude >= 0x7c00 ? Ints{} + 0x7f800000 : Ints{};
          if constexpr (kFlushes)
            bits = magnitude < 0x400 ? Ints{} : bits;
          storeVector(out.floats + at, bits);
        });
}

/// Form::Scaled of f16, bf16 and xf32. Values are right if none is special.
template <int kExponentBits, int kMantissaBits>
KERNEL_INLINE void scaleWide(const Source &source, unsigned elements,
                             Decoded &out) {
  constexpr int kBits = 1 + kExponentBits + kMantissaBits;
  constexpr int32_t kMagnitude = static_cast<int32_t>((1u << (kBits - 1)) - 1);
  constexpr int32_t kInfinity = kMagnitude >> kMantissaBits << kMantissaBits;
  constexpr int32_t kBias = (1 << (kExponentBits - 1)) - 1;
  Ints most{}, least = Ints{} + kMagnitude, leastNonzero = least, any{};
  forWideElements<kBits>(
      source, elements, 0, [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
        if constexpr (kMantissaBits == 23) // xf32
          raw &= ~0x1fff;
        Ints magnitude = raw & kMagnitude;
        Ints field = magnitude >> kMantissaBits;
        field = field > 1 ? field : Ints{} + 1;
        Ints zero = magnitude == 0;
        storeVector(out.ints + at,
                    zero ? Ints{} + kZeroExponent : field - kBias);
        if constexpr (kBits == 32)
          storeVector(out.floats + at, raw);
        else if constexpr (kExponentBits == 8)
          storeVector(out.floats + at, raw << 16);
        else
          storeVector(out.floats + at, finiteHalf(raw, magnitude));
        most = magnitude > most ? magnitude : most;
        least = magnitude < least ? magnitude : least;
        any |= magnitude;
        if constexpr (kExponentBits == 8) {
          Ints nonzero = zero ? Ints{} + kMagnitude : magnitude;
          leastNonzero = nonzero < leastNonzero ? nonzero : leastNonzero;
        }
      });
  int32_t largest = 0, smallestNonzero = kMagnitude, bits = 0;
  alignas(64) int32_t lanes[3][kWidth];
  storeVector(lanes[0], most);
  storeVector(lanes[1], leastNonzero);
  storeVector(lanes[2], any);
  for (unsigned l = 0; l < kWidth; ++l) {
    largest = larger(largest, lanes[0][l]);
    smallestNonzero = smaller(smallestNonzero, lanes[1][l]);
    bits |= lanes[2][l];
  }
  auto exponent = [](int32_t magnitude) {
    return larger(magnitude >> kMantissaBits, 1) - kBias;
  };
  out.special = largest >= kInfinity;
  out.largest = largest ? exponent(largest) : kZeroExponent;
  out.smallest = kExponentBits == 8 ? exponent(smallestNonzero) : 1 - kBias;
  out.zeros = anyLane(least == 0);
  // A denormal's first bit is not in its place.
  const uint32_t fraction = bits & ((1 << kMantissaBits) - 1);
  out.fractionBits = fraction ? kMantissaBits - __builtin_ctz(fraction) : 0;
}

void decodeScaledWide(const Source &source, MatrixType type, unsigned elements,
                      Decoded &out) {
  if (type == MatrixType::F16)
    scaleWide<5, 10>(source, elements, out);
  else if (type == MatrixType::BF16)
    scaleWide<8, 7>(source, elements, out);
  else
    scaleWide<8, 23>(source, elements, out);
}

/// From Form::Split to Form::Scaled, where all exponents are those of normal
/// numbers.
void scaleSplit(Decoded &values, unsigned elements, unsigned lanes) {
  for (unsigned e = 0; e < elements; ++e)
    for (unsigned l = e * kLanes; l < e * kLanes + lanes; l += kWidth) {
      Ints exponent = loadInts(values.ints + l);
      Ints bits = (Ints)loadFloats(values.floats + l) + (exponent << 23);
      // Scales may have moved the exponent of a zero.
      bits = exponent < kZeroExponent / 2 ? Ints{} : bits;
      storeVector(values.floats + l, bits);
    }
}

/// Decodes all elements. `flips` has bit 0 (1) set when even (odd) elements are
/// negated; `isSigned` is for IU8 and IU4.
void decode(const Source &source, MatrixType type, const SmallFormat *format,
            unsigned bits, unsigned elements, Form form, unsigned flips,
            bool isSigned, Decoded &out) {
  if (!format && form == Form::Value)
    return decodeWideValues<false>(source, type, elements, flips, out);
  if (!format && form == Form::Flushed)
    return decodeWideValues<true>(source, type, elements, flips, out);
  if (form == Form::Scaled)
    return decodeScaledWide(source, type, elements, out);
  alignas(64) uint32_t raw[kLanes];
  unsigned lanes = source.lanes;
  for (unsigned e = 0; e < elements; ++e) {
    float *floats = out.floats + e * kLanes;
    int32_t *ints = out.ints + e * kLanes;
    extract(source, bits, e, raw);
    if (flips >> (e & 1) & 1)
      for (unsigned l = 0; l < lanes; ++l)
        raw[l] ^= 1u << (bits - 1);
    if (form == Form::Integer) {
      unsigned unused = 32 - bits;
      if (isSigned)
        for (unsigned l = 0; l < lanes; ++l)
          ints[l] = static_cast<int32_t>(raw[l] << unused) >> unused;
      else
        for (unsigned l = 0; l < lanes; ++l)
          ints[l] = static_cast<int32_t>(raw[l]);
      continue;
    }
    if (format && form == Form::Split) {
      int32_t special = 0, largest = out.largest, smallest = out.smallest;
      for (unsigned l = 0; l < lanes; ++l) {
        float significand = format->significand[raw[l]];
        int32_t exponent = format->exponent[raw[l]];
        floats[l] = significand;
        ints[l] = exponent;
        special |= (asBits(significand) & 0x7f800000) == 0x7f800000;
        largest = larger(exponent, largest);
        if (exponent == kZeroExponent)
          out.zeros = true;
        else
          smallest = smaller(exponent, smallest);
      }
      out.special |= special != 0;
      out.largest = largest;
      out.smallest = smallest;
      continue;
    }
    if (format) {
      for (unsigned l = 0; l < lanes; ++l)
        floats[l] = format->value[raw[l]];
      continue;
    }
    switch (type) {
    case MatrixType::XF32:
      for (unsigned l = 0; l < lanes; ++l)
        raw[l] &= (raw[l] & 0x7fffffff) > 0x7f800000 ? ~0u : ~0x1fffu;
      split<8, 23>(raw, lanes, floats, ints, out);
      break;
    case MatrixType::BF16:
      split<8, 7>(raw, lanes, floats, ints, out);
      break;
    default: // F16
      split<5, 10>(raw, lanes, floats, ints, out);
      break;
    }
  }
}

} // namespace
} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXDECODE_H
