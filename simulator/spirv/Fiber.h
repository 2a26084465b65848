//===- Fiber.h - Separate stacks for lanes ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Lanes execute one at a time and stop within their code to wait for others.
// Switching takes a few instructions on x86-64 and uses the C library's
// contexts on other hosts.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_FIBER_H
#define AIRCC_SIMULATOR_SPIRV_FIBER_H

#include <cstddef>
#include <memory>

namespace aircc::sim::spirv {

class Fiber {
public:
  /// The number of bytes in a stack. Untouched pages occupy no memory, and the
  /// page below the stack is inaccessible.
  static constexpr size_t kStackBytes = size_t(256) << 10;
  static constexpr unsigned kColors = 16;

  Fiber();
  ~Fiber();
  Fiber(Fiber &&) noexcept;
  Fiber &operator=(Fiber &&) noexcept;

  /// Makes the next resume() call `run(argument)`, even if the fiber has not
  /// finished what it did before. `run` must not return. Fibers with different
  /// `color` (modulo kColors) have their frames at different offsets in a page,
  /// because stacks with the same offset would compete for the same cache sets.
  void start(void (*run)(void *), void *argument, unsigned color = 0);
  /// Runs the fiber until it suspends itself. Must not be called by a fiber.
  void resume();
  /// Called by the fiber. Returns to the caller of resume().
  void suspend();
  /// Called by the fiber. Runs `next`, whose suspend() then returns to the
  /// caller of this fiber's resume(). Faster than suspend() and resume(),
  /// because there are half as many switches and the processor can predict the
  /// returns of fibers that stop at the same instruction.
  void switchTo(Fiber &next);

  struct Context;

private:
  std::unique_ptr<Context> context;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_FIBER_H
