//===- Link.cpp - The link stage ------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Link.h"

#include "pipeline/codegen/Codegen.h"
#include "pipeline/codegen/DevicePipelines.h"
#include "pipeline/codegen/Passes.h"
#include "pipeline/common/Passes.h"
#include "pipeline/common/SmallFloats.h"
#include "pipeline/common/StageOptions.h"
#include "pipeline/common/passes/RunIfUsed.h"
#include "pipeline/link/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUCommon/GPUToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace aircc {

namespace {

/// The output of the stage.
enum class LinkOutput { Program, CodeObject, Native };

struct LinkOptions : StageOptions {
  Option<bool> debugInfo{*this, "debug",
                         llvm::cl::desc("Keep line information of host code")};
  Option<bool> cInterface{
      *this, "c-interface",
      llvm::cl::desc("Give public functions `_mlir_ciface_*`"),
      llvm::cl::init(true)};
  Option<bool> wholeProgram{
      *this, "whole-program",
      llvm::cl::desc("Only `main` is called from outside")};
  Option<bool> entryChecks{
      *this, "entry-checks",
      llvm::cl::desc("Check the arguments of `aircc_*` at run time"),
      llvm::cl::init(true)};
  Option<std::string> constantsFile{
      *this, "constants-file",
      llvm::cl::desc("The name of the file for large constants; empty: none")};
  Option<uint64_t> constantsThreshold{
      *this, "constants-threshold",
      llvm::cl::desc("The least number of bytes of a constant in the file"),
      llvm::cl::init(4096)};
  Option<LinkOutput> output{
      *this, "output", llvm::cl::desc("What to make"),
      llvm::cl::init(LinkOutput::Program),
      llvm::cl::values(
          clEnumValN(LinkOutput::Program, "program",
                     "Code objects, and host code in the LLVM dialect"),
          clEnumValN(LinkOutput::CodeObject, "code-object",
                     "Code objects alone"),
          clEnumValN(
              LinkOutput::Native, "native",
              "Native code, compiled from SPIR-V by the offline compiler, "
              "alone"))};
};

} // namespace

/// Links objects in gpu.binary ops into code objects. Pending objects are also
/// linked in the background.
static void buildCodeObjectPipeline(OpPassManager &pm) {
  pm.addPass(createBuildCodeObjects());
}

/// Compiles SPIR-V in gpu.binary ops to native code for the profile's chip.
static void buildNativeCodePipeline(OpPassManager &pm,
                                    const TargetProfile &profile) {
  pm.addPass(createFinishDeviceCode());
  CompileNativeCodeOptions options;
  options.maxThreads = profile.limits.threadsPerWorkgroup;
  pm.addPass(createCompileNativeCode(options));
}

