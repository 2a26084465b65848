//===- CompileJob.cpp - A compile, from sources to outputs ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/compile/CompileJob.h"

#include "driver/compile/CompileUnit.h"
#include "driver/compile/StageCheck.h"
#include "driver/diagnostics/Exhaustion.h"
#include "driver/diagnostics/Logging.h"
#include "driver/input/GuardedParser.h"
#include "driver/input/InputFile.h"
#include "driver/input/MissingResources.h"
#include "driver/input/MlirOptions.h"
#include "driver/input/NewerForms.h"
#include "driver/input/Registry.h"
#include "driver/input/UnknownDialects.h"
#include "pipeline/codegen/Codegen.h"
#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/common/Stage.h"
#include "pipeline/link/Link.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"

#include <cstdlib>

using namespace aircc;
using namespace llvm;

CompileJob::CompileJob(const CompileOptions &options,
                       const Installation &installation,
                       Diagnostics &diagnostics, CompileObserver *observer)
    : options(options), installation(installation), diagnostics(diagnostics),
      observer(observer),
      progress(std::make_shared<Progress>(
          !options.verbose && options.mlirOptions.empty() &&
          options.diagnosticsFormat == DiagnosticsFormat::Text)),
      kind(getEmitKind(options)) {
  diagnostics.beforeOutput = [this] { progress->clear(); };
  crashContext.commandLine = options.commandLine;
}

ExitCode CompileJob::run() {
  scope_exit restore([&] { diagnostics.beforeOutput = nullptr; });
  return runGuarded(diagnostics, crashContext, [&] {
    Error error = doRun();
    reportCacheWarnings();
    progress->clear();
    return error ? diagnostics.report(std::move(error)) : ExitCode::Done;
  });
}

void CompileJob::setPhase(const Twine &phase) {
  crashContext.phase = phase.str();
  progress->setPhase(phase);
}

void CompileJob::log(const Twine &message) {
  if (options.verbose)
    logInfo(message.str());
}

Error CompileJob::doRun() {
  setPhase("reading the command line");
  if (Error error = checkDescriptors())
    return error;
  if (Error error = parseMLIROptions(options.mlirOptions))
    return error;
  if (!options.mlirOptions.empty())
    mlir::applyDefaultTimingManagerCLOptions(timing);
  if (options.timeReport)
    timing.setEnabled(true);
  rootTiming = timing.getRootScope();

  if (!options.rocmPath.empty() && !sys::fs::is_directory(options.rocmPath))
    return fail(ExitCode::BadUsage,
                "--rocm-path: there is no folder '" + options.rocmPath + "'");
  if (Error error = loadProfiles())
    return error;
  if (options.printPipeline)
    return printPipelines();
  if (options.dryRun)
    return describe();
  if (Error error = checkEnvironment())
    return error;

  if (Error error = openCache())
    return error;
  if (!options.constantsIn.empty()) {
    auto constants = SuppliedConstants::open(options.constantsIn);
    if (!constants)
      return constants.takeError();
    suppliedConstants = std::move(*constants);
    dependencies.push_back(options.constantsIn);
  }
  if (Error error = compileInputs())
    return error;
  if (isLinked(kind) && !printsModule(options))
    if (Error error = link())
      return error;
  return finish();
}

//===----------------------------------------------------------------------===//
// Profiles and plans
//===----------------------------------------------------------------------===//

