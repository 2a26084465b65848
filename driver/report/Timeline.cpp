//===- Timeline.cpp - What waves do over time, as a drawing ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/Timeline.h"

#include "driver/report/HtmlPage.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace aircc;
using namespace llvm;

/// The height of a wave's row and of its bars.
static constexpr unsigned kRow = 10, kBar = 8;

namespace {
struct Row {
  int64_t wave, simd;
  StringRef columns;
};
} // namespace

static std::vector<Row> getRows(const json::Object &activity) {
  std::vector<Row> rows;
  if (const json::Array *waves = activity.getArray("waves"))
    for (const json::Value &value : *waves) {
      const json::Object &wave = *value.getAsObject();
      rows.push_back({wave.getInteger("wave").value_or(0),
                      wave.getInteger("simd").value_or(0),
                      wave.getString("columns").value_or("")});
    }
  return rows;
}

/// Returns the bars of each activity as the commands of an SVG path.
static std::map<char, std::string> getPaths(ArrayRef<Row> rows) {
  std::map<char, std::string> paths;
  for (size_t row = 0; row < rows.size(); ++row) {
    StringRef columns = rows[row].columns;
    for (size_t begin = 0; begin < columns.size();) {
      const char letter = columns[begin];
      size_t end = std::min(
          columns.find_if_not([&](char c) { return c == letter; }, begin),
          columns.size());
      if (letter != '.')
        raw_string_ostream(paths[letter])
            << 'M' << begin << ' ' << row * kRow << 'h' << end - begin << 'v'
            << kBar << 'H' << begin << 'z';
      begin = end;
    }
  }
  return paths;
}

void aircc::writeTimeline(const json::Object &activity, raw_ostream &os) {
  std::vector<Row> rows = getRows(activity);
  size_t columns = 0;
  for (const Row &row : rows)
    columns = std::max(columns, row.columns.size());
  if (columns == 0)
    return;
  const std::map<char, std::string> paths = getPaths(rows);
  const json::Object *legend = activity.getObject("legend");
  auto name = [&](char letter) {
    auto text =
        legend ? legend->getString(StringRef(&letter, 1)) : std::nullopt;
    return escapeHtml(text.value_or(""));
  };
  os << "<p>The waves of one compute unit (" << rows.size()
     << (rows.size() == 1 ? " wave" : " waves") << ") over "
     << format("%.0f", double(columns) *
                           activity.getNumber("cycles_per_column").value_or(0))
     << " cycles:</p>\n<p class=\"legend\">";
  for (const auto &[letter, path] : paths)
    os << "<span><i class=\"does-" << letter << "\"></i>" << name(letter)
       << "</span> ";
  os << "</p>\n<svg class=\"timeline\" preserveAspectRatio=\"none\" "
        "shape-rendering=\"crispEdges\" viewBox=\"0 "
        "0 "
     << columns << ' ' << rows.size() * kRow << "\" height=\""
     << rows.size() * kRow << "\">\n";
  for (const auto &[letter, path] : paths)
    os << "<path class=\"does-" << letter << "\" d=\"" << path << "\"><title>"
       << name(letter) << "</title></path>\n";
  os << "</svg>\n";
}
