//===- Attributions.cpp - LDS buffers of kernels --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Attributions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

BlockArgument aircc::kernel::addWorkgroupBuffer(gpu::GPUFuncOp kernel,
                                                MemRefType type, Location loc,
                                                int64_t alignment) {
  BlockArgument buffer = kernel.addWorkgroupAttribution(type, loc);
  kernel.setWorkgroupAttributionAttr(
      kernel.getNumWorkgroupAttributions() - 1, kAlignmentAttr,
      Builder(kernel.getContext()).getI64IntegerAttr(alignment));
  return buffer;
}
