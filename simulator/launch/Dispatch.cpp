//===- Dispatch.cpp - Initial state of a kernel ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/launch/Dispatch.h"

#include "simulator/exec/Mode.h"
#include "simulator/exec/vector/LaneLevel.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <new>

using namespace aircc::sim;
namespace hsa = llvm::amdhsa;

namespace {
/// Additional scratch per lane for kernels whose call depth is unknown at
/// compile time.
constexpr uint32_t kDynamicStackBytes = 16 * 1024;
/// The maximum scratch of a workgroup. A wave64 of the largest chips has 8 MiB.
constexpr uint64_t kMaxScratchBytes = uint64_t(256) << 20;

template <class T> void put(void *base, size_t offset, T value) {
  std::memcpy(static_cast<char *>(base) + offset, &value, sizeof(T));
}
} // namespace

DispatchMemory::~DispatchMemory() {
  for (void *block : blocks)
    memory.release(block);
}

void *DispatchMemory::allocate(size_t bytes) {
  void *block = memory.allocate(bytes);
  if (!block)
    throw std::bad_alloc();
  blocks.push_back(block);
  std::memset(block, 0, bytes);
  return block;
}

/// Writes a hidden argument, truncated to its size.
template <class T>
static void putArgument(void *kernarg, const KernelArg &arg, T value) {
  std::memcpy(static_cast<char *>(kernarg) + arg.offset, &value,
              std::min<size_t>(sizeof(T), arg.size));
}

/// Writes the hidden argument `arg`.
static void writeHidden(const LaunchRequest &request, const LaunchState &state,
                        const KernelArg &arg, void *kernarg) {
  const std::string &kind = arg.valueKind;
  auto dimension = [&](const char *prefix) {
    size_t length = std::strlen(prefix);
    const int d =
        kind.compare(0, length, prefix) == 0 && kind.size() == length + 1
            ? kind[length] - 'x'
            : -1;
    return d < 3 ? d : -1;
  };
  if (int d = dimension("hidden_block_count_"); d >= 0)
    putArgument<uint32_t>(kernarg, arg, request.grid[d]);
  else if (int size = dimension("hidden_group_size_"); size >= 0)
    putArgument<uint16_t>(kernarg, arg, request.block[size]);
  else if (kind == "hidden_grid_dims")
    putArgument<uint16_t>(kernarg, arg,
                          request.grid[2] * request.block[2] > 1   ? 3
                          : request.grid[1] * request.block[1] > 1 ? 2
                                                                   : 1);
  else if (kind == "hidden_private_base")
    putArgument<uint32_t>(kernarg, arg, kPrivateAperture >> 32);
  else if (kind == "hidden_shared_base")
    putArgument<uint32_t>(kernarg, arg, kSharedAperture >> 32);
  else if (kind == "hidden_queue_ptr")
    putArgument<uint64_t>(kernarg, arg, state.queue);
  else if (kind == "hidden_dynamic_lds_size")
    putArgument<uint32_t>(kernarg, arg, request.dynamicLdsBytes);
  else
    // The remainders and the offset of the grid are zero. Pointers to services
    // of a host runtime (a heap, queues, …) are null; an access through one is
    // a fault that names the cause (MemoryAccess.cpp).
    std::memset(static_cast<char *>(kernarg) + arg.offset, 0, arg.size);
}

/// Writes the hsa_kernel_dispatch_packet_t, and the fields of amd_queue_t that
/// kernels read (the apertures).
static void writePacket(const LaunchRequest &request, LaunchState &state,
                        DispatchMemory &memory) {
  void *queue = memory.allocate(256);
  put<uint32_t>(queue, 0x40, kSharedAperture >> 32);
  put<uint32_t>(queue, 0x44, kPrivateAperture >> 32);
  state.queue = reinterpret_cast<uint64_t>(queue);

  void *packet = memory.allocate(64);
  put<uint16_t>(packet, 0, 2); // A kernel dispatch.
  put<uint16_t>(packet, 2, 3); // Three dimensions.
  for (unsigned d = 0; d < 3; ++d) {
    put<uint16_t>(packet, 4 + 2 * d, request.block[d]);
    put<uint32_t>(packet, 12 + 4 * d, request.grid[d] * request.block[d]);
  }
  put<uint32_t>(packet, 24, state.scratchBytes);
  put<uint32_t>(packet, 28, state.ldsBytes);
  put<uint64_t>(packet, 32, request.kernel->entry);
  put<uint64_t>(packet, 40, state.kernarg);
  state.dispatchPacket = reinterpret_cast<uint64_t>(packet);
}

