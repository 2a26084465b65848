//===- VendorBarriers.h - Barriers in vendor dialects -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A program may contain barriers and fences of the LLVM and ROCDL dialects. The
// compiler creates them only in stage codegen. Earlier stages recognize them by
// name, without the headers of those dialects.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_VENDORBARRIERS_H
#define AIRCC_PIPELINE_ANALYSIS_VENDORBARRIERS_H

#include "dialects/kernel/KernelDialect.h"

#include <optional>

namespace aircc {

/// Returns the scope of an llvm.fence, or of AMD's wave barrier; nullopt for
/// other ops.
std::optional<kernel::Scope> getVendorFenceScope(mlir::Operation *op);

/// Returns true for an AMD op or intrinsic that is a workgroup barrier.
bool isVendorWorkgroupBarrier(mlir::Operation *op);

/// Returns true for an AMD op that signals or names a barrier.
bool isVendorNamedBarrier(mlir::Operation *op);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_VENDORBARRIERS_H
