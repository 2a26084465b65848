//===- AIRDialectTest.cpp - Interfaces and builders of the AIR dialect ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace aircc::air;

namespace {

class AIRDialectTest : public ::testing::Test {
protected:
  AIRDialectTest() : builder(&context) {
    context.loadDialect<AIRDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect>();
  }

  /// Parses a module and expects that it verifies.
  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module;
  }

  /// Creates an empty module and moves the builder into it.
  OwningOpRef<ModuleOp> start() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc());
    builder.setInsertionPointToEnd(module->getBody());
    return module;
  }

  template <typename OpTy> OpTy first(ModuleOp module) {
    OpTy found;
    module.walk([&](OpTy op) {
      found = op;
      return WalkResult::interrupt();
    });
    EXPECT_TRUE(found);
    return found;
  }

  Location loc() { return builder.getUnknownLoc(); }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc(), value);
  }
  Value token() {
    return WaitAllOp::create(builder, loc(), ValueRange(), /*isAsync=*/true)
        .getAsyncToken();
  }
  Value alloc(MemRefType type) {
    return memref::AllocOp::create(builder, loc(), type);
  }

  MLIRContext context;
  OpBuilder builder;
};

TEST_F(AIRDialectTest, MemorySpaces) {
  auto withSpace = [&](Attribute space) {
    return MemRefType::get({4}, builder.getF32Type(),
                           MemRefLayoutAttrInterface(), space);
  };
  EXPECT_EQ(getMemorySpace(withSpace({})), MemorySpace::L3);
  EXPECT_EQ(getMemorySpace(withSpace(builder.getI64IntegerAttr(0))),
            MemorySpace::L3);
  EXPECT_EQ(getMemorySpace(withSpace(builder.getI64IntegerAttr(1))),
            MemorySpace::L2);
  // Memory spaces may be integer attributes of any type.
  EXPECT_EQ(getMemorySpace(withSpace(builder.getI32IntegerAttr(2))),
            MemorySpace::L1);
  EXPECT_EQ(getMemorySpace(withSpace(builder.getI64IntegerAttr(3))),
            std::nullopt);
  EXPECT_EQ(getMemorySpace(withSpace(builder.getI64IntegerAttr(-1))),
            std::nullopt);

  MemRefType heap = withSpace(SymmetricHeapAttr::get(&context));
  EXPECT_EQ(getMemorySpace(heap), std::nullopt);
  EXPECT_TRUE(isSymmetricHeap(heap));
  EXPECT_FALSE(isSymmetricHeap(withSpace({})));

  for (MemorySpace space : {MemorySpace::L1, MemorySpace::L2, MemorySpace::L3})
    EXPECT_EQ(getMemorySpace(withSpace(getMemorySpaceAttr(&context, space))),
              space);
  EXPECT_FALSE(getMemorySpaceAttr(&context, MemorySpace::L3));
}

