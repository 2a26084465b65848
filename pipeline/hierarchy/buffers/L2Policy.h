//===- L2Policy.h - Where L2 buffers are ------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_L2POLICY_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_L2POLICY_H

#include "llvm/Support/CommandLine.h"

namespace aircc::hierarchy {

/// Where the L2 buffers of a workgroup are placed.
enum class L2Policy {
  LDS,    ///< In LDS; buffers that do not fit are errors.
  Global, ///< In global memory.
  Auto,   ///< In LDS if they fit; otherwise, in global memory.
};

/// Returns the names of the policies, for an option.
inline auto getL2PolicyValues() {
  return llvm::cl::values(
      clEnumValN(L2Policy::LDS, "lds", "In LDS, or an error"),
      clEnumValN(L2Policy::Global, "global", "In global memory"),
      clEnumValN(L2Policy::Auto, "auto",
                 "In LDS where they fit, else in global memory"));
}

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_L2POLICY_H
