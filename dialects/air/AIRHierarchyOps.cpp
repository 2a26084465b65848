//===- AIRHierarchyOps.cpp - rank, launch, segment, herd ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIRAsm.h"
#include "dialects/air/AIROps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace aircc::air;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Fills `state` with the parts that all hierarchy ops share. `segments` holds
/// the operands of each segment; the last two segments are the sizes and the
/// kernel operands.
template <typename OpTy>
static void buildHierarchyOp(OpBuilder &builder, OperationState &state,
                             ArrayRef<ValueRange> segments, bool isAsync,
                             ArrayRef<NamedAttribute> attrs) {
  SmallVector<int32_t> segmentSizes;
  for (ValueRange segment : segments) {
    state.addOperands(segment);
    segmentSizes.push_back(segment.size());
  }
  if (isAsync)
    state.addTypes(builder.getType<AsyncTokenType>());

  for (NamedAttribute attr : attrs)
    if (attr.getName() != OpTy::getOperandSegmentSizeAttr())
      state.addAttribute(attr.getName(), attr.getValue());
  state.addAttribute(OpTy::getOperandSegmentSizeAttr(),
                     builder.getDenseI32ArrayAttr(segmentSizes));

  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  Block *body = builder.createBlock(region);
  size_t numDims = segments.take_back(2).front().size();
  for (size_t i = 0, e = 2 * numDims; i < e; ++i)
    body->addArgument(builder.getIndexType(), state.location);
  for (Value operand : segments.back())
    body->addArgument(operand.getType(), operand.getLoc());
  OpTy::ensureTerminator(*region, builder, state.location);
}

void LaunchOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange dependencies, ValueRange sizes,
                     ValueRange kernelOperands, bool isAsync,
                     ArrayRef<NamedAttribute> attrs) {
  buildHierarchyOp<LaunchOp>(
      builder, state, {dependencies, sizes, kernelOperands}, isAsync, attrs);
}

void SegmentOp::build(OpBuilder &builder, OperationState &state,
                      ValueRange dependencies, ValueRange sizes,
                      ValueRange kernelOperands, bool isAsync,
                      ArrayRef<NamedAttribute> attrs) {
  buildHierarchyOp<SegmentOp>(
      builder, state, {dependencies, sizes, kernelOperands}, isAsync, attrs);
}

void HerdOp::build(OpBuilder &builder, OperationState &state,
                   ValueRange dependencies, ValueRange sizes,
                   ValueRange kernelOperands, bool isAsync,
                   ArrayRef<NamedAttribute> attrs) {
  buildHierarchyOp<HerdOp>(
      builder, state, {dependencies, sizes, kernelOperands}, isAsync, attrs);
}

void RankOp::build(OpBuilder &builder, OperationState &state,
                   ValueRange dependencies, Value universe, ValueRange sizes,
                   ValueRange kernelOperands, bool isAsync) {
  ValueRange universes = universe ? ValueRange(universe) : ValueRange();
  buildHierarchyOp<RankOp>(builder, state,
                           {dependencies, universes, sizes, kernelOperands},
                           isAsync, /*attrs=*/{});
}

//===----------------------------------------------------------------------===//
// Assembly format
//===----------------------------------------------------------------------===//

namespace {
/// The differences between the assembly formats of the levels.
struct Syntax {
  /// The keyword before the ids, or empty.
  StringRef spaceKeyword;
  /// Whether the ids may be omitted.
  bool spaceIsOptional;
  bool hasUniverse;
};
} // namespace

static constexpr Syntax kLaunchSyntax = {"", true, false};
static constexpr Syntax kSegmentSyntax = {"unroll", true, false};
static constexpr Syntax kHerdSyntax = {"tile", false, false};
static constexpr Syntax kRankSyntax = {"", false, true};

/// Parses `(%x, …) in (%sx=%a[,] …)`.
static ParseResult
parseSpace(OpAsmParser &parser, const Syntax &syntax,
           SmallVectorImpl<OpAsmParser::Argument> &arguments,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &sizes) {
  if (!syntax.spaceKeyword.empty()) {
    if (syntax.spaceIsOptional) {
      if (failed(parser.parseOptionalKeyword(syntax.spaceKeyword)))
        return success();
    } else if (parser.parseKeyword(syntax.spaceKeyword)) {
      return failure();
    }
    if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
      return failure();
  } else {
    if (syntax.spaceIsOptional) {
      if (failed(parser.parseOptionalLParen()))
        return success();
    } else if (parser.parseLParen()) {
      return failure();
    }
    if (failed(parser.parseOptionalRParen())) {
      if (parser.parseArgumentList(arguments) || parser.parseRParen())
        return failure();
    }
  }

  if (parser.parseKeyword("in") || parser.parseLParen())
    return failure();
  SmallVector<OpAsmParser::Argument> sizeArguments;
  SMLoc sizesLoc = parser.getCurrentLocation();
  while (failed(parser.parseOptionalRParen())) {
    if (parser.parseArgument(sizeArguments.emplace_back()) ||
        parser.parseEqual() || parser.parseOperand(sizes.emplace_back()))
      return failure();
    (void)parser.parseOptionalComma();
  }
  if (sizes.size() != arguments.size())
    return parser.emitError(sizesLoc)
           << "expected as many sizes as ids (" << arguments.size()
           << "), but got " << sizes.size();
  arguments.append(sizeArguments);
  return success();
}

