//===- Cleanup.cpp - Cleanup when a signal ends the process ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/files/Cleanup.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace aircc;

// A handler may run between any two instructions. Therefore, it only reads an
// array of atomic pointers to immutable strings, and calls nothing but unlink,
// rmdir, sigaction and raise.
static constexpr size_t capacity = 256;
static std::atomic<char *> entries[capacity];

bool aircc::registerForCleanup(llvm::StringRef path) {
  char *copy = ::strndup(path.data(), path.size());
  for (std::atomic<char *> &entry : entries) {
    char *empty = nullptr;
    if (entry.compare_exchange_strong(empty, copy))
      return true;
  }
  ::free(copy);
  return false;
}

void aircc::unregisterFromCleanup(llvm::StringRef path) {
  for (std::atomic<char *> &entry : entries) {
    char *known = entry.load();
    if (known && path == known && entry.compare_exchange_strong(known, nullptr))
      ::free(known);
  }
}

void aircc::runCleanup() {
  // Go from the newest to the oldest, because a directory is registered before
  // its files.
  for (size_t i = capacity; i-- > 0;)
    if (char *path = entries[i].exchange(nullptr))
      if (::unlink(path) != 0)
        ::rmdir(path);
}

static void onSignal(int signal) {
  runCleanup();
  ::raise(signal); // SA_RESETHAND has restored the default action.
}

void aircc::installCleanupHandlers() {
  ::signal(SIGXFSZ, SIG_IGN);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction action = {};
    // Keep ignoring signals that the parent ignores (nohup, background jobs).
    if (::sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler == SIG_IGN)
      continue;
    action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
  }
}
