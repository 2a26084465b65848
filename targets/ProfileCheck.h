//===- ProfileCheck.h - Whether a profile agrees with itself ----*- C++ -*-===//
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

/// Checks what a schema cannot say; `profile` is what `document` became. Values
/// that others depend on are checked first, and the others only if these are
/// right: a wrong chip is one problem, not one for each matrix instruction.
std::vector<ProfileProblem> checkProfile(const ProfileDocument &document,
                                         const TargetProfile &profile);

} // namespace aircc

#endif // AIRCC_TARGETS_PROFILECHECK_H
