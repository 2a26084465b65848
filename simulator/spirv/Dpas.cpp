//===- Dpas.cpp - Matrix multiplication of a subgroup ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// D = A * B + C for a subgroup of 16: A is rows x depth, B is depth x 16, and C
// and D are rows x 16 (OpenCL extension
// cl_intel_subgroup_matrix_multiply_accumulate). Lane l has these elements:
// - 16 bits of each row of A: element l of f16 and bf16, elements 2l and 2l + 1
//   of 8-bit integers. Rows of tf32 have 8 elements, so two rows share the
//   lanes.
// - Column l of B, where 32 bits contain 1, 2 or 4 consecutive elements.
// - Column l of C and D, row by row.
//
// Intel does not publish the order and precision of the additions in its
// systolic array. The simulator uses a chain of fused multiply-adds in f32
// along the depth, which begins with C, and rounds to the type of D once at the
// end. The low 13 bits of tf32 operands are ignored. Integers wrap around.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/isa/Floats.h"
#include "simulator/spirv/Convergence.h"
#include "simulator/spirv/HostFloats.h"
#include "simulator/spirv/LaneTranspose.h"
#include "simulator/spirv/Workgroup.h"

#include "llvm/ADT/bit.h"

#include <type_traits>

using namespace aircc::sim;
using namespace aircc::sim::spirv;

