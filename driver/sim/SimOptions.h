//===- SimOptions.h - The command line of `aircc sim` -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_SIM_SIMOPTIONS_H
#define AIRCC_DRIVER_SIM_SIMOPTIONS_H

#include "driver/commands/Commands.h"
#include "simulator/api/Simulator.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aircc {

struct SimOptions {
  std::string image;     ///< The file with the code object.
  std::string kernel;    ///< Empty: the only one.
  std::string processor; ///< Empty: the only one.
  simulator::Dim3 grid, block;
  std::vector<std::string> arguments;
  std::vector<std::string> buffers; ///< NAME=SPEC
  std::vector<std::string> places;  ///< BUFFER+OFFSET=&NAME
  std::string kernarg;              ///< A file; empty: none.
  uint32_t dynamicLdsBytes = 0;

  struct Print {
    std::string buffer; ///< The number of an --arg, or a name.
    bool all;           ///< However many elements it has.
  };
  std::vector<Print> prints;
  std::vector<std::pair<std::string, std::string>> outputs;

  std::optional<unsigned> threads;
  std::optional<uint64_t> seed;
  std::optional<simulator::Schedule> schedule;
  std::optional<double> timeout; ///< Seconds.
  std::optional<uint64_t> maxInstructions;
  std::optional<uint64_t> slack; ///< Readable bytes after each buffer.
  bool lenientSurfaces = false;
  std::string counters; ///< A file, "-" for a table; empty: none.
  std::string trace;    ///< As AIRCC_SIM_TRACE.
  /// What the checker looks for, as AIRCC_SIM_CHECK; empty: nothing.
  std::string check;
  bool list = false;
  bool coverage = false; ///< Which instructions can be simulated.
  bool time = false;
};

/// Nothing when help was asked for and printed. Errors are Failures.
llvm::Expected<std::optional<SimOptions>> parseSimOptions(Arguments arguments);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_SIMOPTIONS_H
