//===- TimeEstimate.h - The time of a matmul kernel -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Closed-form estimates of the run time of matmul kernels, from the parameters
// of the timing model. They need no compiled kernel, and take microseconds to
// compute.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_TIMEESTIMATE_H
#define AIRCC_PIPELINE_STRATEGY_TIMEESTIMATE_H

#include "pipeline/strategy/MatmulTiling.h"
#include "targets/TimingFigures.h"

namespace aircc::strategy {

/// Returns the time in nanoseconds of `matrices` products of known sizes, each
/// split into `splits` along K, including the launches. `tiling` is that of the
/// kernel after splitting, with matrix instructions.
double estimateNanoseconds(const MatmulProblem &problem, int64_t matrices,
                           const MatmulTiling &tiling, int64_t splits,
                           const TargetProfile &profile,
                           const TimingFigures &figures);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_TIMEESTIMATE_H
