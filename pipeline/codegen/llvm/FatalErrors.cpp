//===- FatalErrors.cpp - Fatal errors of LLVM's backends ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/FatalErrors.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>

namespace aircc {

char MissingIntrinsic::ID = 0;

void MissingIntrinsic::log(llvm::raw_ostream &os) const {
  os << "'" << processor << "' has no instruction for the intrinsic '"
     << intrinsic << "'; use another for this target";
}

/// Receives the reason of the thread's fatal error, within runBackend.
static thread_local std::string *fatalReason = nullptr;

void noteFatalError(const char *reason) {
  if (fatalReason)
    *fatalReason = reason;
}

llvm::Error runBackend(llvm::StringRef processor,
                       llvm::function_ref<void()> work) {
  std::string reason;
  fatalReason = &reason;
  llvm::CrashRecoveryContext recovery;
  const bool finished = recovery.RunSafely(work);
  fatalReason = nullptr;
  if (finished)
    return llvm::Error::success();
  llvm::StringRef intrinsic = reason;
  if (intrinsic.consume_front("Cannot select: intrinsic %"))
    return llvm::make_error<MissingIntrinsic>(intrinsic.trim().str(),
                                              processor.str());
  if (!reason.empty())
    llvm::report_fatal_error(llvm::StringRef(reason));
  // 128 plus the number of the signal, as in a shell.
  if (recovery.RetCode > 128)
    std::raise(recovery.RetCode - 128);
  std::abort();
}

} // namespace aircc
