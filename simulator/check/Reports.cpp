//===- Reports.cpp - Reports of the checker -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Reports.h"

#include "simulator/isa/DecodedInstruction.h"

using namespace aircc::sim;

static const char *kindText(FaultKind kind) {
  switch (kind) {
  case FaultKind::Uninitialized:
    return "use of an uninitialized value";
  case FaultKind::MissingWait:
    return "missing wait";
  case FaultKind::WaitStates:
    return "missing wait states";
  case FaultKind::LdsRace:
    return "data race in LDS";
  case FaultKind::GlobalRace:
    return "data race in global memory";
  case FaultKind::RankRace:
    return "data race between ranks";
  case FaultKind::SameInstruction:
    return "lanes write different values to one address";
  case FaultKind::Barrier:
  case FaultKind::DivergentBarrier:
    return "barrier not reached by all";
  case FaultKind::Misaligned:
    return "misaligned access";
  case FaultKind::Deadlock:
    return "deadlock";
  }
  return "";
}

CheckKind aircc::sim::checkKindOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::LdsRace:
  case FaultKind::GlobalRace:
  case FaultKind::RankRace:
  case FaultKind::SameInstruction:
    return CheckKind::Races;
  case FaultKind::MissingWait:
    return CheckKind::Waits;
  case FaultKind::WaitStates:
    return CheckKind::Hazards;
  case FaultKind::Barrier:
  case FaultKind::DivergentBarrier:
  case FaultKind::Deadlock:
    return CheckKind::Barriers;
  case FaultKind::Uninitialized:
    return CheckKind::Undefined;
  case FaultKind::Misaligned:
    return CheckKind::Bounds;
  }
  return CheckKind::Races;
}

bool Reports::isWarning(FaultKind kind) const {
  return kind >= FaultKind::DivergentBarrier &&
         !selection.hasAsFault(checkKindOf(kind));
}

bool Reports::isNew(FaultKind kind, const Op &op, const Op *other) {
  if (!selects(checkKindOf(kind)))
    return false;
  return list.isNew({static_cast<unsigned>(kind), &op, other});
}

std::string Reports::describe(const Op &op) const {
  const CodeObject &object = *state->request->object;
  const DecodedInstruction &inst = *op.inst;
  std::string text = object.describeAddress(inst.address) + ": " + inst.text();
  std::string line = object.sourceLine(inst.address);
  if (!line.empty())
    text += " [" + line + "]";
  return text;
}

std::string Reports::describeLanes(uint64_t lanes) {
  std::string text;
  unsigned count = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned last = lane;
    while (last < 63 && lanes >> (last + 1) & 1)
      ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(lane);
    if (last > lane)
      text += "-" + std::to_string(last);
    count += last - lane + 1;
    lane = last;
  }
  return (count == 1 ? "lane " : "lanes ") + text;
}

void Reports::add(FaultKind kind, const WaveId &wave, const Op &op,
                  uint64_t lanes, const std::string &what,
                  const std::vector<std::string> &notes, const Op *other) {
  const unsigned number = static_cast<unsigned>(kind);
  std::string text;
  if (list.needsText(number)) {
    const uint32_t *id = wave.group;
    text = std::string(kindText(kind)) + ": " + what + "\n  kernel '" +
           state->kernel->name + "', workgroup (" + std::to_string(id[0]) +
           "," + std::to_string(id[1]) + "," + std::to_string(id[2]) +
           "), wave " + std::to_string(wave.index);
    if (lanes)
      text += ", " + describeLanes(lanes);
    text += "\n  at " + describe(op);
    for (const std::string &note : notes)
      text += "\n  " + note;
  }
  list.add({number, &op, other}, std::move(text));
}

std::string Reports::text(bool ofWarnings) const {
  FaultList::Selection which;
  which.contains = [&](unsigned kind) {
    return isWarning(static_cast<FaultKind>(kind)) == ofWarnings;
  };
  which.name = [](unsigned kind) {
    return std::string(kindText(static_cast<FaultKind>(kind)));
  };
  which.intro = ofWarnings ? "the checker warns of" : "the checker found";
  which.one = ofWarnings ? "a hazard" : "a fault";
  which.several = ofWarnings ? "hazards" : "faults";
  return list.text(state->kernel->name, which);
}
