//===- LayoutAttrs.cpp - Layouts and swizzles as attributes ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/algebra/Transforms.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace aircc::layout;

#define GET_ATTRDEF_CLASSES
#include "dialects/layout/LayoutAttrs.cpp.inc"

void LayoutDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/layout/LayoutAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// #layout.nested: construction and text
//===----------------------------------------------------------------------===//

static Ints toInts(ArrayRef<int64_t> values) {
  return Ints(values.begin(), values.end());
}

NestedLayoutAttr NestedLayoutAttr::get(MLIRContext *context,
                                       const NestedLayout &layout) {
  NestedParams p = layout.params();
  return Base::get(
      context, ArrayRef<int64_t>(p.subgroupTile),
      ArrayRef<int64_t>(p.batchTile), ArrayRef<int64_t>(p.outerTile),
      ArrayRef<int64_t>(p.threadTile), ArrayRef<int64_t>(p.elementTile),
      ArrayRef<int64_t>(p.subgroupStrides), ArrayRef<int64_t>(p.threadStrides),
      ArrayRef<int64_t>(p.cycleTile));
}

NestedLayoutAttr
NestedLayoutAttr::getChecked(function_ref<InFlightDiagnostic()> emitError,
                             MLIRContext *context, const NestedParams &params) {
  auto layout = NestedLayout::get(params);
  if (layout)
    return get(context, *layout);
  emitError() << layout.message();
  return {};
}

NestedLayout NestedLayoutAttr::getLayout() const {
  NestedParams params;
  params.subgroupTile = toInts(getSubgroupTile());
  params.batchTile = toInts(getBatchTile());
  params.outerTile = toInts(getOuterTile());
  params.threadTile = toInts(getThreadTile());
  params.elementTile = toInts(getElementTile());
  params.subgroupStrides = toInts(getSubgroupStrides());
  params.threadStrides = toInts(getThreadStrides());
  params.cycleTile = toInts(getCycleTile());
  // The attribute was verified, so this cannot fail.
  return *NestedLayout::get(params);
}

namespace {
/// A list in the assembly format.
struct Field {
  StringLiteral name;
  Ints NestedParams::*list;
  bool optional = false;
};
} // namespace

static constexpr Field kFields[] = {
    {"cycle_tile", &NestedParams::cycleTile, /*optional=*/true},
    {"subgroup_tile", &NestedParams::subgroupTile},
    {"batch_tile", &NestedParams::batchTile},
    {"outer_tile", &NestedParams::outerTile},
    {"thread_tile", &NestedParams::threadTile},
    {"element_tile", &NestedParams::elementTile},
    {"subgroup_strides", &NestedParams::subgroupStrides},
    {"thread_strides", &NestedParams::threadStrides},
};

Attribute NestedLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc begin = parser.getCurrentLocation();
  NestedParams params;
  SmallVector<StringRef> seen;
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    // The old name is accepted for one more version.
    if (name == "round_tile")
      name = "cycle_tile";
    const Field *field =
        llvm::find_if(kFields, [&](const Field &f) { return f.name == name; });
    if (field == std::end(kFields))
      return parser.emitError(loc)
             << "a nested layout has no parameter '" << name
             << "'; its parameters are "
             << llvm::join(llvm::map_range(
                               kFields, [](const Field &f) { return f.name; }),
                           ", ");
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc) << "'" << name << "' is specified twice";
    seen.push_back(field->name);
    return failure(parser.parseEqual() ||
                   parser.parseCommaSeparatedList(
                       AsmParser::Delimiter::Square, [&]() -> ParseResult {
                         return parser.parseInteger(
                             (params.*field->list).emplace_back());
                       }));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  for (const Field &field : kFields)
    if (!field.optional && !llvm::is_contained(seen, field.name)) {
      parser.emitError(begin)
          << "the nested layout is missing '" << field.name << "'";
      return {};
    }
  return getChecked([&] { return parser.emitError(begin); },
                    parser.getContext(), params);
}

void NestedLayoutAttr::print(AsmPrinter &printer) const {
  const NestedParams params = getLayout().params();
  auto fields = llvm::make_filter_range(kFields, [&](const Field &field) {
    return !field.optional || !(params.*field.list).empty();
  });
  printer << '<';
  llvm::interleaveComma(fields, printer, [&](const Field &field) {
    printer << field.name << " = [";
    llvm::interleaveComma(params.*field.list, printer);
    printer << ']';
  });
  printer << '>';
}

//===----------------------------------------------------------------------===//
// #layout.nested: the counterparts of vector ops
//===----------------------------------------------------------------------===//

static NestedLayoutAttr toAttr(MLIRContext *context,
                               const Result<NestedLayout> &layout) {
  if (!layout)
    return {};
  return NestedLayoutAttr::get(context, *layout);
}

