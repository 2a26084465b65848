//===- Wave.h - The state of one wave ---------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This header is included by code that is compiled once for each level of the
// host's vector instructions. Everything inline in it is forced inline, so that
// no copy for a newer level can be linked into the plain code.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_WAVE_H
#define AIRCC_SIMULATOR_EXEC_WAVE_H

#include "simulator/exec/Op.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#define AIRCC_SIM_INLINE inline __attribute__((always_inline))

namespace aircc::sim {

struct Workgroup;
class Program;
struct LaunchState;
struct LaneLevel;
class Observers;
class HostcallBuffer;

/// The maximum number of observers of a launch.
constexpr unsigned kMaxObservers = 4;

/// The number of lanes in a row of the vector register file, also for wave32.
constexpr unsigned kRowLanes = 64;

/// The contents of registers, LDS and scratch before the first write: a NaN in
/// every float format of up to 64 bits, and conspicuous as an integer.
constexpr uint32_t kUnwritten = 0x7fdeadbe | 0x7fc00000;

/// The apertures of LDS and scratch in flat addresses, with 4 GiB each, are in
/// a part of the address space that no host maps.
constexpr uint64_t kSharedAperture = uint64_t(0x10000) << 32;
constexpr uint64_t kPrivateAperture = uint64_t(0x20000) << 32;

/// An outstanding LDS DMA: a contiguous range of LDS, and the offset of its
/// data in the wave's pendingData.
struct PendingLds {
  uint64_t sequence;
  uint32_t ldsAddress;
  uint32_t bytes;
  size_t data;
};

/// AtSplitBarrier waits for a gfx12 barrier to be complete.
enum class WaveStatus : uint8_t { Running, AtBarrier, AtSplitBarrier, Ended };

/// The number of named barriers of a workgroup, besides its own (number 0
/// here).
constexpr int kNamedBarriers = 16;
struct SplitBarrier {
  uint32_t members = 0; ///< For the workgroup's own barrier, the running waves.
  uint32_t signaled = 0;
  bool valid = false; ///< Whether a named barrier is initialized.
};

struct alignas(64) Wave {
  /// kVectorRows rows of kRowLanes dwords.
  uint32_t *rows = nullptr;
  const Op *pc = nullptr;
  uint32_t scalars[kScalarRegs + 16] = {};
  bool scc = false;
  /// Whether EXEC contains all lanes of the wave.
  bool execFull = true;
  /// Whether MODE has no effect on operations, because it is round-to-nearest
  /// with denormals and no register index is set.
  bool plainMode = true;
  bool registerIndexing = false; ///< Set by s_set_gpr_idx_on.
  // Other parts of MODE; `specialMode` is set if any differs from HSA's
  // default.
  bool specialMode = false;
  bool skipsVectors = false;    ///< VSKIP.
  bool keepsClampedNan = false; ///< The inverse of DX10_CLAMP.
  /// Whether the output modifier omod applies to f32 results, and to f16 and
  /// f64 results. It does not if MODE keeps their denormals or sets IEEE.
  bool scalesSingle = false, scalesDouble = false;
  bool ieee = true;
  bool fp16Saturates = false; ///< FP16_OVFL.
  WaveStatus status = WaveStatus::Running;
  unsigned lanes = 64;
  unsigned index = 0; ///< The index in its workgroup.
  uint32_t mode = 0;  ///< The MODE register.
  uint32_t mxcsrSingle = 0x1f80, mxcsrDouble = 0x1f80;

  Workgroup *group = nullptr;
  const LaneLevel *level = nullptr;
  LaunchState *launch = nullptr;

  /// The observers (null unless the launch is observed), and the state of each.
  Observers *observers = nullptr;
  void *observed[kMaxObservers] = {};

  // Scratch is dword-interleaved over lanes.
  uint64_t scratchBase = 0;
  uint32_t scratchBytes = 0; ///< For one lane.

  // For split barriers, whether the workgroup's barrier and the joined one are
  // complete.
  bool barrierComplete[2] = {false, false};
  uint8_t joinedBarrier = 0, waitsOn = 0;
  bool hasSignaled = false; ///< For the workgroup's barrier, in its current
                            ///< phase.

