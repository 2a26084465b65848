//===- Layout.h - The stage that assigns layouts ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Input: kernels in which some vectors belong to a whole workgroup or wave
// (`layout.scope`, or a `layout.to_layout`).
//
// Output: the same kernels. Each op whose results are such vectors has their
// layouts (`layout.results`), and a `layout.to_layout` is inserted before each
// use of a value in a layout other than its own.
//
// Kernels without such vectors are unchanged.
//
// Options: `remarks` explains each anchor and each conversion.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_LAYOUT_H
#define AIRCC_PIPELINE_LAYOUT_LAYOUT_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// Returns the stage `layout`.
const Stage &getLayoutStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_LAYOUT_LAYOUT_H
