//===- OverlappingRows.h - Strides meant for a subview ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The strides of a transfer count elements of the buffer, whereas those of a
// memref.subview count indices of a dimension. A program that passes the lists
// of a subview to a transfer, such as [0, 0] [32, 32] [1, 1], is valid, but the
// rows overlap.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_OVERLAPPINGROWS_H
#define AIRCC_PIPELINE_ANALYSIS_OVERLAPPINGROWS_H

#include "dialects/air/AIROps.h"

namespace aircc {

/// Emits a warning at `op` for each side whose lists look like those of a
/// subview: one stride for each dimension of the memref, all strides equal, and
/// sizes within the shape. Sliding windows and repeated elements (stride 0) do
/// not match.
void warnOfOverlappingRows(air::TransferInterface op);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_OVERLAPPINGROWS_H
