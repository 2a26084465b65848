//===- ChildProcess.cpp - Running another program -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/ChildProcess.h"

#include "pipeline/link/MemoryFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Program.h"

#include <optional>

namespace aircc {

llvm::Expected<ProcessResult> runProcess(llvm::ArrayRef<std::string> command) {
  llvm::Expected<MemoryFile> messages = MemoryFile::create("messages");
  if (!messages)
    return messages.takeError();
  llvm::SmallVector<llvm::StringRef> arguments(command.begin(), command.end());
  std::string path = messages->getPath();
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(""), llvm::StringRef(path), llvm::StringRef(path)};
  ProcessResult result;
  result.status = llvm::sys::ExecuteAndWait(
      arguments[0], arguments, /*Env=*/std::nullopt, redirects,
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &result.problem);
  if (llvm::Error error = messages->read(result.text))
    return error;
  return result;
}

} // namespace aircc
