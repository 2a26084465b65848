//===- ChannelEndpointEmitter.cpp - Emit one endpoint ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/transfers/ChannelEndpointEmitter.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "dialects/kernel/LaneOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace aircc::hierarchy;
using namespace aircc::abi;

/// Returns the number of bits that an element takes in memory.
static int64_t getElementBits(Type type) {
  if (type.isIndex())
    return 64;
  int64_t bits = type.getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits;
}

ChannelEndpointEmitter::ChannelEndpointEmitter(OpBuilder &b, Location loc,
                                               const ChannelEndpoint &endpoint)
    : b(b), loc(loc), side(endpoint.side), elementType(endpoint.elementType),
      elementBits(getElementBits(elementType)), numElements(*side.getCount()),
      payloadWords(llvm::divideCeil(numElements * elementBits, 32)),
      depth(endpoint.depth), slotLines(endpoint.slotLines),
      singleLine(endpoint.isSingleLine), waveSize(endpoint.waveSize),
      lanes(endpoint.lanes) {
  // The last word of the line is the flag.
  if (singleLine)
    payloadWords = kPayloadWords;
  lines = getSlotLines(payloadWords);
  lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr);
}

void ChannelEndpointEmitter::guarded(Value condition,
                                     function_ref<void()> body) {
  if (getConstantIntValue(condition) == 1)
    return body();
  auto guard = scf::IfOp::create(b, loc, condition);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPoint(guard.thenBlock()->getTerminator());
  body();
}

void ChannelEndpointEmitter::forEachDistributed(
    int64_t count, function_ref<void(Value)> body) {
  if (count == lanes)
    return body(lane);
  if (count < lanes)
    return guarded(compare(arith::CmpIPredicate::ult, lane, index(count)),
                   [&] { body(lane); });
  auto loop = scf::ForOp::create(b, loc, lane, index(count), index(lanes));
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value ChannelEndpointEmitter::getAddressOfRing(Value ring) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, ring);
  Value offset = getValueOrCreateConstantIndexOp(
      b, loc, metadata.getConstifiedMixedOffset());
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, ring);
  Value address =
      fold<arith::AddIOp>(start, fold<arith::MulIOp>(offset, index(4)));
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
}

Value ChannelEndpointEmitter::loadAtomic(Value ring, Value at) {
  return kernel::AtomicLoadOp::create(b, loc, b.getI32Type(),
                                      kernel::Scope::System, ring, at);
}

void ChannelEndpointEmitter::storeAtomic(Value value, Value ring, Value at) {
  kernel::AtomicStoreOp::create(b, loc, kernel::Scope::System, value, ring, at);
}

void ChannelEndpointEmitter::fence(kernel::Ordering ordering) {
  kernel::FenceOp::create(b, loc, kernel::Scope::System, ordering);
}

void ChannelEndpointEmitter::publish() {
  kernel::PublishOp::create(b, loc, kernel::Scope::Wave, kernel::Scope::System);
}

