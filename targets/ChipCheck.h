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

/// The names of LLVM subtarget features.
using ChipFeatures = std::set<std::string, std::less<>>;

/// Adds LLVM's feature for the wave size to the features of a rocdl profile if
/// the chip supports it but defaults to another one. Features that name a wave
/// size are not changed.
void selectWaveSize(TargetProfile &profile);

/// Compares the basic entries of a rocdl profile with LLVM's AMDGPU target: the
/// triple, the chip, the features and the wave size, in this order. Later
/// entries are checked only if the earlier ones are correct. If there is no
/// error, sets `features` to the features of the chip.
std::vector<ProfileProblem> checkAMDGPUChip(const TargetProfile &profile,
                                            ChipFeatures &features);

/// Compares the limits, the widths of loads to LDS and the 8-bit floats of a
/// rocdl profile with the features of its chip.
std::vector<ProfileProblem> checkAMDGPUFigures(const TargetProfile &profile,
                                               const ChipFeatures &features);

/// Returns whether the 8-bit floats of the chip are those of the Open Compute
/// Project.
bool hasOcpFloats(const ChipFeatures &features);

} // namespace aircc

#endif // AIRCC_TARGETS_CHIPCHECK_H
