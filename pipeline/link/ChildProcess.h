//===- ChildProcess.h - Running another program --------------- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_CHILDPROCESS_H
#define AIRCC_PIPELINE_LINK_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aircc {

/// The output of a child process, and how it ended.
struct ProcessResult {
  int status = 0;
  llvm::SmallString<256> text; ///< Standard output and standard error.
  std::string problem;         ///< Why it could not run, or was killed.
};

/// Runs `command`, whose first element is a path, and waits for it to exit.
llvm::Expected<ProcessResult> runProcess(llvm::ArrayRef<std::string> command);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_CHILDPROCESS_H
