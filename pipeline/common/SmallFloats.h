//===- SmallFloats.h - Emulated narrow float types --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_SMALLFLOATS_H
#define AIRCC_PIPELINE_COMMON_SMALLFLOATS_H

#include "llvm/ADT/StringRef.h"

namespace aircc {

/// Floats of up to 8 bits, as MLIR spells them. No target computes in them:
/// arithmetic is done in f32, and `aircc-expand-small-floats` expands the
/// conversions that a target does not support. (Upstream's emulation does not
/// support f8E4M3B11FNUZ, for which only conversions exist.)
inline constexpr llvm::StringRef kSmallFloats[] = {
    "f4E2M1FN", "f6E2M3FN", "f6E3M2FN",   "f8E3M4",    "f8E4M3",
    "f8E4M3FN", "f8E5M2",   "f8E4M3FNUZ", "f8E5M2FNUZ"};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_SMALLFLOATS_H
