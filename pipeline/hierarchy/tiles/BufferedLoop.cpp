//===- BufferedLoop.cpp - Loops that prefetch tiles -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/BufferedLoop.h"

#include "pipeline/hierarchy/execution/Workers.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace aircc::hierarchy {

scf::ForOp createBufferedLoop(
    OpBuilder &b, Location loc, const BufferedLoop &loop,
    function_ref<void(Value iv, Value buffer)> fetch,
    function_ref<SmallVector<Value>(const BufferedIteration &)> build) {
  auto [buffers, distance] = loop.count;
  assert(0 < distance && distance < buffers &&
         "a fetched tile needs a free buffer");
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto isEqual = [&](Value value, Value to) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value, to);
  };
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  };
  // The scalar unit compares 64 bits for equality, but has no 64-bit minimum.
  auto advance = [&](Value iv) -> Value {
    return select(isEqual(iv, loop.last), iv,
                  arith::AddIOp::create(b, loc, iv, loop.step));
  };
  Value zero = constant(0), one = constant(1);

  // Between two accesses, no worker reads data that another one writes.
  auto declareAccess = [&] {
    kernel::AccessOp::create(b, loc, loop.scope, /*written=*/loop.buffers,
                             /*read=*/ValueRange());
  };

  Value iv = loop.lower;
  declareAccess();
  for (int64_t i = 0; i < distance; ++i) {
    if (i)
      iv = advance(iv);
    fetch(iv, constant(i));
  }
  SmallVector<Value> inits(loop.inits);
  inits.push_back(zero);
  // With distance 1, the last fetched iteration is the current one and need not
  // be carried. If all buffers but one are in flight, the free buffer is that
  // of the previous iteration.
  bool useAllBuffers = distance > 1 && distance == buffers - 1;
  if (distance > 1)
    inits.push_back(iv);
  if (useAllBuffers)
    inits.push_back(constant(buffers - 1));
  auto result =
      scf::ForOp::create(b, loc, loop.lower, loop.upper, loop.step, inits);
  {
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(result.getBody());
    ValueRange carriedIn = result.getRegionIterArgs();
    Value buffer = carriedIn[loop.inits.size()];
    if (loop.transfers)
      layout::AsyncWaitOp::create(b, loc, loop.transfers * (distance - 1));
    declareAccess();
    Value fetched = advance(distance > 1 ? carriedIn[loop.inits.size() + 1]
                                         : Value(result.getInductionVar()));
    Value next = arith::AddIOp::create(b, loc, buffer, one);
    next = select(isEqual(next, constant(buffers)), zero, next);
    // The buffer `distance` positions later in round-robin order.
    Value free = next;
    if (useAllBuffers) {
      free = carriedIn.back();
    } else if (distance > 1) {
      free = arith::AddIOp::create(b, loc, buffer, constant(distance));
      free = arith::RemUIOp::create(b, loc, free, constant(buffers));
    }
    SmallVector<Value> carried =
        build({result.getInductionVar(), buffer, fetched, free,
               carriedIn.take_front(loop.inits.size())});
    carried.push_back(next);
    if (distance > 1)
      carried.push_back(fetched);
    if (useAllBuffers)
      carried.push_back(buffer);
    scf::YieldOp::create(b, loc, carried);
  }
  // The last, redundant fetches must not outlive their buffers.
  if (loop.transfers)
    layout::AsyncWaitOp::create(b, loc, 0);
  return result;
}

} // namespace aircc::hierarchy
