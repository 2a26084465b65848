//===- OuterProducts.h - Outer products element by element ------*- C++ -*-===//
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

/// Makes broadcasts and elementwise ops of the outer products in `function`:
/// they need no rules of their own then, and a `vector.outerproduct` prints
/// none of the attributes that layouts are.
void expandOuterProducts(mlir::gpu::GPUFuncOp function);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_OUTERPRODUCTS_H
