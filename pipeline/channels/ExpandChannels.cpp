//===- ExpandChannels.cpp - Channels in kernels as rings in the heap ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/ChannelUses.h"
#include "pipeline/channels/Passes.h"
#include "pipeline/channels/RankLevel.h"
#include "pipeline/channels/Runtime.h"
#include "runtime-stubs/ranks/ChannelAbi.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace aircc::channels {
#define GEN_PASS_DEF_CHECKCHANNELS
#define GEN_PASS_DEF_EXPANDCHANNELS
#include "pipeline/channels/Passes.h.inc"
} // namespace aircc::channels

using namespace mlir;
using namespace aircc;
using namespace aircc::channels;

namespace {

struct CheckChannelsPass
    : channels::impl::CheckChannelsBase<CheckChannelsPass> {
  using CheckChannelsBase::CheckChannelsBase;

  void runOnOperation() override {
    if (failed(findChannelUses(getOperation(), peIsLane)))
      signalPassFailure();
  }
};

/// Lowers the puts and gets of one channel to messages.
class Expansion {
public:
  Expansion(ModuleOp module, ChannelUses &uses, RuntimeCalls &runtime)
      : module(module), uses(uses), channel(uses.channel), runtime(runtime) {}

  LogicalResult run();

private:
  /// The memref that holds all rings, and the table of their addresses on each
  /// rank. The table is null if the addresses can be derived from the bases of
  /// the heaps.
  struct Rings {
    Value memref, bases;
  };

  LogicalResult chooseLayout();
  bool isSingleLineMessage();
  /// Returns the uses of all destinations for each possible number of ranks.
  /// The number is 0 if there is only one configuration.
  SmallVector<std::pair<int64_t, const std::vector<ElementUse> *>>
  getConfigurations();
  void createTables();
  LogicalResult expand(air::ChannelAccessInterface access);
  LogicalResult sinkGet(air::ChannelGetOp get);
  void createMessage(OpBuilder &b, air::ChannelAccessInterface access,
                     const RankContext &context, Rings ring, Value count,
                     Value target);
  FailureOr<Rings> getRings(Operation *op);
  /// Returns the rank at `at` in the table; a constant if all entries are
  /// equal.
  Value lookUp(OpBuilder &b, Location loc, memref::GlobalOp table,
               ArrayRef<int64_t> ranks, Value at);

  ModuleOp module;
  ChannelUses &uses;
  air::ChannelOp channel;
  RuntimeCalls &runtime;