  // Memory operations in flight, for LDS DMA
  uint64_t vmemIssued = 0;
  std::vector<PendingLds> pendingLds;
  std::vector<uint8_t> pendingData;

  uint64_t executed = 0;

  // The range of the last access, by operation.
  struct RangeCache {
    uint64_t begin = 1, end = 0;
  } ranges[16];

  // EXEC as rows, computed on demand.
  uint64_t execRowsFor = 0;
  alignas(64) uint32_t execRows[kRowLanes] = {};
  // Rows of an operation's operands that are not registers.
  alignas(64) uint32_t temp[6][4 * kRowLanes];
  alignas(64) uint64_t addresses[kRowLanes];

  AIRCC_SIM_INLINE uint32_t *row(unsigned index) {
    return rows + index * kRowLanes;
  }
  AIRCC_SIM_INLINE uint64_t laneMask() const {
    return lanes == 64 ? ~uint64_t(0) : 0xffffffffu;
  }
  AIRCC_SIM_INLINE uint64_t exec() const {
    uint64_t value;
    std::memcpy(&value, &scalars[kExec], 8);
    return value;
  }
  AIRCC_SIM_INLINE void execChanged() {
    if (lanes == 32)
      scalars[kExec + 1] = 0;
    execFull = exec() == laneMask();
  }
  AIRCC_SIM_INLINE void setExec(uint64_t value) {
    value &= laneMask();
    std::memcpy(&scalars[kExec], &value, 8);
    execFull = value == laneMask();
  }
  AIRCC_SIM_INLINE uint64_t scalar64(unsigned reg) const {
    uint64_t value;
    std::memcpy(&value, &scalars[reg], 8);
    return value;
  }
  AIRCC_SIM_INLINE uint64_t vcc() const {
    return lanes == 64 ? scalar64(kVcc) : scalars[kVcc];
  }
  AIRCC_SIM_INLINE void setScalar(unsigned reg, uint32_t value) {
    if (reg == kNull)
      return;
    scalars[reg] = value;
    if (reg >= kExec)
      execChanged();
  }
  AIRCC_SIM_INLINE void setScalar64(unsigned reg, uint64_t value) {
    if (reg == kNull)
      return;
    std::memcpy(&scalars[reg], &value, 8);
    if (reg >= kExec)
      execChanged();
  }
  /// Returns one bit per lane, from one or two SGPRs.
  AIRCC_SIM_INLINE uint64_t mask(unsigned reg) const {
    return lanes == 64 ? scalar64(reg) : scalars[reg];
  }
  AIRCC_SIM_INLINE void setMask(unsigned reg, uint64_t value) {
    if (lanes == 64)
      setScalar64(reg, value);
    else
      setScalar(reg, static_cast<uint32_t>(value));
  }
};

/// The state that the waves of a workgroup share.
struct Workgroup {
  uint32_t id[3] = {0, 0, 0};
  std::vector<uint8_t> lds;
  std::vector<std::unique_ptr<Wave>> waves;
  std::vector<unsigned> order;        ///< The order in which waves are
                                      ///< scheduled.
  unsigned running = 0;               ///< The number of waves that have not
                                      ///< ended.
  unsigned waiting = 0;               ///< The number of waves at the barrier.
  uint64_t number = 0;                ///< The number in the grid, x first.
  void *observed[kMaxObservers] = {}; ///< As in Wave.
  SplitBarrier barriers[1 + kNamedBarriers];
  /// The buffer for calls to the host, or null. The workgroup's waves may
  /// access this memory in addition to that of the launch, but not other
  /// workgroups' buffers.
  HostcallBuffer *hostcalls = nullptr;
};

/// Must be called after a wave has ended and its group's `running` has been
/// decremented.
void waveEnded(Wave &wave);

/// Reads an SGPR, constant or special operand as up to 64 bits.
uint64_t readScalar(const Wave &wave, const Operand &operand);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_WAVE_H
