//===- MatrixOps.cpp - to be filled ---------------------------------------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/Bind.h"

bool aircc::sim::bindMatrix(BindContext &, llvm::StringRef, const AsmInst &, Op &) {
  return false;
}
