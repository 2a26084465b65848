//===- Layout.h - The stage that finds layouts ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: kernels, some of whose vectors belong to a whole workgroup or wave
// (`layout.scope`, or a `layout.to_layout`).
//
// Out: the same kernels; each op whose results are such vectors says their
// layouts (`layout.results`), and wherever a value is used in another layout
// than its own a `layout.to_layout` stands between.
//
// Kernels without such vectors pass unchanged.
//
// Options: `remarks` explains each anchor and each conversion.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_LAYOUT_H
#define AIRCC_PIPELINE_LAYOUT_LAYOUT_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// The stage `layout`.
const Stage &getLayoutStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_LAYOUT_LAYOUT_H