/// Lowers everything outside gpu.binary ops to the LLVM dialect.
static void buildHostPipeline(OpPassManager &pm, const TargetProfile &profile,
                              const LinkOptions &options) {
  pm.addPass(createLowerLaneOps({profile.backend}));
  PrepareHostOptions prepare;
  prepare.cInterface = options.cInterface;
  pm.addPass(createPrepareHost(prepare));
  pm.addPass(createDropHostMemorySpaces());
  if (!options.constantsFile.empty())
    pm.addPass(createMoveConstants(
        {options.constantsFile, options.constantsThreshold}));
  pm.addPass(createShareHostMemory({options.wholeProgram}));
  pm.addPass(createLowerSharedAllocations());
  pm.addPass(createLowerTransfers());
  pm.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());

  // Lower structured ops to loops and scalars.
  addPassIfUsed(pm, {"complex"}, createConvertComplexToStandardPass());
  pm.addPass(createExpandMath());
  pm.addPass(createWidenIndexProducts());
  addPassIfUsed(pm, {"linalg"}, createConvertLinalgToLoopsPass());
  pm.addPass(createForallToForLoopPass());
  pm.addPass(createLoopHostVectors());
  pm.addPass(createLowerHostVectors());
  addPassIfUsed(pm, {"vector"}, createConvertVectorToSCFPass());

  // Lower addresses, arithmetic, and math.
  addPassIfUsed(pm, {"memref"}, memref::createExpandOpsPass());
  pm.addPass(createExpandFloatAtomics());
  buildAddressPipeline(pm);
  // x86-64 without extensions only computes in f32 and f64.
  pm.addPass(createExpandConversions());
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs.push_back("bf16");
  for (StringRef type : kSmallFloats)
    floats.sourceTypeStrs.push_back(type.str());
  floats.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  pm.addPass(createRoundEachOp());
  pm.addPass(createExpandSmallFloats());
  pm.addPass(createExpandWideDivision());
  math::MathExtendToSupportedTypesOptions mathTypes;
  addPassIfUsed(pm, {"math"},
                math::createMathExtendToSupportedTypes(mathTypes));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  expand.includeF8E8M0 = true;
  expand.includeF4E2M1 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createCountLoopIterations());
  pm.addPass(createLowerControlFlow());
  // Lower integer powers first, because the next two passes support only some
  // of their types, or none.
  addPassesIfUsed(pm, {"math"}, [](OpPassManager &pm) {
    pm.addPass(createConvertMathToFuncs());
    pm.addPass(createConvertMathToLLVMPass());
    pm.addPass(createConvertMathToLibmPass());
  });
  // See buildFlatPipeline in pipeline/codegen/DevicePipelines.cpp.
  pm.addPass(createCanonicalizerPass(
      GreedyRewriteConfig().setUseTopDownTraversal(false)));
  // Canonicalization recreates multidimensional vector ops.
  pm.addPass(createLowerHostVectors());

  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCheckHost());
  pm.addPass(createCreateEntryFunctions({options.entryChecks}));
  if (options.debugInfo) {
    LLVM::DIScopeForLLVMFuncOpPassOptions scopes;
    scopes.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scopes));
  }
}

static LogicalResult populate(OpPassManager &pm, const TargetProfile &profile,
                              StringRef text, StageErrorFn onError) {
  LinkOptions options;
  if (failed(options.parse("link", text, onError)))
    return failure();
  switch (options.output) {
  case LinkOutput::Program:
    buildCodeObjectPipeline(pm);
    buildHostPipeline(pm, profile, options);
    break;
  case LinkOutput::CodeObject:
    buildCodeObjectPipeline(pm);
    pm.addPass(createFinishDeviceCode());
    break;
  case LinkOutput::Native:
    buildNativeCodePipeline(pm, profile);
    break;
  }
  return success();
}

static void registerDialects(DialectRegistry &registry) {
  // The two halves produce the same dialects.
  getCodegenStage().registerDialects(registry);
  registry.insert<async::AsyncDialect>();
  gpu::registerConvertGpuToLLVMInterface(registry);
  gpu::registerOffloadingLLVMTranslationInterfaceExternalModels(registry);
}

static constexpr TakenOption takenOptions[] = {
    {DriverOption::ConstantsFile, "constants-file"},
    {DriverOption::ConstantsThreshold, "constants-threshold"},
    {DriverOption::DebugInfo, "debug"},
    {DriverOption::EntryChecks, "entry-checks"},
    {DriverOption::WholeProgram, "whole-program"}};

static constexpr StageOutput outputs[] = {{"hsaco", "output", "code-object"},
                                          {"zebin", "output", "native"},
                                          {"host-llvm"},
                                          {"host-obj"},
                                          {"shared"},
                                          {"exe"}};

const Stage &getLinkStage() {
  static const Stage stage = {
      "link",
      "objects to code objects, and host functions to the LLVM dialect",
      populate,
      registerAirccLinkPasses,
      registerDialects,
      takenOptions,
      outputs};
  return stage;
}

} // namespace aircc
