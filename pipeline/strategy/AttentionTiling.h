//===- AttentionTiling.h - Tiles of an attention kernel ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Chooses the tiles of a kernel that computes attention. A workgroup has a tile
// of queries, whose sums remain in registers, and loops over tiles of keys and
// values. Each wave has its own queries. Either all waves stage keys and values
// in LDS together and read them from there, or each wave reads them from
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_ATTENTIONTILING_H
#define AIRCC_PIPELINE_STRATEGY_ATTENTIONTILING_H

#include "pipeline/strategy/MatrixInstructions.h"

#include <optional>

namespace aircc::strategy {

/// Keys or values.
struct AttentionOperand {
  std::string type; ///< As profiles name it: "f16", "bf16", …
  int64_t bits = 0;
  /// The size of a head.
  int64_t head = 0;
  /// Whether each row of the operand in memory is a head.
  bool hasHeadRows = true;
};

/// The sizes, as far as they are known at compile time.
struct AttentionSizes {
  std::optional<int64_t> queries; ///< Per head.
  std::optional<int64_t> keys;    ///< Per head.
  std::optional<int64_t> heads;   ///< Including those of all batches.
  std::string queryType;
  AttentionOperand k, v;
  /// Whether lanes also read operands other than queries, keys and values,
  /// which they may have to exchange through LDS.
  bool hasOthers = false;
  /// Whether scores are masked, which takes registers.
  bool isMasked = false;
};

struct AttentionTiling {
  int64_t waves = 0;
  /// The number of rows in a tile of queries, and in a tile of keys and values.
  int64_t queries = 0, keys = 0;
  /// The head sizes of keys and of values, rounded up to what matrix
  /// instructions multiply.
  int64_t depth = 0, features = 0;
  /// If keys and values are not staged: how many elements of a head of keys and
  /// of values, and how many keys, a wave reads from memory at once, so that
  /// they fit in registers.
  int64_t depthPart = 0, featurePart = 0, keyPart = 0;
  /// The number of tiles of keys and values in LDS; 0 if they are not staged.
  int64_t buffers = 0;
  /// The instructions for scores and for sums, or null. If keys and values are
  /// staged, they multiply keys by queries, and values by weights. Each column
  /// of a tile of scores or sums is then a query: a lane has scores of one
  /// query, in the registers in which the second instruction expects the
  /// weights.
  const MatrixInstruction *scores = nullptr, *sums = nullptr;
  /// A group of keys consists of `ranges * rangeLanes` ranges of `rangeKeys`
  /// consecutive keys. A lane has the scores of `ranges` of them: every
  /// rangeLanes-th one. In LDS, the values of its keys are adjacent, so that a
  /// lane reads them with one access.
  int64_t ranges = 1, rangeLanes = 1, rangeKeys = 1;
  /// An operand whose rows in memory are not along the dimension that its
  /// product reduces is transposed either when it is read from LDS (true), or
  /// when it is copied to LDS.
  bool readsTransposedK = false, readsTransposedV = false;
};

AttentionTiling chooseAttentionTiling(const AttentionSizes &sizes,
                                      const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_ATTENTIONTILING_H
