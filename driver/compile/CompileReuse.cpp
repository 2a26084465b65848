//===- CompileReuse.cpp - Results of earlier compiles ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This part of CompileJob uses the cache, which has two kinds of entries: the
// code of a gpu.module, looked up by its LLVM IR (GPUModuleCompiler), and the
// result of a whole input, looked up here by its bytes.
//
//===----------------------------------------------------------------------===//

#include "driver/cache/CacheableOptions.h"
#include "driver/cache/CompileResult.h"
#include "driver/compile/CompileJob.h"
#include "driver/compile/CompileUnit.h"
#include "pipeline/codegen/rocdl/DeviceLibraries.h"
#include "pipeline/common/Stage.h"

#include "llvm/ADT/STLExtras.h"

#include <unistd.h>

using namespace aircc;
using namespace llvm;

/// Returns the variables that a compile may read.
static std::vector<std::string> getVariables() {
  std::vector<std::string> variables;
  for (char **variable = environ; *variable; ++variable) {
    StringRef text = *variable;
    if (text.starts_with("AIRCC_") && !text.starts_with("AIRCC_CACHE") &&
        !text.starts_with("AIRCC_DEVICE=") && !text.starts_with("AIRCC_SIM_"))
      variables.push_back(text.str());
  }
  llvm::sort(variables);
  return variables;
}

Error CompileJob::openCache() {
  if (options.saveTemps || options.timeReport)
    return Error::success();
  StringRef uncacheable = findUncacheableOption(options.mlirOptions);
  if (!uncacheable.empty()) {
    log("the cache is not used because of " + uncacheable);
    return Error::success();
  }
  bool enabled = options.cache.value_or(true);
  if (!options.cache) {
    auto setting = isCacheEnabled();
    if (!setting)
      return setting.takeError();
    enabled = *setting;
  }
  if (!enabled)
    return Error::success();
  auto settings = CacheSettings::fromEnvironment();
  if (!settings)
    return settings.takeError();
  std::vector<std::string> globals = getVariables();
  append_range(globals, options.mlirOptions);
  cache =
      std::make_shared<CompileCache>(std::move(*settings), std::move(globals));
  return Error::success();
}

void CompileJob::reportCacheWarnings() {
  if (!cache)
    return;
  for (const std::string &warning : cache->takeWarnings())
    diagnostics.warning(warning);
}

bool CompileJob::canReuseResult() const {
  // Native code is not cached, because it is produced by an external program,
  // ocloc. Linked inputs are not cached, because their definitions are compared
  // in MLIR.
  return cache && !observer && !options.replacesPipeline &&
         !options.crashOnPurpose && options.header.empty() &&
         options.report.empty() && options.constantsOut.empty() &&
         options.constantsIn.empty() &&
         !(options.kernelRemarks && options.verbose) &&
         !printsModule(options) && (isDeviceCode(kind) || isHostCode(kind)) &&
         kind != EmitKind::Native &&
         !(isLinked(kind) && options.inputs.size() > 1);
}

/// Adds the device libraries that the target may link.
static void addLibraries(CacheKey &key, const TargetProfile &profile,
                         StringRef rocmPath, CodeCache &cache) {
  if (profile.backend != Backend::ROCDL)
    return;
  std::vector<std::string> names = profile.deviceLibs;
  if (names.empty())
    names = {"ocml", "ockl"};
  std::vector<std::string> folders = getDeviceLibraryFolders(rocmPath);
  for (const std::string &name : names) {
    std::string file = findDeviceLibrary(folders, name);
    key.add(name).add(file).add(cache.hashFile(file));
  }
}

std::string CompileJob::getResultKey(StringRef input, StringRef source) {
  CacheKey key;
  key.add("result");
  cache->addGlobals(key);
  // Diagnostics and debug information contain the name.
  key.add(input).add(source);
  key.add(static_cast<uint64_t>(kind)).add(options.optLevel.value_or(2));
  for (bool flag :
       {isWholeProgram(options), options.debugInfo, options.layoutRemarks,
        options.linkInputs.empty(), options.inputs.size() == 1,
        options.diagnosticsFormat == DiagnosticsFormat::JSON})
    key.add(flag);
  key.add(profiles.size());
  for (auto [profile, plan] : zip(profiles, plans)) {
    key.add(profile.name).add(profile.waveSize).add(profile.files.size());
    for (const std::string &file : profile.files)
      key.add(file).add(cache->hashFile(file));
    key.add(plan.size());
    for (const PlannedStage &planned : plan)
      key.add(planned.stage->name).add(planned.options);
    addLibraries(key, profile, options.rocmPath, *cache);
  }
  return key.get();
}

/// Reports the diagnostics of a cached result.
static void replay(StringRef input, std::unique_ptr<MemoryBuffer> source,
                   ArrayRef<RecordedDiagnostic> recorded,
                   Diagnostics &diagnostics) {
  if (recorded.empty())
    return;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(source), SMLoc());
  Diagnostics::Scope scope(diagnostics, context, sources);
  for (const RecordedDiagnostic &diagnostic : recorded)
    diagnostic.emit(context);
}

std::optional<CompileResult> CompileJob::findResult(StringRef key) {
  std::optional<std::string> entry = cache->lookUp(key);
  return entry ? CompileResult::decode(*entry) : std::nullopt;
}

Error CompileJob::reuseResult(StartedInput &started) {
  const CompileResult &result = *started.cached;
  log(started.input + ": from the cache");
  replay(started.input, std::move(started.source), result.diagnostics,
         diagnostics);
  append_range(dependencies, result.deviceLibraries);
  if (isHostCode(kind))
    return writeHostCode(started.input, StringRef(result.hostCode));
  for (size_t target = 0; target < profiles.size(); ++target) {
    SmallVector<DeviceCode> codes;
    for (const CompileResult::DeviceCode &code : result.deviceCode)
      if (code.target == target)
        codes.push_back({code.module, /*chip=*/"", code.bytes});
    if (Error error = writeDeviceCode(started.input, target, codes))
      return error;
  }
  return Error::success();
}
