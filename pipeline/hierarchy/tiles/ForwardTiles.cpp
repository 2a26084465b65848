//===- ForwardTiles.cpp - Keep tiles in registers -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each op of a fused kernel writes a buffer that the next ones read. As a
// vector, the tile needs neither memory nor barriers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/ForwardTiles.h"
#include "pipeline/hierarchy/tiles/CooperativeOps.h"

#include "dialects/layout/LayoutDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

Attribute getScopeTag(Operation *op) {
  return op->getDiscardableAttr(
      layout::LayoutDialect::ScopeAttrHelper::getNameStr());
}

/// Returns whether the transfer is of an undistributed vector and starts at the
/// first element of its buffer.
bool isWholeTransfer(VectorTransferOpInterface op) {
  return getScopeTag(op) && !op.getMask() &&
         llvm::all_of(op.getIndices(), isZeroInteger);
}

/// What a buffer contains after the ops so far: a vector with all of its
/// elements, which may be padded, or a number that all elements are equal to.
struct Contents {
  Value value;
  Attribute scope;
};

/// A buffer that is written only by ops in its own block.
class ForwardedBuffer {
public:
  explicit ForwardedBuffer(memref::AllocOp alloc)
      : alloc(alloc), type(alloc.getType()) {}

  void run();

private:
  bool collect();
  bool overwrites(vector::TransferWriteOp write);
  bool forward(vector::TransferReadOp read, const Contents &contents);

  memref::AllocOp alloc;
  MemRefType type;
  SmallVector<Operation *> users;
};

/// Collects the users in program order. Returns false if one of them is not
/// supported.
bool ForwardedBuffer::collect() {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return false;
  Block *block = alloc->getBlock();
  for (Operation *user : alloc->getUsers()) {
    bool isRead = isa<vector::TransferReadOp>(user);
    if (!isRead && user->getBlock() != block)
      return false;
    if (auto fill = dyn_cast<linalg::FillOp>(user)) {
      if (!fill.hasPureBufferSemantics() ||
          fill.getInputs().front().getType() != type.getElementType())
        return false;
    } else if (auto write = dyn_cast<vector::TransferWriteOp>(user)) {
      if (write.getBase() != alloc || !overwrites(write))
        return false;
    } else if (!isRead && !isa<memref::DeallocOp>(user)) {
      return false;
    }
    if (!block->findAncestorOpInBlock(*user))
      return false;
    users.push_back(user);
  }
  llvm::sort(users, [&](Operation *a, Operation *b) {
    return block->findAncestorOpInBlock(*a)->isBeforeInBlock(
        block->findAncestorOpInBlock(*b));
  });
  return true;
}

/// Returns whether the vector has all elements of the buffer.
bool ForwardedBuffer::overwrites(vector::TransferWriteOp write) {
  return isWholeTransfer(write) && write.getPermutationMap().isIdentity() &&
         llvm::all_of(
             llvm::zip_equal(write.getVectorType().getShape(), type.getShape()),
             [](auto sizes) {
               return std::get<0>(sizes) >= std::get<1>(sizes);
             });
}

/// How a read permutes and broadcasts the dimensions of a vector: the shape in
/// which the vector is broadcast, with the dimensions by which the elements do
/// not vary first, and the order of dimensions of the result.
struct Form {
  SmallVector<int64_t> shape, order;
};

