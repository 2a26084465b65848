//===- KernelOps.cpp - Barriers and fences of kernels ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/ScopeSyntax.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace aircc::kernel;

//===----------------------------------------------------------------------===//
// Common code of barriers and fences
//===----------------------------------------------------------------------===//

/// Parses a keyword of an enumeration. The error lists the keywords.
template <typename Enum>
static ParseResult
parseKeyword(OpAsmParser &parser, Enum &value, StringRef what,
             std::optional<Enum> (*symbolize)(StringRef), StringRef keywords) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return parser.emitError(loc) << "expected " << what << ": " << keywords;
  std::optional<Enum> symbol = symbolize(keyword);
  if (!symbol)
    return parser.emitError(loc) << "'" << keyword << "' is not " << what
                                 << "; expected " << keywords;
  value = *symbol;
  return success();
}

ParseResult aircc::kernel::parseScope(OpAsmParser &parser,
                                      ScopeAttr &attribute) {
  Scope scope;
  if (failed(parseKeyword<Scope>(parser, scope, "a scope", symbolizeScope,
                                 "lane, wave, workgroup, device or system")))
    return failure();
  attribute = ScopeAttr::get(parser.getContext(), scope);
  return success();
}

void aircc::kernel::printScope(OpAsmPrinter &printer, Operation *,
                               ScopeAttr scope) {
  printer << stringifyScope(scope.getValue());
}

static ParseResult parseOrdering(OpAsmParser &parser, OrderingAttr &attribute) {
  Ordering ordering;
  if (failed(parseKeyword<Ordering>(parser, ordering, "an ordering",
                                    symbolizeOrdering,
                                    "acquire, release or acq_rel")))
    return failure();
  attribute = OrderingAttr::get(parser.getContext(), ordering);
  return success();
}

static void printOrdering(OpAsmPrinter &printer, Operation *,
                          OrderingAttr ordering) {
  printer << stringifyOrdering(ordering.getValue());
}

static ArrayAttr getMemorySpaces(MLIRContext *context,
                                 ArrayRef<gpu::AddressSpace> spaces) {
  SmallVector<Attribute> list;
  for (gpu::AddressSpace space : spaces)
    list.push_back(gpu::AddressSpaceAttr::get(context, space));
  return ArrayAttr::get(context, list);
}

/// Returns true if `spaces`, or the default if it is absent, contains `space`.
static bool contains(std::optional<ArrayAttr> spaces, gpu::AddressSpace space) {
  if (!spaces)
    return space != gpu::AddressSpace::Private;
  return llvm::any_of(spaces->getAsRange<gpu::AddressSpaceAttr>(),
                      [&](auto listed) { return listed.getValue() == space; });
}

