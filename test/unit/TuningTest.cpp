//===- TuningTest.cpp - Tuned choices for kernels -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/TargetTestSupport.h"

#include "pipeline/strategy/Tuning.h"
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

TunedProduct tune(const MatmulProblem &p, const TargetProfile &profile,
                  int64_t splits) {
  return {*getTuningKey(p, profile), 64, 128, 32, 2, 4, 2, splits};
}

TEST(Tuning, FindsTheKernelOfASplitProduct) {
  TargetProfile profile = loadProfile("gfx942");
  MatmulProblem whole = problem(128, 128, 4096);
  profile.tuning = {tune(whole, profile, 8)};
  EXPECT_EQ(findTunedSplits(whole, profile), 8);
  // The choices are for the parts, and not for the whole product.
  EXPECT_FALSE(findTunedChoices(whole, profile));
  auto choices = findTunedChoices(splitProblem(whole, 8), profile);
  ASSERT_TRUE(choices);
  EXPECT_EQ(choices->tileN, 128);
  EXPECT_EQ(choices->wavesN, 4);
  EXPECT_EQ(choices->buffers, 2);
  auto tiling = chooseMatmulTiling(whole, profile, {});
  ASSERT_TRUE(bool(tiling));
  EXPECT_EQ(chooseSplits(whole, 1, *tiling, profile), 8);
}

TEST(Tuning, ComparesAllOfTheKey) {
  TargetProfile profile = loadProfile("gfx942");
  MatmulProblem p = problem(128, 256, 512);
  profile.tuning = {tune(p, profile, 1)};
  EXPECT_TRUE(findTunedChoices(p, profile));
  auto misses = [&](auto change) {
    MatmulProblem other = p;
    change(other);
    return !findTunedChoices(other, profile) &&
           !findTunedSplits(other, profile);
  };
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.m = 64; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.n = 64; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.k = 64; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.matrices = 2; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.k = std::nullopt; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.a.type = "f16"; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.b.alongK = false; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.b.isComputed = true; }));
  EXPECT_TRUE(misses([](MatmulProblem &o) { o.cType = "bf16"; }));
  // Another chip, and a part of this one.
  TargetProfile other = loadProfile("gfx950");
  other.tuning = profile.tuning;
  EXPECT_FALSE(findTunedChoices(p, other));
  other = profile;
  other.limits.cus = 228;
  EXPECT_FALSE(findTunedChoices(p, other));
}

TEST(Tuning, ListsTilingsThatFit) {
  for (const char *name : {"gfx90a", "gfx942", "gfx950", "gfx1201"}) {
    TargetProfile profile = loadProfile(name);
    MatmulProblem p = problem(4096, 4096, 4096);
    std::vector<MatmulTiling> tilings = listMatmulTilings(p, profile);
    EXPECT_GT(tilings.size(), 20u) << name;
    auto own = chooseMatmulTiling(p, profile, {});
    ASSERT_TRUE(bool(own));
    bool isListed = false;
    for (const MatmulTiling &tiling : tilings) {
      EXPECT_LE(tiling.getLDSBytes(), profile.limits.ldsBytes);
      isListed |= tiling.spec.tileM == own->spec.tileM &&
                  tiling.spec.tileN == own->spec.tileN &&
                  tiling.spec.tileK == own->spec.tileK &&
                  tiling.buffers == own->buffers;
    }
    EXPECT_TRUE(isListed) << name;
  }
}

} // namespace