  bool singleLine = false;
  int64_t slots = 0, lines = 0, ringWords = 0;
  /// For each destination, the rank that gets, and the rank that holds the
  /// sender's count and credits. If the number of ranks is known only at run
  /// time, these are concatenated lists, one for each number.
  SmallVector<int64_t> getters, creditors;
  memref::GlobalOp getterTable, creditorTable;
  /// Whether several ranks put into the same destination, or get from it.
  bool shared = false, sharedByGetters = false;
  LLVM::GlobalOp ringPointer;
  DenseMap<Operation *, Rings> rings; ///< By outermost kernel.
};

SmallVector<std::pair<int64_t, const std::vector<ElementUse> *>>
Expansion::getConfigurations() {
  if (uses.elementsByCount.empty())
    return {{0, &uses.elements}};
  SmallVector<std::pair<int64_t, const std::vector<ElementUse> *>> all;
  for (auto &[count, elements] : uses.elementsByCount)
    all.push_back({count, &elements});
  return all;
}

/// A channel with a single put and a single get of a whole memref<32xi32> in
/// the heap uses the message format of the public dialect: 31 words, then the
/// flag.
bool Expansion::isSingleLineMessage() {
  if (uses.puts.size() != 1 || uses.gets.size() != 1 || channel.getDepth() ||
      channel.isBroadcast() || uses.elements.size() != 1 || !uses.isCounted ||
      llvm::any_of(getConfigurations(), [](auto configuration) {
        return configuration.second->front().puts != 1;
      }))
    return false;
  return llvm::all_of(
      uses.getAccesses(), [](air::ChannelAccessInterface access) {
        auto type = dyn_cast<MemRefType>(access.getMemref().getType());
        return access.getPattern().isWholeMemref() && type &&
               isSymmetric(type) && type.getElementType().isInteger(32) &&
               type.getLayout().isIdentity() &&
               type.getShape() == ArrayRef<int64_t>{abi::kLineWords} &&
               !cast<air::TransferInterface>(access.getOperation())
                    .hasPadding();
      });
}

LogicalResult Expansion::chooseLayout() {
  singleLine = isSingleLineMessage();
  for (air::ChannelAccessInterface access : uses.getAccesses()) {
    Operation *op = access;
    Type type =
        cast<BaseMemRefType>(access.getMemref().getType()).getElementType();
    int64_t bits = type.isIndex() ? 64
                   : type.isIntOrFloat()
                       ? std::max<int64_t>(type.getIntOrFloatBitWidth(), 1)
                       : 0;
    if (bits == 1)
      bits = 8;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
      return op->emitOpError("transfers elements of type ")
             << type
             << " between kernels; only elements of 8, 16, 32 or 64 bits can "
                "be transferred";
    int64_t count = *air::getMessageSize(access);
    if (count < 1)
      return op->emitOpError("transfers no elements");
    int64_t words = llvm::divideCeil(count * bits, 32);
    lines = singleLine ? 1 : std::max<int64_t>(lines, abi::getSlotLines(words));
  }
  if (singleLine)
    uses.puts.front().emitWarning(
        "sends only 31 of these 32 words, because a channel without 'depth' "
        "sends a whole memref<32xi32> in the symmetric heap as a single line, "
        "with the last word as the flag; give channel @")
        << channel.getSymName() << " a 'depth' to send all of them";
  slots = getNumSlots(channel);
  ringWords = abi::getRingWords(slots, lines);
  if (ringWords > abi::kMaxRingWords / int64_t(uses.elements.size()))
    return channel.emitOpError(
        "needs more than 1 GiB of the symmetric heap for its messages in "
        "flight; reduce its depth, or send smaller messages");
  auto configurations = getConfigurations();
  for (auto [count, elements] : configurations)
    for (const ElementUse &element : *elements) {
      sharedByGetters |= element.getRanks.size() > 1;
      shared |= sharedByGetters || element.putRanks.size() > 1;
    }
  size_t numTargets = uses.elements.size();
  size_t size = (configurations.back().first + 1) * numTargets;
  getters.assign(size, 0);
  creditors.assign(size, 0);
  for (auto [count, elements] : configurations)
    for (auto [number, element] : llvm::enumerate(*elements)) {
      if (element.getRanks.empty())
        continue;
      size_t at = count * numTargets + number;
      // If several ranks put or get, they share the counts in the heap of the
      // rank that gets, or of the first rank that does.
      getters[at] = element.getRanks[0];
      creditors[at] = shared ? getters[at] : element.putRanks[0];
    }
  return success();
}

void Expansion::createTables() {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto createTable = [&](StringRef what,
                         ArrayRef<int64_t> ranks) -> memref::GlobalOp {
    if (llvm::all_equal(ranks))
      return {};
    // Use i64, because LLVM 22.1.8 combines loads of three adjacent 32-bit
    // numbers into a scalar load that most chips do not have.
    auto type = RankedTensorType::get({int64_t(ranks.size())}, b.getI64Type());
    return memref::GlobalOp::create(
        b, channel.getLoc(),
        ("air.channel." + channel.getSymName() + "." + what).str(),
        b.getStringAttr("private"),
        MemRefType::get({int64_t(ranks.size())}, b.getI64Type()),
        DenseElementsAttr::get(type, ranks), /*constant=*/true,
        /*alignment=*/IntegerAttr());
  };
  getterTable = createTable("getters", getters);
  creditorTable = createTable("putters", creditors);

  // channels-lower-ranks stores the address after it has set up the heap.
  auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
  ringPointer = LLVM::GlobalOp::create(
      b, channel.getLoc(), pointerType, /*isConstant=*/false,
      LLVM::Linkage::Internal, ("air.channel." + channel.getSymName()).str(),
      Attribute());
  Block *init = b.createBlock(&ringPointer.getInitializerRegion());
  b.setInsertionPointToStart(init);
  Value null = LLVM::ZeroOp::create(b, channel.getLoc(), pointerType);
  LLVM::ReturnOp::create(b, channel.getLoc(), null);
  ringPointer->setAttr(air::AIRDialect::ChannelNameAttrHelper::getNameStr(),
                       b.getStringAttr("@" + channel.getSymName()));
  ringPointer->setAttr(
      air::AIRDialect::ChannelBytesAttrHelper::getNameStr(),
      b.getI64IntegerAttr(int64_t(uses.elements.size()) * ringWords * 4));
}

Value Expansion::lookUp(OpBuilder &b, Location loc, memref::GlobalOp table,
                        ArrayRef<int64_t> ranks, Value at) {
  if (!table)
    return arith::ConstantIndexOp::create(b, loc, ranks.front());
  if (std::optional<int64_t> known = getConstantIntValue(at))
    return arith::ConstantIndexOp::create(b, loc, ranks[*known]);
  Value values =
      memref::GetGlobalOp::create(b, loc, table.getType(), table.getSymName());
  Value rank = memref::LoadOp::create(b, loc, values, at);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), rank);
}

