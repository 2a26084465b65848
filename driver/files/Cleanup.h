//===- Cleanup.h - Cleanup when a signal ends the process -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Temporary files must not outlive a process that the user interrupts. LLVM has
// such a list, but it does not remove directories, and the signal that the
// parent process sees is arbitrary. The list is global because signal handlers
// are.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_FILES_CLEANUP_H
#define AIRCC_DRIVER_FILES_CLEANUP_H

#include "llvm/ADT/StringRef.h"

namespace aircc {

/// Installs handlers for the signals that terminate a process (SIGINT, SIGTERM,
/// SIGHUP, SIGPIPE). They remove the registered files and then let the signal
/// terminate the process, so that a shell sees the cause. Also ignores SIGXFSZ,
/// so that writing past a file-size limit is an error that can be reported.
void installCleanupHandlers();

/// Registers a file, or a directory whose registered files are removed first.
/// Returns false if the list is full, in which case the path is not cleaned up
/// after a signal.
bool registerForCleanup(llvm::StringRef path);

/// Removes `path` from the list.
void unregisterFromCleanup(llvm::StringRef path);

/// Removes all registered files and directories. Used after a crash.
void runCleanup();

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_CLEANUP_H
