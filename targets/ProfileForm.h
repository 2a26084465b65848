//===- ProfileForm.h - Converts JSON to a TargetProfile ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_PROFILEFORM_H
#define AIRCC_TARGETS_PROFILEFORM_H

#include "targets/ProfileReader.h"
#include "targets/TimingFigures.h"

#include <optional>

namespace aircc {

/// Converts a document that conforms to the schema.
TargetProfile convertProfile(const ProfileDocument &document);

/// Returns the parameters of the timing model. If the document lacks some of
/// them, sets `missing` to the path of the first.
std::optional<TimingFigures> convertTiming(const ProfileDocument &document,
                                           std::string &missing);

} // namespace aircc

#endif // AIRCC_TARGETS_PROFILEFORM_H