static LogicalResult verifyMemorySpaces(Operation *op,
                                        std::optional<ArrayAttr> spaces) {
  if (!spaces)
    return success();
  llvm::SmallSet<gpu::AddressSpace, 4> seen;
  for (auto listed : spaces->getAsRange<gpu::AddressSpaceAttr>()) {
    gpu::AddressSpace space = listed.getValue();
    if (space == gpu::AddressSpace::Private)
      return op->emitOpError(
          "lists private memory, which other lanes cannot access; list "
          "#gpu.address_space<global>, #gpu.address_space<workgroup> or both");
    if (!seen.insert(space).second)
      return op->emitOpError("lists ") << listed << " twice";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// kernel.barrier
//===----------------------------------------------------------------------===//

void BarrierOp::build(OpBuilder &b, OperationState &state, Scope scope) {
  build(b, state, ScopeAttr::get(b.getContext(), scope), ArrayAttr());
}

void BarrierOp::build(OpBuilder &b, OperationState &state, Scope scope,
                      ArrayRef<gpu::AddressSpace> memory) {
  build(b, state, ScopeAttr::get(b.getContext(), scope),
        getMemorySpaces(b.getContext(), memory));
}

bool BarrierOp::orders(gpu::AddressSpace space) {
  return contains(getMemory(), space);
}

LogicalResult BarrierOp::verify() {
  Scope scope = getScope();
  if (scope != Scope::Wave && scope != Scope::Workgroup)
    return emitOpError("cannot have scope ")
           << stringifyScope(scope)
           << "; the scope of a barrier must be wave or workgroup";
  return verifyMemorySpaces(*this, getMemory());
}

LogicalResult BarrierOp::canonicalize(BarrierOp op, PatternRewriter &rewriter) {
  auto next = dyn_cast_or_null<BarrierOp>(op->getNextNode());
  if (!next || next.getScope() != op.getScope() ||
      next.getMemory() != op.getMemory())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// kernel.fence
//===----------------------------------------------------------------------===//

void FenceOp::build(OpBuilder &b, OperationState &state, Scope scope,
                    Ordering ordering) {
  build(b, state, ScopeAttr::get(b.getContext(), scope),
        OrderingAttr::get(b.getContext(), ordering), ArrayAttr());
}

void FenceOp::build(OpBuilder &b, OperationState &state, Scope scope,
                    Ordering ordering, ArrayRef<gpu::AddressSpace> memory) {
  build(b, state, ScopeAttr::get(b.getContext(), scope),
        OrderingAttr::get(b.getContext(), ordering),
        getMemorySpaces(b.getContext(), memory));
}

bool FenceOp::orders(gpu::AddressSpace space) {
  return contains(getMemory(), space);
}

LogicalResult FenceOp::verify() {
  Scope scope = getScope();
  if (scope == Scope::Lane)
    return emitOpError(
        "has scope lane, but accesses of a lane are ordered without a fence; "
        "use wave, workgroup, device or system");
  std::optional<ArrayAttr> memory = getMemory();
  if (memory && memory->empty())
    return emitOpError(
        "orders no memory; list memory spaces, or omit 'memory' to order all");
  if (failed(verifyMemorySpaces(*this, memory)))
    return failure();
  if (scope > Scope::Workgroup && !orders(gpu::AddressSpace::Global))
    return emitOpError("orders only workgroup memory for scope ")
           << stringifyScope(scope)
           << ", but other workgroups cannot access it; use scope wave or "
              "workgroup";
  return success();
}

//===----------------------------------------------------------------------===//
// kernel.access
//===----------------------------------------------------------------------===//

void AccessOp::build(OpBuilder &b, OperationState &state, Scope scope,
                     ValueRange written, ValueRange read) {
  build(b, state, ScopeAttr::get(b.getContext(), scope), written, read,
        ArrayAttr());
}

void AccessOp::build(OpBuilder &b, OperationState &state, Scope scope,
                     ValueRange written, ValueRange read,
                     ArrayRef<gpu::AddressSpace> memory) {
  build(b, state, ScopeAttr::get(b.getContext(), scope), written, read,
        getMemorySpaces(b.getContext(), memory));
}

LogicalResult AccessOp::verify() {
  Scope scope = getScope();
  if (scope != Scope::Wave && scope != Scope::Workgroup)
    return emitOpError("cannot order accesses of scope ")
           << stringifyScope(scope)
           << " with a barrier; the scope must be wave or workgroup";
  if (getNumOperands() == 0)
    return emitOpError(
        "declares no access: list buffers in 'writes' or 'reads'");
  if (failed(verifyMemorySpaces(*this, getMemory())))
    return failure();
  for (Value buffer : getOperands()) {
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
        cast<BaseMemRefType>(buffer.getType()).getMemorySpace());
    if (space && !contains(getMemory(), space.getValue()))
      return emitOpError("accesses a buffer in ")
             << space << ", which the listed memory spaces do not contain";
  }
  return success();
}

/// Declares both effects, so that no access to the buffers moves across the op.
void AccessOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &buffer : getOperation()->getOpOperands()) {
    effects.emplace_back(MemoryEffects::Read::get(), &buffer);
    effects.emplace_back(MemoryEffects::Write::get(), &buffer);
  }
}

//===----------------------------------------------------------------------===//
// kernel.publish
//===----------------------------------------------------------------------===//

void PublishOp::build(OpBuilder &b, OperationState &state, Scope scope,
                      Scope observers) {
  build(b, state, ScopeAttr::get(b.getContext(), scope),
        ScopeAttr::get(b.getContext(), observers));
}

LogicalResult PublishOp::verify() {
  Scope scope = getScope(), observers = getObservers();
  if (scope != Scope::Wave && scope != Scope::Workgroup)
    return emitOpError("cannot wait for the workers of scope ")
           << stringifyScope(scope) << "; the scope must be wave or workgroup";
  if (observers <= Scope::Workgroup)
    return emitOpError("publishes to the scope ")
           << stringifyScope(observers)
           << ", whose workers kernel.access orders: the observers are device "
              "or system";
  return success();
}

//===----------------------------------------------------------------------===//
// kernel.arena
//===----------------------------------------------------------------------===//

LogicalResult ArenaOp::verify() {
  MemRefType type = getMemory().getType();
  if (type.getMemorySpace() || !type.isDynamicDim(0) ||
      !type.getLayout().isIdentity())
    return emitOpError("has the result ")
           << type
           << "; an arena is a memref<?xi8> in the default memory space";
  return success();
}

#define GET_OP_CLASSES
#include "dialects/kernel/KernelOps.cpp.inc"
