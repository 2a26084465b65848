//===- SkipSlowPasses.h - Skip passes on unusual code -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SKIPSLOWPASSES_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SKIPSLOWPASSES_H

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace aircc {

/// Skips LLVM's passes on deep nests of loops and on long sums, where they
/// would take very long.
void skipSlowPasses(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SKIPSLOWPASSES_H
