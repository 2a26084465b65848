//===- PeKind.h - How points of herds map to workers ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_PEKIND_H
#define AIRCC_PIPELINE_COMMON_PEKIND_H

#include "pipeline/common/StageOptions.h"

namespace aircc {

/// The kind of worker to which a point of a herd, a PE, maps.
enum class PeKind {
  Wave,
  Lane,
  Auto, ///< Lanes if no op in the launch distinguishes them; otherwise, waves.
};

/// Options of stages that lower herds.
struct PeStageOptions : StageOptions {
  Option<PeKind> pe{
      *this, "pe", llvm::cl::desc("What a point of a herd maps to"),
      llvm::cl::init(PeKind::Auto),
      llvm::cl::values(
          clEnumValN(PeKind::Wave, "wave", "A wave"),
          clEnumValN(PeKind::Lane, "lane", "A lane"),
          clEnumValN(PeKind::Auto, "auto",
                     "A lane if no op in the launch distinguishes them"))};
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_PEKIND_H
