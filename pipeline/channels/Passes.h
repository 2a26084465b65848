//===- Passes.h - The passes of the channels stage --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_PASSES_H
#define AIRCC_PIPELINE_CHANNELS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace aircc::channels {

#define GEN_PASS_DECL
#include "pipeline/channels/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/channels/Passes.h.inc"

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_PASSES_H
