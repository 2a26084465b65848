//===- ChannelEndpointEmitter.h - Emit one endpoint -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CHANNELENDPOINTEMITTER_H
#define AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CHANNELENDPOINTEMITTER_H

#include "pipeline/common/Transfer.h"
#include "runtime-stubs/ranks/ChannelAbi.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace aircc::hierarchy {

/// One endpoint of a message.
struct ChannelEndpoint {
  /// The buffer that is sent or received.
  const TransferSide &side;
  mlir::Type elementType;
  /// The number of slots of the channel, and of lines in a slot.
  int64_t depth = 1, slotLines = 1;
  /// Whether the buffer has the format of one line, whose last word is the
  /// flag.
  bool isSingleLine = false;
  int64_t waveSize = 64;
  /// The number of lanes that execute the endpoint.
  int64_t lanes = 64;
};

/// Emits one endpoint of a message, which the first lanes of one wave execute.
/// No other lanes may reach the code.
class ChannelEndpointEmitter {
public:
  ChannelEndpointEmitter(mlir::OpBuilder &b, mlir::Location loc,
                         const ChannelEndpoint &endpoint);

  void emitSend(mlir::Value linesRing, mlir::Value creditRing, bool shared);
  void emitReceive(mlir::Value linesRing, mlir::Value creditRing, bool shared);

private:
  void storePayload(llvm::function_ref<mlir::Value(mlir::Value)> loadWord);
  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, loc, value);
  }
  mlir::Value word(int64_t value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }
  template <typename OpTy> mlir::Value fold(mlir::Value lhs, mlir::Value rhs) {
    return b.createOrFold<OpTy>(loc, lhs, rhs);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) {
    return b.createOrFold<mlir::arith::CmpIOp>(loc, predicate, lhs, rhs);
  }
  /// Emits `body` for the lanes for which `condition` is true.
  void guarded(mlir::Value condition, llvm::function_ref<void()> body);
  void emitInFirstLane(llvm::function_ref<void()> body) {
    guarded(compare(mlir::arith::CmpIPredicate::eq, lane, index(0)), body);
  }
  /// Emits `body` for each number below `count`, distributed over the lanes.
  void forEachDistributed(int64_t count,
                          llvm::function_ref<void(mlir::Value)> body);

  /// Returns the address of the first word of a ring.
  mlir::Value getAddressOfRing(mlir::Value ring);
  /// Access word number `at` of a ring atomically.
  mlir::Value loadAtomic(mlir::Value ring, mlir::Value at);
  void storeAtomic(mlir::Value value, mlir::Value ring, mlir::Value at);
  void fence(kernel::Ordering ordering);
  /// Makes the previous writes of all lanes of the wave visible before their
  /// subsequent writes.
  void publish();
  /// Waits until word number `at` of a ring is `expected`.
  void spinUntil(mlir::Value ring, mlir::Value at, mlir::Value expected);

  /// Increments the counter in word number `at` of a ring, which the workers of
  /// `scope` share, and broadcasts its old value to all lanes. Emits `wait`
  /// after the increment, in lane 0.
  mlir::Value takeNumber(mlir::Value ring, int64_t at, kernel::Scope scope,
                         llvm::function_ref<void(mlir::Value)> wait);
  mlir::Value getSlot(mlir::Value number);
  mlir::Value getLap(mlir::Value number);
  /// Returns the first word of slot `slot` in the ring.
  mlir::Value getSlotStart(mlir::Value slot);

  /// Returns the address of element number `element` in the flat buffer. Sets
  /// `isData` to an i1 that is false for padding, or to null if there is no
  /// padding.
  mlir::Value getAddress(mlir::Value element, mlir::Value &isData);
  /// Returns the bits of `count` elements, starting at number `element`, as an
  /// integer.
  mlir::Value loadBits(mlir::Value element, int64_t count);
  void storeBits(mlir::Value bits, mlir::Value element, int64_t count);
  mlir::Value loadPayloadWord(mlir::Value at);
  void sendWholeLines(mlir::Value lineWords, mlir::Value start,
                      mlir::Value flag);
  void sendByFewLanes(mlir::Value lineWords, mlir::Value start,
                      mlir::Value flag);

  mlir::OpBuilder &b;
  mlir::Location loc;
  const TransferSide &side;
  mlir::Type elementType;
  int64_t elementBits;
  int64_t numElements;
  int64_t payloadWords;
  int64_t depth;
  int64_t slotLines; ///< The number of lines in a slot.
  int64_t lines;     ///< The number of lines of a slot that this message uses.
  bool singleLine;
  int64_t waveSize, lanes;
  mlir::Value lane;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CHANNELENDPOINTEMITTER_H