void Expansion::createMessage(OpBuilder &b, air::ChannelAccessInterface access,
                              const RankContext &context, Rings rings,
                              Value count, Value target) {
  Value ring = rings.memref;
  Location loc = access.getLoc();
  Value start = b.createOrFold<arith::MulIOp>(
      loc, target, arith::ConstantIndexOp::create(b, loc, ringWords));
  Value at = target;
  if (count)
    at = b.createOrFold<arith::AddIOp>(
        loc, target,
        arith::MulIOp::create(
            b, loc, count,
            arith::ConstantIndexOp::create(b, loc, uses.elements.size())));
  auto getPart = [&](Value whole) -> Value {
    return memref::SubViewOp::create(
        b, loc, whole, ArrayRef<OpFoldResult>{start},
        ArrayRef<OpFoldResult>{b.getIndexAttr(ringWords)},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  };
  auto getPeer = [&](memref::GlobalOp table, ArrayRef<int64_t> ranks) -> Value {
    return air::TranslateOp::create(
        b, loc, ring, context.rank, lookUp(b, loc, table, ranks, at),
        rings.bases ? rings.bases : context.heapBases);
  };
  // The slots are in the heap of the rank that gets. The sender's count and the
  // credits are in the heap of the rank that puts or, if several ranks put,
  // next to the slots.
  bool isPut = isa<air::ChannelPutOp>(access.getOperation());
  Value data =
      getPart(isPut || sharedByGetters ? getPeer(getterTable, getters) : ring);
  Value credits = data;
  if (!shared)
    credits = getPart(isPut ? ring : getPeer(creditorTable, creditors));
  air::AccessPattern pattern = access.getPattern();
  air::MessageRing messageRing = {.data = data,
                                  .credits = credits,
                                  .depth = slots,
                                  .lines = lines,
                                  .singleLine = singleLine,
                                  .shared = isPut ? shared : sharedByGetters};
  if (auto put = dyn_cast<air::ChannelPutOp>(access.getOperation())) {
    auto send = air::MessageSendOp::create(b, loc, pattern, messageRing);
    send.setPadBeforeAttr(put.getPadBeforeAttr());
    send.setPadAfterAttr(put.getPadAfterAttr());
    return;
  }
  air::MessageReceiveOp::create(b, loc, pattern, messageRing);
}

/// Moves an asynchronous get to the op that waits for it, but not past another
/// get from the channel, so that puts in between execute first.
LogicalResult Expansion::sinkGet(air::ChannelGetOp get) {
  Block *block = get->getBlock();
  Operation *place = block->getTerminator();
  auto consider = [&](Operation *user) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (inBlock && get->isBeforeInBlock(inBlock) &&
        inBlock->isBeforeInBlock(place))
      place = inBlock;
  };
  for (Operation *user : get.getAsyncToken().getUsers())
    consider(user);
  for (air::ChannelGetOp other : uses.gets)
    if (other && other != get)
      consider(other);
  get->moveBefore(place);
  return success();
}

