//===- TileLoops.cpp - Groups of transfers with a wait after each ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

SmallVector<scf::ForOp> npu::getPerfectNest(scf::ForOp loop) {
  SmallVector<scf::ForOp> loops;
  while (loop && getBounds(loop) && carriesAtMostOneToken(loop)) {
    loops.push_back(loop);
    Block *body = loop.getBody();
    // The next loop is the only op, and carries what this one carries.
    auto inner = dyn_cast<scf::ForOp>(body->front());
    if (!inner || inner->getNextNode() != body->getTerminator() ||
        !llvm::equal(inner.getInits(), loop.getRegionIterArgs()) ||
        !llvm::equal(inner.getResults(), body->getTerminator()->getOperands()))
      break;
    loop = inner;
  }
  return loops;
}

static int64_t getLargestFactor(int64_t value, int64_t maximum) {
  for (int64_t factor = std::min(value, maximum); factor > 1; --factor)
    if (value % factor == 0)
      return factor;
  return 1;
}

namespace {

/// Creates the loops of a tiled nest.
class NestTiler {
public:
  NestTiler(MutableArrayRef<scf::ForOp> loops, ArrayRef<int64_t> sizes)
      : loops(loops), b(loops.front()), loc(loops.front().getLoc()) {
    for (auto [loop, size] : llvm::zip(loops, sizes)) {
      bounds.push_back(*getBounds(loop));
      tiles.push_back(getLargestFactor(bounds.back().tripCount, size));
    }
  }

  /// Replaces the nest. Returns the loops over tiles, outermost first.
  SmallVector<scf::ForOp> run();

private:
  Value createStep(scf::ForOp loop, int64_t step) {
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(loop.getStep().getType(), step));
  }
  scf::ForOp createLoop(Value lower, Value upper, Value step) {
    auto loop = scf::ForOp::create(b, loc, lower, upper, step, carried);
    if (!carried.empty()) {
      carried.assign(1, loop.getRegionIterArg(0));
    } else if (!loop.getBody()->empty()) {
      loop.getBody()->getTerminator()->erase();
    }
    b.setInsertionPointToEnd(loop.getBody());
    return loop;
  }
  void closeLoop(scf::ForOp loop) {
    scf::YieldOp::create(b, loc, carried);
    b.setInsertionPointAfter(loop);
    carried = llvm::to_vector_of<Value>(loop.getResults());
  }
  /// Creates the loops within a tile, and the body of the nest.
  void createTile(MutableArrayRef<scf::ForOp> outer);

  MutableArrayRef<scf::ForOp> loops;
  OpBuilder b;
  Location loc;
  SmallVector<LoopBounds> bounds;
  SmallVector<int64_t> tiles;
  SmallVector<Value> carried;
};

void NestTiler::createTile(MutableArrayRef<scf::ForOp> outer) {
  IRMapping mapping;
  SmallVector<scf::ForOp> inner;
  for (size_t i = 0; i < tiles.size(); ++i) {
    Value lower = outer[i].getInductionVar();
    Value upper = arith::AddIOp::create(b, loc, lower, outer[i].getStep());
    inner.push_back(
        createLoop(lower, upper, createStep(loops[i], bounds[i].step)));
    mapping.map(loops[i].getInductionVar(), inner.back().getInductionVar());
    mapping.map(loops[i].getRegionIterArgs(), carried);
  }
  Block *body = loops[tiles.size() - 1].getBody();
  for (Operation &op : body->without_terminator())
    b.clone(op, mapping);
  carried.clear();
  for (Value yielded : body->getTerminator()->getOperands())
    carried.push_back(mapping.lookupOrDefault(yielded));
  for (scf::ForOp loop : llvm::reverse(inner))
    closeLoop(loop);
}

SmallVector<scf::ForOp> NestTiler::run() {
  carried = llvm::to_vector_of<Value>(loops.front().getInits());
  SmallVector<scf::ForOp> outer;
  for (size_t i = 0; i < tiles.size(); ++i)
    outer.push_back(
        createLoop(loops[i].getLowerBound(), loops[i].getUpperBound(),
                   createStep(loops[i], bounds[i].step * tiles[i])));
  createTile(outer);
  // The descriptors of the tile are free when its transfers are complete.
  createGroupEnd(b, loc, carried);
  if (!carried.empty())
    carried.assign(
        1, air::WaitAllOp::create(b, loc, ValueRange(), /*isAsync=*/true)
               .getAsyncToken());
  for (scf::ForOp loop : llvm::reverse(outer))
    closeLoop(loop);
  scf::ForOp root = loops.front();
  root.replaceAllUsesWith(carried);
  root.erase();
  return outer;
}

} // namespace

void npu::tileNest(MutableArrayRef<scf::ForOp> loops, ArrayRef<int64_t> sizes) {
  sizes = sizes.take_front(loops.size());
  SmallVector<scf::ForOp> outer =
      NestTiler(loops.take_front(sizes.size()), sizes).run();
  SmallVector<Operation *> copies = {outer.front()};
  for (size_t i = 0; i < outer.size(); ++i) {
    SmallVector<Operation *> next;
    for (auto [index, copy] : llvm::enumerate(copies))
      if (auto loop = dyn_cast<scf::ForOp>(copy))
        unrollLoop(loop, /*reduceHerds=*/true, next);
    copies = std::move(next);
  }
}
