//===- SpirvLaunch.cpp - Running a SPIR-V kernel over a grid --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/SpirvLaunch.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchOutput.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/launch/WorkgroupPool.h"
#include "simulator/spirv/LaneChecker.h"
#include "simulator/spirv/LaneTrace.h"
#include "simulator/spirv/Workgroup.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace aircc::sim;
using namespace aircc::sim::spirv;

namespace {

/// The maximum shared local memory of a workgroup, which is that of the largest
/// Intel GPU.
constexpr uint64_t kMaxSlmBytes = 128 << 10;
/// The maximum private memory of a workgroup, which is more than any GPU has,
/// but little enough for the host.
constexpr uint64_t kMaxPrivateBytes = 256 << 20;

/// A workgroup of lanes.
class LaneGroup : public PooledGroup {
public:
  LaneGroup(const LaunchContext &context, const LaunchOptions &options,
            LaneCounts &counts, std::mutex &mutex)
      : context(context), options(options), counts(counts), mutex(mutex) {}
  ~LaneGroup() override {
    std::lock_guard<std::mutex> lock(mutex);
    counts += group.takeCounts();
  }

  void start(uint64_t groupNumber, uint64_t seed) override {
    group.start(context, groupNumber, seed);
  }
  /// Steps are backward jumps, so a time slice executes at most `longest`
  /// steps.
  bool runRound(uint64_t longest, bool &slept) override {
    const bool ended =
        runTraced(context.inStep ? 1 : static_cast<int64_t>(longest));
    if (group.wasInterrupted())
      steps += longest;
    slept = !ended && onlyWaits();
    return ended;
  }
  void ended() override { context.output->groupEnded(group.number()); }
  bool onlyWaits() const override { return group.findWaiting() != nullptr; }
  std::string whereItWaits() const override {
    const Lane *lane = group.findWaiting();
    return group.where(lane->subgroup, static_cast<int>(lane->index)) + ", " +
           lane->pollSite->describe();
  }
  std::string explainWaiting(const std::string &howLong) override {
    const Lane *lane = group.findWaiting();
    char place[32], value[32];
    std::snprintf(place, sizeof(place), "0x%llx",
                  static_cast<unsigned long long>(lane->polled));
    std::snprintf(value, sizeof(value), "0x%llx",
                  static_cast<unsigned long long>(lane->polledValue));
    std::string name = options.describeAddress
                           ? options.describeAddress(lane->polled)
                           : std::string();
    return group.where(lane->subgroup, static_cast<int>(lane->index)) +
           ": all lanes have been waiting for " + howLong +
           " (AIRCC_WAIT_LIMIT); this lane polls " +
           (name.empty() ? "" : name + ", ") + "address " + place +
           ", which holds " + value + "; " + lane->pollSite->describe();
  }

  uint64_t instructions() const override { return group.executed(); }
  std::string explainStop(const std::string &why) override {
    const Lane *lane = group.findBusiest();
    if (!lane)
      return "kernel '" + context.kernel->name + "': " + why;
    std::string text =
        group.where(lane->subgroup, static_cast<int>(lane->index)) + ": " + why;
    if (const LoopSite *loop = lane->stopSite)
      text += "; it loops from word " + std::to_string(loop->targetWord) +
              " of the module, by the jump " + loop->describe();
    return text;
  }

private:
  /// Also write faults to the trace.
  bool runTraced(int64_t budget) {
    try {
      return group.runRound(budget);
    } catch (const Fault &fault) {
      if (group.trace)
        group.trace->fault(fault.what());
      throw;
    }
  }

