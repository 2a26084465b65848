//===- ChipCheck.h - Compares a profile with LLVM's chips -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_CHIPCHECK_H
#define AIRCC_TARGETS_CHIPCHECK_H

#include "targets/ProfileLoader.h"

#include <set>
#include <string>
#include <vector>

namespace aircc {

/// Names of LLVM's subtarget features.
using ChipFeatures = std::set<std::string, std::less<>>;

/// Compares what decides all else in a rocdl profile with LLVM's AMDGPU target:
/// the triple, the chip, the features and the size of a wave. Later ones are
/// only checked if the earlier ones are right. Without a problem, `features`
/// holds what the chip has.
std::vector<ProfileProblem> checkAMDGPUChip(const TargetProfile &profile,
                                            ChipFeatures &features);

/// Compares the limits, the widths of loads to LDS and the 8-bit floats of a
/// rocdl profile with the features of its chip.
std::vector<ProfileProblem> checkAMDGPUFigures(const TargetProfile &profile,
                                               const ChipFeatures &features);

/// Whether the chip's 8-bit floats are those of the Open Compute Project.
bool hasOcpFloats(const ChipFeatures &features);

} // namespace aircc

#endif // AIRCC_TARGETS_CHIPCHECK_H
