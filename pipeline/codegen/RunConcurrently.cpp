//===- RunConcurrently.cpp - Tasks that crash like the caller -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/RunConcurrently.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

namespace aircc {

void runConcurrently(std::vector<std::function<void()>> tasks) {
  if (tasks.empty())
    return;
  std::function<void()> last = std::move(tasks.back());
  tasks.pop_back();
  if (tasks.empty())
    return last();

  std::atomic<int> crashStatus = 0;
  {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(tasks.size()));
    for (std::function<void()> &task : tasks)
      pool.async([&task, &crashStatus] {
        llvm::CrashRecoveryContext recovery;
        if (!recovery.RunSafely(task))
          crashStatus = recovery.RetCode;
      });
    last();
    pool.wait();
  }
  if (crashStatus == 0)
    return;
  // 128 and the number of the signal, as a shell has it.
  if (crashStatus > 128)
    std::raise(crashStatus - 128);
  std::abort();
}

} // namespace aircc
