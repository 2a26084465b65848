//===- MatmulKernels.cpp - Matmuls in memory to kernels -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/MatmulTiling.h"
#include "pipeline/hierarchy/TilePasses.h"

#include "dialects/air/AIROps.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/layout/PassTarget.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_MATMULKERNELS
#include "pipeline/hierarchy/TilePasses.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// A matmul whose operands are all in memory of the device, and what C is
/// before.
struct Matmul {
  Operation *op = nullptr;
  Value a, b, c;
  /// What C is filled with right before; null where C counts.
  Value fill;
  bool bAlongK = false;
};

MemRefType getMemRefType(Value value) {
  return cast<MemRefType>(value.getType());
}

std::optional<int64_t> getSize(Value memref, unsigned dim) {
  int64_t size = getMemRefType(memref).getDimSize(dim);
  return ShapedType::isDynamic(size) ? std::nullopt : std::optional(size);
}

bool isGlobal(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return true;
  if (auto level = dyn_cast<IntegerAttr>(space))
    return level.getInt() == int64_t(air::MemorySpace::L3);
  auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Global;
}

std::string getTypeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// `op` as a matmul of memory, if it is one: C (m, n) += A (m, k) * B (k, n) or
/// B (n, k).
std::optional<Matmul> matchMatmul(Operation *op) {
  auto structured = dyn_cast<linalg::MatmulOp>(op);
  if (!structured || !structured.hasPureBufferSemantics())
    return std::nullopt;
  if (structured.getCast() == linalg::TypeFn::cast_unsigned)
    return std::nullopt;
  Matmul matmul;
  matmul.op = op;
  matmul.a = structured.getInputs()[0];
  matmul.b = structured.getInputs()[1];
  matmul.c = structured.getOutputs()[0];
  for (Value operand : {matmul.a, matmul.b, matmul.c}) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    // Rows whose elements lie next to each other.
    if (!type || !isGlobal(type) ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        strides.back() != 1)
      return std::nullopt;
  }
  MLIRContext *context = op->getContext();
  AffineExpr m, n, k;
  bindDims(context, m, n, k);
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(3, 0, results, context);
  };
  SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
  if (maps[0] != map({m, k}) || maps[2] != map({m, n}))
    return std::nullopt;
  matmul.bAlongK = maps[1] == map({n, k});
  if (!matmul.bAlongK && maps[1] != map({k, n}))
    return std::nullopt;
  return matmul;
}

MatmulProblem describe(const Matmul &matmul) {
  MatmulProblem problem;
  problem.m = getSize(matmul.c, 0);
  problem.n = getSize(matmul.c, 1);
  problem.k = getSize(matmul.a, 1);
  auto describeType = [](Value memref, std::string &name, int64_t &bits) {
    Type type = getMemRefType(memref).getElementType();
    name = getTypeName(type);
    bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  };
  describeType(matmul.a, problem.a.type, problem.a.bits);
  describeType(matmul.b, problem.b.type, problem.b.bits);
  describeType(matmul.c, problem.cType, problem.cBits);
  problem.a.alongK = true;
  problem.b.alongK = matmul.bAlongK;
  return problem;
}

/// Builds the kernel of one matmul.
class KernelBuilder {
public:
  KernelBuilder(OpBuilder &b, const Matmul &matmul, const MatmulTiling &tiling,
                const MatmulProblem &problem, int64_t waveSize)
      : b(b), loc(matmul.op->getLoc()), matmul(matmul), tiling(tiling),
        problem(problem), waveSize(waveSize) {}

