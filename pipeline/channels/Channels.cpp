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
  Option<std::string> pe{*this, "pe", llvm::cl::init("auto"),
                         llvm::cl::desc("What a point of a herd is, as the "
                                        "stage 'hierarchy' is told: wave, "
                                        "lane or auto")};
};

LogicalResult populateChannels(OpPassManager &pm, const TargetProfile &profile,
                               StringRef text, StageErrorFn onError) {
  ChannelsOptions options;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(options.parseFromString(text, os))) {
    onError("cannot understand the options '" + text + "': " + message);
    return failure();
  }
  if (options.pe != "auto" && options.pe != "wave" && options.pe != "lane") {
    onError("the option pe is '" + options.pe +
            "'; it may be 'auto', 'wave' or 'lane'");
    return failure();
  }
  const bool peIsLane = options.pe == "lane";
  if (options.pe == "auto")
    pm.addPass(createChoosePeKind({profile.waveSize,
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
