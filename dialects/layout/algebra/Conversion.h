//===- Conversion.h - From one layout of a vector to another ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it takes to turn a vector in one layout into the same vector in another:
// which lane and register each value comes from, and whether it has to leave
// its lane or its subgroup for that.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_CONVERSION_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_CONVERSION_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// How far values travel, cheapest first.
enum class ConversionKind {
  Identity,   ///< The layouts are equal: nothing to do.
  WithinLane, ///< Each lane has all it needs: registers are picked or copied.
  WithinWave, ///< Lanes of a subgroup exchange values: shuffles.
  AcrossWaves ///< Subgroups exchange values: through LDS.
};

/// "identity", "within a lane", "within a wave", "across waves".
const char *conversionKindText(ConversionKind kind);

/// How far values travel from `from` to `to`, in a workgroup of `numSubgroups`
/// subgroups of `numLanes` lanes. Takes time in proportion to the sum of the
/// dimensions' shares, not to their product. Errors: the shapes differ; the
/// workgroup cannot hold one of the layouts.
Result<ConversionKind> conversionKind(const NestedLayout &from,
                                      const NestedLayout &to,
                                      int64_t numSubgroups, int64_t numLanes);

/// Where a value comes from.
struct Source {
  int32_t subgroup, lane, reg;
  bool operator==(const Source &) const = default;
};

/// What one register of the result is made of, all subgroups and lanes
/// together.
struct RegisterMove {
  /// The source registers that occur, ascending.
  std::vector<int32_t> sourceRegisters;
  /// Every lane's source is the lane itself.
  bool ownLane = false;
  /// Every subgroup's source is the subgroup itself.
  bool ownSubgroup = false;
  /// Set if every source's lane number is the lane's own xor this, in all
  /// subgroups: where ownSubgroup holds too and there is one source register,
  /// one xor shuffle or DPP does it.
  std::optional<int32_t> xorMask;
  /// Set if the source's lane number does not depend on the subgroup: a table
  /// of it by lane, which is what an indexed shuffle takes.
  std::optional<std::vector<int32_t>> laneTable;
};

/// A conversion in full.
class Conversion {
public:
  /// Errors: those of conversionKind; a table of more than 2^31 entries.
  static Result<Conversion> get(const NestedLayout &from,
                                const NestedLayout &to, int64_t numSubgroups,
                                int64_t numLanes);

  ConversionKind kind() const { return theKind; }
  int64_t numSubgroups() const { return subgroups; }
  int64_t numLanes() const { return lanes; }
  /// Registers of a lane before and after.
  int64_t numSourceRegisters() const { return sourceRegisters; }
  int64_t numRegisters() const { return registers; }

  /// Where (subgroup, lane) gets the value of its register `reg` from. Among
  /// copies it is the lane itself if that holds the value, otherwise one of the
  /// same subgroup if any does, otherwise of the subgroup with the smallest id
  /// xor `subgroup`; there the lane with the smallest number xor `lane`. The
  /// source register depends on the element alone.
  const Source &source(int64_t subgroup, int64_t lane, int64_t reg) const {
    return sources[(subgroup * lanes + lane) * registers + reg];
  }

  RegisterMove move(int64_t reg) const;

  /// If every register of the result comes from one and the same source
  /// register in all lanes, that register for each of the result's: what a
  /// vector.shuffle of the lane's own vector takes where the kind is
  /// WithinLane. Nothing where lanes differ and have to select.
  std::optional<std::vector<int32_t>> registerTable() const;

  /// Number of shuffles of one register each that make the result, if the kind
  /// is at most WithinWave: for each register of the result, one for each
  /// source register that some lane needs from another lane.
  int64_t numShuffles() const;

private:
  Conversion() = default;

  ConversionKind theKind = ConversionKind::Identity;
  int64_t subgroups = 0, lanes = 0, registers = 0, sourceRegisters = 0;
  std::vector<Source> sources;
};

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_CONVERSION_H
