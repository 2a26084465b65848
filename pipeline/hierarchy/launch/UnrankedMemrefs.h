//===- UnrankedMemrefs.h - Unranked arguments of launches -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_UNRANKEDMEMREFS_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_UNRANKEDMEMREFS_H

#include "dialects/air/AIROps.h"

namespace aircc::hierarchy {

/// Passes ranked memrefs to a hierarchy op whose body only casts an unranked
/// one, because the descriptor of an unranked memref is in host memory.
void passRankedMemrefs(air::HierarchyInterface op);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_UNRANKEDMEMREFS_H
