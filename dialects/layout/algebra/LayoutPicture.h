//===- LayoutPicture.h - A layout as a drawing ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTPICTURE_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTPICTURE_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

struct LayoutPictureOptions {
  /// The size of the workgroup; 0 for the period of the layout.
  int64_t numSubgroups = 0;
  int64_t numLanes = 0;
  /// The maximum numbers of rows and columns of a table, and of tables. The
  /// drawing mentions what is omitted.
  int64_t maxRows = 128;
  int64_t maxColumns = 128;
  int64_t maxTables = 8;
};

/// Draws which subgroup, lane and register hold each element, as one SVG
/// element (a complete file that can also be embedded in an HTML page). There
/// is one table for each position in the dimensions outside the two innermost.
/// A cell has the color of its lane and the number of its register; lines
/// separate subgroups; the tooltip of a cell shows all three. For copies, the
/// lowest subgroup and lane are shown. Errors: the workgroup cannot hold the
/// layout.
Result<std::string> layoutPicture(const NestedLayout &layout,
                                  const LayoutPictureOptions &options = {});

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTPICTURE_H
