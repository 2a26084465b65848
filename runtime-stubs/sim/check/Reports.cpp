//===- Reports.cpp - What the checker found -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/check/Reports.h"

#include "runtime-stubs/sim/AsmText.h"

#include "llvm/ADT/StringExtras.h"

using namespace aircc::sim;

static const char *kindText(FaultKind kind) {
  switch (kind) {
  case FaultKind::Uninitialised:
    return "use of an uninitialised value";
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
    return "lanes write different values to one place";
  case FaultKind::Barrier:
    return "barrier not reached by all";
  case FaultKind::Misaligned:
    return "misaligned access";
  case FaultKind::Deadlock:
    return "deadlock";
  }
  return "";
}

bool Reports::isNew(FaultKind kind, const Op &op, const Op *other) {
  return list.isNew({static_cast<unsigned>(kind), &op, other});
}

std::string Reports::describe(const Op &op) const {
  const AsmInst &inst = *op.inst;
  std::string text = "0x" + llvm::utohexstr(inst.address, true);
  for (const CodeSymbol &symbol : state->request->object->functions())
    if (inst.address >= symbol.address &&
        inst.address < symbol.address + symbol.size) {
      text += " (" + symbol.name + "+0x" +
              llvm::utohexstr(inst.address - symbol.address, true) + ")";
      break;
    }
  text += ": " + inst.text;
  std::string line = state->request->object->sourceLine(inst.address);
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

void Reports::add(FaultKind kind, const WhichWave &wave, const Op &op,
                  uint64_t lanes, const std::string &what,
                  const std::vector<std::string> &notes, const Op *other) {
  std::string text;
  if (list.wantsText()) {
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
  list.add({static_cast<unsigned>(kind), &op, other}, std::move(text));
}

std::string Reports::text() const { return list.text(state->kernel->name); }
