//===- WorkgroupMemory.h - Memrefs in LDS -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_WORKGROUPMEMORY_H
#define AIRCC_PIPELINE_COMMON_WORKGROUPMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"

namespace aircc {

/// Returns whether memory of this type is shared by the workgroup. In kernels,
/// memory space 3 has the same meaning: it is LLVM's address space of LDS and
/// of shared local memory.
inline bool isWorkgroupMemory(mlir::MemRefType type) {
  constexpr int64_t kLdsAddressSpace = 3;
  auto number =
      mlir::dyn_cast_or_null<mlir::IntegerAttr>(type.getMemorySpace());
  return (number && number.getValue() == kLdsAddressSpace) ||
         mlir::gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_WORKGROUPMEMORY_H
