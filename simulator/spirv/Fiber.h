//===- Fiber.h - A stack of its own for each lane ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes run one at a time and stop in the middle of their code, where they wait
// for others. Switching is a few instructions on x86-64, the C library's
// contexts elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_FIBER_H
#define AIRCC_SIMULATOR_SPIRV_FIBER_H

#include <cstddef>
#include <memory>

namespace aircc::sim::spirv {

class Fiber {
public:
  /// Bytes of a stack; pages that are not touched cost nothing. A page below it
  /// cannot be accessed.
  static constexpr size_t kStackBytes = size_t(256) << 10;
  static constexpr unsigned kColors = 16;

  Fiber();
  ~Fiber();
  Fiber(Fiber &&) noexcept;
  Fiber &operator=(Fiber &&) noexcept;

  /// The next resume() calls `run(argument)`, whatever the fiber did before.
  /// `run` ends by suspending for ever. Fibers of different `color` (modulo
  /// kColors) have their innermost frames at different places within a page:
  /// stacks that begin at multiples of pages would share few sets of the cache.
  void start(void (*run)(void *), void *argument, unsigned color = 0);
  /// Runs the fiber until it suspends itself. Not from within a fiber.
  void resume();
  /// From within the fiber: back to where it was resumed.
  void suspend();
  /// From within the fiber: runs `next`, whose suspend() leads to where this
  /// fiber was resumed. Cheaper than suspend() and resume(): there are half as
  /// many switches, and where fibers stop at the same place of the code the
  /// processor predicts the returns.
  void switchTo(Fiber &next);

  struct Context;

private:
  std::unique_ptr<Context> context;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_FIBER_H
