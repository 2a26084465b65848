//===- Conversion.h - From one layout of a vector to another ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Determines how to convert a vector from one layout to another: the lane and
// register from which each value comes, and whether it has to move to another
// lane or another subgroup.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_CONVERSION_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_CONVERSION_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// How far values move, cheapest first.
enum class ConversionKind {
  Identity,   ///< The layouts are equal: nothing to do.
  WithinLane, ///< Lanes select or copy their own registers.
  WithinWave, ///< Lanes of a subgroup exchange values: shuffles.
  AcrossWaves ///< Subgroups exchange values through LDS.
};

/// Returns "identity", "within a lane", "within a wave" or "across waves".
const char *conversionKindText(ConversionKind kind);

/// Returns how far values move from `from` to `to`, in a workgroup of
/// `numSubgroups` subgroups of `numLanes` lanes. The run time is proportional
/// to the sum of the per-lane sizes of the dimensions, not to their product.
/// Errors: the shapes differ; the workgroup cannot hold one of the layouts.
Result<ConversionKind> conversionKind(const NestedLayout &from,
                                      const NestedLayout &to,
                                      int64_t numSubgroups, int64_t numLanes);

/// The source of a value.
struct Source {
  int32_t subgroup, lane, reg;
  bool operator==(const Source &) const = default;
};

/// The sources of one result register, for all subgroups and lanes.
struct RegisterMove {
  /// The source registers that are used, in ascending order.
  std::vector<int32_t> sourceRegisters;
  /// Whether every lane is its own source lane.
  bool ownLane = false;
  /// Whether every subgroup is its own source subgroup.
  bool ownSubgroup = false;
  /// Set if every source lane is the lane xor this number, in all subgroups. If
  /// ownSubgroup is also set and there is one source register, one xor shuffle
  /// or DPP performs the move.
  std::optional<int32_t> xorMask;
  /// Set if the source lane does not depend on the subgroup: the source lane of
  /// each lane, as an indexed shuffle takes it.
  std::optional<std::vector<int32_t>> laneTable;
};

/// A complete conversion.
class Conversion {
public:
  /// Errors: those of conversionKind; a table of more than 2^31 entries.
  static Result<Conversion> get(const NestedLayout &from,
                                const NestedLayout &to, int64_t numSubgroups,
                                int64_t numLanes);

  ConversionKind kind() const { return theKind; }
  int64_t numSubgroups() const { return subgroups; }
  int64_t numLanes() const { return lanes; }
  /// Returns the number of registers of a lane before and after.
  int64_t numSourceRegisters() const { return sourceRegisters; }
  int64_t numRegisters() const { return registers; }

  /// Returns the source of register `reg` of (subgroup, lane). If the source
  /// element has copies, prefers the lane itself, then a lane of the same
  /// subgroup, then one of the subgroup with the smallest id xor `subgroup`;
  /// among the lanes there, prefers the one with the smallest number xor
  /// `lane`. The source register depends only on the element.
  const Source &source(int64_t subgroup, int64_t lane, int64_t reg) const {
    return sources[(subgroup * lanes + lane) * registers + reg];
  }

  RegisterMove move(int64_t reg) const;

  /// If every result register has the same source register in all lanes,
  /// returns these source registers, one for each result register. For kind
  /// WithinLane, they are the indices of a vector.shuffle of the distributed
  /// vector. Returns nullopt if lanes differ and have to select.
  std::optional<std::vector<int32_t>> registerTable() const;

  /// Returns the number of single-register shuffles that compute the result, if
  /// the kind is at most WithinWave: for each register of the result, one for
  /// each source register that some lane needs from another lane.
  int64_t numShuffles() const;

private:
  Conversion() = default;

  ConversionKind theKind = ConversionKind::Identity;
  int64_t subgroups = 0, lanes = 0, registers = 0, sourceRegisters = 0;
  std::vector<Source> sources;
};

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_CONVERSION_H
