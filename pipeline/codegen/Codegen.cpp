//===- Codegen.cpp - The codegen stage ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Codegen.h"

#include "pipeline/codegen/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToAMDGPU/ArithToAMDGPU.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/SCFToGPU/SCFToGPUPass.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVM/ROCDL/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace aircc {

/// Arithmetic on 8-bit floats is done in f32; at most conversions are native.
static const llvm::StringLiteral kSmallFloats[] = {"f8E4M3FNUZ", "f8E5M2FNUZ",
                                                   "f8E4M3FN", "f8E5M2"};

/// From any mix of dialects in a gpu.module to LLVM and ROCDL.
static void buildDevicePipeline(OpPassManager &pm,
                                const TargetProfile &profile) {
  CheckDeviceCodeOptions check;
  check.fp8 = profile.fp8;
  pm.addPass(createCheckDeviceCode(check));

  // Structured ops to loops and scalars.
  pm.addPass(createLowerAsserts());
  pm.addPass(createConvertComplexToStandardPass());
  pm.addPass(createExpandMath());
  pm.addPass(createLowerDeviceMemory());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createForallToForLoopPass());
  pm.addPass(createLowerDeviceVectors());
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll();
  pm.addPass(createConvertVectorToSCFPass(transfers));

  // What lanes do together, while control flow still has its structure.
  pm.addPass(createLowerAffinePass());
  LowerReductionsOptions reductions;
  reductions.waveSize = profile.waveSize;
  reductions.maxThreads = profile.limits.threadsPerWorkgroup;
  pm.addPass(createLowerReductions(reductions));
  LowerShufflesOptions shuffles;
  shuffles.chip = profile.chip;
  shuffles.waveSize = profile.waveSize;
  pm.addPass(createLowerShuffles(shuffles));
  LowerLaunchSizesOptions sizes;
  sizes.waveSize = profile.waveSize;
  pm.addPass(createLowerLaunchSizes(sizes));

  // Addresses and small floats.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(amdgpu::createAmdgpuResolveStridedMetadataPass());
  amdgpu::AmdgpuEmulateAtomicsPassOptions atomics;
  atomics.chipset = profile.chip;
  pm.addPass(amdgpu::createAmdgpuEmulateAtomicsPass(atomics));
  pm.addPass(createLowerAffinePass());
  pm.addPass(createExtendMath());
  pm.addPass(createCallMathFunctions());
  math::MathExpandOpsPassOptions mathOps;
  mathOps.opMnemonics = {"clampf"};
  pm.addPass(math::createMathExpandOpsPass(mathOps));
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  for (llvm::StringLiteral type : kSmallFloats)
    floats.sourceTypeStrs.push_back(type.str());
  floats.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  pm.addPass(createRoundEachOp());
  if (profile.fp8 != Fp8Kind::None) {
    ArithToAMDGPUConversionPassOptions conversions;
    conversions.chipset = profile.chip;
    pm.addPass(createArithToAMDGPUConversionPass(conversions));
  }
  pm.addPass(createExpandSmallFloats());
  pm.addPass(createExpandIntegerPowers());
  pm.addPass(createExpandWideDivision());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeF8E8M0 = true;
  expand.includeF4E2M1 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));

  // To one flat control flow, cleaned before the big conversion.
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Unrolled transfers, and what canonicalisation makes of them, are again of
  // more than one dimension.
  pm.addPass(createLowerDeviceVectors());

  ConvertGpuOpsToROCDLOpsOptions rocdl;
  rocdl.chipset = profile.chip;
  // Buffers larger than 4 GiB are common; narrower indices would wrap.
  rocdl.indexBitwidth = 64;
  rocdl.runtime = gpu::amd::Runtime::HIP;
  pm.addPass(createConvertGpuOpsToROCDLOps(rocdl));
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFinalizeKernels());
}

void buildCodegenPipeline(OpPassManager &pm, const TargetProfile &profile,
                          const CodegenOptions &options) {
  pm.addPass(createCheckCodegenInput());
  // Kernels that the input has inline.
  pm.addPass(createConvertParallelLoopToGpuPass());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());

  AttachTargetOptions target;
  target.triple = profile.triple;
  target.chip = profile.chip;
  target.features = profile.features;
  target.codeObjectVersion = profile.codeObjectVersion;
  target.waveSize = profile.waveSize;
  target.optLevel = options.optLevel;
  pm.addPass(createAttachTarget(target));
  SetKernelAttributesOptions kernels;
  kernels.maxThreads = profile.limits.threadsPerWorkgroup;
  kernels.launchedElsewhere = options.launchedElsewhere;
  pm.addPass(createSetKernelAttributes(kernels));

  buildDevicePipeline(pm.nest<gpu::GPUModuleOp>(), profile);
  if (options.debugInfo) {
    LLVM::DIScopeForLLVMFuncOpPassOptions scopes;
    scopes.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scopes));
  }
  if (options.format == DeviceFormat::ROCDL)
    return;
  GPUModuleToObjectOptions object;
  object.format = options.format;
  object.rocmPath = options.rocmPath;
  object.deviceLibs.assign(profile.deviceLibs.begin(),
                           profile.deviceLibs.end());
  pm.addPass(createGPUModuleToObject(object));
}

static LogicalResult populate(OpPassManager &pm, const TargetProfile &profile,
                              StringRef text, StageErrorFn onError) {
  CodegenOptions options;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(options.parseFromString(text, os))) {
    onError("codegen: " + StringRef(message).trim());
    return failure();
  }
  if (options.optLevel > 3) {
    onError("codegen: opt-level is 0 to 3, not " + Twine(options.optLevel));
    return failure();
  }
  if (profile.backend != Backend::ROCDL) {
    onError("codegen: the target '" + Twine(profile.name) +
            "' is not one of the rocdl backend");
    return failure();
  }
  buildCodegenPipeline(pm, profile, options);
  return success();
}

static void registerDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, amdgpu::AMDGPUDialect, arith::ArithDialect,
              cf::ControlFlowDialect, complex::ComplexDialect, DLTIDialect,
              func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
              linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
              memref::MemRefDialect, ROCDL::ROCDLDialect, scf::SCFDialect,
              ub::UBDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
}

const Stage &getCodegenStage() {
  static const Stage stage = {
      "codegen", "GPU modules to LLVM IR, assembly or objects of the chip",
      populate, registerAirccCodegenPasses, registerDialects};
  return stage;
}

} // namespace aircc
