//===- SimOptions.cpp - The command line of `aircc sim` -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/SimOptions.h"

#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/diagnostics/Failure.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

static constexpr const char *footer = R"(
The values of --arg, one for each argument of the kernel, in order:
  TYPE=VALUE[,VALUE...]       by value: i32=5, f32=1.5, f32=1,2,3,4
  TYPE:SHAPE[:FILL]           a buffer: f32:256:iota, bf16:16x64:random
  FILE.npy[:TYPE]             a buffer with a numpy array
  memref:TYPE:SHAPE[:FILL]    a buffer as MLIR passes a memref: pointer, pointer,
  memref:FILE.npy[:TYPE]      offset, sizes and strides
  same:N[+BYTES]              the buffer of --arg number N (from 0)
  null                        a null pointer
  &NAME[+BYTES]               the address of a buffer: of a --buffer, or of the
                              --arg with this name or number
  struct:PART[;PART...]       by value, laid out as in C: TYPE=VALUES, &NAME, null,
                              bytes=HEX, pad=BYTES
  ptr:ADDRESS[,ADDRESS...]    a buffer of addresses: &NAME[+BYTES] or null
  lds:BYTES                   dynamic LDS, for an argument that points to LDS
  bytes=HEX                   by value, the bytes in memory order
A prefix selects the kernel argument; omitted arguments are then zero:
  NAME=...                    the argument of this name; an integer suffices for
                              an argument by value (n=5)
  @OFFSET=...                 this byte of the kernarg segment
TYPE is one of i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bf16 f8E4M3FN f8E5M2
f8E4M3FNUZ f8E5M2FNUZ. FILL is one of
  NUMBER                      every element
  iota[,START[,STEP]]         START, START + STEP, ... (from 0 by 1)
  random[,LOW,HIGH[,SEED]]    floats between -1 and 1, integers of any bits
  @FILE                       the bytes of a file
Without FILL a buffer holds bytes 0xff: NaN, or -1.

Example:
  aircc sim k.hsaco --kernel add --grid 4 --block 64 \
    --arg f32:256:iota --arg x.npy --arg f32:256 --arg i32=256 --print 2

See docs/simulator.md for details.)";

/// Parses X[,Y[,Z]].
static Error parseSizes(StringRef option, StringRef text,
                        simulator::Dim3 &sizes) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  uint32_t *to[] = {&sizes.x, &sizes.y, &sizes.z};
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i < parts.size(); ++i)
    good = !parts[i].getAsInteger(10, *to[i]) && *to[i] != 0;
  if (good)
    return Error::success();
  return fail(ExitCode::BadUsage, option + " " + text +
                                      ": expected X, X,Y or X,Y,Z, each at "
                                      "least 1");
}

/// Checks the number of an --arg. Names cannot be checked yet.
static Error checkNumber(StringRef option, StringRef text, size_t count) {
  unsigned number;
  if (text.getAsInteger(10, number))
    return Error::success();
  if (number >= count)
    return fail(ExitCode::BadUsage,
                option + " " + text + ": there is no --arg number " + text +
                    "; " +
                    (count ? "the numbers are 0 to " + Twine(count - 1)
                           : Twine("there is no --arg")));
  return Error::success();
}

namespace {

/// The values that need a check or a conversion after parsing.
struct RawValues {
  std::string grid = "1";
  std::string block;
  std::string format; ///< Already known from findDiagnosticsFormat.
  std::string schedule;
  std::string surfaces;
  std::vector<std::string> prints;
  std::vector<std::string> outputs;
};

} // namespace

