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
  std::string image;     ///< The file that contains the code.
  std::string kernel;    ///< Empty if the image has only one kernel.
  std::string processor; ///< Empty if the image is for only one processor.
  simulator::Dim3 grid, block;
  std::vector<std::string> arguments;
  std::vector<std::string> buffers; ///< NAME=SPEC
  std::vector<std::string> places;  ///< BUFFER+OFFSET=&NAME
  std::string kernarg;              ///< A file, or empty for none.
  uint32_t dynamicLdsBytes = 0;

  struct Print {
    std::string buffer; ///< The number of an --arg, or a name.
    bool all;           ///< Prints all elements, regardless of their number.
  };
  std::vector<Print> prints;
  std::vector<std::pair<std::string, std::string>> outputs;

  std::optional<unsigned> threads;
  std::optional<uint64_t> seed;
  std::optional<simulator::Schedule> schedule;
  std::optional<double> timeout; ///< In seconds.
  std::optional<uint64_t> maxInstructions;
  std::optional<uint64_t> slack; ///< The number of readable bytes after each
                                 ///< buffer.
  bool lenientSurfaces = false;
  std::string counters; ///< A file, "-" for a table, or empty for none.
  std::string timing;   ///< As in AIRCC_SIM_TIMING, or empty for none.
  std::string trace;    ///< As in AIRCC_SIM_TRACE.
  /// The kinds of faults to check for, as in AIRCC_SIM_CHECK. Empty for none.
  std::string check;
  bool list = false;
  bool coverage = false; ///< Lists instructions that cannot be simulated.
  bool time = false;
};

/// Parses the arguments of `aircc sim`. Returns nullopt if help was requested
/// and has been printed. Errors are Failures.
llvm::Expected<std::optional<SimOptions>> parseSimOptions(Arguments arguments);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_SIMOPTIONS_H
