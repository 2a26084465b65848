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
  case FaultKind::LdsRace:
    return "data race in LDS";
  case FaultKind::GlobalRace:
    return "data race in global memory";
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
  auto it = index.find({kind, &op, other});
  if (it == index.end())
    return true;
  ++entries[it->second].count;
  return false;
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
  index[{kind, &op, other}] = entries.size();
  Entry entry;
  entry.count = 1;
  if (entries.size() < limit) {
    const uint32_t *id = wave.group;
    entry.text = std::string(kindText(kind)) + ": " + what + "\n  kernel '" +
                 state->kernel->name + "', workgroup (" +
                 std::to_string(id[0]) + "," + std::to_string(id[1]) + "," +
                 std::to_string(id[2]) + "), wave " +
                 std::to_string(wave.index);
    if (lanes)
      entry.text += ", " + describeLanes(lanes);
    entry.text += "\n  at " + describe(op);
    for (const std::string &note : notes)
      entry.text += "\n  " + note;
  }
  entries.push_back(std::move(entry));
}

std::string Reports::text() const {
  if (entries.empty())
    return {};
  std::string text =
      "the checker found " +
      (entries.size() == 1 ? std::string("a fault")
                           : std::to_string(entries.size()) + " faults") +
      " in kernel '" + state->kernel->name + "'";
  for (const Entry &entry : entries) {
    if (entry.text.empty())
      continue;
    text += "\n" + entry.text;
    if (entry.count > 1)
      text += "\n  met " + std::to_string(entry.count) + " times";
  }
  if (entries.size() > limit)
    text += "\n" + std::to_string(entries.size() - limit) +
            " more are not shown (AIRCC_SIM_CHECK_LIMIT says how many are)";
  return text;
}
