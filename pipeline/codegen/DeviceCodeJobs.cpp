//===- DeviceCodeJobs.cpp - Device code compiled in the background --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DeviceCodeJobs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

using namespace mlir;

namespace aircc {

static constexpr StringLiteral kJobAttr = "air.device_code_job";

namespace {

/// The compilation of one gpu.module to a code object.
class Job {
public:
  explicit Job(GPUModuleCompiler compiler) : compiler(std::move(compiler)) {}

  /// Starts the job in a thread of `pool`, unless `abandoned` is set by then.
  void start(llvm::ThreadPoolInterface &pool,
             const std::atomic<bool> &abandoned) {
    future = pool.async([this, &abandoned] {
      if (abandoned)
        return;
      llvm::CrashRecoveryContext recovery;
      if (!recovery.RunSafely([&] { compile(); }))
        crashStatus = recovery.RetCode;
    });
  }

  void addStep(DeviceCodeStep step) {
    std::lock_guard<std::mutex> lock(stepsMutex);
    steps.push_back(std::move(step));
  }

  /// Waits for the job, reports what it found, and completes `binary`.
  LogicalResult finish(gpu::BinaryOp binary);

private:
  void compile() {
    compiler->compile();
    applySteps();
  }

  std::optional<DeviceCodeStep> takeStep() {
    std::lock_guard<std::mutex> lock(stepsMutex);
    if (nextStep == steps.size())
      return std::nullopt;
    return steps[nextStep++];
  }

  void applySteps() {
    while (std::optional<DeviceCodeStep> step = takeStep()) {
      // Without code, compiling it has failed, which finish() reports.
      if (compiler->getCode().empty() || !stepProblem.empty())
        continue;
      if (llvm::Error error = (*step)(compiler->getCode()))
        stepProblem = llvm::toString(std::move(error));
    }
  }

  void collectResult();

  std::optional<GPUModuleCompiler> compiler; ///< None after finish().
  std::shared_future<void> future;           ///< Invalid: the job is deferred.
  int crashStatus = 0;
  std::string stepProblem;

  std::mutex stepsMutex; ///< Guards the next two.
  std::vector<DeviceCodeStep> steps;
  size_t nextStep = 0;

  /// What finish() found, also for clones of the gpu.binary.
  std::mutex resultMutex;
  LogicalResult result = failure();
  ArrayAttr objects;
  ArrayAttr libraries;
};

/// The jobs of a context, and the threads that run them. MLIR hands out dialect
/// interfaces as constants, though this one is a registry: hence `mutable`.
class DeviceCodeJobs : public DialectInterface::Base<DeviceCodeJobs> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceCodeJobs)

  explicit DeviceCodeJobs(Dialect *dialect) : Base(dialect) {}
  ~DeviceCodeJobs() override {
    abandoned = true;
    if (pool)
      pool->wait();
  }

  static const DeviceCodeJobs &get(MLIRContext *context) {
    auto *dialect = context->getOrLoadDialect<gpu::GPUDialect>();
    auto *jobs = dialect->getRegisteredInterface<DeviceCodeJobs>();
    if (!jobs)
      llvm::report_fatal_error(
          "the MLIR context was made without registerDeviceCodeJobs");
    return *jobs;
  }

  void add(DistinctAttr id, GPUModuleCompiler compiler, JobStart start) const {
    std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<Job> &job = jobs[id];
    job = std::make_unique<Job>(std::move(compiler));
    if (start == JobStart::Deferred)
      return;
    if (!pool)
      pool = std::make_unique<llvm::DefaultThreadPool>(
          llvm::hardware_concurrency());
    job->start(*pool, abandoned);
  }

  /// Reports an error if the job of `binary` is not of this context.
  Job *find(gpu::BinaryOp binary) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto id = binary->getAttrOfType<DistinctAttr>(kJobAttr);
    if (auto it = jobs.find(id); id && it != jobs.end())
      return it->second.get();
    binary.emitOpError(
        "has no code: it was printed before its code was "
        "compiled; run 'codegen-finish-device-code' before printing");
    return nullptr;
  }

private:
  mutable std::mutex mutex;
  mutable llvm::DenseMap<DistinctAttr, std::unique_ptr<Job>> jobs;
  mutable std::unique_ptr<llvm::DefaultThreadPool> pool;
  std::atomic<bool> abandoned = false;
};

} // namespace

void Job::collectResult() {
  result = compiler->report();
  if (succeeded(result) && !stepProblem.empty())
    result = emitError(compiler->getLoc()) << stepProblem;
  if (succeeded(result)) {
    objects = compiler->getObjects();
    libraries = compiler->getUsedLibraries();
  }
  compiler.reset();
}

LogicalResult Job::finish(gpu::BinaryOp binary) {
  std::lock_guard<std::mutex> lock(resultMutex);
  if (future.valid())
    future.wait();
  if (crashStatus != 0) {
    emitError(compiler->getLoc(), "compiling this gpu.module crashed");
    // 128 and the number of the signal, as in a shell.
    if (crashStatus > 128)
      std::raise(crashStatus - 128);
    std::abort();
  }
  if (compiler) {
    if (future.valid())
      applySteps(); // those added since
    else
      compile();
    collectResult();
  }
  if (failed(result))
    return failure();
  binary->removeAttr(kJobAttr);
  binary.setObjectsAttr(objects);
  if (libraries)
    binary->setAttr(
        kernel::KernelDialect::DeviceLibrariesAttrHelper::getNameStr(),
        libraries);
  return success();
}

void startDeviceCodeJob(gpu::GPUModuleOp gpuModule, GPUModuleCompiler compiler,
                        JobStart start) {
  OpBuilder b(gpuModule);
  ArrayAttr noCode = compiler.getObjects();
  auto binary = gpu::BinaryOp::create(
      b, gpuModule.getLoc(), gpuModule.getName(), nullptr, noCode.getValue());
  gpuModule.erase();
  auto id = DistinctAttr::create(b.getUnitAttr());
  binary->setAttr(kJobAttr, id);
  DeviceCodeJobs::get(b.getContext()).add(id, std::move(compiler), start);
}

bool isPending(gpu::BinaryOp binary) { return binary->hasAttr(kJobAttr); }

bool hasPendingCode(ModuleOp module) {
  return llvm::any_of(module.getOps<gpu::BinaryOp>(), isPending);
}

LogicalResult addDeviceCodeStep(gpu::BinaryOp binary, DeviceCodeStep step) {
  Job *job = DeviceCodeJobs::get(binary.getContext()).find(binary);
  if (!job)
    return failure();
  job->addStep(std::move(step));
  return success();
}

LogicalResult finishDeviceCode(ModuleOp module) {
  bool failedAny = false;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    if (!isPending(binary))
      continue;
    Job *job = DeviceCodeJobs::get(module.getContext()).find(binary);
    failedAny |= !job || failed(job->finish(binary));
  }
  return failure(failedAny);
}

void registerDeviceCodeJobs(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, gpu::GPUDialect *dialect) {
    dialect->addInterfaces<DeviceCodeJobs>();
  });
}

} // namespace aircc
