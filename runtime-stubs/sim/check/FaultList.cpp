//===- FaultList.cpp - Faults that are told once each ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/check/FaultList.h"

using namespace aircc::sim;

bool FaultList::isNew(const Key &key) {
  auto it = index.find(key);
  if (it == index.end())
    return true;
  ++entries[it->second].count;
  return false;
}

void FaultList::add(const Key &key, std::string text) {
  index[key] = entries.size();
  if (!wantsText())
    text.clear();
  entries.push_back({std::move(text), 1});
}

std::string FaultList::text(const std::string &kernel) const {
  if (entries.empty())
    return {};
  std::string text =
      "the checker found " +
      (entries.size() == 1 ? std::string("a fault")
                           : std::to_string(entries.size()) + " faults") +
      " in kernel '" + kernel + "'";
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
