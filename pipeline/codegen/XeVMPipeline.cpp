//===- XeVMPipeline.cpp - From gpu.modules to the XeVM dialect ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/CastIndexVectors.h"
#include "pipeline/codegen/DevicePipelines.h"
#include "pipeline/codegen/Passes.h"

#include "mlir/Conversion/MathToXeVM/MathToXeVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/XeGPUToXeVM/XeGPUToXeVM.h"
#include "mlir/Conversion/XeVMToLLVM/XeVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/Target/LLVM/XeVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/XeVM/XeVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace aircc {

/// Floats that SPIR-V has no arithmetic for. bf16 is kept as i16.
static const StringRef kEmulatedFloats[] = {"bf16", "f8E4M3FNUZ", "f8E5M2FNUZ",
                                            "f8E4M3FN", "f8E5M2"};

void buildXeVMPipeline(OpPassManager &pm, const TargetProfile &profile) {
  // First, while vectors have the shapes that the ops say.
  pm.addPass(createLowerNarrowSurfaces());
  pm.addPass(createConvertXeGPUToXeVMPass());
  pm.addPass(createCastIndexVectors());
  pm.addPass(createCanonicalizerPass());
  buildStructurePipeline(pm, profile);

  pm.addPass(createExpandFloatAtomics());
  buildAddressPipeline(pm);
  buildArithmeticPipeline(pm, kEmulatedFloats, /*addConversions=*/nullptr,
                          /*expandBf16=*/true);
  buildFlatPipeline(pm);

  // Where the program allows approximations, the hardware's.
  pm.addPass(createConvertMathToXeVM());
  pm.addPass(createConvertToXeVM());
  pm.addPass(createReconcileUnrealizedCastsPass());
  FinalizeKernelsOptions finalize;
  finalize.backend = profile.backend;
  pm.addPass(createFinalizeKernels(finalize));
}

void buildXeVMToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(createConvertXeVMToLLVMPass());
}

void registerXeVMDialects(DialectRegistry &registry) {
  registry.insert<xegpu::XeGPUDialect, xevm::XeVMDialect>();
  xevm::registerXeVMTargetInterfaceExternalModels(registry);
  registerXeVMDialectTranslation(registry);
}

} // namespace aircc
