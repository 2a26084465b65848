//===- ProfileCheck.h - Checks the consistency of a profile -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_PROFILECHECK_H
#define AIRCC_TARGETS_PROFILECHECK_H

#include "targets/ProfileReader.h"

namespace aircc {

/// Checks the conditions that a schema cannot express. `profile` is the
/// converted `document`. Basic values are checked first, and dependent values
/// only if these are correct, so that a wrong chip is one error rather than one
/// for each matrix instruction.
std::vector<ProfileProblem> checkProfile(const ProfileDocument &document,
                                         const TargetProfile &profile);

} // namespace aircc

#endif // AIRCC_TARGETS_PROFILECHECK_H
