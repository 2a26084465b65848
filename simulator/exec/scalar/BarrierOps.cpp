//===- BarrierOps.cpp - Split and named barriers of gfx12 -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A barrier counts the signals of its members and is complete when all of them
// have signaled. Each member's "barrier complete" bit is then set; a wait waits
// for the bit and clears it. Barrier -1 is the workgroup's; 1 to 16 are named
// barriers, whose number of members S_BARRIER_INIT sets; -2 is the trap
// handler's and invisible to programs. Waves that have ended are not waited
// for. Reference: RDNA4 ISA guide, "Work-group barriers".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/scalar/ControlTable.h"

using namespace aircc::sim;

/// Ends the barrier's phase after the last signal.
static void completeBarrier(Workgroup &group, unsigned id) {
  SplitBarrier &barrier = group.barriers[id];
  unsigned members = id ? barrier.members : group.running;
  if (!barrier.signaled || barrier.signaled < members)
    return;
  barrier.signaled = 0;
  if (!id && group.waves.front()->observers)
    group.waves.front()->observers->barrierRelease(group);
  for (auto &wave : group.waves) {
    if (id && wave->joinedBarrier != id)
      continue;
    if (!id)
      wave->hasSignaled = false;
    if (wave->status == WaveStatus::AtSplitBarrier && wave->waitsOn == id)
      wave->status = WaveStatus::Running;
    else
      wave->barrierComplete[id != 0] = true;
  }
}

void aircc::sim::waveEnded(Wave &wave) {
  // The wave is no longer a member, so its signal no longer counts.
  if (wave.hasSignaled) {
    wave.hasSignaled = false;
    --wave.group->barriers[0].signaled;
  }
  completeBarrier(*wave.group, 0);
}

namespace {

constexpr int kNothing = -1; ///< The barrier of a trap handler.

/// Returns the barrier that an operand names, where 0 is the workgroup's.
int barrierOf(int64_t number) {
  number = static_cast<int16_t>(number);
  if (number == -1)
    return 0;
  if (number == -2)
    return kNothing;
  if (number >= 1 && number <= kNamedBarriers)
    return static_cast<int>(number);
  throw Fault("there is no barrier " + std::to_string(number));
}

/// Returns the barrier given by an immediate or by M0: bits 4:0 are the
/// barrier, and bits 22:16 a number of members, which is set unless it is zero.
int barrierOf(Wave &wave, const Op &op) {
  if (op.src[0].kind == Operand::Kind::Constant)
    return barrierOf(static_cast<int64_t>(op.src[0].constant));
  uint32_t m0 = static_cast<uint32_t>(readScalar(wave, op.src[0]));
  int id = barrierOf(m0 & 31 ? m0 & 31 : -1);
  if (id > 0 && (m0 >> 16 & 127)) {
    wave.group->barriers[id].members = m0 >> 16 & 127;
    wave.group->barriers[id].valid = true;
  }
  return id;
}

template <bool TellsFirst> bool runSignal(Wave &wave, const Op &op) {
  int id = barrierOf(wave, op);
  if (id == kNothing)
    return false;
  SplitBarrier &barrier = wave.group->barriers[id];
  if (id && !barrier.valid)
    throw Fault("named barrier " + std::to_string(id) + " is not initialized");
  if (TellsFirst)
    wave.scc = barrier.signaled == 0;
  if (!id) {
    if (wave.hasSignaled)
      throw Fault("the wave signals the workgroup's barrier twice before it is "
                  "complete");
    wave.hasSignaled = true;
    if (wave.observers)
      wave.observers->barrierArrive(wave, op);
  }
  ++barrier.signaled;
  completeBarrier(*wave.group, id);
  return false;
}

bool runWait(Wave &wave, const Op &op) {
  int id = barrierOf(op.imm);
  if (id == kNothing)
    return false;
  // A wave can wait only for the named barrier that it has joined.
  if (id) {
    if (!wave.joinedBarrier)
      throw Fault("the wave waits for a named barrier, but has not joined one");
    id = wave.joinedBarrier;
  }
  if (wave.barrierComplete[id != 0]) {
    wave.barrierComplete[id != 0] = false;
    return false;
  }
  wave.waitsOn = id;
  wave.status = WaveStatus::AtSplitBarrier;
  return true;
}

bool runInit(Wave &wave, const Op &op) {
  int id = barrierOf(wave, op);
  if (id <= 0)
    throw Fault("only named barriers can be initialized");
  SplitBarrier &barrier = wave.group->barriers[id];
  barrier.members = wave.scalars[kM0] >> 16 & 127;
  barrier.signaled = 0;
  barrier.valid = true;
  return false;
}

bool runJoin(Wave &wave, const Op &op) {
  int id = barrierOf(wave, op);
  if (id < 0)
    return false;
  wave.joinedBarrier = id;
  wave.barrierComplete[1] = false;
  return false;
}

/// Leaves the joined barrier, which loses a member. SCC is set if the wave has
/// joined no barrier.
bool runLeave(Wave &wave, const Op &) {
  unsigned id = wave.joinedBarrier;
  wave.scc = true;
  if (!id)
    return false;
  wave.joinedBarrier = 0;
  SplitBarrier &barrier = wave.group->barriers[id];
  if (barrier.members)
    --barrier.members;
  wave.scc = barrier.members == 0;
  completeBarrier(*wave.group, id);
  return false;
}

/// Returns the state: bit 0 is valid, 10:4 the members, and 22:16 the signals
/// so far.
bool runState(Wave &wave, const Op &op) {
  int id = barrierOf(wave, op);
  uint32_t state = 0;
  if (id != kNothing) {
    const SplitBarrier &barrier = wave.group->barriers[id];
    unsigned members = id ? barrier.members : wave.group->running;
    if (!id || barrier.valid)
      state = 1 | members << 4 | barrier.signaled << 16;
  }
  wave.setScalar(op.dst.reg, state);
  return false;
}

constexpr Handler kHandlers[] = {
#include "simulator/isa/tables/Barrier.def"
};

} // namespace

llvm::ArrayRef<Handler> aircc::sim::barrierHandlers() { return kHandlers; }
