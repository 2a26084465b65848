//===- Exhaustion.cpp - Exhaustion of memory or descriptors ---------------===//
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

// This is global because the handlers take no argument.
static std::atomic<DiagnosticsFormat> messageFormat = DiagnosticsFormat::Text;

void aircc::exitExhausted(const char *message) {
  static std::atomic_flag exiting;
  if (exiting.test_and_set())
    while (true)
      ::pause(); // Another thread reports the error and terminates the process.
  runCleanup();
  char text[512] = {};
  bool isJson = messageFormat == DiagnosticsFormat::JSON;
  const char *before =
      isJson ? "{\"severity\":\"error\",\"file\":null,\"line\":null,"
               "\"column\":null,\"message\":\""
             : "aircc: error: ";
  const char *after = isJson ? "\",\"notes\":[]}\n" : "\n";
  ::snprintf(text, sizeof(text), "%s%.300s%s", before, message, after);
  if (isJson) // Replace characters that would need an escape sequence.
    for (char *c = text + std::strlen(before);
         c < text + std::strlen(text) - std::strlen(after); ++c)
      if (*c == '"' || *c == '\\' || static_cast<unsigned char>(*c) < 0x20)
        *c = ' ';
  ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
  (void)written; // If this fails, there is no way to report it.
  ::_exit(static_cast<int>(ExitCode::Environment));
}

void aircc::installExhaustionHandlers(DiagnosticsFormat format) {
  messageFormat = format;
  std::set_new_handler([] { exitExhausted("out of memory"); });
  // Handle failures of LLVM's own allocations and of checkExhaustion().
  install_bad_alloc_error_handler([](void *, const char *reason, bool) {
    exitExhausted(isExhaustionMessage(reason) ? reason : "out of memory");
  });
}

bool aircc::isMemoryExhausted() {
  // Try a large allocation. LLVM's unchecked allocations are smaller, and a
  // machine that is not short of memory has much more.
  constexpr size_t size = size_t(64) << 20;
  void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return errno == ENOMEM;
  ::munmap(memory, size);
  return false;
}

Error aircc::checkDescriptors() {
  // In addition to the standard streams, a compile needs descriptors for
  // in-memory objects and messages, the pipe and the input of the linker, and
  // locks on the output directories. Some are a reserve.
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
  // A standard stream may be closed, which is not a shortage.
  if (error != EMFILE && error != ENFILE)
    return Error::success();
  return fail(
      ExitCode::Environment,
      "too few files can be open at the same time: a compilation needs " +
          Twine(needed) +
          " besides those that are open, and there is room for " +
          Twine(opened.size()),
      {"'ulimit -n' sets the limit"});
}
