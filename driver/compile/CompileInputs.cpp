//===- CompileInputs.cpp - The inputs of a compile job --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This part of CompileJob compiles the inputs one after another, each in two
// steps: running the passes, and writing the outputs.
//
//===----------------------------------------------------------------------===//

#include "driver/compile/CompileJob.h"
#include "driver/compile/CompileUnit.h"
#include "driver/input/Registry.h"
#include "pipeline/codegen/Codegen.h"
#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/link/Link.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"

using namespace aircc;
using namespace llvm;

/// Prints the part of --time-report about kernels, because MLIR's timers do not
/// include background threads.
static void printDeviceCodeTimes(StringRef input,
                                 ArrayRef<DeviceCodeTime> times) {
  if (times.empty())
    return;
  errs() << "  LLVM's time for the device code of " << input << ":\n";
  for (const DeviceCodeTime &time : times)
    errs() << "  " << format("%8.4f", time.seconds) << "  " << time.module
           << "\n";
}

/// While background threads compile the device code of an input, this thread
/// runs the passes on the next one. Outputs are written in the order of the
/// inputs, as are the messages of each phase.
Error CompileJob::compileInputs() {
  std::optional<StartedInput> previous;
  for (const std::string &input : options.inputs) {
    Expected<StartedInput> next = start(input);
    if (!next)
      return next.takeError();
    if (previous)
      if (Error error = finish(*previous))
        return error;
    previous = std::move(*next);
  }
  return previous ? finish(*previous) : Error::success();
}

/// Runs an input through all stages, unless the cache has its result.
Expected<CompileJob::StartedInput> CompileJob::start(StringRef input) {
  std::unique_ptr<MemoryBuffer> source;
  if (Error error = readSource(input, source))
    return std::move(error);
  StartedInput started;
  started.input = input;
  if (canReuseResult()) {
    auto scope = rootTiming.nest("Cache");
    started.key = getResultKey(input, source->getBuffer());
    started.cached = findResult(started.key);
    if (started.cached) {
      started.source = std::move(source);
      return started;
    }
  }

  mlir::DialectRegistry registry;
  registerCompileDialects(registry);
  started.unit = std::make_unique<Unit>(input, registry, diagnostics);
  Unit &unit = *started.unit;
  if (!started.key.empty())
    unit.scope.record(unit.result.diagnostics);
  unit.sources->AddNewSourceBuffer(std::move(source), SMLoc());
  DeviceCodeSettings settings;
  settings.threads = getThreadCount();
  if (settings.threads > 1) {
    if (!deviceThreads)
      deviceThreads = std::make_shared<DefaultThreadPool>(
          hardware_concurrency(settings.threads - 1));
    settings.pool = deviceThreads;
  }
  settings.cache = cache;
  settings.onProgress = [progress = progress](unsigned done, unsigned total) {
    progress->setKernels(done, total);
  };
  configureDeviceCodeJobs(unit.context, std::move(settings));
  if (Error error = start(unit))
    return std::move(error);
  return started;
}

/// Parses an input and runs the passes.
Error CompileJob::start(Unit &unit) {
  const std::string &input = unit.input;
  if (Error error = parse(unit))
    return error;

  if (!options.header.empty()) {
    auto header = openOutput(options.header, /*isText=*/true);
    if (!header)
      return header.takeError();
    // The include guard is derived from the name.
    std::string name =
        options.header == "-"
            ? (input == "-" ? "stdin" : sys::path::stem(input)).str() + ".h"
            : options.header;
    if (mlir::failed(generateHeader(*unit.module, name, (*header)->os())))
      return unit.failed();
  }
  if (options.replacesPipeline)
    return runTextualPipeline(unit);
  if (kind == EmitKind::AIR && options.stopAfter.empty())
    return Error::success();

  // The pipeline of each target starts from the input. The last one may consume
  // the original.
  for (size_t i = 0; i < profiles.size(); ++i) {
    unit.results.push_back(i + 1 < profiles.size() ? unit.module->clone()
                                                   : std::move(unit.module));
    if (Error error = runStages(unit, i, *unit.results.back()))
      return error;
  }
  return Error::success();
}

/// Writes the outputs of an input.
Error CompileJob::finish(StartedInput &started) {
  if (started.cached)
    return reuseResult(started);
  Unit &unit = *started.unit;
  crashContext.inputName = unit.input;
  crashContext.inputText =
      unit.sources->getMemoryBuffer(unit.sources->getMainFileID())->getBuffer();
  if (Error error = finish(unit))
    return error;
  if (options.timeReport)
    printDeviceCodeTimes(unit.input, getDeviceCodeTimes(unit.context));
  if (!started.key.empty() && !unit.result.isTooLarge)
    cache->store(started.key, unit.result.encode());
  crashContext.inputText = "";
  return Error::success();
}

Error CompileJob::finish(Unit &unit) {
  if (unit.results.empty())
    return emit(unit, 0, *unit.module);
  if (printsModule(options) || isDeviceCode(kind)) {
    for (auto [target, module] : enumerate(unit.results))
      if (Error error = emit(unit, target, *module))
        return error;
    return Error::success();
  }
  if (observer)
    for (auto &module : unit.results) {
      if (Error error = waitForDeviceCode(unit, *module))
        return error;
      observer->addDeviceCode(collectDeviceCode(*module));
    }
  if (unit.results.size() == 1)
    return emitHostCode(unit, *unit.results[0]);
  setPhase("merging the targets of " + unit.input);
  SmallVector<TargetModule> targets;
  for (auto [profile, module] : zip(profiles, unit.results))
    targets.push_back({&profile, *module});
  mlir::OwningOpRef<mlir::ModuleOp> merged = mergeTargets(targets);
  if (!merged)
    return unit.failed();
  return emitHostCode(unit, *merged);
}

/// Writes the module or the code of a target.
Error CompileJob::emit(Unit &unit, size_t target, mlir::ModuleOp module) {
  if (isHostCode(kind) && !printsModule(options))
    return emitHostCode(unit, module);
  if (Error error = waitForDeviceCode(unit, module))
    return error;
  if (printsModule(options))
    return emitModule(unit, target, module);
  return emitDeviceCode(unit, target, module);
}
