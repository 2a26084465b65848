//===- FaultList.cpp - Faults, each reported once -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/FaultList.h"

using namespace aircc::sim;

bool FaultList::isNew(const Key &key) {
  auto it = index.find(key);
  if (it == index.end())
    return true;
  ++entries[std::get<0>(key)][it->second].count;
  return false;
}

bool FaultList::needsText(unsigned kind) const {
  auto it = entries.find(kind);
  return it == entries.end() ? limit != 0 : it->second.size() < limit;
}

void FaultList::add(const Key &key, std::string text) {
  const unsigned kind = std::get<0>(key);
  if (!needsText(kind))
    text.clear();
  std::vector<Entry> &list = entries[kind];
  index[key] = list.size();
  list.push_back({std::move(text), 1});
}

std::string FaultList::text(const std::string &kernel,
                            const Selection &selection) const {
  size_t total = 0, kinds = 0;
  std::string counts;
  for (const auto &[kind, list] : entries) {
    if (!selection.contains(kind))
      continue;
    total += list.size();
    counts += (kinds++ ? ", " : "") + selection.name(kind) + ": " +
              std::to_string(list.size());
  }
  if (!total)
    return {};
  std::string text =
      selection.intro + " " +
      (total == 1 ? selection.one
                  : std::to_string(total) + " " + selection.several) +
      " in kernel '" + kernel + "'" + (kinds > 1 ? " (" + counts + ")" : "");
  size_t shown = 0;
  for (const auto &[kind, list] : entries) {
    if (!selection.contains(kind))
      continue;
    for (const Entry &entry : list) {
      if (shown++ >= limit)
        break;
      text += "\n" + entry.text;
      if (entry.count > 1)
        text += "\n  occurred " + std::to_string(entry.count) + " times";
    }
  }
  if (total > limit)
    text += "\n" + std::to_string(total - limit) +
            " more are not shown (AIRCC_SIM_CHECK_LIMIT sets the limit)";
  return text;
}
