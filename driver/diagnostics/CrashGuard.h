//===- CrashGuard.h - Recovers from crashes and reports them ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_DIAGNOSTICS_CRASHGUARD_H
#define AIRCC_DRIVER_DIAGNOSTICS_CRASHGUARD_H

#include "driver/diagnostics/Diagnostics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <csignal>
#include <memory>
#include <string>

namespace aircc {

/// The information for a crash report. The job keeps it up to date.
struct CrashContext {
  /// The command line without the program's name.
  llvm::ArrayRef<std::string> commandLine;
  /// The current activity, such as "the stage 'codegen' for gfx942".
  std::string phase;
  /// The name and the text of the source being compiled. The job owns the text.
  std::string inputName;
  llvm::StringRef inputText;
};

/// Runs `work`. If it crashes (a signal, abort, an LLVM fatal error, an
/// uncaught exception), writes a reproducer to the directory for temporary
/// files, reports the crash and returns Internal. After a stack overflow, it
/// instead reports that the program is nested too deeply and returns BadInput.
/// Cleanup that must happen after a crash must not depend on destructors in
/// `work`.
ExitCode runGuarded(Diagnostics &diagnostics, CrashContext &context,
                    llvm::function_ref<ExitCode()> work);

/// Runs `work` on a thread for which a call to runGuarded() waits. A crash is
/// reported as by runGuarded() and terminates the process.
void runGuardedInThread(llvm::function_ref<void()> work);

/// Gives the signal handlers of this thread a separate stack. They cannot run
/// on the ordinary one after a stack overflow, which a deeply nested program
/// can cause.
class SignalStack {
public:
  SignalStack();
  SignalStack(const SignalStack &) = delete;
  ~SignalStack();

private:
  std::unique_ptr<char[]> memory;
  stack_t previous = {};
  bool installed;
};

/// Enables LLVM's crash recovery for the lifetime of this object, with a
/// separate stack for signal handlers. runGuarded() has such an object.
class CrashHandlers {
public:
  CrashHandlers();
  CrashHandlers(const CrashHandlers &) = delete;
  ~CrashHandlers();

private:
  SignalStack stack;
};

/// Returns whether the crash from which this thread has just recovered was a
/// stack overflow. Terminates the process if there was no memory to extend the
/// stack.
bool hasOverflownStack();

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_CRASHGUARD_H
