//===- KernelArguments.cpp - Argument types of kernels --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/KernelArguments.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

bool aircc::isKernelFunction(FunctionOpInterface function) {
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return kernel.isKernel();
  auto kernel = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation());
  return kernel && (kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
                    kernel->hasAttr(
                        ROCDL::ROCDLDialect::KernelAttrHelper::getNameStr()) ||
                    kernel.getCConv() == LLVM::CConv::SPIR_KERNEL);
}

std::string aircc::findMissingNumber(Type type, Backend backend) {
  Type element = getElementTypeOrSelf(type);
  while (isa<VectorType>(element))
    element = getElementTypeOrSelf(element);
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (isa<LLVM::LLVMPPCFP128Type>(element) ||
      (isa<FloatType>(element) && element.getIntOrFloatBitWidth() > 64))
    return "no GPU supports floats of more than 64 bits; use f64";
  if (backend == Backend::XeVM && isa<IntegerType>(element) &&
      element.getIntOrFloatBitWidth() > 64)
    return "Intel GPUs do not support integers of more than 64 bits; split it "
           "into several";
  return "";
}

/// Returns why `vector` cannot be an argument of a kernel, or "".
static std::string refuseVector(VectorType vector, aircc::Backend backend) {
  if (vector.isScalable())
    return "GPUs do not support scalable vectors; use a vector of a fixed size";
  if (backend != aircc::Backend::XeVM)
    return "";
  // LLVM packs elements of other sizes in memory.
  Type element = vector.getElementType();
  bool isBoolean = element.isInteger(1) && vector.getRank() <= 1;
  if (element.isIntOrFloat() && !isBoolean &&
      !llvm::is_contained({8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth()))
    return "its elements share bytes; pass an integer and use vector.bitcast";
  if (isBoolean)
    return vector.getNumElements() <= 64
               ? ""
               : "kernels for Intel GPUs take vectors of at most 64 booleans; "
                 "pass it in memory, or in parts";
  if (vector.getRank() <= 1)
    return vector.getNumElements() <= 16
               ? ""
               : "kernels for Intel GPUs take vectors of at most 16 elements; "
                 "pass it in memory, or in parts";
  // The innermost dimension is LLVM's vector; the others are arrays.
  if (llvm::is_contained({2, 4, 8, 16}, vector.getShape().back()))
    return "";
  return "kernels for Intel GPUs take multidimensional vectors only with rows "
         "of 2, 4, 8 or 16 elements; pass it in memory, or in parts";
}

/// Returns why a kernel cannot have an argument of `type`, or "".
static std::string refuse(Type type, aircc::Backend backend) {
  if (isa<xegpu::TensorDescType, xegpu::MemDescType, xegpu::NbarrierType>(type))
    return "such values can only be created in the kernel";
  if (isa<UnrankedMemRefType>(type))
    return "its descriptor is on the host's stack; cast it to a ranked type "
           "before the launch";
  if (std::string lacks = aircc::findMissingNumber(type, backend);
      !lacks.empty() && !isa<BaseMemRefType>(type))
    return lacks;
  if (auto vector = dyn_cast<VectorType>(type))
    return refuseVector(vector, backend);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return refuse(array.getElementType(), backend);
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    if (structure.isOpaque() || !structure.isInitialized())
      return "its size is unknown; pass a pointer";
    for (Type member : structure.getBody())
      if (std::string reason = refuse(member, backend); !reason.empty())
        return reason;
    return "";
  }
  if (isa<LLVM::LLVMVoidType, LLVM::LLVMFunctionType, LLVM::LLVMTokenType,
          LLVM::LLVMMetadataType, LLVM::LLVMLabelType, LLVM::LLVMTargetExtType,
          LLVM::LLVMX86AMXType>(type))
    return "such a value cannot be stored in memory; pass a pointer or a "
           "number";
  return "";
}

LogicalResult aircc::checkKernelArguments(FunctionOpInterface kernel,
                                          Backend backend) {
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (std::string reason = refuse(type, backend); !reason.empty())
      return kernel->emitOpError("takes ")
             << type << " as argument " << i << ": " << reason;
  return success();
}
