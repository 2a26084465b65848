//===- MatmulKernel.cpp - Build matmul kernels ----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatmulKernel.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/common/kernels/ElementwiseTile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

/// Returns the loops that index the only result of `op`.
static AffineMap getMapOfResult(linalg::GenericOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

VectorType MatmulKernelBuilder::getTileType(const Operand &operand) {
  return VectorType::get(operand.shape,
                         getMemRefType(operand.memref).getElementType());
}

SmallVector<Value> MatmulKernelBuilder::getIndices(const Operand &operand,
                                                   Value k) {
  if (operand.depthOfElement > 1)
    k = b.createOrFold<arith::DivUIOp>(loc, k,
                                       constant(operand.depthOfElement));
  if (operand.alongK)
    return {operand.first, k};
  return {k, operand.first};
}

SmallVector<bool> MatmulKernelBuilder::getInBounds(const Operand &operand) {
  if (operand.alongK)
    return {operand.isFull, operand.isFullK};
  return {operand.isFullK, operand.isFull};
}

Value MatmulKernelBuilder::read(Value memref, ValueRange indices,
                                VectorType type, ArrayRef<bool> inBounds,
                                AffineMap order) {
  // For types of scales, which have no zero, this is the smallest value.
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  if (!order)
    order = b.getMultiDimIdentityMap(type.getRank());
  return vector::TransferReadOp::create(b, loc, type, memref, indices, zero,
                                        order, inBounds);
}

/// Returns the indices of the outer loops of the op that computes a matrix;
/// null for its other loops.
SmallVector<Value>
MatmulKernelBuilder::getOuterLoops(const MatmulMatrix &matrix) {
  linalg::GenericOp producer = matrix.producer;
  SmallVector<Value> outer(producer.getNumLoops());
  size_t next = 0;
  for (auto [dim, loops] : llvm::enumerate(matrix.producerLoops))
    if (dim != matrix.first && dim != matrix.last)
      outer[loops.front()] = outerIds[findOuter(matrix.outer[next++])];
  return outer;
}

void MatmulKernelBuilder::createWindowTile(Operand &operand) {
  const MatmulMatrix &matrix = *operand.matrix;
  linalg::GenericOp producer = matrix.producer;
  if (!producer || isElementwiseOnTiles(producer))
    return;
  ComputedDim across{matrix.producerLoops[matrix.first], operand.shape[0],
                     operand.first, operand.isFull};
  operand.windows = std::make_shared<WindowTile>(
      b, loc, matrix, across, spec.tileK, getOuterLoops(matrix),
      profile.backend != Backend::XeVM);
}

ComputedTile MatmulKernelBuilder::createComputedTile(const Operand &operand,
                                                     Value k) {
  const MatmulMatrix &matrix = *operand.matrix;
  linalg::GenericOp producer = matrix.producer;
  SmallVector<Value> outer = getOuterLoops(matrix);
  ComputedDim across{
      matrix.producerLoops[operand.alongK ? matrix.first : matrix.last],
      operand.shape[operand.alongK ? 0 : 1], operand.first, operand.isFull};
  // Beyond the end along K, the other factor is 0, but 0 times infinity is NaN.
  ComputedDim along{
      matrix.producerLoops[operand.alongK ? matrix.last : matrix.first],
      spec.tileK, k, operand.isFullK,
      /*clearsOutside=*/true};
  if (operand.alongK)
    return ComputedTile(b, loc, producer, {across, along}, outer);
  return ComputedTile(b, loc, producer, {along, across}, outer);
}

MatmulKernelBuilder::ReadTile
MatmulKernelBuilder::readTile(const Operand &operand, Value k) {
  ReadTile tile;
  if (operand.windows) {
    // Beyond the end along K, the other factor is 0, but 0 times infinity is
    // NaN.
    tile.elements = {operand.windows->read(k, !operand.isFullK)};
  } else if (operand.matrix->producer) {
    tile.computed =
        std::make_unique<ComputedTile>(createComputedTile(operand, k));
    tile.elements = tile.computed->read();
  } else {
    tile.elements = {read(operand.memref, getIndices(operand, k),
                          getTileType(operand), getInBounds(operand))};
  }
  return tile;
}

Value MatmulKernelBuilder::finishTile(ReadTile tile) {
  return tile.computed ? tile.computed->compute(tile.elements)
                       : tile.elements.front();
}

/// Returns the numbers of type `type` that the elements of `tile` contain.
Value MatmulKernelBuilder::unpack(Value tile, FloatType type) {
  auto packed = cast<VectorType>(tile.getType());
  if (packed.getElementType() == type)
    return tile;
  SmallVector<int64_t> shape(packed.getShape());
  shape.back() = shape.back() * packed.getElementTypeBitWidth() /
                 type.getIntOrFloatBitWidth();
  return vector::BitCastOp::create(b, loc, VectorType::get(shape, type), tile);
}

Value MatmulKernelBuilder::multiply(ValueRange tiles, Value accumulators) {
  Operation *product;
  if (spec.scaleBlock)
    product = layout::ScaledContractOp::create(
        b, loc, unpack(tiles[0], matmul.scaledA->type),
        unpack(tiles[1], matmul.scaledB->type), accumulators, tiles[2],
        tiles[3]);
  else
    product = createProduct(b, loc, {tiles[0], spec.a.alongK},
                            {tiles[1], spec.b.alongK}, accumulators);
  if (spec.instruction)
    product->setAttr(layout::LayoutDialect::StrategyAttrHelper::getNameStr(),
                     layout::ContractionStrategyAttr::get(
                         b.getContext(), spec.instruction->name, spec.wavesM,
                         spec.wavesN,
                         spec.transposesB ? layout::OperandPath::Transposed
                         : spec.isStaged  ? layout::OperandPath::Staged
                                          : layout::OperandPath::Direct));
  return product->getResult(0);
}

/// Returns the initial accumulators, which have the fill value.
Value MatmulKernelBuilder::fillAccumulators() {
  auto type = VectorType::get({spec.tileM, spec.tileN}, matmul.fill.getType());
  VectorType sums = type.clone(matmul.accumulator);
  Attribute filled;
  if (matchPattern(matmul.fill, m_Constant(&filled)) && sums == type)
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, filled));
  Value fill = convert(matmul.fill, matmul.accumulator);
  if (SmallVector<OpFoldResult> folded;
      matchPattern(matmul.fill, m_Constant(&filled)) &&
      succeeded(fill.getDefiningOp()->fold({filled}, folded)) &&
      !folded.empty() && isa<Attribute>(folded[0])) {
    fill.getDefiningOp()->erase();
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(sums, cast<Attribute>(folded[0])));
  }
  return vector::BroadcastOp::create(b, loc, sums, fill);
}

