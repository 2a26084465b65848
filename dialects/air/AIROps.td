//===- AIROps.td - The ops of the AIR dialect -----------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIROPS_TD
#define AIRCC_DIALECTS_AIR_AIROPS_TD

include "dialects/air/AIRHierarchyOps.td"
include "dialects/air/AIRAsyncOps.td"
include "dialects/air/AIRTransferOps.td"
include "dialects/air/AIRRankOps.td"
include "dialects/air/AIRMessageOps.td"

#endif // AIRCC_DIALECTS_AIR_AIROPS_TD
