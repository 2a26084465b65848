//===- MatrixDecode.h - From registers to numbers ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Converts the registers of A and B to elements.
//
// This is a part of MatrixKernels.cpp, which is compiled once for each level of
// the host's vector instructions (MatrixKernels.h). Nothing here may have
// external linkage, and no inline function of another header may be called.
// Otherwise, the linker could use a copy that was compiled for a newer level.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXDECODE_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXDECODE_H

#include "simulator/exec/matrix/MatrixBits.h"

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
namespace {

/// Rows of 64 lanes, one for each element of a lane. Form determines which of
/// the two arrays are used.
struct Decoded {
  alignas(64) float floats[kMaxLaneElements * kLanes];
  alignas(64) int32_t ints[kMaxLaneElements * kLanes];
  // For Split and Scaled
  bool special = false;            ///< Whether an infinity or a NaN is among
                                   ///< them.
  int32_t largest = kZeroExponent; ///< The largest exponent.
  int32_t smallest = 0;            ///< The smallest exponent of nonzero values.
  bool zeros = false;
  // For Scaled
  int32_t fractionBits = 23;       ///< The bits after the first that may be
                                   ///< set.
  int32_t denormalExponent = -126; ///< The exponent of denormals.

  /// Resets the properties of the elements.
  void reset() {
    special = zeros = false;
    largest = kZeroExponent;
    smallest = 0;
  }
};

enum class Form {
  Value,   ///< floats: the values.
  Flushed, ///< floats: the values, denormals as +0.
  Split,   ///< floats: significands; ints: exponents, kZeroExponent for zeros.
  Scaled,  ///< floats: the values.
  Integer, ///< ints: the values.
};

struct Source {
  const uint32_t *rows;
  unsigned stride, lanes;
  /// For group g of sixteen lanes, the group from which its lanes are read.
  uint8_t groups[4];
};

/// Extracts element `e`, which has `bits` bits, of all lanes.
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

/// Calls step(position, bits) for each `kWidth` 32-bit elements.
template <class Step>
KERNEL_INLINE void forWords(const Source &source, unsigned registers,
                            Step step) {
  // Make a copy, so that the compiler knows that the stores of `step` do not
  // change it.
  const Source from = source;
  for (unsigned group = 0; group < from.lanes / 16; ++group) {
    const uint32_t *row = from.rows + from.groups[group] * 16;
    for (unsigned r = 0; r < registers; ++r, row += from.stride)
      for (unsigned l = 0; l < 16; l += kWidth) {
        Ints raw;
        __builtin_memcpy(&raw, row + l, sizeof raw);
        step(r * kLanes + group * 16 + l, raw);
      }
  }
}

/// Calls step(position of the low half, bits) for each of `kWidth` registers
/// with two 16-bit elements. The high half is the next element.
template <class Step>
KERNEL_INLINE void forHalfPairs(const Source &source, unsigned elements,
                                Step step) {
  forWords(source, elements / 2,
           [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
             const unsigned row = at / kLanes;
             step(at + row * kLanes, raw);
           });
}

/// Returns the finite f16 in the upper half of each dword as f32. The lower
/// halves are ignored.
KERNEL_INLINE Floats finiteHalf(Ints upper) {
  constexpr int32_t kSignAndFields = static_cast<int32_t>(0x8fffe000);
  return (Floats)(upper >> 3 & kSignAndFields) * powerOf2(112);
}

/// Decodes values of f16, bf16 and f32. With kFlushes, denormals become +0.
template <bool kFlushes>
void decodeWideValues(const Source &source, MatrixType type, unsigned elements,
                      unsigned flips, Decoded &out) {
  const int32_t flip = static_cast<int32_t>((flips & 1 ? 0x8000u : 0) |
                                            (flips & 2 ? 0x80000000u : 0));
  auto put = [&](unsigned at, Ints bits) KERNEL_INLINE_LAMBDA {
    if constexpr (kFlushes)
      bits = (bits & 0x7f800000) == 0 ? Ints{} : bits;
    storeVector(out.floats + at, bits);
  };
  if (type == MatrixType::F32) {
    forWords(source, elements, put);
    return;
  }
  if (type == MatrixType::BF16) {
    forHalfPairs(source, elements,
                 [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
                   raw ^= flip;
                   put(at, raw << 16);
                   put(at + kLanes, raw & ~0xffff);
                 });
    return;
  }
  // Infinities and NaNs get the greatest exponent of f32 instead of the sum.
  // Denormals of f16 are normal numbers of f32 and are flushed according to
  // their magnitude.
  auto putHalf = [&](unsigned at, Ints upper) KERNEL_INLINE_LAMBDA {
    Ints magnitude = upper & 0x7fff0000;
    Ints bits = (Ints)finiteHalf(upper);
    bits |= (magnitude >= 0x7c000000) & 0x7f800000;
    if constexpr (kFlushes)
      bits = magnitude < 0x4000000 ? Ints{} : bits;
    storeVector(out.floats + at, bits);
  };
  forHalfPairs(source, elements,
               [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
                 raw ^= flip;
                 putHalf(at, raw << 16);
                 putHalf(at + kLanes, raw);
               });
}

/// The magnitudes of all elements of an operand, as the bits of a format with
/// kMantissaBits. Word is uint16_t or uint32_t.
template <class Word> struct Magnitudes {
  using Words = Word __attribute__((vector_size(4 * kWidth)));
  Words most{}, least = ~Words{}, leastNonzero = ~Words{}, any{};

  KERNEL_INLINE void add(Words magnitude) {
    most = magnitude > most ? magnitude : most;
    least = magnitude < least ? magnitude : least;
    Words lessOne = magnitude - 1; // This is the largest number for a zero.
    leastNonzero = lessOne < leastNonzero ? lessOne : leastNonzero;
    any |= magnitude;
  }

  KERNEL_INLINE static Word leastOf(Words words) {
    constexpr unsigned kCount = sizeof(Words) / sizeof(Word);
    Word parts[kCount];
    storeVector(parts, words);
#if AIRCC_MATRIX_WIDTH > 4
    if constexpr (sizeof(Word) == 2) {
      __m128i least;
      __builtin_memcpy(&least, parts, sizeof least);
      for (unsigned n = 8; n < kCount; n += 8) {
        __m128i others;
        __builtin_memcpy(&others, parts + n, sizeof others);
        least = _mm_min_epu16(least, others);
      }
      return static_cast<Word>(_mm_cvtsi128_si32(_mm_minpos_epu16(least)));
    }
#endif
    Word result = parts[0];
    for (Word part : parts)
      result = smaller(result, part);
    return result;
  }

  template <int kExponentBits, int kMantissaBits>
  KERNEL_INLINE void describe(Decoded &out) const {
    constexpr int32_t kBias = (1 << (kExponentBits - 1)) - 1;
    constexpr int32_t kInfinity = ((1 << kExponentBits) - 1) << kMantissaBits;
    const Word largest = ~leastOf(~most);
    const Word smallest = leastOf(least);
    const Word smallestNonzero = leastOf(leastNonzero);
    uint64_t parts[sizeof(Words) / 8], anyBits = 0;
    storeVector(parts, any);
    for (uint64_t part : parts)
      anyBits |= part;
    anyBits |= anyBits >> 32;
    const Word bits = static_cast<Word>(
        sizeof(Word) == 2 ? anyBits | anyBits >> 16 : anyBits);
    auto exponent = [](uint32_t magnitude) {
      return larger(static_cast<int32_t>(magnitude >> kMantissaBits), 1) -
             kBias;
    };
    out.special = static_cast<int32_t>(largest) >= kInfinity;
    out.zeros = smallest == 0;
    out.denormalExponent = 1 - kBias;
    out.largest = largest ? exponent(largest) : kZeroExponent;
    out.smallest = largest ? exponent(uint32_t(smallestNonzero) + 1) : 0;
    const uint32_t fraction = bits & ((1u << kMantissaBits) - 1);
    out.fractionBits = fraction ? kMantissaBits - __builtin_ctz(fraction) : 0;
  }
};

/// Decodes f16, bf16 and xf32 to Form::Scaled. The values are correct if none
/// is special.
void decodeScaledWide(const Source &source, MatrixType type, unsigned elements,
                      Decoded &out) {
  if (type == MatrixType::XF32) {
    Magnitudes<uint32_t> magnitudes;
    forWords(source, elements, [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
      raw &= ~0x1fff;
      magnitudes.add((Magnitudes<uint32_t>::Words)(raw & 0x7fffffff));
      storeVector(out.floats + at, raw);
    });
    magnitudes.describe<8, 23>(out);
    return;
  }
  using Halves = Magnitudes<uint16_t>::Words;
  Magnitudes<uint16_t> magnitudes;
  if (type == MatrixType::F16) {
    forHalfPairs(source, elements,
                 [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
                   magnitudes.add((Halves)(raw & 0x7fff7fff));
                   storeVector(out.floats + at, finiteHalf(raw << 16));
                   storeVector(out.floats + at + kLanes, finiteHalf(raw));
                 });
    magnitudes.describe<5, 10>(out);
    return;
  }
  forHalfPairs(source, elements,
               [&](unsigned at, Ints raw) KERNEL_INLINE_LAMBDA {
                 magnitudes.add((Halves)(raw & 0x7fff7fff));
                 storeVector(out.floats + at, raw << 16);
                 storeVector(out.floats + at + kLanes, raw & ~0xffff);
               });
  magnitudes.describe<8, 7>(out);
}

/// Converts Form::Split to Form::Scaled if all exponents are those of normal
/// numbers.
void scaleSplit(Decoded &values, unsigned elements, unsigned lanes) {
  for (unsigned e = 0; e < elements; ++e)
    for (unsigned l = e * kLanes; l < e * kLanes + lanes; l += kWidth) {
      Ints exponent = loadInts(values.ints + l);
      Ints bits = (Ints)loadFloats(values.floats + l) + (exponent << 23);
      // Scales may have changed the exponent of a zero.
      bits = exponent < kZeroExponent / 2 ? Ints{} : bits;
      storeVector(values.floats + l, bits);
    }
}

/// Returns the number of bits of an element.
unsigned bitsOf(MatrixType type) {
  switch (type) {
  case MatrixType::F32:
  case MatrixType::XF32:
    return 32;
  case MatrixType::F16:
  case MatrixType::BF16:
    return 16;
  case MatrixType::FP6:
  case MatrixType::BF6:
    return 6;
  case MatrixType::FP4:
  case MatrixType::IU4:
    return 4;
  default:
    return 8;
  }
}

/// How an operand is decoded.
struct Decoding {
  MatrixType type;
  const SmallFormat *format; ///< For types with tables, otherwise null.
  unsigned elements;         ///< The number of elements of a lane.
  Form form;
  unsigned flips; ///< Bit 0 (1) negates even (odd) elements.
  bool isSigned;  ///< For IU8 and IU4.
};

/// Decodes an element of an integer type of `bits` bits.
void decodeIntegers(const uint32_t *raw, unsigned bits, unsigned lanes,
                    bool isSigned, int32_t *ints) {
  const unsigned unused = 32 - bits;
  if (isSigned)
    for (unsigned l = 0; l < lanes; ++l)
      ints[l] = static_cast<int32_t>(raw[l] << unused) >> unused;
  else
    for (unsigned l = 0; l < lanes; ++l)
      ints[l] = static_cast<int32_t>(raw[l]);
}

/// Splits an element of a type with tables into significands and exponents.
void splitByTable(const SmallFormat &format, const uint32_t *raw,
                  unsigned lanes, float *floats, int32_t *ints, Decoded &out) {
  int32_t special = 0, largest = out.largest, smallest = out.smallest;
  for (unsigned l = 0; l < lanes; ++l) {
    float significand = format.significand[raw[l]];
    int32_t exponent = format.exponent[raw[l]];
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
}

/// Splits an element of F16, BF16 or XF32 into significands and exponents.
void splitWide(MatrixType type, uint32_t *raw, unsigned lanes, float *floats,
               int32_t *ints, Decoded &out) {
  switch (type) {
  case MatrixType::XF32:
    for (unsigned l = 0; l < lanes; ++l)
      raw[l] &= (raw[l] & 0x7fffffff) > 0x7f800000 ? ~0u : ~0x1fffu;
    return split<8, 23>(raw, lanes, floats, ints, out);
  case MatrixType::BF16:
    return split<8, 7>(raw, lanes, floats, ints, out);
  default: // F16
    return split<5, 10>(raw, lanes, floats, ints, out);
  }
}

/// Decodes all elements.
void decode(const Source &source, const Decoding &how, Decoded &out) {
  const SmallFormat *format = how.format;
  if (!format && how.form == Form::Value)
    return decodeWideValues<false>(source, how.type, how.elements, how.flips,
                                   out);
  if (!format && how.form == Form::Flushed)
    return decodeWideValues<true>(source, how.type, how.elements, how.flips,
                                  out);
  if (how.form == Form::Scaled)
    return decodeScaledWide(source, how.type, how.elements, out);
  const unsigned bits = bitsOf(how.type), lanes = source.lanes;
  alignas(64) uint32_t raw[kLanes];
  for (unsigned e = 0; e < how.elements; ++e) {
    float *floats = out.floats + e * kLanes;
    int32_t *ints = out.ints + e * kLanes;
    extract(source, bits, e, raw);
    if (how.flips >> (e & 1) & 1)
      for (unsigned l = 0; l < lanes; ++l)
        raw[l] ^= 1u << (bits - 1);
    if (how.form == Form::Integer)
      decodeIntegers(raw, bits, lanes, how.isSigned, ints);
    else if (!format)
      splitWide(how.type, raw, lanes, floats, ints, out);
    else if (how.form == Form::Split)
      splitByTable(*format, raw, lanes, floats, ints, out);
    else
      for (unsigned l = 0; l < lanes; ++l)
        floats[l] = format->value[raw[l]];
  }
}

} // namespace
} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXDECODE_H
