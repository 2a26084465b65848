//===- MatrixMultiply.h - Products and sums ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The arithmetic that Matrix.h describes, on decoded inputs.
//
// This is a part of MatrixKernels.cpp, which is compiled once for each level of
// the host's vector instructions (MatrixKernels.h). Nothing here may have
// external linkage, and no inline function of another header may be called.
// Otherwise, the linker could use a copy that was compiled for a newer level.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXMULTIPLY_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXMULTIPLY_H

#include "simulator/exec/matrix/MatrixDecode.h"

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
namespace {

/// The parameters of the loops below. Offsets are positions in Decoded
/// (MatrixPlan.h).
struct Job {
  unsigned rows, columns, blocks, k;
  const Decoded *a, *b;
  const uint16_t *aOffset; ///< By stored k.
  const uint16_t *bOffset; ///< By stored k and, for sparse forms, also by row.
  unsigned bRowStride;   ///< From one row's part of bOffset to the next, or 0.
  const uint8_t *aBlock; ///< The block of A that block b multiplies.
  unsigned aRowStride;   ///< 1, or 64 if A was broadcast to the lanes.
  unsigned aBlockStride, bBlockStride;
  float *accumulator;
  const uint16_t *rowOffset; ///< The offset in the accumulator, by block * rows
                             ///< + row.
  unsigned group;
  bool saturate;
};

/// A row of A and `kWidth` columns of B. With kVectorA, A differs by column.
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

/// Calls step(a, b, sums) for each `kRows` rows and `kVectors` vectors of
/// columns, whose sums are independent. `a` and `b` are the positions of the
/// first row and column in the values. sums(row, vector) is the address of a
/// vector of the accumulator.
template <unsigned kRows, unsigned kVectors, class Step>
KERNEL_INLINE void forTiles(const Job &job, Step step) {
  for (unsigned block = 0; block < job.blocks; ++block) {
    const float *a = job.a->floats + job.aBlock[block] * job.aBlockStride;
    const float *b = job.b->floats + block * job.bBlockStride;
    const uint16_t *rows = job.rowOffset + block * job.rows;
    for (unsigned i = 0; i < job.rows; i += kRows)
      for (unsigned j = 0; j < job.columns; j += kVectors * kWidth)
        step(a + i, b + j, [&](unsigned r, unsigned v) KERNEL_INLINE_LAMBDA {
          return job.accumulator + rows[i + r] + j + v * kWidth;
        });
  }
}

/// Adds the products for k from `first` to `end` to `sums`.
template <unsigned kRows, unsigned kVectors, class Add>
KERNEL_INLINE void addProducts(const Job &job, const float *a, const float *b,
                               unsigned first, unsigned end,
                               Floats (&sums)[kRows][kVectors], Add add) {
  for (unsigned k = first; k < end; ++k) {
    Floats right[kVectors];
    for (unsigned v = 0; v < kVectors; ++v)
      right[v] = loadFloats(b + job.bOffset[k] + v * kWidth);
    for (unsigned r = 0; r < kRows; ++r) {
      const Floats left = a[job.aOffset[k] + r] - Floats{};
      for (unsigned v = 0; v < kVectors; ++v)
        sums[r][v] = add(left, right[v], sums[r][v]);
    }
  }
}

template <unsigned kVectors> void multiplyFmaTiles(const Job &job) {
  constexpr unsigned kRows = 4;
  forTiles<kRows, kVectors>(
      job, [&](const float *a, const float *b, auto at) KERNEL_INLINE_LAMBDA {
        Floats sums[kRows][kVectors];
        for (unsigned r = 0; r < kRows; ++r)
          for (unsigned v = 0; v < kVectors; ++v)
            sums[r][v] = loadFloats(at(r, v));
        addProducts(job, a, b, 0, job.k, sums, multiplyAdd);
        for (unsigned r = 0; r < kRows; ++r)
          for (unsigned v = 0; v < kVectors; ++v)
            storeVector(at(r, v), defaultNaNs(sums[r][v]));
      });
}

/// Returns whether the length of a row of C is a multiple of two vectors.
bool hasPairsOfVectors(const Job &job) {
  return job.columns % (2 * kWidth) == 0;
}

void multiplyFma(const Job &job) {
  if (job.aRowStride == 1 && job.bRowStride == 0)
    return hasPairsOfVectors(job) ? multiplyFmaTiles<2>(job)
                                  : multiplyFmaTiles<1>(job);
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
    // A denormal in C becomes +0, whereas one in a sum keeps its sign.
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

/// Shifts right, rounding toward zero.
KERNEL_INLINE int32_t shiftTruncating(int32_t value, int32_t amount) {
  int32_t sign = value >> 31;
  return (((value ^ sign) - sign) >> amount ^ sign) - sign;
}

/// Adds `sum`, in units of 2^(exponent - 24), to C. Bits of C below 2^-24 of
/// the larger exponent are dropped by rounding down or toward zero.
template <bool kTruncate>
KERNEL_INLINE float addToC(int32_t sum, int32_t exponent, float c) {
  int32_t bits = static_cast<int32_t>(asBits(c));
  int32_t field = bits >> 23 & 255;
  int32_t mantissa = bits & 0x7fffff;
  int32_t magnitude = field == 0 ? mantissa : mantissa | 0x800000;
  int32_t cExponent = (field == 0 ? 1 : field) - 127;
  cExponent = magnitude == 0 ? kNoExponent : cExponent;
  int32_t top = larger(exponent, cExponent);
  // C is in units of 2^(top - 24).
  int32_t cShift = smaller(top - cExponent, 31);
  int32_t doubled = 2 * (bits < 0 ? -magnitude : magnitude);
  int32_t cUnits =
      kTruncate ? shiftTruncating(doubled, cShift) : doubled >> cShift;
  // The sum is in units of 2^(top - 31).
  int32_t sumShift = smaller(top - exponent, 100);
  double units = static_cast<double>(sum) *
                 powerOf2Double(kSumFraction - kFraction - sumShift);
  units = kTruncate ? __builtin_trunc(units) : __builtin_floor(units);
  units += static_cast<double>(cUnits) * (1 << (kSumFraction - kFraction));
  float result = static_cast<float>(
      units * powerOf2Double(larger(top, -600) - kSumFraction));
  // No product here is infinite or NaN, so an infinite or NaN C is the result.
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

/// Returns the sum of kCount products at k, k + kStep, …, each truncated to 24
/// bits below the largest exponent, which is stored in `largest`.
template <unsigned kCount, unsigned kStep, class AnyStrip>
KERNEL_INLINE Ints sumProducts(const AnyStrip &strip, unsigned k,
                               Ints &largest) {
  Ints exponents[kCount];
  largest = Ints{} + kNoExponent;
  for (unsigned n = 0; n < kCount; ++n) {
    exponents[n] = strip.aInt(k + n * kStep) + strip.bInt(k + n * kStep);
    largest = exponents[n] > largest ? exponents[n] : largest;
  }
  // These are the biased exponents of the powers of two that scale the
  // products.
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

/// One element, for any inputs: infinities, NaNs, products outside the range of
/// f32.
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
  // Significands are below 2, so no product reaches 2^128 if this holds.
  bool inRange = job.a->largest + job.b->largest < 126;
  if (job.a->special || job.b->special || !inRange)
    return multiplyFusedSpecial(job, paired);
  if (paired)
    return multiplyFusedPaired(job);
  if (job.group == 8)
    return multiplyFused<8>(job);
  return multiplyFused<4>(job);
}

} // namespace
} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXMULTIPLY_H
