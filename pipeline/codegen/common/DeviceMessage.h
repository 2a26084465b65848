//===- DeviceMessage.h - Text that an AMD GPU sends to the host -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEMESSAGE_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEMESSAGE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace aircc {

/// Calls of the ROCm device libraries that put a message to printf together,
/// part by part (ockl/src/services.cl): HIP's runtime prints it as a whole when
/// its last part has come. A message is a value of i64, which each part hands
/// on to the next.
class DeviceMessage {
public:
  /// Arguments that one part can have.
  static constexpr int64_t kArguments = 7;

  explicit DeviceMessage(mlir::gpu::GPUModuleOp module) : module(module) {}

  mlir::Value begin(mlir::OpBuilder &b, mlir::Location loc, bool toStderr);
  /// The format, for printf of C.
  mlir::Value appendFormat(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value message, llvm::StringRef format,
                           bool isLast);
  /// At most kArguments of them, of type i64: integers, or the bits of f64.
  mlir::Value appendArguments(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value message, mlir::ValueRange arguments,
                              bool isLast);

private:
  mlir::Value call(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name,
                   mlir::ValueRange arguments);

  mlir::gpu::GPUModuleOp module;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEMESSAGE_H