  /// The launch, at the builder's place, where the operands are in sight.
  gpu::LaunchOp create();

private:
  /// One of A and B in the kernel.
  struct Operand {
    Value memref, lds;
    const MatmulStaging &staging;
    bool alongK;
    /// Where the workgroup's rows or columns begin, and whether they and the
    /// steps along K all lie inside.
    Value first;
    bool isWhole, isWholeK;
    /// Moved by loads straight to LDS.
    bool isDirect;
  };

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value getSizeOf(Value memref, unsigned dim) {
    return b.createOrFold<memref::DimOp>(loc, memref, dim);
  }
  Value ceilDiv(Value value, int64_t by) {
    return b.createOrFold<arith::CeilDivUIOp>(loc, value, constant(by));
  }
  Value mul(Value value, int64_t by) {
    return b.createOrFold<arith::MulIOp>(loc, value, constant(by));
  }
  Value anchor(Value vector, const layout::NestedLayout &layout) {
    return layout::ToLayoutOp::create(
        b, loc, vector, layout::NestedLayoutAttr::get(b.getContext(), layout));
  }
  MemRefType getBufferType(const MatmulStaging &staging, Value memref) {
    return MemRefType::get(
        {tiling.buffers * staging.shape[0], staging.shape[1]},
        getMemRefType(memref).getElementType(), MemRefLayoutAttrInterface(),
        gpu::AddressSpaceAttr::get(b.getContext(),
                                   gpu::AddressSpace::Workgroup));
  }
  Value swizzle(Value buffer, const MatmulStaging &staging) {
    return layout::SwizzleHintOp::create(
        b, loc, buffer,
        layout::XorShuffleAttr::get(b.getContext(), staging.swizzleRow,
                                    staging.swizzleAccess));
  }
  VectorType getTileType(const Operand &operand) {
    return VectorType::get(operand.staging.shape,
                           getMemRefType(operand.memref).getElementType());
  }
  SmallVector<Value> getIndices(const Operand &operand, Value k) {
    if (operand.alongK)
      return {operand.first, k};
    return {k, operand.first};
  }
  SmallVector<bool> getInBounds(const Operand &operand) {
    if (operand.alongK)
      return {operand.isWhole, operand.isWholeK};
    return {operand.isWholeK, operand.isWhole};
  }
  Value read(Value memref, ValueRange indices, VectorType type,
             ArrayRef<bool> inBounds) {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    return vector::TransferReadOp::create(b, loc, type, memref, indices, zero,
                                          inBounds);
  }
  Value readTile(const Operand &operand, Value k);
  void writeTile(const Operand &operand, Value tile, Value buffer);
  void moveTile(const Operand &operand, Value k, Value buffer);
  Value readOperand(const Operand &operand, Value buffer);
  void createBody();

  OpBuilder &b;
  Location loc;
  const Matmul &matmul;
  const MatmulTiling &tiling;
  const MatmulProblem &problem;
  const int64_t waveSize;
  gpu::LaunchOp launch;
};

/// A tile at `k`, on its way through registers.
Value KernelBuilder::readTile(const Operand &operand, Value k) {
  return anchor(read(operand.memref, getIndices(operand, k),
                     getTileType(operand), getInBounds(operand)),
                operand.staging.copy);
}

void KernelBuilder::writeTile(const Operand &operand, Value tile,
                              Value buffer) {
  SmallVector<Value> indices{mul(buffer, operand.staging.shape[0]),
                             constant(0)};
  vector::TransferWriteOp::create(b, loc, tile, operand.lds, indices,
                                  SmallVector<bool>(2, true));
}

void KernelBuilder::moveTile(const Operand &operand, Value k, Value buffer) {
  SmallVector<Value> indices{mul(buffer, operand.staging.shape[0]),
                             constant(0)};
  SmallVector<bool> inBounds = getInBounds(operand);
  layout::AsyncDmaOp::create(
      b, loc, operand.memref, getIndices(operand, k), operand.lds, indices,
      getTileType(operand), b.getDenseBoolArrayAttr(inBounds), AffineMapAttr());
}

Value KernelBuilder::readOperand(const Operand &operand, Value buffer) {
  SmallVector<Value> indices{mul(buffer, operand.staging.shape[0]),
                             constant(0)};
  return anchor(read(operand.lds, indices, getTileType(operand), {true, true}),
                operand.staging.operand);
}

