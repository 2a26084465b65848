//===- LinkELF.cpp - lld as a library -------------------------------------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/LinkELF.h"

#include "pipeline/link/MemoryFile.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <mutex>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace aircc {

namespace {

/// A pipe that a thread empties. lld replaces a regular output file through a
/// temporary one beside it; to a pipe it writes.
class OutputPipe {
public:
  explicit OutputPipe(llvm::SmallVectorImpl<char> &bytes) {
    if (pipe2(ends, O_CLOEXEC) != 0)
      return;
    reader = std::thread([this, &bytes] {
      readError = llvm::errorToErrorCode(
          llvm::sys::fs::readNativeFileToEOF(ends[0], bytes));
    });
  }
  ~OutputPipe() { (void)finish(); }

  bool isOpen() const { return ends[0] >= 0; }
  std::string getPath() const {
    return "/proc/self/fd/" + std::to_string(ends[1]);
  }

  /// Ends the stream and waits until all has been read.
  std::error_code finish() {
    if (reader.joinable()) {
      close(ends[1]);
      reader.join();
      close(ends[0]);
    }
    return readError;
  }

private:
  int ends[2] = {-1, -1};
  std::thread reader;
  std::error_code readError;
};

} // namespace

llvm::Error linkCodeObject(llvm::StringRef object,
                           llvm::SmallVectorImpl<char> &codeObject) {
  llvm::Expected<MemoryFile> input = MemoryFile::create("kernels.o");
  if (!input)
    return input.takeError();
  if (llvm::Error error = input->write(object))
    return error;
  OutputPipe output(codeObject);
  if (!output.isOpen())
    return llvm::createStringError("cannot create a pipe: " +
                                   llvm::sys::StrError());

  std::string inputPath = input->getPath();
  std::string outputPath = output.getPath();
  const char *arguments[] = {
      "ld.lld",
      // What ROCm's clang passes.
      "-shared", "--no-undefined",
      // One small input: starting threads takes longer than linking.
      "--threads=1",
      "-o", outputPath.c_str(), inputPath.c_str()};

  std::string messages;
  llvm::raw_string_ostream os(messages);
  bool linked = false;
  {
    // lld keeps its state in one global context.
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    linked = lld::elf::link(arguments, os, os, /*exitEarly=*/false,
                            /*disableOutput=*/false);
    lld::CommonLinkerContext::destroy();
  }
  std::error_code readError = output.finish();
  if (!linked)
    return llvm::createStringError("linking the GPU code failed: " +
                                   llvm::StringRef(messages).trim().str());
  if (readError)
    return llvm::createStringError("cannot read what lld wrote: " +
                                   readError.message());
  return llvm::Error::success();
}

} // namespace aircc
