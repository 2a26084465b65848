//===- TargetId.h - Matches code targets with devices -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A target ID is a processor followed by the state of features that affect code
// generation: "gfx90a", "gfx90a:xnack-", "gfx942:sramecc+:xnack-". A device
// lists all its features, and code that omits a feature runs with either state.
// LLVM's AMDGPU usage guide states the rules in "Target ID" and "Code Object
// Target Identification".
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_TARGETID_H
#define AIRCC_RUNTIME_MGPU_TARGETID_H

#include <string_view>

namespace aircc::rt {

/// Returns how well code for target `code` matches a device with target ID
/// `device`: 0 if it cannot run there, otherwise 1 plus the number of features
/// in `code`. Malformed code targets match no device. Generic processors
/// ("gfx9-generic") are not supported and match no device either.
int matchTargetId(std::string_view device, std::string_view code);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_TARGETID_H
