//===- TargetTestSupport.h - Target profiles in tests -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_TARGETTESTSUPPORT_H
#define AIRCC_TEST_UNIT_TARGETTESTSUPPORT_H

#include "targets/ProfileLoader.h"

#include "gtest/gtest.h"
#include <optional>
#include <vector>

namespace aircc::test {

/// Loads the profile of that name from the source tree. `waveSize` replaces the
/// profile's own.
inline TargetProfile
loadProfile(const char *name, std::optional<unsigned> waveSize = std::nullopt) {
  std::vector<ProfileError> errors;
  std::optional<TargetProfile> profile =
      ProfileLoader({AIRCC_TARGETS_DIR}).load(name, errors, waveSize);
  EXPECT_TRUE(profile);
  return *profile;
}

} // namespace aircc::test

#endif // AIRCC_TEST_UNIT_TARGETTESTSUPPORT_H