void KernelBuilder::createBody() {
  bool wholeM = problem.m && *problem.m % tiling.tileM == 0;
  bool wholeN = problem.n && *problem.n % tiling.tileN == 0;
  bool wholeK = problem.k && *problem.k > 0 && *problem.k % tiling.tileK == 0;
  Value row = mul(launch.getBlockIds().y, tiling.tileM);
  Value column = mul(launch.getBlockIds().x, tiling.tileN);
  auto attributions = launch.getWorkgroupAttributions();
  // A load straight to LDS cannot stop in the middle of a lane's piece.
  auto isDirect = [&](const MatmulStaging &staging, bool wholeRows) {
    return staging.isDirect && wholeRows;
  };
  Operand a{matmul.a,
            swizzle(attributions[0], tiling.a),
            tiling.a,
            /*alongK=*/true,
            row,
            wholeM,
            wholeK,
            isDirect(tiling.a, wholeK)};
  Operand bb{matmul.b, swizzle(attributions[1], tiling.b),
             tiling.b, problem.b.alongK,
             column,   wholeN,
             wholeK,   isDirect(tiling.b, problem.b.alongK ? wholeK : wholeN)};

  auto accType = VectorType::get({tiling.tileM, tiling.tileN},
                                 getMemRefType(matmul.c).getElementType());
  Value zeroIndex = constant(0), one = constant(1);
  Value sums;
  Attribute filled;
  if (matmul.fill && matchPattern(matmul.fill, m_Constant(&filled)))
    sums = arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(accType, filled));
  else if (matmul.fill)
    sums = vector::BroadcastOp::create(b, loc, accType, matmul.fill);
  else
    sums = read(matmul.c, {row, column}, accType, {wholeM, wholeN});
  sums = anchor(sums, tiling.c);

  // Steps along K; where there are none, nothing is read that counts.
  Value depth = getSizeOf(matmul.a, 1);
  Value steps = ceilDiv(depth, tiling.tileK);
  Value last =
      mul(b.createOrFold<arith::SubIOp>(loc, steps, one), tiling.tileK);
  Value tileK = constant(tiling.tileK);
  Value end = mul(steps, tiling.tileK);

  // The first step's tiles go to buffer 0 before the loop.
  for (const Operand *operand : {&a, &bb}) {
    if (operand->isDirect)
      moveTile(*operand, zeroIndex, zeroIndex);
    else
      writeTile(*operand, readTile(*operand, zeroIndex), zeroIndex);
  }
  auto loop = scf::ForOp::create(b, loc, zeroIndex, end, tileK,
                                 ValueRange{sums, zeroIndex});
  {
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    Value buffer = loop.getRegionIterArgs()[1];
    // All have stored this step's tiles, and have read the buffer that the next
    // step's go to.
    gpu::BarrierOp::create(b, loc);
    Value next = arith::AddIOp::create(b, loc, buffer, one);
    next = arith::SelectOp::create(
        b, loc,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, next,
                              constant(tiling.buffers)),
        zeroIndex, next);
    // After the last step, the same tile once more: nobody looks at it.
    Value nextK = arith::MinUIOp::create(
        b, loc, arith::AddIOp::create(b, loc, k, tileK), last);
    // Long ways first: from memory, while this step multiplies.
    Value tileA, tileB;
    if (!a.isDirect)
      tileA = readTile(a, nextK);
    if (!bb.isDirect)
      tileB = readTile(bb, nextK);
    if (tileA || tileB)
      amdgpu::SchedBarrierOp::create(b, loc,
                                     amdgpu::sched_barrier_opt_enum::none);
    Value lhs = readOperand(a, buffer);
    Value rhs = readOperand(bb, buffer);
    if (a.isDirect)
      moveTile(a, nextK, next);
    if (bb.isDirect)
      moveTile(bb, nextK, next);
    AffineExpr dm, dn, dk;
    bindDims(b.getContext(), dm, dn, dk);
    auto map = [&](AffineExpr x, AffineExpr y) {
      return AffineMap::get(3, 0, {x, y}, b.getContext());
    };
    SmallVector<AffineMap> maps{
        map(dm, dk), bb.alongK ? map(dn, dk) : map(dk, dn), map(dm, dn)};
    SmallVector<vector::IteratorType> kinds{vector::IteratorType::parallel,
                                            vector::IteratorType::parallel,
                                            vector::IteratorType::reduction};
    SmallVector<Attribute> iterators;
    for (vector::IteratorType kind : kinds)
      iterators.push_back(vector::IteratorTypeAttr::get(b.getContext(), kind));
    Operation *product = vector::ContractionOp::create(
        b, loc, lhs, rhs, anchor(loop.getRegionIterArgs()[0], tiling.c),
        b.getAffineMapArrayAttr(maps), b.getArrayAttr(iterators));
    product->setAttr(layout::kMatrixInstructionAttr,
                     b.getStringAttr(tiling.instruction->name));
    if (tileA)
      writeTile(a, tileA, next);
    if (tileB)
      writeTile(bb, tileB, next);
    scf::YieldOp::create(b, loc, ValueRange{product->getResult(0), next});
  }
  Value result = loop.getResult(0);
  SmallVector<Value> place{row, column};
  SmallVector<bool> inBounds{wholeM, wholeN};
  vector::TransferWriteOp::create(b, loc, result, matmul.c, place, inBounds);
}

