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
  bool special = false; ///< Split: an infinity or a NaN is among them.
  int32_t largest = kZeroExponent; ///< Split: of the exponents.
};

enum class Form {
  Value,   ///< floats: the values.
  Flushed, ///< floats: the values, denormals as +0.
  Split,   ///< floats: significands; ints: exponents, kZeroExponent for zeros.
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

/// Decodes all elements. `flips` has bit 0 (1) set when even (odd) elements are
/// negated; `isSigned` is for IU8 and IU4.
void decode(const Source &source, MatrixType type, const SmallFormat *format,
            unsigned bits, unsigned elements, Form form, unsigned flips,
            bool isSigned, Decoded &out) {
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
      int32_t special = 0, largest = out.largest;
      for (unsigned l = 0; l < lanes; ++l) {
        float significand = format->significand[raw[l]];
        floats[l] = significand;
        ints[l] = format->exponent[raw[l]];
        special |= (asBits(significand) & 0x7f800000) == 0x7f800000;
        largest = ints[l] > largest ? ints[l] : largest;
      }
      out.special |= special != 0;
      out.largest = largest;
      continue;
    }
    if (format) {
      for (unsigned l = 0; l < lanes; ++l)
        floats[l] = format->value[raw[l]];
      continue;
    }
    switch (type) {
    case MatrixType::F32:
      for (unsigned l = 0; l < lanes; ++l)
        floats[l] = asFloat(raw[l]);
      break;
    case MatrixType::XF32:
      for (unsigned l = 0; l < lanes; ++l)
        raw[l] &= (raw[l] & 0x7fffffff) > 0x7f800000 ? ~0u : ~0x1fffu;
      split<8, 23>(raw, lanes, floats, ints, out);
      break;
    case MatrixType::BF16:
      if (form == Form::Split) {
        split<8, 7>(raw, lanes, floats, ints, out);
        break;
      }
      for (unsigned l = 0; l < lanes; ++l) {
        uint32_t x = raw[l] << 16;
        bool flush = form == Form::Flushed && (x & 0x7f800000) == 0;
        floats[l] = asFloat(flush ? 0 : x);
      }
      break;
    default: // F16
      split<5, 10>(raw, lanes, floats, ints, out);
      if (form == Form::Split)
        break;
      for (unsigned l = 0; l < lanes; ++l) {
        bool flush = form == Form::Flushed && (raw[l] & 0x7c00) == 0;
        float value = floats[l] * powerOf2(larger(ints[l], -126));
        floats[l] = flush ? 0 : value;
      }
      break;
    }
  }
}

} // namespace
} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXDECODE_H
