//===- Trace.cpp - Printing what a wave executes --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/Trace.h"
#include "simulator/isa/RegisterNames.h"

#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Observe.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace aircc::sim;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Error makeError(const Twine &why) {
  return createStringError(inconvertibleErrorCode(), "AIRCC_SIM_TRACE: " + why);
}

Expected<TraceOptions> TraceOptions::parse(StringRef text) {
  TraceOptions options;
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "1")
      continue; // AIRCC_SIM_TRACE=1 selects all defaults.
    auto [key, value] = parts[i].split('=');
    auto number = [&](auto &to) {
      return value.getAsInteger(10, to)
                 ? makeError("'" + value + "' is not a number, in " + parts[i])
                 : Error::success();
    };
    Error error = Error::success();
    if (key == "kernel") {
      options.kernel = value.str();
    } else if (key == "file") {
      options.file = value.str();
    } else if (key == "launch") {
      error = number(options.launch.emplace());
    } else if (key == "wave") {
      error = number(options.wave.emplace());
    } else if (key == "from") {
      error = number(options.from);
    } else if (key == "count") {
      error = number(options.count);
    } else if (key == "group") {
      error = number(options.group[0]);
      // The next numbers are y and z.
      for (unsigned d = 1; d < 3 && !error && i + 1 < parts.size() &&
                           !parts[i + 1].contains('=');
           ++d) {
        value = parts[++i];
        error = number(options.group[d]);
      }
    } else if (key == "lanes") {
      auto [first, last] = value.split('-');
      if (last.empty())
        last = first;
      if (first.getAsInteger(10, options.firstLane) ||
          last.getAsInteger(10, options.lastLane) ||
          options.lastLane < options.firstLane || options.lastLane > 63)
        error = makeError("expected lanes=A or lanes=A-B, with lanes up to 63");
    } else {
      error = makeError("there is no '" + key +
                        "'; there is kernel, launch, group, wave, lanes, from, "
                        "count and file");
    }
    if (error)
      return error;
  }
  return options;
}

//===----------------------------------------------------------------------===//
// TraceObserver
//===----------------------------------------------------------------------===//

namespace aircc::sim {

/// Prints each instruction of the selected waves with the registers that it
/// reads, its memory accesses, and the registers that it writes.
class TraceObserver : public LaunchObserver {
public:
  explicit TraceObserver(TraceSink &sink) : sink(sink), o(sink.options) {}

  // The lines of different waves must not be interleaved.
  bool serial() const override { return true; }
  void launchBegin(const LaunchState &state, unsigned slot) override;
  void waveBegin(Wave &wave) override;
  void before(Wave &wave, const Op &op) override;
  void after(Wave &wave, const Op &op) override;
  void access(Wave &wave, const Op &op, const MemoryAccess &access) override;
  void fault(Wave &wave, const Op &op, const std::string &what) override;

private:
  raw_ostream &os() { return sink.os(); }
  bool isSelected(Wave &wave) const {
    return wave.observed[slot] && counted > o.from &&
           counted - o.from <= o.count;
  }
  void printRegisters(Wave &wave, ArrayRef<RegRange> ranges);
  unsigned lastLane(const Wave &wave) const {
    return std::min(o.lastLane, wave.lanes - 1);
  }

  TraceSink &sink;
  const TraceOptions &o;
  const LaunchState *state = nullptr;
  unsigned slot = 0;
  bool isLaunchSelected = false;
  uint64_t counted = 0;                ///< The instructions of the current
                                       ///< wave.
  std::array<uint64_t, 64> executed{}; ///< For each wave of the workgroup.
};

} // namespace aircc::sim

void TraceObserver::launchBegin(const LaunchState &launch, unsigned index) {
  state = &launch;
  slot = index;
  isLaunchSelected = sink.selects(launch.kernel->name);
}

void TraceObserver::waveBegin(Wave &wave) {
  if (!isLaunchSelected ||
      !std::equal(o.group.begin(), o.group.end(), wave.group->id) ||
      (o.wave && *o.wave != wave.index))
    return;
  wave.observed[slot] = this;
  executed[wave.index % executed.size()] = 0;
  os() << "# " << state->kernel->name << " (" << o.group[0] << "," << o.group[1]
       << "," << o.group[2] << ") wave " << wave.index << ": lanes "
       << o.firstLane << "-" << lastLane(wave) << "\n";
}

