//===- TimeEstimateTest.cpp - Closed-form estimates ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/TargetTestSupport.h"

#include "pipeline/strategy/TimeEstimate.h"
#include "targets/ProfileLoader.h"

#include <gtest/gtest.h>

using namespace aircc;
using namespace aircc::strategy;

using aircc::test::loadProfile;

namespace {

MatmulProblem problem(int64_t m, int64_t n, int64_t k) {
  MatmulProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = {"bf16", 16, true};
  p.b = {"bf16", 16, true};
  p.cType = "f32";
  p.cBits = 32;
  return p;
}

TEST(TimeEstimate, GrowsWithTheWork) {
  TargetProfile profile = loadProfile("gfx942");
  std::vector<ProfileError> errors;
  auto figures =
      ProfileLoader({AIRCC_TARGETS_DIR}).loadTiming("gfx942", errors);
  ASSERT_TRUE(figures);
  auto estimate = [&](const MatmulProblem &p, int64_t splits) {
    MatmulProblem part = p;
    *part.k /= splits;
    auto tiling = chooseMatmulTiling(part, profile, {});
    EXPECT_TRUE(bool(tiling));
    return estimateNanoseconds(p, 1, *tiling, splits, profile, *figures);
  };
  double small = estimate(problem(1024, 1024, 1024), 1);
  double large = estimate(problem(4096, 4096, 4096), 1);
  EXPECT_GT(large, 5 * small);
  // No faster than the matrix instructions at their clock.
  EXPECT_GT(large, 2.0 * 4096 * 4096 * 4096 /
                       (2048.0 * 304 * figures->matrixClock * 1e-3));
  // A single tile with long sums is faster in parts.
  EXPECT_LT(estimate(problem(128, 128, 8192), 8),
            estimate(problem(128, 128, 8192), 1));
  EXPECT_GT(estimate(problem(4096, 4096, 4096), 2), large);
}

} // namespace
