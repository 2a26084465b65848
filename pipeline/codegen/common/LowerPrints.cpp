//===- LowerPrints.cpp - Lower printing in kernels ------------------------===//
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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERPRINTS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Vectors with more elements are printed from memory in a loop, rather than
/// from registers by one op.
constexpr int64_t kFewElements = 32;

/// On Intel GPUs, a text is printed by a single call, which may print at most
/// this many elements.
constexpr int64_t kMostElements = 256;

/// SPIR-V's address space of constants, and the name of OpenCL's printf in
/// LLVM's SPIR-V backend.
constexpr unsigned kConstantAddressSpace = 2;
constexpr llvm::StringLiteral kOpenCLPrintf = "_Z18__spirv_ocl_printfPU3AS2c";

/// Returns the text of a value of this shape, one piece for each element. A
/// piece ends with `conversion`; the last one also contains the text that
/// follows.
SmallVector<std::string> getPieces(ArrayRef<int64_t> shape,
                                   StringRef conversion) {
  auto repeat = [](StringRef text, size_t times) {
    std::string all;
    for (size_t i = 0; i < times; ++i)
      all += text;
    return all;
  };
  SmallVector<std::string> pieces;
  const int64_t count = ShapedType::getNumElements(shape);
  for (int64_t i = 0; i < count; ++i) {
    // The number of inner dimensions that start a new row here.
    size_t rows = 0;
    int64_t size = 1;
    while (rows + 1 < shape.size() &&
           i % (size *= shape[shape.size() - 1 - rows]) == 0)
      ++rows;
    pieces.push_back(i == 0 ? repeat("( ", shape.size())
                            : repeat(" )", rows) + ", " + repeat("( ", rows));
    pieces.back() += conversion;
  }
  pieces.back() += repeat(" )", shape.size());
  return pieces;
}

StringRef textOf(vector::PrintPunctuation punctuation) {
  switch (punctuation) {
  case vector::PrintPunctuation::NoPunctuation:
    return "";
  case vector::PrintPunctuation::NewLine:
    return "\n";
  case vector::PrintPunctuation::Comma:
    return ", ";
  case vector::PrintPunctuation::Open:
    return "( ";
  case vector::PrintPunctuation::Close:
    return " )";
  }
  llvm_unreachable("unknown punctuation");
}