void ChannelEndpointEmitter::spinUntil(Value ring, Value at, Value expected) {
  auto loop = scf::WhileOp::create(b, loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard restore(b);
  b.createBlock(&loop.getBefore());
  Value differs =
      compare(arith::CmpIPredicate::ne, loadAtomic(ring, at), expected);
  scf::ConditionOp::create(b, loc, differs, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b, loc);
}

//===----------------------------------------------------------------------===//
// Numbers and slots
//===----------------------------------------------------------------------===//

Value ChannelEndpointEmitter::takeNumber(Value ring, int64_t at,
                                         kernel::Scope scope,
                                         function_ref<void(Value)> wait) {
  Value isFirst = compare(arith::CmpIPredicate::eq, lane, index(0));
  auto branch = scf::IfOp::create(b, loc, TypeRange(b.getI32Type()), isFirst,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value number = kernel::AtomicAddOp::create(b, loc, b.getI32Type(), scope,
                                               word(1), ring, index(at));
    wait(number);
    scf::YieldOp::create(b, loc, number);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, word(0));
  }
  return gpu::ShuffleOp::create(b, loc, branch.getResult(0), word(0),
                                word(waveSize), gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

Value ChannelEndpointEmitter::getSlot(Value number) {
  return fold<arith::AndIOp>(number, word(depth - 1));
}

Value ChannelEndpointEmitter::getLap(Value number) {
  return fold<arith::ShRUIOp>(number, word(llvm::Log2_64(depth)));
}

Value ChannelEndpointEmitter::getSlotStart(Value slot) {
  Value at = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), slot);
  return fold<arith::AddIOp>(
      fold<arith::MulIOp>(at, index(slotLines * kLineWords)),
      index(getFirstSlot(depth)));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value ChannelEndpointEmitter::getAddress(Value element, Value &isData) {
  Value address = side.base, rest = element;
  for (int64_t d = side.dims.size(); d-- > 0;) {
    const TransferDim &dim = side.dims[d];
    Value coordinate = rest;
    if (d) {
      Value extent = index(*TransferSide::getExtent(dim));
      coordinate = fold<arith::RemUIOp>(rest, extent);
      rest = fold<arith::DivUIOp>(rest, extent);
    }
    Value size = getValueOrCreateConstantIndexOp(b, loc, dim.size);
    if (dim.isPadded()) {
      coordinate = fold<arith::SubIOp>(coordinate, index(dim.before));
      Value inside = compare(arith::CmpIPredicate::ult, coordinate, size);
      isData = isData ? fold<arith::AndIOp>(isData, inside) : inside;
      // The address of padding must be valid, because the element is loaded and
      // then dropped.
      coordinate =
          arith::SelectOp::create(b, loc, inside, coordinate, index(0));
    }
    Value stride = getValueOrCreateConstantIndexOp(b, loc, dim.stride);
    address =
        fold<arith::AddIOp>(address, fold<arith::MulIOp>(coordinate, stride));
  }
  return address;
}

Value ChannelEndpointEmitter::loadBits(Value element, int64_t count) {
  Value isData;
  Value address = getAddress(element, isData);
  Type bitsType = b.getIntegerType(elementBits * count);
  Value bits;
  if (count > 1) {
    auto type = VectorType::get({count}, elementType);
    Value vector = vector::LoadOp::create(b, loc, type, side.flat, address);
    Value whole = vector::BitCastOp::create(
        b, loc, VectorType::get({1}, bitsType), vector);
    bits = vector::ExtractOp::create(b, loc, whole, 0);
  } else {
    bits = memref::LoadOp::create(b, loc, side.flat, address);
    if (elementType.isIndex())
      bits = arith::IndexCastUIOp::create(b, loc, bitsType, bits);
    else if (elementType.isInteger(1))
      bits = arith::ExtUIOp::create(b, loc, bitsType, bits);
    else if (elementType != bitsType)
      bits = arith::BitcastOp::create(b, loc, bitsType, bits);
  }
  if (isData)
    bits = arith::SelectOp::create(
        b, loc, isData, bits,
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(bitsType, 0)));
  return bits;
}

void ChannelEndpointEmitter::storeBits(Value bits, Value element,
                                       int64_t count) {
  Value isData;
  Value address = getAddress(element, isData);
  if (count > 1) {
    Value whole = vector::FromElementsOp::create(
        b, loc, VectorType::get({1}, bits.getType()), bits);
    Value vector = vector::BitCastOp::create(
        b, loc, VectorType::get({count}, elementType), whole);
    vector::StoreOp::create(b, loc, vector, side.flat, address);
    return;
  }
  Value value = bits;
  if (elementType.isIndex())
    value = arith::IndexCastUIOp::create(b, loc, elementType, bits);
  else if (elementType.isInteger(1))
    value = arith::TruncIOp::create(b, loc, elementType, bits);
  else if (elementType != bits.getType())
    value = arith::BitcastOp::create(b, loc, elementType, bits);
  memref::StoreOp::create(b, loc, value, side.flat, address);
}

