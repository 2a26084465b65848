//===- Channels.cpp - The stage of programs of several ranks --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Channels.h"

#include "pipeline/channels/Passes.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

using namespace mlir;

namespace aircc {

namespace {

struct ChannelsOptions : PassPipelineOptions<ChannelsOptions> {
  Option<uint64_t> heapBytes{*this, "heap-bytes",
                             llvm::cl::init(uint64_t(1) << 30),
                             llvm::cl::desc("Bytes of the symmetric heap")};
};

LogicalResult populateChannels(OpPassManager &pm, const TargetProfile &,
                               StringRef text, StageErrorFn onError) {
  ChannelsOptions options;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(options.parseFromString(text, os))) {
    onError("cannot understand the options '" + text + "': " + message);
    return failure();
  }
  pm.addPass(channels::createCheckChannels());
  pm.addPass(channels::createExpandChannels());
  pm.addPass(channels::createLowerRankTransfers());
  pm.addPass(channels::createLowerRanks({options.heapBytes}));
  pm.addPass(channels::createLowerTranslate());
  pm.addPass(channels::createLowerSymmetricHeap());
  return success();
}

void registerDialects(DialectRegistry &registry) {
  registry.insert<air::AIRDialect>();
}

} // namespace

const Stage &getChannelsStage() {
  static const Stage stage = {
      "channels",
      "ranks, symmetric heap and channels between ranks to calls "
      "of the runtime",
      populateChannels, channels::registerChannelsPasses, registerDialects};
  return stage;
}

} // namespace aircc
