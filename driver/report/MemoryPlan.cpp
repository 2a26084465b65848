//===- MemoryPlan.cpp - Kernels and buffers of host functions -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/MemoryPlan.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <optional>
#include <set>

using namespace aircc;
using namespace llvm;
using mlir::cast;
using mlir::dyn_cast;
using mlir::isa;
using mlir::Operation;

bool aircc::isArena(mlir::gpu::AllocOp alloc) {
  return alloc.getType().getRank() == 1 &&
         alloc.getType().getElementType().isInteger(8) &&
         all_of(alloc->getUsers(), [](Operation *user) {
           return isa<mlir::memref::ViewOp, mlir::gpu::DeallocOp>(user);
         });
}

namespace {

/// Whether a kernel reads and writes the elements of an argument.
struct Access {
  bool isRead = false, isWritten = false;
};

/// A buffer that kernels of a function use.
struct Buffer {
  std::string kind;
  json::Value number = nullptr; ///< The number of an argument or a result.
  std::string arena;            ///< "device", "shared", or "" for no arena.
  int64_t offset = -1;          ///< The offset in the arena, or -1 if computed.
  int64_t bytes = -1;           ///< The size, or -1 if it depends on arguments.
  int64_t firstUse = -1, lastUse = -1;
};

/// Returns a number, or null if it is unknown.
json::Value toJSON(int64_t number) {
  return number < 0 ? json::Value(nullptr) : json::Value(number);
}

int64_t countBytes(mlir::Type type) {
  auto memref = dyn_cast<mlir::MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return -1;
  mlir::Type element = memref.getElementType();
  int64_t bits = element.isIndex()        ? 64
                 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                          : -1;
  return bits < 0 ? -1
                  : memref.getNumElements() *
                        int64_t(PowerOf2Ceil(divideCeil(bits, 8)));
}

/// Returns the value that a memref is a view of. A part of an arena is a buffer
/// of its own.
mlir::Value getBuffer(mlir::Value memref) {
  while (auto view = memref.getDefiningOp<mlir::ViewLikeOpInterface>()) {
    mlir::Value source = view.getViewSource();
    auto alloc = source.getDefiningOp<mlir::gpu::AllocOp>();
    if (isa<mlir::memref::ViewOp>(view) && alloc && isArena(alloc))
      break;
    memref = source;
  }
  return memref;
}

/// Returns how a kernel uses its arguments.
SmallVector<Access> getAccesses(mlir::gpu::GPUFuncOp kernel) {
  SmallVector<Access> accesses(kernel.getNumArguments());
  auto find = [&](mlir::Value memref) -> Access * {
    while (auto view = memref.getDefiningOp<mlir::ViewLikeOpInterface>())
      memref = view.getViewSource();
    auto argument = dyn_cast<mlir::BlockArgument>(memref);
    return argument && argument.getOwner() == &kernel.front() &&
                   argument.getArgNumber() < accesses.size()
               ? &accesses[argument.getArgNumber()]
               : nullptr;
  };
  kernel.walk([&](Operation *op) {
    if (isa<mlir::ViewLikeOpInterface, mlir::memref::DimOp>(op))
      return;
    auto interface = dyn_cast<mlir::MemoryEffectOpInterface>(op);
    if (!interface) {
      // The uses are unknown, so assume both.
      for (mlir::Value operand : op->getOperands())
        if (Access *access = isa<mlir::BaseMemRefType>(operand.getType())
                                 ? find(operand)
                                 : nullptr)
          *access = {true, true};
      return;
    }
    SmallVector<mlir::MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const mlir::MemoryEffects::EffectInstance &effect : effects) {
      Access *access = effect.getValue() ? find(effect.getValue()) : nullptr;
      if (!access)
        continue;
      access->isRead |= isa<mlir::MemoryEffects::Read>(effect.getEffect());
      access->isWritten |= isa<mlir::MemoryEffects::Write>(effect.getEffect());
    }
  });
  return accesses;
}

/// The plan of one function.
class FunctionPlan {
public:
  FunctionPlan(mlir::func::FuncOp function, StringRef name,
               unsigned numArguments)
      : function(function), name(name), numArguments(numArguments) {}

  /// Returns the plan, or nothing if the function launches no kernel.
  std::optional<json::Object> describe();

private:
  json::Object describe(mlir::gpu::LaunchFuncOp launch);
  json::Array describeBuffers();
  json::Array describeArenas();
  unsigned addUse(mlir::Value memref);
  Buffer makeBuffer(mlir::Value value);

  mlir::func::FuncOp function;
  StringRef name;
  unsigned numArguments;
  mlir::SymbolTableCollection symbols;
  MapVector<mlir::Value, Buffer> buffers;
  int64_t numKernels = 0;
};