/// Returns the rings in the kernel of `op`.
FailureOr<Expansion::Rings> Expansion::getRings(Operation *op) {
  Location loc = op->getLoc();
  const int64_t words = int64_t(uses.elements.size()) * ringWords;
  Rings &outer = rings[getOutermostKernel(op)];
  if (!outer.memref) {
    OpBuilder b(getOutermostKernel(op));
    auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
    Value address = LLVM::AddressOfOp::create(b, loc, ringPointer);
    Value pointer = LLVM::LoadOp::create(b, loc, pointerType, address);
    Value size = arith::ConstantIndexOp::create(b, loc, words);
    outer.memref = createMemref(
        b, loc, MemRefType::get({words}, b.getI32Type()), pointer, size);
    if (!shared) {
      FailureOr<Value> bases =
          runtime.getChannelBases(b, loc, pointer,
                                  {.rings = int64_t(uses.elements.size()),
                                   .depth = slots,
                                   .lines = lines});
      if (failed(bases))
        return failure();
      outer.bases = *bases;
    }
  }
  Rings inside = {bringIntoKernel(op, outer.memref), Value()};
  if (outer.bases)
    inside.bases = bringIntoKernel(op, outer.bases);
  return inside;
}

LogicalResult Expansion::expand(air::ChannelAccessInterface access) {
  Operation *op = access;
  auto async = cast<air::AsyncOpInterface>(op);
  if (auto put = dyn_cast<air::ChannelPutOp>(op); put && put.getDest())
    return put.emitOpError("has a 'dest' operand, which is only supported on "
                           "packet channels of NPUs; use an array of channels");
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (!async.getAsyncDependencies().empty())
    air::WaitAllOp::create(b, loc, async.getAsyncDependencies(),
                           /*isAsync=*/false);
  FailureOr<RankContext> context = getRankContext(op, runtime);
  if (failed(context))
    return failure();
  FailureOr<Rings> ring = getRings(op);
  if (failed(ring))
    return failure();

  Value count;
  if (!uses.elementsByCount.empty())
    count = bringIntoKernel(
        op, op->getParentOfType<air::RankOp>().getSizes().front());

  // The destinations: one, or all elements of broadcast dimensions.
  bool isPut = isa<air::ChannelPutOp>(op);
  SmallVector<Value> indices(access.getIndices());
  SmallVector<int64_t> sizes = channel.getSizes();
  SmallVector<int64_t> targets = channel.getTargetSizes();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  OpBuilder::InsertionGuard restore(b);
  for (auto [index, extent, target] :
       llvm::zip_equal(indices, sizes, targets)) {
    if (!isPut || extent == target)
      continue;
    auto loop = scf::ForOp::create(
        b, loc, zero, arith::ConstantIndexOp::create(b, loc, target), one);
    index = loop.getInductionVar();
    b.setInsertionPoint(loop.getBody()->getTerminator());
  }
  Value target = zero;
  for (auto [index, extent] : llvm::zip_equal(indices, targets)) {
    target = b.createOrFold<arith::MulIOp>(
        loc, target, arith::ConstantIndexOp::create(b, loc, extent));
    target = b.createOrFold<arith::AddIOp>(loc, target, index);
  }
  createMessage(b, access, *context, *ring, count, target);
  b.setInsertionPointAfter(op);
  if (Value token = async.getAsyncToken())
    token.replaceAllUsesWith(
        air::WaitAllOp::create(b, loc, ValueRange(), /*isAsync=*/true)
            .getAsyncToken());
  op->erase();
  return success();
}

LogicalResult Expansion::run() {
  if (failed(chooseLayout()))
    return failure();
  createTables();
  if (!uses.elementsByCount.empty()) {
    // Create a string with one character for each number of ranks: 1 if
    // supported.
    std::string supported(kMaxDynamicRanks + 1, '0');
    for (auto &[count, elements] : uses.elementsByCount)
      supported[count] = '1';
    for (Operation *rank : uses.ranks)
      rank->setAttr(air::AIRDialect::SupportedRanksAttrHelper::getNameStr(),
                    StringAttr::get(rank->getContext(), supported));
  }
  for (air::ChannelGetOp get : uses.gets)
    if (get.getAsyncToken() && failed(sinkGet(get)))
      return failure();
  for (air::ChannelAccessInterface access : uses.getAccesses())
    if (failed(expand(access)))
      return failure();
  return success();
}

struct ExpandChannelsPass
    : channels::impl::ExpandChannelsBase<ExpandChannelsPass> {
  using ExpandChannelsBase::ExpandChannelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<std::vector<ChannelUses>> uses =
        findChannelUses(module, peIsLane);
    if (failed(uses))
      return signalPassFailure();
    RuntimeCalls runtime(module);
    for (ChannelUses &channel : *uses)
      if (channel.inKernel && failed(Expansion(module, channel, runtime).run()))
        return signalPassFailure();
  }
};

} // namespace
