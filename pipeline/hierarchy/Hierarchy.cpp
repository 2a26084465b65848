//===- Hierarchy.cpp - Stage that lowers AIR to GPU kernels ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Hierarchy.h"

#include "pipeline/analysis/Passes.h"
#include "pipeline/common/Passes.h"
#include "pipeline/common/PeKind.h"
#include "pipeline/common/kernels/Passes.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/tiles/TilePasses.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace aircc {

namespace {

struct HierarchyOptions : PeStageOptions {
  Option<std::string> matmulTile{
      *this, "matmul-tile",
      llvm::cl::desc("Tile of C and step along K: MxNxK")};
  Option<std::string> matmulWaves{
      *this, "matmul-waves",
      llvm::cl::desc("Waves of a workgroup, along M and N: 2x2")};
  Option<int64_t> matmulBuffers{
      *this,
      "matmul-buffers",
      {},
      llvm::cl::desc(
          "Buffers in LDS for each operand (0: chosen by the compiler)")};
  Option<hierarchy::L2Policy> l2{
      *this, "l2", llvm::cl::desc("Where the L2 buffers of a workgroup are"),
      llvm::cl::init(hierarchy::L2Policy::Auto),
      hierarchy::getL2PolicyValues()};
  Option<bool> report{
      *this, "report",
      llvm::cl::desc("Describe launches for a report of kernels")};
  Option<bool> listProducts{
      *this, "list-products",
      llvm::cl::desc("List the products of matrices in an attribute")};
  Option<bool> keepKernels{*this, "keep-kernels",
                           llvm::cl::desc("Do not merge identical kernels")};
};

LogicalResult populateHierarchy(OpPassManager &pm, const TargetProfile &profile,
                                StringRef text, StageErrorFn onError) {
  HierarchyOptions options;
  if (failed(options.parse("hierarchy", text, onError)))
    return failure();
  const TargetLimits &limits = profile.limits;
  auto shared = std::make_shared<const TargetProfile>(profile);

  // Lower AIR to kernels.
  pm.addPass(hierarchy::createCheckHierarchy());
  pm.addPass(createConvertGPUBarriers());
  pm.addPass(createCountLoopIterations({/*onlyConstant=*/true}));
  if (options.pe != PeKind::Lane)
    pm.addPass(hierarchy::createCheckWaveSize({profile.waveSize}));
  pm.addPass(hierarchy::createCompleteHierarchy());
  pm.addPass(hierarchy::createMoveCallerBuffers());
  pm.addPass(hierarchy::createInferLaunches());
  pm.addPass(hierarchy::createSerializeTokens());
  pm.addPass(hierarchy::createLowerChannels(
      {limits.threadsPerWorkgroup / profile.waveSize}));
  // Channels may have added barriers.
  pm.addPass(createConvertGPUBarriers());
  if (options.pe == PeKind::Auto)
    pm.addPass(createMapPEsToLanes(
        {profile.waveSize, limits.threadsPerWorkgroup, limits.wavesPerCU}));
  pm.addPass(hierarchy::createBuildAttentionKernels(shared));
  hierarchy::BuildMatmulKernelsOptions matmuls;
  matmuls.tile = options.matmulTile;
  matmuls.waves = options.matmulWaves;
  matmuls.buffers = options.matmulBuffers;
  matmuls.listProducts = options.listProducts;
  pm.addPass(hierarchy::createBuildMatmulKernels(shared, matmuls));
  pm.addPass(hierarchy::createTileLinalgToWorkgroups());
  if (options.pe != PeKind::Lane)
    pm.addPass(hierarchy::createRunHerdsInRounds(
        {profile.waveSize, limits.threadsPerWorkgroup, limits.wavesPerCU}));
  pm.addPass(hierarchy::createConvertLaunches({
      /*waveSize=*/profile.waveSize,
      /*pe=*/options.pe == PeKind::Lane ? "lane" : "wave",
      /*maxThreads=*/limits.threadsPerWorkgroup,
      /*maxWaves=*/limits.wavesPerCU,
      /*xcds=*/limits.xcds,
      /*waveIds=*/profile.backend == Backend::XeVM,
  }));
  pm.addPass(hierarchy::createMergeLaunches(
      {limits.cus, limits.cus * profile.costModel.simdsPerCU * profile.waveSize,
       limits.ldsBytes}));
  if (options.report)
    pm.addPass(hierarchy::createCollectWork());
  pm.addPass(hierarchy::createOutlineKernels());
  if (!options.keepKernels)
    pm.addPass(createMergeIdenticalKernels());

  // Lower workgroup-level and wave-level code to per-lane code.
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createWidenIndexProducts());
  kernels.addPass(hierarchy::createVectorizeTiles(shared));
  kernels.addPass(hierarchy::createExposeParallelism());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(hierarchy::createFoldTransferLoops());
  kernels.addPass(hierarchy::createBroadcastSingleWorkerResults());
  SmallVector<int64_t> widths(profile.dmaWidths.begin(),
                              profile.dmaWidths.end());
  hierarchy::PrefetchTilesOptions prefetch;
  prefetch.directWidths = widths;
  // Tiles in global memory are not prefetched.
  bool isL2Global = options.l2 == hierarchy::L2Policy::Global;
  prefetch.ldsBytes = isL2Global ? 0 : limits.ldsBytes;
  prefetch.maxThreads = limits.threadsPerWorkgroup;
  prefetch.maxWaves = limits.wavesPerCU;
  kernels.addPass(hierarchy::createPrefetchTiles(prefetch));
  kernels.addPass(hierarchy::createPlaceBuffers(
      {limits.ldsBytes, limits.threadsPerWorkgroup, options.l2}));
  kernels.addPass(createPlaceBarriers());
  hierarchy::LowerDMAOptions transfers;
  transfers.directWidths = widths;
  kernels.addPass(hierarchy::createLowerDMA(transfers));
  kernels.addPass(hierarchy::createLowerMessages());
  kernels.addPass(hierarchy::createDistributeParallelLoops());
  kernels.addPass(hierarchy::createPredicateSingleWorkerOps());
  kernels.addPass(hierarchy::createLowerHerds());
  // Place barriers for transfers in per-lane code, messages, and hoisted
  // accumulators.
  kernels.addPass(createPlaceBarriers());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  pm.addPass(hierarchy::createAllocateArenas());
  pm.addPass(hierarchy::createPlanMemory());
  return success();
}

void registerPasses() {
  registerAirccAnalysisPasses();
  hierarchy::registerHierarchyPasses();
  hierarchy::registerHierarchyTilePasses();
}

void registerDialects(DialectRegistry &registry) {
  registry
      .insert<air::AIRDialect, gpu::GPUDialect, DLTIDialect, ub::UBDialect>();
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  gpu::registerValueBoundsOpInterfaceExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
}

// Debug information and external programs refer to kernels by name.
constexpr TakenOption takenOptions[] = {
    {DriverOption::DebugInfo, "keep-kernels"},
    {DriverOption::DeviceCodeOnly, "keep-kernels"},
    {DriverOption::KernelReport, "report"},
    {DriverOption::ListProducts, "list-products"}};

constexpr StageOutput outputs[] = {{"gpu"}, {"plan"}};

} // namespace

const Stage &getHierarchyStage() {
  static const Stage stage = {"hierarchy",
                              "AIR launches, segments and herds to GPU kernels",
                              populateHierarchy,
                              registerPasses,
                              registerDialects,
                              takenOptions,
                              outputs};
  return stage;
}

} // namespace aircc
