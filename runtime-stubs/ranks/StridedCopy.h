//===- StridedCopy.h - Copies between strided layouts -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_STRIDEDCOPY_H
#define AIRCC_RUNTIME_RANKS_STRIDEDCOPY_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/include/aircc/mgpu.h"

#include <cstdint>
#include <vector>

namespace aircc::rt {

/// An MgpuTransfer that owns its sizes and strides.
struct Layout {
  char *base = nullptr;
  int64_t elementBytes = 1;
  std::vector<int64_t> sizes, strides; ///< In elements.

  /// Creates the layout. Fails if the transfer is invalid.
  static Status make(const MgpuTransfer *transfer, Layout &layout);
  /// Returns a contiguous layout.
  static Layout row(void *base, int64_t elements, int64_t elementBytes);

  int64_t elements() const;
  int64_t bytes() const { return elements() * elementBytes; }
};

/// Copies elements in row-major order of both sides, in as few and as large
/// pieces as the layouts allow. Stream-ordered.
Status copyStrided(Device &device, const Layout &dst, const Layout &src,
                   StreamHandle stream);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_STRIDEDCOPY_H