/// Loads word number `at` of the payload, which is below `payloadWords`.
Value ChannelEndpointEmitter::loadPayloadWord(Value at) {
  Type i32 = b.getI32Type();
  if (elementBits == 32)
    return loadBits(at, 1);
  if (elementBits == 64) {
    Value bits = loadBits(fold<arith::ShRUIOp>(at, index(1)), 1);
    Value odd = fold<arith::AndIOp>(at, index(1));
    Value shift = arith::IndexCastUIOp::create(
        b, loc, b.getI64Type(), fold<arith::ShLIOp>(odd, index(5)));
    return arith::TruncIOp::create(b, loc, i32,
                                   arith::ShRUIOp::create(b, loc, bits, shift));
  }
  int64_t perWord = 32 / elementBits;
  Value first = fold<arith::MulIOp>(at, index(perWord));
  if (side.getContiguousCount() % perWord == 0 && !elementType.isInteger(1))
    return loadBits(first, perWord);
  Value result;
  for (int64_t i = 0; i < perWord; ++i) {
    Value element = fold<arith::AddIOp>(first, index(i));
    // The last word may extend past the last element.
    if (numElements % perWord)
      element = arith::SelectOp::create(
          b, loc,
          compare(arith::CmpIPredicate::ult, element, index(numElements)),
          element, index(0));
    Value bits = arith::ExtUIOp::create(b, loc, i32, loadBits(element, 1));
    if (i)
      bits = arith::ShLIOp::create(b, loc, bits, word(i * elementBits));
    result =
        result ? arith::OrIOp::create(b, loc, result, bits).getResult() : bits;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The two endpoints
//===----------------------------------------------------------------------===//

void ChannelEndpointEmitter::emitSend(Value linesRing, Value creditRing,
                                      bool shared) {
  Value lineWords = getAddressOfRing(linesRing);
  Value creditWords = getAddressOfRing(creditRing);
  Value number = takeNumber(
      creditWords, kPutCount,
      shared ? kernel::Scope::System : kernel::Scope::Device,
      [&](Value number) {
        Value slot = arith::IndexCastUIOp::create(b, loc, b.getIndexType(),
                                                  getSlot(number));
        spinUntil(creditWords, fold<arith::AddIOp>(slot, index(kCredits)),
                  getLap(number));
      });
  fence(kernel::Ordering::Acquire);
  fence(kernel::Ordering::Release);
  Value flag = fold<arith::AddIOp>(number, word(1));
  Value start = getSlotStart(getSlot(number));
  if (lanes < kLineWords)
    sendByFewLanes(lineWords, start, flag);
  else
    sendWholeLines(lineWords, start, flag);
}

/// Stores the payload first, then the flags.
void ChannelEndpointEmitter::sendByFewLanes(Value lineWords, Value start,
                                            Value flag) {
  auto getTarget = [&](Value line, Value position) {
    Value at = fold<arith::AddIOp>(fold<arith::MulIOp>(line, index(kLineWords)),
                                   position);
    return fold<arith::AddIOp>(start, at);
  };
  forEachDistributed(payloadWords, [&](Value at) {
    storeAtomic(loadPayloadWord(at), lineWords,
                getTarget(fold<arith::DivUIOp>(at, index(kPayloadWords)),
                          fold<arith::RemUIOp>(at, index(kPayloadWords))));
  });
  publish();
  forEachDistributed(lines, [&](Value line) {
    storeAtomic(flag, lineWords, getTarget(line, index(kFlagWord)));
  });
}

void ChannelEndpointEmitter::sendWholeLines(Value lineWords, Value start,
                                            Value flag) {
  // One store by the wave writes several lines.
  int64_t linesAtOnce = lanes / kLineWords;
  Value position = fold<arith::RemUIOp>(lane, index(kLineWords));
  Value isFlag = compare(arith::CmpIPredicate::eq, position, index(kFlagWord));
  Value lineOfLane = fold<arith::DivUIOp>(lane, index(kLineWords));
  auto storeLines = [&](Value first) {
    Value line = fold<arith::AddIOp>(first, lineOfLane);
    auto store = [&] {
      Value at = fold<arith::AddIOp>(
          fold<arith::MulIOp>(line, index(kPayloadWords)), position);
      Value isPayload =
          compare(arith::CmpIPredicate::ult, at, index(payloadWords));
      // Lanes without payload load the first word, which always exists.
      Value hasWord = arith::AndIOp::create(
          b, loc, isPayload,
          compare(arith::CmpIPredicate::ne, position, index(kFlagWord)));
      Value data = loadPayloadWord(
          arith::SelectOp::create(b, loc, hasWord, at, index(0)));
      Value value = arith::SelectOp::create(b, loc, isFlag, flag, data);
      Value target = fold<arith::AddIOp>(
          fold<arith::AddIOp>(start,
                              fold<arith::MulIOp>(line, index(kLineWords))),
          position);
      storeAtomic(value, lineWords, target);
    };
    auto storeIfInside = [&] {
      if (lines % linesAtOnce)
        guarded(compare(arith::CmpIPredicate::ult, line, index(lines)), store);
      else
        store();
    };
    if (lanes % kLineWords)
      guarded(compare(arith::CmpIPredicate::ult, lane,
                      index(linesAtOnce * kLineWords)),
              storeIfInside);
    else
      storeIfInside();
  };
  if (lines <= linesAtOnce)
    return storeLines(index(0));
  auto loop =
      scf::ForOp::create(b, loc, index(0), index(lines), index(linesAtOnce));
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  storeLines(loop.getInductionVar());
}

/// Stores the payload in the memref of the get. `loadWord` returns the word at
/// a position.
void ChannelEndpointEmitter::storePayload(function_ref<Value(Value)> loadWord) {
  Type bitsType = b.getIntegerType(elementBits);
  if (elementBits == 32) {
    forEachDistributed(payloadWords, [&](Value element) {
      storeBits(loadWord(element), element, 1);
    });
  } else if (elementBits == 64) {
    forEachDistributed(numElements, [&](Value element) {
      Value first = fold<arith::ShLIOp>(element, index(1));
      Value low = arith::ExtUIOp::create(b, loc, bitsType, loadWord(first));
      Value high = arith::ExtUIOp::create(
          b, loc, bitsType, loadWord(fold<arith::AddIOp>(first, index(1))));
      Value shift = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
      Value bits = arith::OrIOp::create(
          b, loc, low, arith::ShLIOp::create(b, loc, high, shift));
      storeBits(bits, element, 1);
    });
  } else {
    int64_t perWord = 32 / elementBits;
    if (side.getContiguousCount() % perWord == 0 && !elementType.isInteger(1))
      forEachDistributed(payloadWords, [&](Value at) {
        storeBits(loadWord(at), fold<arith::MulIOp>(at, index(perWord)),
                  perWord);
      });
    else
      forEachDistributed(numElements, [&](Value element) {
        Value data = loadWord(fold<arith::DivUIOp>(element, index(perWord)));
        Value part = arith::IndexCastUIOp::create(
            b, loc, b.getI32Type(),
            fold<arith::RemUIOp>(element, index(perWord)));
        Value shifted = arith::ShRUIOp::create(
            b, loc, data, fold<arith::MulIOp>(part, word(elementBits)));
        storeBits(arith::TruncIOp::create(b, loc, bitsType, shifted), element,
                  1);
      });
  }
}

void ChannelEndpointEmitter::emitReceive(Value linesRing, Value creditRing,
                                         bool shared) {
  Value lineWords = getAddressOfRing(linesRing);
  Value creditWords = getAddressOfRing(creditRing);
  Value number = takeNumber(
      lineWords, kGetCount,
      shared ? kernel::Scope::System : kernel::Scope::Device, [](Value) {});
  Value flag = fold<arith::AddIOp>(number, word(1));
  Value slot = getSlot(number);
  Value start = getSlotStart(slot);
  auto getLineStart = [&](Value line) {
    return fold<arith::AddIOp>(start,
                               fold<arith::MulIOp>(line, index(kLineWords)));
  };
  // Each lane polls the flags of its lines.
  forEachDistributed(lines, [&](Value line) {
    spinUntil(lineWords,
              fold<arith::AddIOp>(getLineStart(line), index(kFlagWord)), flag);
  });
  fence(kernel::Ordering::Acquire);

  // The payload was stored together with the flag, not before it, so the loads
  // must be atomic.
  auto loadWord = [&](Value at) -> Value {
    Value line = fold<arith::DivUIOp>(at, index(kPayloadWords));
    Value position = fold<arith::RemUIOp>(at, index(kPayloadWords));
    return loadAtomic(lineWords,
                      fold<arith::AddIOp>(getLineStart(line), position));
  };
  storePayload(loadWord);
  if (singleLine)
    emitInFirstLane([&] { storeBits(flag, index(kFlagWord), 1); });

  // All reads must be complete before the sender may reuse the slot.
  publish();
  emitInFirstLane([&] {
    Value mask =
        word(static_cast<int32_t>(~uint32_t(0) >> llvm::Log2_64(depth)));
    Value lap =
        fold<arith::AndIOp>(fold<arith::AddIOp>(getLap(number), word(1)), mask);
    Value at = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), slot);
    storeAtomic(lap, creditWords, fold<arith::AddIOp>(at, index(kCredits)));
  });
}
