//===- FinalizeKernels.cpp - Final rewrites in the LLVM dialect -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_FINALIZEKERNELS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// The address spaces of a backend.
struct AddressSpaces {
  unsigned generic;  ///< Any memory.
  unsigned global;   ///< Memory that all kernels share.
  unsigned constant; ///< Constant global memory.
  unsigned stack;
};
constexpr AddressSpaces kAMDGPU = {0, 1, 4, 5};
/// A generic pointer of SPIR-V cannot point to SPIR-V's constant memory.
constexpr AddressSpaces kSPIRV = {aircc::kXeVMGenericSpace, 1, 1, 0};

/// The prefix of a function's C interface.
constexpr StringLiteral kInterfacePrefix = "_mlir_ciface_";

struct FinalizeKernels : aircc::impl::FinalizeKernelsBase<FinalizeKernels> {
  using FinalizeKernelsBase::FinalizeKernelsBase;

  void runOnOperation() override {
    isAMD = backend == aircc::Backend::ROCDL;
    spaces = isAMD ? kAMDGPU : kSPIRV;
    if (failed(checkAllLowered()) || failed(checkStack()))
      return signalPassFailure();
    callLibrariesDirectly();
    placeGlobals();
    readAtomically();
    // The stack pointer is in the stack's address space.
    getOperation().walk([&](LLVM::StackSaveOp save) {
      save.getResult().setType(
          LLVM::LLVMPointerType::get(&getContext(), spaces.stack));
    });
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (isKernel(function) && !function.isExternal()) {
        if (failed(checkArguments(function)))
          return signalPassFailure();
        makeArgumentsGlobal(function);
        if (!isAMD)
          passLegalTypes(function);
      }
  }

  bool isKernel(LLVM::LLVMFuncOp function) {
    if (!isAMD)
      return function.getCConv() == LLVM::cconv::CConv::SPIR_KERNEL;
    auto *rocdl = getContext().getOrLoadDialect<ROCDL::ROCDLDialect>();
    return rocdl->getKernelAttrHelper().isAttrPresent(function);
  }

  LogicalResult checkAllLowered() {
    StringRef ownDialect = isAMD ? "rocdl" : "xevm";
    bool failedAny = false;
    SmallVector<Operation *> casts;
    getOperation().getBodyRegion().walk([&](Operation *op) {
      StringRef dialect = op->getName().getDialectNamespace();
      if (dialect == "llvm" || dialect == ownDialect)
        return;
      // A remaining cast is a consequence of an adjacent op that was not
      // lowered.
      if (isa<UnrealizedConversionCastOp>(op)) {
        casts.push_back(op);
        return;
      }
      failedAny = true;
      if (isa<vector::ContractionOp>(op)) {
        op->emitOpError("has no lowering for its kind and shape; multiply with "
                        "arith ops on vectors that vector.broadcast and "
                        "vector.transpose bring to one shape, and reduce with "
                        "vector.multi_reduction");
        return;
      }
      op->emitOpError("cannot be lowered to GPU code: no lowering to the LLVM "
                      "or ")
          << (isAMD ? "ROCDL" : "XeVM")
          << " dialect exists for it inside of a gpu.module";
    });
    // Report casts only if no such op was found.
    if (!failedAny)
      for (Operation *op : casts) {
        op->emitError("a value of type ")
            << op->getOperandTypes() << " could not be converted to "
            << op->getResultTypes() << " for the GPU";
        failedAny = true;
      }
    return failure(failedAny);
  }

  LogicalResult checkStack() {
    bool failedAny = false;
    getOperation().walk([&](LLVM::AllocaOp alloca) {
      unsigned space =
          cast<LLVM::LLVMPointerType>(alloca.getType()).getAddressSpace();
      // AMD's backend uses the address space of the stack for 0.
      if (space == spaces.stack || space == 0)
        return;
      alloca.emitOpError(
          "allocates on a lane's stack, which is not in address space ")
          << space << "; for workgroup memory, use a workgroup attribution of "
          << "the gpu.func or an llvm.mlir.global in address space 3";
      failedAny = true;
    });
    return failure(failedAny);
  }

