//===- XeVMPipeline.cpp - Lower gpu.modules to the XeVM dialect -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DevicePipelines.h"
#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/CastIndexVectors.h"
#include "pipeline/common/Passes.h"
#include "pipeline/common/SmallFloats.h"
#include "pipeline/common/passes/RunIfUsed.h"

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

void buildXeVMPipeline(OpPassManager &pm, const TargetProfile &profile) {
  pm.addPass(createLowerBlockOps());
  pm.addPass(createLowerLaneOps({profile.backend}));
  // Run this while vectors still have the shapes of the xegpu ops.
  pm.addPass(createLowerNarrowSurfaces());
  addPassesIfUsed(pm, {"xegpu", "vector"}, [](OpPassManager &pm) {
    // Upstream's pass turns memrefs that structured control flow passes into
    // integers, and vectors with one small float into scalars that LLVM does
    // not have. Other ops cannot use these.
    pm.addPass(createLowerControlFlow({/*memrefs=*/true}));
    pm.addPass(createConvertXeGPUToXeVMPass());
    pm.addPass(createCastIndexVectors());
    pm.addPass(createCanonicalizerPass());
  });
  buildStructurePipeline(pm, profile);

  pm.addPass(createExpandFloatAtomics({/*expandBf16=*/true}));
  buildAddressPipeline(pm);
  // SPIR-V has no arithmetic for these float types. bf16 is stored as i16.
  SmallVector<StringRef> emulated{"bf16"};
  llvm::append_range(emulated, kSmallFloats);
  buildArithmeticPipeline(pm, profile, emulated, /*addConversions=*/nullptr);
  buildFlatPipeline(pm);

  // This uses hardware approximations where fast-math flags allow them.
  pm.addPass(createConvertMathToXeVM());
  pm.addPass(createLowerKernelOps({profile.backend}));
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
