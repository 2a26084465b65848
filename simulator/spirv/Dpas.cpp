//===- Dpas.cpp - Products of matrices of a subgroup ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A * B + C for a subgroup of 16: A is rows x depth, B depth x 16, C and D
// rows x 16 (OpenCL extension cl_intel_subgroup_matrix_multiply_accumulate).
// Lane l has
//  - of A, for 16 bits of each row the elements that lie there: element l of
//  f16
//    and bf16, elements 2l and 2l + 1 of 8-bit integers. Rows of tf32 have 8
//    elements, so that two rows share the lanes;
//  - of B, column l: 32 bits hold 1, 2 or 4 elements that follow each other;
//  - of C and D, column l, row by row.
//
// Intel does not publish in which order and precision its systolic array adds.
// Here: element after element along the depth, the product exact, each sum
// rounded to f32 (a chain of fused multiply-adds that begins with C), whatever
// the type of C and D is; that is rounded once, at the end. Of tf32 operands
// the low 13 bits do not count. Integers wrap around.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/spirv/HostFloats.h"
#include "simulator/spirv/Meeting.h"
#include "simulator/spirv/Workgroup.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace aircc::sim;
using namespace aircc::sim::spirv;

namespace {

constexpr unsigned kColumns = 16, kMaxRows = 8, kMaxDepth = 32;

float halfToFloat(uint16_t bits) {
  return static_cast<float>(llvm::bit_cast<_Float16>(bits));
}
float bfloatToFloat(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

/// The elements of an operand, by row and place along the depth (of B: by
/// place along the depth and column).
template <typename T> struct Operands {
  T a[kMaxRows][kMaxDepth];
  T b[kMaxDepth][kColumns];
};

template <typename T> T elementAt(const uint8_t *at, DpasShape::Type type) {
  uint16_t half = 0;
  uint32_t word = 0;
  switch (type) {
  case DpasShape::S8:
    return static_cast<T>(static_cast<int8_t>(*at));
  case DpasShape::U8:
    return static_cast<T>(*at);
  case DpasShape::F16:
    std::memcpy(&half, at, 2);
    return static_cast<T>(halfToFloat(half));
  case DpasShape::BF16:
    std::memcpy(&half, at, 2);
    return static_cast<T>(bfloatToFloat(half));
  case DpasShape::TF32:
    std::memcpy(&word, at, 4);
    return static_cast<T>(llvm::bit_cast<float>(word & ~uint32_t(0x1fff)));
  }
  return T();
}

unsigned bytesOf(DpasShape::Type type) {
  return type == DpasShape::TF32                             ? 4
         : type == DpasShape::F16 || type == DpasShape::BF16 ? 2
                                                             : 1;
}

template <typename T>
void gather(const Meeting &meeting, Operands<T> &operands) {
  const DpasShape &shape = meeting.site.dpas;
  const unsigned aBytes = bytesOf(shape.a), bBytes = bytesOf(shape.b);
  for (const Lane *lane : meeting.lanes) {
    const uint8_t *a = meeting.operand(lane, 0), *b = meeting.operand(lane, 1);
    if (shape.a == DpasShape::TF32) {
      // The matrix row by row through the lanes; one row leaves lanes idle.
      for (unsigned n = 0; n * 16 + lane->index < shape.rows * 8; ++n) {
        const unsigned element = n * 16 + lane->index;
        operands.a[element / 8][element % 8] = elementAt<T>(a + n * 4, shape.a);
      }
    } else {
      const unsigned together = 2 / aBytes;
      for (unsigned row = 0; row < shape.rows; ++row)
        for (unsigned e = 0; e < together; ++e)
          operands.a[row][lane->index * together + e] =
              elementAt<T>(a + row * 2 + e * aBytes, shape.a);
    }
    for (unsigned k = 0; k < shape.depth; ++k)
      operands.b[k][lane->index] = elementAt<T>(b + k * bBytes, shape.b);
  }
}

/// c[n] += a * b[n], rounded once each.
using AddProducts = void (*)(float (&c)[kColumns], float a,
                             const float (&b)[kColumns]);
void addProducts(float (&c)[kColumns], float a, const float (&b)[kColumns]) {
  for (unsigned n = 0; n < kColumns; ++n)
    c[n] = std::fma(a, b[n], c[n]);
}

#if defined(__x86_64__)
/// The same where the host has the instruction.
__attribute__((target("avx2,fma"))) void
addProductsFused(float (&c)[kColumns], float a, const float (&b)[kColumns]) {
  for (unsigned n = 0; n < kColumns; ++n)
    c[n] = __builtin_fmaf(a, b[n], c[n]);
}
#endif

AddProducts chooseAddProducts() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return addProductsFused;
#endif
  return addProducts;
}

void multiplyFloats(const Meeting &meeting) {
  static const AddProducts add = chooseAddProducts();
  const DpasShape &shape = meeting.site.dpas;
  Operands<float> operands;
  gather(meeting, operands);
  const FloatFormat format = shape.c == DpasShape::Half ? FloatFormat::Half
                             : shape.c == DpasShape::BFloat
                                 ? FloatFormat::BFloat
                                 : FloatFormat::Single;
  const unsigned bytes = shape.c == DpasShape::F32 ? 4 : 2;
  for (unsigned row = 0; row < shape.rows; ++row) {
    float sums[kColumns];
    for (const Lane *lane : meeting.lanes) {
      uint64_t bits = 0;
      std::memcpy(&bits, meeting.operand(lane, 2) + row * bytes, bytes);
      if (format != FloatFormat::Single)
        bits = convertToFloat(bits, format, FloatFormat::Single, true, 0);
      sums[lane->index] = llvm::bit_cast<float>(static_cast<uint32_t>(bits));
    }
    for (unsigned k = 0; k < shape.depth; ++k)
      add(sums, operands.a[row][k], operands.b[k]);
    for (const Lane *lane : meeting.lanes) {
      uint64_t bits = llvm::bit_cast<uint32_t>(sums[lane->index]);
      if (format != FloatFormat::Single)
        bits = convertToFloat(bits, FloatFormat::Single, format, true, 0);
      std::memcpy(meeting.result(lane) + row * bytes, &bits, bytes);
    }
  }
}

void multiplyIntegers(const Meeting &meeting) {
  const DpasShape &shape = meeting.site.dpas;
  Operands<int32_t> operands;
  gather(meeting, operands);
  for (unsigned row = 0; row < shape.rows; ++row)
    for (const Lane *lane : meeting.lanes) {
      uint32_t sum = 0;
      std::memcpy(&sum, meeting.operand(lane, 2) + row * 4, 4);
      for (unsigned k = 0; k < shape.depth; ++k)
        sum += static_cast<uint32_t>(operands.a[row][k] *
                                     operands.b[k][lane->index]);
      std::memcpy(meeting.result(lane) + row * 4, &sum, 4);
    }
}

} // namespace

void aircc::sim::spirv::runDpas(Meeting &meeting) {
  if (meeting.lanes.size() != kColumns)
    throw Fault("a subgroup of " + std::to_string(meeting.lanes.size()) +
                " lanes; the instruction is for 16");
  const DpasShape &shape = meeting.site.dpas;
  meeting.group.counts.add(LaneCounts::Dpas,
                           uint64_t(shape.rows) * shape.depth * kColumns);
  if (shape.c == DpasShape::I32)
    multiplyIntegers(meeting);
  else
    multiplyFloats(meeting);
}
