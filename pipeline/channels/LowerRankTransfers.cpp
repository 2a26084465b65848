//===- LowerRankTransfers.cpp - Transfers between ranks by runtime calls --===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/OverlappingRows.h"
#include "pipeline/channels/Passes.h"
#include "pipeline/channels/RankLevel.h"
#include "pipeline/channels/Runtime.h"
#include "pipeline/common/Transfer.h"
#include "runtime-stubs/ranks/ChannelAbi.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace aircc::channels {
#define GEN_PASS_DEF_LOWERRANKTRANSFERS
#include "pipeline/channels/Passes.h.inc"
} // namespace aircc::channels

using namespace mlir;
using namespace aircc;
using namespace aircc::channels;

namespace {

/// Lowers one transfer.
class TransferLowering {
public:
  TransferLowering(Operation *op, RuntimeCalls &runtime)
      : op(op), loc(op->getLoc()), b(op), runtime(runtime),
        pointerType(LLVM::LLVMPointerType::get(op->getContext())) {}

  LogicalResult lowerDma(air::DmaMemcpyNdOp dma);
  LogicalResult lowerAccess(air::ChannelAccessInterface access);

private:
  LogicalResult checkChannel(air::ChannelOp channel,
                             air::ChannelAccessInterface access);
  SmallVector<SmallVector<int64_t>> getTargetOffsets(air::ChannelOp channel,
                                                     bool isPut);
  FailureOr<SmallVector<Value>>
  callForEachTarget(air::ChannelOp channel, air::ChannelAccessInterface access,
                    Value transfer);
  Value i64(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value asI64(OpFoldResult value) {
    return arith::IndexCastOp::create(
        b, loc, b.getI64Type(), getValueOrCreateConstantIndexOp(b, loc, value));
  }
  Value getStream() { return LLVM::ZeroOp::create(b, loc, pointerType); }
  /// Saves the stack pointer, so that restoreStack() frees all stack memory
  /// allocated after this call.
  void saveStack() { stack = LLVM::StackSaveOp::create(b, loc, pointerType); }
  void restoreStack() { LLVM::StackRestoreOp::create(b, loc, stack); }
  Value createArray(ArrayRef<Value> values);
  /// Creates an MgpuTransfer on the stack.
  FailureOr<Value> createSide(const TransferSide &side, Type type);
  void waitForDependencies(air::AsyncOpInterface async);
  LogicalResult replaceToken(Value token, Value handle);

  Operation *op;
  Location loc;
  OpBuilder b;
  RuntimeCalls &runtime;
  Type pointerType;
  Value stack;
};

Value TransferLowering::createArray(ArrayRef<Value> values) {
  Type i64Type = b.getI64Type();
  Value array = LLVM::AllocaOp::create(b, loc, pointerType, i64Type,
                                       i64(std::max<size_t>(values.size(), 1)));
  for (auto [i, value] : llvm::enumerate(values)) {
    Value at = LLVM::GEPOp::create(b, loc, pointerType, i64Type, array,
                                   ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(b, loc, value, at);
  }
  return array;
}

FailureOr<Value> TransferLowering::createSide(const TransferSide &side,
                                              Type type) {
  if (!isa<IntegerType, IndexType, FloatType, ComplexType, VectorType>(type))
    return op->emitOpError("transfers elements of type ")
           << type
           << " between ranks; only numeric elements can be transferred";
  int64_t bytes = DataLayout::closest(op).getTypeSize(type);
  SmallVector<Value> sizes, strides;
  for (const TransferDim &dim : side.dims) {
    if (dim.isPadded())
      return op->emitOpError(
          "cannot pad in a transfer between ranks; pad in the kernel that "
          "produces the data or in the one that consumes it");
    sizes.push_back(asI64(dim.size));
    strides.push_back(asI64(dim.stride));
  }
  Value start = arith::MulIOp::create(b, loc, asI64(side.base), i64(bytes));
  Value base = LLVM::GEPOp::create(b, loc, pointerType, b.getI8Type(),
                                   getAlignedPointer(b, loc, side.flat), start);
  std::array<Type, abi::kNumTransferFields> types;
  types.fill(b.getI64Type());
  for (abi::TransferField field :
       {abi::kTransferBase, abi::kTransferSizes, abi::kTransferStrides})
    types[field] = pointerType;
  auto structType = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  Value transfer =
      LLVM::AllocaOp::create(b, loc, pointerType, structType, i64(1));
  std::array<Value, abi::kNumTransferFields> fields;
  fields[abi::kTransferBase] = base;
  fields[abi::kTransferElementBytes] = i64(bytes);
  fields[abi::kTransferRank] = i64(side.dims.size());
  fields[abi::kTransferSizes] = createArray(sizes);
  fields[abi::kTransferStrides] = createArray(strides);
  for (auto [i, field] : llvm::enumerate(fields)) {
    Value at = LLVM::GEPOp::create(b, loc, pointerType, structType, transfer,
                                   ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    LLVM::StoreOp::create(b, loc, field, at);
  }
  return transfer;
}

void TransferLowering::waitForDependencies(air::AsyncOpInterface async) {
  if (!async.getAsyncDependencies().empty())
    air::WaitAllOp::create(b, loc, async.getAsyncDependencies(),
                           /*isAsync=*/false);
}

LogicalResult TransferLowering::lowerDma(air::DmaMemcpyNdOp dma) {
  if (isa<UnrankedMemRefType>(dma.getDst().getType()) ||
      isa<UnrankedMemRefType>(dma.getSrc().getType()))
    return dma.emitOpError("copies an unranked memref; cast it to a ranked one "
                           "with memref.cast");
  waitForDependencies(dma);
  auto pattern = cast<air::TransferInterface>(dma.getOperation());
  warnOfOverlappingRows(pattern);
  FailureOr<Transfer> transfer = createTransfer(b, pattern);
  if (failed(transfer))
    return failure();
  saveStack();
  FailureOr<Value> dst = createSide(transfer->dst, transfer->elementType);
  FailureOr<Value> src = createSide(transfer->src, transfer->elementType);
  if (failed(dst) || failed(src))
    return failure();
  Value stream = getStream();
  // Wait, because the host may read the data next.
  if (failed(runtime.call(b, loc, "mgpuMemcpyStrided", {},
                          {*dst, *src, stream})) ||
      failed(runtime.call(b, loc, "mgpuStreamSynchronize", {}, stream)))
    return failure();
  restoreStack();
  if (Value token = dma.getAsyncToken())
    token.replaceAllUsesWith(
        air::WaitAllOp::create(b, loc, ValueRange(), /*isAsync=*/true)
            .getAsyncToken());
  dma.erase();
  return success();
}

/// Waits for an asynchronous transfer before the first user of its token, and
/// at the latest at the end of the block.
LogicalResult TransferLowering::replaceToken(Value token, Value handle) {
  Block *block = op->getBlock();
  Operation *first = block->getTerminator();
  for (Operation *user : token.getUsers()) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (inBlock && inBlock->isBeforeInBlock(first))
      first = inBlock;
  }
  OpBuilder atUse(first);
  if (failed(runtime.call(atUse, loc, "mgpuChannelWait", {}, handle)))
    return failure();
  token.replaceAllUsesWith(
      air::WaitAllOp::create(atUse, loc, ValueRange(), /*isAsync=*/true)
          .getAsyncToken());
  return success();
}

/// Checks that the runtime supports the channel and this use of it.
LogicalResult
TransferLowering::checkChannel(air::ChannelOp channel,
                               air::ChannelAccessInterface access) {
  StringRef type = channel.getChannelType();
  if (type != air::ChannelOp::kGpuSymmetricHeap &&
      type != air::ChannelOp::kNpuDmaStream) {
    InFlightDiagnostic diag =
        op->emitOpError("transfers data between ranks through channel @")
        << channel.getSymName() << " of type \"" << type
        << "\", which is only supported on NPUs; use \""
        << air::ChannelOp::kGpuSymmetricHeap << "\"";
    diag.attachNote(channel.getLoc()) << "the channel is declared here";
    return diag;
  }
  if (auto put = dyn_cast<air::ChannelPutOp>(op); put && put.getDest())
    return put.emitOpError("has a 'dest' operand, which is only supported on "
                           "packet channels of NPUs; use an array of channels");
  size_t numDims = channel.getSizes().size();
  if (access.getIndices().size() != numDims)
    return op->emitOpError("has ")
           << access.getIndices().size() << " indices for channel @"
           << channel.getSymName() << " of " << numDims << " dimensions";
  // The runtime's name for the channel begins with "@".
  size_t nameBytes = channel.getSymName().size() + 1;
  if (nameBytes > size_t(abi::kMaxChannelName))
    return channel.emitOpError("has a name of ")
           << nameBytes << " bytes; the runtime supports at most "
           << abi::kMaxChannelName;
  return success();
}

/// Returns the offsets of all destinations from the indices of a put or get: a
/// put writes all elements of each broadcast dimension.
SmallVector<SmallVector<int64_t>>
TransferLowering::getTargetOffsets(air::ChannelOp channel, bool isPut) {
  SmallVector<SmallVector<int64_t>> offsets(1);
  for (auto [size, target] :
       llvm::zip_equal(channel.getSizes(), channel.getTargetSizes())) {
    SmallVector<SmallVector<int64_t>> next;
    int64_t count = isPut && size != target ? target : 1;
    for (const SmallVector<int64_t> &prefix : offsets)
      for (int64_t i = 0; i < count; ++i) {
        next.push_back(prefix);
        next.back().push_back(i);
      }
    offsets = std::move(next);
  }
  return offsets;
}

/// Calls the runtime for each destination. Returns the handles of asynchronous
/// transfers.
FailureOr<SmallVector<Value>>
TransferLowering::callForEachTarget(air::ChannelOp channel,
                                    air::ChannelAccessInterface access,
                                    Value transfer) {
  bool isPut = isa<air::ChannelPutOp>(op);
  bool isAsync = cast<air::AsyncOpInterface>(op).isAsync();
  SmallVector<int64_t> targets = channel.getTargetSizes();
  Value name = runtime.getString(b, loc, ("@" + channel.getSymName()).str());
  Value depth = i64(getChannelDepth(channel));
  Value stream = getStream();
  SmallVector<Value> handles;
  for (ArrayRef<int64_t> offsets : getTargetOffsets(channel, isPut)) {
    Value linear = arith::ConstantIndexOp::create(b, loc, 0);
    for (auto [index, offset, target] :
         llvm::zip_equal(access.getIndices(), offsets, targets)) {
      linear = b.createOrFold<arith::MulIOp>(
          loc, linear, arith::ConstantIndexOp::create(b, loc, target));
      linear = b.createOrFold<arith::AddIOp>(loc, linear, index);
      linear = b.createOrFold<arith::AddIOp>(
          loc, linear, arith::ConstantIndexOp::create(b, loc, offset));
    }
    SmallVector<Value> operands{name, asI64(linear)};
    if (isPut)
      operands.push_back(depth);
    operands.append({transfer, stream});
    StringRef function =
        isPut ? (isAsync ? "mgpuChannelPutStart" : "mgpuChannelPut")
              : (isAsync ? "mgpuChannelGetStart" : "mgpuChannelGet");
    FailureOr<Value> handle = runtime.call(
        b, loc, function, isAsync ? pointerType : Type(), operands);
    if (failed(handle))
      return failure();
    if (*handle)
      handles.push_back(*handle);
  }
  return handles;
}

LogicalResult
TransferLowering::lowerAccess(air::ChannelAccessInterface access) {
  air::ChannelOp channel = air::lookupChannel(op, access.getChanNameAttr());
  if (!channel)
    return op->emitOpError("uses an undeclared channel");
  if (failed(checkChannel(channel, access)))
    return failure();
  auto async = cast<air::AsyncOpInterface>(op);
  waitForDependencies(async);
  auto pattern = cast<air::TransferInterface>(op);
  warnOfOverlappingRows(pattern);
  FailureOr<TransferSide> side = createTransferSide(b, pattern);
  if (failed(side))
    return failure();
  saveStack();
  FailureOr<Value> transfer = createSide(
      *side,
      cast<BaseMemRefType>(access.getMemref().getType()).getElementType());
  if (failed(transfer))
    return failure();
  FailureOr<SmallVector<Value>> handles =
      callForEachTarget(channel, access, *transfer);
  if (failed(handles))
    return failure();
  restoreStack();
  if (Value token = async.getAsyncToken())
    for (Value handle : *handles)
      if (failed(replaceToken(token, handle)))
        return failure();
  op->erase();
  return success();
}

/// Replaces memrefs of other ranks with translations of the local copy.
LogicalResult translatePeers(air::DmaMemcpyNdOp dma, RuntimeCalls &runtime) {
  FailureOr<RankContext> context = getRankContext(dma, runtime);
  if (failed(context))
    return failure();
  OpBuilder b(dma);
  auto translate = [&](OpOperand &memref, int64_t rank) -> LogicalResult {
    if (!isa<MemRefType>(memref.get().getType()))
      return dma.emitOpError("copies an unranked memref; cast it to a ranked "
                             "one with memref.cast");
    Value to = arith::ConstantIndexOp::create(b, dma.getLoc(), rank);
    memref.set(air::TranslateOp::create(b, dma.getLoc(), memref.get(),
                                        context->rank, to, context->heapBases));
    return success();
  };
  if (std::optional<int64_t> rank = dma.getSrcRank())
    if (failed(translate(dma.getSrcMutable(), *rank)))
      return failure();
  if (std::optional<int64_t> rank = dma.getDstRank())
    if (failed(translate(dma.getDstMutable(), *rank)))
      return failure();
  dma.removeSrcRankAttr();
  dma.removeDstRankAttr();
  return success();
}

/// Checks that the rank is in the space, if known.
LogicalResult checkPeers(air::DmaMemcpyNdOp dma) {
  auto rank = dma->getParentOfType<air::RankOp>();
  int64_t count = 1;
  for (int64_t size : rank.getStaticSizes()) {
    if (ShapedType::isDynamic(size))
      return success();
    count *= size;
  }
  for (std::optional<int64_t> peer : {dma.getSrcRank(), dma.getDstRank()})
    if (peer && int64_t(*peer) >= count) {
      InFlightDiagnostic diag = dma.emitOpError("names rank ")
                                << *peer << ", but there are only " << count
                                << " ranks";
      diag.attachNote(rank.getLoc()) << "the ranks are here";
      return diag;
    }
  return success();
}

struct LowerRankTransfersPass
    : channels::impl::LowerRankTransfersBase<LowerRankTransfersPass> {
  void runOnOperation() override {
    RuntimeCalls runtime(getOperation());
    SmallVector<Operation *> transfers;
    getOperation().walk([&](air::RankOp rank) {
      rank.walk([&](Operation *op) {
        if (isa<air::DmaMemcpyNdOp, air::ChannelPutOp, air::ChannelGetOp>(op))
          transfers.push_back(op);
      });
    });
    for (Operation *op : transfers) {
      auto dma = dyn_cast<air::DmaMemcpyNdOp>(op);
      if (dma && dma.isCrossRank() &&
          (failed(checkPeers(dma)) || failed(translatePeers(dma, runtime))))
        return signalPassFailure();
      if (isInKernel(op))
        continue;
      TransferLowering lowering(op, runtime);
      if (failed(dma ? lowering.lowerDma(dma)
                     : lowering.lowerAccess(
                           cast<air::ChannelAccessInterface>(op))))
        return signalPassFailure();
    }
  }
};

} // namespace
