//===- DeviceCodeJobs.cpp - Device code compiled in the background --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DeviceCodeJobs.h"

#include "pipeline/codegen/llvm/MachinePool.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Threading.h"

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

using namespace mlir;

namespace aircc {

static constexpr StringLiteral kJobAttr = "air.device_code_job";

namespace {

/// Returns the CPU time of this thread.
double getThreadSeconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/// The compilation of one gpu.module to a code object.
class Job {
public:
  explicit Job(GPUModuleCompiler compiler) : compiler(std::move(compiler)) {}

  /// Compiles the module. May be called in any thread.
  void run(CodeCache *cache, MachinePool &machines) {
    double start = getThreadSeconds();
    llvm::CrashRecoveryContext recovery;
    if (!recovery.RunSafely([&] { compile(cache, machines); }))
      crashStatus = recovery.RetCode;
    seconds = getThreadSeconds() - start;
  }

  double getSeconds() const { return seconds; }

  void addStep(DeviceCodeStep step) {
    std::lock_guard<std::mutex> lock(stepsMutex);
    steps.push_back(std::move(step));
  }

  /// Reports the errors of run(), which must have ended, and completes
  /// `binary`.
  LogicalResult finish(gpu::BinaryOp binary);

  // Guarded by the mutex of the context's jobs.
  bool isDone = false;
  bool isRecorded = false; ///< Whether it is in the times.

private:
  void compile(CodeCache *cache, MachinePool &machines) {
    compiler->compile(cache, machines);
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
      // If there is no code, compilation has failed, which finish() reports.
      if (compiler->getCode().empty() || !stepProblem.empty())
        continue;
      if (llvm::Error error = (*step)(compiler->getCode()))
        stepProblem = llvm::toString(std::move(error));
    }
  }

  void collectResult();

  std::optional<GPUModuleCompiler> compiler; ///< Null after finish().
  int crashStatus = 0;
  double seconds = 0;
  std::string stepProblem;

  std::mutex stepsMutex; ///< Guards the next two members.
  std::vector<DeviceCodeStep> steps;
  size_t nextStep = 0;

  /// The results of finish(), also for clones of the gpu.binary.
  std::mutex resultMutex;
  LogicalResult result = failure();
  ArrayAttr objects;
  ArrayAttr libraries;
};

/// The jobs of a context, and the threads that run them. MLIR returns dialect
/// interfaces as constants, but this one is a registry; hence `mutable`.
class DeviceCodeJobs : public DialectInterface::Base<DeviceCodeJobs> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceCodeJobs)

  explicit DeviceCodeJobs(Dialect *dialect) : Base(dialect) {}
  ~DeviceCodeJobs() override {
    {
      std::lock_guard<std::mutex> lock(mutex);
      waiting.clear();
    }
    if (tasks)
      tasks->wait();
  }

  static const DeviceCodeJobs &get(MLIRContext *context) {
    auto *dialect = context->getOrLoadDialect<gpu::GPUDialect>();
    auto *jobs = dialect->getRegisteredInterface<DeviceCodeJobs>();
    if (!jobs)
      llvm::report_fatal_error(
          "the MLIR context was created without registerDeviceCodeJobs");
    return *jobs;
  }

  void configure(DeviceCodeSettings newSettings) const {
    std::lock_guard<std::mutex> lock(mutex);
    settings = std::move(newSettings);
  }

  void announce(unsigned count) const {
    std::lock_guard<std::mutex> lock(mutex);
    announced += count;
    if (settings.onProgress)
      settings.onProgress(done, announced);
  }

  /// The thread that adds and finishes jobs also runs some of them, so the pool
  /// has one thread fewer than are allowed.
  void add(DistinctAttr id, GPUModuleCompiler compiler) const {
    bool tooMany;
    {
      std::lock_guard<std::mutex> lock(mutex);
      std::unique_ptr<Job> &job = jobs[id];
      job = std::make_unique<Job>(std::move(compiler));
      waiting.push_back(job.get());
      // Each waiting job holds an LLVM module in memory.
      tooMany = waiting.size() > 2 * settings.threads;
      if (settings.threads > 1 && !tasks) {
        if (!settings.pool)
          settings.pool = std::make_shared<llvm::DefaultThreadPool>(
              llvm::hardware_concurrency(settings.threads - 1));
        tasks.emplace(*settings.pool);
      }
    }
    if (tasks)
      tasks->async([this] { runNext(); });
    if (tooMany)
      runNext();
  }

  /// Waits until `job` is done. Meanwhile, runs jobs in this thread.
  void wait(Job &job) const {
    auto isDone = [&] { return job.isDone; };
    while (true) {
      std::unique_lock<std::mutex> lock(mutex);
      if (waiting.empty())
        return jobDone.wait(lock, isDone);
      if (job.isDone)
        return;
      lock.unlock();
      runNext();
    }
  }

  void recordTime(gpu::BinaryOp binary, Job &job) const {
    std::lock_guard<std::mutex> lock(mutex);
    if (!std::exchange(job.isRecorded, true))
      times.push_back({binary.getSymName().str(), job.getSeconds()});
  }

  std::vector<DeviceCodeTime> getTimes() const {
    std::lock_guard<std::mutex> lock(mutex);
    return times;
  }

  /// Returns the job of `binary`. Emits an error if it does not belong to this
  /// context.
  Job *find(gpu::BinaryOp binary) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto id = binary->getAttrOfType<DistinctAttr>(kJobAttr);
    if (auto it = jobs.find(id); id && it != jobs.end())
      return it->second.get();
    binary.emitOpError(
        "has no code because it was printed before its code was compiled; run "
        "'codegen-finish-device-code' before printing");
    return nullptr;
  }