/// Returns the load that produces a vector, if it can be repeated, element by
/// element, where the vector is used.
vector::LoadOp getLoadBefore(Value value, Operation *user) {
  while (auto cast = value.getDefiningOp<vector::ShapeCastOp>())
    value = cast.getSource();
  auto load = value.getDefiningOp<vector::LoadOp>();
  if (!load || load->getBlock() != user->getBlock() ||
      cast<VectorType>(load.getType()).getRank() != 1 ||
      load.getVectorType().getElementType() !=
          load.getMemRefType().getElementType())
    return {};
  for (Operation *op = load->getNextNode(); op != user; op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return {};
  return load;
}

struct LowerPrints : aircc::impl::LowerPrintsBase<LowerPrints> {
  using LowerPrintsBase::LowerPrintsBase;

  void runOnOperation() override {
    SmallVector<vector::PrintOp> vectors;
    getOperation().walk([&](vector::PrintOp op) { vectors.push_back(op); });
    bool failedAny = false;
    for (vector::PrintOp op : vectors)
      failedAny |= failed(lowerVectorPrint(op));
    SmallVector<gpu::PrintfOp> prints;
    getOperation().walk([&](gpu::PrintfOp op) { prints.push_back(op); });
    for (gpu::PrintfOp op : prints)
      failedAny |= failed(lowerPrintf(op));
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult lowerVectorPrint(vector::PrintOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    if (op.getStringLiteral()) {
      // Print no newline, as on the host.
      print(b, loc, aircc::escapeForFormat(*op.getStringLiteral()), {});
      op.erase();
      return success();
    }
    StringRef end = textOf(op.getPunctuation());
    Value source = op.getSource();
    if (!source) {
      print(b, loc, end.str(), {});
      op.erase();
      return success();
    }
    auto vector = dyn_cast<VectorType>(source.getType());
    Type type = vector ? vector.getElementType() : source.getType();
    std::optional<StringRef> conversion = aircc::getPrintConversion(type);
    if (!conversion)
      return op.emitOpError("prints values of type ")
             << type
             << "; only index, signless integers of up to 64 bits, f16, bf16, "
                "f32 and f64 can be printed";
    if (!vector) {
      print(b, loc, (*conversion + end).str(), source);
      op.erase();
      return success();
    }
    // The host prints a 0-D vector as a vector of one element.
    SmallVector<int64_t> shape = llvm::to_vector(vector.getShape());
    if (shape.empty())
      shape.push_back(1);
    SmallVector<std::string> pieces = getPieces(shape, *conversion);
    pieces.back() += end;
    const int64_t count = vector.getNumElements();
    vector::LoadOp load = getLoadBefore(source, op);
    if (backend == aircc::Backend::ROCDL && load && count > kFewElements)
      return printFromMemory(op, load, llvm::join(pieces, ""));
    SmallVector<Value> elements;
    if (load) {
      for (int64_t i = 0; i < count; ++i)
        elements.push_back(loadElement(b, load, createIndex(b, loc, i)));
    } else {
      auto taken = vector::ToElementsOp::create(b, loc, source);
      llvm::append_range(elements, taken.getElements());
    }
    const int64_t most =
        backend == aircc::Backend::XeVM ? kMostElements : count;
    for (int64_t at = 0; at < count; at += most) {
      const int64_t number = std::min(most, count - at);
      print(b, loc, llvm::join(ArrayRef(pieces).slice(at, number), ""),
            ArrayRef(elements).slice(at, number));
    }
    op.erase();
    return success();
  }

  static void print(OpBuilder &b, Location loc, const std::string &format,
                    ValueRange values) {
    if (!format.empty())
      gpu::PrintfOp::create(b, loc, format, values);
  }

  /// Prints one message from a loop over the loaded elements.
  LogicalResult printFromMemory(vector::PrintOp op, vector::LoadOp load,
                                StringRef text) {
    auto vector = cast<VectorType>(load.getType());
    const int64_t count = vector.getNumElements();
    SmallVector<Type> types(count, vector.getElementType());
    FailureOr<aircc::PrintFormat> format = aircc::parsePrintFormat(
        text, types, backend, [&] { return op.emitOpError(); });
    if (failed(format))
      return failure();
    const aircc::PrintKind kind = format->kinds.front();

    OpBuilder b(op);
    Location loc = op.getLoc();
    aircc::DeviceMessage message(getOperation());
    Value desc = message.begin(b, loc, /*toStderr=*/false);
    desc = message.appendFormat(b, loc, desc, format->text, /*isLast=*/false);
    auto append = [&](OpBuilder &b, Value desc, Value first, int64_t number,
                      bool isLast) {
      SmallVector<Value> values;
      for (int64_t i = 0; i < number; ++i) {
        Value at = arith::AddIOp::create(b, loc, first, createIndex(b, loc, i));
        Value value = loadElement(b, load, at);
        values.push_back(getBits(b, loc, value, kind));
      }
      return message.appendArguments(b, loc, desc, values, isLast);
    };
    constexpr int64_t part = aircc::DeviceMessage::kArguments;
    const int64_t looped = (count - 1) / part * part;
    auto loop = scf::ForOp::create(b, loc, createIndex(b, loc, 0),
                                   createIndex(b, loc, looped),
                                   createIndex(b, loc, part), desc);
    OpBuilder inside = OpBuilder::atBlockEnd(loop.getBody());
    Value next = append(inside, loop.getRegionIterArg(0),
                        loop.getInductionVar(), part, /*isLast=*/false);
    scf::YieldOp::create(inside, loc, next);
    append(b, loop.getResult(0), createIndex(b, loc, looped), count - looped,
           /*isLast=*/true);
    op.erase();
    return success();
  }

  static Value createIndex(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  /// Loads element `at` of the vector.
  static Value loadElement(OpBuilder &b, vector::LoadOp load, Value at) {
    SmallVector<Value> place(load.getIndices());
    place.back() = arith::AddIOp::create(b, load.getLoc(), place.back(), at);
    return memref::LoadOp::create(b, load.getLoc(), load.getBase(), place);
  }

  Value getBits(OpBuilder &b, Location loc, Value value,
                aircc::PrintKind kind) {
    value = aircc::widenForPrint(b, loc, value, kind, backend);
    if (kind != aircc::PrintKind::Float)
      return value;
    return arith::BitcastOp::create(b, loc, b.getI64Type(), value);
  }

  LogicalResult lowerPrintf(gpu::PrintfOp op) {
    FailureOr<aircc::PrintFormat> format =
        aircc::parsePrintFormat(op.getFormat(), op.getArgs().getTypes(),
                                backend, [&] { return op.emitOpError(); });
    if (failed(format))
      return failure();
    OpBuilder b(op);
    SmallVector<Value> values;
    for (auto [value, kind] : llvm::zip_equal(op.getArgs(), format->kinds))
      values.push_back(
          aircc::widenForPrint(b, op.getLoc(), value, kind, backend));
    if (backend == aircc::Backend::XeVM)
      callOpenCL(b, op.getLoc(), format->text, values);
    else
      gpu::PrintfOp::create(b, op.getLoc(), format->text, values);
    op.erase();
    return success();
  }

  void callOpenCL(OpBuilder &b, Location loc, StringRef format,
                  ArrayRef<Value> values) {
    auto pointer =
        LLVM::LLVMPointerType::get(&getContext(), kConstantAddressSpace);
    SymbolTable symbols(getOperation());
    OpBuilder top = OpBuilder::atBlockBegin(getOperation().getBody());
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(kOpenCLPrintf);
    if (!function) {
      auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), pointer,
                                              /*isVarArg=*/true);
      function = LLVM::LLVMFuncOp::create(
          top, loc, kOpenCLPrintf, type, LLVM::Linkage::External,
          /*dsoLocal=*/false, LLVM::CConv::SPIR_FUNC);
      symbols.insert(function);
    }
    std::string text = format.str() + '\0';
    auto global = LLVM::GlobalOp::create(
        top, loc, LLVM::LLVMArrayType::get(b.getI8Type(), text.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, "__aircc_print_format",
        b.getStringAttr(text), /*alignment=*/0, kConstantAddressSpace);
    symbols.insert(global); // Makes its name unique.
    SmallVector<Value> arguments = {LLVM::AddressOfOp::create(b, loc, global)};
    llvm::append_range(arguments, values);
    auto call = LLVM::CallOp::create(b, loc, function, arguments);
    call.setCConv(LLVM::CConv::SPIR_FUNC);
  }
};

} // namespace