/// Parses `args(%a=%v, …) : type, …`.
static ParseResult
parseKernelOperands(OpAsmParser &parser,
                    SmallVectorImpl<OpAsmParser::Argument> &arguments,
                    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                    SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword("args")))
    return success();
  if (parser.parseLParen())
    return failure();
  if (succeeded(parser.parseOptionalRParen()))
    return success();

  size_t first = arguments.size();
  do {
    if (parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  SMLoc typesLoc;
  if (parser.parseRParen() || parser.getCurrentLocation(&typesLoc) ||
      parser.parseColonTypeList(types))
    return failure();
  if (types.size() < operands.size())
    return parser.emitError(typesLoc)
           << "expected one type for each of the " << operands.size()
           << " arguments, but got " << types.size();
  // Accept excess types, because existing programs may contain them.
  if (types.size() > operands.size()) {
    emitWarning(parser.getEncodedSourceLoc(typesLoc))
        << "expected one type for each of the " << operands.size()
        << " arguments, but got " << types.size() << "; ignoring the last "
        << types.size() - operands.size();
    types.resize(operands.size());
  }
  for (auto [argument, type] :
       llvm::zip_equal(llvm::drop_begin(arguments, first), types))
    argument.type = type;
  return success();
}

template <typename OpTy>
static ParseResult parseHierarchyOp(OpAsmParser &parser, OperationState &result,
                                    const Syntax &syntax) {
  Builder &builder = parser.getBuilder();
  SmallVector<int32_t> segments;
  if (parseNameAndDependencies(parser, result, segments.emplace_back()))
    return failure();

  if (syntax.hasUniverse) {
    segments.push_back(0);
    if (succeeded(parser.parseOptionalKeyword("universe"))) {
      OpAsmParser::UnresolvedOperand universe;
      if (parser.parseLParen() || parser.parseOperand(universe) ||
          parser.parseRParen() ||
          parser.resolveOperand(universe, builder.getType<UniverseType>(),
                                result.operands))
        return failure();
      segments.back() = 1;
    }
  }

  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> sizes, operands;
  SmallVector<Type> types;
  if (parseSpace(parser, syntax, arguments, sizes))
    return failure();
  for (OpAsmParser::Argument &argument : arguments)
    argument.type = builder.getIndexType();
  SMLoc operandsLoc = parser.getCurrentLocation();
  if (parser.resolveOperands(sizes, builder.getIndexType(), result.operands) ||
      parseKernelOperands(parser, arguments, operands, types) ||
      parser.resolveOperands(operands, types, operandsLoc, result.operands))
    return failure();
  segments.push_back(sizes.size());
  segments.push_back(operands.size());

  // A name in both places would create two attributes with the same name.
  bool named =
      result.attributes.get(SymbolTable::getSymbolAttrName()) != nullptr;
  SMLoc attrsLoc = parser.getCurrentLocation();
  NamedAttrList attributes;
  if (parser.parseOptionalAttrDictWithKeyword(attributes))
    return failure();
  if (named && attributes.get(SymbolTable::getSymbolAttrName()))
    return parser.emitError(attrsLoc) << "the op is named twice; write either "
                                         "'@name' or the attribute 'sym_name'";
  result.attributes.append(attributes);
  if (failed(verifyAttributes<OpTy>(parser, attrsLoc, result)))
    return failure();
  result.addAttribute(OpTy::getOperandSegmentSizeAttr(),
                      builder.getDenseI32ArrayAttr(segments));

  Region *region = result.addRegion();
  SMLoc regionLoc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalRegion(*region, arguments);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
  } else {
    if (!result.attributes.get(SymbolTable::getSymbolAttrName()))
      return parser.emitError(regionLoc)
             << "expected a region; only an op with a symbol name may omit it";
    Block &body = region->emplaceBlock();
    for (const OpAsmParser::Argument &argument : arguments)
      body.addArgument(argument.type, result.location);
  }
  OpTy::ensureTerminator(*region, builder, result.location);
  return success();
}