Error CompileJob::loadProfiles() {
  setPhase("reading the target profiles");
  auto scope = rootTiming.nest("Target profiles");
  ProfileLoader loader = makeProfileLoader(
      installation.getTargetFolders(options.targetFolders), options.rocmPath);
  bool failed = false;
  for (const std::string &name : options.targets) {
    auto profile = loadProfile(loader, name, {options.waveSize, options.tuning},
                               diagnostics);
    if (!profile) {
      consumeError(profile.takeError());
      failed = true;
      continue;
    }
    log("target " + profile->name + ": " + profile->files.front());
    startReport(*profile, loader);
    profiles.push_back(std::move(*profile));
  }
  if (failed)
    return fail(ExitCode::BadUsage);

  for (size_t i = 0; i < profiles.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (profiles[i].chip == profiles[j].chip &&
          profiles[i].features == profiles[j].features)
        return fail(ExitCode::BadUsage, "targets '" + profiles[j].name +
                                            "' and '" + profiles[i].name +
                                            "' are the same chip, '" +
                                            profiles[i].chip + "'");

  // Commands that need no target work without one.
  if (options.replacesPipeline ||
      (kind == EmitKind::AIR && options.stopAfter.empty()))
    return Error::success();
  // Report a missing input first: it may be a misspelled command.
  for (const std::string &input : options.inputs)
    if (profiles.empty() && input != "-" && !sys::fs::exists(input))
      return fail(ExitCode::BadInput, "cannot read '" + escapeName(input) +
                                          "': No such file or directory");
  if (profiles.empty())
    return fail(ExitCode::BadUsage,
                "no target specified; select the GPU with --target NAME",
                {"aircc targets lists the names"});
  for (const TargetProfile &profile : profiles) {
    auto plan = planPipeline(profile, options);
    if (!plan)
      return plan.takeError();
    plans.push_back(std::move(*plan));
  }
  if (isHostCode(kind) && !printsModule(options))
    for (const TargetProfile &profile : profiles)
      if (profile.host.triple != profiles[0].host.triple)
        return fail(
            ExitCode::BadUsage,
            "targets '" + profiles[0].name + "' and '" + profile.name +
                "' disagree about the host: " + profiles[0].host.triple +
                " and " + profile.host.triple);
  return Error::success();
}

const HostSpec &CompileJob::getHost() const {
  static const HostSpec fallback = {"x86_64-unknown-linux-gnu", "cc", {}};
  return profiles.empty() ? fallback : profiles[0].host;
}

/// Checks for errors in the environment that would otherwise surface only after
/// a long compile.
Error CompileJob::checkEnvironment() {
  for (const std::string &input : options.linkInputs)
    if (!StringRef(input).starts_with("-") && !sys::fs::exists(input))
      return fail(ExitCode::BadInput, "cannot read '" + escapeName(input) +
                                          "': No such file or directory");
  if (isLinked(kind) && !printsModule(options)) {
    auto hostLink = makeHostLink("output");
    if (!hostLink)
      return hostLink.takeError();
    auto command = getHostLinkCommand(getHost(), *hostLink);
    if (!command)
      return command.takeError();
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

Error CompileJob::readSource(StringRef input,
                             std::unique_ptr<MemoryBuffer> &source) {
  setPhase("reading " + input);
  // JSON has its own escape sequences.
  std::string name = input == "-" ? "<stdin>"
                     : options.diagnosticsFormat == DiagnosticsFormat::JSON
                         ? input.str()
                         : escapeName(input);
  auto buffer = readInput(input, name);
  if (!buffer)
    return buffer.takeError();
  StringRef text = (*buffer)->getBuffer();
  // Otherwise, the parser would fail at some byte of the binary file and print
  // the whole line.
  if (!mlir::isBytecode((*buffer)->getMemBufferRef()) && text.contains('\0'))
    return fail(ExitCode::BadInput,
                "cannot read '" + escapeName(input) +
                    "': it is a binary file, but not MLIR bytecode");
  crashContext.inputName = input;
  crashContext.inputText = text;
  if (input != "-")
    dependencies.push_back(input.str());
  source = std::move(*buffer);
  return Error::success();
}

Error CompileJob::parse(Unit &unit) {
  auto scope = rootTiming.nest("Parser");
  mlir::ScopedDiagnosticHandler hints(
      &unit.context, [](mlir::Diagnostic &diagnostic) {
        explainNewerOp(diagnostic);
        return mlir::failure(); // The next handler prints it.
      });
  mlir::ParserConfig config(&unit.context, /*verifyAfterParse=*/false);
  unit.context.allowUnregisteredDialects();
  auto parse = [](const SourceMgr &sources, mlir::Block *block,
                  const mlir::ParserConfig &config) {
    return mlir::parseAsmSourceFile(sources, block, config);
  };
  auto run = [&] {
    unit.module = mlir::parseSourceFile<mlir::ModuleOp>(unit.sources, config);
    if (!unit.module)
      return mlir::failure();
    rewriteNewerForms(*unit.module);
    return mlir::verify(*unit.module);
  };
  if (mlir::failed(parseGuarded(*unit.sources, config, parse, run)))
    unit.module = nullptr;
  unit.context.allowUnregisteredDialects(false);
  if (!unit.module || mlir::failed(checkDialects(*unit.module)))
    return unit.failed();
  if (suppliedConstants && mlir::failed(suppliedConstants->apply(*unit.module)))
    return unit.failed();
  if (!printsModule(options) && mlir::failed(checkResources(*unit.module)))
    return unit.failed();
  if (options.crashOnPurpose)
    ::abort();
  if (isLinked(kind) && !printsModule(options) &&
      mlir::failed(checkDefinitions(*unit.module, unit.input, definitions)))
    return unit.failed();
  return Error::success();
}

unsigned CompileJob::getThreadCount() const {
  return options.jobs ? options.jobs
                      : hardware_concurrency().compute_thread_count();
}

/// Runs passes on `module`. If it fails, their diagnostics say why.
Error CompileJob::runPasses(Unit &unit, mlir::ModuleOp module,
                            function_ref<Error(mlir::PassManager &)> add,
                            const Twine &title) {
  setPhase(title + " of " + unit.input);
  std::string titleText = title.str();
  auto scope = rootTiming.nest(titleText);
  mlir::PassManager pm(&unit.context, mlir::ModuleOp::getOperationName());
  if (!options.mlirOptions.empty() &&
      mlir::failed(mlir::applyPassManagerCLOptions(pm)))
    return fail(ExitCode::BadUsage);
  // Verify the IR once per stage, because verifying it after each pass would
  // take a fifth of MLIR's time.
  bool verifiesEachPass = !options.mlirOptions.empty();
  pm.enableVerifier(verifiesEachPass);
  pm.enableTiming(scope);
  if (Error error = add(pm))
    return error;
  // With only one kernel, concurrency would merely add the cost of locks. MLIR
  // options may print passes, and their output must not be interleaved.
  bool concurrent = getThreadCount() > 1 && options.mlirOptions.empty() &&
                    hasSeveralKernels(module);
  if (concurrent && !passThreads)
    passThreads = std::make_unique<PassThreads>(getThreadCount());
  ConcurrentPasses threads(unit.context,
                           concurrent ? passThreads.get() : nullptr);
  if (mlir::failed(pm.run(module)) ||
      (!verifiesEachPass && mlir::failed(mlir::verify(module))))
    return unit.failed();
  return Error::success();
}

Error CompileJob::runStages(Unit &unit, size_t target, mlir::ModuleOp module) {
  const TargetProfile &profile = profiles[target];
  if (options.saveTemps)
    if (Error error = saveModule(unit, target, "air", module))
      return error;

  for (const PlannedStage &planned : plans[target]) {
    StringRef name = planned.stage->name;
    log(profile.name + ": stage " + name +
        (planned.options.empty() ? "" : " {" + planned.options + "}"));
    mlir::OwningOpRef<mlir::ModuleOp> before;
    if (options.saveTemps && savesOutputs(planned, target))
      before = module.clone();
    Error error = runPasses(
        unit, module,
        [&](mlir::PassManager &pm) {
          return populateStage(planned, profile, pm);
        },
        "the stage '" + name + "' for " + profile.name);
    if (error)
      return error;
    if (target < reports.size())
      reports[target].addStage(module, kind == EmitKind::Plan);
    if (observer)
      observer->addStage(name, module, profile);
    if (!options.saveTemps)
      continue;
    if (Error error = waitForDeviceCode(unit, module))
      return error;
    if (Error error = saveModule(unit, target, name, module))
      return error;
    if (before)
      if (Error error = saveOutputs(unit, target, planned, *before))
        return error;
  }

  reportKernels(target);
  return Error::success();
}

/// Waits for device code that is compiled in the background.
Error CompileJob::waitForDeviceCode(Unit &unit, mlir::ModuleOp module) {
  if (hasPendingCode(module)) {
    setPhase("the device code of " + unit.input);
    auto scope = rootTiming.nest("Device code");
    if (mlir::failed(finishDeviceCode(module)))
      return unit.failed();
  }
  SmallVector<std::string> libraries = collectDeviceLibraries(module);
  append_range(dependencies, libraries);
  append_range(unit.result.deviceLibraries, libraries);
  return Error::success();
}

Error CompileJob::runTextualPipeline(Unit &unit) {
  registerEveryPass();
  std::string problem;
  raw_string_ostream os(problem);
  Error error = runPasses(
      unit, *unit.module,
      [&](mlir::PassManager &pm) -> Error {
        auto parsed = mlir::parsePassPipeline(options.passPipeline, os);
        if (mlir::failed(parsed))
          return fail(ExitCode::BadUsage,
                      "--pass-pipeline: " + StringRef(problem).rtrim().str());
        // MLIR would nest passes for another op, where they would match
        // nothing.
        if (parsed->getOpAnchorName() != pm.getOpAnchorName())
          return fail(ExitCode::BadUsage,
                      "--pass-pipeline: the pipeline must run on " +
                          pm.getOpAnchorName() + ", but got " +
                          parsed->getOpAnchorName(),
                      {"write " + pm.getOpAnchorName().str() + "(…)"});
        static_cast<mlir::OpPassManager &>(pm) = std::move(*parsed);
        return Error::success();
      },
      "the passes of --pass-pipeline");
  return error;
}
