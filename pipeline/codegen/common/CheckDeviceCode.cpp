//===- CheckDeviceCode.cpp - Reject unsupported device code ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/KernelArguments.h"
#include "pipeline/common/WorkgroupMemory.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CHECKDEVICECODE
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

bool isFnuz(Type type) {
  return isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type);
}
bool isOcp(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// Returns the type of the other family with the same exponent and mantissa
/// sizes.
Type getCounterpart(Type type) {
  MLIRContext *ctx = type.getContext();
  if (isa<Float8E4M3FNUZType>(type))
    return Float8E4M3FNType::get(ctx);
  if (isa<Float8E5M2FNUZType>(type))
    return Float8E5M2Type::get(ctx);
  if (isa<Float8E4M3FNType>(type))
    return Float8E4M3FNUZType::get(ctx);
  return Float8E5M2FNUZType::get(ctx);
}

/// Returns true if the elements of a memref are vectors of several rows, and
/// LLVM pads each row.
bool hasPaddedRows(MemRefType type) {
  auto vector = dyn_cast<VectorType>(type.getElementType());
  if (!vector || vector.getRank() < 2)
    return false;
  int64_t bits = vector.getShape().back() * vector.getElementTypeBitWidth();
  return !llvm::isPowerOf2_64(bits);
}

/// Returns whether a compare-and-swap loop supports the type.
bool canCompareAndSwap(Type type) {
  if (type.isIntOrIndex())
    return true;
  auto number = dyn_cast<FloatType>(type);
  return number && number.getWidth() >= 8 && number.getWidth() <= 64 &&
         llvm::isPowerOf2_64(number.getWidth());
}

/// Returns LLVM's address spaces that a memref may have. For AMD: flat, global,
/// LDS, constant, stack, and buffers. For SPIR-V: its own, and the number that
/// other GPUs use for the stack.
ArrayRef<int64_t> getMemorySpaces(aircc::Backend backend) {
  static constexpr int64_t kAMDGPU[] = {0, 1, 3, 4, 5, 7};
  static constexpr int64_t kSPIRV[] = {0, 1, 2, 3, 4, 5};
  return backend == aircc::Backend::ROCDL ? ArrayRef(kAMDGPU)
                                          : ArrayRef(kSPIRV);
}

bool hasUnknownSizeOnStack(Operation *op) {
  auto isUnknown = [](Value size) { return !matchPattern(size, m_Constant()); };
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return llvm::any_of(alloca.getDynamicSizes(), isUnknown);
  if (auto alloca = dyn_cast<LLVM::AllocaOp>(op))
    return isUnknown(alloca.getArraySize());
  return false;
}

struct CheckDeviceCode : aircc::impl::CheckDeviceCodeBase<CheckDeviceCode> {
  using CheckDeviceCodeBase::CheckDeviceCodeBase;

  void runOnOperation() override {
    // Visit all ops, so that one run reports all errors.
    bool failedAny = false;
    SymbolTableCollection tables;
    symbols = &tables;
    getOperation().walk([&](Operation *op) {
      if (failed(check(op)))
        failedAny = true;
    });
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult check(Operation *op) {
    if (isa<memref::AllocOp, memref::DeallocOp, memref::ReallocOp>(op))
      return op->emitOpError(
          "is not supported in kernels, which have no heap; use memref.alloca, "
          "a workgroup or private attribution of the gpu.func, or a buffer "
          "that the host passes in");
    if (auto load = dyn_cast<amdgpu::GatherToLDSOp>(op))
      return checkLoadToLDS(load);
    if (isa<vector::VectorScaleOp>(op))
      return op->emitOpError("uses scalable vectors, which GPUs do not "
                             "support; use vectors of a fixed size");
    if (auto cast = dyn_cast<vector::TypeCastOp>(op);
        cast && hasPaddedRows(cast.getResultMemRefType()))
      return op->emitOpError(
          "casts a buffer with vector elements whose rows are padded in "
          "memory, because their size is not a power of two; read the buffer "
          "with vector.transfer_read");
    if (isa<memref::DmaStartOp, memref::DmaWaitOp>(op))
      return op->emitOpError("is not supported in kernels; use memref.copy, "
                             "or, in AIR programs, air.dma_memcpy_nd");
    if (auto generic = dyn_cast<memref::GenericAtomicRMWOp>(op);
        generic && !canCompareAndSwap(generic.getResult().getType()))
      return op->emitOpError("operates on ")
             << generic.getResult().getType()
             << ", but compare-and-swap supports only integers and floats of "
                "8, 16, 32 or 64 bits; use a buffer of one of these types";
    if (backend == aircc::Backend::XeVM && hasUnknownSizeOnStack(op))
      return op->emitOpError(
          "has a dynamic size, which the stack in SPIR-V does not support; "
          "allocate the maximum size, or use a buffer that the host passes in");
    if (isa<scf::ParallelOp, scf::ForallOp>(op) && op->hasAttr("mapping"))
      return op->emitOpError("has a GPU mapping inside a kernel; map it to "
                             "gpu.launch before outlining, or drop the mapping "
                             "to run it sequentially in each thread");
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      for (Type type : function.getArgumentTypes())
        if (failed(checkMemorySpace(op, type)))
          return failure();
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
        kernel && kernel.isKernel() && failed(checkLds(kernel)))
      return failure();
    if (auto function = dyn_cast<FunctionOpInterface>(op);
        function && aircc::isKernelFunction(function))
      return aircc::checkKernelArguments(function, backend);
    if (auto call = dyn_cast<CallOpInterface>(op);
        call && failed(checkPrintf(call)))
      return failure();
    if (auto call = dyn_cast<func::CallOp>(op); call && failed(checkCall(call)))
      return failure();
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type)))
        return failure();
    for (Type type : op->getOperandTypes())
      if (failed(checkType(op, type)))
        return failure();
    return success();
  }

  /// Checks a load to LDS. The op stores the elements of the lanes
  /// contiguously, but the hardware writes at least 32 bits per lane.
  static LogicalResult checkLoadToLDS(amdgpu::GatherToLDSOp load) {
    Type piece = load.getTransferType();
    auto vector = dyn_cast<VectorType>(piece);
    Type element = getElementTypeOrSelf(piece);
    if (!element.isIntOrFloat())
      return success();
    int64_t bits = element.getIntOrFloatBitWidth() *
                   (vector ? vector.getNumElements() : 1);
    if (bits >= 32)
      return success();
    return load.emitOpError("loads ")
           << bits
           << " bits per lane, but the hardware does not keep the 32-bit words "
              "of a lane adjacent in LDS; load 32 bits per lane, or use a load "
              "and a store";
  }

  /// SPIR-V has an instruction for OpenCL's printf, but with format rules that
  /// only gpu.printf is known to satisfy. Other GPUs have no printf.
  LogicalResult checkPrintf(CallOpInterface call) {
    auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (!callee || callee.getRootReference() != "printf")
      return success();
    auto function = symbols->lookupNearestSymbolFrom<FunctionOpInterface>(
        call, callee.getRootReference());
    if (function && !function.isExternal())
      return success();
    return call->emitOpError(
        "calls 'printf', which GPUs do not have; use gpu.printf");
  }

  /// Adds up the kernel's workgroup attributions and the LDS globals that it
  /// uses. Without this check, LLVM would report an excess without a location.
  LogicalResult checkLds(gpu::GPUFuncOp kernel) {
    if (ldsBytes == 0)
      return success();
    SmallVector<std::pair<Location, Type>> buffers;
    for (BlockArgument buffer : kernel.getWorkgroupAttributions())
      buffers.emplace_back(buffer.getLoc(), buffer.getType());
    SetVector<Operation *> globals;
    kernel.walk([&](memref::GetGlobalOp get) {
      auto global = symbols->lookupNearestSymbolFrom<memref::GlobalOp>(
          get, get.getNameAttr());
      if (global && aircc::isWorkgroupMemory(global.getType()) &&
          globals.insert(global))
        buffers.emplace_back(global.getLoc(), global.getType());
    });
    DataLayout layout = DataLayout::closest(kernel);
    int64_t total = 0;
    for (auto [loc, type] : buffers) {
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref || !memref.hasStaticShape() ||
          !(memref.getElementType().isIntOrIndexOrFloat() ||
            isa<ComplexType, VectorType>(memref.getElementType())))
        continue;
      int64_t bytes =
          memref.getNumElements() *
          static_cast<int64_t>(layout.getTypeSize(memref.getElementType()));
      total += bytes;
      if (total <= ldsBytes)
        continue;
      InFlightDiagnostic diag =
          emitError(loc, "this buffer of ")
          << bytes << " bytes does not fit: with it, the kernel needs " << total
          << " bytes of LDS (shared local memory), but a workgroup may use "
             "only "
          << ldsBytes.getValue()
          << "; use smaller buffers, or reuse one buffer";
      diag.attachNote(kernel.getLoc()) << "the kernel is here";
      return diag;
    }
    return success();
  }

  /// The device libraries are linked later, by function name. Rejects calls to
  /// functions that they cannot define.
  LogicalResult checkCall(func::CallOp call) {
    auto callee = symbols->lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || !callee.isDeclaration())
      return success();
    if (call.getNumResults() <= 1 &&
        llvm::none_of(call.getOperandTypes(), llvm::IsaPred<BaseMemRefType>) &&
        llvm::none_of(call.getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      return success();
    InFlightDiagnostic diag =
        call.emitOpError("calls '")
        << call.getCallee()
        << "', which has no body in this gpu.module; GPU code can only call "
           "functions in its own gpu.module, and device library functions, "
           "which cannot take or return memrefs";
    diag.attachNote(callee.getLoc()) << "the function is declared here";
    return diag;
  }

  SymbolTableCollection *symbols = nullptr;

  LogicalResult checkMemorySpace(Operation *op, Type type) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    if (!memref || !memref.getMemorySpace() ||
        !isa<BuiltinDialect>(memref.getMemorySpace().getDialect()))
      return success();
    auto number = dyn_cast<IntegerAttr>(memref.getMemorySpace());
    if (number &&
        llvm::is_contained(getMemorySpaces(backend),
                           number.getValue().trySExtValue().value_or(-1)))
      return success();
    InFlightDiagnostic diag = op->emitOpError("uses memory space ");
    if (number)
      diag << number.getValue().getLimitedValue();
    else
      diag << memref.getMemorySpace();
    return diag
           << ", which this kind of GPU does not have; for global memory, omit "
              "it, and for other memory, use #gpu.address_space<workgroup> or "
              "#gpu.address_space<private>";
  }

  LogicalResult checkType(Operation *op, Type type) {
    if (failed(checkMemorySpace(op, type)))
      return failure();
    if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
      return op->emitOpError("operates on scalable vectors, which GPUs do not "
                             "support; use vectors of a fixed size");
    if (isa<TensorType>(type))
      return op->emitOpError(
          "operates on tensors, which kernels do not support; bufferize the "
          "program first (one-shot-bufferize)");
    Type element = getElementTypeOrSelf(type);
    if (auto number = dyn_cast<FloatType>(element);
        number && number.getWidth() > 64)
      return op->emitOpError("uses ")
             << element
             << ", which no GPU supports; the largest float type is f64";
    if (std::string lacks = aircc::findMissingNumber(type, backend);
        !lacks.empty())
      return op->emitOpError("operates on ") << type << ": " << lacks;
    // All targets can move 8-bit floats; only computations depend on the kind.
    bool computes = isComputation(op);
    if (!computes || (!isFnuz(element) && !isOcp(element)))
      return success();
    // Arithmetic is done in f32, and conversions without an instruction are
    // expanded.
    if (isa<arith::ArithDialect, math::MathDialect, vector::VectorDialect>(
            op->getDialect()))
      return success();
    switch (fp8) {
    case aircc::Fp8Kind::None:
      return op->emitOpError("needs 8-bit float instructions, which this chip "
                             "does not have (type ")
             << element << "); keep such data in f16, bf16 or f32";
    case aircc::Fp8Kind::FNUZ:
      if (isFnuz(element))
        return success();
      return op->emitOpError("uses the OCP type ")
             << element
             << ", but the chip's 8-bit floats are of the FNUZ kind; "
             << "convert the data and use " << getCounterpart(element);
    case aircc::Fp8Kind::OCP:
      if (isOcp(element))
        return success();
      return op->emitOpError("uses the FNUZ type ")
             << element << ", but the chip's 8-bit floats are of the OCP kind; "
             << "convert the data and use " << getCounterpart(element);
    }
    llvm_unreachable("unknown fp8 kind");
  }

  /// Returns whether the op interprets the bits of its operands or results,
  /// instead of only moving them.
  static bool isComputation(Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    StringRef name = op->getName().getStringRef();
    if (dialect == "memref" || dialect == "gpu" || dialect == "scf" ||
        dialect == "cf" || dialect == "func")
      return false;
    if (name == "arith.constant" || name == "arith.bitcast" ||
        name == "arith.select" || name == "builtin.unrealized_conversion_cast")
      return false;
    if (dialect == "vector")
      return name == "vector.contract" || name == "vector.fma" ||
             name == "vector.reduction" || name == "vector.multi_reduction" ||
             name == "vector.outerproduct" || name == "vector.scan";
    if (dialect == "amdgpu")
      return !name.contains("dma") && !name.contains("buffer") &&
             !name.contains("gather_to_lds") &&
             !name.contains("transpose_load");
    if (dialect == "affine")
      return false;
    // The ops in linalg bodies are visited separately; the operands are memory.
    if (dialect == "linalg")
      return false;
    return true;
  }
};

} // namespace