/// Computes the sizes of the workgroup and its memory. Fails if the kernel or
/// the chip does not allow them.
static llvm::Error computeSizes(const LaunchRequest &request,
                                LaunchState &state) {
  const Kernel &kernel = *state.kernel;
  const Chip &chip = *state.chip;
  uint64_t lanes = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (!request.grid[d] || !request.block[d]) {
      return llvm::createStringError("kernel '" + kernel.name +
                                     "' is launched with an empty grid");
    }
    lanes = llvm::SaturatingMultiply<uint64_t>(lanes, request.block[d]);
  }
  for (unsigned d = 0; d < 3; ++d)
    if (kernel.requiredWorkgroup[d] &&
        kernel.requiredWorkgroup[d] != request.block[d]) {
      auto print = [](const uint32_t *size) {
        return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
               std::to_string(size[2]);
      };
      return llvm::createStringError(
          "kernel '" + kernel.name + "' was compiled for workgroups of " +
          print(kernel.requiredWorkgroup) + " lanes, but is launched with " +
          print(request.block));
    }
  if (lanes > kernel.maxWorkgroupSize) {
    return llvm::createStringError(
        "kernel '" + kernel.name + "' was compiled for workgroups of at most " +
        std::to_string(kernel.maxWorkgroupSize) +
        " lanes, but is launched with " + std::to_string(lanes));
  }
  const uint64_t ldsBytes = uint64_t(kernel.ldsBytes) + request.dynamicLdsBytes;
  state.ldsBytes = static_cast<uint32_t>(ldsBytes);
  if (ldsBytes > chip.ldsBytes) {
    return llvm::createStringError(
        "kernel '" + kernel.name + "' needs " + std::to_string(ldsBytes) +
        " bytes of LDS, but " + chip.name + " has only " +
        std::to_string(chip.ldsBytes));
  }
  state.wavesPerGroup = (lanes + kernel.waveSize() - 1) / kernel.waveSize();
  const uint64_t scratchBytes =
      llvm::alignTo(uint64_t(kernel.privateBytes) +
                        (kernel.dynamicStack ? kDynamicStackBytes : 0),
                    4);
  if (scratchBytes * kernel.waveSize() * state.wavesPerGroup >
      kMaxScratchBytes) {
    return llvm::createStringError(
        "kernel '" + kernel.name + "' needs " + std::to_string(scratchBytes) +
        " bytes of scratch per lane, more than " +
        std::to_string(kMaxScratchBytes) + " for a workgroup");
  }
  state.scratchBytes = static_cast<uint32_t>(scratchBytes);
  return llvm::Error::success();
}

static llvm::Error checkArguments(const LaunchRequest &request,
                                  const Kernel &kernel) {
  size_t explicitArgs = 0;
  for (const KernelArg &arg : kernel.args)
    explicitArgs += !arg.isHidden();
  if (request.kernarg.size() > kernel.kernargBytes) {
    return llvm::createStringError(
        "kernel '" + kernel.name + "' takes a kernarg segment of " +
        std::to_string(kernel.kernargBytes) + " bytes, but is launched with " +
        std::to_string(request.kernarg.size()));
  }
  if (request.kernarg.empty() && explicitArgs != request.args.size()) {
    return llvm::createStringError("kernel '" + kernel.name + "' takes " +
                                   std::to_string(explicitArgs) +
                                   " arguments, but is launched with " +
                                   std::to_string(request.args.size()));
  }
  return llvm::Error::success();
}

