//===- Channels.h - The stage of programs of several ranks ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_CHANNELS_H
#define AIRCC_PIPELINE_CHANNELS_CHANNELS_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// The stage `channels`. Input: a module with air.rank, air.translate, buffers
/// in #air.symmetric_heap and channels between ranks. Output: runtime calls
/// (runtime-stubs/include/aircc/mgpu.h) and, in kernels, air.message.send and
/// air.message.receive, which stage `hierarchy` lowers. Other modules are
/// unchanged.
///
/// Options: `heap-bytes=N`: the size of the symmetric heap that programs with
/// air.rank set up.
const Stage &getChannelsStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_CHANNELS_CHANNELS_H
