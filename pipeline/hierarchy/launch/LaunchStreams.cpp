//===- LaunchStreams.cpp - Streams of launch tokens -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/LaunchStreams.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace aircc::hierarchy;

SmallVector<unsigned> LaunchStreams::getRunning(ValueRange tokens) {
  SetVector<unsigned> running;
  for (Value token : tokens)
    for (unsigned stream : tokenStreams[token])
      if (!streams[stream].isDone)
        running.insert(stream);
  return running.takeVector();
}

unsigned LaunchStreams::start(OpBuilder &b, Location loc,
                              ArrayRef<unsigned> running) {
  if (running.size() == 1)
    return running.front();
  SmallVector<Value> latest;
  for (unsigned stream : running)
    latest.push_back(streams[stream].latest);
  auto wait =
      gpu::WaitOp::create(b, loc, b.getType<gpu::AsyncTokenType>(), latest);
  streams.push_back({wait.getAsyncToken()});
  return streams.size() - 1;
}

void LaunchStreams::wait(OpBuilder &b, Location loc,
                         ArrayRef<unsigned> running) {
  for (unsigned stream : running) {
    gpu::WaitOp::create(b, loc, /*asyncToken=*/Type(), streams[stream].latest);
    streams[stream].isDone = true;
  }
}

void LaunchStreams::waitForAll() {
  for (unsigned stream = 0; stream < streams.size(); ++stream) {
    if (streams[stream].isDone)
      continue;
    Value latest = streams[stream].latest;
    OpBuilder b(latest.getParentBlock()->getTerminator());
    wait(b, latest.getLoc(), stream);
  }
}