/// Returns the row and the column of the tile of C that the workgroup computes.
/// The hardware assigns workgroups to the dies in round-robin order, so
/// adjacent workgroups do not share a cache. If the number of tiles is known,
/// each die gets consecutive tiles instead, in groups of a few rows, so that
/// its workgroups share rows of A and columns of B.
std::pair<Value, Value> MatmulKernelBuilder::createTileIds() {
  int64_t xcds = profile.limits.xcds;
  Value x = launch.getBlockIds().x, y = launch.getBlockIds().y;
  if (xcds < 2 || !problem.m || !problem.n)
    return {y, x};
  int64_t rows = llvm::divideCeil(*problem.m, spec.tileM),
          columns = llvm::divideCeil(*problem.n, spec.tileN);
  int64_t share = rows * columns / xcds, rest = rows * columns % xcds;
  if (share < 2)
    return {y, x};
  auto add = [&](Value a, Value by) -> Value {
    return b.createOrFold<arith::AddIOp>(loc, a, by);
  };
  auto div = [&](Value value, int64_t by) -> Value {
    return b.createOrFold<arith::DivUIOp>(loc, value, constant(by));
  };
  auto rem = [&](Value value, int64_t by) -> Value {
    return b.createOrFold<arith::RemUIOp>(loc, value, constant(by));
  };
  Value linear = add(mul(y, columns), x);
  Value die = rem(linear, xcds);
  Value tile = add(mul(die, share), div(linear, xcds));
  if (rest)
    tile = add(tile, arith::MinUIOp::create(b, loc, die, constant(rest)));
  int64_t group = 1;
  while (group * group * 4 <= share && rows % (group * 2) == 0)
    group *= 2;
  Value inGroup = rem(tile, group * columns);
  return {add(mul(div(tile, group * columns), group), rem(inGroup, group)),
          div(inGroup, group)};
}

