//===- Kernel.td - All ops of the kernel dialect -----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the dialect's reference page. Each of these files has its own C++ header.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_KERNEL_TD
#define AIRCC_DIALECTS_KERNEL_KERNEL_TD

include "dialects/kernel/KernelOps.td"
include "dialects/kernel/LaneOps.td"
include "dialects/kernel/BlockOps.td"

#endif // AIRCC_DIALECTS_KERNEL_KERNEL_TD
