//===- Cleanup.h - Cleanup when a signal ends the process -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Temporary files must not outlive a process that the user interrupts. LLVM
// also has such a list, but it does not remove folders, and the signal that the
// parent sees is arbitrary. The list is global because signal handlers are.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_FILES_CLEANUP_H
#define AIRCC_DRIVER_FILES_CLEANUP_H

#include "llvm/ADT/StringRef.h"

namespace aircc {

/// Installs handlers for the signals that terminate a process (SIGINT, SIGTERM,
/// SIGHUP, SIGPIPE). They remove the registered files and then let the signal
/// end the process, so that a shell sees the cause. Also ignores SIGXFSZ, so
/// that writing past a file-size limit is an error that can be reported.
void installCleanupHandlers();

/// Registers a file, or a folder whose registered files are removed first.
/// Returns false if the list is full; the path is then not cleaned up after a
/// signal.
bool registerForCleanup(llvm::StringRef path);

/// Removes `path` from the list.
void unregisterFromCleanup(llvm::StringRef path);

/// Removes all registered files and folders; used after a crash.
void runCleanup();

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_CLEANUP_H
