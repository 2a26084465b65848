//===- LdsExchangePlan.h - Plan exchange storage ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Lanes that write rows and read columns of a row-major buffer have bank
// conflicts. The accesses of each lane in an exchange are known, so the planner
// counts the bank cycles for several storage schemes and chooses the best:
// row-major, row-major with blocks permuted by an xor, or with padding between
// rows.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEPLAN_H
#define AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEPLAN_H

#include "dialects/layout/algebra/NestedLayout.h"
#include "dialects/layout/algebra/XorShuffle.h"

#include "mlir/IR/Builders.h"

#include <functional>
#include <map>
#include <optional>

namespace aircc::distribution {

struct LdsExchangePlan {
  /// The stride of each dimension, in elements.
  layout::Ints strides;
  /// The elements of the buffer.
  int64_t count = 0;
  /// The swizzle of the strided offsets. With a swizzle, all strides and all
  /// tile sizes must be powers of two.
  std::optional<layout::XorShuffle> swizzle;

  /// Returns a row-major plan with `gap` elements of padding between steps
  /// along the dimensions before `dim`.
  static LdsExchangePlan rowMajor(const layout::Ints &shape, int64_t dim = 0,
                                  int64_t gap = 0);
  /// Returns the offset of a register from register 0 of the lane.
  int64_t offsetOf(const layout::NestedLayout &layout, int64_t reg) const;
  /// Returns the number of elements per access for `length` contiguous
  /// elements.
  int64_t getAccessLength(int64_t length) const {
    return swizzle ? std::min(length, swizzle->accessWidth()) : length;
  }
};

/// Returns whether all tile sizes are powers of two, so that lanes and
/// registers determine disjoint bits of a coordinate.
bool isBitwise(const layout::NestedLayout &layout);

/// An exchange through LDS.
struct LdsExchangeUse {
  layout::NestedLayout from;
  /// The registers of the result that are read at once, and in total.
  int64_t readLength = 1, numRead = 1;
  /// Sets the coordinates from which a lane of the first wave reads a register.
  /// Null if they are dynamic.
  std::function<void(int64_t lane, int64_t reg, layout::Ints &coordinates)>
      readFrom;
  /// Whether the offset of a register is that of register 0 xor a constant.
  bool isBitwise = false;
  int64_t lanes = 64, elementBytes = 4, banks = 32;
  /// Whether a buffer of `count` elements fits.
  std::function<bool(int64_t count)> fits;
};

/// Returns the plan with the fewest cycles; simpler plans win ties.
LdsExchangePlan planLdsExchange(const LdsExchangeUse &use);

/// The offsets of the registers of a lane; `base` is that of register 0.
class LdsAddresses {
public:
  LdsAddresses(const LdsExchangePlan &plan, mlir::Value base)
      : plan(plan), base(base) {}

  /// Returns the offset of the element that is `offset` from `base`; null for
  /// 0.
  mlir::Value at(mlir::OpBuilder &b, mlir::Location loc, int64_t offset);

private:
  const LdsExchangePlan &plan;
  mlir::Value base;
  bool isSwizzled = false;
  /// Swizzled bases, indexed by the part of the offset that is in the xor.
  std::map<int64_t, mlir::Value> swizzled;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEPLAN_H
