//===- Channels.cpp - The stage of programs of several ranks --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Channels.h"

#include "pipeline/channels/Passes.h"
#include "pipeline/common/Passes.h"
#include "pipeline/common/PeKind.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace aircc {

namespace {

struct ChannelsOptions : PeStageOptions {
  Option<uint64_t> heapBytes{*this, "heap-bytes",
                             llvm::cl::desc("Size of the symmetric heap"),
                             llvm::cl::init(uint64_t(1) << 30)};
};

LogicalResult populateChannels(OpPassManager &pm, const TargetProfile &profile,
                               StringRef text, StageErrorFn onError) {
  ChannelsOptions options;
  if (failed(options.parse("channels", text, onError)))
    return failure();
  const bool peIsLane = options.pe == PeKind::Lane;
  if (options.pe == PeKind::Auto)
    pm.addPass(createMapPEsToLanes({profile.waveSize,
                                    profile.limits.threadsPerWorkgroup,
                                    profile.limits.wavesPerCU}));
  pm.addPass(channels::createCheckSymmetricHeap());
  pm.addPass(channels::createExpandPublications({peIsLane}));
  pm.addPass(channels::createCheckChannels({peIsLane}));
  pm.addPass(channels::createExpandChannels({peIsLane}));
  pm.addPass(channels::createLowerRankTransfers());
  pm.addPass(channels::createLowerRanks({options.heapBytes}));
  pm.addPass(channels::createLowerTranslate());
  pm.addPass(channels::createLowerSymmetricHeap());
  return success();
}

void registerDialects(DialectRegistry &registry) {
  registry.insert<air::AIRDialect>();
}

// The number of puts and gets depends on whether the points of a herd are waves
// or lanes.
constexpr SharedOption sharedOptions[] = {{"hierarchy", "pe"}};

} // namespace

const Stage &getChannelsStage() {
  static const Stage stage = {
      "channels",
      "ranks, symmetric heap and channels between ranks to calls "
      "of the runtime",
      populateChannels,
      channels::registerChannelsPasses,
      registerDialects,
      /*takenOptions=*/{},
      /*outputs=*/{},
      sharedOptions};
  return stage;
}

} // namespace aircc
