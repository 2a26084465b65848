//===- ROCDLPipeline.cpp - Lower gpu.modules to the ROCDL dialect ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DevicePipelines.h"
#include "pipeline/codegen/Passes.h"
#include "pipeline/common/Passes.h"
#include "pipeline/common/SmallFloats.h"
#include "pipeline/common/passes/RunIfUsed.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToAMDGPU/ArithToAMDGPU.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVM/ROCDL/Target.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"

using namespace mlir;

namespace aircc {

void buildROCDLPipeline(OpPassManager &pm, const TargetProfile &profile) {
  pm.addPass(createLowerLaneOps({profile.backend}));
  buildStructurePipeline(pm, profile);

  pm.addPass(createExpandFloatAtomics());
  buildAddressPipeline(pm, [](OpPassManager &pm) {
    pm.addPass(amdgpu::createAmdgpuResolveStridedMetadataPass());
  });
  amdgpu::AmdgpuEmulateAtomicsPassOptions atomics;
  atomics.chipset = profile.chip;
  addPassIfUsed(pm, {"amdgpu"},
                amdgpu::createAmdgpuEmulateAtomicsPass(atomics));
  auto addConversions = [&](OpPassManager &pm) {
    if (profile.fp8 == Fp8Kind::None)
      return;
    pm.addPass(createExpandSmallFloats({/*onlyDouble=*/true}));
    ArithToAMDGPUConversionPassOptions conversions;
    conversions.chipset = profile.chip;
    addPassIfUsed(pm,
                  {"arith.extf", "arith.truncf", "arith.scaling_extf",
                   "arith.scaling_truncf"},
                  createArithToAMDGPUConversionPass(conversions));
  };
  // Chips with scaled matrix instructions also have instructions for
  // arith.scaling_extf and arith.scaling_truncf. Other chips expand these ops.
  if (llvm::any_of(profile.matrixInstructions,
                   [](auto &instruction) { return instruction.isScaled(); }))
    addConversions(pm);
  buildArithmeticPipeline(pm, profile, kSmallFloats, addConversions);
  buildFlatPipeline(pm);

  pm.addPass(createLowerKernelOps({profile.backend}));
  ConvertGpuOpsToROCDLOpsOptions rocdl;
  rocdl.chipset = profile.chip;
  // Narrower indices would overflow, because buffers larger than 4 GiB are
  // common.
  rocdl.indexBitwidth = 64;
  rocdl.runtime = gpu::amd::Runtime::HIP;
  pm.addPass(createConvertGpuOpsToROCDLOps(rocdl));
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createSeparateTransfers());
  FinalizeKernelsOptions finalize;
  finalize.backend = profile.backend;
  pm.addPass(createFinalizeKernels(finalize));
}

void registerROCDLDialects(DialectRegistry &registry) {
  registry.insert<amdgpu::AMDGPUDialect, ROCDL::ROCDLDialect>();
  ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
  registerROCDLDialectTranslation(registry);
}

} // namespace aircc
