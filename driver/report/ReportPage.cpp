//===- ReportPage.cpp - Collects what a compile makes ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// ReportWriter.cpp writes the page.
//
//===----------------------------------------------------------------------===//

#include "driver/report/ReportPage.h"

#include "driver/commands/LayoutPage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <memory>

using namespace aircc;
using namespace llvm;

static unsigned getLine(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return place ? place.getLine() : 0;
}

static std::string getText(mlir::Type type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

/// Returns the size of a memref in bytes if its shape is constant.
static std::string getBytes(mlir::MemRefType type) {
  mlir::Type element = type.getElementType();
  int64_t width = 64; // The width of index.
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(element))
    width = vector.getNumElements() * (vector.getElementType().isIntOrFloat()
                                           ? vector.getElementTypeBitWidth()
                                           : 64);
  else if (element.isIntOrFloat())
    width = element.getIntOrFloatBitWidth();
  if (!type.hasStaticShape())
    return "?";
  return itostr(type.getNumElements() * int64_t(divideCeil(width, 8)));
}

/// Returns sizes such as "4 x 1 x 1", with "?" for sizes that are not constant.
static std::string getSizes(mlir::gpu::KernelDim3 sizes) {
  std::string text;
  for (mlir::Value size : {sizes.x, sizes.y, sizes.z}) {
    APInt value;
    text += text.empty() ? "" : " x ";
    text += mlir::matchPattern(size, mlir::m_ConstantInt(&value))
                ? itostr(value.getSExtValue())
                : "?";
  }
  return text;
}

/// Returns the buffers in workgroup memory. An attribution of bytes contains
/// several buffers, which may overlap if they are not in use at the same time.
std::vector<ReportPage::Buffer>
ReportPage::getBuffers(ArrayRef<mlir::BlockArgument> attributions) {
  std::vector<Buffer> buffers;
  for (auto [number, attribution] : enumerate(attributions)) {
    auto type = mlir::cast<mlir::MemRefType>(attribution.getType());
    size_t known = buffers.size();
    for (mlir::Operation *user : attribution.getUsers()) {
      APInt offset;
      auto view = mlir::dyn_cast<mlir::memref::ViewOp>(user);
      if (!view || !mlir::matchPattern(view.getByteShift(),
                                       mlir::m_ConstantInt(&offset)))
        continue;
      buffers.push_back({getLine(view.getLoc()),
                         "block " + utostr(number) + " of LDS, from byte " +
                             itostr(offset.getSExtValue()),
                         getText(view.getType()), getBytes(view.getType())});
    }
    if (buffers.size() == known)
      buffers.push_back({getLine(attribution.getLoc()),
                         "block " + utostr(number) + " of LDS", getText(type),
                         getBytes(type)});
    // The list of uses is in reverse order.
    std::reverse(buffers.begin() + known, buffers.end());
  }
  return buffers;
}

void ReportPage::addLaunch(mlir::gpu::LaunchFuncOp launch) {
  std::string key =
      launch.getKernelModuleName().str() + "::" + launch.getKernelName().str();
  Kernel &kernel = kernels[key];
  kernel.name = launch.getKernelName().str();
  kernel.line = getLine(launch.getLoc());
  kernel.grid = getSizes(launch.getGridSizeOperandValues());
  kernel.block = getSizes(launch.getBlockSizeOperandValues());
  if (auto it = launchBuffers.find(kernel.line);
      it != launchBuffers.end() && kernel.buffers.empty())
    kernel.buffers = it->second;
}

/// Adds the buffer that the host op `op` allocates.
void ReportPage::addHostBuffer(mlir::Operation *op) {
  Buffer buffer{getLine(op->getLoc()), "", "", "?"};
  if (auto alloc = mlir::dyn_cast<mlir::gpu::AllocOp>(op))
    buffer.what = alloc.getHostShared() ? "memory of host and device"
                                        : "memory of the device";
  else if (mlir::isa<mlir::memref::AllocOp>(op))
    buffer.what = "memory of the host";
  else if (mlir::isa<mlir::memref::AllocaOp>(op))
    buffer.what = "stack of the host";
  if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op)) {
    // Ranks allocate with calls to the runtime.
    std::optional<unsigned> size =
        StringSwitch<std::optional<unsigned>>(call.getCallee())
            .Case("mgpuSymmetricAlloc", 0)
            .Case("mgpuChannelAlloc", 1)
            .Default(std::nullopt);
    APInt bytes;
    if (!size)
      return;
    buffer.what = *size ? "symmetric heap, for a channel" : "symmetric heap";
    if (mlir::matchPattern(call.getOperand(*size), mlir::m_ConstantInt(&bytes)))
      buffer.bytes = itostr(bytes.getSExtValue());
  } else if (!buffer.what.empty()) {
    auto type = mlir::cast<mlir::MemRefType>(op->getResult(0).getType());
    buffer.type = getText(type);
    buffer.bytes = getBytes(type);
  } else {
    return;
  }
  if (auto function = op->getParentOfType<mlir::FunctionOpInterface>())
    buffer.what += ", function " + function.getName().str();
  hostBuffers.push_back(std::move(buffer));
}

void ReportPage::addStage(StringRef stage, mlir::ModuleOp module,
                          const TargetProfile &profile) {
  target = profile.name;
  waves = utostr(profile.waveSize);
  module.walk([&](mlir::gpu::GPUFuncOp function) {
    if (!function.isKernel())
      return;
    auto owner = function->getParentOfType<mlir::gpu::GPUModuleOp>();
    Kernel &kernel =
        kernels[owner.getName().str() + "::" + function.getName().str()];
    kernel.name = function.getName().str();
    kernel.line = kernel.line ? kernel.line : getLine(function.getLoc());
    kernel.buffers = getBuffers(function.getWorkgroupAttributions());
  });
  module.walk([&](mlir::gpu::LaunchOp launch) {
    launchBuffers[getLine(launch.getLoc())] =
        getBuffers(launch.getWorkgroupAttributions());
  });
  module.walk([&](mlir::gpu::LaunchFuncOp launch) { addLaunch(launch); });
  if (stage == "layout") {
    raw_string_ostream os(layouts);
    writeLayoutSection(module, profile, os);
  }
  if (stage != "codegen")
    return;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (mlir::isa<mlir::gpu::GPUModuleOp>(op))
      return mlir::WalkResult::skip();
    addHostBuffer(op);
    return mlir::WalkResult::advance();
  });
}

void ReportPage::addDeviceCode(ArrayRef<DeviceCode> codes) {
  for (const DeviceCode &code : codes) {
    std::unique_ptr<simulator::Code> loaded;
    if (!sim.load(code.bytes.data(), code.bytes.size(), "", loaded).ok())
      continue; // Write the page without resources.
    for (const simulator::Kernel &kernel : loaded->kernels()) {
      Kernel &known = kernels[code.module.str() + "::" + kernel.name];
      known.name = kernel.name;
      known.code = kernel;
    }
  }
}