/// Returns the indices of the matrices of this workgroup in the outer
/// dimensions of C.
SmallVector<Value> MatmulKernelBuilder::createOuterIds() {
  SmallVector<Value> ids(matmul.c.outer.size());
  Value rest = launch.getBlockIds().z;
  for (size_t i = ids.size(); i-- > 0;) {
    if (i == 0) {
      ids[i] = rest;
      break;
    }
    Value size = getSizeOfC(matmul.c.outer[i]);
    ids[i] = b.createOrFold<arith::RemUIOp>(loc, rest, size);
    rest = b.createOrFold<arith::DivUIOp>(loc, rest, size);
  }
  return ids;
}

/// Returns the position of dimension `dim` of C among the outer dimensions.
size_t MatmulKernelBuilder::findOuter(unsigned dim) {
  return llvm::find(matmul.c.outer, dim) - matmul.c.outer.begin();
}

/// Returns the matrix that this workgroup multiplies.
Value MatmulKernelBuilder::createMatrix(const MatmulMatrix &matrix) {
  if (matrix.outer.empty() || matrix.producer)
    return matrix.memref;
  MemRefType type = getMemRefType(matrix.memref);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  size_t outer = 0;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    strides.push_back(b.getIndexAttr(1));
    if (dim != matrix.first && dim != matrix.last) {
      offsets.push_back(outerIds[findOuter(matrix.outer[outer++])]);
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(memref::getMixedSize(b, loc, matrix.memref, dim));
    shape.push_back(type.getDimSize(dim));
  }
  return memref::SubViewOp::create(
      b, loc,
      memref::SubViewOp::inferRankReducedResultType(shape, type, offsets, sizes,
                                                    strides),
      matrix.memref, offsets, sizes, strides);
}

/// Returns the size of dimension `dim` of C. The result of the epilogue has the
/// same sizes, in another order.
Value MatmulKernelBuilder::getSizeOfC(unsigned dim) {
  linalg::GenericOp epilogue = matmul.epilogue;
  if (!epilogue)
    return getSizeOf(matmul.c.memref, dim);
  AffineMap mapOfC =
      epilogue.getMatchingIndexingMap(findInput(epilogue, matmul.c.memref));
  return getSizeOf(
      epilogue.getDpsInits()[0],
      *getMapOfResult(epilogue).getResultPosition(mapOfC.getResult(dim)));
}

TileEvaluator MatmulKernelBuilder::getEvaluator(AffineMap mapOfC) {
  SmallVector<TileLoop> loops(mapOfC.getNumDims());
  for (auto [dim, index] : llvm::enumerate(mapOfC.getResults())) {
    TileLoop &loop = loops[cast<AffineDimExpr>(index).getPosition()];
    if (dim == matmul.getRows())
      loop = {TileLoop::Rows, row, fullRows};
    else if (dim == matmul.getColumns())
      loop = {TileLoop::Columns, column, fullColumns};
    else
      loop.index = outerIds[findOuter(dim)];
  }
  return TileEvaluator(b, loc, spec.tileM, spec.tileN, std::move(loops));
}

