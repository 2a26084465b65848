//===- LayoutTable.cpp - A layout as readable text ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/LayoutTable.h"

#include <algorithm>

namespace aircc::layout {

static std::string counted(int64_t count, const char *noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

static std::string padded(const std::string &text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// "Each element is in 4 lanes: the one shown and +16, +32, +48." for lanes or
/// subgroups; empty if there are no copies.
static std::string copiesText(std::optional<int64_t> copies, const Ints &ids,
                              const char *noun) {
  if (!copies)
    return std::string("Elements are in different numbers of ") + noun +
           "s; the lowest is shown.\n";
  if (*copies == 1)
    return "";
  std::string text =
      "Each element is in " + counted(*copies, noun) + ": the one shown and ";
  // Ids are mixed-radix digits, so the differences between the ids of copies
  // are the same for all elements.
  constexpr size_t most = 8;
  for (size_t i = 1; i < ids.size(); ++i) {
    if (i > most)
      return text + ", … +" + std::to_string(ids.back() - ids[0]) + ".\n";
    text += (i > 1 ? ", +" : "+") + std::to_string(ids[i] - ids[0]);
  }
  return text + ".\n";
}

static std::string cellText(const NestedLayout &layout, const Ints &element) {
  return std::to_string(layout.firstSubgroupOf(element)) + ":" +
         std::to_string(layout.firstLaneOf(element)) + ":" +
         std::to_string(layout.registerOf(element));
}

/// Appends one table: the two innermost dimensions at position `outer` of the
/// others.
static void appendTable(std::string &text, const NestedLayout &layout,
                        const Ints &outer, int64_t rows, int64_t columns,
                        const LayoutTableOptions &options) {
  int64_t shownRows = std::min(rows, options.maxRows);
  int64_t shownColumns = std::min(columns, options.maxColumns);
  std::vector<std::vector<std::string>> cells(shownRows);
  size_t width = std::to_string(shownColumns).size();
  for (int64_t r = 0; r < shownRows; ++r)
    for (int64_t c = 0; c < shownColumns; ++c) {
      Ints element = outer;
      if (layout.rank() >= 2)
        element.push_back(r);
      if (layout.rank() >= 1)
        element.push_back(c);
      cells[r].push_back(cellText(layout, element));
      width = std::max(width, cells[r].back().size());
    }
  size_t labelWidth = std::to_string(shownRows - 1).size();
  bool cut = shownColumns < columns;
  auto endLine = [&] { text += cut ? "  …\n" : "\n"; };

  text += std::string(labelWidth, ' ');
  for (int64_t c = 0; c < shownColumns; ++c)
    text += "  " + padded(std::to_string(c), width);
  endLine();
  for (int64_t r = 0; r < shownRows; ++r) {
    text += padded(std::to_string(r), labelWidth);
    for (const std::string &cell : cells[r])
      text += "  " + padded(cell, width);
    endLine();
  }
  if (shownRows < rows)
    text += "… " + counted(rows - shownRows, "more row") + "\n";
  if (cut)
    text += "… " + counted(columns - shownColumns, "more column") + "\n";
}

Result<std::string> layoutTable(const NestedLayout &layout,
                                const LayoutTableOptions &options) {
  int64_t numSubgroups =
      options.numSubgroups ? options.numSubgroups : layout.subgroupPeriod();
  int64_t numLanes = options.numLanes ? options.numLanes : layout.lanePeriod();
  if (auto error = layout.misfit(numSubgroups, numLanes))
    return *error;

  Ints shape = layout.shape();
  std::string text = layout.str() + "\n";
  text += "shape " + shapeText(shape) + ", a lane holds " +
          shapeText(layout.distributedShape()) + " (" +
          counted(layout.numRegisters(), "value") + "), " +
          counted(numSubgroups, "subgroup") + " of " +
          counted(numLanes, "lane") + "\n";
  Holders first =
      layout.holdersOf(Ints(shape.size(), 0), numSubgroups, numLanes);
  text += copiesText(layout.subgroupCopies(numSubgroups), first.subgroups,
                     "subgroup");
  text += copiesText(layout.laneCopies(numLanes), first.lanes, "lane");
  text += "subgroup:lane:register of each element\n";

  size_t outerRank = shape.size() > 2 ? shape.size() - 2 : 0;
  Ints outerShape(shape.begin(), shape.begin() + outerRank);
  int64_t rows = shape.size() >= 2 ? shape[shape.size() - 2] : 1;
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t tables = product(outerShape);
  for (int64_t n = 0; n < std::min(tables, options.maxTables); ++n) {
    Ints outer = delinearize(n, outerShape);
    text += "\n";
    if (outerRank) {
      text += "[";
      for (int64_t position : outer)
        text += std::to_string(position) + ", ";
      text += "*, *]\n";
    }
    appendTable(text, layout, outer, rows, columns, options);
  }
  if (tables > options.maxTables)
    text += "\n… " + counted(tables - options.maxTables, "more table") + "\n";
  return text;
}

} // namespace aircc::layout
