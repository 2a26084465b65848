//===- LayoutTable.h - A layout as text for people --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTTABLE_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTTABLE_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

struct LayoutTableOptions {
  /// The workgroup; 0: as many subgroups and lanes as the layout's periods.
  int64_t numSubgroups = 0;
  int64_t numLanes = 0;
  /// Most rows and columns of one table, and most tables, that are shown. What
  /// is left out is said.
  int64_t maxRows = 64;
  int64_t maxColumns = 64;
  int64_t maxTables = 16;
};

/// Draws which subgroup, lane and register hold each element: a head with the
/// layout, its shapes and its copies, then a table of "subgroup:lane:register",
/// rows and columns being the two innermost dimensions, one table for each
/// position in the dimensions outside of these. Of copies the table shows the
/// lowest subgroup and lane, and the head says where the others are.
/// Errors: the workgroup cannot hold the layout.
Result<std::string> layoutTable(const NestedLayout &layout,
                                const LayoutTableOptions &options = {});

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTTABLE_H
