//===- Mode.cpp - Executing a wave under its MODE -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Mode.h"

#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/RegisterIndexing.h"
#include "simulator/exec/vector/LaneLevel.h"
#include "simulator/isa/Chip.h"
#include "simulator/isa/DecodedInstruction.h"

#if defined(__x86_64__)
#include <type_traits>
#include <xmmintrin.h>
#else
#error "the simulator sets the host's float modes by x86-64's MXCSR"
#endif

using namespace aircc::sim;

/// The host's control word: exceptions masked, rounding mode in bits 14:13
/// (1 down, 2 up), flush to zero in 15, denormals are zero in 6.
static uint32_t controlWord(unsigned round, unsigned denorm) {
  static const uint32_t kRounding[4] = {0, 2, 1, 3};
  uint32_t word = 0x1f80 | kRounding[round] << 13;
  if (!(denorm & 1))
    word |= 1u << 6;
  if (!(denorm & 2))
    word |= 1u << 15;
  return word;
}

static void updatePlain(Wave &wave) {
  wave.plainMode = wave.mxcsrSingle == 0x1f80 && wave.mxcsrDouble == 0x1f80 &&
                   !wave.registerIndexing && !wave.specialMode;
}

void aircc::sim::setMode(Wave &wave, uint32_t mode) {
  wave.mode = mode;
  wave.mxcsrSingle = controlWord(mode & 3, mode >> 4 & 3);
  wave.mxcsrDouble = controlWord(mode >> 2 & 3, mode >> 6 & 3);
  const Chip &chip = *wave.launch->chip;
  wave.registerIndexing = chip.hasIndexingMode && (mode & kModeIndexing);
  wave.skipsVectors = chip.hasIndexingMode && (mode & kModeVskip);
  wave.keepsClampedNan = chip.hasIeeeMode && !(mode & kModeDx10Clamp);
  wave.ieee = !chip.hasIeeeMode || (mode & kModeIeee);
  const bool scales = !chip.hasIeeeMode || !wave.ieee;
  wave.scalesSingle = scales && !(mode >> 5 & 1);
  wave.scalesDouble = scales && !(mode >> 7 & 1);
  wave.fp16Saturates = mode & kModeFp16Overflow;
  wave.specialMode = wave.skipsVectors || wave.keepsClampedNan || !wave.ieee ||
                     wave.fp16Saturates;
  updatePlain(wave);
}

void aircc::sim::setRegisterIndexing(Wave &wave, bool on) {
  setMode(wave, (wave.mode & ~kModeIndexing) | (on ? kModeIndexing : 0));
}

/// Executes one instruction if MODE or register indexing may affect it.
static bool stepWithMode(Wave &wave, const Op &op) {
  uint32_t word = op.floatClass == FloatClass::Single        ? wave.mxcsrSingle
                  : op.floatClass == FloatClass::Double16_64 ? wave.mxcsrDouble
                                                             : 0x1f80;
  if (wave.skipsVectors &&
      (op.info->opClass == OpClass::Dual ||
       (op.record && isVectorEncoding(op.record->encoding))))
    return false;
  _mm_setcsr(word);
  bool stop;
  // The general handler implements MODE.
  Handler handler =
      op.kernel && wave.specialMode ? wave.level->general : op.handler;
  if (wave.registerIndexing && isIndexable(op))
    stop = handler(wave, indexedOp(wave, op));
  else
    stop = handler(wave, op);
  _mm_setcsr(0x1f80);
  return stop;
}

namespace {
struct RestoreMode {
  uint32_t saved = _mm_getcsr();
  ~RestoreMode() { _mm_setcsr(saved); }
};
} // namespace

/// runWave of an observed launch. `Watcher` is LaunchObserver if there is only
/// one, and it observes only branches after their execution.
template <class Watcher>
static uint64_t runObserved(Wave &wave, uint64_t budget, Watcher &watcher) {
  constexpr bool kIsSingle = std::is_same_v<Watcher, LaunchObserver>;
  uint64_t left = budget;
  while (left) {
    --left;
    const Op *op = wave.pc;
    wave.pc = op + 1;
    watcher.before(wave, *op);
    const bool stop = __builtin_expect(wave.plainMode, 1)
                          ? op->handler(wave, *op)
                          : stepWithMode(wave, *op);
    ++wave.executed;
    const OpClass opClass = op->info->opClass;
    if (opClass == OpClass::Wait)
      watcher.wait(wave, *op, op->info->waits);
    if (!kIsSingle || opClass == OpClass::Branch)
      watcher.after(wave, *op);
    if (!stop)
      continue;
    if (wave.status == WaveStatus::AtBarrier)
      watcher.barrierArrive(wave, *op);
    else if (wave.status == WaveStatus::Ended)
      watcher.waveEnd(wave);
    break;
  }
  return budget - left;
}

uint64_t aircc::sim::runWave(Wave &wave, uint64_t budget) {
  RestoreMode restore;
  _mm_setcsr(0x1f80);
  if (Observers *observers = wave.observers) {
    LaunchObserver *single = observers->single();
    return single && observers->observesOnlyBranchesAfter()
               ? runObserved(wave, budget, *single)
               : runObserved(wave, budget, *observers);
  }
  uint64_t left = budget;
  while (left) {
    --left;
    const Op *op = wave.pc;
    wave.pc = op + 1;
    bool stop = __builtin_expect(wave.plainMode, 1) ? op->handler(wave, *op)
                                                    : stepWithMode(wave, *op);
    if (stop)
      break;
  }
  wave.executed += budget - left;
  return budget - left;
}
