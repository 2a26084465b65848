//===- LaneTrace.h - Traces of SPIR-V kernels -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The lanes of a subgroup execute one after the other up to the next collective
// operation. Their instructions are recorded and then printed as if the lanes
// had executed in lockstep: the instruction that is first in the module is
// printed next, for all lanes that have reached it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_LANETRACE_H
#define AIRCC_SIMULATOR_SPIRV_LANETRACE_H

#include "simulator/observe/Trace.h"
#include "simulator/spirv/Kernel.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace aircc::sim::spirv {

/// The trace of one workgroup of a launch.
class LaneTrace {
public:
  explicit LaneTrace(TraceSink &sink) : sink(sink), options(sink.options) {}

  /// Returns whether the workgroup with this id is the one to trace. It has
  /// `lanes` lanes.
  bool groupBegin(const uint64_t (&id)[3], const SpirvKernel &kernel,
                  uint32_t lanes);
  /// Compiled code calls these through Host.h before and after an instruction
  /// of a lane. `record` contains the operands, then the result.
  void operands(const Lane &lane, const TraceSite &site, const uint8_t *record);
  void result(const Lane &lane, const TraceSite &site, const uint8_t *record);
  /// Prints the finished instructions of a subgroup's lanes.
  void print(uint32_t subgroup) { print(subgroup, /*unfinished=*/false); }
  /// Prints all instructions, and the fault that ends the launch.
  void fault(const std::string &what);

private:
  struct Event {
    const TraceSite *site;
    bool isReturn;   ///< Whether it is the end of a call to a traced function.
    bool isFinished; ///< Whether the result exists or the lane ended before it
                     ///< did.
    std::vector<uint8_t> reads, write;
  };
  struct Subgroup {
    std::vector<std::deque<Event>> lanes; ///< Index 0 is options.firstLane.
    uint32_t size = 0;                    ///< The number of lanes.
    uint64_t printed = 0;
    bool isNamed = false; ///< Whether its title has been printed.
  };

  bool wants(const Lane &lane) const;
  std::deque<Event> &eventsOf(const Lane &lane) {
    return subgroups[lane.subgroup].lanes[lane.index - options.firstLane];
  }
  void print(uint32_t subgroup, bool unfinished);
  void printLine(uint32_t number, Subgroup &subgroup,
                 llvm::ArrayRef<const Event *> events);
  void printValue(const TraceSite::Value &value,
                  llvm::ArrayRef<const Event *> events, bool isWrite);

  TraceSink &sink;
  const TraceOptions &options;
  std::string kernel;
  std::vector<Subgroup> subgroups;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_LANETRACE_H
