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

using namespace aircc;
using namespace llvm;

static constexpr StringLiteral kResourceLimitOption =
    "mlir-elide-resource-strings-if-larger";
/// Characters of a dense_resource in hexadecimal digits.
static constexpr uint64_t kResourceLimit = 1 << 20;

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

  SmallVector<const char *> arguments = {"aircc"};
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  // Passes print with the flags of the command line.
  std::string limit =
      ("--" + kResourceLimitOption + "=" + Twine(kResourceLimit)).str();
  if (none_of(options, [](StringRef option) {
        return option.ltrim('-').starts_with(kResourceLimitOption);
      }))
    arguments.push_back(limit.c_str());
  std::string text;
  raw_string_ostream os(text);
  if (!cl::ParseCommandLineOptions(arguments.size(), arguments.data(), "", &os))
    return fail(ExitCode::BadUsage,
                StringRef(text).rtrim().ltrim("aircc: ").str(),
                {"options that begin with --mlir- are MLIR's; aircc opt --help "
                 "lists them"});
  return Error::success();
}

mlir::OpPrintingFlags aircc::getPrintingFlags() {
  // Has the values of the command line.
  mlir::OpPrintingFlags flags;
  if (!flags.getLargeResourceStringLimit())
    flags.elideLargeResourceString(kResourceLimit);
  return flags;
}
