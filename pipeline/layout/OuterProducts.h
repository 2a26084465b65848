//===- OuterProducts.h - Outer products as elementwise ops ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_OUTERPRODUCTS_H
#define AIRCC_PIPELINE_LAYOUT_OUTERPRODUCTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::layout {

/// Replaces outer products in `function` with broadcasts and elementwise ops.
/// They then need no rules of their own; besides, the assembly format of
/// `vector.outerproduct` omits the attributes that hold layouts.
void expandOuterProducts(mlir::gpu::GPUFuncOp function);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_OUTERPRODUCTS_H
