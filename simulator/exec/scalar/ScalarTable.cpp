//===- ScalarTable.cpp - Scalar instructions on integers ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/scalar/ScalarTable.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

u32 lo(u64 v) { return static_cast<u32>(v); }
i32 slo(u64 v) { return static_cast<i32>(v); }
i64 s64(u64 v) { return static_cast<i64>(v); }
u64 mask64(u64 width) { return width >= 64 ? ~u64(0) : (u64(1) << width) - 1; }

/// Implements whole quad mode: sets all four bits of each quad that has one
/// set.
u64 wholeQuads(u64 v) {
  v |= v >> 1 & 0x7777777777777777;
  v |= v >> 2 & 0x3333333333333333;
  v &= 0x1111111111111111;
  return v * 15;
}
u64 quadMask(u64 v) {
  u64 d = 0;
  for (unsigned i = 0; i < 16; ++i)
    d |= static_cast<u64>((v >> 4 * i & 15) != 0) << i;
  return d;
}

/// A logical operation, where SCC is whether the result is not zero.
#define LOGIC(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, ...)       \
  AIRCC_SCALAR_KERNEL(u64 d = (__VA_ARGS__);                                   \
                      if (ValueType::TYPE == ValueType::B32) d &= 0xffffffff;  \
                      scc = d != 0; return d;)
#define LOGIC1 LOGIC
constexpr ScalarKernel kIntegers[] = {
#include "simulator/isa/tables/ScalarInteger.def"
};

#define SCALAR_IMMEDIATE(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D,    \
                         ...)                                                  \
  AIRCC_SCALAR_KERNEL(__VA_ARGS__)
constexpr ScalarKernel kImmediates[] = {
#include "simulator/isa/tables/ScalarImmediate.def"
};

} // namespace

const ScalarKernel *aircc::sim::scalarKernel(InstructionTable table,
                                             unsigned index) {
  switch (table) {
  case InstructionTable::ScalarInteger:
    return &kIntegers[index];
  case InstructionTable::ScalarImmediate:
    return &kImmediates[index];
  default:
    return scalarFloatKernel(index);
  }
}
