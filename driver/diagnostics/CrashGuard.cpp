//===- CrashGuard.cpp - Recovers from crashes and reports them ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/diagnostics/CrashGuard.h"

#include "driver/Version.h"
#include "driver/diagnostics/Exhaustion.h"
#include "driver/files/Cleanup.h"
#include "pipeline/codegen/llvm/FatalErrors.h"
#include "pipeline/common/Exhaustion.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <system_error>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

/// Quotes an argument for a shell.
static std::string quoteForShell(StringRef argument) {
  if (!argument.empty() && argument.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                               "UVWXYZ0123456789-_=+/.,:@%") == StringRef::npos)
    return argument.str();
  std::string quoted = "'";
  for (char c : argument)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Writes the source, preceded by the command, to a file. Returns the file
/// name, or "" on failure.
static std::string writeReproducer(const CrashContext &context,
                                   StringRef reason) {
  if (context.inputText.empty())
    return "";
  SmallString<128> path;
  int fd;
  if (sys::fs::createTemporaryFile("aircc-crash", "mlir", fd, path))
    return "";
  raw_fd_ostream os(fd, /*shouldClose=*/true);
  // Bytecode cannot carry comments.
  if (!context.inputText.starts_with("ML\xefR")) {
    os << "// aircc " AIRCC_VERSION " (LLVM " AIRCC_LLVM_VERSION ") failed in "
       << context.phase << ":\n//   " << reason << "\n// Command:\n//   aircc";
    for (const std::string &argument : context.commandLine)
      os << ' '
         << (argument == context.inputName ? path.str().str()
                                           : quoteForShell(argument));
    os << "\n";
  }
  os << context.inputText;
  os.close();
  if (!os.has_error())
    return std::string(path);
  os.clear_error(); // for example, the disk is full
  (void)sys::fs::remove(path);
  return "";
}

namespace {
/// Carries the message of LLVM's fatal-error handler, which must not return.
struct FatalError {
  std::string reason;
};
} // namespace

static void onFatalError(void *data, const char *reason, bool) {
  if (isExhaustionMessage(reason)) // for example, a thread cannot be started
    exitExhausted(reason);
  static_cast<FatalError *>(data)->reason = reason;
  noteFatalError(reason);
  if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent())
    context->HandleExit(static_cast<int>(ExitCode::Internal));
}

/// The address of the last memory fault and the handlers; global because a
/// signal handler cannot receive them in another way.
static void *faultAddress;
static struct sigaction faultHandler;

static void onFault(int number, siginfo_t *info, void *) {
  faultAddress = info->si_addr;
  faultHandler.sa_handler(number);
}

namespace {
/// How the last fault relates to the stack of this thread.
enum class StackFault {
  None,
  Overflow,  ///< At the end of the stack.
  CannotGrow ///< Inside the stack: no memory to extend it.
};
} // namespace

static StackFault classifyStackFault() {
  pthread_attr_t attributes;
  void *lowest;
  size_t size;
  if (!faultAddress || ::pthread_getattr_np(::pthread_self(), &attributes) != 0)
    return StackFault::None;
  bool known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  ::pthread_attr_destroy(&attributes);
  // A frame may be large, and the system keeps a gap below the stack.
  constexpr intptr_t reach = 1 << 20;
  intptr_t above =
      static_cast<char *>(faultAddress) - static_cast<char *>(lowest);
  if (!known || above <= -reach || above >= static_cast<intptr_t>(size))
    return StackFault::None;
  return above < reach ? StackFault::Overflow : StackFault::CannotGrow;
}

bool aircc::hasOverflownStack() {
  StackFault fault = classifyStackFault();
  faultAddress = nullptr;
  if (fault == StackFault::CannotGrow)
    exitExhausted("out of memory for the stack");
  return fault == StackFault::Overflow;
}

SignalStack::SignalStack() {
  constexpr size_t size = 1 << 16;
  memory.reset(new char[size]);
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = size;
  installed = ::sigaltstack(&stack, &previous) == 0;
}

SignalStack::~SignalStack() {
  if (installed)
    ::sigaltstack(&previous, nullptr);
}