namespace {

constexpr unsigned kColumns = 16, kMaxRows = 8, kMaxDepth = 32;

/// The operands of a product. A lane's elements of B and C belong to one column
/// and are consecutive along the depth or the rows, as are the elements in a
/// column of A. Therefore, the host's vectors contain consecutive rows, and no
/// operand is transposed.
///
/// `Rows` is 4 or 8. If the operation has fewer rows, the results of the others
/// are computed from arbitrary bytes and not stored; padding to a multiple of
/// 16 bytes comes after a lane's operands (FunctionTranslator::converge).
template <typename T, unsigned Rows> struct Operands {
  T a[kMaxDepth][Rows];
  T b[kColumns][kMaxDepth];
};

/// Inlined into the functions that are compiled once for each kind of host
/// (`multiply…`), so that it can use that host's instructions.
#define DPAS_INLINE inline __attribute__((always_inline))

template <DpasShape::Type type> struct Element;
template <> struct Element<DpasShape::F16> {
  using Bits = uint16_t;
  static DPAS_INLINE float value(Bits v) { return floats::halfToFloat(v); }
};
template <> struct Element<DpasShape::BF16> {
  using Bits = uint16_t;
  static DPAS_INLINE float value(Bits v) { return floats::bf16ToFloat(v); }
};
template <> struct Element<DpasShape::TF32> {
  using Bits = uint32_t;
  static DPAS_INLINE float value(Bits v) { return floats::truncateToTf32(v); }
};
template <> struct Element<DpasShape::S8> {
  using Bits = int8_t;
  static DPAS_INLINE int32_t value(Bits v) { return v; }
};
template <> struct Element<DpasShape::U8> {
  using Bits = uint8_t;
  static DPAS_INLINE int32_t value(Bits v) { return v; }
};

/// Converts `N` consecutive elements.
template <DpasShape::Type type, unsigned N, typename T>
DPAS_INLINE void decode(T *to, const uint8_t *from) {
  typename Element<type>::Bits bits[N];
  std::memcpy(bits, from, sizeof(bits));
  for (unsigned n = 0; n < N; ++n)
    to[n] = Element<type>::value(bits[n]);
}

template <DpasShape::Type type, typename T, unsigned Rows>
DPAS_INLINE void gatherA(const Convergence &convergence,
                         Operands<T, Rows> &operands) {
  constexpr unsigned bytes = sizeof(typename Element<type>::Bits);
  const unsigned rows = convergence.site.dpas.rows;
  for (const Lane *lane : convergence.lanes) {
    const unsigned l = lane->index;
    const uint8_t *from = convergence.operand(lane, 0);
    if constexpr (type == DpasShape::TF32) {
      // The matrix is distributed row by row; a single row occupies only 8
      // lanes.
      for (unsigned n = 0; n * 16 + l < rows * 8; ++n) {
        const unsigned element = n * 16 + l;
        decode<type, 1>(&operands.a[element % 8][element / 8], from + n * 4);
      }
    } else {
      constexpr unsigned together = 2 / bytes;
      T values[Rows * together];
      decode<type, Rows * together>(values, from);
      for (unsigned e = 0; e < together; ++e)
        for (unsigned row = 0; row < Rows; ++row)
          operands.a[l * together + e][row] = values[row * together + e];
    }
  }
}

template <DpasShape::Type type, typename T, unsigned Rows>
DPAS_INLINE void gatherB(const Convergence &convergence,
                         Operands<T, Rows> &operands) {
  constexpr unsigned depth = 32 / sizeof(typename Element<type>::Bits);
  for (const Lane *lane : convergence.lanes)
    decode<type, depth>(operands.b[lane->index], convergence.operand(lane, 1));
}

template <unsigned Rows>
DPAS_INLINE void gather(const Convergence &convergence,
                        Operands<float, Rows> &operands) {
  switch (convergence.site.dpas.a) {
  case DpasShape::BF16:
    gatherA<DpasShape::BF16>(convergence, operands);
    return gatherB<DpasShape::BF16>(convergence, operands);
  case DpasShape::TF32:
    std::memset(operands.a, 0, sizeof(operands.a));
    gatherA<DpasShape::TF32>(convergence, operands);
    return gatherB<DpasShape::TF32>(convergence, operands);
  default:
    gatherA<DpasShape::F16>(convergence, operands);
    return gatherB<DpasShape::F16>(convergence, operands);
  }
}

template <unsigned Rows>
DPAS_INLINE void gather(const Convergence &convergence,
                        Operands<int32_t, Rows> &operands) {
  const DpasShape &shape = convergence.site.dpas;
  if (shape.a == DpasShape::S8)
    gatherA<DpasShape::S8>(convergence, operands);
  else
    gatherA<DpasShape::U8>(convergence, operands);
  if (shape.b == DpasShape::S8)
    gatherB<DpasShape::S8>(convergence, operands);
  else
    gatherB<DpasShape::U8>(convergence, operands);
}

DPAS_INLINE float addProduct(float sum, float a, float b) {
  return __builtin_fmaf(a, b, sum);
}
DPAS_INLINE uint32_t addProduct(uint32_t sum, int32_t a, int32_t b) {
  return sum + static_cast<uint32_t>(a * b);
}

/// Computes sums += A * B.
template <unsigned Rows, typename T, typename Sum>
DPAS_INLINE void multiplyRows(const Convergence &convergence,
                              Sum (&sums)[kColumns][kMaxRows]) {
  Operands<T, Rows> operands;
  gather(convergence, operands);
  // The sums of several columns are independent and can be computed in
  // parallel.
  constexpr unsigned kTogether = 8;
  const unsigned depth = convergence.site.dpas.depth;
  for (unsigned column = 0; column < kColumns; column += kTogether) {
    Sum part[kTogether][Rows];
    for (unsigned n = 0; n < kTogether; ++n)
      for (unsigned row = 0; row < Rows; ++row)
        part[n][row] = sums[column + n][row];
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned n = 0; n < kTogether; ++n)
        for (unsigned row = 0; row < Rows; ++row)
          part[n][row] = addProduct(part[n][row], operands.a[k][row],
                                    operands.b[column + n][k]);
    for (unsigned n = 0; n < kTogether; ++n)
      for (unsigned row = 0; row < Rows; ++row)
        sums[column + n][row] = part[n][row];
  }
}

template <typename T, typename Sum>
DPAS_INLINE void multiply(const Convergence &convergence,
                          Sum (&sums)[kColumns][kMaxRows]) {
  if (convergence.site.dpas.rows <= 4)
    multiplyRows<4, T>(convergence, sums);
  else
    multiplyRows<8, T>(convergence, sums);
}

