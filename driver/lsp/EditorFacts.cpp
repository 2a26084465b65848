//===- EditorFacts.cpp - What a compile tells an editor -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/EditorFacts.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace aircc;
using namespace llvm;
using layout::NestedLayoutAttr;

/// Returns the line of an op in the program, which is read from standard input,
/// or 0 if it has none.
static unsigned getLine(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return place && place.getFilename() == "<stdin>" ? place.getLine() : 0;
}

static std::string joinSizes(ArrayRef<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : "x") + itostr(size);
  return text.empty() ? "1" : text;
}

/// Returns a label such as "2x4 a lane, 16x4 lanes, 2x1 waves".
static std::string getLabel(NestedLayoutAttr layout) {
  std::string label = joinSizes(layout.getDistributedShape()) + " a lane, " +
                      joinSizes(layout.getThreadTile()) + " lanes";
  if (layout.isSpreadOverWaves())
    label += ", " + joinSizes(layout.getSubgroupTile()) + " waves";
  return label;
}

void EditorFacts::addLayouts(mlir::Operation *op, int64_t waves) {
  unsigned line = getLine(op->getLoc());
  if (!line)
    return;
  for (mlir::Value result : op->getResults()) {
    NestedLayoutAttr layout = layout::getLayout(result);
    if (!layout)
      continue;
    Layouts &here = layouts[line];
    std::string label = getLabel(layout);
    if (!is_contained(here.labels, label))
      here.labels.push_back(label);
    std::string details;
    raw_string_ostream os(details);
    os << op->getName() << ": " << layout;
    if (auto name = op->getAttrOfType<mlir::StringAttr>(
            layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
      os << ", by " << name.getValue();
    if (auto conversion = mlir::dyn_cast<layout::ToLayoutOp>(op))
      if (NestedLayoutAttr from = layout::getLayout(conversion.getInput()))
        if (auto cost = from.getConversion(
                layout, layout::getScope(op) == layout::Scope::Wave ? 1 : waves,
                waveSize))
          os << ", a conversion " << layout::conversionKindText(cost->kind);
    if (!is_contained(here.details, details))
      here.details.push_back(details);
  }
}

/// Returns the number of waves per workgroup that the kernel states, or 1 if it
/// states none.
static int64_t getWaves(mlir::gpu::GPUFuncOp kernel, unsigned waveSize) {
  int64_t lanes = 1;
  if (auto size = kernel.getKnownBlockSizeAttr())
    for (int32_t extent : size.asArrayRef())
      lanes *= extent;
  return std::max<int64_t>(1, lanes / waveSize);
}

void EditorFacts::addKernel(const std::string &key, StringRef name,
                            unsigned line) {
  Kernel &kernel = kernels[key];
  kernel.name = name.str();
  if (!kernel.line)
    kernel.line = line;
}

void EditorFacts::addStage(StringRef stage, mlir::ModuleOp module,
                           const TargetProfile &profile) {
  if (target.empty())
    target = profile.name;
  if (target != profile.name)
    return;
  waveSize = profile.waveSize;
  module.walk([&](mlir::gpu::GPUFuncOp function) {
    if (!function.isKernel())
      return;
    auto owner = function->getParentOfType<mlir::gpu::GPUModuleOp>();
    addKernel((owner.getName() + "::" + function.getName()).str(),
              function.getName(), getLine(function.getLoc()));
    if (stage == "layout")
      function.getBody().walk([&](mlir::Operation *op) {
        addLayouts(op, getWaves(function, waveSize));
      });
  });
}

void EditorFacts::addDeviceCode(ArrayRef<DeviceCode> codes) {
  if (!sim)
    return;
  for (const DeviceCode &code : codes) {
    std::unique_ptr<simulator::Code> loaded;
    if (!sim->load(code.bytes.data(), code.bytes.size(), "", loaded).ok())
      continue; // The editor then shows no resources.
    for (const simulator::Kernel &kernel : loaded->kernels()) {
      auto it = kernels.find((code.module + "::" + kernel.name).str());
      if (it != kernels.end() && !it->second.code)
        it->second.code = kernel;
    }
  }
}

/// Returns a label such as "72 VGPRs, 16384 bytes of LDS, 16 bytes of scratch
/// per lane".
static std::string getLabel(const simulator::Kernel &kernel) {
  std::string label;
  auto add = [&](uint32_t count, StringRef unit) {
    if (count)
      label += (label.empty() ? "" : ", ") + utostr(count) + " " + unit.str();
  };
  add(kernel.vgprs, "VGPRs");
  add(kernel.agprs, "AGPRs");
  add(kernel.ldsBytes, "bytes of LDS");
  add(kernel.scratchBytes, "bytes of scratch per lane");
  return label.empty() ? "no LDS" : label;
}

json::Value EditorFacts::toJSON() const {
  json::Array facts;
  for (const auto &[line, here] : layouts)
    facts.push_back(
        json::Object{{"line", line},
                     {"label", here.labels.size() == 1
                                   ? here.labels[0]
                                   : utostr(here.labels.size()) + " layouts"},
                     {"details", join(here.details, "\n")}});
  for (const auto &[key, kernel] : kernels)
    if (kernel.line && kernel.code)
      facts.push_back(json::Object{
          {"line", kernel.line},
          {"label", getLabel(*kernel.code)},
          {"details", "kernel " + kernel.name + " on " + target +
                          ", waves of " + utostr(waveSize) + " lanes"}});
  return facts;
}
