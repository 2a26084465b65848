//===- LayoutTable.h - A layout as readable text ----------------*- C++ -*-===//
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
  /// The size of the workgroup; 0 for the period of the layout.
  int64_t numSubgroups = 0;
  int64_t numLanes = 0;
  /// The maximum numbers of rows and columns of a table, and of tables. The
  /// text mentions what is omitted.
  int64_t maxRows = 64;
  int64_t maxColumns = 64;
  int64_t maxTables = 16;
};

/// Prints which subgroup, lane and register hold each element: a header with
/// the layout, its shapes and its copies, then a table of
/// "subgroup:lane:register". Rows and columns are the two innermost dimensions,
/// and there is one table for each position in the other dimensions. For
/// copies, the table shows the lowest subgroup and lane, and the header says
/// where the others are. Errors: the workgroup cannot hold the layout.
Result<std::string> layoutTable(const NestedLayout &layout,
                                const LayoutTableOptions &options = {});

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_LAYOUTTABLE_H
