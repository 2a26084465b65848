//===- Tuning.h - Choices that a search found to be fast --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of "tuning" in a profile replace the choices of the strategies
// for the products that they describe. `aircc tune` compares candidates on the
// simulated device and writes such entries.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_TUNING_H
#define AIRCC_PIPELINE_STRATEGY_TUNING_H

#include "pipeline/strategy/MatmulTiling.h"

namespace aircc::strategy {

/// What identifies the product in profiles. Nothing if sizes are unknown.
std::optional<TunedProductKey> getTuningKey(const MatmulProblem &problem,
                                            const TargetProfile &profile);

/// The choices of the profile for a kernel that computes `problem`, perhaps as
/// the parts of a product that was split along K. Nothing if it has none.
std::optional<MatmulChoices> findTunedChoices(const MatmulProblem &problem,
                                              const TargetProfile &profile);

/// Into how many products along K the profile says to split each product of
/// `problem`. Nothing if it says nothing.
std::optional<int64_t> findTunedSplits(const MatmulProblem &problem,
                                       const TargetProfile &profile);

/// All tilings that fit the product on the target, in no particular order.
/// `problem` is that of a kernel: after splits.
std::vector<MatmulTiling> listMatmulTilings(const MatmulProblem &problem,
                                            const TargetProfile &profile);

/// The numbers of products along K into which one can be split, 1 included.
std::vector<int64_t> listSplits(const MatmulProblem &problem,
                                const TargetProfile &profile);

/// The parts of `problem` after splits.
MatmulProblem splitProblem(MatmulProblem problem, int64_t splits);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_TUNING_H