// This is called often, so do not construct a NestedLayout.
SmallVector<int64_t> NestedLayoutAttr::getUndistributedShape() const {
  SmallVector<int64_t> shape = getDistributedShape();
  for (auto [size, subgroup, thread] :
       llvm::zip_equal(shape, getSubgroupTile(), getThreadTile()))
    size *= subgroup * thread;
  return shape; // The distributed shape includes the cycle tile.
}

SmallVector<int64_t> NestedLayoutAttr::getDistributedShape() const {
  SmallVector<int64_t> shape;
  for (auto [batch, outer, element] :
       llvm::zip_equal(getBatchTile(), getOuterTile(), getElementTile()))
    shape.push_back(batch * outer * element);
  for (auto [size, cycles] : llvm::zip(shape, getCycleTile()))
    size *= cycles;
  return shape;
}

bool NestedLayoutAttr::isSpreadOverWaves() const {
  return llvm::any_of(getSubgroupTile(), [](int64_t tile) { return tile > 1; });
}

bool NestedLayoutAttr::isReplicated() const {
  return !isSpreadOverWaves() &&
         llvm::all_of(getThreadTile(), [](int64_t tile) { return tile == 1; });
}

std::string NestedLayoutAttr::getMisfit(int64_t numWaves,
                                        int64_t numLanes) const {
  auto error = getLayout().misfit(numWaves, numLanes);
  return error ? error->message : std::string();
}

std::optional<ConversionCost>
NestedLayoutAttr::getConversion(NestedLayoutAttr target, int64_t numWaves,
                                int64_t numLanes) const {
  NestedLayout from = getLayout(), to = target.getLayout();
  auto kind = conversionKind(from, to, numWaves, numLanes);
  if (!kind)
    return std::nullopt;
  return ConversionCost{*kind, from.numRegisters(), to.numRegisters()};
}

NestedLayoutAttr
NestedLayoutAttr::permute(ArrayRef<int64_t> permutation) const {
  return toAttr(getContext(), layout::permute(getLayout(), permutation));
}

NestedLayoutAttr NestedLayoutAttr::project(ArrayRef<int64_t> dims) const {
  return toAttr(getContext(), layout::project(getLayout(), dims));
}

NestedLayoutAttr NestedLayoutAttr::unproject(ArrayRef<int64_t> shape,
                                             ArrayRef<int64_t> dims,
                                             int64_t numLanes) const {
  return toAttr(getContext(),
                layout::unproject(getLayout(), shape, dims, numLanes));
}

NestedLayoutAttr NestedLayoutAttr::broadcast(ArrayRef<int64_t> shape) const {
  return toAttr(getContext(), layout::broadcast(getLayout(), shape));
}

NestedLayoutAttr
NestedLayoutAttr::broadcastSource(ArrayRef<int64_t> sourceShape) const {
  return toAttr(getContext(),
                layout::broadcastSource(getLayout(), sourceShape));
}

NestedLayoutAttr NestedLayoutAttr::reshape(ArrayRef<int64_t> shape) const {
  auto layout = layout::reshape(getLayout(), shape);
  if (!layout)
    return {};
  return NestedLayoutAttr::get(getContext(), *layout);
}

NestedLayoutAttr NestedLayoutAttr::slice(ArrayRef<int64_t> offsets,
                                         ArrayRef<int64_t> sizes) const {
  return toAttr(getContext(), layout::slice(getLayout(), offsets, sizes));
}

NestedLayoutAttr NestedLayoutAttr::extend(ArrayRef<int64_t> shape) const {
  return toAttr(getContext(), layout::extend(getLayout(), shape));
}

//===----------------------------------------------------------------------===//
// #layout.xor_shuffle
//===----------------------------------------------------------------------===//

LogicalResult
XorShuffleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t rowWidth, int64_t accessWidth, int64_t phases,
                       int64_t group) {
  auto shuffle = XorShuffle::get(rowWidth, accessWidth, phases, group);
  if (!shuffle)
    return emitError() << shuffle.message();
  // Each swizzle must have only one spelling.
  if (phases && phases == shuffle->blocksPerRow())
    return emitError() << "phases is " << phases
                       << ", the number of blocks in a row, which is the "
                          "default; omit it";
  return success();
}

LogicalResult
ContractionStrategyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef instruction, int64_t wavesM,
                                int64_t wavesN, OperandPath) {
  if (instruction.empty())
    return emitError()
           << "the name of the matrix instruction must not be empty";
  if (wavesM < 1 || wavesN < 1)
    return emitError()
           << "expects at least one wave along rows and columns, but got "
           << wavesM << " x " << wavesN;
  return success();
}

LogicalResult
TileTransferAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         int64_t waves, bool transposed, bool gathered) {
  if (waves < 1)
    return emitError() << "expects at least one wave, but got " << waves;
  if (transposed && gathered)
    return emitError() << "a copy cannot be both transposed and gathered";
  return success();
}

XorShuffle XorShuffleAttr::getShuffle() const {
  return *XorShuffle::get(getRowWidth(), getAccessWidth(), getPhases(),
                          getGroup());
}