/// Describes the buffer of `value`. If the size of an arena is not constant, it
/// is the sum of the sizes of its buffers.
Buffer FunctionPlan::makeBuffer(mlir::Value value) {
  Buffer buffer;
  buffer.bytes = countBytes(value.getType());
  auto argument = dyn_cast<mlir::BlockArgument>(value);
  if (argument && argument.getOwner() == &function.front()) {
    unsigned number = argument.getArgNumber();
    bool isResult = number >= numArguments;
    buffer.kind = isResult ? "result" : "argument";
    buffer.number = isResult ? number - numArguments : number;
  } else if (auto view = value.getDefiningOp<mlir::memref::ViewOp>()) {
    auto arena = view.getSource().getDefiningOp<mlir::gpu::AllocOp>();
    buffer.kind = "intermediate";
    buffer.arena = arena.getHostShared() ? "shared" : "device";
    buffer.offset = mlir::getConstantIntValue(view.getByteShift()).value_or(-1);
  } else if (value.getDefiningOp<mlir::gpu::AllocOp>()) {
    buffer.kind = "intermediate";
  } else if (value.getDefiningOp<mlir::memref::GetGlobalOp>()) {
    buffer.kind = "constant";
  } else {
    buffer.kind = "other";
  }
  return buffer;
}

unsigned FunctionPlan::addUse(mlir::Value memref) {
  mlir::Value root = getBuffer(memref);
  auto *place = buffers.find(root);
  if (place == buffers.end())
    place = buffers.insert({root, makeBuffer(root)}).first;
  Buffer &buffer = place->second;
  if (buffer.firstUse < 0)
    buffer.firstUse = numKernels;
  buffer.lastUse = numKernels;
  return place - buffers.begin();
}

json::Object FunctionPlan::describe(mlir::gpu::LaunchFuncOp launch) {
  auto kernel = symbols.lookupNearestSymbolFrom<mlir::gpu::GPUFuncOp>(
      launch, launch.getKernel());
  SmallVector<Access> accesses;
  if (kernel)
    accesses = getAccesses(kernel);
  std::set<unsigned> reads, writes;
  for (auto [i, operand] : enumerate(launch.getKernelOperands())) {
    if (!isa<mlir::BaseMemRefType>(operand.getType()))
      continue;
    Access access = i < accesses.size() ? accesses[i] : Access{true, true};
    if (!access.isRead && !access.isWritten)
      continue;
    unsigned number = addUse(operand);
    if (access.isRead)
      reads.insert(number);
    if (access.isWritten)
      writes.insert(number);
  }
  json::Object object{{"name", launch.getKernelName().str()},
                      {"reads", json::Array(reads)},
                      {"writes", json::Array(writes)},
                      {"readBytes", nullptr},
                      {"writtenBytes", nullptr}};
  if (auto work = launch->getAttrOfType<air::KernelWorkAttr>(
          air::AIRDialect::KernelWorkAttrHelper::getNameStr())) {
    object["readBytes"] = toJSON(work.getReadBytes());
    object["writtenBytes"] = toJSON(work.getWrittenBytes());
  }
  object["inLoop"] =
      launch->getParentOfType<mlir::LoopLikeOpInterface>() != nullptr;
  auto place = launch.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
  object["line"] =
      place ? json::Value(int64_t(place.getLine())) : json::Value(nullptr);
  ++numKernels;
  return object;
}

json::Array FunctionPlan::describeBuffers() {
  json::Array list;
  for (const auto &[value, buffer] : buffers) {
    json::Object object{{"kind", buffer.kind},
                        {"bytes", toJSON(buffer.bytes)},
                        {"firstUse", toJSON(buffer.firstUse)},
                        {"lastUse", toJSON(buffer.lastUse)}};
    if (buffer.kind == "argument" || buffer.kind == "result")
      object["number"] = buffer.number;
    if (!buffer.arena.empty()) {
      object["arena"] = buffer.arena;
      object["offset"] = toJSON(buffer.offset);
    }
    list.push_back(std::move(object));
  }
  return list;
}

json::Array FunctionPlan::describeArenas() {
  json::Array list;
  function.walk([&](mlir::gpu::AllocOp alloc) {
    if (isArena(alloc))
      list.push_back(
          json::Object{{"memory", alloc.getHostShared() ? "shared" : "device"},
                       {"bytes", toJSON(countBytes(alloc.getType()))}});
  });
  return list;
}

std::optional<json::Object> FunctionPlan::describe() {
  json::Array kernels;
  function.walk([&](mlir::gpu::LaunchFuncOp launch) {
    kernels.push_back(describe(launch));
  });
  if (kernels.empty())
    return std::nullopt;
  return json::Object{{"name", name},
                      {"arenas", describeArenas()},
                      {"kernels", std::move(kernels)},
                      {"buffers", describeBuffers()}};
}

} // namespace

json::Value aircc::describeMemoryPlan(mlir::ModuleOp module, StringRef target) {
  // The function that does the work of an entry point has another name.
  DenseMap<mlir::StringAttr, std::pair<StringRef, unsigned>> entries;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    auto entry = function->getAttrOfType<air::EntryPointAttr>(
        air::AIRDialect::EntryPointAttrHelper::getNameStr());
    if (entry && entry.getInPlace())
      entries[entry.getInPlace().getAttr()] = {
          entry.getCallerName() ? entry.getCallerName().getValue()
                                : function.getSymName(),
          unsigned(entry.getArguments().size())};
  }
  json::Array functions;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    auto [name, numArguments] = entries.lookup_or(
        function.getSymNameAttr(),
        std::pair(function.getSymName(), function.getNumArguments()));
    if (auto plan = FunctionPlan(function, name, numArguments).describe())
      functions.push_back(std::move(*plan));
  }
  return json::Object{
      {"version", 1}, {"target", target}, {"functions", std::move(functions)}};
}
