//===- CastIndexVectors.h - Casts of vectors of indices ------- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_CASTINDEXVECTORS_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_CASTINDEXVECTORS_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace aircc {

/// Returns the pass `codegen-cast-index-vectors`, which works around a bug in
/// LLVM 22.1.8: `convert-xegpu-to-xevm` converts vectors of indices that `scf`
/// ops carry to i64 with `vector.bitcast`, which does not support indices and
/// crashes when folded. The pass rewrites `vector.bitcast %x : vector<3xindex>
/// to vector<3xi64>` to `arith.index_cast %x : vector<3xindex> to
/// vector<3xi64>`.
std::unique_ptr<mlir::Pass> createCastIndexVectors();

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_CASTINDEXVECTORS_H
