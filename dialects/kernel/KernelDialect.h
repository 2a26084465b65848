//===- KernelDialect.h - The kernel dialect and its attributes --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_KERNELDIALECT_H
#define AIRCC_DIALECTS_KERNEL_KERNELDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "dialects/kernel/KernelEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttrs.h.inc"

// The typed accessors of discardable attributes need the classes above.
#include "dialects/kernel/KernelDialect.h.inc"

namespace aircc::kernel {

// The names of the discardable attributes, as KernelBase.td defines them.
inline constexpr llvm::StringLiteral
    kScopeAttr = KernelDialect::ScopeAttrHelper::getNameStr(),
    kWaveSizeAttr = KernelDialect::WaveSizeAttrHelper::getNameStr(),
    kPeIsLaneAttr = KernelDialect::PeIsLaneAttrHelper::getNameStr(),
    kHasWaveIdsAttr = KernelDialect::HasWaveIdsAttrHelper::getNameStr(),
    kPesInRowAttr = KernelDialect::PesInRowAttrHelper::getNameStr(),
    kNameAttr = KernelDialect::NameAttrHelper::getNameStr(),
    kEveryLaneAttr = KernelDialect::EveryLaneAttrHelper::getNameStr(),
    kLDSRangeAttr = KernelDialect::LdsRangeAttrHelper::getNameStr(),
    kPerWaveAttr = KernelDialect::PerWaveAttrHelper::getNameStr(),
    kOwnBuffersAttr = KernelDialect::OwnBuffersAttrHelper::getNameStr(),
    kPrefetchAttr = KernelDialect::PrefetchAttrHelper::getNameStr(),
    kDeviceLibrariesAttr =
        KernelDialect::DeviceLibrariesAttrHelper::getNameStr();

/// Removes the attributes of this dialect from `op` itself.
void dropKernelAttrs(mlir::Operation *op);

} // namespace aircc::kernel

#endif // AIRCC_DIALECTS_KERNEL_KERNELDIALECT_H
