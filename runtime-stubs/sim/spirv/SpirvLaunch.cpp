//===- SpirvLaunch.cpp - Running a SPIR-V kernel over a grid --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/spirv/SpirvLaunch.h"

#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/spirv/Workgroup.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

using namespace aircc::sim;
using namespace aircc::sim::spirv;

namespace {

/// What the largest of Intel's GPUs have: lanes of a workgroup, and bytes of
/// shared local memory.
constexpr uint64_t kMaxLanes = 1024, kMaxSlmBytes = 128 << 10;
/// Backward jumps of a lane's turn.
constexpr int64_t kTurn = 4096;

std::string sizeText(const std::array<uint32_t, 3> &v) {
  return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" +
         std::to_string(v[2]);
}

/// What is wrong with the request, or "".
std::string checkRequest(const SpirvLaunchRequest &request) {
  const SpirvKernel &kernel = *request.kernel;
  const std::string name = "kernel '" + kernel.name + "'";
  if (request.args.size() != kernel.arguments.size())
    return name + " has " + std::to_string(kernel.arguments.size()) +
           " arguments, the launch gives " +
           std::to_string(request.args.size());
  uint64_t lanes = 1, groups = 1;
  for (int d = 0; d < 3; ++d) {
    lanes *= request.block[d];
    groups *= request.grid[d];
  }
  if (!lanes || !groups)
    return name + ": an empty grid (" + sizeText(request.grid) +
           ") or workgroup (" + sizeText(request.block) + ")";
  if (lanes > kMaxLanes)
    return name + ": a workgroup of " + std::to_string(lanes) +
           " lanes; Intel GPUs take " + std::to_string(kMaxLanes) + " at most";
  if (kernel.workgroupSize && request.block != *kernel.workgroupSize)
    return name + " was compiled for workgroups of " +
           sizeText(*kernel.workgroupSize) + " lanes, the launch has " +
           sizeText(request.block);
  uint64_t slm = request.dynamicSlmBytes;
  for (const SlmVariable &variable : kernel.slm)
    slm += variable.bytes;
  if (slm > kMaxSlmBytes)
    return name + " wants " + std::to_string(slm) +
           " bytes of shared local memory; Intel GPUs have " +
           std::to_string(kMaxSlmBytes) + " at most";
  return {};
}

} // namespace

bool aircc::sim::spirv::runSpirvLaunch(const SpirvLaunchRequest &request,
                                       const LaunchOptions &options,
                                       std::string &error) {
  error = checkRequest(request);
  if (!error.empty())
    return false;
  LaunchContext context;
  context.kernel = request.kernel;
  context.memory = request.memory;
  context.ranges = request.memory->snapshot();
  context.grid = request.grid;
  context.block = request.block;
  context.dynamicSlmBytes = request.dynamicSlmBytes;
  context.arguments = request.args;

  const uint64_t groups =
      uint64_t(request.grid[0]) * request.grid[1] * request.grid[2];
  uint64_t threads = options.threads
                         ? options.threads
                         : std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, groups);
  std::atomic<uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  auto work = [&] {
    Workgroup group;
    while (!failed) {
      const uint64_t number = next.fetch_add(1);
      if (number >= groups)
        return;
      try {
        group.start(context, number, options.seed ^ number);
        while (!failed && !group.runRound(kTurn)) {
        }
      } catch (const Fault &fault) {
        std::lock_guard<std::mutex> lock(mutex);
        if (!failed)
          error = fault.what();
        failed = true;
      }
    }
  };
  std::vector<std::thread> helpers;
  for (uint64_t i = 1; i < threads; ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
  return error.empty();
}
