//===- OptMain.cpp - `aircc opt` and `aircc lsp` --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/OptMain.h"

#include "driver/Version.h"
#include "driver/diagnostics/CrashGuard.h"
#include "driver/input/Registry.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;

int aircc::optMain(int argc, char **argv) {
  llvm::setBugReportMsg(AIRCC_BUG_REPORT "\n");
  registerEveryPass();
  DialectRegistry registry;
  registerEverything(registry);
  CrashHandlers handlers; // for the parser (WrappedParser.cpp)
  return asMainReturnCode(MlirOptMain(
      argc, argv, "aircc opt: mlir-opt with the passes of aircc\n", registry));
}

int aircc::lspMain(int argc, char **argv) {
  llvm::setBugReportMsg(AIRCC_BUG_REPORT "\n");
  DialectRegistry registry;
  registerEverything(registry);
  CrashHandlers handlers; // for the parser (WrappedParser.cpp)
  return failed(MlirLspServerMain(argc, argv, registry));
}
