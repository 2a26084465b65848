//===- SimChips.h - The simulated chips -------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulated chips of AMD, one of each generation, for tests that run on all
// of them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMCHIPS_H
#define AIRCC_TEST_UNIT_SIMCHIPS_H

#include <string>

namespace aircc::sim::test {

inline constexpr const char *kChips[] = {"gfx90a", "gfx942", "gfx950",
                                         "gfx1100", "gfx1201"};

/// A chip with one of its wave sizes.
struct WaveConfiguration {
  const char *chip;
  bool wave32;

  unsigned lanes() const { return wave32 ? 32 : 64; }
  std::string name() const {
    return std::string(chip) + (wave32 ? "_wave32" : "_wave64");
  }
};

/// The chips, with each wave size.
inline constexpr WaveConfiguration kWaveConfigurations[] = {
    {"gfx90a", false},  {"gfx942", false}, {"gfx950", false}, {"gfx1100", true},
    {"gfx1100", false}, {"gfx1201", true}, {"gfx1201", false}};

/// The name of a test that is run for a chip, for INSTANTIATE_TEST_SUITE_P.
inline constexpr auto nameOfChip = [](const auto &info) {
  return std::string(info.param);
};

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMCHIPS_H
