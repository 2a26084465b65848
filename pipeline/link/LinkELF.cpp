//===- LinkELF.cpp - lld as a library -------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/LinkELF.h"

#include "pipeline/common/Exhaustion.h"
#include "pipeline/link/MemoryFile.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

LLD_HAS_DRIVER(elf)

// Replaces a function of LLVM. lld resets all of LLVM's command-line options
// before it parses its own, and provides no way to prevent this. -mllvm and
// --mlir- options, and flags of the backends, would be lost after the first
// link, and other threads may be reading them. The linker option --wrap
// replaces the reset with this function.
void resetNoOptions() __asm__(
    "__wrap__ZN4llvm2cl25ResetAllOptionOccurrencesEv");
void resetNoOptions() {}

namespace aircc {

namespace {

/// A pipe that a thread reads. lld replaces a regular output file with a
/// temporary file next to it, but writes to a pipe directly.
class OutputPipe {
public:
  explicit OutputPipe(llvm::SmallVectorImpl<char> &bytes) {
    if (pipe2(ends, O_CLOEXEC) != 0)
      return;
    try {
      reader = std::thread([this, &bytes] {
        readError = llvm::errorToErrorCode(
            llvm::sys::fs::readNativeFileToEOF(ends[0], bytes));
      });
    } catch (const std::system_error &error) {
      checkExhaustion(error.code());
      throw;
    }
  }
  ~OutputPipe() { (void)finish(); }

  bool isOpen() const { return ends[0] >= 0; }
  std::string getPath() const {
    return "/proc/self/fd/" + std::to_string(ends[1]);
  }

  /// Closes the stream and waits until everything has been read.
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

static llvm::Error runLinker(llvm::ArrayRef<std::string> arguments) {
  // Starting threads would take longer than the link itself.
  llvm::SmallVector<const char *, 64> argv = {"ld.lld", "--threads=1"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream os(messages);
  // lld keeps its state in a single global context.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  bool linked = lld::elf::link(argv, os, os, /*exitEarly=*/false,
                               /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (linked)
    return llvm::Error::success();
  return llvm::createStringError(llvm::StringRef(messages).trim().str());
}

/// Runs lld. Stores its output in `bytes`.
static llvm::Error linkInMemory(llvm::ArrayRef<std::string> arguments,
                                llvm::SmallVectorImpl<char> &bytes) {
  OutputPipe output(bytes);
  if (!output.isOpen()) {
    checkExhaustion(std::error_code(errno, std::generic_category()));
    return llvm::createStringError("cannot create a pipe: " +
                                   llvm::sys::StrError());
  }
  std::vector<std::string> all(arguments.begin(), arguments.end());
  all.insert(all.end(), {"-o", output.getPath()});
  llvm::Error linkError = runLinker(all);
  std::error_code readError = output.finish();
  if (linkError)
    return linkError;
  if (readError)
    return llvm::createStringError("cannot read what lld wrote: " +
                                   readError.message());
  return llvm::Error::success();
}

llvm::Error linkCodeObject(llvm::StringRef object,
                           llvm::SmallVectorImpl<char> &codeObject) {
  llvm::Expected<MemoryFile> input = MemoryFile::create("kernels.o");
  if (!input)
    return input.takeError();
  if (llvm::Error error = input->write(object))
    return error;
  // The arguments that ROCm's clang passes.
  llvm::Error error =
      linkInMemory({"-shared", "--no-undefined", input->getPath()}, codeObject);
  if (!error)
    return error;
  std::string message = llvm::toString(std::move(error));
  checkExhaustionMessage(message);
  return llvm::createStringError("linking the GPU code failed: " + message);
}

llvm::Error linkToFile(llvm::ArrayRef<std::string> arguments,
                       llvm::StringRef output) {
  llvm::SmallString<0> bytes;
  if (llvm::Error error = linkInMemory(arguments, bytes))
    return error;
  std::error_code ec;
  llvm::raw_fd_ostream os(output, ec);
  if (!ec) {
    os << bytes;
    os.close();
    ec = os.error();
    os.clear_error();
  }
  if (!ec) {
    mode_t mask = umask(0);
    umask(mask);
    ec = llvm::sys::fs::setPermissions(
        output, static_cast<llvm::sys::fs::perms>(0777 & ~mask));
  }
  if (ec)
    return llvm::createFileError(output, ec);
  return llvm::Error::success();
}

} // namespace aircc
