//===- LdsExchangeBuffer.h - LDS for exchanges between lanes ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One buffer serves all exchanges of the workgroup, with barriers that keep
// them apart, and one more all exchanges within waves, a slice for each wave.
// They grow with what is asked for, so their sizes are known at the end.
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

  /// A buffer of `count` elements of `type` (of whole bytes), for an exchange
  /// by `op`. `withinWave`: each wave has one of its own. Fails, with an error
  /// at the op, if the LDS is too small.
  mlir::FailureOr<mlir::Value> allocate(mlir::OpBuilder &b, mlir::Operation *op,
                                        mlir::Type type, int64_t count,
                                        bool withinWave);

  /// Bytes that `get` has left for a buffer of that kind.
  int64_t getCapacity(bool withinWave);

  /// States that the lanes of the workgroup (of the wave) write to, or read
  /// from, a buffer: one that get() gave, or the program's.
  void declareAccess(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer,
                     bool writes, bool withinWave);

  /// The integer that LDS holds for an element of `type`: `type` itself where
  /// memory can hold it.
  static mlir::Type storedType(mlir::Type type);
  static mlir::Value toStored(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value value);
  static mlir::Value fromStored(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::Value value, mlir::Type type);
  /// Bytes of an element in memory.
  static int64_t storedBytes(mlir::Type type);

  /// Gives the buffers their sizes.
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
  /// The size of a slice, where it is used: known at the end.
  llvm::SmallVector<mlir::arith::ConstantIndexOp> sliceSizes;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_LDSEXCHANGEBUFFER_H
