//===- ConvertToXeVM.cpp - Lower gpu.modules to LLVM and XeVM -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/DeviceFunctions.h"
#include "pipeline/codegen/common/IntegerPointers.h"
#include "pipeline/codegen/xevm/OpenCLMath.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToLLVMSPV/GPUToLLVMSPVPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CONVERTTOXEVM
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// AMD and NVIDIA GPUs use this address space for the stack.
constexpr int64_t kStackSpaceElsewhere = 5;

struct ConvertToXeVM : aircc::impl::ConvertToXeVMBase<ConvertToXeVM> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      moveAttributionsToGlobals(kernel, symbols);
    if (failed(passDynamicMemory()))
      return signalPassFailure();
    getOperation().walk([](vector::ExpandLoadOp load) { lower(load); });
    getOperation().walk([](vector::CompressStoreOp store) { lower(store); });
    aircc::callOpenCLMath(getOperation());
    replaceTypes();
    if (failed(aircc::makeIntegerPointersGeneric(getOperation(),
                                                 aircc::kXeVMGenericSpace)) ||
        failed(convert()))
      signalPassFailure();
  }

  /// Turns each workgroup attribution of a kernel into a global variable.
  static void moveAttributionsToGlobals(gpu::GPUFuncOp kernel,
                                        SymbolTable &symbols) {
    OpBuilder b(kernel);
    for (BlockArgument buffer :
         llvm::to_vector(kernel.getWorkgroupAttributions())) {
      b.setInsertionPoint(kernel);
      auto type = cast<MemRefType>(buffer.getType());
      auto global = memref::GlobalOp::create(
          b, buffer.getLoc(), (kernel.getName() + "_workgroup").str(),
          b.getStringAttr("private"), type, b.getUnitAttr(),
          /*constant=*/false, /*alignment=*/IntegerAttr());
      symbols.insert(global); // makes its name unique
      b.setInsertionPointToStart(&kernel.getBody().front());
      Value address = memref::GetGlobalOp::create(b, buffer.getLoc(), type,
                                                  global.getSymName());
      buffer.replaceAllUsesWith(address);
    }
    unsigned first = kernel.getNumArguments(),
             count = kernel.getNumWorkgroupAttributions();
    if (count == 0)
      return;
    kernel.getBody().front().eraseArguments(first, count);
    kernel->setAttr(kernel.getNumWorkgroupAttributionsAttrName(),
                    b.getI64IntegerAttr(0));
    kernel.removeWorkgroupAttribAttrsAttr();
  }

  /// Passes memory whose size the launch sets as the kernel's last argument,
  /// which the runtime provides implicitly.
  LogicalResult passDynamicMemory() {
    WalkResult result =
        getOperation().walk([&](gpu::DynamicSharedMemoryOp op) -> WalkResult {
          auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
          if (!kernel || !kernel.isKernel())
            return op.emitOpError(
                "must be in a kernel, because callers of a function cannot set "
                "its size; pass the memory to the function from the kernel");
          lower(op, getDynamicMemory(kernel));
          return WalkResult::advance();
        });
    dynamicMemory.clear();
    return failure(result.wasInterrupted());
  }

  Value getDynamicMemory(gpu::GPUFuncOp kernel) {
    Value &pointer = dynamicMemory[kernel];
    if (pointer)
      return pointer;
    auto type = LLVM::LLVMPointerType::get(
        &getContext(), static_cast<unsigned>(xevm::AddrSpace::SHARED));
    unsigned index = kernel.getNumArguments();
    (void)kernel.insertArgument(index, type, DictionaryAttr(), kernel.getLoc());
    return pointer = kernel.getArgument(index);
  }

  /// Lowers the op to a descriptor. Views use its pointer and their own sizes.
  static void lower(gpu::DynamicSharedMemoryOp op, Value pointer) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Type i64 = b.getI64Type(), one = LLVM::LLVMArrayType::get(i64, 1);
    auto type = LLVM::LLVMStructType::getLiteral(
        b.getContext(), {pointer.getType(), pointer.getType(), i64, one, one});
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    Value descriptor = LLVM::PoisonOp::create(b, loc, type);
    auto set = [&](Value value, ArrayRef<int64_t> place) {
      descriptor =
          LLVM::InsertValueOp::create(b, loc, descriptor, value, place);
    };
    set(pointer, {0});
    set(pointer, {1});
    set(constant(0), {2});
    // The kernel does not know the size.
    set(constant(INT64_MAX), {3, 0});
    set(constant(1), {4, 0});
    auto cast =
        UnrealizedConversionCastOp::create(b, loc, op.getType(), descriptor);
    op.replaceAllUsesWith(cast.getResult(0));
    op.erase();
  }

  /// Returns, for each element of `mask`, the number of true elements before
  /// it, which is the offset in memory of a packed access.
  static Value countBefore(OpBuilder &b, Location loc, Value mask) {
    int64_t size = cast<VectorType>(mask.getType()).getNumElements();
    Type i32 = b.getI32Type();
    Value count = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    SmallVector<Value> counts;
    for (int64_t i = 0; i < size; ++i) {
      counts.push_back(count);
      Value bit = vector::ExtractOp::create(b, loc, mask, i);
      count = arith::AddIOp::create(b, loc, count,
                                    arith::ExtUIOp::create(b, loc, i32, bit));
    }
    return vector::FromElementsOp::create(b, loc, VectorType::get(size, i32),
                                          counts);
  }

  /// LLVM's intrinsics for packed accesses support only address space 0.
  static void lower(vector::ExpandLoadOp load) {
    OpBuilder b(load);
    Value places = countBefore(b, load.getLoc(), load.getMask());
    Value gathered = vector::GatherOp::create(
        b, load.getLoc(), load.getType(), load.getBase(), load.getIndices(),
        places, load.getMask(), load.getPassThru());
    load.replaceAllUsesWith(gathered);
    load.erase();
  }
  static void lower(vector::CompressStoreOp store) {
    OpBuilder b(store);
    Value places = countBefore(b, store.getLoc(), store.getMask());
    vector::ScatterOp::create(b, store.getLoc(), Type(), store.getBase(),
                              store.getIndices(), places, store.getMask(),
                              store.getValueToStore());
    store.erase();
  }

  /// Replaces memory spaces and bf16. Memory without a memory space becomes
  /// generic, because LLVM's address space 0 is SPIR-V's stack. Programs
  /// written for other GPUs use 5 for the stack. bf16 becomes i16; at this
  /// point, all bf16 arithmetic has been expanded.
  void replaceTypes() {
    auto space = IntegerAttr::get(IntegerType::get(&getContext(), 64),
                                  aircc::kXeVMGenericSpace);
    auto stack = gpu::AddressSpaceAttr::get(
        &getContext(), gpu::GPUDialect::getPrivateAddressSpace());
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
      auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
      if (number && number.getInt() == kStackSpaceElsewhere)
        return MemRefType::get(type.getShape(), type.getElementType(),
                               type.getLayout(), stack);
      if (type.getMemorySpace())
        return std::nullopt;
      return MemRefType::get(type.getShape(), type.getElementType(),
                             type.getLayout(), space);
    });
    replacer.addReplacement(
        [&](UnrankedMemRefType type) -> std::optional<Type> {
          if (type.getMemorySpace())
            return std::nullopt;
          return UnrankedMemRefType::get(type.getElementType(), space);
        });
    Type bits = IntegerType::get(&getContext(), 16);
    replacer.addReplacement([=](BFloat16Type) -> Type { return bits; });
    replacer.addReplacement([=](FloatAttr value) -> std::optional<Attribute> {
      if (!value.getType().isBF16())
        return std::nullopt;
      return IntegerAttr::get(bits, value.getValue().bitcastToAPInt());
    });
    replacer.addReplacement(
        [=](DenseFPElementsAttr values) -> std::optional<Attribute> {
          if (!values.getElementType().isBF16())
            return std::nullopt;
          return values.bitcast(bits);
        });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

  LogicalResult convert() {
    MLIRContext *ctx = &getContext();
    LowerToLLVMOptions options(ctx);
    // Narrower indices would overflow, because buffers larger than 4 GiB are
    // common.
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(ctx, options);
    populateGpuMemorySpaceAttributeConversions(converter);

    RewritePatternSet patterns(ctx);
    populateGpuToLLVMSPVConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateComplexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);

    LLVMConversionTarget target(*ctx);
    target.addLegalDialect<LLVM::LLVMDialect, xevm::XeVMDialect>();
    target.addLegalOp<gpu::GPUModuleOp, UnrealizedConversionCastOp>();
    target.addIllegalDialect<gpu::GPUDialect>();
    target.addLegalOp<gpu::GPUModuleOp>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  llvm::DenseMap<Operation *, Value> dynamicMemory;
};

} // namespace
