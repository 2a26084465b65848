//===- MlirOptions.cpp - MLIR's own command-line options ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/MlirOptions.h"

#include "driver/diagnostics/Failure.h"
#include "driver/input/Registry.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

static constexpr StringLiteral kResourceLimitOption =
    "mlir-elide-resource-strings-if-larger";
/// The maximum number of hexadecimal digits printed for a dense_resource.
static constexpr uint64_t kResourceLimit = 1 << 20;

static constexpr StringLiteral kProgramName = "aircc";

namespace {

/// Appends everything written to standard error while this object exists to a
/// string, because LLVM writes errors about option values nowhere else.
class CapturedErrors {
public:
  explicit CapturedErrors(std::string &text) : text(text) {
    memory = ::memfd_create("aircc-errors", MFD_CLOEXEC);
    saved = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (memory >= 0 && saved >= 0)
      ::dup2(memory, STDERR_FILENO);
  }
  ~CapturedErrors() {
    if (memory >= 0 && saved >= 0) {
      ::dup2(saved, STDERR_FILENO);
      char buffer[4096];
      off_t at = 0;
      for (ssize_t size;
           (size = ::pread(memory, buffer, sizeof(buffer), at)) > 0; at += size)
        text.append(buffer, size);
    }
    for (int descriptor : {memory, saved})
      if (descriptor >= 0)
        ::close(descriptor);
  }

private:
  std::string &text;
  int memory, saved;
};

} // namespace

/// Converts the output of LLVM's option parser to messages. Removes the
/// program's name, exclamation marks, and advice that only applies to LLVM's
/// tools.
static std::vector<std::string> rewriteErrors(StringRef text) {
  std::vector<std::string> messages;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line.consume_front((kProgramName + ": ").str());
    line = line.split("  Try: '").first.rtrim("!. ");
    if (line.consume_front("Did you mean ")) {
      if (!messages.empty())
        messages.back() += "; did you mean " + line.str();
      continue;
    }
    if (line.consume_front("Unknown command line argument "))
      messages.push_back("there is no option " + line.str() +
                         " of MLIR or LLVM");
    else if (line.consume_front("for the ")) {
      auto [option, problem] = line.split(" option: ");
      messages.push_back((option + ": " + problem).str());
    } else if (!line.empty()) {
      messages.push_back(line.str());
    }
  }
  return messages;
}

Error aircc::parseMLIROptions(ArrayRef<std::string> options) {
  if (options.empty())
    return Error::success();

  // --mlir-print-ir-after=PASS needs the registered passes.
  if (any_of(options, [](StringRef option) {
        return option.contains("mlir-print-ir-before=") ||
               option.contains("mlir-print-ir-after=");
      }))
    registerEveryPass();
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();

  SmallVector<const char *> arguments = {kProgramName.data()};
  // Passes print with the flags of the command line.
  std::string limit =
      ("--" + kResourceLimitOption + "=" + Twine(kResourceLimit)).str();
  if (none_of(options, [](StringRef option) {
        return option.ltrim('-').starts_with(kResourceLimitOption);
      }))
    arguments.push_back(limit.c_str());
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  std::string text;
  bool parsed;
  {
    CapturedErrors captured(text);
    raw_string_ostream os(text);
    parsed = cl::ParseCommandLineOptions(arguments.size(), arguments.data(), "",
                                         &os);
  }
  if (parsed)
    return Error::success();
  std::vector<std::string> messages = rewriteErrors(text);
  if (messages.empty())
    messages.push_back("an option of MLIR or LLVM is invalid");
  std::string first = messages.front();
  messages.erase(messages.begin());
  messages.push_back("aircc opt --help lists the options of MLIR and LLVM");
  return fail(ExitCode::BadUsage, first, std::move(messages));
}

mlir::OpPrintingFlags aircc::getPrintingFlags() {
  // The constructor takes the values of the command line.
  mlir::OpPrintingFlags flags;
  if (!flags.getLargeResourceStringLimit())
    flags.elideLargeResourceString(kResourceLimit);
  return flags;
}
