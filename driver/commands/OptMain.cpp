//===- OptMain.cpp - `aircc opt` ------------------------------------------===//
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
#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/codegen/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Waits for device code that is compiled in the background, so that opt prints
/// all of it.
static void finishDeviceCodeAtEnd(PassManager &pm) {
  bool startsJobs = llvm::any_of(pm.getPasses(), [](Pass &pass) {
    return pass.getArgument() == "codegen-compile-gpu-modules";
  });
  if (startsJobs)
    pm.addPass(aircc::createFinishDeviceCode());
}

/// MlirOptMain, with finishDeviceCodeAtEnd added to the pipeline.
static LogicalResult runOpt(int argc, char **argv, DialectRegistry &registry) {
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "aircc opt: mlir-opt with the passes of aircc\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(argc, argv, inputName, outputName, registry);
  config.setPassPipelineSetupFn([given = config](PassManager &pm) {
    if (failed(given.setupPassPipeline(pm)))
      return failure();
    finishDeviceCodeAtEnd(pm);
    return success();
  });

  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(inputName, &problem);
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (input)
    output = openOutputFile(outputName, &problem);
  if (!output) {
    llvm::errs() << problem << "\n";
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

/// Prints aircc's passes and pipelines if help is requested, because MLIR's
/// help, which comes next, lists them among hundreds of others.
static void listOwnPassesForHelp(llvm::ArrayRef<char *> arguments) {
  if (llvm::none_of(arguments, [](llvm::StringRef argument) {
        return argument == "--help" || argument == "-help" || argument == "-h";
      }))
    return;
  llvm::outs() << "The passes of aircc; those of MLIR and all options are "
                  "below.\n\n";
  mlir::printRegisteredPasses();
  llvm::outs() << "\n";
}

int aircc::optMain(int argc, char **argv) {
  llvm::setBugReportMsg(AIRCC_BUG_REPORT "\n");
  registerOwnPasses();
  listOwnPassesForHelp(llvm::ArrayRef(argv, argc));
  registerUpstreamPasses();
  DialectRegistry registry;
  registerEverything(registry);
  CrashHandlers handlers; // For the parser (WrappedParser.cpp).
  return asMainReturnCode(runOpt(argc, argv, registry));
}