using FloatSums = float[kColumns][kMaxRows];
using IntegerSums = uint32_t[kColumns][kMaxRows];

/// The functions for one kind of host.
struct Multiplier {
  void (*floats)(const Convergence &, FloatSums &);
  void (*integers)(const Convergence &, IntegerSums &);
};

void multiplyFloats(const Convergence &convergence, FloatSums &sums) {
  multiply<float>(convergence, sums);
}
void multiplyIntegers(const Convergence &convergence, IntegerSums &sums) {
  multiply<int32_t>(convergence, sums);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void
multiplyFloatsAvx2(const Convergence &convergence, FloatSums &sums) {
  multiply<float>(convergence, sums);
}
__attribute__((target("avx2,fma"))) void
multiplyIntegersAvx2(const Convergence &convergence, IntegerSums &sums) {
  multiply<int32_t>(convergence, sums);
}
#endif

Multiplier chooseMultiplier() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {multiplyFloatsAvx2, multiplyIntegersAvx2};
#endif
  return {multiplyFloats, multiplyIntegers};
}

/// The conversions of C and D between their format and f32.
struct Accumulators {
  FloatFormat format;
  unsigned rows;

  unsigned bytes() const { return format == FloatFormat::Single ? 4 : 2; }
  void load(float (&sums)[kMaxRows], const uint8_t *from) const {
    if (format == FloatFormat::Single) {
      copySmall(sums, from, rows * 4);
      return;
    }
    for (unsigned row = 0; row < rows; ++row) {
      uint16_t bits;
      std::memcpy(&bits, from + row * 2, 2);
      sums[row] = format == FloatFormat::Half ? floats::halfToFloat(bits)
                                              : floats::bf16ToFloat(bits);
    }
  }
  void store(const float (&sums)[kMaxRows], uint8_t *to) const {
    if (format == FloatFormat::Single) {
      copySmall(to, sums, rows * 4);
      return;
    }
    for (unsigned row = 0; row < rows; ++row) {
      const auto bits = static_cast<uint16_t>(
          format == FloatFormat::Half ? floats::floatToHalf(sums[row])
                                      : floats::floatToBf16(sums[row]));
      std::memcpy(to + row * 2, &bits, 2);
    }
  }
};

void runFloats(const Convergence &convergence, const Multiplier &multiplier) {
  const DpasShape &shape = convergence.site.dpas;
  const Accumulators accumulators{shape.c == DpasShape::Half ? FloatFormat::Half
                                  : shape.c == DpasShape::BFloat
                                      ? FloatFormat::BFloat
                                      : FloatFormat::Single,
                                  shape.rows};
  alignas(64) FloatSums sums = {};
  for (const Lane *lane : convergence.lanes)
    accumulators.load(sums[lane->index], convergence.operand(lane, 2));
  multiplier.floats(convergence, sums);
  for (const Lane *lane : convergence.lanes)
    accumulators.store(sums[lane->index], convergence.result(lane));
}

void runIntegers(const Convergence &convergence, const Multiplier &multiplier) {
  const unsigned bytes = convergence.site.dpas.rows * 4;
  alignas(64) IntegerSums sums = {};
  for (const Lane *lane : convergence.lanes)
    copySmall(sums[lane->index], convergence.operand(lane, 2), bytes);
  multiplier.integers(convergence, sums);
  for (const Lane *lane : convergence.lanes)
    copySmall(convergence.result(lane), sums[lane->index], bytes);
}

} // namespace

void aircc::sim::spirv::runDpas(Convergence &convergence) {
  if (convergence.lanes.size() != kColumns)
    throw Fault("the subgroup has " + std::to_string(convergence.lanes.size()) +
                " lanes, but the instruction requires 16");
  const DpasShape &shape = convergence.site.dpas;
  convergence.group.counts.add(LaneCounts::Dpas,
                               uint64_t(shape.rows) * shape.depth * kColumns);
  static const Multiplier multiplier = chooseMultiplier();
  if (shape.c == DpasShape::I32)
    runIntegers(convergence, multiplier);
  else
    runFloats(convergence, multiplier);
}
