//===- XorShuffle.cpp - A swizzle of LDS rows against bank conflicts ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/XorShuffle.h"

namespace aircc::layout {

Result<XorShuffle> XorShuffle::get(int64_t rowWidth, int64_t accessWidth,
                                   int64_t phases, int64_t group) {
  std::string row = std::to_string(rowWidth);
  std::string access = std::to_string(accessWidth);
  if (rowWidth < 1 || accessWidth < 1)
    return Error{"row width " + row + " and access width " + access +
                 " must both be at least 1"};
  if (rowWidth % accessWidth != 0)
    return Error{"access width " + access + " does not divide row width " +
                 row};
  int64_t blocks = rowWidth / accessWidth;
  if ((blocks & (blocks - 1)) != 0)
    return Error{"a row of " + row + " elements has " + std::to_string(blocks) +
                 " blocks of " + access +
                 ", but the number of blocks must be a power of two"};
  if (phases < 0 || phases > blocks || (phases & (phases - 1)) != 0)
    return Error{
        std::to_string(phases) +
        " phases: the number of phases must be a power of two and at most " +
        std::to_string(blocks) + ", the number of blocks in a row"};
  if (group < 0 || (group & (group - 1)) != 0)
    return Error{"a group of " + std::to_string(group) +
                 " rows: the number of rows must be a power of two"};
  return XorShuffle(rowWidth, accessWidth, phases ? phases : blocks, group);
}

} // namespace aircc::layout