TEST_F(AIRDialectTest, BuildsHierarchy) {
  OwningOpRef<ModuleOp> module = start();
  Value n = index(4), v = index(7), dep = token();
  Value u = UniverseAllocOp::create(builder, loc(), n);

  auto launch =
      LaunchOp::create(builder, loc(), ValueRange{n, n}, ValueRange{v});
  EXPECT_FALSE(launch.isAsync());
  EXPECT_EQ(launch.getNumDims(), 2u);

  auto rank = RankOp::create(builder, loc(), ValueRange{dep}, u, ValueRange{n},
                             ValueRange{v, u}, /*isAsync=*/true);
  EXPECT_TRUE(rank.isAsync());
  EXPECT_EQ(rank.getUniverse(), u);
  EXPECT_TRUE(llvm::equal(rank.getAsyncDependencies(), ValueRange{dep}));
  EXPECT_TRUE(llvm::equal(rank.getSizeOperands(), ValueRange{n}));
  EXPECT_TRUE(llvm::equal(rank.getKernelOperands(), ValueRange{v, u}));
  ASSERT_EQ(rank.getKernelArguments().size(), 2u);
  EXPECT_TRUE(isa<UniverseType>(rank.getKernelArguments()[1].getType()));

  auto herd = HerdOp::create(builder, loc(), ValueRange(), ValueRange());
  EXPECT_EQ(herd.getNumDims(), 0u);
  EXPECT_TRUE(isa<HerdTerminatorOp>(herd.getBodyBlock()->getTerminator()));

  // The attributes of another op may be passed unchanged: the builder ignores
  // its operand segment sizes.
  rank->setAttr("id", builder.getI32IntegerAttr(1));
  auto segment =
      SegmentOp::create(builder, loc(), ValueRange(), ValueRange{n},
                        ValueRange(), /*isAsync=*/false, rank->getAttrs());
  EXPECT_EQ(segment->getAttr("id"), rank->getAttr("id"));
  EXPECT_TRUE(segment.getAsyncDependencies().empty());
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(AIRDialectTest, HierarchyArguments) {
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    func.func @f(%n: index, %v: f32, %m: memref<4xf32>) {
      %c4 = arith.constant 4 : index
      air.herd tile (%x, %y) in (%sx=%c4, %sy=%n)
          args(%a=%v, %b=%m, %c=%v) : f32, memref<4xf32>, f32 {
      }
      return
    })mlir");
  // Tests the interface, since the pipeline uses these ops through it.
  HierarchyInterface herd = first<HerdOp>(*module);
  Block *body = herd.getBodyBlock();

  EXPECT_EQ(herd.getIds().size(), 2u);
  EXPECT_EQ(herd.getIds().front(), body->getArgument(0));
  EXPECT_EQ(herd.getSizes().back(), body->getArgument(3));
  EXPECT_EQ(herd.getKernelArguments().front(), body->getArgument(4));
  EXPECT_EQ(herd.getSymName(), std::nullopt);
  EXPECT_EQ(herd.getStaticSizes(),
            (SmallVector<int64_t>{4, ShapedType::kDynamic}));

  OpOperand &third = herd.getKernelOperandsMutable()[2];
  EXPECT_EQ(herd.getTiedKernelArgument(third), body->getArgument(6));
  EXPECT_EQ(herd.getTiedKernelOperand(body->getArgument(5)),
            herd.getKernelOperands()[1]);
  EXPECT_FALSE(herd.getTiedKernelOperand(body->getArgument(1)));
  EXPECT_FALSE(herd.getTiedKernelOperand(body->getArgument(3)));

  Value n = herd.getSizeOperands()[1];
  Block::BlockArgListType added = herd.appendKernelOperands({n, n});
  ASSERT_EQ(added.size(), 2u);
  EXPECT_EQ(herd.getTiedKernelOperand(added[1]), n);
  EXPECT_TRUE(added[0].getType().isIndex());
  herd.eraseKernelOperand(0);
  EXPECT_EQ(herd.getKernelOperands().size(), 4u);
  EXPECT_EQ(body->getNumArguments(), 8u);
  EXPECT_TRUE(isa<MemRefType>(herd.getKernelArguments()[0].getType()));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(AIRDialectTest, AsyncDependencies) {
  OwningOpRef<ModuleOp> module = start();
  Value t0 = token(), t1 = token(), n = index(2);
  Value a = alloc(MemRefType::get({4}, builder.getF32Type()));

  // Ops with several groups of operands, with a single group, and without
  // operands before the sizes.
  SmallVector<AsyncOpInterface> ops = {
      HerdOp::create(builder, loc(), ValueRange{n}, ValueRange{a}),
      WaitAllOp::create(builder, loc(), ValueRange(), /*isAsync=*/false),
      DmaMemcpyNdOp::create(builder, loc(), ValueRange(), AccessPattern{a},
                            AccessPattern{a})};
  for (AsyncOpInterface op : ops) {
    EXPECT_FALSE(op.isAsync());
    op.addAsyncDependency(t0);
    op.addAsyncDependency(t1);
    op.addAsyncDependency(t0);
    EXPECT_TRUE(llvm::equal(op.getAsyncDependencies(), ValueRange{t0, t1}));
    EXPECT_TRUE(succeeded(verify(op)));
    op.eraseAsyncDependency(0);
    EXPECT_TRUE(llvm::equal(op.getAsyncDependencies(), ValueRange{t1}));
    EXPECT_TRUE(succeeded(verify(op)));
  }
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(AIRDialectTest, AccessPatterns) {
  OwningOpRef<ModuleOp> module = start();
  Value a = alloc(MemRefType::get({8, 8}, builder.getF32Type()));
  Value b = alloc(
      MemRefType::get({4, 2}, builder.getF32Type(), MemRefLayoutAttrInterface(),
                      getMemorySpaceAttr(&context, MemorySpace::L2)));
  Value i = index(3);
  auto fold = [&](int64_t value) -> OpFoldResult {
    return builder.getIndexAttr(value);
  };

  AccessPattern tile{a, {i, fold(0)}, {fold(4), fold(2)}, {fold(8), fold(1)}};
  auto dma = DmaMemcpyNdOp::create(builder, loc(), ValueRange(),
                                   AccessPattern{b}, tile, /*isAsync=*/true);
  EXPECT_TRUE(dma.isAsync());
  EXPECT_EQ(dma.getDynamicSrcOffsets().size(), 1u);
  TransferInterface transfer = dma;
  EXPECT_TRUE(transfer.getTargetPattern().isWholeMemref());
  AccessPattern source = transfer.getSourcePattern();
  EXPECT_FALSE(source.isWholeMemref());
  EXPECT_EQ(source.memref, a);
  EXPECT_EQ(getConstantIntValue(source.offsets[1]), 0);
  EXPECT_EQ(dyn_cast<Value>(source.offsets[0]), i);
  EXPECT_EQ(source.getNumElements(), 8);
  EXPECT_EQ(transfer.getTargetPattern().getNumElements(), 8);
  EXPECT_FALSE(transfer.hasPadding());
  dma.setPadBefore(ArrayRef<int32_t>{0, 0});
  EXPECT_FALSE(transfer.hasPadding());
  dma.setPadAfter(ArrayRef<int32_t>{0, 1});
  EXPECT_TRUE(transfer.hasPadding());

  // The lists differ in length, or a value is at another position.
  source.offsets = {fold(1), fold(2), i};
  source.sizes = {};
  source.strides = {};
  transfer.setSourcePattern(source);
  transfer.setTargetPattern({b, {}, {i}, {fold(-1)}});
  EXPECT_TRUE(transfer.getSourcePattern() == source);
  EXPECT_EQ(transfer.getSourcePattern().getNumElements(), 64);
  EXPECT_EQ(dma.getStaticDstStrides(), ArrayRef<int64_t>{-1});
  // A size that a constant op defines is the constant 1.
  EXPECT_EQ(transfer.getTargetPattern().getNumElements(), 3);
  EXPECT_TRUE(succeeded(verify(dma)));

  auto name = FlatSymbolRefAttr::get(&context, "c");
  auto put = ChannelPutOp::create(builder, loc(), ValueRange(), name,
                                  ValueRange{i}, tile);
  ChannelAccessInterface access = put;
  EXPECT_EQ(access.getMemref(), a);
  EXPECT_TRUE(access.getPattern() == tile);
  EXPECT_FALSE(cast<TransferInterface>(*put).getTargetPattern().memref);
  auto get = ChannelGetOp::create(builder, loc(), ValueRange(), name,
                                  ValueRange{i}, AccessPattern{b});
  EXPECT_EQ(cast<ChannelAccessInterface>(*get).getMemref(), b);
  EXPECT_FALSE(cast<TransferInterface>(*get).getSourcePattern().memref);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(AIRDialectTest, UnknownNumberOfElements) {
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    func.func @f(%a: memref<?xf32>, %b: memref<*xf32>, %n: index) {
      air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<?xf32>, memref<*xf32>)
      return
    })mlir");
  auto dma = first<DmaMemcpyNdOp>(*module);
  EXPECT_EQ(dma.getTargetPattern().getNumElements(), std::nullopt);
  EXPECT_EQ(dma.getTargetPattern().getStaticSizes(),
            SmallVector<int64_t>{ShapedType::kDynamic});
  EXPECT_EQ(dma.getSourcePattern().getStaticSizes(), std::nullopt);
  AccessPattern huge = dma.getTargetPattern();
  huge.sizes.assign(3, builder.getIndexAttr(int64_t(1) << 40));
  EXPECT_EQ(huge.getNumElements(), std::nullopt);
}

TEST_F(AIRDialectTest, Channels) {
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    module {
      air.channel @c [1, 4] {broadcast_shape = [4, 4], depth = 3 : i32}
      air.channel @d {channel_type = "gpu_symmetric_heap"}
      func.func @f(%m: memref<4xf32>) {
        air.channel.put @c[] (%m[] [] []) : (memref<4xf32>)
        return
      }
    })mlir");
  auto put = first<ChannelPutOp>(*module);
  ChannelOp channel = lookupChannel(put, put.getChanNameAttr());
  ASSERT_TRUE(channel);
  EXPECT_EQ(channel.getSizes(), (SmallVector<int64_t>{1, 4}));
  EXPECT_EQ(channel.getTargetSizes(), (SmallVector<int64_t>{4, 4}));
  EXPECT_TRUE(channel.isBroadcast());
  EXPECT_TRUE(channel.isNpu());
  EXPECT_EQ(channel.getDepth(), 3);
  ChannelOp heap = lookupChannel(put, FlatSymbolRefAttr::get(&context, "d"));
  ASSERT_TRUE(heap);
  EXPECT_FALSE(heap.isNpu());
  EXPECT_FALSE(heap.isBroadcast());
  EXPECT_EQ(heap.getDepth(), std::nullopt);
  EXPECT_TRUE(heap.getSizes().empty());
  EXPECT_FALSE(lookupChannel(put, FlatSymbolRefAttr::get(&context, "e")));
  // A symbol of another op is not a channel.
  EXPECT_FALSE(lookupChannel(put, FlatSymbolRefAttr::get(&context, "f")));
}

} // namespace