template <typename OpTy>
static void printHierarchyOp(OpAsmPrinter &printer, OpTy op,
                             const Syntax &syntax) {
  printNameAndDependencies(printer, op, op.getSymNameAttr(), op.getAsyncToken(),
                           op.getAsyncDependencies());
  if constexpr (std::is_same_v<OpTy, RankOp>)
    if (op.getUniverse())
      printer << " universe(" << op.getUniverse() << ')';

  // Print an optional keyword only if there is a space.
  bool hasSpace = !syntax.spaceIsOptional || syntax.spaceKeyword.empty() ||
                  op.getNumDims() != 0;
  if (hasSpace) {
    printer << ' ';
    if (!syntax.spaceKeyword.empty())
      printer << syntax.spaceKeyword << ' ';
    printer << '(';
    llvm::interleaveComma(op.getIds(), printer);
    printer << ") in (";
    llvm::interleaveComma(llvm::zip_equal(op.getSizes(), op.getSizeOperands()),
                          printer, [&](auto pair) {
                            auto [argument, operand] = pair;
                            printer << argument << '=' << operand;
                          });
    printer << ')';
  }

  if (!op.getKernelOperands().empty()) {
    printer << " args(";
    llvm::interleaveComma(
        llvm::zip_equal(op.getKernelArguments(), op.getKernelOperands()),
        printer, [&](auto pair) {
          auto [argument, operand] = pair;
          printer << argument << '=' << operand;
        });
    printer << ") : ";
    llvm::interleaveComma(op.getKernelOperands().getTypes(), printer);
  }

  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(),
      {OpTy::getOperandSegmentSizeAttr(), SymbolTable::getSymbolAttrName()});
  printer << ' ';
  Operation *terminator = op.getBodyBlock()->getTerminator();
  printer.printRegion(op.getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/
                      !terminator->getAttrDictionary().empty());
}

ParseResult LaunchOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseHierarchyOp<LaunchOp>(parser, result, kLaunchSyntax);
}
void LaunchOp::print(OpAsmPrinter &printer) {
  printHierarchyOp(printer, *this, kLaunchSyntax);
}

ParseResult SegmentOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseHierarchyOp<SegmentOp>(parser, result, kSegmentSyntax);
}
void SegmentOp::print(OpAsmPrinter &printer) {
  printHierarchyOp(printer, *this, kSegmentSyntax);
}

ParseResult HerdOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseHierarchyOp<HerdOp>(parser, result, kHerdSyntax);
}
void HerdOp::print(OpAsmPrinter &printer) {
  printHierarchyOp(printer, *this, kHerdSyntax);
}

ParseResult RankOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseHierarchyOp<RankOp>(parser, result, kRankSyntax);
}
void RankOp::print(OpAsmPrinter &printer) {
  printHierarchyOp(printer, *this, kRankSyntax);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//
// Control enters the body only from the op. The ids are not forwarded from any
// operand, and neither are the sizes: a forwarded operand may be dropped if the
// body does not use it, but a size also determines how often the body runs. The
// body does not run at all if a size is zero. The body yields no values: the
// token belongs to the op.

static void getHierarchySuccessors(HierarchyInterface op,
                                   RegionBranchPoint point,
                                   SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&op.getRegion(), op.getKernelArguments());
  regions.emplace_back(op.getOperation(), op->getResults().take_front(0));
}

static OperandRange getHierarchyEntryOperands(HierarchyInterface op,
                                              RegionSuccessor successor) {
  OperandRange operands = op.getKernelOperands();
  return operands.take_back(successor.isParent() ? 0 : operands.size());
}

void LaunchOp::getSuccessorRegions(RegionBranchPoint point,
                                   SmallVectorImpl<RegionSuccessor> &regions) {
  getHierarchySuccessors(*this, point, regions);
}
OperandRange LaunchOp::getEntrySuccessorOperands(RegionSuccessor successor) {
  return getHierarchyEntryOperands(*this, successor);
}

void SegmentOp::getSuccessorRegions(RegionBranchPoint point,
                                    SmallVectorImpl<RegionSuccessor> &regions) {
  getHierarchySuccessors(*this, point, regions);
}
OperandRange SegmentOp::getEntrySuccessorOperands(RegionSuccessor successor) {
  return getHierarchyEntryOperands(*this, successor);
}

void HerdOp::getSuccessorRegions(RegionBranchPoint point,
                                 SmallVectorImpl<RegionSuccessor> &regions) {
  getHierarchySuccessors(*this, point, regions);
}
OperandRange HerdOp::getEntrySuccessorOperands(RegionSuccessor successor) {
  return getHierarchyEntryOperands(*this, successor);
}

void RankOp::getSuccessorRegions(RegionBranchPoint point,
                                 SmallVectorImpl<RegionSuccessor> &regions) {
  getHierarchySuccessors(*this, point, regions);
}
OperandRange RankOp::getEntrySuccessorOperands(RegionSuccessor successor) {
  return getHierarchyEntryOperands(*this, successor);
}