llvm::Error aircc::sim::prepareLaunch(const LaunchRequest &request,
                                      LaunchState &state,
                                      DispatchMemory &memory) {
  const Kernel &kernel = *request.kernel;
  state.request = &request;
  state.kernel = &kernel;
  state.chip = &request.object->chip();
  state.program = request.program;
  state.memory = request.memory;

  if (llvm::Error error = computeSizes(request, state))
    return error;
  if (llvm::Error error = checkArguments(request, kernel))
    return error;
  void *kernarg = memory.allocate(std::max(kernel.kernargBytes, 16u));
  state.kernarg = reinterpret_cast<uint64_t>(kernarg);
  writePacket(request, state, memory);
  if (!request.kernarg.empty())
    std::memcpy(kernarg, request.kernarg.data(), request.kernarg.size());
  size_t next = 0;
  for (const KernelArg &arg : kernel.args) {
    if (arg.valueKind == "hidden_hostcall_buffer" && arg.size == 8)
      state.hostcallArg = &arg; // Each workgroup has a separate buffer.
    else if (arg.isHidden())
      writeHidden(request, state, arg, kernarg);
    else if (request.kernarg.empty())
      std::memcpy(static_cast<char *>(kernarg) + arg.offset,
                  request.args[next++], arg.size);
  }
  state.ranges = request.memory->snapshot();
  state.shared = request.memory->sharedSpan();
  return llvm::Error::success();
}

uint64_t aircc::sim::entryAddress(const LaunchState &state) {
  // Code with preloaded kernel arguments begins with 256 bytes that load them
  // if the firmware does not preload.
  return state.kernel->entry + (state.kernel->preloadDwords ? 256 : 0);
}

/// Sets the SGPRs that the kernel descriptor enables for the kernel's data.
static void setUserSgprs(const LaunchState &state, uint64_t kernarg,
                         uint64_t scratch, Wave &wave) {
  const Kernel &kernel = *state.kernel;
  uint32_t *s = wave.scalars;
  unsigned at = 0;
  auto put64 = [&](uint64_t value) {
    s[at++] = static_cast<uint32_t>(value);
    s[at++] = static_cast<uint32_t>(value >> 32);
  };
  if (kernel.property(
          hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER)) {
    // This is a swizzled buffer with 4-byte elements and one index per lane.
    s[at++] = static_cast<uint32_t>(scratch);
    s[at++] = static_cast<uint32_t>(scratch >> 32 & 0xffff) | 1u << 31;
    s[at++] = 0xffffffff;
    s[at++] = 1u << 23 | (wave.lanes == 64 ? 3u : 2u) << 21 | 1u << 19;
  }
  if (kernel.property(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR))
    put64(state.dispatchPacket);
  if (kernel.property(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR))
    put64(state.queue);
  if (kernel.property(
          hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR))
    put64(kernarg);
  if (kernel.property(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID))
    put64(1);
  if (kernel.property(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT))
    put64(scratch);
  if (kernel.property(
          hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE))
    s[at++] = state.scratchBytes;
  // The hardware has 16 or 32 of these registers, but damaged descriptors
  // request more.
  constexpr unsigned kMaxUserSgprs = 32;
  for (uint32_t i = 0; i < kernel.preloadDwords && at < kMaxUserSgprs; ++i)
    std::memcpy(&s[at++],
                reinterpret_cast<const char *>(kernarg) +
                    4 * (kernel.preloadOffsetDwords + i),
                4);
}

/// Sets the workgroup id and other system values, after the user SGPRs or in
/// trap-handler registers.
static void setSystemSgprs(const LaunchState &state, const Workgroup &group,
                           uint64_t waveScratch, Wave &wave) {
  const uint32_t rsrc2 = state.kernel->descriptor.compute_pgm_rsrc2;
  const Chip &chip = *state.chip;
  uint32_t *s = wave.scalars;
  if (chip.hasArchitectedSgprs) {
    s[kTtmp0 + 9] = group.id[0];
    s[kTtmp0 + 7] = group.id[1] | group.id[2] << 16;
    s[kTtmp0 + 8] = wave.index << 25;
    return;
  }
  unsigned at = AMDHSA_BITS_GET(
      rsrc2, hsa::COMPUTE_PGM_RSRC2_GFX6_GFX120_USER_SGPR_COUNT);
  if (rsrc2 & hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X)
    s[at++] = group.id[0];
  if (rsrc2 & hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y)
    s[at++] = group.id[1];
  if (rsrc2 & hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Z)
    s[at++] = group.id[2];
  if (rsrc2 & hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_INFO)
    s[at++] = state.wavesPerGroup | (wave.index == 0 ? 1u << 31 : 0);
  if ((rsrc2 & hsa::COMPUTE_PGM_RSRC2_ENABLE_PRIVATE_SEGMENT) &&
      !chip.hasArchitectedFlatScratch)
    s[at++] = static_cast<uint32_t>(waveScratch);
}

