//===- UnrankedMemrefs.cpp - Unranked arguments of launches ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/UnrankedMemrefs.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace aircc::hierarchy {

/// Returns the start of an unranked memref, which is all that
/// memref.reinterpret_cast uses of it.
static Value createStart(OpBuilder &b, Location loc, Value unranked) {
  auto type = cast<UnrankedMemRefType>(unranked.getType());
  auto start =
      MemRefType::get({}, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      b, loc, start, unranked, b.getIndexAttr(0), ArrayRef<OpFoldResult>(),
      ArrayRef<OpFoldResult>());
}

/// Replaces the casts of one argument with casts before `op`.
static void passRankedMemref(air::HierarchyInterface op, BlockArgument arg) {
  Value operand = op.getTiedKernelOperand(arg);
  OpBuilder b(op);
  Value start;
  for (Operation *user : llvm::to_vector(arg.getUsers())) {
    if (auto cast = dyn_cast<memref::CastOp>(user)) {
      Value ranked =
          memref::CastOp::create(b, cast.getLoc(), cast.getType(), operand);
      cast.replaceAllUsesWith(Value(op.appendKernelOperands(ranked).front()));
      cast.erase();
      continue;
    }
    if (!start)
      start = op.appendKernelOperands(createStart(b, user->getLoc(), operand))
                  .front();
    cast<memref::ReinterpretCastOp>(user).getSourceMutable().assign(start);
  }
}

void passRankedMemrefs(air::HierarchyInterface op) {
  for (unsigned i = op.getKernelOperands().size(); i-- > 0;) {
    BlockArgument arg = op.getKernelArguments()[i];
    auto isCast = [](Operation *user) {
      auto cast = dyn_cast<memref::CastOp>(user);
      return isa<memref::ReinterpretCastOp>(user) ||
             (cast && isa<MemRefType>(cast.getType()));
    };
    if (!isa<UnrankedMemRefType>(arg.getType()) ||
        !llvm::all_of(arg.getUsers(), isCast))
      continue;
    passRankedMemref(op, arg);
    op.eraseKernelOperand(i);
  }
}

} // namespace aircc::hierarchy
