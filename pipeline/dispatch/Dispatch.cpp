//===- Dispatch.cpp - Stage that lowers tensor programs -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Dispatch.h"

#include "pipeline/common/StageOptions.h"
#include "pipeline/dispatch/Passes.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <set>

using namespace mlir;

namespace aircc {

namespace {

/// Which ops share a kernel.
enum class Fusion { All, None };

/// Which ops of host code run on the device.
enum class Offload { Auto, All, None };

struct DispatchOptions : StageOptions {
  Option<bool> sizeChecks{
      *this, "entry-checks",
      llvm::cl::desc("Check at run time that sizes of arguments agree"),
      llvm::cl::init(true)};
  Option<Fusion> fuse{
      *this, "fuse", llvm::cl::desc("Which ops share a kernel"),
      llvm::cl::init(Fusion::All),
      llvm::cl::values(
          clEnumValN(Fusion::All, "all", "Those that are faster together"),
          clEnumValN(Fusion::None, "none", "None: each op is a kernel"))};
  Option<Offload> offload{
      *this, "offload", llvm::cl::desc("Which ops run on the device"),
      llvm::cl::init(Offload::Auto),
      llvm::cl::values(
          clEnumValN(Offload::Auto, "auto",
                     "Ops of functions on tensors, and with air.offload"),
          clEnumValN(Offload::All, "all", "All linalg ops on memrefs as well"),
          clEnumValN(Offload::None, "none", "Only those with air.offload"))};
  Option<bool> report{*this, "report",
                      llvm::cl::desc("Describe ops for a report of kernels")};
  Option<bool> listProducts{
      *this, "list-products",
      llvm::cl::desc("Do not split matrix products along K")};
};

/// Returns the element types that matrix instructions multiply and sum as f32.
SmallVector<std::string> getMatrixTypes(const TargetProfile &profile) {
  std::set<std::string> types;
  for (const MatrixInstruction &instruction : profile.matrixInstructions)
    if (!instruction.isScaled() && instruction.a.type == instruction.b.type &&
        instruction.c.type == "f32")
      types.insert(instruction.a.type);
  return {types.begin(), types.end()};
}

/// Adds the passes that form kernels of several ops.
void addFusionPasses(OpPassManager &pm, const TargetProfile &profile,
                     bool splitsProducts) {
  dispatch::FuseAttentionOptions attention;
  attention.matrixTypes = getMatrixTypes(profile);
  pm.addPass(dispatch::createFuseAttention(attention));
  auto target = std::make_shared<const TargetProfile>(profile);
  pm.addPass(dispatch::createLowerConvolutions(target));
  pm.addPass(dispatch::createAddUnitRows(target));
  if (splitsProducts)
    pm.addPass(dispatch::createSplitContractions(target));
  pm.addPass(dispatch::createFuseContractions());
  pm.addPass(dispatch::createFuseConvolutions({profile.limits.ldsBytes}));
  pm.addPass(dispatch::createLowerSelections());
  pm.addPass(dispatch::createRecomputeOperands());
  pm.addPass(dispatch::createSplitReductions({profile.limits.cus / 2}));
  pm.addPass(dispatch::createFuseRows({profile.limits.ldsBytes}));
}

LogicalResult populateDispatch(OpPassManager &pm, const TargetProfile &profile,
                               StringRef text, StageErrorFn onError) {
  DispatchOptions options;
  if (failed(options.parse("dispatch", text, onError)))
    return failure();
  pm.addPass(dispatch::createCheckTensors());
  pm.addPass(dispatch::createPackFloats());
  pm.addPass(dispatch::createWidenIntegers());
  pm.addPass(dispatch::createStructureControlFlow());
  pm.addPass(dispatch::createRecordSizes({options.sizeChecks}));
  pm.addPass(dispatch::createLowerTosa());
  pm.addPass(dispatch::createNormalizeTensors());
  pm.addPass(dispatch::createCreateSizeFunctions());
  bool offloads = options.offload != Offload::None;
  bool fuses = options.fuse == Fusion::All && offloads;
  if (fuses)
    pm.addPass(dispatch::createSeparateFactors());
  pm.addPass(dispatch::createFuseElementwise({fuses}));
  if (options.report)
    pm.addPass(dispatch::createDescribeWork());
  if (fuses)
    addFusionPasses(pm, profile, !options.listProducts);
  pm.addPass(dispatch::createDonateArguments());
  pm.addPass(dispatch::createBufferizeFunctions({offloads}));
  if (options.report)
    pm.addPass(dispatch::createDescribeWork());
  // With 'none', the user already knows that ops run on the host.
  if (offloads)
    pm.addPass(dispatch::createOffloadOps({options.offload == Offload::All}));
  pm.addPass(dispatch::createCreateLaunches());
  return success();
}

void registerDialects(DialectRegistry &registry) {
  registry.insert<air::AIRDialect>();
}

} // namespace

static constexpr TakenOption takenOptions[] = {
    {DriverOption::EntryChecks, "entry-checks"},
    {DriverOption::Fuse, "fuse"},
    {DriverOption::Offload, "offload"},
    {DriverOption::KernelReport, "report"},
    {DriverOption::ListProducts, "list-products"}};

static constexpr StageOutput outputs[] = {{"dispatch"}};

const Stage &getDispatchStage() {
  static const Stage stage = {
      "dispatch",       "functions on tensors to kernels and buffers",
      populateDispatch, dispatch::registerDispatchPasses,
      registerDialects, takenOptions,
      outputs};
  return stage;
}

} // namespace aircc
