//===- Host.cpp - Functions that compiled kernels call --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Host.h"

#include "simulator/exec/FormatText.h"
#include "simulator/exec/LaunchOutput.h"
#include "simulator/spirv/LaneChecker.h"
#include "simulator/spirv/LaneTrace.h"
#include "simulator/spirv/Workgroup.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace aircc::sim::spirv;

/// Counts an access to memory that other agents may write as a poll if it finds
/// the same value as the last one, otherwise as work.
static void notePoll(Lane &lane, const AccessSite &site, uint64_t address) {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void *>(address),
              std::min<uint32_t>(site.bytes, 8));
  if (lane.polled == address && lane.polledValue == value)
    ++lane.polls;
  else
    ++lane.work;
  lane.polled = address;
  lane.polledValue = value;
  lane.pollSite = &site;
}

void host::access(Lane *lane, const AccessSite *site, uint64_t address) {
  lane->group->checkAccess(*lane, *site, address, site->bytes);
  if (site->isShared)
    notePoll(*lane, *site, address);
  else if (site->kind == AccessSite::Store)
    ++lane->work;
}

void host::accessBytes(Lane *lane, const AccessSite *site, uint64_t address,
                       uint64_t bytes) {
  if (bytes)
    lane->group->checkAccess(*lane, *site, address, bytes);
  ++lane->work;
}

void host::converge(Lane *lane, const CollectiveSite *site, uint8_t *record) {
  lane->group->converge(*lane, *site, record);
}

void host::yield(Lane *lane, const LoopSite *site) {
  lane->stopSite = site;
  lane->group->yield(*lane);
}

/// Returns the size of a frame, rounded up to the kernel's largest alignment.
static uint32_t frameBytes(const Lane &lane, const FrameLayout &layout) {
  return llvm::alignTo(layout.bytes,
                       lane.group->launch->kernel->privateAlignment);
}

uint8_t *host::enter(Lane *lane, const FrameLayout *layout) {
  uint8_t *base = lane->privateMemory + lane->privateUsed;
  lane->frames.push_back({layout, base});
  lane->privateUsed += frameBytes(*lane, *layout);
  return base;
}

void host::leave(Lane *lane) {
  lane->privateUsed -= frameBytes(*lane, *lane->frames.back().layout);
  lane->frames.pop_back();
}

void host::check(Lane *lane, const Site *site, bool bad, const char *why) {
  if (bad)
    lane->group->fault(*lane, *site, why);
}

namespace {
class PrintArguments : public aircc::sim::FormatArguments {
public:
  PrintArguments(const uint64_t *begin, uint64_t count)
      : at(begin), end(begin + count) {}
  std::optional<uint64_t> integer() override {
    return at == end ? std::nullopt : std::optional(*at++);
  }
  /// The translator rejects formats with strings.
  std::optional<std::string> string() override { return std::nullopt; }

private:
  const uint64_t *at, *end;
};
} // namespace

void host::print(Lane *lane, const PrintSite *site, const uint64_t *arguments,
                 uint64_t count) {
  PrintArguments values(arguments, count);
  const Workgroup &group = *lane->group;
  group.launch->output->print(group.number(), stdout,
                              formatText(site->format, values));
  ++lane->work;
}

void host::fence(Lane *lane, uint32_t, uint32_t) {
  if (LaneChecker *checker = lane->group->launch->checker)
    checker->synchronized();
}

void host::traceOperands(Lane *lane, const TraceSite *site,
                         const uint8_t *record) {
  if (LaneTrace *trace = lane->group->trace)
    trace->operands(*lane, *site, record);
}

void host::traceResult(Lane *lane, const TraceSite *site,
                       const uint8_t *record) {
  if (LaneTrace *trace = lane->group->trace)
    trace->result(*lane, *site, record);
}
