//===- MatrixKernels.cpp - Decodes operands, multiplies, encodes ----------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once for each level (see MatrixKernels.h): nothing here may have
// external linkage but the level's table, and no inline function of another
// header may be called, lest a copy made for a newer level serve an older one.
// Compiled without contraction of multiplications and additions.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/matrix/MatrixKernels.h"

#if AIRCC_MATRIX_WIDTH > 4
#include <immintrin.h>
#endif

#ifndef AIRCC_MATRIX_LEVEL
#error "AIRCC_MATRIX_LEVEL names the level, AIRCC_MATRIX_WIDTH its floats"
#endif

#define LEVEL_STRING_(x) #x
#define LEVEL_STRING(x) LEVEL_STRING_(x)
#define KERNEL_INLINE inline __attribute__((always_inline))
#define KERNEL_INLINE_LAMBDA __attribute__((always_inline))

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
extern const MatrixLevel matrixLevel;

namespace {

constexpr unsigned kLanes = kMatrixLanes;
constexpr unsigned kWidth = AIRCC_MATRIX_WIDTH;
using Floats = float __attribute__((vector_size(4 * kWidth)));
using Ints = int32_t __attribute__((vector_size(4 * kWidth)));

constexpr uint32_t kDefaultNaN = 0x7fc00000;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

KERNEL_INLINE float asFloat(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
KERNEL_INLINE uint32_t asBits(float value) {
  return __builtin_bit_cast(uint32_t, value);
}
/// 2^exponent; the exponent must be one of normal numbers.
KERNEL_INLINE float powerOf2(int32_t exponent) {
  return asFloat(static_cast<uint32_t>(exponent + 127) << 23);
}
KERNEL_INLINE double powerOf2Double(int32_t exponent) {
  return __builtin_bit_cast(double, static_cast<int64_t>(exponent + 1023)
                                        << 52);
}
template <class T> KERNEL_INLINE T larger(T a, T b) { return a > b ? a : b; }
template <class T> KERNEL_INLINE T smaller(T a, T b) { return a < b ? a : b; }

KERNEL_INLINE Floats loadFloats(const float *from) {
  Floats v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
KERNEL_INLINE Ints loadInts(const int32_t *from) {
  Ints v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class T> KERNEL_INLINE void storeVector(T *to, V v) {
  __builtin_memcpy(to, &v, sizeof v);
}

/// a * b + c, rounded once.
KERNEL_INLINE Floats multiplyAdd(Floats a, Floats b, Floats c) {
#if AIRCC_MATRIX_WIDTH == 16
  return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif AIRCC_MATRIX_WIDTH == 8
  return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  for (unsigned l = 0; l < kWidth; ++l)
    c[l] = __builtin_fmaf(a[l], b[l], c[l]);
  return c;
#endif
}

float halfToFloat(uint32_t half) {
  uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00)
    return asFloat(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400)
    return asFloat(sign | ((magnitude << 13) + (112u << 23)));
  float subnormal = static_cast<float>(magnitude) * powerOf2(-24);
  return asFloat(sign | asBits(subnormal));
}

/// To nearest even.
uint32_t floatToHalf(float value) {
  uint32_t bits = asBits(value), sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return 0x7e00;
  if (magnitude >= 0x477ff000) // 65520, which rounds to infinity
    return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    // Adding 0.5 puts the last bit of an f16 subnormal in the last bit of the
    // sum.
    float sum = asFloat(magnitude) + 0.5f;
    return sign | (asBits(sum) - 0x3f000000);
  }
  uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return sign | (rounded - (112u << 23)) >> 13;
}

/// To nearest even.
uint32_t floatToBFloat(float value) {
  uint32_t bits = asBits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fc0;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// All that the loops below need of one execution. Offsets are positions in
/// Decoded; see MatrixPlan.h.
struct Job {
  unsigned rows, columns, blocks, k;
  const Decoded *a, *b;
  const uint16_t *aOffset; ///< By stored k.
  const uint16_t *bOffset; ///< By stored k; sparse: by row as well.
  unsigned bRowStride;   ///< From one row's part of bOffset to the next, or 0.
  const uint8_t *aBlock; ///< Block of A that block b multiplies.
  unsigned aRowStride;   ///< 1, or 64 where A was spread over the lanes.
  unsigned aBlockStride, bBlockStride;
  float *accumulator;
  const uint16_t *rowOffset; ///< By block * rows + row: into the accumulator.
  unsigned group;
  bool saturate;
};

/// One row of A and `kWidth` columns of B. kVectorA: A differs by column.
template <bool kVectorA> struct Strip {
  const float *aFloats;
  const int32_t *aInts;
  const float *bFloats;
  const int32_t *bInts;
  const uint16_t *aOffset, *bOffset;

  KERNEL_INLINE Floats aFloat(unsigned k) const {
    if constexpr (kVectorA)
      return loadFloats(aFloats + aOffset[k]);
    else
      return aFloats[aOffset[k]] - Floats{};
  }
  KERNEL_INLINE Ints aInt(unsigned k) const {
    if constexpr (kVectorA)
      return loadInts(aInts + aOffset[k]);
    else
      return aInts[aOffset[k]] + Ints{};
  }
  KERNEL_INLINE Floats bFloat(unsigned k) const {
    return loadFloats(bFloats + bOffset[k]);
  }
  KERNEL_INLINE Ints bInt(unsigned k) const {
    return loadInts(bInts + bOffset[k]);
  }
};

/// Calls step(strip, accumulator) for every strip of every row.
template <bool kVectorA, class Step>
KERNEL_INLINE void forStrips(const Job &job, Step step) {
  for (unsigned block = 0; block < job.blocks; ++block) {
    unsigned aBase = job.aBlock[block] * job.aBlockStride;
    unsigned bBase = block * job.bBlockStride;
    for (unsigned i = 0; i < job.rows; ++i) {
      float *row = job.accumulator + job.rowOffset[block * job.rows + i];
      for (unsigned j = 0; j < job.columns; j += kWidth) {
        unsigned a = aBase + i * job.aRowStride + (kVectorA ? j : 0);
        unsigned b = bBase + j;
        Strip<kVectorA> strip{
            job.a->floats + a, job.a->ints + a,
            job.b->floats + b, job.b->ints + b,
            job.aOffset,       job.bOffset + i * job.bRowStride};
        step(strip, row + j);
      }
    }
  }
}

template <class Step>
KERNEL_INLINE void forAllStrips(const Job &job, Step step) {
  if (job.aRowStride == 1)
    forStrips<false>(job, step);
  else
    forStrips<true>(job, step);
}

KERNEL_INLINE Floats defaultNaNs(Floats value) {
  Ints bits = (Ints)value;
  return (Floats)((bits & 0x7fffffff) > 0x7f800000
                      ? Ints{} + static_cast<int32_t>(kDefaultNaN)
                      : bits);
}

void multiplyFma(const Job &job) {
  unsigned count = job.k;
  forAllStrips(job, [count](const auto &strip, float *to) KERNEL_INLINE_LAMBDA {
    Floats sum = loadFloats(to);
    for (unsigned k = 0; k < count; ++k) {
      sum = multiplyAdd(strip.aFloat(k), strip.bFloat(k), sum);
    }
    storeVector(to, defaultNaNs(sum));
  });
}

KERNEL_INLINE Floats flush(Floats value) {
  Ints bits = (Ints)value;
  Ints zero = bits & static_cast<int32_t>(0x80000000);
  return (Floats)((bits & 0x7f800000) == 0 ? zero : bits);
}

template <unsigned kTree> void multiplyFlushTree(const Job &job) {
  unsigned count = job.k;
  forAllStrips(job, [count](const auto &strip, float *to) KERNEL_INLINE_LAMBDA {
    Floats sum = loadFloats(to);
    // A denormal of C becomes +0, one of a sum keeps its sign.
    Ints bits = (Ints)sum;
    sum = (Floats)((bits & 0x7f800000) == 0 ? Ints{} : bits);
    auto product = [&](unsigned k) KERNEL_INLINE_LAMBDA {
      return flush(strip.aFloat(k) * strip.bFloat(k));
    };
    for (unsigned k = 0; k < count; k += kTree) {
      Floats tree = flush(product(k) + product(k + 1));
      if constexpr (kTree == 4)
        tree = flush(tree + flush(product(k + 2) + product(k + 3)));
      sum = flush(sum + tree);
    }
    storeVector(to, defaultNaNs(sum));
  });
}

void multiplyIntegers(const Job &job) {
  unsigned count = job.k;
  bool saturate = job.saturate;
  forAllStrips(job, [=](const auto &strip, float *to) KERNEL_INLINE_LAMBDA {
    Ints products = Ints{};
    for (unsigned k = 0; k < count; ++k)
      products += strip.aInt(k) * strip.bInt(k);
    int32_t sum[kWidth];
    __builtin_memcpy(sum, to, sizeof sum);
    for (unsigned l = 0; l < kWidth; ++l) {
      if (saturate) {
        int64_t wide = static_cast<int64_t>(sum[l]) + products[l];
        wide =
            smaller<int64_t>(larger<int64_t>(wide, -0x80000000ll), 0x7fffffff);
        sum[l] = static_cast<int32_t>(wide);
      } else {
        sum[l] = static_cast<int32_t>(static_cast<uint32_t>(sum[l]) +
                                      static_cast<uint32_t>(products[l]));
      }
    }
    __builtin_memcpy(to, sum, sizeof sum);
  });
}

//===----------------------------------------------------------------------===//
// Fused sums
//===----------------------------------------------------------------------===//

constexpr int32_t kFraction = 24;    ///< Bits kept of products and of C.
constexpr int32_t kSumFraction = 31; ///< Bits kept of a sum of products.
constexpr int32_t kNoExponent = 2 * kZeroExponent; ///< All products are zero.

/// Shifts right, towards zero.
KERNEL_INLINE int32_t shiftTruncating(int32_t value, int32_t amount) {
  int32_t sign = value >> 31;
  return (((value ^ sign) - sign) >> amount ^ sign) - sign;
}

/// Adds `sum`, in units of 2^(exponent - 24), to C, of which bits below 2^-24
/// of the larger of the exponents are dropped: downwards, or towards zero.
template <bool kTruncate>
KERNEL_INLINE float addToC(int32_t sum, int32_t exponent, float c) {
  int32_t bits = static_cast<int32_t>(asBits(c));
  int32_t field = bits >> 23 & 255;
  int32_t mantissa = bits & 0x7fffff;
  int32_t magnitude = field == 0 ? mantissa : mantissa | 0x800000;
  int32_t cExponent = (field == 0 ? 1 : field) - 127;
  cExponent = magnitude == 0 ? kNoExponent : cExponent;
  int32_t top = larger(exponent, cExponent);
  // C in units of 2^(top - 24).
  int32_t cShift = smaller(top - cExponent, 31);
  int32_t doubled = 2 * (bits < 0 ? -magnitude : magnitude);
  int32_t cUnits =
      kTruncate ? shiftTruncating(doubled, cShift) : doubled >> cShift;
  // The sum in units of 2^(top - 31).
  int32_t sumShift = smaller(top - exponent, 100);
  double units = static_cast<double>(sum) *
                 powerOf2Double(kSumFraction - kFraction - sumShift);
  units = kTruncate ? __builtin_trunc(units) : __builtin_floor(units);
  units += static_cast<double>(cUnits) * (1 << (kSumFraction - kFraction));
  float result = static_cast<float>(
      units * powerOf2Double(larger(top, -600) - kSumFraction));
  // An infinite or NaN C stays what it is; no product here is either.
  uint32_t special = mantissa == 0 ? static_cast<uint32_t>(bits) : kDefaultNaN;
  return field == 255 ? asFloat(special) : result;
}

template <bool kTruncate>
KERNEL_INLINE Floats addToCs(Ints sum, Ints exponent, Floats c) {
  alignas(64) int32_t sums[kWidth], exponents[kWidth];
  alignas(64) float cs[kWidth], results[kWidth];
  storeVector(sums, sum);
  storeVector(exponents, exponent);
  storeVector(cs, c);
  for (unsigned l = 0; l < kWidth; ++l)
    results[l] = addToC<kTruncate>(sums[l], exponents[l], cs[l]);
  return loadFloats(results);
}

/// kCount products at k, k + kStep, …: their sum, each truncated to 24 bits
/// below the largest exponent, which goes to `largest`.
template <unsigned kCount, unsigned kStep, class AnyStrip>
KERNEL_INLINE Ints sumProducts(const AnyStrip &strip, unsigned k,
                               Ints &largest) {
  Ints exponents[kCount];
  largest = Ints{} + kNoExponent;
  for (unsigned n = 0; n < kCount; ++n) {
    exponents[n] = strip.aInt(k + n * kStep) + strip.bInt(k + n * kStep);
    largest = exponents[n] > largest ? exponents[n] : largest;
  }
  // Biased exponents of the powers of two that scale the products.
  Ints base = largest - (kFraction + 127);
  Ints sum = Ints{};
  for (unsigned n = 0; n < kCount; ++n) {
    Ints biased = exponents[n] - base;
    biased = biased > 1 ? biased : Ints{} + 1;
    Floats product = strip.aFloat(k + n * kStep) * strip.bFloat(k + n * kStep);
    sum += __builtin_convertvector(product * (Floats)(biased << 23), Ints);
  }
  return sum;
}

template <unsigned kGroup> void multiplyFused(const Job &job) {
  unsigned count = job.k;
  forAllStrips(job, [count](const auto &strip, float *to) KERNEL_INLINE_LAMBDA {
    Floats c = loadFloats(to);
    for (unsigned k = 0; k < count; k += kGroup) {
      Ints exponent;
      Ints sum = sumProducts<kGroup, 1>(strip, k, exponent);
      c = addToCs<false>(sum, exponent, c);
    }
    storeVector(to, c);
  });
}

KERNEL_INLINE Ints shiftTruncating(Ints value, Ints amount) {
  Ints sign = value >> 31;
  amount = amount > 31 ? Ints{} + 31 : amount;
  return (((value ^ sign) - sign) >> amount ^ sign) - sign;
}

void multiplyFusedPaired(const Job &job) {
  unsigned count = job.k;
  forAllStrips(job, [count](const auto &strip, float *to) KERNEL_INLINE_LAMBDA {
    Floats c = loadFloats(to);
    for (unsigned k = 0; k < count; k += 16) {
      Ints evenExponent, oddExponent;
      Ints even = sumProducts<8, 2>(strip, k, evenExponent);
      Ints odd = sumProducts<8, 2>(strip, k + 1, oddExponent);
      Ints top = evenExponent > oddExponent ? evenExponent : oddExponent;
      Ints sum = shiftTruncating(even, top - evenExponent) +
                 shiftTruncating(odd, top - oddExponent);
      c = addToCs<true>(sum, top, c);
    }
    storeVector(to, c);
  });
}

/// One element, any inputs: infinities, NaNs, products out of f32's range.
struct ScalarProduct {
  float significand; ///< Infinite or NaN if the product is.
  int32_t exponent;
};

KERNEL_INLINE float addGroup(const ScalarProduct *products, unsigned count,
                             bool paired, float c) {
  double check = c;
  bool positive = false, negative = false;
  for (unsigned n = 0; n < count; ++n) {
    const ScalarProduct &p = products[n];
    bool special = (asBits(p.significand) & 0x7f800000) == 0x7f800000;
    check += special ? p.significand : 0.0;
    if (!special && p.exponent > -900) {
      double value = p.significand * powerOf2Double(p.exponent);
      positive |= value >= 0x1p128;
      negative |= value <= -0x1p128;
    }
  }
  if (check != check)
    return asFloat(kDefaultNaN);
  if (check - check != 0)
    return static_cast<float>(check);
  // A product too large for f32 counts as infinite.
  if (positive || negative)
    return positive && negative ? asFloat(kDefaultNaN)
           : positive           ? asFloat(0x7f800000)
                                : asFloat(0xff800000);
  int32_t exponents[2] = {kNoExponent, kNoExponent}, sums[2] = {0, 0};
  for (unsigned n = 0; n < count; ++n) {
    int32_t &exponent = exponents[paired ? n & 1 : 0];
    exponent = larger(exponent, products[n].exponent);
  }
  for (unsigned n = 0; n < count; ++n) {
    unsigned which = paired ? n & 1 : 0;
    int32_t scale =
        larger(products[n].exponent - exponents[which] + kFraction, -126);
    sums[which] +=
        static_cast<int32_t>(products[n].significand * powerOf2(scale));
  }
  if (!paired)
    return addToC<false>(sums[0], exponents[0], c);
  int32_t top = larger(exponents[0], exponents[1]);
  int32_t sum = shiftTruncating(sums[0], smaller(top - exponents[0], 31)) +
                shiftTruncating(sums[1], smaller(top - exponents[1], 31));
  return addToC<true>(sum, top, c);
}

void multiplyFusedSpecial(const Job &job, bool paired) {
  for (unsigned block = 0; block < job.blocks; ++block) {
    unsigned aBase = job.aBlock[block] * job.aBlockStride;
    unsigned bBase = block * job.bBlockStride;
    for (unsigned i = 0; i < job.rows; ++i) {
      float *row = job.accumulator + job.rowOffset[block * job.rows + i];
      const uint16_t *bOffset = job.bOffset + i * job.bRowStride;
      for (unsigned j = 0; j < job.columns; ++j) {
        unsigned aColumn = job.aRowStride == 1 ? 0 : j;
        float c = row[j];
        for (unsigned k = 0; k < job.k; k += job.group) {
          ScalarProduct products[16];
          for (unsigned n = 0; n < job.group; ++n) {
            unsigned a =
                job.aOffset[k + n] + aBase + i * job.aRowStride + aColumn;
            unsigned b = bOffset[k + n] + bBase + j;
            products[n].significand = job.a->floats[a] * job.b->floats[b];
            products[n].exponent = job.a->ints[a] + job.b->ints[b];
          }
          c = addGroup(products, job.group, paired, c);
        }
        row[j] = c;
      }
    }
  }
}

void multiply(const MatrixPlan &plan, const Job &job) {
  switch (plan.arithmetic) {
  case MatrixArithmetic::FmaF32:
    return multiplyFma(job);
  case MatrixArithmetic::FlushTree2:
    return multiplyFlushTree<2>(job);
  case MatrixArithmetic::FlushTree4:
    return multiplyFlushTree<4>(job);
  case MatrixArithmetic::Integer:
    return multiplyIntegers(job);
  case MatrixArithmetic::Fused:
  case MatrixArithmetic::FusedPaired:
    break;
  case MatrixArithmetic::FmaF64:
    return; // has no job
  }
  bool paired = plan.arithmetic == MatrixArithmetic::FusedPaired;
  // Significands are below 2: no product reaches 2^128 when this holds.
  bool inRange = job.a->largest + job.b->largest < 126;
  if (job.a->special || job.b->special || !inRange)
    return multiplyFusedSpecial(job, paired);
  if (paired)
    return multiplyFusedPaired(job);
  if (job.group == 8)
    return multiplyFused<8>(job);
  return multiplyFused<4>(job);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// What blgp makes each sixteen lanes of B read ("CDNA ISA", BLGP).
void pickGroups(unsigned blgp, uint8_t *groups) {
  constexpr uint8_t kPatterns[8][4] = {
      {0, 1, 2, 3}, // as they are
      {0, 1, 0, 1}, // the first 32 lanes for all
      {2, 3, 2, 3}, // the second 32 lanes for all
      {1, 2, 3, 0}, // rotated down by sixteen lanes
      {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
  for (unsigned g = 0; g < 4; ++g)
    groups[g] = kPatterns[blgp][g];
}

Form formOf(MatrixArithmetic arithmetic) {
  switch (arithmetic) {
  case MatrixArithmetic::FlushTree2:
  case MatrixArithmetic::FlushTree4:
    return Form::Flushed;
  case MatrixArithmetic::Fused:
  case MatrixArithmetic::FusedPaired:
    return Form::Split;
  case MatrixArithmetic::Integer:
    return Form::Integer;
  default:
    return Form::Value;
  }
}

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

/// Multiplies each 32 k of a row by its E8M0 scale: lane (k / 32) * size + row
/// holds it, in the byte that op_sel names.
void applyScales(Decoded &decoded, const InputLayout &layout, unsigned size,
                 unsigned k, const uint32_t *lanes, uint32_t constant,
                 unsigned byte) {
  int32_t most = -127;
  for (unsigned n = 0; n < k; ++n) {
    const unsigned first = n / 32 * size;
    for (unsigned i = 0; i < size; ++i) {
      uint32_t word = lanes ? lanes[first + i] : constant;
      int32_t scale = word >> (8 * byte) & 255;
      unsigned at = layout.offset[n] + i;
      if (scale == 255) {
        decoded.floats[at] = asFloat(kDefaultNaN);
        decoded.special = true;
      } else {
        decoded.ints[at] += scale - 127;
        most = larger(most, scale - 127);
      }
    }
  }
  decoded.largest += most;
}

/// For a sparse form, where the row of B for each stored k of each row of A is.
/// Two bits a stored element say which of its four k it stands for; they lie in
/// the index register of the lane that holds the element, in its order.
void findSparseRows(const MatrixPlan &plan, const InputLayout &a,
                    const InputLayout &b, const uint32_t *index, unsigned set,
                    uint16_t *rows) {
  unsigned shift = set * 2 * a.laneElements;
  for (unsigned k = 0; k < plan.storedK; ++k) {
    unsigned element = a.offset[k] / kLanes, lane = a.offset[k] % kLanes;
    for (unsigned i = 0; i < plan.m; ++i) {
      unsigned place = index[lane + i] >> (shift + 2 * element) & 3;
      rows[i * kMaxK + k] = b.offset[k / 2 * 4 + place];
    }
  }
}

/// Spreads A of the 4x4 forms, whose sixteen blocks lie side by side in the
/// lanes of B and D, over the 64 lanes: [k * 4 + row][lane].
void spreadA(const Decoded &a, const uint16_t *offset, unsigned k,
             const uint8_t *aBlock, Decoded &out, uint16_t *outOffset) {
  for (unsigned n = 0; n < k; ++n) {
    outOffset[n] = n * 4 * kLanes;
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned l = 0; l < kLanes; ++l) {
        unsigned from = offset[n] + aBlock[l / 4] * 4 + i;
        unsigned to = outOffset[n] + i * kLanes + l;
        out.floats[to] = a.floats[from];
        out.ints[to] = a.ints[from];
      }
    }
  }
  out.special = a.special;
  out.largest = a.largest;
}

/// C of f32 and i32 as registers of 64 lanes, of f16 and bf16 as rows.
void loadC(const MatrixPlan &plan, const MatrixModifiers &mods,
           const MatrixOperands &o, float *accumulator, uint16_t *rowOffset) {
  // A sparse form adds to D.
  const uint32_t *from = plan.storedK != plan.k ? o.d : o.c;
  bool half = plan.cType == MatrixType::F16 || plan.cType == MatrixType::BF16;
  unsigned rows = plan.m * plan.blocks, lanes = plan.waveSize;
  uint32_t absolute = plan.cType != MatrixType::I32 && mods.negHi & 4;
  uint32_t negate = plan.cType != MatrixType::I32 && mods.negLo & 4;
  uint32_t mask = absolute ? 0x7fffffff : ~0u, flip = negate ? 0x80000000 : 0;
  if (!half) {
    for (unsigned r = 0; r < rows; ++r)
      rowOffset[r] = plan.cRegister[r] * kLanes + plan.cLane[r];
    for (unsigned r = 0; r < plan.cRegs; ++r)
      for (unsigned l = 0; l < lanes; ++l) {
        uint32_t bits = from ? from[r * o.rowStride + l]
                             : static_cast<uint32_t>(o.cConstant);
        accumulator[r * kLanes + l] = asFloat((bits & mask) ^ flip);
      }
    return;
  }
  for (unsigned r = 0; r < rows; ++r) {
    rowOffset[r] = r * 16;
    unsigned at = plan.cRegister[r];
    unsigned reg = plan.halfSelect ? at : at / 2;
    unsigned shift = (plan.halfSelect ? mods.opSel >> 2 & 1 : at & 1) * 16;
    for (unsigned j = 0; j < plan.n; ++j) {
      uint32_t bits = from
                          ? from[reg * o.rowStride + plan.cLane[r] + j] >> shift
                          : static_cast<uint32_t>(o.cConstant);
      bits &= 0xffff;
      float value = plan.cType == MatrixType::F16 ? halfToFloat(bits)
                                                  : asFloat(bits << 16);
      accumulator[r * 16 + j] = asFloat((asBits(value) & mask) ^ flip);
    }
  }
}

void storeD(const MatrixPlan &plan, const MatrixModifiers &mods,
            const MatrixOperands &o, const float *accumulator) {
  bool half = plan.cType == MatrixType::F16 || plan.cType == MatrixType::BF16;
  if (!half) {
    for (unsigned r = 0; r < plan.cRegs; ++r)
      __builtin_memcpy(o.d + r * o.rowStride, accumulator + r * kLanes,
                       plan.waveSize * sizeof(float));
    return;
  }
  // The other half of a register keeps its value.
  for (unsigned r = 0; r < plan.m; ++r) {
    unsigned at = plan.cRegister[r];
    unsigned reg = plan.halfSelect ? at : at / 2;
    unsigned shift = (plan.halfSelect ? mods.opSel >> 2 & 1 : at & 1) * 16;
    for (unsigned j = 0; j < plan.n; ++j) {
      float value = accumulator[r * 16 + j];
      uint32_t bits = plan.cType == MatrixType::F16 ? floatToHalf(value)
                                                    : floatToBFloat(value);
      uint32_t &to = o.d[reg * o.rowStride + plan.cLane[r] + j];
      to = (to & ~(0xffffu << shift)) | bits << shift;
    }
  }
}

/// f64: a register pair each, one element of A and of B a lane.
void executeF64(const MatrixPlan &plan, const MatrixModifiers &mods,
                const MatrixOperands &o, const uint8_t *aBlock) {
  uint64_t negate[3];
  for (unsigned n = 0; n < 3; ++n)
    negate[n] = plan.f64Negation && mods.blgp >> n & 1 ? 1ull << 63 : 0;
  double a[kLanes], b[kLanes], c[4 * kLanes];
  auto load = [&](const uint32_t *rows, unsigned lane, uint64_t sign) {
    uint64_t bits = rows[lane] | static_cast<uint64_t>(rows[o.rowStride + lane])
                                     << 32;
    return __builtin_bit_cast(double, bits ^ sign);
  };
  for (unsigned l = 0; l < kLanes; ++l) {
    a[l] = load(o.a, l, negate[0]);
    b[l] = load(o.b, l, negate[1]);
    for (unsigned r = 0; r < plan.cRegs / 2u; ++r)
      c[r * kLanes + l] =
          o.c ? load(o.c + 2 * r * o.rowStride, l, negate[2])
              : __builtin_bit_cast(double, o.cConstant ^ negate[2]);
  }
  for (unsigned block = 0; block < plan.blocks; ++block) {
    for (unsigned i = 0; i < plan.m; ++i) {
      unsigned r = block * plan.m + i;
      double *row = c + plan.cRegister[r] / 2 * kLanes + plan.cLane[r];
      for (unsigned k = 0; k < plan.k; ++k) {
        double left = a[plan.a.offset[k] + aBlock[block] * plan.m + i];
        const double *right = b + plan.b.offset[k] + block * plan.n;
        for (unsigned j = 0; j < plan.n; ++j)
          row[j] = __builtin_fma(left, right[j], row[j]);
      }
    }
  }
  for (unsigned r = 0; r < plan.cRegs / 2u; ++r)
    for (unsigned l = 0; l < kLanes; ++l) {
      double value = c[r * kLanes + l];
      uint64_t bits = value == value ? __builtin_bit_cast(uint64_t, value)
                                     : 0x7ff8000000000000ull;
      o.d[2 * r * o.rowStride + l] = static_cast<uint32_t>(bits);
      o.d[(2 * r + 1) * o.rowStride + l] = static_cast<uint32_t>(bits >> 32);
    }
}

void execute(const MatrixPlan &plan, const MatrixInputs &in,
             const MatrixModifiers &mods, const MatrixOperands &o) {
  // cbsz: in each set of 2^cbsz blocks, that number abid of A serves all.
  bool broadcasts =
      plan.family == MatrixFamily::MFMA && plan.aType != MatrixType::F8F6F4;
  uint8_t aBlock[16];
  for (unsigned block = 0; block < plan.blocks; ++block)
    aBlock[block] =
        broadcasts ? (block >> mods.cbsz << mods.cbsz) + mods.abid : 0;
  if (plan.arithmetic == MatrixArithmetic::FmaF64)
    return executeF64(plan, mods, o, aBlock);

  Form form = formOf(plan.arithmetic);
  Decoded a, b;
  Source source{o.a, o.rowStride, plan.waveSize, {0, 1, 2, 3}};
  auto flips = [&](unsigned operand) {
    return plan.negatable
               ? (mods.negLo >> operand & 1) | (mods.negHi >> operand & 1) << 1
               : 0;
  };
  auto isSigned = [&](MatrixType type, unsigned operand) {
    return type == MatrixType::I8 || mods.negLo >> operand & 1;
  };
  decode(source, in.aType, in.aFormat, bitsOf(in.aType),
         in.aLayout->laneElements, form, flips(0), isSigned(in.aType, 0), a);
  source.rows = o.b;
  if (plan.lanePatterns)
    pickGroups(mods.blgp, source.groups);
  decode(source, in.bType, in.bFormat, bitsOf(in.bType),
         in.bLayout->laneElements, form, flips(1), isSigned(in.bType, 1), b);
  if (plan.scaled) {
    auto byte = [&](unsigned operand) {
      return (mods.opSel >> operand & 1) | (mods.opSelHi >> operand & 1) << 1;
    };
    applyScales(a, *in.aLayout, plan.m, plan.k, o.aScale, o.aScaleConstant,
                byte(0));
    applyScales(b, *in.bLayout, plan.n, plan.k, o.bScale, o.bScaleConstant,
                byte(1));
  }

  alignas(64) float accumulator[32 * kLanes];
  uint16_t rowOffset[kMaxRows];
  loadC(plan, mods, o, accumulator, rowOffset);

  Job job;
  job.rows = plan.m;
  job.columns = plan.n;
  job.blocks = plan.blocks;
  job.k = plan.storedK;
  job.a = &a;
  job.b = &b;
  job.aOffset = in.aLayout->offset;
  job.bOffset = in.bLayout->offset;
  job.bRowStride = 0;
  job.aBlock = aBlock;
  job.aRowStride = 1;
  job.aBlockStride = plan.m;
  job.bBlockStride = plan.n;
  job.accumulator = accumulator;
  job.rowOffset = rowOffset;
  job.group = plan.group;
  job.saturate = mods.clamp;

  if (plan.storedK != plan.k) {
    // SMFMAC: with cbsz set, the first set of indices whatever abid says.
    unsigned set = plan.family == MatrixFamily::SWMMAC ? mods.indexKey
                   : mods.cbsz                         ? 0
                                                       : mods.abid;
    uint16_t sparseRows[32 * kMaxK];
    findSparseRows(plan, *in.aLayout, *in.bLayout, o.index, set, sparseRows);
    job.bOffset = sparseRows;
    job.bRowStride = kMaxK;
    multiply(plan, job);
  } else if (plan.m == 4) {
    Decoded spread;
    uint16_t spreadOffset[16] = {};
    const uint8_t first[1] = {0};
    spreadA(a, job.aOffset, job.k, aBlock, spread, spreadOffset);
    job.a = &spread;
    job.aOffset = spreadOffset;
    job.aBlock = first;
    job.aRowStride = kLanes;
    job.blocks = 1;
    job.columns = kLanes;
    multiply(plan, job);
  } else {
    multiply(plan, job);
  }
  storeD(plan, mods, o, accumulator);
}

} // namespace

const MatrixLevel matrixLevel = {LEVEL_STRING(AIRCC_MATRIX_LEVEL), execute};

} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL
