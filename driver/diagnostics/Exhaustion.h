//===- Exhaustion.h - Exhaustion of memory or descriptors -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Running out of memory, threads, file descriptors or disk space is neither a
// bug in aircc nor an error in the program. aircc exits with
// ExitCode::Environment and a message without a source location. LLVM cannot
// report most failed allocations, so the process exits immediately. Code that
// can handle an error uses pipeline/common/Exhaustion.h.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_DIAGNOSTICS_EXHAUSTION_H
#define AIRCC_DRIVER_DIAGNOSTICS_EXHAUSTION_H

#include "driver/diagnostics/Diagnostics.h"

#include "llvm/Support/Error.h"

namespace aircc {

/// Installs handlers that terminate the process when an allocation fails. Their
/// message has the given format.
void installExhaustionHandlers(DiagnosticsFormat format);

/// Reports `message`, removes everything registered for cleanup and terminates
/// the process. Does not allocate, and may be called on any thread.
[[noreturn]] void exitExhausted(const char *message);

/// Returns whether the system has almost no memory left for this process.
bool isMemoryExhausted();

/// Fails unless the process can open as many files as a compile needs at the
/// same time. Otherwise, code that searches for files (device libraries, the
/// host compiler) would treat a file that it cannot open as missing.
llvm::Error checkDescriptors();

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_EXHAUSTION_H
