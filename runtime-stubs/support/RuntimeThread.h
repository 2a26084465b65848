//===- RuntimeThread.h - Threads of the runtime -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_RUNTIMETHREAD_H
#define AIRCC_RUNTIME_SUPPORT_RUNTIMETHREAD_H

#include <csignal>
#include <pthread.h>
#include <thread>
#include <utility>

namespace aircc::rt {

/// Starts a thread that handles no signals, because the program's signal
/// handlers must run only on its own threads.
template <typename Fn> std::thread startRuntimeThread(Fn &&run) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::forward<Fn>(run));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_RUNTIMETHREAD_H
