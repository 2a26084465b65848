//===- SimRandomTest.cpp - Random kernels against the host ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests a few random kernels for each chip, wave size and level of
// optimization. `./run fuzz-sim` tests thousands.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimChips.h"
#include "test/unit/simulator/SimFuzz.h"

#include <gtest/gtest.h>

using namespace aircc::sim::test;

namespace {

class SimRandom : public ::testing::TestWithParam<WaveConfiguration> {};

TEST_P(SimRandom, KernelsAgreeWithTheHost) {
  const std::string target =
      std::string(GetParam().chip) + (GetParam().wave32 ? "" : ":wave64");
  KernelFuzzer fuzzer({parseKernelTarget(target)});
  for (uint32_t seed = 0; seed < 4 * kKernelsPerModule;
       seed += kKernelsPerModule) {
    std::vector<std::string> differences = fuzzer.run(seed, 4).front();
    for (unsigned n = 0; n < 4; ++n)
      EXPECT_EQ(differences[n], "")
          << "./run fuzz-sim " << target << " 1 " << seed + n;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, SimRandom,
                         ::testing::ValuesIn(kWaveConfigurations),
                         [](const auto &info) { return info.param.name(); });

} // namespace
