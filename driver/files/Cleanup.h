//===- Cleanup.h - What to remove when a signal ends us ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Temporary files must not outlive a process that the user interrupts. LLVM has
// such a list too, but it removes no folders and leaves it to chance which
// signal the parent sees. The list is global because signal handlers are.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_FILES_CLEANUP_H
#define AIRCC_DRIVER_FILES_CLEANUP_H

#include "llvm/ADT/StringRef.h"

namespace aircc {

/// Installs handlers for the signals that ask a process to end (SIGINT,
/// SIGTERM, SIGHUP, SIGPIPE): they remove what is registered and let the signal
/// end the process, so that a shell sees why. Also ignores SIGXFSZ, so that
/// writing past a file-size limit is an error that can be reported.
void installCleanupHandlers();

/// Registers a file, or a folder whose registered files go first. Returns false
/// when the list is full; the caller then goes without this safety net.
bool registerForCleanup(llvm::StringRef path);

/// Takes `path` off the list.
void unregisterFromCleanup(llvm::StringRef path);

/// Removes everything on the list: for the way out after a crash.
void runCleanup();

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_CLEANUP_H
