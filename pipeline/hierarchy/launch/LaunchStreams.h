//===- LaunchStreams.h - Streams of launch tokens ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_LAUNCHSTREAMS_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_LAUNCHSTREAMS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::hierarchy {

/// Maps the tokens of launches to streams. A launch that depends on one stream
/// continues it; a launch that depends on several streams starts a new one,
/// which waits for them. The host waits for a stream once, which ends the
/// stream. Waiting for a token therefore waits for everything in its stream.
class LaunchStreams {
public:
  /// Returns the streams of `tokens` that the host has not waited for.
  llvm::SmallVector<unsigned> getRunning(mlir::ValueRange tokens);
  void set(mlir::Value token, llvm::ArrayRef<unsigned> running) {
    tokenStreams[token] = llvm::to_vector(running);
  }
  /// Returns the stream for a launch that depends on `running`.
  unsigned start(mlir::OpBuilder &b, mlir::Location loc,
                 llvm::ArrayRef<unsigned> running);
  mlir::Value getLatest(unsigned stream) { return streams[stream].latest; }
  void setLatest(unsigned stream, mlir::Value token) {
    streams[stream].latest = token;
  }
  void wait(mlir::OpBuilder &b, mlir::Location loc,
            llvm::ArrayRef<unsigned> running);
  /// Waits for each stream that still runs, at the end of its block.
  void waitForAll();

private:
  struct Stream {
    mlir::Value latest;
    bool isDone = false;
  };
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> tokenStreams;
  llvm::SmallVector<Stream> streams;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_LAUNCHSTREAMS_H