static std::vector<OptionGroup> getOptionTable(SimOptions &options,
                                               RawValues &raw) {
  std::vector<OptionDeclaration> table = {
      {"IMAGE", "FILE",
       "An .hsaco or .spv file, an offload bundle, or a program or object with "
       "one in it",
       &options.image, /*required=*/true},
      {"--kernel,-k", "NAME", "The kernel; can be omitted if there is only one",
       &options.kernel},
      {"--target", "NAME", "The processor, if the image has code for several",
       &options.processor},
      {"--grid", "X[,Y[,Z]]", "Workgroups (default 1)", &raw.grid},
      {"--block", "X[,Y[,Z]]", "Lanes of a workgroup", &raw.block},
      {"--arg,-a", "ARG", "The next argument of the kernel (see below)",
       &options.arguments},
      {"--buffer", "NAME=SPEC",
       "Memory that is not an argument, for &NAME and --print",
       &options.buffers},
      {"--place", "BUFFER+OFFSET=&NAME",
       "Write the address of a buffer into another one", &options.places},
      {"--kernarg", "FILE",
       "The kernarg segment from a file; --arg NAME=... and --arg @OFFSET=... "
       "are written over it",
       &options.kernarg},
      {"--dynamic-lds", "BYTES",
       "Dynamic LDS, in addition to what the kernel declares",
       &options.dynamicLdsBytes},
      {"--print,-p", "N[:all]",
       "Print the buffer of --arg number N (from 0), or of this name, after "
       "the kernel has run; all: regardless of its length",
       &raw.prints},
      {"--out,-o", "N:FILE.npy",
       "Save the buffer of --arg number N, or of this name", &raw.outputs},
      {"--list", "",
       "List the kernels with their arguments; do not run anything",
       &options.list},
      {"--coverage", "",
       "List the instructions of the file that cannot be simulated; do not "
       "run anything",
       &options.coverage},
      {"--host-time,--time", "",
       "Print the run time and, for code objects, the number of executed "
       "instructions and their rate",
       &options.time},
      {"--check{all}", "KIND,...",
       "Check for faults that hardware does not report: all, or KINDs of "
       "races, waits, hazards, barriers, undefined, bounds "
       "(as AIRCC_SIM_CHECK)",
       &options.check},
      {"--counters{-}", "FILE",
       "Count instructions, memory accesses and bank conflicts: print a table, "
       "or write FILE as JSON",
       &options.counters},
      {"--timing{-}", "WHAT",
       "Estimate the time on the GPU and what bounds it: print it, or "
       "FILE.json, profile=FILE, timeline=FILE, full, "
       "target=NAME. Executes only the workgroups that are timed unless "
       "results are printed or saved (as AIRCC_SIM_TIMING)",
       &options.timing},
      {"--trace", "WHICH",
       "Print the instructions of chosen waves (subgroups) with their values: "
       "group=X,Y,Z,wave=N,lanes=A-B,from=N,count=N,file=FILE",
       &options.trace},
      {"--threads", "N", "Host threads (default: one per core)",
       &options.threads},
      {"--seed", "N", "Seed of the order in which waves are scheduled",
       &options.seed},
      {"--schedule", "HOW",
       "adversarial (default): waves run in an order derived from the seed, "
       "loads to LDS complete as late as allowed; in-step: waves advance "
       "together, loads to LDS complete immediately",
       &raw.schedule},
      {"--timeout", "SECONDS", "End after this time, with status 124",
       &options.timeout},
      {"--max-instructions", "N",
       "Stop with an error that names the loop when the waves have executed "
       "more instructions",
       &options.maxInstructions},
      {"--slack", "BYTES",
       "Let kernels read this many bytes past the end of each buffer, with a "
       "warning",
       &options.slack},
      {"--surfaces", "HOW",
       "strict (default) or lenient: 2-D block surfaces narrower than 64 bytes "
       "are an error or a warning",
       &raw.surfaces},
      makeDiagnosticsFormatOption(raw.format),
  };
  return {{"", std::move(table)}};
}

/// Checks the options that control the execution.
static Error setExecution(SimOptions &options, const RawValues &raw) {
  if (Error error = checkKindsError(options.check))
    return error;
  if (Error error = checkTimeout(options.timeout))
    return error;
  if (options.maxInstructions && !*options.maxInstructions)
    return fail(ExitCode::BadUsage, "--max-instructions must be at least 1");
  constexpr uint64_t kMaxSlack = 1 << 24;
  if (options.slack && *options.slack > kMaxSlack)
    return fail(ExitCode::BadUsage,
                "--slack must be at most " + Twine(kMaxSlack));
  if (raw.schedule == "in-step")
    options.schedule = simulator::Schedule::InStep;
  else if (raw.schedule == "adversarial")
    options.schedule = simulator::Schedule::Adversarial;
  else if (!raw.schedule.empty())
    return fail(ExitCode::BadUsage, "--schedule " + raw.schedule +
                                        ": expected in-step or adversarial");
  if (!raw.surfaces.empty() && raw.surfaces != "strict" &&
      raw.surfaces != "lenient")
    return fail(ExitCode::BadUsage,
                "--surfaces " + raw.surfaces + ": expected strict or lenient");
  options.lenientSurfaces = raw.surfaces == "lenient";
  return Error::success();
}

static Error setLaunch(SimOptions &options, const RawValues &raw) {
  if (Error error = parseSizes("--grid", raw.grid, options.grid))
    return error;
  if (raw.block.empty())
    return fail(
        ExitCode::BadUsage,
        "--block is required; it sets the number of lanes in a workgroup",
        {"aircc sim --list prints the kernels"});
  return parseSizes("--block", raw.block, options.block);
}

static Error setOutputs(SimOptions &options, const RawValues &raw) {
  const size_t count = options.arguments.size();
  for (StringRef print : raw.prints) {
    auto [buffer, how] = print.split(':');
    if (buffer.empty() || (!how.empty() && how != "all"))
      return fail(ExitCode::BadUsage,
                  "--print " + print + ": expected N or N:all");
    if (Error error = checkNumber("--print", buffer, count))
      return error;
    options.prints.push_back({buffer.str(), how == "all"});
  }
  for (StringRef output : raw.outputs) {
    auto [buffer, path] = output.split(':');
    if (buffer.empty() || path.empty())
      return fail(ExitCode::BadUsage,
                  "--out " + output + ": expected N:FILE.npy");
    if (Error error = checkNumber("--out", buffer, count))
      return error;
    options.outputs.emplace_back(buffer.str(), path.str());
  }
  return Error::success();
}

Expected<std::optional<SimOptions>>
aircc::parseSimOptions(Arguments arguments) {
  SimOptions options;
  RawValues raw;
  CLI::App app("Run a kernel of a code object for AMD GPUs, or of a SPIR-V "
               "module for Intel GPUs, on the simulated device.",
               "aircc sim");
  app.footer(footer);
  addOptions(app, getOptionTable(options, raw));
  Expected<bool> parsed = parseSubcommand(app, arguments);
  if (!parsed)
    return parsed.takeError();
  if (!*parsed)
    return std::nullopt;
  if (Error error = setExecution(options, raw))
    return error;
  if (options.list || options.coverage)
    return options;
  if (Error error = setLaunch(options, raw))
    return error;
  if (Error error = setOutputs(options, raw))
    return error;
  return options;
}
