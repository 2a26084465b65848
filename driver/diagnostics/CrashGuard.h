//===- CrashGuard.h - Survives a crash to report it -------------*- C++ -*-===//
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

/// What to tell about a crash: kept up to date by the job while it works.
struct CrashContext {
  /// The command that crashed, without the program's name.
  llvm::ArrayRef<std::string> commandLine;
  /// What was being done: "the stage 'codegen' for gfx942".
  std::string phase;
  /// The source being compiled, its name and its text (owned by the job).
  std::string inputName;
  llvm::StringRef inputText;
};

/// Runs `work`. If it crashes (a signal, abort, LLVM's fatal error, an
/// exception that nobody caught), writes a reproducer into the folder for
/// temporary files, reports it, and returns Internal; where it was the stack
/// that ended, that the program is nested too deeply, and BadInput. `work` must
/// not rely on destructors for what must happen in a crash.
ExitCode runGuarded(Diagnostics &diagnostics, CrashContext &context,
                    llvm::function_ref<ExitCode()> work);

/// Enables LLVM's recovery from crashes while it lives, with a stack of its own
/// for the handlers: what overflows the ordinary one, a program nested too
/// deeply for instance, leaves them no room there. runGuarded() has one.
class CrashHandlers {
public:
  CrashHandlers();
  CrashHandlers(const CrashHandlers &) = delete;
  ~CrashHandlers();

private:
  std::unique_ptr<char[]> memory;
  stack_t previous = {};
  bool installed;
};

/// Whether the crash from which this thread has just recovered was at the end
/// of its stack. Ends the process if there was no memory to extend the stack.
bool hasOverflownStack();

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_CRASHGUARD_H