gpu::LaunchOp KernelBuilder::create() {
  Value one = constant(1);
  Value gridX = ceilDiv(getSizeOf(matmul.c, 1), tiling.tileN);
  Value gridY = ceilDiv(getSizeOf(matmul.c, 0), tiling.tileM);
  Value threads = constant(tiling.getNumWaves() * waveSize);
  SmallVector<Type> buffers{getBufferType(tiling.a, matmul.a),
                            getBufferType(tiling.b, matmul.b)};
  launch = gpu::LaunchOp::create(b, loc, gridX, gridY, one, threads, one, one,
                                 /*dynamicSharedMemorySize=*/Value(),
                                 /*asyncTokenType=*/Type(),
                                 /*asyncDependencies=*/ValueRange(),
                                 /*workgroupAttributions=*/buffers);
  launch->setAttr(
      layout::kScopeAttr,
      layout::ScopeAttr::get(b.getContext(), layout::Scope::Workgroup));
  launch->setAttr("air.name", b.getStringAttr("matmul"));
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToEnd(&launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(b, loc);
  b.setInsertionPoint(terminator);
  createBody();
  return launch;
}

class MatmulKernels : public hierarchy::impl::MatmulKernelsBase<MatmulKernels> {
public:
  using MatmulKernelsBase::MatmulKernelsBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = layout::PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    if (failed(wrapOffloaded()))
      return signalPassFailure();
    SmallVector<air::LaunchOp> launches;
    getOperation().walk([&](air::LaunchOp launch) {
      if (launch.getNumDims() == 0 && !launch.getAsyncToken() &&
          launch.getAsyncDependencies().empty())
        launches.push_back(launch);
    });
    for (air::LaunchOp launch : launches)
      if (failed(lower(launch)))
        return signalPassFailure();
  }

private:
  LogicalResult wrapOffloaded();
  LogicalResult lower(air::LaunchOp launch);
  LogicalResult readChoices(Operation *op, MatmulChoices &choices);

  layout::PassTarget passTarget;
};

