//===- SimRandomTest.cpp - Random kernels against the host ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few random kernels a chip and wave size, at each level of optimization.
// Thousands: `./run fuzz-sim`.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimFuzz.h"

#include <gtest/gtest.h>

using namespace aircc::sim::test;

namespace {

class SimRandom : public ::testing::TestWithParam<const char *> {};

TEST_P(SimRandom, KernelsAgreeWithTheHost) {
  KernelFuzzer fuzzer({parseKernelTarget(GetParam())});
  for (uint32_t seed = 0; seed < 4 * kKernelsPerModule;
       seed += kKernelsPerModule) {
    std::vector<std::string> differences = fuzzer.run(seed, 4).front();
    for (unsigned n = 0; n < 4; ++n)
      EXPECT_EQ(differences[n], "")
          << "./run fuzz-sim " << GetParam() << " 1 " << seed + n;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, SimRandom,
                         ::testing::Values("gfx90a", "gfx942", "gfx950",
                                           "gfx1100", "gfx1100:wave64",
                                           "gfx1201", "gfx1201:wave64"),
                         [](const auto &info) {
                           std::string name = info.param;
                           if (size_t at = name.find(':');
                               at != std::string::npos)
                             name[at] = '_';
                           return name;
                         });

} // namespace
