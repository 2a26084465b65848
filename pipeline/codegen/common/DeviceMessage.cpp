//===- DeviceMessage.cpp - Messages from an AMD GPU to the host -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/DeviceMessage.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace aircc {

/// AMDGPU's address space of constant memory.
static constexpr unsigned kConstantAddressSpace = 4;

static Value constant(OpBuilder &b, Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, type, value);
}

Value DeviceMessage::call(OpBuilder &b, Location loc, StringRef name,
                          ValueRange arguments) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        b.getI64Type(), llvm::to_vector(arguments.getTypes()));
    function = LLVM::LLVMFuncOp::create(top, loc, name, type);
  }
  return LLVM::CallOp::create(b, loc, function, arguments).getResult();
}

Value DeviceMessage::begin(OpBuilder &b, Location loc, bool toStderr) {
  if (toStderr)
    return call(b, loc, "__ockl_fprintf_stderr_begin", {});
  // The argument is a version, which is unused.
  return call(b, loc, "__ockl_printf_begin",
              constant(b, loc, b.getI64Type(), 0));
}

Value DeviceMessage::appendFormat(OpBuilder &b, Location loc, Value message,
                                  StringRef format, bool isLast) {
  std::string text = format.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
  LLVM::GlobalOp global;
  for (auto other : module.getOps<LLVM::GlobalOp>())
    if (other.getConstant() && other.getType() == type &&
        other.getAddrSpace() == kConstantAddressSpace &&
        other.getValueOrNull() == Attribute(b.getStringAttr(text)))
      global = other;
  if (!global) {
    SymbolTable symbols(module);
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    global = LLVM::GlobalOp::create(
        top, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
        "__aircc_print_format", b.getStringAttr(text), /*alignment=*/0,
        kConstantAddressSpace);
    symbols.insert(global); // Makes its name unique.
  }
  Value address = LLVM::AddressOfOp::create(b, loc, global);
  address = LLVM::AddrSpaceCastOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), address);
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  return call(b, loc, "__ockl_printf_append_string_n",
              {message, address,
               constant(b, loc, i64, static_cast<int64_t>(text.size())),
               constant(b, loc, i32, isLast)});
}

Value DeviceMessage::appendArguments(OpBuilder &b, Location loc, Value message,
                                     ValueRange arguments, bool isLast) {
  assert(arguments.size() <= kArguments && "too many arguments for one part");
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  SmallVector<Value> all = {
      message, constant(b, loc, i32, static_cast<int64_t>(arguments.size()))};
  llvm::append_range(all, arguments);
  if (arguments.size() < kArguments)
    all.append(kArguments - arguments.size(), constant(b, loc, i64, 0));
  all.push_back(constant(b, loc, i32, isLast));
  return call(b, loc, "__ockl_printf_append_args", all);
}

} // namespace aircc