/// Puts each linalg op that its own attribute or its function's sends to the
/// device into a launch; a fill goes with the op that works on it next.
LogicalResult MatmulKernels::wrapOffloaded() {
  SmallVector<linalg::LinalgOp> ops;
  WalkResult result = getOperation().walk([&](linalg::LinalgOp op) {
    if (op->getParentOfType<air::HierarchyInterface>() ||
        op->getParentOfType<gpu::LaunchOp>() ||
        op->getParentOfType<gpu::GPUModuleOp>())
      return WalkResult::advance();
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!op->hasAttr(kOffloadAttr) &&
        !(function && function->hasAttr(kOffloadAttr)))
      return WalkResult::advance();
    if (!op.hasPureBufferSemantics()) {
      op->emitOpError("is to be offloaded, and works on tensors; bufferize the "
                      "program before the stage 'hierarchy'");
      return WalkResult::interrupt();
    }
    ops.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (size_t i = 0; i < ops.size(); ++i) {
    SmallVector<Operation *> group{ops[i]};
    auto fill = dyn_cast<linalg::FillOp>(ops[i].getOperation());
    if (fill && i + 1 < ops.size() && matchMatmul(ops[i + 1]) &&
        ops[i]->getNextNode() == ops[i + 1] &&
        fill.getOutputs()[0] == ops[i + 1].getDpsInits()[0])
      group.push_back(ops[++i]);
    OpBuilder b(group.front());
    SetVector<Value> operands;
    for (Operation *op : group)
      operands.insert_range(op->getOperands());
    auto launch = air::LaunchOp::create(b, group.front()->getLoc(),
                                        ValueRange(), operands.getArrayRef());
    IRMapping mapping;
    mapping.map(operands.getArrayRef(),
                ValueRange(launch.getKernelArguments()));
    OpBuilder inner = OpBuilder::atBlockTerminator(launch.getBodyBlock());
    for (Operation *op : group) {
      inner.clone(*op, mapping)->removeAttr(kOffloadAttr);
      op->erase();
    }
  }
  return success();
}

LogicalResult MatmulKernels::readChoices(Operation *op,
                                         MatmulChoices &choices) {
  auto parse = [&](StringRef option, StringRef text,
                   ArrayRef<int64_t *> into) -> LogicalResult {
    if (text.empty())
      return success();
    SmallVector<StringRef> parts;
    text.split(parts, 'x');
    bool ok = parts.size() == into.size();
    for (auto [part, number] : llvm::zip(parts, into))
      ok &= !part.getAsInteger(10, *number) && *number > 0;
    if (ok)
      return success();
    return op->emitOpError("is compiled with the option '")
           << option << "=" << text << "', which is not " << into.size()
           << " numbers with 'x' between them";
  };
  if (buffers < 0 || buffers == 1 || buffers > 4)
    return op->emitOpError("is compiled with the option 'matmul-buffers=")
           << buffers.getValue() << "', which may be 2 to 4";
  choices.buffers = buffers;
  if (failed(parse("matmul-tile", tile,
                   {&choices.tileM, &choices.tileN, &choices.tileK})))
    return failure();
  return parse("matmul-waves", waves, {&choices.wavesM, &choices.wavesN});
}

/// Makes a kernel of a launch that is nothing but a matmul.
LogicalResult MatmulKernels::lower(air::LaunchOp launch) {
  std::optional<Matmul> matmul;
  linalg::FillOp fill;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (auto thisFill = dyn_cast<linalg::FillOp>(op);
        thisFill && !fill && !matmul) {
      fill = thisFill;
      continue;
    }
    if (!matmul)
      if ((matmul = matchMatmul(&op)))
        continue;
    if (!isMemoryEffectFree(&op))
      return success();
  }
  if (!matmul)
    return success();
  if (fill && (fill.getOutputs()[0] != matmul->c ||
               fill.getInputs()[0].getType() !=
                   getMemRefType(matmul->c).getElementType()))
    return success();
  if (fill)
    matmul->fill = fill.getInputs()[0];
  const TargetProfile *profile = passTarget.get(getArgument(), target, launch);
  if (!profile)
    return failure();
  MatmulChoices choices;
  if (failed(readChoices(matmul->op, choices)))
    return failure();
  MatmulProblem problem = describe(*matmul);
  layout::Result<MatmulTiling> tiling =
      chooseMatmulTiling(problem, *profile, choices);
  if (!tiling) {
    bool chosen = !tile.empty() || !waves.empty() || buffers != 0;
    if (chosen)
      return matmul->op->emitOpError(
                 "cannot be computed with the tiles that were asked for: ")
             << tiling.message();
    // Other ways are slower, but they are ways.
    matmul->op->emitRemark("is not computed by matrix instructions: ")
        << tiling.message();
    return success();
  }
  // The launch's body goes to where its operands are.
  OpBuilder b(launch);
  for (auto [arg, operand] : llvm::zip_equal(launch.getKernelArguments(),
                                             launch.getKernelOperands())) {
    arg.replaceAllUsesWith(operand);
    for (Value *value : {&matmul->a, &matmul->b, &matmul->c, &matmul->fill})
      if (*value == arg)
        *value = operand;
  }
  for (Operation &op :
       llvm::make_early_inc_range(launch.getBodyBlock()->without_terminator()))
    if (isMemoryEffectFree(&op))
      op.moveBefore(launch);
  // A matrix without elements is no grid that a device can be asked to run.
  Value c = matmul->c;
  Value isSome;
  for (unsigned dim = 0; dim < 2; ++dim) {
    std::optional<int64_t> size = getSize(c, dim);
    if (size && *size == 0) {
      launch.erase();
      return success();
    }
    if (size)
      continue;
    Value some = arith::CmpIOp::create(
        b, launch.getLoc(), arith::CmpIPredicate::ne,
        memref::DimOp::create(b, launch.getLoc(), c, dim),
        arith::ConstantIndexOp::create(b, launch.getLoc(), 0));
    isSome =
        isSome ? arith::AndIOp::create(b, launch.getLoc(), isSome, some) : some;
  }
  if (isSome) {
    auto guard = scf::IfOp::create(b, launch.getLoc(), isSome);
    b.setInsertionPoint(guard.thenBlock()->getTerminator());
  }
  KernelBuilder(b, *matmul, *tiling, problem, profile->waveSize).create();
  launch.erase();
  return success();
}

} // namespace

std::unique_ptr<Pass> aircc::hierarchy::createMatmulKernels(
    std::shared_ptr<const TargetProfile> profile, StringRef tile,
    StringRef waves, int64_t buffers) {
  MatmulKernelsOptions options;
  options.tile = tile.str();
  options.waves = waves.str();
  options.buffers = buffers;
  auto pass = std::make_unique<MatmulKernels>(options);
  pass->setTarget(std::move(profile));
  return pass;
}
