//===- TargetId.h - Does this code run on that device -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target ID is a processor and, after it, the state of features that change
// the code: "gfx90a", "gfx90a:xnack-", "gfx942:sramecc+:xnack-". A device
// states all features it has; code that states none of a feature runs with
// either state. The rules are those of LLVM's AMDGPU usage guide, "Target ID"
// and "Code Object Target Identification".
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_TARGETID_H
#define AIRCC_RUNTIME_MGPU_TARGETID_H

#include <string_view>

namespace aircc::rt {

/// How well code built for `code` suits a device that calls itself `device`: 0
/// if it does not run there, else 1 and 1 more for every feature that the code
/// states. A code target that is malformed suits no device. Generic processors
/// ("gfx9-generic") are not known here: they suit no device.
int matchTargetId(std::string_view device, std::string_view code);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_TARGETID_H