SmallVector<MatmulKernelBuilder::Operand>
MatmulKernelBuilder::createOperands() {
  int64_t step = spec.tileK * tiling.tilesPerIteration;
  bool fullK = problem.k && *problem.k > 0 && *problem.k % step == 0;
  SmallVector<Operand> operands;
  auto add = [&](const MatmulMatrix &matrix, bool isA, layout::Ints shape,
                 int64_t depthOfElement, bool isDirect) {
    operands.push_back({createMatrix(matrix), std::move(shape), depthOfElement,
                        isA ? problem.a.alongK : problem.b.alongK, isDirect,
                        isA ? row : column, isA ? fullRows : fullColumns, fullK,
                        &matrix, nullptr});
  };
  bool isScaled = spec.scaleBlock > 0;
  add(isScaled ? matmul.scaledA->elements : matmul.a, /*isA=*/true,
      spec.getMemoryShape(problem.a, spec.tileM), problem.a.getPacking(),
      tiling.isDirectA);
  add(isScaled ? matmul.scaledB->elements : matmul.b, /*isA=*/false,
      spec.getMemoryShape(problem.b, spec.tileN), problem.b.getPacking(),
      tiling.isDirectB);
  if (isScaled) {
    add(matmul.scaledA->scales, /*isA=*/true, getScaleShape(spec.tileM),
        spec.scaleBlock, tiling.isDirectScales);
    add(matmul.scaledB->scales, /*isA=*/false, getScaleShape(spec.tileN),
        spec.scaleBlock, tiling.isDirectScales);
  }
  for (Operand &operand : operands)
    createWindowTile(operand);
  return operands;
}

void MatmulKernelBuilder::createBody() {
  fullRows = problem.m && *problem.m % spec.tileM == 0;
  fullColumns = problem.n && *problem.n % spec.tileN == 0;
  auto [rowId, columnId] = createTileIds();
  row = mul(rowId, spec.tileM);
  column = mul(columnId, spec.tileN);
  outerIds = createOuterIds();
  SmallVector<Operand> operands = createOperands();
  Value c = matmul.c.memref;
  MemRefType type = getMemRefType(c);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  TileEvaluator memory = getEvaluator(identity);
  Value sums;
  if (matmul.fill)
    sums = fillAccumulators();
  else if (linalg::GenericOp init = matmul.init)
    sums = convert(getEvaluator(getMapOfResult(init))
                       .evaluate(init, [](OpOperand &) { return Value(); }),
                   matmul.accumulator);
  else
    sums = convert(memory.read(c, identity), matmul.accumulator);
  Value results = convert(createLoop(operands, sums), type.getElementType());
  linalg::GenericOp epilogue = matmul.epilogue;
  if (!epilogue)
    return memory.write(results, c, identity);
  OpOperand *use = findInput(epilogue, matmul.c.memref);
  TileEvaluator evaluator = getEvaluator(epilogue.getMatchingIndexingMap(use));
  results = evaluator.evaluate(epilogue, [&](OpOperand &input) {
    return &input == use ? results : Value();
  });
  evaluator.write(results, epilogue.getDpsInits()[0], getMapOfResult(epilogue));
}

gpu::LaunchOp MatmulKernelBuilder::create() {
  Value one = constant(1);
  const MatmulMatrix &c = matmul.c;
  Value gridX = ceilDiv(getSizeOfC(matmul.getColumns()), spec.tileN);
  Value gridY = ceilDiv(getSizeOfC(matmul.getRows()), spec.tileM);
  Value gridZ = one;
  for (unsigned dim : c.outer)
    gridZ = b.createOrFold<arith::MulIOp>(loc, gridZ, getSizeOfC(dim));
  return createWorkgroupLaunch(b, loc, {gridX, gridY, gridZ},
                               spec.getNumWaves() * profile.waveSize, "matmul",
                               getBufferTypes(), [&](gpu::LaunchOp created) {
                                 launch = created;
                                 createBody();
                               });
}

gpu::LaunchOp aircc::hierarchy::createMatmulKernel(
    OpBuilder &b, const Matmul &matmul, const MatmulTiling &tiling,
    const MatmulProblem &problem, const TargetProfile &profile) {
  return (tiling.spec.isStaged
              ? createStagedMatmul(b, matmul, tiling, problem, profile)
              : createDirectMatmul(b, matmul, tiling, problem, profile))
      ->create();
}
