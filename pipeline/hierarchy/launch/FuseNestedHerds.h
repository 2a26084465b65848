//===- FuseNestedHerds.h - A herd in a herd becomes one herd ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_FUSENESTEDHERDS_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_FUSENESTEDHERDS_H

#include "mlir/IR/Operation.h"

namespace aircc::hierarchy {

/// Replaces nested herds of constant size with one herd, which has a PE for
/// each point of the inner herd at each point of the outer one. The outer herd
/// must only compute values and run the inner one.
void fuseNestedHerds(mlir::Operation *root);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_FUSENESTEDHERDS_H