CrashHandlers::CrashHandlers() {
  CrashRecoveryContext::Enable();
  faultAddress = nullptr;
  for (int number : {SIGSEGV, SIGBUS}) {
    struct sigaction action;
    if (::sigaction(number, nullptr, &action) != 0)
      continue;
    action.sa_flags |= SA_ONSTACK;
    if (number == SIGSEGV && !(action.sa_flags & SA_SIGINFO)) {
      faultHandler = action;
      action.sa_flags |= SA_SIGINFO;
      action.sa_sigaction = onFault;
    }
    ::sigaction(number, &action, nullptr);
  }
}

CrashHandlers::~CrashHandlers() { CrashRecoveryContext::Disable(); }

namespace {
/// A call to runGuarded() and what reports of its crashes need.
struct Guard {
  Diagnostics &diagnostics;
  CrashContext &context;
  FatalError fatal;
};
} // namespace

/// The call of runGuarded() that is running.
static Guard *activeGuard = nullptr;

/// Runs `work`. Returns whether it did not crash, and sets `reason` after an
/// exception and `signal` after a crash.
static bool runRecovered(function_ref<void()> work, std::string &reason,
                         int &signal) {
  CrashRecoveryContext recovery;
  bool finished = recovery.RunSafely([&] {
    try {
      work();
    } catch (const std::bad_alloc &) {
      exitExhausted("out of memory");
    } catch (const std::system_error &e) {
      if (isExhaustion(e.code()))
        exitExhausted(e.what());
      reason = std::string("an exception: ") + e.what();
    } catch (const std::exception &e) {
      reason = std::string("an exception: ") + e.what();
    }
  });
  signal = finished ? 0 : recovery.RetCode - 128;
  return finished;
}

/// Reports a crash. `reason` is known for exceptions only.
static ExitCode reportCrash(Guard &guard, bool finished, std::string reason,
                            int signal) {
  // LLVM and the C library do not check every allocation.
  if (!finished && isMemoryExhausted())
    exitExhausted("out of memory");

  if (!finished && signal == SIGSEGV && hasOverflownStack()) {
    runCleanup();
    guard.diagnostics.error("the program is nested too deeply: " +
                                guard.context.phase + " ran out of stack",
                            {"'ulimit -s' sets the stack size"});
    return ExitCode::BadInput;
  }
  if (!guard.fatal.reason.empty())
    reason = guard.fatal.reason;
  else if (!finished)
    reason = "a crash (signal " + std::to_string(signal) + ")";
  else if (reason.empty())
    reason = "a failure without a message";
  runCleanup();

  std::vector<std::string> notes = {
      "this is a bug in aircc, not in the program. " AIRCC_BUG_REPORT};
  std::string reproducer = writeReproducer(guard.context, reason);
  if (!reproducer.empty())
    notes.push_back("the program and the command that failed are in " +
                    reproducer + "; please attach it");
  guard.diagnostics.error(
      "internal error in " + guard.context.phase + ": " + reason, notes);
  return ExitCode::Internal;
}

ExitCode aircc::runGuarded(Diagnostics &diagnostics, CrashContext &context,
                           function_ref<ExitCode()> work) {
  Guard guard = {diagnostics, context, {}};
  scope_exit reset([] { activeGuard = nullptr; });
  activeGuard = &guard;
  ScopedFatalErrorHandler handler(onFatalError, &guard.fatal);
  auto handlers = std::make_unique<CrashHandlers>();

  ExitCode code = ExitCode::Internal;
  std::string reason;
  int signal;
  bool finished = runRecovered([&] { code = work(); }, reason, signal);
  handlers.reset(); // A crash during this report terminates the process.
  if (finished && reason.empty() && code != ExitCode::Internal)
    return code;
  return reportCrash(guard, finished, std::move(reason), signal);
}

void aircc::runGuardedInThread(function_ref<void()> work) {
  SignalStack stack;
  std::string reason;
  int signal;
  bool finished = runRecovered(work, reason, signal);
  if ((finished && reason.empty()) || !activeGuard)
    return;
  // The crashed task may hold locks that other threads wait for.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  ::_exit(static_cast<int>(
      reportCrash(*activeGuard, finished, std::move(reason), signal)));
}
