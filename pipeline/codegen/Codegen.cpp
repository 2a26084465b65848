//===- Codegen.cpp - The codegen stage ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Codegen.h"

#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/codegen/DevicePipelines.h"
#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/CastIndexVectors.h"
#include "pipeline/common/Passes.h"
#include "pipeline/common/StageOptions.h"
#include "pipeline/common/kernels/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToGPU/SCFToGPUPass.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;

namespace aircc {

namespace {

struct CodegenOptions : StageOptions {
  Option<unsigned> optLevel{*this,
                            "opt-level",
                            {0, 3},
                            llvm::cl::desc("Optimization level"),
                            llvm::cl::init(2)};
  Option<std::string> rocmPath{
      *this, "rocm-path",
      llvm::cl::desc("ROCm installation to take device libraries from (none: "
                     "search)")};
  Option<bool> debugInfo{*this, "debug",
                         llvm::cl::desc("Emit line tables for kernels")};
  Option<bool> hasExternalLaunches{
      *this, "has-external-launches",
      llvm::cl::desc("Programs that are not in the module launch the kernels: "
                     "take no grid size from its launches")};
  Option<DeviceFormat> format{
      *this, "format", llvm::cl::desc("What to produce"),
      llvm::cl::init(DeviceFormat::Object),
      llvm::cl::values(
          clEnumValN(DeviceFormat::Dialect, "dialect",
                     "Modules in the LLVM dialect and the backend's own"),
          clEnumValN(DeviceFormat::LLVM, "llvm", "LLVM IR as text"),
          clEnumValN(DeviceFormat::Assembly, "asm", "Assembly"),
          clEnumValN(DeviceFormat::Object, "obj",
                     "Relocatable objects, or SPIR-V"))};
  Option<bool> async{
      *this, "async",
      llvm::cl::desc("Do not wait for the code: its consumers do")};
};

} // namespace

/// Adds the stage's passes to `pm` (anchored on builtin.module).
static void buildCodegenPipeline(OpPassManager &pm,
                                 const TargetProfile &profile,
                                 const CodegenOptions &options) {
  pm.addPass(createVerifyInput());
  pm.addPass(createCountLoopIterations({/*onlyConstant=*/true}));
  // Outline kernels that the input contains inline.
  pm.addPass(createConvertParallelLoopToGpuPass());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  // Debug information and external programs refer to kernels by name.
  if (!options.debugInfo && !options.hasExternalLaunches) {
    pm.addPass(createMergeIdenticalKernels());
    pm.addPass(createGroupModules());
  }

  AttachTargetOptions target;
  target.backend = profile.backend;
  target.triple = profile.triple;
  target.chip = profile.chip;
  target.features = profile.features;
  target.codeObjectVersion = profile.codeObjectVersion;
  target.waveSize = profile.waveSize;
  target.optLevel = options.optLevel;
  pm.addPass(createAttachTarget(target));
  SetKernelAttributesOptions kernels;
  kernels.backend = profile.backend;
  kernels.waveSize = profile.waveSize;
  kernels.maxThreads = profile.limits.threadsPerWorkgroup;
  kernels.hasExternalLaunches = options.hasExternalLaunches;
  pm.addPass(createSetKernelAttributes(kernels));

  OpPassManager &device = pm.nest<gpu::GPUModuleOp>();
  if (profile.backend == Backend::ROCDL)
    buildROCDLPipeline(device, profile);
  else
    buildXeVMPipeline(device, profile);
  if (options.debugInfo) {
    LLVM::DIScopeForLLVMFuncOpPassOptions scopes;
    scopes.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scopes));
  }
  if (options.format == DeviceFormat::Dialect)
    return;
  if (profile.backend == Backend::XeVM)
    buildXeVMToLLVMPipeline(pm.nest<gpu::GPUModuleOp>());
  CompileGPUModulesOptions object;
  object.format = options.format;
  object.rocmPath = options.rocmPath;
  object.deviceLibs.assign(profile.deviceLibs.begin(),
                           profile.deviceLibs.end());
  object.async = options.async;
  pm.addPass(createCompileGPUModules(object));
}

static LogicalResult populate(OpPassManager &pm, const TargetProfile &profile,
                              StringRef text, StageErrorFn onError) {
  CodegenOptions options;
  if (failed(options.parse("codegen", text, onError)))
    return failure();
  buildCodegenPipeline(pm, profile, options);
  return success();
}

static void registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, complex::ComplexDialect, DLTIDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerDeviceCodeJobs(registry);
  registerROCDLDialects(registry);
  registerXeVMDialects(registry);
}

static void registerPasses() {
  registerAirccCommonPasses();
  registerAirccKernelPasses();
  registerAirccCodegenPasses();
  mlir::registerPass(createCastIndexVectors);
}

static constexpr TakenOption takenOptions[] = {
    {DriverOption::OptLevel, "opt-level"},
    {DriverOption::RocmPath, "rocm-path"},
    {DriverOption::DebugInfo, "debug"},
    {DriverOption::DeviceCodeOnly, "has-external-launches"},
    {DriverOption::StagesFollow, "async"}};

static constexpr StageOutput outputs[] = {
    {"rocdl", "format", "dialect"}, {"xevm", "format", "dialect"},
    {"llvm", "format", "llvm"},     {"asm", "format", "asm"},
    {"obj", "format", "obj"},       {"spirv", "format", "obj"}};

const Stage &getCodegenStage() {
  static const Stage stage = {
      "codegen",
      "GPU modules to LLVM IR, assembly or objects of the chip",
      populate,
      registerPasses,
      registerDialects,
      takenOptions,
      outputs};
  return stage;
}

} // namespace aircc
