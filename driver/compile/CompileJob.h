//===- CompileJob.h - A compile, from sources to outputs --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_COMPILEJOB_H
#define AIRCC_DRIVER_COMPILE_COMPILEJOB_H

#include "driver/Options.h"
#include "driver/cache/CompileCache.h"
#include "driver/cache/CompileResult.h"
#include "driver/compile/CompileObserver.h"
#include "driver/compile/PassThreads.h"
#include "driver/compile/PipelinePlan.h"
#include "driver/constants/ConstantsFile.h"
#include "driver/diagnostics/CrashGuard.h"
#include "driver/diagnostics/Diagnostics.h"
#include "driver/diagnostics/Progress.h"
#include "driver/files/Installation.h"
#include "driver/files/OutputFile.h"
#include "driver/report/KernelReport.h"
#include "pipeline/link/Link.h"
#include "targets/TargetProfile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ThreadPool.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace aircc {
/// Executes one command line. run() lists the phases: load the profiles, plan,
/// run each input through the stages of each target, generate host code, link,
/// and finally move the outputs to their destinations.
class CompileJob {
public:
  CompileJob(const CompileOptions &options, const Installation &installation,
             Diagnostics &diagnostics, CompileObserver *observer = nullptr);

  /// Runs all phases under the crash guard. Errors have been reported when it
  /// returns.
  ExitCode run();

private:
  /// An input that is being compiled.
  struct Unit;

  /// An input whose output has not been written yet. Either the cache has its
  /// result, or the passes have run.
  struct StartedInput {
    std::string input;
    std::string key; ///< The cache key, or empty if the cache is not used.
    std::optional<CompileResult> cached;
    std::unique_ptr<llvm::MemoryBuffer> source; ///< The source of a cached
                                                ///< result.
    std::unique_ptr<Unit> unit;                 ///< The unit of an input
                                                ///< without a cached result.
  };

  llvm::Error doRun();
  unsigned getThreadCount() const;

  // Phases
  llvm::Error loadProfiles();
  void startReport(const TargetProfile &profile, const ProfileLoader &loader);
  void reportKernels(size_t target);
  llvm::Error writeReport();
  llvm::Error checkEnvironment();
  llvm::Error compileInputs();
  llvm::Expected<StartedInput> start(llvm::StringRef input);
  llvm::Error start(Unit &unit);
  llvm::Error finish(StartedInput &started);
  llvm::Error finish(Unit &unit);
  llvm::Error readSource(llvm::StringRef input,
                         std::unique_ptr<llvm::MemoryBuffer> &source);
  llvm::Error parse(Unit &unit);
  llvm::Error runStages(Unit &unit, size_t target, mlir::ModuleOp module);
  llvm::Error runTextualPipeline(Unit &unit);
  llvm::Error waitForDeviceCode(Unit &unit, mlir::ModuleOp module);
  llvm::Error emit(Unit &unit, size_t target, mlir::ModuleOp module);
  llvm::Error emitDeviceCode(Unit &unit, size_t target, mlir::ModuleOp module);
  llvm::Error emitModule(Unit &unit, size_t target, mlir::ModuleOp module);
  llvm::Error writeDeviceCode(llvm::StringRef input, size_t target,
                              llvm::ArrayRef<DeviceCode> codes);
  llvm::Error emitHostCode(Unit &unit, mlir::ModuleOp module);
  llvm::Error writeConstantsFile(Unit &unit, mlir::ModuleOp module);
  llvm::Error writeHostCode(llvm::StringRef input,
                            llvm::ArrayRef<llvm::StringRef> pieces);
  llvm::Error link();
  llvm::Error finish();

  // Cache
  llvm::Error openCache();
  void reportCacheWarnings();
  /// Returns whether the cache can contain the result of compiling a whole
  /// input.
  bool canReuseResult() const;
  std::string getResultKey(llvm::StringRef input, llvm::StringRef source);
  std::optional<CompileResult> findResult(llvm::StringRef key);
  /// Writes the outputs of a cached result.
  llvm::Error reuseResult(StartedInput &started);

  // Implements -### and --print-pipeline.
  llvm::Error describe();
  llvm::Error printPipelines();

  // Implements --save-temps.
  llvm::Error saveModule(Unit &unit, size_t target, llvm::StringRef what,
                         mlir::ModuleOp module);
  llvm::Error saveDeviceCode(Unit &unit, size_t target,
                             llvm::StringRef extension, mlir::ModuleOp module);
  bool savesOutputs(const PlannedStage &planned, size_t target);
  llvm::Error saveOutputs(Unit &unit, size_t target,
                          const PlannedStage &planned, mlir::ModuleOp before);
  llvm::Error saveText(llvm::StringRef name, llvm::StringRef text);

  // Helpers
  std::string nameOutput(llvm::StringRef input, llvm::StringRef suffix,
                         bool isText) const;
  /// Fails if `path` is a file that the job reads.
  llvm::Error checkNoInput(llvm::StringRef path) const;
  llvm::Expected<OutputFile *> openOutput(llvm::StringRef path, bool isText);
  llvm::Expected<HostLink> makeHostLink(llvm::StringRef output);
  llvm::Error
  runPasses(Unit &unit, mlir::ModuleOp module,
            llvm::function_ref<llvm::Error(mlir::PassManager &)> add,
            const llvm::Twine &title);
  const HostSpec &getHost() const;
  void setPhase(const llvm::Twine &phase);
  void log(const llvm::Twine &message);

  const CompileOptions &options;
  const Installation &installation;
  Diagnostics &diagnostics;
  CompileObserver *observer;          ///< May be null.
  std::shared_ptr<Progress> progress; ///< Also used by background threads.
  mlir::DefaultTimingManager timing;
  mlir::TimingScope rootTiming;
  CrashContext crashContext;
  std::unique_ptr<PassThreads> passThreads; ///< Null until needed.
  std::shared_ptr<llvm::DefaultThreadPool> deviceThreads; ///< Null until
                                                          ///< needed.
  std::shared_ptr<CompileCache> cache;                    ///< Null if not used.

  EmitKind kind;
  std::vector<TargetProfile> profiles;
  std::vector<std::vector<PlannedStage>> plans; ///< One per profile.
  std::vector<KernelReport> reports; ///< One per profile, if requested.
  llvm::json::Array reportedTargets; ///< For --report.
  std::vector<std::unique_ptr<OutputFile>> outputs;
  std::map<std::string, OutputFile *> outputsByFile; ///< One for each file.
  std::vector<std::string> dependencies;
  std::optional<SuppliedConstants> suppliedConstants; ///< For --constants-in.
  std::vector<MemoryFile> hostObjects;                ///< One per input.
  Definitions definitions;                            ///< Of all linked inputs.
};

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_COMPILEJOB_H
