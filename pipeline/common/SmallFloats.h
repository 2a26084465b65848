//===- SmallFloats.h - The narrow floats that are emulated ------*- C++ -*-===//
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

/// Floats of up to 8 bits, in MLIR's spelling. No target computes in them:
/// arithmetic is done in f32, and what a target cannot convert,
/// `aircc-expand-small-floats` does. (Upstream's emulation does not know
/// f8E4M3B11FNUZ, of which there are conversions only.)
inline constexpr llvm::StringRef kSmallFloats[] = {
    "f4E2M1FN", "f6E2M3FN", "f6E3M2FN",   "f8E3M4",    "f8E4M3",
    "f8E4M3FN", "f8E5M2",   "f8E4M3FNUZ", "f8E5M2FNUZ"};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_SMALLFLOATS_H
