//===- HalfVectors.h - Vectors of f16 on hosts without them -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_HALFVECTORS_H
#define AIRCC_PIPELINE_LINK_HALFVECTORS_H

namespace llvm {
class Module;
} // namespace llvm

namespace aircc {

/// Where the processor converts no f16 (x86-64 as it is by default), makes
/// arithmetic on long vectors of f16 that on f32, and conversions of such
/// vectors calls of a loop. The results are the same bits. LLVM would call a
/// function for each element, one after another in the same block: 64 x 64
/// elements take it minutes.
void outlineHalfVectors(llvm::Module &module);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_HALFVECTORS_H
