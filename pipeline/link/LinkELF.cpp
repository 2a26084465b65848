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
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

namespace aircc {

llvm::Error linkCodeObject(llvm::StringRef object,
                           llvm::SmallVectorImpl<char> &codeObject) {
  llvm::Expected<MemoryFile> input = MemoryFile::create("kernels.o");
  if (!input)
    return input.takeError();
  llvm::Expected<MemoryFile> output = MemoryFile::create("kernels.hsaco");
  if (!output)
    return output.takeError();
  if (llvm::Error error = input->write(object))
    return error;

  std::string inputPath = input->getPath();
  std::string outputPath = output->getPath();
  const char *arguments[] = {
      "ld.lld",
      // What ROCm's clang passes.
      "-shared", "--no-undefined",
      // One small input: starting threads takes longer than linking.
      "--threads=1",
      // Write through the descriptor instead of replacing the file.
      "--no-mmap-output-file", "-o", outputPath.c_str(), inputPath.c_str()};

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
  if (!linked)
    return llvm::createStringError("linking the GPU code failed: " +
                                   llvm::StringRef(messages).trim().str());
  return output->read(codeObject);
}

} // namespace aircc
