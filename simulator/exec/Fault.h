//===- Fault.h - Why a simulated kernel was stopped -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_FAULT_H
#define AIRCC_SIMULATOR_EXEC_FAULT_H

#include <stdexcept>
#include <string>

namespace aircc::sim {

/// Ends the launch. Instructions throw it with the error. The scheduler adds
/// the kernel, workgroup, wave, lane and instruction, and the device returns
/// the text as the Status of the launch.
class Fault : public std::runtime_error {
public:
  explicit Fault(const std::string &what, int lane = -1)
      : std::runtime_error(what), lane(lane) {}
  int lane; ///< The lane at fault, or -1 for the whole wave.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_FAULT_H