  /// Makes calls to functions without a body direct: such a function became a
  /// wrapper of its C interface, whose name differs from the name in the device
  /// libraries.
  void callLibrariesDirectly() {
    SymbolTable symbols(getOperation());
    SmallVector<LLVM::LLVMFuncOp> interfaces;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function.isExternal() &&
          function.getSymName().starts_with(kInterfacePrefix))
        interfaces.push_back(function);
    for (LLVM::LLVMFuncOp interface : interfaces) {
      StringRef name =
          interface.getSymName().drop_front(kInterfacePrefix.size());
      auto wrapper = symbols.lookup<LLVM::LLVMFuncOp>(name);
      if (!wrapper || wrapper.isExternal() ||
          wrapper.getFunctionType() != interface.getFunctionType())
        continue;
      wrapper.getBody().getBlocks().clear();
      wrapper.setLinkage(LLVM::Linkage::External);
      symbols.erase(interface);
    }
  }

  /// Moves globals out of the generic address space. A load of a constant at a
  /// uniform address is then a scalar load of a size that the chip supports.
  /// For generic pointers to constants, LLVM 22.1.8 selects 96-bit loads, which
  /// most chips lack.
  void placeGlobals() {
    SymbolTable symbols(getOperation());
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() == spaces.generic)
        global.setAddrSpace(global.getConstant() ? spaces.constant
                                                 : spaces.global);
    getOperation().walk([&](LLVM::AddressOfOp address) {
      auto global = symbols.lookup<LLVM::GlobalOp>(address.getGlobalName());
      Type generic = address.getType();
      if (!global || cast<LLVM::LLVMPointerType>(generic).getAddressSpace() ==
                         global.getAddrSpace())
        return;
      address.getResult().setType(
          LLVM::LLVMPointerType::get(&getContext(), global.getAddrSpace()));
      OpBuilder b(&getContext());
      b.setInsertionPointAfter(address);
      auto cast =
          LLVM::AddrSpaceCastOp::create(b, address.getLoc(), generic, address);
      address.getResult().replaceAllUsesExcept(cast, cast);
    });
  }

  /// Makes the load at the start of a compare-and-swap loop atomic, because
  /// others may change the memory at the same time.
  void readAtomically() {
    getOperation().walk([](LLVM::AtomicCmpXchgOp exchange) {
      auto expected = dyn_cast<BlockArgument>(exchange.getCmp());
      if (!expected)
        return;
      Block *loop = expected.getOwner();
      for (auto it = loop->pred_begin(), end = loop->pred_end(); it != end;
           ++it) {
        auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
        if (!branch)
          continue;
        Value first = branch.getSuccessorOperands(
            it.getSuccessorIndex())[expected.getArgNumber()];
        auto load = first ? first.getDefiningOp<LLVM::LoadOp>() : nullptr;
        if (!load || load.getAddr() != exchange.getPtr() ||
            load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
          continue;
        load.setOrdering(LLVM::AtomicOrdering::monotonic);
        load.setSyncscopeAttr(exchange.getSyncscopeAttr());
        load.setAlignment(load.getType().getIntOrFloatBitWidth() / 8);
      }
    });
  }

  /// Rejects pointers to a lane's stack, which the host cannot pass.
  LogicalResult checkArguments(LLVM::LLVMFuncOp kernel) {
    for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
      if (pointer && pointer.getAddressSpace() == spaces.stack)
        return kernel.emitOpError(
                   "has a pointer to a lane's stack as argument ")
               << index
               << "; kernels accept only pointers to global memory, !llvm.ptr<"
               << spaces.global << ">";
    }
    return success();
  }

  void makeArgumentsGlobal(LLVM::LLVMFuncOp kernel) {
    Block &entry = kernel.getBody().front();
    OpBuilder b = OpBuilder::atBlockBegin(&entry);
    auto generic = LLVM::LLVMPointerType::get(&getContext(), spaces.generic);
    auto global = LLVM::LLVMPointerType::get(&getContext(), spaces.global);
    LLVM::LLVMFunctionType type = kernel.getFunctionType();
    SmallVector<Type> params(type.getParams());
    for (BlockArgument arg : entry.getArguments()) {
      if (arg.getType() != generic)
        continue;
      params[arg.getArgNumber()] = global;
      arg.setType(global);
      if (arg.use_empty())
        continue;
      auto cast =
          LLVM::AddrSpaceCastOp::create(b, kernel.getLoc(), generic, arg);
      arg.replaceAllUsesExcept(cast, cast);
    }
    kernel.setFunctionType(LLVM::LLVMFunctionType::get(
        type.getReturnType(), params, type.isVarArg()));
  }

  /// Returns the memory type of a host-passed argument of type `type`, as
  /// SPIR-V requires it: integers of 8, 16, 32 or 64 bits, and vectors of 2, 4,
  /// 8 or 16 elements. LLVM reserves the same size for types in between.
  static Type getPassedType(Type type) {
    Type element = getElementTypeOrSelf(type);
    auto integer = dyn_cast<IntegerType>(element);
    if (integer && integer.getWidth() != 1)
      element = IntegerType::get(
          type.getContext(),
          llvm::PowerOf2Ceil(std::max<unsigned>(integer.getWidth(), 8)));
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return isa<IntegerType>(type) ? element : type;
    int64_t size = llvm::PowerOf2Ceil(vector.getNumElements());
    // A byte holds eight booleans.
    if (element.isInteger(1))
      return IntegerType::get(type.getContext(), std::max<int64_t>(size, 8));
    return size == 1 ? element : VectorType::get({size}, element);
  }

  /// Converts an argument of type getPassedType(type) to `type`.
  static Value unpackArgument(OpBuilder &b, Location loc, Value arg,
                              Type type) {
    if (auto vector = dyn_cast<VectorType>(type)) {
      if (vector.getElementType().isInteger(1))
        arg = LLVM::BitcastOp::create(
            b, loc,
            VectorType::get({arg.getType().getIntOrFloatBitWidth()},
                            vector.getElementType()),
            arg);
      if (!isa<VectorType>(arg.getType())) {
        Type single = VectorType::get({1}, arg.getType());
        Value empty = LLVM::PoisonOp::create(b, loc, single);
        Value zero = LLVM::ConstantOp::create(b, loc, b.getI32Type(), 0);
        arg = LLVM::InsertElementOp::create(b, loc, empty, arg, zero);
      }
      if (cast<VectorType>(arg.getType()).getNumElements() !=
          vector.getNumElements()) {
        auto mask =
            llvm::to_vector(llvm::seq<int32_t>(vector.getNumElements()));
        arg = LLVM::ShuffleVectorOp::create(b, loc, arg, arg, mask);
      }
    }
    return arg.getType() == type
               ? arg
               : LLVM::TruncOp::create(b, loc, type, arg).getResult();
  }

  void passLegalTypes(LLVM::LLVMFuncOp kernel) {
    OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
    LLVM::LLVMFunctionType type = kernel.getFunctionType();
    SmallVector<Type> params(type.getParams());
    for (BlockArgument arg : kernel.getBody().front().getArguments()) {
      Type wanted = arg.getType(), passed = getPassedType(wanted);
      if (wanted == passed)
        continue;
      params[arg.getArgNumber()] = passed;
      // Use a placeholder to distinguish existing uses from those of the
      // unpacking code.
      Value standIn = LLVM::PoisonOp::create(b, kernel.getLoc(), wanted);
      arg.replaceAllUsesWith(standIn);
      arg.setType(passed);
      standIn.replaceAllUsesWith(
          unpackArgument(b, kernel.getLoc(), arg, wanted));
      standIn.getDefiningOp()->erase();
    }
    kernel.setFunctionType(LLVM::LLVMFunctionType::get(
        type.getReturnType(), params, type.isVarArg()));
  }

  bool isAMD = true;
  AddressSpaces spaces = kAMDGPU;
};

} // namespace
