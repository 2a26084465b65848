//===- RunConcurrently.h - Tasks that crash like the caller -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_RUNCONCURRENTLY_H
#define AIRCC_PIPELINE_CODEGEN_RUNCONCURRENTLY_H

#include <functional>
#include <vector>

namespace aircc {

/// Runs the tasks at the same time, as far as the machine has processors, the
/// last one in the calling thread, and returns when all are done. They must not
/// use MLIR (a context may be made for one thread), the last one excepted.
/// Where the caller guards against crashes (llvm::CrashRecoveryContext), a
/// crash in a task is caught and then happens again in the caller, where it is
/// expected.
void runConcurrently(std::vector<std::function<void()>> tasks);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_RUNCONCURRENTLY_H