/// Sets the VGPRs with work-item ids. Returns the mask of lanes that have one.
static uint64_t setWorkItemIds(const LaunchState &state, Wave &wave) {
  const unsigned idCount =
      AMDHSA_BITS_GET(state.kernel->descriptor.compute_pgm_rsrc2,
                      hsa::COMPUTE_PGM_RSRC2_ENABLE_VGPR_WORKITEM_ID);
  const uint32_t *block = state.request->block;
  const uint64_t total = uint64_t(block[0]) * block[1] * block[2];
  uint64_t exec = 0;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    uint64_t flat = uint64_t(wave.index) * wave.lanes + lane;
    if (flat >= total)
      break;
    exec |= uint64_t(1) << lane;
    uint32_t x = flat % block[0], y = flat / block[0] % block[1],
             z = static_cast<uint32_t>(flat / (uint64_t(block[0]) * block[1]));
    if (state.chip->hasPackedWorkItemIds) {
      wave.row(0)[lane] =
          x | (idCount > 0 ? y << 10 : 0) | (idCount > 1 ? z << 20 : 0);
    } else {
      wave.row(0)[lane] = x;
      if (idCount > 0)
        wave.row(1)[lane] = y;
      if (idCount > 1)
        wave.row(2)[lane] = z;
    }
  }
  return exec;
}

