//===- Exhaustion.cpp - When memory or descriptors run out ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/diagnostics/Exhaustion.h"

#include "driver/diagnostics/Failure.h"
#include "driver/files/Cleanup.h"
#include "pipeline/common/Exhaustion.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

// The handlers have no other way to know.
static std::atomic<DiagnosticsFormat> messageFormat = DiagnosticsFormat::Text;

void aircc::exitExhausted(const char *message) {
  static std::atomic_flag exiting;
  if (exiting.test_and_set())
    while (true)
      ::pause(); // another thread reports it, and ends the process
  runCleanup();
  char text[512] = {};
  bool isJson = messageFormat == DiagnosticsFormat::JSON;
  const char *before =
      isJson ? "{\"severity\":\"error\",\"file\":null,\"line\":null,"
               "\"column\":null,\"message\":\""
             : "aircc: error: ";
  const char *after = isJson ? "\",\"notes\":[]}\n" : "\n";
  ::snprintf(text, sizeof(text), "%s%.300s%s", before, message, after);
  if (isJson) // what would need an escape sequence
    for (char *c = text + std::strlen(before);
         c < text + std::strlen(text) - std::strlen(after); ++c)
      if (*c == '"' || *c == '\\' || static_cast<unsigned char>(*c) < 0x20)
        *c = ' ';
  ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
  (void)written; // there is nobody else to tell
  ::_exit(static_cast<int>(ExitCode::Environment));
}

void aircc::installExhaustionHandlers(DiagnosticsFormat format) {
  messageFormat = format;
  std::set_new_handler([] { exitExhausted("out of memory"); });
  // LLVM's own allocations, and checkExhaustion().
  install_bad_alloc_error_handler([](void *, const char *reason, bool) {
    exitExhausted(isExhaustionMessage(reason) ? reason : "out of memory");
  });
}

bool aircc::isMemoryExhausted() {
  // More than any allocation that code would fail to check, and far less than a
  // machine has left that is not short of memory.
  constexpr size_t size = size_t(64) << 20;
  void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return errno == ENOMEM;
  ::munmap(memory, size);
  return false;
}

Error aircc::checkDescriptors() {
  // Standard streams aside: objects and messages in memory, the linker's pipe
  // and input, the locks on folders of outputs, and some to spare.
  constexpr size_t needed = 24;
  SmallVector<int, needed> opened;
  int error = 0;
  while (opened.size() < needed && !error) {
    int fd = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
      error = errno;
    else
      opened.push_back(fd);
  }
  for (int fd : opened)
    ::close(fd);
  // A standard stream may be closed; that is no shortage.
  if (error != EMFILE && error != ENFILE)
    return Error::success();
  return fail(ExitCode::Environment,
              "too few files can be open at the same time: a compile needs " +
                  Twine(needed) +
                  " besides those that are open, and there is "
                  "room for " +
                  Twine(opened.size()),
              {"'ulimit -n' sets the limit"});
}
