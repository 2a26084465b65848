//===- LayoutPage.cpp - HTML page of a program's layouts ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/LayoutPage.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "dialects/layout/algebra/LayoutPicture.h"
#include "driver/report/HtmlPage.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace aircc;
using namespace llvm;
using layout::NestedLayoutAttr;

namespace {

class Page {
public:
  Page(mlir::ModuleOp module, const TargetProfile &profile, raw_ostream &os)
      : module(module), profile(profile), os(os), names(module) {}

  void write() {
    module.walk([&](mlir::gpu::GPUFuncOp function) { write(function); });
    if (layouts.empty())
      os << "<p>No kernel has vectors of a workgroup or of a wave.</p>\n";
    else
      writeLayouts();
  }

private:
  void printEscaped(StringRef text) { printHTMLEscaped(text, os); }

  void write(mlir::gpu::GPUFuncOp function);
  void writeOp(mlir::Operation *op, unsigned depth, int64_t waves);
  void writeLayouts();

  /// Returns a link to the drawing of a layout.
  std::string link(NestedLayoutAttr layout) {
    auto [it, isNew] = layouts.try_emplace(layout, layouts.size() + 1);
    std::string name = "L" + std::to_string(it->second);
    return "<a class=\"layout\" href=\"#" + name + "\">" + name + "</a>";
  }

  mlir::ModuleOp module;
  const TargetProfile &profile;
  raw_ostream &os;
  mlir::AsmState names;
  MapVector<mlir::Attribute, unsigned> layouts;
};

} // namespace

/// Returns the source location of the op ("12:5"), or "" if it has none.
static std::string placeOf(mlir::Operation *op) {
  if (auto place = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
    return std::to_string(place.getLine()) + ":" +
           std::to_string(place.getColumn());
  return "";
}

void Page::writeOp(mlir::Operation *op, unsigned depth, int64_t waves) {
  std::string text(2 * depth, ' ');
  raw_string_ostream code(text);
  for (mlir::OpResult result : op->getResults()) {
    code << (result.getResultNumber() ? ", " : "");
    result.printAsOperand(code, names);
  }
  code << (op->getNumResults() ? " = " : "") << op->getName();
  interleave(
      op->getOperands(),
      [&](mlir::Value operand) {
        code << (operand == op->getOperand(0) ? " " : "");
        operand.printAsOperand(code, names);
      },
      [&] { code << ", "; });
  if (op->getNumResults()) {
    code << " : ";
    interleaveComma(op->getResultTypes(), code);
  }

  auto conversion = dyn_cast<layout::ToLayoutOp>(op);
  os << (conversion ? "<tr class=\"conversion\">" : "<tr>")
     << "<td class=\"place\">" << placeOf(op) << "</td><td class=\"code\">";
  printEscaped(text);
  os << "</td><td>";
  for (mlir::Value operand : op->getOperands())
    if (NestedLayoutAttr layout = layout::getLayout(operand))
      os << link(layout) << " ";
  os << "</td><td>";
  for (mlir::Value result : op->getResults())
    if (NestedLayoutAttr layout = layout::getLayout(result))
      os << link(layout) << " ";
  os << "</td><td>";
  if (conversion) {
    bool isWave = layout::getScope(op) == layout::Scope::Wave;
    NestedLayoutAttr from = layout::getLayout(conversion.getInput());
    auto cost = from ? from.getConversion(conversion.getLayout(),
                                          isWave ? 1 : waves, profile.waveSize)
                     : std::nullopt;
    if (cost)
      os << "conversion " << layout::conversionKindText(cost->kind) << ", "
         << cost->sourceRegisters << " values per lane to " << cost->registers;
    if (conversion.getSharedMemoryConversion())
      os << ", through LDS as the program requests";
  } else if (auto name = op->getAttrOfType<mlir::StringAttr>(
                 layout::LayoutDialect::MatrixInstructionAttrHelper::
                     getNameStr())) {
    os << "by ";
    printEscaped(name.getValue());
  }
  os << "</td></tr>\n";
}

void Page::write(mlir::gpu::GPUFuncOp function) {
  bool any = false;
  function.getBody().walk(
      [&](mlir::Operation *op) { any |= layout::hasLayouts(op); });
  if (!any)
    return;
  int64_t waves = 1;
  if (auto size = function.getKnownBlockSizeAttr()) {
    for (int32_t extent : size.asArrayRef())
      waves *= extent;
    waves = std::max<int64_t>(1, waves / profile.waveSize);
  }
  os << "<h2>Kernel ";
  printEscaped(function.getName());
  os << "</h2>\n<p>" << waves << (waves == 1 ? " wave" : " waves")
     << " a "
        "workgroup.</p>\n";
  beginHtmlTable("<th>line</th><th>op</th><th>operands</th><th>results</th>"
                 "<th></th>",
                 os);
  function.getBody().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    unsigned depth = 0;
    for (mlir::Operation *parent = op->getParentOp(); parent != function;
         parent = parent->getParentOp())
      ++depth;
    if (layout::hasLayouts(op))
      writeOp(op, depth, waves);
  });
  endHtmlTable(os);
}

void Page::writeLayouts() {
  os << "<h2>Layouts</h2>\n";
  for (auto [attribute, number] : layouts) {
    os << "<details id=\"L" << number << "\"" << (number == 1 ? " open" : "")
       << "><summary>L" << number << ": <span class=\"code\">";
    std::string text;
    raw_string_ostream(text) << attribute;
    printEscaped(text);
    os << "</span></summary>\n";
    if (auto nested = dyn_cast<layout::NestedLayoutAttr>(attribute)) {
      layout::LayoutPictureOptions options;
      // Draw only the beginning, because layouts repeat a pattern and a page
      // has many of them.
      options.maxRows = options.maxColumns = 16;
      options.maxTables = 1;
      if (auto picture = layout::layoutPicture(nested.getLayout(), options))
        os << *picture;
    }
    os << "</details>\n";
  }
}

void aircc::writeLayoutSection(mlir::ModuleOp module,
                               const TargetProfile &profile, raw_ostream &os) {
  Page(module, profile, os).write();
}

void aircc::writeLayoutPage(mlir::ModuleOp module, const TargetProfile &profile,
                            StringRef title, raw_ostream &os) {
  beginHtmlPage("Layouts of " + title.str(), os);
  os << "<p>For " << profile.name << ", waves of " << profile.waveSize
     << " lanes.</p>\n";
  writeLayoutSection(module, profile, os);
  endHtmlPage(os);
}
