//===- TensorFunctions.h - Functions on tensors -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_TENSORFUNCTIONS_H
#define AIRCC_DIALECTS_AIR_TENSORFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace aircc::air {

/// Returns whether a result, an operand or a block argument in `function` is a
/// tensor.
bool usesTensors(mlir::func::FuncOp function);

/// Returns whether `function` is the entry point of a program: a `main` without
/// tensors in its type. Frameworks may also name a function on tensors `main`.
bool isProgramStart(mlir::func::FuncOp function);

/// Returns whether calls may overwrite the memory of a tensor argument of
/// `function`, which is marked with `air.donated` or one of the attributes in
/// programs that JAX exports.
bool isDonated(mlir::func::FuncOp function, unsigned argument);

/// The JAX attribute that names the result that shares the memory of a donated
/// argument.
inline constexpr llvm::StringLiteral kAliasingOutputName = "tf.aliasing_output";

/// The JAX attribute for other donated arguments.
inline constexpr llvm::StringLiteral kBufferDonorName = "jax.buffer_donor";

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_TENSORFUNCTIONS_H