  const LaunchContext &context;
  const LaunchOptions &options;
  LaneCounts &counts; ///< The counts of the launch, guarded by the mutex.
  std::mutex &mutex;
  spirv::Workgroup group;
};

std::string sizeText(const std::array<uint32_t, 3> &v) {
  return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" +
         std::to_string(v[2]);
}

bool isSharedPointer(const KernelArgument &argument) {
  return argument.kind == KernelArgument::WorkgroupMemory;
}

size_t sharedPointers(const SpirvKernel &kernel) {
  return llvm::count_if(kernel.arguments, isSharedPointer);
}

/// Returns the arguments of the request, with null for those that it omits.
std::vector<const void *> completeArguments(const SpirvLaunchRequest &request) {
  const SpirvKernel &kernel = *request.kernel;
  if (request.args.size() == kernel.arguments.size())
    return request.args;
  std::vector<const void *> all;
  all.reserve(kernel.arguments.size());
  auto next = request.args.begin();
  for (const KernelArgument &argument : kernel.arguments)
    all.push_back(isSharedPointer(argument) ? nullptr : *next++);
  return all;
}

/// Fails if the request is invalid for the kernel.
llvm::Error checkRequest(const SpirvLaunchRequest &request) {
  const SpirvKernel &kernel = *request.kernel;
  const std::string name = "kernel '" + kernel.name + "'";
  const size_t wanted = kernel.arguments.size(),
               shared = sharedPointers(kernel);
  if (request.args.size() != wanted && request.args.size() != wanted - shared)
    return llvm::createStringError(name + " has " +
                                   std::to_string(wanted - shared) +
                                   " arguments, but the launch passes " +
                                   std::to_string(request.args.size()));
  if (shared > 1)
    return llvm::createStringError(
        name + " has " + std::to_string(shared) +
        " arguments that point to shared local memory; a launch can specify "
        "the size of only one");
  if (shared && !request.dynamicSlmBytes)
    return llvm::createStringError(
        name + " has an argument that points to shared local memory, but the "
               "launch specifies no size for it");
  uint64_t lanes = 1, groups = 1;
  for (int d = 0; d < 3; ++d) {
    lanes *= request.block[d];
    groups *= request.grid[d];
  }
  if (!lanes || !groups)
    return llvm::createStringError(name + ": an empty grid (" +
                                   sizeText(request.grid) + ") or workgroup (" +
                                   sizeText(request.block) + ")");
  if (lanes > kMaxLanes)
    return llvm::createStringError(
        name + ": a workgroup of " + std::to_string(lanes) +
        " lanes; Intel GPUs allow at most " + std::to_string(kMaxLanes));
  if (kernel.workgroupSize && request.block != *kernel.workgroupSize)
    return llvm::createStringError(name + " was compiled for workgroups of " +
                                   sizeText(*kernel.workgroupSize) +
                                   " lanes, but is launched with " +
                                   sizeText(request.block));
  if (kernel.privateBytes * lanes > kMaxPrivateBytes)
    return llvm::createStringError(
        name + " needs " + std::to_string(kernel.privateBytes) +
        " bytes of private memory per lane, more than " +
        std::to_string(kMaxPrivateBytes) + " for the workgroup's " +
        std::to_string(lanes) + " lanes");
  uint64_t slm = request.dynamicSlmBytes;
  for (const SlmVariable &variable : kernel.slm)
    slm += variable.bytes;
  if (slm > kMaxSlmBytes)
    return llvm::createStringError(
        name + " needs " + std::to_string(slm) +
        " bytes of shared local memory; Intel GPUs have at most " +
        std::to_string(kMaxSlmBytes));
  return llvm::Error::success();
}

} // namespace

llvm::Error aircc::sim::spirv::runSpirvLaunch(const SpirvLaunchRequest &request,
                                              const LaunchOptions &options,
                                              LaneCounts &counts,
                                              LaunchResult &result) {
  if (llvm::Error error = checkRequest(request))
    return error;
  LaunchContext context;
  context.kernel = request.kernel;
  context.memory = request.memory;
  context.ranges = request.memory->snapshot();
  context.grid = request.grid;
  context.block = request.block;
  context.dynamicSlmBytes = request.dynamicSlmBytes;
  context.arguments = completeArguments(request);
  context.trace = request.trace;
  LaunchOutput output;
  context.output = &output;
  LaunchWarnings warnings;
  context.warnings = &warnings;
  context.lenientSurfaces = options.lenientSurfaces;
  context.inStep = options.isInStep();

  std::unique_ptr<LaneChecker> checker;
  // SPIR-V kernels have no waits and hazards to check.
  if (options.check.any()) {
    checker = std::make_unique<LaneChecker>(options.checkLimit, options.check);
    context.checker = checker.get();
  }

  const uint64_t groups =
      uint64_t(request.grid[0]) * request.grid[1] * request.grid[2];
  unsigned threads = options.threads
                         ? options.threads
                         : std::max(1u, std::thread::hardware_concurrency());
  if (checker)
    threads = 1;
  // The kernel's own output would be mixed with the progress line.
  LaunchOptions poolOptions = options;
  poolOptions.showsProgress &= !request.kernel->mayPrint;
  uint64_t steps = 0;
  std::mutex mutex;
  llvm::Error error = runWorkgroups(
      request.kernel->name, groups, threads, poolOptions,
      [&] {
        return std::make_unique<LaneGroup>(context, options, counts, mutex);
      },
      steps, result.timedOut);
  result.warnings = warnings.lines(request.kernel->name);
  result.completed = !error;
  if (error || !checker)
    return error;
  const std::string found = checker->text(request.kernel->name);
  return found.empty() ? llvm::Error::success()
                       : llvm::createStringError(found);
}
