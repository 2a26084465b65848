//===- KernelReport.cpp - What each kernel computes -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/KernelReport.h"
#include "driver/report/MemoryPlan.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace aircc;
using namespace llvm;
using mlir::isa;

static std::string getText(mlir::Type type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

static bool isProduct(air::WorkAttr work) {
  return work.getKind() == "contraction" || work.getKind() == "convolution";
}

static auto getWorks(const KernelRecord &kernel) {
  return kernel.work.getWorks().getAsRange<air::WorkAttr>();
}

bool KernelRecord::hasProducts() const {
  return any_of(getWorks(*this), isProduct);
}

std::string KernelRecord::getReason(air::WorkAttr product) const {
  if (usesMatrix || !isProduct(product))
    return "";
  return product.getReason() ? product.getReason().str()
                             : "no form of the kernel has been found for them";
}

int64_t KernelRecord::countOperations() const {
  int64_t sum = 0;
  for (air::WorkAttr one : getWorks(*this)) {
    if (one.getOperations() < 0)
      return -1;
    sum += one.getOperations();
  }
  return sum;
}

int64_t KernelRecord::countBytes() const {
  if (work.getReadBytes() < 0 || work.getWrittenBytes() < 0)
    return -1;
  return work.getReadBytes() + work.getWrittenBytes();
}

//===----------------------------------------------------------------------===//
// Collecting the data
//===----------------------------------------------------------------------===//

/// Returns whether a kernel contains matrix instructions, once it is per-lane
/// code.
static bool usesMatrixInstructions(mlir::Operation *kernel) {
  return kernel
      ->walk([](mlir::Operation *op) {
        return isa<mlir::amdgpu::MFMAOp, mlir::amdgpu::ScaledMFMAOp,
                   mlir::amdgpu::WMMAOp, mlir::xegpu::DpasOp>(op) ||
                       op->getName().getStringRef() == "kernel.dpas"
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

void KernelReport::addMemory(mlir::ModuleOp module) {
  module.walk([&](mlir::gpu::LaunchFuncOp launch) { ++launches; });
  if (launches == 0)
    return;
  for (auto global : module.getOps<mlir::memref::GlobalOp>())
    if (global.getConstant() && global.getInitialValue() &&
        !mlir::SymbolTable::symbolKnownUseEmpty(global,
                                                &module.getBodyRegion()))
      constantBytes +=
          global.getType().getNumElements() *
          int64_t(divideCeil(global.getType().getElementTypeBitWidth(), 8));
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    bool hasLaunches = false;
    function.walk([&](mlir::gpu::LaunchFuncOp) { hasLaunches = true; });
    // Other functions copy arguments and results.
    if (!hasLaunches)
      continue;
    function.walk([&](mlir::gpu::AllocOp alloc) {
      if (!isArena(alloc))
        return;
      if (alloc.getType().hasStaticShape())
        arenaBytes += alloc.getType().getNumElements();
      else
        hasDynamicArenas = true;
    });
  }
}

void KernelReport::addStage(mlir::ModuleOp module, bool keepsDescriptions) {
  auto attribute = air::AIRDialect::KernelWorkAttrHelper::getNameStr();
  module.walk([&](mlir::gpu::LaunchFuncOp launch) {
    auto work = launch->getAttrOfType<air::KernelWorkAttr>(attribute);
    if (work)
      kernels.push_back(
          {launch.getKernelName().str(), launch.getLoc(), work, false});
    if (!keepsDescriptions)
      launch->removeDiscardableAttr(attribute);
  });
  // Take the first stage after which there are launches.
  if (launches == 0)
    addMemory(module);
  StringSet<> withMatrix;
  for (auto kernelModule : module.getOps<mlir::gpu::GPUModuleOp>())
    for (auto kernel : kernelModule.getOps<mlir::gpu::GPUFuncOp>())
      if (usesMatrixInstructions(kernel))
        withMatrix.insert(kernel.getName());
  for (KernelRecord &kernel : kernels)
    kernel.usesMatrix |= withMatrix.contains(kernel.name);
}

//===----------------------------------------------------------------------===//
// The minimum time
//===----------------------------------------------------------------------===//

std::optional<Roofline>
KernelReport::getRoofline(const KernelRecord &kernel) const {
  int64_t bytes = kernel.countBytes();
  if (!figures || bytes < 0 || kernel.countOperations() < 0)
    return std::nullopt;
  double units = double(figures->cus) / double(figures->cusPerUnit);
  // A fused multiply-add counts as two operations. Clock frequencies are in
  // MHz.
  double vectorPerNs = units * double(figures->simds) * waveSize /
                       double(figures->vectorCycles) * 2 *
                       double(figures->clock) / 1000;
  double matrix = 0, vector = 0;
  for (air::WorkAttr work : getWorks(kernel)) {
    auto operations = double(work.getOperations());
    if (!kernel.usesMatrix || !isProduct(work)) {
      vector += operations / vectorPerNs;
      continue;
    }
    // The wider factor determines the rate.
    int64_t peak = std::numeric_limits<int64_t>::max();
    for (mlir::Attribute factor : work.getTypes().getValue().take_front(2)) {
      mlir::Type type = mlir::cast<mlir::TypeAttr>(factor).getValue();
      std::optional<int64_t> found = figures->findMatrixOps(getText(type));
      if (!found)
        return std::nullopt;
      peak = std::min(peak, *found);
    }
    matrix += operations / (double(figures->cus) * double(peak) *
                            double(figures->matrixClock) / 1000);
  }
  double memory = double(bytes) / double(figures->memoryGBps);
  double most = std::max({memory, matrix, vector});
  StringLiteral bound = most == memory   ? StringLiteral("memory")
                        : most == matrix ? StringLiteral("matrix")
                                         : StringLiteral("vector");
  return Roofline{static_cast<int64_t>(std::ceil(most)), bound};
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// Formats sizes with "x" between them and "?" for unknown ones.
static std::string formatSizes(ArrayRef<int64_t> sizes) {
  return join(map_range(sizes,
                        [](int64_t size) {
                          return size < 0 ? std::string("?")
                                          : std::to_string(size);
                        }),
              "x");
}

static std::string formatCount(int64_t count, StringRef unit) {
  return (count < 0 ? std::string("?") : std::to_string(count)) + " " +
         unit.str();
}

/// Returns a description such as "contraction 32x128x64 (f32, f32)" or
/// "elementwise 32x128 (arith.addf)".
static std::string describeWork(const KernelRecord &kernel,
                                air::WorkAttr work) {
  std::string text =
      work.getKind().str() + " " + formatSizes(work.getSizes().asArrayRef());
  SmallVector<std::string> details;
  if (isProduct(work))
    for (auto type : work.getTypes().getAsValueRange<mlir::TypeAttr>())
      details.push_back(getText(type));
  else
    for (StringRef name : work.getOps().getAsValueRange<mlir::StringAttr>())
      details.push_back(name.str());
  text += details.empty() ? "" : " (" + join(details, ", ") + ")";
  if (std::string reason = kernel.getReason(work); !reason.empty())
    text += " without matrix instructions, because " + reason;
  else if (work.getKind() == "contraction")
    text += " with matrix instructions";
  return text;
}

std::string KernelReport::describe(const KernelRecord &kernel) const {
  SmallVector<std::string> works;
  for (air::WorkAttr work : getWorks(kernel))
    works.push_back(describeWork(kernel, work));
  std::string text =
      "kernel " + kernel.name + " for " + target + ": " + join(works, "; ") +
      "; grid " + formatSizes(kernel.work.getGrid().asArrayRef()) + " of " +
      formatCount(kernel.work.getLanes(), "lanes") + "; reads " +
      formatCount(kernel.work.getReadBytes(), "bytes") + ", writes " +
      formatCount(kernel.work.getWrittenBytes(), "bytes") + ", " +
      formatCount(kernel.countOperations(), "operations");
  if (std::optional<Roofline> roofline = getRoofline(kernel))
    text += "; at least " + std::to_string(roofline->nanoseconds) +
            " ns, bound by " + roofline->bound.str();
  return text;
}

void KernelReport::emitRemarks() const {
  for (const KernelRecord &kernel : kernels)
    mlir::emitRemark(kernel.location) << describe(kernel);
}

std::string KernelReport::summarize() const {
  if (launches == 0)
    return "";
  return target + ": " + std::to_string(launches) +
         (launches == 1 ? " kernel, " : " kernels, ") +
         std::to_string(constantBytes) + " bytes of constants, " +
         std::to_string(arenaBytes) + " bytes of intermediate values" +
         (hasDynamicArenas ? ", and more that depend on arguments" : "");
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Returns a number, or null if it is unknown.
static json::Value toJSON(int64_t number) {
  return number < 0 ? json::Value(nullptr) : json::Value(number);
}

static json::Array toJSON(ArrayRef<int64_t> numbers) {
  json::Array array;
  for (int64_t number : numbers)
    array.push_back(toJSON(number));
  return array;
}

/// Adds "file" and "line" of the first source location.
static void addPlace(json::Object &object, mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  object["file"] =
      place ? json::Value(place.getFilename().str()) : json::Value(nullptr);
  object["line"] =
      place ? json::Value(int64_t(place.getLine())) : json::Value(nullptr);
}

static json::Value toJSON(const KernelRecord &kernel, air::WorkAttr work) {
  json::Array ops, types;
  for (StringRef name : work.getOps().getAsValueRange<mlir::StringAttr>())
    ops.push_back(name.str());
  for (auto type : work.getTypes().getAsValueRange<mlir::TypeAttr>())
    types.push_back(getText(type));
  json::Object object{{"kind", work.getKind().str()},
                      {"ops", std::move(ops)},
                      {"types", std::move(types)},
                      {"sizes", toJSON(work.getSizes().asArrayRef())},
                      {"operations", toJSON(work.getOperations())}};
  addPlace(object, mlir::Location(work.getPlace()));
  std::string reason = kernel.getReason(work);
  object["noMatrixInstructions"] =
      reason.empty() ? json::Value(nullptr) : json::Value(reason);
  return object;
}

json::Value KernelReport::toJSON(const KernelRecord &kernel) const {
  json::Array works;
  for (air::WorkAttr work : getWorks(kernel))
    works.push_back(::toJSON(kernel, work));
  json::Object object{{"name", kernel.name},
                      {"grid", ::toJSON(kernel.work.getGrid().asArrayRef())},
                      {"lanes", ::toJSON(kernel.work.getLanes())},
                      {"matrixInstructions", kernel.usesMatrix},
                      {"readBytes", ::toJSON(kernel.work.getReadBytes())},
                      {"writtenBytes", ::toJSON(kernel.work.getWrittenBytes())},
                      {"operations", ::toJSON(kernel.countOperations())},
                      {"works", std::move(works)},
                      {"roofline", nullptr}};
  addPlace(object, kernel.location);
  if (std::optional<Roofline> roofline = getRoofline(kernel))
    object["roofline"] = json::Object{{"nanoseconds", roofline->nanoseconds},
                                      {"bound", roofline->bound}};
  return object;
}

void KernelReport::clear() {
  kernels.clear();
  launches = constantBytes = arenaBytes = 0;
  hasDynamicArenas = false;
}

json::Value KernelReport::toJSON() const {
  json::Array list;
  for (const KernelRecord &kernel : kernels)
    list.push_back(toJSON(kernel));
  return json::Object{{"target", target},
                      {"constantBytes", constantBytes},
                      {"kernels", std::move(list)}};
}
