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

/// Whether a result, an operand or a block argument in `function` is a tensor.
bool usesTensors(mlir::func::FuncOp function);

/// Whether `function` is the start of a program: `main` without tensors in its
/// type. Frameworks also call a function on tensors `main`.
bool isProgramStart(mlir::func::FuncOp function);

/// Whether calls may overwrite the memory of an argument of a function on
/// tensors: `air.donated`, or one of the attributes of programs that JAX
/// exports.
bool isDonated(mlir::func::FuncOp function, unsigned argument);

/// The attribute by which JAX names the result that shares the memory of a
/// donated argument.
inline constexpr llvm::StringLiteral kAliasingOutputName = "tf.aliasing_output";

/// The attribute of JAX for other donated arguments.
inline constexpr llvm::StringLiteral kBufferDonorName = "jax.buffer_donor";

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_TENSORFUNCTIONS_H
