//===- Runtime.cpp - Calls to the runtime from host code ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Runtime.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace aircc::channels {

FailureOr<Value> RuntimeCalls::call(OpBuilder &b, Location loc, StringRef name,
                                    Type result, ValueRange operands) {
  auto type = FunctionType::get(b.getContext(), TypeRange(operands),
                                result ? TypeRange(result) : TypeRange());
  Operation *declared = module.lookupSymbol(name);
  if (auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(declared)) {
    LLVM::LLVMFunctionType own = function.getFunctionType();
    Type ownResult = own.getReturnType();
    if (!own.isVarArg() && llvm::equal(own.getParams(), type.getInputs()) &&
        (result ? ownResult == result : isa<LLVM::LLVMVoidType>(ownResult))) {
      auto call = LLVM::CallOp::create(b, loc, function, operands);
      return result ? call.getResult() : Value();
    }
  }
  if (!declared) {
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto function = func::FuncOp::create(atStart, loc, name, type);
    function.setPrivate();
    declared = function;
  }
  auto function = dyn_cast<func::FuncOp>(declared);
  if (!function || function.getFunctionType() != type) {
    InFlightDiagnostic diag =
        declared->emitOpError("declares the runtime function ")
        << name << " with a type other than " << type;
    diag.attachNote(loc) << "the function is called here";
    return diag;
  }
  auto call = func::CallOp::create(b, loc, function, operands);
  return result ? call.getResult(0) : Value();
}

Value RuntimeCalls::getString(OpBuilder &b, Location loc, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto value = b.getStringAttr(bytes);
  LLVM::GlobalOp global;
  for (auto existing : module.getOps<LLVM::GlobalOp>())
    if (existing.getConstant() &&
        existing.getSymName().starts_with("air.text") &&
        existing.getValueOrNull() == value)
      global = existing;
  if (!global) {
    std::string name = "air.text";
    for (unsigned i = 0; module.lookupSymbol(name); ++i)
      name = "air.text." + std::to_string(i);
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    global = LLVM::GlobalOp::create(
        atStart, loc, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name, value);
  }
  return LLVM::AddressOfOp::create(b, loc, global);
}

FailureOr<Value> RuntimeCalls::getRank(OpBuilder &b, Location loc) {
  FailureOr<Value> rank = call(b, loc, "mgpuGetRank", b.getI32Type(), {});
  if (failed(rank))
    return failure();
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), *rank)
      .getResult();
}

FailureOr<Value> RuntimeCalls::getHeapBases(OpBuilder &b, Location loc) {
  return getTableOfRanks(b, loc, "mgpuGetHeapBases", {});
}

FailureOr<Value> RuntimeCalls::getChannelBases(OpBuilder &b, Location loc,
                                               Value pointer, RingShape shape) {
  SmallVector<Value> arguments = {pointer};
  for (int64_t size : {shape.rings, shape.depth, shape.lines})
    arguments.push_back(
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(size)));
  return getTableOfRanks(b, loc, "mgpuGetChannelBases", arguments);
}

FailureOr<Value> RuntimeCalls::getTableOfRanks(OpBuilder &b, Location loc,
                                               StringRef function,
                                               ValueRange arguments) {
  auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
  FailureOr<Value> bases = call(b, loc, function, pointerType, arguments);
  FailureOr<Value> size = call(b, loc, "mgpuGetWorldSize", b.getI32Type(), {});
  if (failed(bases) || failed(size))
    return failure();
  Value count = arith::IndexCastOp::create(b, loc, b.getIndexType(), *size);
  return createMemref(b, loc,
                      MemRefType::get({ShapedType::kDynamic}, b.getIndexType()),
                      *bases, count);
}

Value createMemref(OpBuilder &b, Location loc, MemRefType type, Value pointer,
                   ValueRange sizes) {
  LLVMTypeConverter converter(b.getContext());
  // Remove the memory space of the symmetric heap, because it is not an address
  // space.
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  Type descriptorType = converter.convertType(plain);
  auto descriptor = MemRefDescriptor::poison(b, loc, descriptorType);
  descriptor.setAllocatedPtr(b, loc, pointer);
  descriptor.setAlignedPtr(b, loc, pointer);
  auto i64 = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  };
  descriptor.setOffset(
      b, loc, arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)));
  Value stride = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    Value size = i64(sizes[dim]);
    descriptor.setSize(b, loc, dim, size);
    descriptor.setStride(b, loc, dim, stride);
    if (dim)
      stride = b.createOrFold<arith::MulIOp>(loc, stride, size);
  }
  return UnrealizedConversionCastOp::create(b, loc, type, Value(descriptor))
      .getResult(0);
}

Value getAlignedPointer(OpBuilder &b, Location loc, Value memref) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), integer);
}

static void describe(Location loc, llvm::raw_ostream &os) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << " at " << file.getFilename().getValue() << ":" << file.getLine()
       << ":" << file.getColumn();
}

std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName();
  if (auto name = op->getAttrOfType<StringAttr>("sym_name"))
    os << " @" << name.getValue();
  describe(op->getLoc(), os);
  return text;
}

} // namespace aircc::channels
