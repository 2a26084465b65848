//===- Tuning.h - Choices that a search found to be fast --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The entries of "tuning" in a profile override the choices of the strategies
// for the products that they describe. `aircc tune` compares candidates on the
// simulated device and writes such entries.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_TUNING_H
#define AIRCC_PIPELINE_STRATEGY_TUNING_H

#include "pipeline/strategy/MatmulTiling.h"

namespace aircc::strategy {

/// Returns the key that identifies the product in profiles; nullopt if sizes
/// are unknown.
std::optional<TunedProductKey> getTuningKey(const MatmulProblem &problem,
                                            const TargetProfile &profile);

/// Returns the profile's choices for a kernel that computes `problem`, possibly
/// as the parts of a product that was split along K. Returns nullopt if there
/// are none.
std::optional<MatmulChoices> findTunedChoices(const MatmulProblem &problem,
                                              const TargetProfile &profile);

/// Returns the number of products along K into which the profile splits each
/// product of `problem`; nullopt if the profile does not specify it.
std::optional<int64_t> findTunedSplits(const MatmulProblem &problem,
                                       const TargetProfile &profile);

/// Returns all tilings that fit the product on the target, in no particular
/// order. `problem` is that of a kernel, after splitting.
std::vector<MatmulTiling> listMatmulTilings(const MatmulProblem &problem,
                                            const TargetProfile &profile);

/// Returns the numbers of products along K into which one can be split,
/// including 1.
std::vector<int64_t> listSplits(const MatmulProblem &problem,
                                const TargetProfile &profile);

/// Returns the parts of `problem` after splits.
MatmulProblem splitProblem(MatmulProblem problem, int64_t splits);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_TUNING_H