static void initialRegisters(const LaunchState &state, const Workgroup &group,
                             uint64_t kernarg, uint64_t scratch, Wave &wave) {
  std::fill(std::begin(wave.scalars), std::end(wave.scalars), kUnwritten);
  wave.scalars[kNull] = 0;
  const uint64_t waveScratch =
      uint64_t(state.scratchBytes) * wave.lanes * wave.index;
  wave.scratchBase = scratch + waveScratch;
  wave.scratchBytes = state.scratchBytes;

  setUserSgprs(state, kernarg, scratch, wave);
  setSystemSgprs(state, group, waveScratch, wave);
  wave.setExec(setWorkItemIds(state, wave));
  wave.scc = false;
  // These are FP_ROUND and FP_DENORM, then DX10_CLAMP and IEEE.
  const uint32_t rsrc1 = state.kernel->descriptor.compute_pgm_rsrc1;
  uint32_t mode = rsrc1 >> 12 & 0xff;
  if (state.chip->hasIeeeMode)
    mode |= (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9;
  // FP16_OVFL is bit 26 of the descriptor's first word in all generations.
  mode |= (rsrc1 >> 26 & 1) << 23;
  setMode(wave, mode);
}

/// Creates a kernarg segment for the workgroup that points to a separate
/// hostcall buffer. Returns the segment's address.
static uint64_t prepareHostcalls(const LaunchState &state,
                                 GroupStorage &storage) {
  const size_t bytes = state.kernel->kernargBytes;
  if (!storage.hostcalls)
    storage.hostcalls = std::make_unique<HostcallBuffer>(
        state.wavesPerGroup, (bytes + 15) / 16 * 16);
  HostcallBuffer &buffer = *storage.hostcalls;
  buffer.reset();
  storage.group.hostcalls = &buffer;
  void *kernarg = reinterpret_cast<void *>(buffer.begin());
  std::memcpy(kernarg, reinterpret_cast<const void *>(state.kernarg), bytes);
  put<uint64_t>(kernarg, state.hostcallArg->offset, buffer.address());
  return buffer.begin();
}

/// Resets a wave that may have run in another workgroup before.
static void resetWave(const LaunchState &state, Wave &wave) {
  const Kernel &kernel = *state.kernel;
  wave.pc = state.entry;
  wave.observers = state.observers;
  std::fill(std::begin(wave.observed), std::end(wave.observed), nullptr);
  wave.status = WaveStatus::Running;
  wave.lanes = kernel.waveSize();
  wave.level = &selectLaneLevel();
  wave.launch = const_cast<LaunchState *>(&state);
  wave.barrierComplete[0] = wave.barrierComplete[1] = false;
  wave.joinedBarrier = wave.waitsOn = 0;
  wave.hasSignaled = false;
  wave.pendingLds.clear();
  wave.pendingData.clear();
  wave.vmemIssued = 0;
  wave.executed = 0;
  for (Wave::RangeCache &cache : wave.ranges)
    cache = Wave::RangeCache();
  std::fill_n(wave.rows, size_t(std::max(kernel.vgprCount, 4u)) * kRowLanes,
              kUnwritten);
  std::fill_n(wave.row(kFirstAgprRow), size_t(kernel.agprCount) * kRowLanes,
              kUnwritten);
}

void aircc::sim::startGroup(const LaunchState &state, uint64_t number,
                            uint64_t seed, GroupStorage &storage) {
  const LaunchRequest &request = *state.request;
  const Kernel &kernel = *state.kernel;
  Workgroup &group = storage.group;
  group.id[0] = static_cast<uint32_t>(number % request.grid[0]);
  group.id[1] =
      static_cast<uint32_t>(number / request.grid[0] % request.grid[1]);
  group.id[2] = static_cast<uint32_t>(
      number / (uint64_t(request.grid[0]) * request.grid[1]));
  group.number = number;
  group.running = state.wavesPerGroup;
  group.waiting = 0;
  std::fill(std::begin(group.barriers), std::end(group.barriers),
            SplitBarrier());
  // The hardware allocates LDS in granules of 128 dwords. An atomic on the last
  // byte or short is a loop that accesses its whole dword.
  group.lds.resize((state.ldsBytes + 3) & ~3u);
  for (size_t i = 0; i + 4 <= group.lds.size(); i += 4)
    std::memcpy(&group.lds[i], &kUnwritten, 4);

  auto aligned = [](size_t bytes) {
    void *memory = nullptr;
    if (posix_memalign(&memory, 4096, bytes))
      throw std::bad_alloc();
    return memory;
  };
  size_t scratchBytes =
      size_t(state.scratchBytes) * kernel.waveSize() * state.wavesPerGroup;
  if (storage.scratchBytes < scratchBytes) {
    storage.scratch.reset(static_cast<uint8_t *>(aligned(scratchBytes)));
    storage.scratchBytes = scratchBytes;
  }
  for (size_t i = 0; i + 4 <= scratchBytes; i += 4)
    std::memcpy(storage.scratch.get() + i, &kUnwritten, 4);

  uint64_t kernarg = state.kernarg;
  if (state.hostcallArg)
    kernarg = prepareHostcalls(state, storage);

  while (group.waves.size() < state.wavesPerGroup) {
    storage.rows.emplace_back(
        static_cast<uint32_t *>(aligned(size_t(kVectorRows) * kRowLanes * 4)));
    group.waves.push_back(std::make_unique<Wave>());
    group.waves.back()->rows = storage.rows.back().get();
  }
  for (unsigned index = 0; index < state.wavesPerGroup; ++index) {
    Wave &wave = *group.waves[index];
    wave.index = index;
    wave.group = &group;
    resetWave(state, wave);
    initialRegisters(state, group, kernarg,
                     reinterpret_cast<uint64_t>(storage.scratch.get()), wave);
  }
  std::fill(std::begin(group.observed), std::end(group.observed), nullptr);
  group.order.resize(state.wavesPerGroup);
  for (unsigned i = 0; i < state.wavesPerGroup; ++i)
    group.order[i] = i;
  for (unsigned i = state.inStep ? 1 : state.wavesPerGroup; i > 1; --i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    std::swap(group.order[i - 1], group.order[(seed >> 33) % i]);
  }
}
