//===- LaneTrace.h - Printing what lanes execute ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of a subgroup run one after the other up to the next place where
// they come together. What each did until there is kept, and then printed as
// if they had run in step: the lanes that are at the instruction that stands
// first in the module go on first, together.
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

/// The trace of one launch, of one workgroup of it.
class LaneTrace {
public:
  explicit LaneTrace(TraceSink &sink) : sink(sink), options(sink.options) {}

  /// Whether the workgroup with this id is the one to trace, of so many lanes.
  bool groupBegin(const uint64_t (&id)[3], const SpirvKernel &kernel,
                  uint32_t lanes);
  /// From compiled code, by way of Host.h: a lane comes to an instruction, with
  /// the values that it reads; and has done it, with the one that it made.
  void operands(const Lane &lane, const TraceSite &site, const uint8_t *record);
  void result(const Lane &lane, const TraceSite &site, const uint8_t *record);
  /// All that the lanes of a subgroup have done, but for instructions that are
  /// not at their end.
  void print(uint32_t subgroup) { print(subgroup, /*unfinished=*/false); }
  /// All there is, and why it ends.
  void fault(const std::string &what);

private:
  struct Event {
    const TraceSite *site;
    bool isReturn;   ///< Of a call whose function was traced.
    bool isFinished; ///< Nothing more comes.
    std::vector<uint8_t> reads, write;
  };
  struct Subgroup {
    std::vector<std::deque<Event>> lanes; ///< From options.firstLane on.
    uint32_t size = 0;                    ///< Lanes that there are.
    uint64_t printed = 0;
    bool isNamed = false; ///< Its title is printed.
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
