//===- GlobalArena.cpp - Buffers of workgroups in global memory -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/buffers/GlobalArena.h"

#include "pipeline/hierarchy/buffers/BufferBytes.h"
#include "pipeline/hierarchy/launch/HostValues.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The alignment of a workgroup's part in bytes, such that no two workgroups
/// share a cache line.
constexpr int64_t kPartAlignment = 256;
/// The alignment of a buffer in a workgroup's part, in bytes. Waves do not
/// share cache lines, so that the stores of one do not evict those of another.
constexpr int64_t kArenaAlignment = 128;

class ArenaCreation {
public:
  ArenaCreation(gpu::GPUFuncOp kernel, int64_t numWaves,
                function_ref<Value(OpBuilder &)> getWave)
      : b(OpBuilder::atBlockBegin(&kernel.getBody().front())),
        loc(kernel.getLoc()), numWaves(numWaves), getWave(getWave) {}

  /// Creates the arena for all buffers of constant size.
  void createConstant(ArrayRef<ArenaBuffer> buffers, ArrayRef<size_t> indices,
                      MutableArrayRef<ArenaPlace> places);
  /// Creates an arena for one buffer, whose size is dynamic.
  ArenaPlace createDynamic(const ArenaBuffer &buffer);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value createArena(Value bytes) {
    auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
    return kernel::ArenaOp::create(
        b, loc, type, b.getI64IntegerAttr(int64_t(numArenas++)), bytes);
  }
  Value roundUp(Value bytes, int64_t alignment);

  OpBuilder b;
  Location loc;
  const int64_t numWaves;
  function_ref<Value(OpBuilder &)> getWave;
  unsigned numArenas = 0;
  /// The end of the last byte range.
  int64_t nextByte = 0;
};

Value ArenaCreation::roundUp(Value bytes, int64_t alignment) {
  Value more =
      b.createOrFold<arith::AddIOp>(loc, bytes, constant(alignment - 1));
  Value units = b.createOrFold<arith::DivUIOp>(loc, more, constant(alignment));
  return b.createOrFold<arith::MulIOp>(loc, units, constant(alignment));
}

void ArenaCreation::createConstant(ArrayRef<ArenaBuffer> buffers,
                                   ArrayRef<size_t> indices,
                                   MutableArrayRef<ArenaPlace> places) {
  SmallVector<LDSRequest> requests;
  for (size_t index : indices) {
    const ArenaBuffer &buffer = buffers[index];
    LDSRequest request;
    request.bytes = std::max<int64_t>(
        buffer.isPerWave
            ? llvm::alignTo(buffer.bytes, kArenaAlignment) * numWaves
            : buffer.bytes,
        1);
    request.alignment = kArenaAlignment;
    request.begin = buffer.begin;
    request.end = buffer.end;
    // Waves execute a herd at different speeds, so the part of one wave must
    // not overlap another wave's part of another buffer.
    if (buffer.isPerWave) {
      request.begin = 0;
      request.end = std::numeric_limits<int64_t>::max();
    }
    requests.push_back(request);
  }
  LDSPlan plan = planLDS(requests);
  Value memory =
      createArena(constant(llvm::alignTo(plan.bytes, kPartAlignment)));
  for (auto [index, request, offset] :
       llvm::zip_equal(indices, requests, plan.offsets)) {
    Value first = constant(offset);
    if (buffers[index].isPerWave) {
      Value size =
          constant(llvm::alignTo(buffers[index].bytes, kArenaAlignment));
      Value part = arith::MulIOp::create(b, loc, getWave(b), size);
      first = b.createOrFold<arith::AddIOp>(loc, part, first);
    }
    places[index] = {memory, first, offset, offset + request.bytes};
    nextByte = std::max(nextByte, offset + request.bytes);
  }
}

ArenaPlace ArenaCreation::createDynamic(const ArenaBuffer &buffer) {
  auto type = cast<MemRefType>(buffer.alloc->getResult(0).getType());
  Value bytes = constant(getElementBytes(buffer.alloc, type.getElementType()));
  IRMapping mapping;
  unsigned dynamic = 0;
  for (int64_t size : type.getShape()) {
    Value extent =
        ShapedType::isDynamic(size)
            ? computeInKernel(buffer.alloc->getOperand(dynamic++), b, mapping)
            : constant(size);
    bytes = b.createOrFold<arith::MulIOp>(loc, bytes, extent);
  }
  Value first = constant(0);
  if (buffer.isPerWave) {
    bytes = roundUp(bytes, kArenaAlignment);
    first = arith::MulIOp::create(b, loc, getWave(b), bytes);
    bytes = b.createOrFold<arith::MulIOp>(loc, bytes, constant(numWaves));
  }
  Value memory = createArena(roundUp(bytes, kPartAlignment));
  int64_t begin = nextByte++;
  return {memory, first, begin, nextByte};
}

void emitArenaRemark(const ArenaBuffer &buffer, bool isDynamic,
                     int64_t numWaves, int64_t ldsNeeded, int64_t ldsBytes) {
  InFlightDiagnostic diag = buffer.alloc->emitRemark("is in global memory: ");
  if (isDynamic)
    diag << "each launch allocates as many bytes as the buffer has";
  else
    diag << (buffer.isPerWave ? buffer.bytes * numWaves : buffer.bytes)
         << " bytes";
  diag << " for each workgroup";
  if (ldsNeeded && !isDynamic)
    diag << "; in LDS, the buffers that are live at the same time would need "
         << ldsNeeded << " bytes, but a workgroup may use only " << ldsBytes;
}

} // namespace

bool hasSizeKnownToHost(Operation *alloc) {
  auto type = cast<MemRefType>(alloc->getResult(0).getType());
  return type.getLayout().isIdentity() &&
         llvm::all_of(alloc->getOperands(), isKnownToHost);
}

SmallVector<ArenaPlace>
createGlobalArenas(gpu::GPUFuncOp kernel, ArrayRef<ArenaBuffer> buffers,
                   int64_t numWaves, int64_t ldsNeeded, int64_t ldsBytes,
                   function_ref<Value(OpBuilder &)> getWave) {
  SmallVector<size_t> constant, dynamic;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    auto type = cast<MemRefType>(buffer.alloc->getResult(0).getType());
    bool isDynamic = !type.hasStaticShape() && hasSizeKnownToHost(buffer.alloc);
    (isDynamic ? dynamic : constant).push_back(index);
    emitArenaRemark(buffer, isDynamic, numWaves, ldsNeeded, ldsBytes);
  }
  SmallVector<ArenaPlace> places(buffers.size());
  ArenaCreation creation(kernel, numWaves, getWave);
  if (!constant.empty())
    creation.createConstant(buffers, constant, places);
  for (size_t index : dynamic)
    places[index] = creation.createDynamic(buffers[index]);
  return places;
}

} // namespace aircc::hierarchy