/// Returns how `read` yields the elements of a buffer that are in a vector of
/// shape `source`; nullopt if it yields others, or transposes them: a buffer is
/// a good place for that.
std::optional<Form> getForm(vector::TransferReadOp read,
                            ArrayRef<int64_t> source) {
  VectorType result = read.getVectorType();
  Form form;
  form.order.resize(result.getRank());
  SmallVector<std::optional<unsigned>> varying(source.size());
  for (auto [i, index] : llvm::enumerate(read.getPermutationMap().getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(index)) {
      varying[dim.getPosition()] = i;
    } else {
      form.order[i] = form.shape.size();
      form.shape.push_back(result.getDimSize(i));
    }
  if (!llvm::is_sorted(varying))
    return std::nullopt;
  for (auto [dim, i] : llvm::enumerate(varying)) {
    if (!i || result.getDimSize(*i) != source[dim])
      return std::nullopt;
    form.order[*i] = form.shape.size();
    form.shape.push_back(source[dim]);
  }
  return form;
}

/// Replaces `read` by the vector of the buffer's elements.
bool ForwardedBuffer::forward(vector::TransferReadOp read,
                              const Contents &contents) {
  if (!contents.value || !isWholeTransfer(read) ||
      (contents.scope && contents.scope != getScopeTag(read)))
    return false;
  auto source = dyn_cast<VectorType>(contents.value.getType());
  // The padding of a read differs from that of the written vector. It affects
  // no result, but the division of integers by it may be undefined.
  if (source ? source.getShape() != type.getShape() : read.hasOutOfBoundsDim())
    if (!isa<FloatType>(type.getElementType()))
      return false;
  OpBuilder b(read);
  Location loc = read.getLoc();
  auto tag = [&](Value value) {
    value.getDefiningOp()->setDiscardableAttr(
        layout::LayoutDialect::ScopeAttrHelper::getNameStr(),
        getScopeTag(read));
    return value;
  };
  Value value = contents.value;
  if (!source) {
    read.getResult().replaceAllUsesWith(
        tag(vector::BroadcastOp::create(b, loc, read.getVectorType(), value)));
    read.erase();
    return true;
  }
  std::optional<Form> form = getForm(read, source.getShape());
  if (!form)
    return false;
  if (VectorType broadcast =
          VectorType::get(form->shape, source.getElementType());
      broadcast != source)
    value = tag(vector::BroadcastOp::create(b, loc, broadcast, value));
  if (!llvm::is_sorted(form->order))
    value = tag(vector::TransposeOp::create(b, loc, value, form->order));
  read.getResult().replaceAllUsesWith(value);
  read.erase();
  return true;
}

/// Forwards the contents of the buffer to its reads. Erases it if it has reads,
/// and all were replaced.
void ForwardedBuffer::run() {
  if (!collect())
    return;
  Contents contents;
  bool isForwarded = false, isRead = false;
  for (Operation *&user : users) {
    if (auto fill = dyn_cast<linalg::FillOp>(user)) {
      contents = {fill.getInputs().front(), {}};
    } else if (auto write = dyn_cast<vector::TransferWriteOp>(user)) {
      contents = {write.getVector(), getScopeTag(write)};
    } else if (auto read = dyn_cast<vector::TransferReadOp>(user)) {
      if (forward(read, contents)) {
        isForwarded = true;
        user = nullptr;
      } else {
        isRead = true;
      }
    }
  }
  if (isRead || !isForwarded)
    return;
  for (Operation *user : users)
    if (user)
      user->erase();
  alloc.erase();
}

/// Returns whether `memref` is, or is a part of, an argument of the kernel.
bool isInArgument(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return isa<BlockArgument>(memref);
}

/// Returns whether two reads yield the same vector if nothing is written
/// between them.
bool readSame(vector::TransferReadOp a, vector::TransferReadOp b) {
  Attribute paddingOfA, paddingOfB;
  return a.getBase() == b.getBase() && a.getVectorType() == b.getVectorType() &&
         a.getPermutationMap() == b.getPermutationMap() &&
         a.getInBounds() == b.getInBounds() &&
         getScopeTag(a) == getScopeTag(b) &&
         (!a.hasOutOfBoundsDim() || a.getPadding() == b.getPadding() ||
          (matchPattern(a.getPadding(), m_Constant(&paddingOfA)) &&
           matchPattern(b.getPadding(), m_Constant(&paddingOfB)) &&
           paddingOfA == paddingOfB));
}

/// Replaces reads by vectors that were read from the same memory before.
void reuseReads(Block &block) {
  SmallVector<vector::TransferReadOp> reads;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<memref::AllocOp, memref::DeallocOp>(op))
      continue;
    auto read = dyn_cast<vector::TransferReadOp>(op);
    auto write = dyn_cast<vector::TransferWriteOp>(op);
    if (write && write.getBase().getDefiningOp<memref::AllocOp>()) {
      // A buffer of the kernel does not overlap its arguments.
      llvm::erase_if(reads, [](vector::TransferReadOp other) {
        return !isInArgument(other.getBase());
      });
      continue;
    }
    if (!read && !isMemoryEffectFree(&op))
      reads.clear();
    if (!read || !isWholeTransfer(read))
      continue;
    auto *same = llvm::find_if(reads, [&](vector::TransferReadOp other) {
      return readSame(read, other);
    });
    if (same == reads.end()) {
      reads.push_back(read);
      continue;
    }
    read.getResult().replaceAllUsesWith(same->getResult());
    read.erase();
  }
}

} // namespace

void hierarchy::forwardTiles(gpu::GPUFuncOp kernel) {
  SmallVector<memref::AllocOp> allocs;
  kernel.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  for (memref::AllocOp alloc : allocs)
    ForwardedBuffer(alloc).run();
  kernel.walk([](Block *block) { reuseReads(*block); });
}
