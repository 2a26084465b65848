//===- LdsExchangePlan.h - Where an exchange keeps its elements -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that write rows and read columns of a row-major buffer meet in few
// banks of LDS. What an exchange writes and reads is known lane by lane, so the
// cycles that the banks take are counted for some ways to store the elements,
// and the best is taken: row after row, with the blocks of rows permuted by an
// xor, or with gaps between rows.
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
  /// Of each dimension, in elements.
  layout::Ints strides;
  /// Elements of the buffer.
  int64_t count = 0;
  /// Of the offsets that the strides give. All strides, and all that lanes and
  /// registers add to an offset, are powers of two then.
  std::optional<layout::XorShuffle> swizzle;

  /// `gap` elements more between steps along the dimensions before `dim`.
  static LdsExchangePlan rowMajor(const layout::Ints &shape, int64_t dim = 0,
                                  int64_t gap = 0);
  /// How far behind a lane's first register another one is.
  int64_t offsetOf(const layout::NestedLayout &layout, int64_t reg) const;
  /// Runs of `run` elements are accessed in pieces of so many.
  int64_t getAccessLength(int64_t length) const {
    return swizzle ? std::min(length, swizzle->accessWidth()) : length;
  }
};

/// All that lanes and registers add to a coordinate are powers of two: other
/// bits of it.
bool isBitwise(const layout::NestedLayout &layout);

/// What goes through LDS.
struct LdsExchangeUse {
  layout::NestedLayout from;
  /// Registers of the result that are read at once, and how many there are.
  int64_t readLength = 1, numRead = 1;
  /// Where a lane of the first wave reads a register from. None: not known.
  std::function<void(int64_t lane, int64_t reg, layout::Ints &coordinates)>
      readFrom;
  /// Every lane's places are its first one xor what a register adds.
  bool isBitwise = false;
  int64_t lanes = 64, elementBytes = 4, banks = 32;
  /// Whether there is room for so many elements.
  std::function<bool(int64_t count)> fits;
};

/// The plan of least cycles; of equals that which costs least otherwise.
LdsExchangePlan planLdsExchange(const LdsExchangeUse &use);

/// Cycles that the banks take for an access of each lane, at these addresses,
/// in bytes. Lanes are served in phases of neighbours, or, `paired`, in phases
/// of quads of lanes that lie apart, as some chips read 16 bytes a lane.
int64_t countBankCycles(const std::vector<int64_t> &addresses, int64_t bytes,
                        int64_t banks, bool paired);

/// The places of a lane's registers: `base` is that of its first.
class LdsAddresses {
public:
  LdsAddresses(const LdsExchangePlan &plan, mlir::Value base)
      : plan(plan), base(base) {}

  /// The place `offset` further on. Null: 0.
  mlir::Value at(mlir::OpBuilder &b, mlir::Location loc, int64_t offset);

private:
  const LdsExchangePlan &plan;
  mlir::Value base;
  bool isSwizzled = false;
  /// By what part of the offset goes into the xor.
  std::map<int64_t, mlir::Value> swizzled;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEPLAN_H
