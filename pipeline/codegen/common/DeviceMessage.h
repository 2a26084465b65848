//===- DeviceMessage.h - Messages from an AMD GPU to the host ---*- C++ -*-===//
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

/// Builds calls to the ROCm device libraries (ockl/src/services.cl) that
/// assemble a printf message from parts. HIP's runtime prints the message when
/// its last part has arrived. The message is an i64 value that each part passes
/// to the next.
class DeviceMessage {
public:
  /// The maximum number of arguments in one part.
  static constexpr int64_t kArguments = 7;

  explicit DeviceMessage(mlir::gpu::GPUModuleOp module) : module(module) {}

  mlir::Value begin(mlir::OpBuilder &b, mlir::Location loc, bool toStderr);
  /// Appends a C printf format.
  mlir::Value appendFormat(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value message, llvm::StringRef format,
                           bool isLast);
  /// Appends at most kArguments arguments of type i64: integers, or the bits of
  /// f64.
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
