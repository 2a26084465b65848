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
  /// The workgroup; 0: as many subgroups and lanes as the layout's periods.
  int64_t numSubgroups = 0;
  int64_t numLanes = 0;
  /// Most rows and columns of one table, and most tables, that are drawn. What
  /// is left out is said.
  int64_t maxRows = 128;
  int64_t maxColumns = 128;
  int64_t maxTables = 8;
};

/// Draws which subgroup, lane and register hold each element, as one SVG
/// element (a whole file, and fit to stand in an HTML page): a table for each
/// position in the dimensions outside of the two innermost. A cell has the
/// colour of its lane and the number of its register; lines separate subgroups;
/// pointing at a cell shows all. Of copies the lowest subgroup and lane count.
/// Errors: the workgroup cannot hold the layout.
Result<std::string> layoutPicture(const NestedLayout &layout,
                                  const LayoutPictureOptions &options = {});

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTPICTURE_H