private:
  /// Runs the job that has waited longest, if there is one.
  void runNext() const {
    Job *job;
    CodeCache *cache;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (waiting.empty())
        return;
      job = waiting.front();
      waiting.pop_front();
      cache = settings.cache.get();
    }
    job->run(cache, machines);
    std::lock_guard<std::mutex> lock(mutex);
    job->isDone = true;
    ++done;
    if (settings.onProgress)
      settings.onProgress(done, announced);
    jobDone.notify_all();
  }

  mutable std::mutex mutex; ///< Guards all members except the machines.
  mutable std::condition_variable jobDone;
  mutable DeviceCodeSettings settings;
  mutable llvm::DenseMap<DistinctAttr, std::unique_ptr<Job>> jobs;
  mutable std::deque<Job *> waiting;
  mutable unsigned announced = 0, done = 0;
  mutable std::vector<DeviceCodeTime> times;
  mutable MachinePool machines;
  /// The tasks in the pool of the settings.
  mutable std::optional<llvm::ThreadPoolTaskGroup> tasks;
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
  if (crashStatus != 0) {
    emitError(compiler->getLoc(), "compiling this gpu.module crashed");
    // Use 128 plus the number of the signal, as a shell does.
    if (crashStatus > 128)
      std::raise(crashStatus - 128);
    std::abort();
  }
  if (compiler) {
    applySteps(); // Those added since.
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

void configureDeviceCodeJobs(MLIRContext &context,
                             DeviceCodeSettings settings) {
  DeviceCodeJobs::get(&context).configure(std::move(settings));
}

void announceDeviceCodeJobs(MLIRContext &context, unsigned count) {
  DeviceCodeJobs::get(&context).announce(count);
}

gpu::BinaryOp startDeviceCodeJob(gpu::GPUModuleOp gpuModule,
                                 GPUModuleCompiler compiler) {
  OpBuilder b(gpuModule);
  ArrayAttr noCode = compiler.getObjects();
  auto binary = gpu::BinaryOp::create(
      b, gpuModule.getLoc(), gpuModule.getName(), nullptr, noCode.getValue());
  gpuModule.erase();
  auto id = DistinctAttr::create(b.getUnitAttr());
  binary->setAttr(kJobAttr, id);
  DeviceCodeJobs::get(b.getContext()).add(id, std::move(compiler));
  return binary;
}

void shareDeviceCodeJob(gpu::GPUModuleOp gpuModule, gpu::BinaryOp binary) {
  OpBuilder b(gpuModule);
  auto copy = cast<gpu::BinaryOp>(b.clone(*binary));
  copy->setLoc(gpuModule.getLoc());
  copy.setSymName(gpuModule.getName());
  gpuModule.erase();
}

std::vector<DeviceCodeTime> getDeviceCodeTimes(MLIRContext &context) {
  return DeviceCodeJobs::get(&context).getTimes();
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
    const DeviceCodeJobs &jobs = DeviceCodeJobs::get(module.getContext());
    Job *job = jobs.find(binary);
    if (job) {
      jobs.wait(*job);
      jobs.recordTime(binary, *job);
    }
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
