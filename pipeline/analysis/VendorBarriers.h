//===- VendorBarriers.h - Barriers that a program writes itself -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may contain barriers and fences in the LLVM and ROCDL dialects. The
// compiler creates none of these before stage codegen, so they are recognized
// by name, without the headers of those dialects.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_VENDORBARRIERS_H
#define AIRCC_PIPELINE_ANALYSIS_VENDORBARRIERS_H

#include "dialects/kernel/KernelDialect.h"

#include <optional>

namespace aircc {

/// The scope of an llvm.fence, or of AMD's barrier of a wave; nothing for other
/// ops.
std::optional<kernel::Scope> getVendorFenceScope(mlir::Operation *op);

/// True for an op or intrinsic of AMD that is a barrier of the workgroup.
bool isVendorWorkgroupBarrier(mlir::Operation *op);

/// True for an op of AMD that signals a barrier and returns or names which.
bool isVendorNamedBarrier(mlir::Operation *op);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_VENDORBARRIERS_H
