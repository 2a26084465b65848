//===- LdsExchangeBuffer.h - LDS for exchanges ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// All exchanges of the workgroup share one buffer and are separated by
// barriers. All exchanges within waves share another, which has a slice for
// each wave. The buffers grow with each request, so their sizes are known only
// at the end.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEBUFFER_H
#define AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEBUFFER_H

#include "pipeline/distribution/LaneIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::distribution {

class LdsExchangeBuffer {
public:
  LdsExchangeBuffer(mlir::gpu::GPUFuncOp func, LaneIds &ids,
                    const DistributionTarget &target)
      : func(func), ids(ids), ldsBytes(target.ldsBytes), onXe(target.isXe()) {}

  /// Returns a buffer of `count` elements of `type` for an exchange by `op`;
  /// with `withinWave`, one for each wave. Emits an error at the op and fails
  /// if LDS is too small.
  mlir::FailureOr<mlir::Value> allocate(mlir::OpBuilder &b, mlir::Operation *op,
                                        mlir::Type type, int64_t count,
                                        bool withinWave);

  /// Returns the number of bytes that remain for `allocate`.
  int64_t getCapacity(bool withinWave);

  /// Declares that the lanes of the workgroup or wave write to or read from a
  /// buffer, which is from `allocate` or belongs to the program.
  void declareAccess(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer,
                     bool writes, bool withinWave);

  /// Returns the type that is stored for an element of `type`: `type` itself if
  /// memory supports it, otherwise a wider integer.
  static mlir::Type storedType(mlir::Type type);
  static mlir::Value toStored(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value value);
  static mlir::Value fromStored(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::Value value, mlir::Type type);
  /// Returns the bytes of an element in memory.
  static int64_t storedBytes(mlir::Type type);

  /// Sets the final sizes of the buffers.
  void finish();

private:
  int64_t getOtherBytes();
  mlir::Value buffer(mlir::Value &attribution);

  mlir::gpu::GPUFuncOp func;
  LaneIds &ids;
  int64_t ldsBytes;
  bool onXe;
  mlir::Value groupBuffer, waveBuffer;
  int64_t groupBytes = 0, sliceBytes = 0;
  std::optional<int64_t> other;
  /// The constants that hold the size of a slice, which finish() sets.
  llvm::SmallVector<mlir::arith::ConstantIndexOp> sliceSizes;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEBUFFER_H
