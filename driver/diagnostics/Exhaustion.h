//===- Exhaustion.h - When memory or descriptors run out --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Running out of memory, threads, file descriptors or disk space is neither a
// bug of aircc nor a mistake in the program: it ends with ExitCode::Environment
// and a message without a source location. Most of what LLVM allocates cannot
// report that it has failed, so the process ends on the spot.
// pipeline/common/Exhaustion.h is for code that gets an error.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_DIAGNOSTICS_EXHAUSTION_H
#define AIRCC_DRIVER_DIAGNOSTICS_EXHAUSTION_H

#include "driver/diagnostics/Diagnostics.h"

#include "llvm/Support/Error.h"

namespace aircc {

/// Installs the handlers that end the process when an allocation fails. The
/// message has the given format.
void installExhaustionHandlers(DiagnosticsFormat format);

/// Reports `message`, removes what is registered for cleanup and ends the
/// process. Allocates nothing, and may be called in any thread.
[[noreturn]] void exitExhausted(const char *message);

/// Whether the system grants this process hardly any more memory.
bool isMemoryExhausted();

/// Fails unless the process can open as many files as a compile needs at the
/// same time. Code that finds files (device libraries, the host's compiler)
/// would take one that it cannot open for one that is not there.
llvm::Error checkDescriptors();

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_EXHAUSTION_H