void TraceObserver::printRegisters(Wave &wave, ArrayRef<RegRange> ranges) {
  for (const RegRange &range : ranges)
    for (unsigned reg = range.first; reg < range.first + range.count; ++reg) {
      os() << " " << registerName(range.vector, reg) << "=";
      if (!range.vector) {
        os() << format_hex_no_prefix(wave.scalars[reg], 8);
        continue;
      }
      for (unsigned lane = o.firstLane; lane <= lastLane(wave); ++lane)
        os() << (lane == o.firstLane ? "" : ",")
             << format_hex_no_prefix(wave.row(reg)[lane], 8);
    }
}

void TraceObserver::before(Wave &wave, const Op &op) {
  if (!wave.observed[slot])
    return;
  counted = ++executed[wave.index % executed.size()];
  if (!isSelected(wave))
    return;
  uint64_t offset = op.inst->address;
  std::string functionPrefix;
  if (const CodeSymbol *function =
          state->request->object->findFunction(offset)) {
    offset -= function->address;
    if (function->name != state->kernel->name)
      functionPrefix = function->name + "+";
  }
  os() << "w" << wave.index << " " << counted - 1 << " " << functionPrefix
       << "0x" << utohexstr(offset, /*LowerCase=*/true) << ": "
       << op.inst->text();
  if (!wave.execFull)
    os() << "  [exec " << format_hex(wave.exec(), 0) << "]";
  os() << "\n";
  if (op.info->reads.empty() && !op.info->readsScc)
    return;
  os() << "    reads ";
  printRegisters(wave, op.info->reads);
  if (op.info->readsScc)
    os() << " scc=" << unsigned(wave.scc);
  os() << "\n";
}

void TraceObserver::access(Wave &wave, const Op &, const MemoryAccess &access) {
  if (!isSelected(wave))
    return;
  static const char *const kSpaces[] = {"global", "LDS", "scratch",
                                        "global, scalar"};
  static const char *const kKinds[] = {"", "load", "store", "atomic"};
  os() << "    " << kKinds[static_cast<unsigned>(access.kind)] << " of "
       << access.bytes << " bytes, "
       << kSpaces[static_cast<unsigned>(access.space)] << ":";
  unsigned first = access.space == MemorySpace::Scalar ? 0 : o.firstLane;
  unsigned last = access.space == MemorySpace::Scalar ? 0 : lastLane(wave);
  for (unsigned lane = first; lane <= last; ++lane)
    if (access.lanes >> lane & 1)
      os() << " " << format_hex(access.addresses[lane], 0);
    else
      os() << " -";
  os() << "\n";
}

void TraceObserver::after(Wave &wave, const Op &op) {
  if (!isSelected(wave) || (op.info->writes.empty() && !op.info->writesScc))
    return;
  os() << "    writes";
  printRegisters(wave, op.info->writes);
  if (op.info->writesScc)
    os() << " scc=" << unsigned(wave.scc);
  os() << "\n";
}

void TraceObserver::fault(Wave &wave, const Op &, const std::string &what) {
  if (wave.observed[slot])
    os() << "    fault: " << what << "\n";
}

//===----------------------------------------------------------------------===//
// TraceSink
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<TraceSink>> TraceSink::open(TraceOptions options) {
  std::unique_ptr<TraceSink> sink(new TraceSink(std::move(options)));
  if (sink->options.file.empty())
    return sink;
  std::error_code failure;
  sink->file = std::make_unique<raw_fd_ostream>(sink->options.file, failure);
  if (failure)
    return makeError("cannot write " + sink->options.file + ": " +
                     failure.message());
  return sink;
}

bool TraceSink::selects(const std::string &kernel) {
  if (!options.kernel.empty() && kernel != options.kernel)
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  const uint64_t number = launches++;
  return !options.launch || *options.launch == number;
}

raw_ostream &TraceSink::os() {
  return file ? static_cast<raw_ostream &>(*file) : errs();
}

std::unique_ptr<LaunchObserver> TraceSink::observe() {
  return std::make_unique<TraceObserver>(*this);
}
