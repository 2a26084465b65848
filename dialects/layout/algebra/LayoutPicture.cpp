//===- LayoutPicture.cpp - A layout as a drawing --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/LayoutPicture.h"

#include <algorithm>

namespace aircc::layout {

namespace {

constexpr int64_t cellWidth = 30, cellHeight = 18, labelWidth = 34,
                  lineHeight = 16, margin = 8;

std::string number(int64_t value) { return std::to_string(value); }

std::string rectangle(int64_t x, int64_t y, int64_t width, int64_t height,
                      const std::string &rest) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
         number(width) + "\" height=\"" + number(height) + "\" " + rest;
}

std::string text(int64_t x, int64_t y, const std::string &anchor,
                 const std::string &content) {
  // The anchor of the drawing that most texts use.
  std::string attribute =
      anchor == "middle" ? "" : " text-anchor=\"" + anchor + "\"";
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\"" + attribute +
         ">" + content + "</text>\n";
}

/// Returns a line between two points.
std::string line(int64_t x1, int64_t y1, int64_t x2, int64_t y2) {
  return "<path d=\"M" + number(x1) + " " + number(y1) + "L" + number(x2) +
         " " + number(y2) + "\" stroke=\"#000\" stroke-width=\"2\"/>\n";
}

/// Give adjacent lanes different hues and brightnesses.
std::string color(int64_t lane, int64_t lanes) {
  int64_t hue = lane * 360 / std::max<int64_t>(lanes, 1);
  int64_t light = lane % 2 ? 86 : 74;
  return "hsl(" + number(hue) + ",70%," + number(light) + "%)";
}

class Painter {
public:
  Painter(const NestedLayout &layout, const LayoutPictureOptions &options,
          int64_t lanes)
      : layout(layout), options(options), lanes(lanes), shape(layout.shape()) {
    rows = shape.size() >= 2 ? shape[shape.size() - 2] : 1;
    columns = shape.empty() ? 1 : shape.back();
    shownRows = std::min(rows, options.maxRows);
    shownColumns = std::min(columns, options.maxColumns);
  }

  std::string paint(const std::string &head) {
    size_t outerRank = shape.size() > 2 ? shape.size() - 2 : 0;
    Ints outerShape(shape.begin(), shape.begin() + outerRank);
    int64_t tables = product(outerShape);
    put(head);
    put("color: lane; number: register; lines: between subgroups");
    for (int64_t n = 0; n < std::min(tables, options.maxTables); ++n)
      table(delinearize(n, outerShape));
    if (tables > options.maxTables)
      put("… and " + number(tables - options.maxTables) + " more tables");
    int64_t width = std::max<int64_t>(
        labelWidth + shownColumns * cellWidth + 2 * margin, 620);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
           number(width) + "\" height=\"" + number(y + margin) +
           "\" viewBox=\"0 0 " + number(width) + " " + number(y + margin) +
           "\" font-family=\"monospace\" font-size=\"11\" "
           "text-anchor=\"middle\" stroke-width=\"0.5\">\n" +
           rectangle(0, 0, width, y + margin, "fill=\"#fff\"/>\n") + body +
           "</svg>\n";
  }

private:
  void put(const std::string &content) {
    y += lineHeight;
    body += text(margin, y, "start", content);
  }

  Ints elementOf(const Ints &outer, int64_t row, int64_t column) const {
    Ints element = outer;
    if (shape.size() >= 2)
      element.push_back(row);
    if (!shape.empty())
      element.push_back(column);
    return element;
  }

  void table(const Ints &outer) {
    y += lineHeight / 2;
    if (!outer.empty()) {
      std::string name = "[";
      for (int64_t position : outer)
        name += number(position) + ", ";
      put(name + "*, *]");
    }
    int64_t left = margin + labelWidth, top = y + lineHeight + 4;
    for (int64_t c = 0; c < shownColumns; ++c)
      body += text(left + c * cellWidth + cellWidth / 2, top - 4, "middle",
                   number(c));
    for (int64_t r = 0; r < shownRows; ++r) {
      body += text(left - 4, top + r * cellHeight + 13, "end", number(r));
      for (int64_t c = 0; c < shownColumns; ++c)
        cell(elementOf(outer, r, c), left + c * cellWidth,
             top + r * cellHeight);
    }
    // Returns whether the subgroup changes from one cell to the next.
    auto subgroup = [&](int64_t r, int64_t c) {
      return layout.firstSubgroupOf(elementOf(outer, r, c));
    };
    for (int64_t r = 0; r < shownRows; ++r)
      for (int64_t c = 0; c < shownColumns; ++c) {
        int64_t x0 = left + c * cellWidth, y0 = top + r * cellHeight;
        if (c > 0 && subgroup(r, c) != subgroup(r, c - 1))
          body += line(x0, y0, x0, y0 + cellHeight);
        if (r > 0 && subgroup(r, c) != subgroup(r - 1, c))
          body += line(x0, y0, x0 + cellWidth, y0);
      }
    y = top + shownRows * cellHeight;
    if (shownRows < rows)
      put("… " + number(rows - shownRows) + " more rows");
    if (shownColumns < columns)
      put("… " + number(columns - shownColumns) + " more columns");
  }

  void cell(const Ints &element, int64_t x, int64_t top) {
    int64_t lane = layout.firstLaneOf(element);
    body += "<g>" +
            rectangle(x, top, cellWidth, cellHeight,
                      "fill=\"" + color(lane, lanes) + "\" stroke=\"#999\"/>") +
            text(x + cellWidth / 2, top + 13, "middle",
                 number(layout.registerOf(element)));
    body.pop_back();
    body += "<title>element " + listText(element) + ": subgroup " +
            number(layout.firstSubgroupOf(element)) + ", lane " + number(lane) +
            ", register " + number(layout.registerOf(element)) +
            "</title></g>\n";
  }

  const NestedLayout &layout;
  const LayoutPictureOptions &options;
  int64_t lanes;
  Ints shape;
  int64_t rows, columns, shownRows, shownColumns;
  int64_t y = margin;
  std::string body;
};

} // namespace

Result<std::string> layoutPicture(const NestedLayout &layout,
                                  const LayoutPictureOptions &options) {
  int64_t subgroups =
      options.numSubgroups ? options.numSubgroups : layout.subgroupPeriod();
  int64_t lanes = options.numLanes ? options.numLanes : layout.lanePeriod();
  if (auto error = layout.misfit(subgroups, lanes))
    return *error;
  std::string head = shapeText(layout.shape()) + ": " + number(subgroups) +
                     " subgroups of " + number(lanes) +
                     " lanes, a lane holds " +
                     shapeText(layout.distributedShape());
  return Painter(layout, options, lanes).paint(head);
}

} // namespace aircc::layout
