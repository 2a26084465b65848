//===- LowerAsserts.cpp - Lower assertions in kernels ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/DeviceMessage.h"
#include "pipeline/codegen/common/PrintFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERASSERTS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// The global that holds the address of a failed assertion's message. The
/// simulated device reads it when a kernel traps
/// (simulator/exec/scalar/ControlOps.cpp).
constexpr StringLiteral kMessagePlace = "__aircc_assertion";
constexpr StringLiteral kMessageName = "__aircc_assertion_text";

/// AMDGPU's address spaces for global and constant memory.
constexpr unsigned kGlobalAddressSpace = 1;
constexpr unsigned kConstantAddressSpace = 4;

struct LowerAsserts : aircc::impl::LowerAssertsBase<LowerAsserts> {
  using LowerAssertsBase::LowerAssertsBase;

  void runOnOperation() override {
    // In SPIR-V, generic pointers cannot point to constant memory.
    textSpace = backend == aircc::Backend::ROCDL ? kConstantAddressSpace
                                                 : kGlobalAddressSpace;
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    if (asserts.empty())
      return;
    SymbolTable symbols(getOperation());
    LLVM::GlobalOp place = createPlace(symbols);
    llvm::StringMap<LLVM::GlobalOp> texts;
    for (cf::AssertOp op : asserts) {
      LLVM::GlobalOp &text = texts[op.getMsg()];
      if (!text)
        text = createText(symbols, op);
      OpBuilder b(op);
      Value yes =
          arith::ConstantOp::create(b, op.getLoc(), b.getBoolAttr(true));
      Value fails = arith::XOrIOp::create(b, op.getLoc(), op.getArg(), yes);
      auto branch =
          scf::IfOp::create(b, op.getLoc(), fails, /*withElseRegion=*/false);
      OpBuilder inside = branch.getThenBodyBuilder();
      Value message = LLVM::AddressOfOp::create(inside, op.getLoc(), text);
      Value where = LLVM::AddressOfOp::create(inside, op.getLoc(), place);
      LLVM::StoreOp::create(inside, op.getLoc(), message, where,
                            /*alignment=*/8, /*isVolatile=*/true);
      if (backend == aircc::Backend::ROCDL) {
        printMessage(inside, op);
        LLVM::Trap::create(inside, op.getLoc());
      } else {
        storeToNull(inside, op.getLoc());
      }
      op.erase();
    }
  }

  /// Prints the message in the first active lane, on behalf of all failing
  /// lanes.
  void printMessage(OpBuilder &b, cf::AssertOp op) {
    Location loc = op.getLoc();
    Type i32 = b.getI32Type(), i64 = b.getI64Type();
    Value lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/IntegerAttr());
    lane = arith::IndexCastOp::create(b, loc, i32, lane);
    Value first = ROCDL::ReadfirstlaneOp::create(b, loc, i32, lane);
    Value isFirst =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, first);
    auto branch = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();

    std::string text;
    if (auto place = loc->findInstanceOf<FileLineColLoc>())
      // Omit the directory, so that the code does not depend on it.
      text = llvm::sys::path::filename(place.getFilename().strref()).str() +
             ":" + std::to_string(place.getLine()) + ":" +
             std::to_string(place.getColumn()) + ": ";
    text += "assertion failed: " + op.getMsg().str();
    text = aircc::escapeForFormat(text) +
           " (workgroup %lld, %lld, %lld, thread %lld, %lld, %lld)\n";
    SmallVector<Value> ids;
    constexpr gpu::Dimension dims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                       gpu::Dimension::z};
    for (gpu::Dimension dim : dims)
      ids.push_back(gpu::BlockIdOp::create(inside, loc, dim));
    for (gpu::Dimension dim : dims)
      ids.push_back(gpu::ThreadIdOp::create(inside, loc, dim));
    for (Value &id : ids)
      id = arith::IndexCastOp::create(inside, loc, i64, id);
    aircc::DeviceMessage message(getOperation());
    Value desc = message.begin(inside, loc, /*toStderr=*/true);
    desc = message.appendFormat(inside, loc, desc, text, /*isLast=*/false);
    message.appendArguments(inside, loc, desc, ids, /*isLast=*/true);
  }

  /// Ends the kernel by a store to an invalid address, because SPIR-V has no
  /// trap.
  static void storeToNull(OpBuilder &b, Location loc) {
    Value null = LLVM::ZeroOp::create(
        b, loc,
        LLVM::LLVMPointerType::get(b.getContext(), kGlobalAddressSpace));
    Value zero = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    LLVM::StoreOp::create(b, loc, zero, null, /*alignment=*/4,
                          /*isVolatile=*/true);
  }

  /// Creates a null pointer in memory, which the loader finds by name.
  LLVM::GlobalOp createPlace(SymbolTable &symbols) {
    OpBuilder b = OpBuilder::atBlockBegin(getOperation().getBody());
    Location loc = getOperation().getLoc();
    auto type = LLVM::LLVMPointerType::get(&getContext(), textSpace);
    auto global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/false,
                                         LLVM::Linkage::External, kMessagePlace,
                                         /*value=*/Attribute(), /*alignment=*/8,
                                         kGlobalAddressSpace);
    if (backend == aircc::Backend::ROCDL)
      global.setVisibility_(LLVM::Visibility::Protected);
    b.createBlock(&global.getInitializer());
    Value null = LLVM::ZeroOp::create(b, loc, type);
    LLVM::ReturnOp::create(b, loc, null);
    symbols.insert(global);
    return global;
  }

  LLVM::GlobalOp createText(SymbolTable &symbols, cf::AssertOp op) {
    OpBuilder b = OpBuilder::atBlockBegin(getOperation().getBody());
    std::string text = op.getMsg().str() + '\0';
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
    auto global = LLVM::GlobalOp::create(
        b, op.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
        kMessageName, b.getStringAttr(text), /*alignment=*/0, textSpace);
    symbols.insert(global); // Makes its name unique.
    return global;
  }

  unsigned textSpace = 0;
};

} // namespace
