//===- ChipCheck.h - Whether LLVM knows a chip ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_CHIPCHECK_H
#define AIRCC_TARGETS_CHIPCHECK_H

#include "targets/TargetProfile.h"

#include <string>
#include <vector>

namespace aircc {

/// A fact of a profile that LLVM's AMDGPU target contradicts.
struct ChipProblem {
  std::string key; ///< The profile's key: "chip", "features", "waveSize".
  std::string message;
  std::vector<std::string> notes;
};

/// Compares a rocdl profile with what LLVM's AMDGPU target knows of its chip.
std::vector<ChipProblem> checkAMDGPUChip(const TargetProfile &profile);

} // namespace aircc

#endif // AIRCC_TARGETS_CHIPCHECK_H
