//===- Channels.cpp - The stage of programs of several ranks --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Channels.h"

#include "pipeline/analysis/Passes.h"
#include "pipeline/channels/Passes.h"
#include "pipeline/common/StageOptions.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace aircc {

namespace {

LogicalResult populateChannels(OpPassManager &pm, const TargetProfile &profile,
                               StringRef text, StageErrorFn onError) {
  uint64_t heapBytes = uint64_t(1) << 30; // of the symmetric heap
  std::string pe = "auto";                // what a PE of a herd is
  StageOptions options("channels");
  options.addNumber("heap-bytes", heapBytes);
  options.addChoice<std::string>(
      "pe", pe, {{"wave", "wave"}, {"lane", "lane"}, {"auto", "auto"}});
  if (failed(options.parse(text, onError)))
    return failure();
  const bool peIsLane = pe == "lane";
  if (pe == "auto")
    pm.addPass(createChoosePeKind({profile.waveSize,
                                   profile.limits.threadsPerWorkgroup,
                                   profile.limits.wavesPerCU}));
  pm.addPass(channels::createCheckSymmetricHeap());
  pm.addPass(channels::createExpandPublications({peIsLane}));
  pm.addPass(channels::createCheckChannels({peIsLane}));
  pm.addPass(channels::createExpandChannels({peIsLane}));
  pm.addPass(channels::createLowerRankTransfers());
  pm.addPass(channels::createLowerRanks({heapBytes}));
  pm.addPass(channels::createLowerTranslate());
  pm.addPass(channels::createLowerSymmetricHeap());
  return success();
}

void registerDialects(DialectRegistry &registry) {
  registry.insert<air::AIRDialect>();
}

// A put or get counts for a point of a herd.
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
