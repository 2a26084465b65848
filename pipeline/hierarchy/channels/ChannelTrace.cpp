//===- ChannelTrace.cpp - Executions of puts and gets in a launch ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/ChannelTrace.h"
#include "pipeline/analysis/ConstantEvaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

/// The maximum number of iterations and points of a launch that are traced.
static constexpr int64_t kMaxSteps = 1 << 18;
/// The number of traces, each of which assumes different values for what is
/// unknown at compile time.
static constexpr int64_t kNumAssumptions = 2;

SmallVector<air::ChannelAccessInterface> ChannelEnds::getAccesses() const {
  SmallVector<air::ChannelAccessInterface> accesses;
  for (air::ChannelPutOp put : puts)
    accesses.push_back(cast<air::ChannelAccessInterface>(put.getOperation()));
  for (air::ChannelGetOp get : gets)
    accesses.push_back(cast<air::ChannelAccessInterface>(get.getOperation()));
  return accesses;
}

SmallVector<Value> getVariables(Operation *op) {
  SmallVector<SmallVector<Value>> groups;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto level = dyn_cast<air::HierarchyInterface>(parent))
      groups.push_back(llvm::to_vector_of<Value>(level.getIds()));
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
      if (std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars())
        groups.push_back(*ivs);
    if (isa<air::LaunchOp>(parent))
      break;
  }
  SmallVector<Value> variables;
  for (const SmallVector<Value> &group : llvm::reverse(groups))
    variables.append(group);
  return variables;
}

/// Executes the code of one launch.
class LaunchTracer {
public:
  LaunchTracer(air::LaunchOp launch, LaunchTrace &trace, int64_t assumption)
      : launch(launch), trace(trace), assumption(assumption) {}

  LogicalResult run();
  /// Returns whether the trace depends on an assumption.
  bool isAssumed() const { return assumed; }

private:
  /// One dimension of a space or loop nest.
  struct Range {
    Value variable;
    int64_t begin = 0, end = 0, step = 1;
  };

  LogicalResult walk(Block &block);
  LogicalResult visit(Operation *op);
  LogicalResult visitAccess(air::ChannelAccessInterface access);
  LogicalResult visitLevel(air::HierarchyInterface level);
  LogicalResult visitLoop(LoopLikeOpInterface loop);
  LogicalResult visitAffineLoop(affine::AffineForOp loop);
  LogicalResult visitBranch(Operation *op);
  LogicalResult visitRanges(Operation *op, ArrayRef<Range> ranges, Block &body,
                            bool isSpace);
  std::optional<bool> evaluate(affine::AffineIfOp branch);
  std::optional<int64_t> evaluate(AffineMap map, ValueRange operands,
                                  bool isLower);
  /// Returns the assumed trip count of a loop whose end is unknown, which is
  /// the same for loops with the same end.
  int64_t assumeTripCount(OpFoldResult end);
  std::string describe(Value value);

  air::LaunchOp launch;
  LaunchTrace &trace;
  const int64_t assumption;
  bool assumed = false;
  ConstantEvaluator known;
  SmallPtrSet<Operation *, 16> interesting;
  std::map<std::string, int64_t> tripCounts;
  int64_t process = 0, numProcesses = 1, steps = 0;
};

LogicalResult LaunchTracer::run() {
  launch.walk([&](air::ChannelAccessInterface access) {
    if (!trace.channels.contains(access.getChanNameAttr().getAttr()))
      return;
    for (Operation *op = access; op != launch; op = op->getParentOp())
      interesting.insert(op);
  });
  for (auto [dim, id, size] :
       llvm::enumerate(launch.getIds(), launch.getStaticSizes())) {
    bool isOne = size == 1;
    assumed |= !isOne;
    int64_t value = assumption == 0 ? 0 : int64_t(dim) + 1;
    if (!ShapedType::isDynamic(size))
      value = std::min(value, std::max<int64_t>(size - 1, 0));
    known.set(id, value);
  }
  trace.events.emplace_back();
  return walk(*launch.getBodyBlock());
}

LogicalResult LaunchTracer::walk(Block &block) {
  for (Operation &op : block)
    if (interesting.contains(&op) && failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult LaunchTracer::visitAccess(air::ChannelAccessInterface access) {
  ChannelEvent event;
  event.access = access;
  event.process = process;
  for (Value index : access.getIndices()) {
    std::optional<int64_t> number = known.evaluate(index);
    if (!number)
      return access->emitOpError(
          "has indices that are unknown at compile time; compute them from "
          "constants, ids of enclosing AIR ops, and induction variables of "
          "loops with constant bounds");
    event.indices.push_back(*number);
  }
  for (Value variable : getVariables(access))
    event.variables.push_back(*known.evaluate(variable));
  event.indices.resize(
      trace.channels[access.getChanNameAttr().getAttr()].numDims, 0);
  event.assumption = assumption;
  trace.events.back().push_back(std::move(event));
  return success();
}

LogicalResult LaunchTracer::visitRanges(Operation *op, ArrayRef<Range> ranges,
                                        Block &body, bool isSpace) {
  int64_t count = 1;
  SmallVector<int64_t> extents;
  for (const Range &range : ranges) {
    extents.push_back(std::max<int64_t>(
        0, llvm::divideCeilSigned(range.end - range.begin, range.step)));
    if (llvm::MulOverflow(count, extents.back(), count))
      count = kMaxSteps + 1;
  }
  if (count == 0)
    return success();
  steps += std::min(count, kMaxSteps + 1);
  if (steps > kMaxSteps)
    return op->emitOpError("repeats channel operations for more than ")
           << kMaxSteps
           << " iterations per workgroup, the most that the compiler can "
              "trace; transfer larger tiles";
  int64_t outer = process;
  for (int64_t point = 0; point < count; ++point) {
    int64_t rest = point;
    for (int64_t dim = ranges.size(); dim-- > 0;) {
      const Range &range = ranges[dim];
      known.set(range.variable, range.begin + rest % extents[dim] * range.step);
      rest /= extents[dim];
    }
    if (isSpace)
      process = numProcesses++;
    if (failed(walk(body)))
      return failure();
  }
  process = outer;
  for (const Range &range : ranges)
    known.erase(range.variable);
  return success();
}

std::string LaunchTracer::describe(Value value) {
  while (auto arg = dyn_cast<BlockArgument>(value)) {
    auto level =
        dyn_cast<air::HierarchyInterface>(arg.getOwner()->getParentOp());
    unsigned dims = level ? level.getNumDims() : 0;
    if (!level || arg.getArgNumber() < dims)
      break;
    value = arg.getArgNumber() < 2 * dims
                ? level.getSizeOperands()[arg.getArgNumber() - dims]
                : level.getTiedKernelOperand(arg);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  Operation *def = value.getDefiningOp();
  if (!def || def->getNumRegions() || !isMemoryEffectFree(def)) {
    os << value.getAsOpaquePointer();
    return text;
  }
  os << def->getName() << '#' << cast<OpResult>(value).getResultNumber()
     << def->getAttrDictionary() << '(';
  for (Value operand : def->getOperands())
    os << describe(operand) << ',';
  os << ')';
  return text;
}

int64_t LaunchTracer::assumeTripCount(OpFoldResult end) {
  assumed = trace.hasAssumedTripCounts = true;
  auto [it, isNew] =
      tripCounts.try_emplace(describe(cast<Value>(end)), tripCounts.size());
  return assumption == 0 ? 2 + it->second % 3 : 4 - it->second % 2;
}

LogicalResult LaunchTracer::visitLoop(LoopLikeOpInterface loop) {
  auto ivs = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds();
  auto upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!ivs || !lower || !upper || !steps)
    return loop.emitOpError(
        "contains channel operations, but its number of iterations is unknown; "
        "use scf.for, affine.for, scf.parallel or scf.forall");
  SmallVector<Range> ranges;
  auto evaluate = [&](OpFoldResult value) -> std::optional<int64_t> {
    if (std::optional<int64_t> number = getConstantIntValue(value))
      return number;
    return known.evaluate(cast<Value>(value));
  };
  for (auto [iv, low, high, by] :
       llvm::zip_equal(*ivs, *lower, *upper, *steps)) {
    std::optional<int64_t> begin = evaluate(low), end = evaluate(high),
                           step = evaluate(by);
    if (!begin || !step || *step <= 0)
      return loop.emitOpError(
          "contains channel operations, but its lower bound or step is unknown "
          "at compile time; compute both from constants, ids of enclosing AIR "
          "ops, and induction variables");
    if (!end)
      end = *begin + *step * assumeTripCount(high);
    ranges.push_back({iv, *begin, *end, *step});
  }
  return visitRanges(loop, ranges, loop->getRegion(0).front(),
                     /*isSpace=*/false);
}

std::optional<int64_t>
LaunchTracer::evaluate(AffineMap map, ValueRange operands, bool isLower) {
  SmallVector<Attribute> constants;
  for (Value operand : operands) {
    std::optional<int64_t> number = known.evaluate(operand);
    if (!number)
      return std::nullopt;
    constants.push_back(
        IntegerAttr::get(IndexType::get(map.getContext()), *number));
  }
  SmallVector<Attribute> results;
  if (failed(map.constantFold(constants, results)))
    return std::nullopt;
  std::optional<int64_t> bound;
  for (Attribute result : results) {
    int64_t value = cast<IntegerAttr>(result).getInt();
    bound = !bound    ? value
            : isLower ? std::max(*bound, value)
                      : std::min(*bound, value);
  }
  return bound;
}

LogicalResult LaunchTracer::visitAffineLoop(affine::AffineForOp loop) {
  std::optional<int64_t> begin =
      evaluate(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), true);
  std::optional<int64_t> end =
      evaluate(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), false);
  if (!begin || !end)
    return loop.emitOpError(
        "contains channel operations, but its bounds are unknown at compile "
        "time; compute them from constants, ids of enclosing AIR ops, and "
        "induction variables");
  return visitRanges(
      loop, {{loop.getInductionVar(), *begin, *end, loop.getStepAsInt()}},
      *loop.getBody(), /*isSpace=*/false);
}

std::optional<bool> LaunchTracer::evaluate(affine::AffineIfOp branch) {
  IntegerSet set = branch.getIntegerSet();
  SmallVector<AffineExpr> constants;
  for (Value operand : branch.getOperands()) {
    std::optional<int64_t> number = known.evaluate(operand);
    if (!number)
      return std::nullopt;
    constants.push_back(getAffineConstantExpr(*number, set.getContext()));
  }
  ArrayRef<AffineExpr> all(constants);
  for (auto [i, constraint] : llvm::enumerate(set.getConstraints())) {
    auto value = dyn_cast<AffineConstantExpr>(constraint.replaceDimsAndSymbols(
        all.take_front(set.getNumDims()), all.drop_front(set.getNumDims())));
    if (!value)
      return std::nullopt;
    if (set.isEq(i) ? value.getValue() != 0 : value.getValue() < 0)
      return false;
  }
  return true;
}

LogicalResult LaunchTracer::visitBranch(Operation *op) {
  auto emitUnknown = [&] {
    return op->emitOpError(
        "contains channel operations, but its condition is unknown at compile "
        "time; compute it from constants, ids of enclosing AIR ops, and "
        "induction variables of loops with constant bounds");
  };
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    std::optional<int64_t> number = known.evaluate(choice.getArg());
    if (!number)
      return emitUnknown();
    auto found = llvm::find(choice.getCases(), *number);
    return walk(found == choice.getCases().end()
                    ? choice.getDefaultBlock()
                    : choice.getCaseBlock(found - choice.getCases().begin()));
  }
  std::optional<bool> condition;
  if (auto branch = dyn_cast<affine::AffineIfOp>(op))
    condition = evaluate(branch);
  else if (std::optional<int64_t> number =
               known.evaluate(cast<scf::IfOp>(op).getCondition()))
    condition = *number != 0;
  if (!condition)
    return emitUnknown();
  Region &region = op->getRegion(*condition ? 0 : 1);
  return region.empty() ? success() : walk(region.front());
}

LogicalResult LaunchTracer::visitLevel(air::HierarchyInterface level) {
  SmallVector<Range> ranges;
  for (auto [id, size] : llvm::zip_equal(level.getIds(), level.getSizes())) {
    std::optional<int64_t> extent = known.evaluate(size);
    if (!extent)
      return level->emitOpError(
          "uses channels, but has a size that is unknown at compile time");
    ranges.push_back({id, 0, *extent, 1});
  }
  return visitRanges(level, ranges, *level.getBodyBlock(), /*isSpace=*/true);
}

LogicalResult LaunchTracer::visit(Operation *op) {
  if (auto access = dyn_cast<air::ChannelAccessInterface>(op))
    return visitAccess(access);
  if (auto level = dyn_cast<air::HierarchyInterface>(op))
    return visitLevel(level);
  if (isa<scf::IfOp, affine::AffineIfOp, scf::IndexSwitchOp>(op))
    return visitBranch(op);
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return visitAffineLoop(loop);
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
      region && region.getRegion().hasOneBlock())
    return walk(region.getRegion().front());
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return visitLoop(loop);
  return op->emitOpError("cannot contain channel operations; use loops and "
                         "branches of the scf or affine dialect");
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Returns the destinations that an event reaches.
static SmallVector<std::vector<int64_t>> getTargets(air::ChannelOp channel,
                                                    const ChannelEvent &event) {
  SmallVector<std::vector<int64_t>> targets{
      std::vector<int64_t>(event.indices.begin(), event.indices.end())};
  if (!channel || !isa<air::ChannelPutOp>(event.access.getOperation()))
    return targets;
  for (auto [dim, size, extent] :
       llvm::enumerate(channel.getSizes(), channel.getTargetSizes())) {
    if (size == extent)
      continue;
    SmallVector<std::vector<int64_t>> next;
    for (std::vector<int64_t> &target : targets)
      for (target[dim] = 0; target[dim] < extent; ++target[dim])
        next.push_back(target);
    targets = std::move(next);
  }
  return targets;
}

static std::string printIndices(ArrayRef<int64_t> indices) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(indices, os);
  os << ']';
  return text;
}

LogicalResult LaunchTrace::addEvent(const ChannelEvent &event) {
  Operation *op = event.access;
  ChannelEnds &ends = channels[event.access.getChanNameAttr().getAttr()];
  bool isPut = isa<air::ChannelPutOp>(op);
  if (ends.channel) {
    SmallVector<int64_t> sizes =
        isPut ? ends.channel.getSizes() : ends.channel.getTargetSizes();
    for (auto [index, size] : llvm::zip_equal(event.indices, sizes))
      if (index < 0 || index >= size) {
        InFlightDiagnostic diag = op->emitOpError("has the indices ")
                                  << printIndices(event.indices)
                                  << ", which are out of bounds for channel @"
                                  << ends.channel.getSymName() << " "
                                  << printIndices(sizes);
        diag.attachNote(ends.channel.getLoc())
            << "the channel is declared here";
        return diag;
      }
  }
  for (std::vector<int64_t> &target : getTargets(ends.channel, event)) {
    target.insert(target.begin(), event.assumption);
    ChannelStream &stream = ends.streams[target];
    (isPut ? stream.puts : stream.gets).push_back(&event);
  }
  return success();
}

/// Returns the number of elements of all messages; nullopt if it is unknown.
static std::optional<int64_t>
countElements(ArrayRef<const ChannelEvent *> events) {
  int64_t total = 0;
  for (const ChannelEvent *event : events) {
    std::optional<int64_t> size = air::getMessageSize(event->access);
    if (!size)
      return std::nullopt;
    total += *size;
  }
  return total;
}

/// Verifies that as many elements are put as are received.
static LogicalResult checkBalance(StringAttr name, const ChannelEnds &ends,
                                  ArrayRef<int64_t> target,
                                  const ChannelStream &stream) {
  std::optional<int64_t> put = countElements(stream.puts);
  std::optional<int64_t> got = countElements(stream.gets);
  const char *unit = "elements";
  if (!put || !got) {
    // Messages of unknown size match one to one.
    unit = "messages";
    put = stream.puts.size();
    got = stream.gets.size();
  }
  if (*put == *got)
    return success();
  const ChannelEvent *event = (*put > *got ? stream.puts : stream.gets).front();
  InFlightDiagnostic diag = event->access->emitOpError("is not balanced: ");
  diag << *put << " " << unit << " are put into @" << name.getValue()
       << printIndices(target) << " in a launch, but " << *got
       << " are received from it";
  air::ChannelPutOp firstPut = ends.puts.front();
  if (ends.isBroadcast && *put > *got)
    diag.attachNote(firstPut.getLoc())
        << "each destination of a broadcast receives everything that is put; "
           "to divide it among them, as the headers of packets do on an NPU, "
           "use an array of channels";
  const auto &others = *put > *got ? stream.gets : stream.puts;
  if (!others.empty())
    diag.attachNote(others.front()->access.getLoc()) << "the other end is here";
  return diag;
}

void LaunchTrace::splitStreams(ChannelEnds &ends) {
  std::map<std::vector<int64_t>, ChannelStream> result;
  for (auto &[target, stream] : ends.streams) {
    std::map<int64_t, ChannelStream> byGetter;
    for (const ChannelEvent *get : stream.gets)
      byGetter[get->process].gets.push_back(get);
    bool isShared =
        byGetter.size() > 1 && llvm::all_of(byGetter, [&](const auto &entry) {
          return countElements(entry.second.gets) ==
                     countElements(stream.puts) &&
                 (countElements(stream.puts) ||
                  entry.second.gets.size() == stream.puts.size());
        });
    ends.isBroadcast |= isShared;
    if (!isShared) {
      std::vector<int64_t> key(target);
      key.push_back(-1);
      result[key] = std::move(stream);
      continue;
    }
    for (auto &[process, part] : byGetter) {
      part.puts = stream.puts;
      std::vector<int64_t> key(target);
      key.push_back(process);
      result[key] = std::move(part);
    }
  }
  ends.streams = std::move(result);
}

LogicalResult LaunchTrace::addStreams() {
  for (const std::deque<ChannelEvent> &list : events)
    for (const ChannelEvent &event : list)
      if (failed(addEvent(event)))
        return failure();
  for (auto &[name, ends] : channels) {
    ends.isBroadcast = ends.channel && ends.channel.isBroadcast();
    splitStreams(ends);
    for (auto &[target, stream] : ends.streams)
      if (failed(checkBalance(
              name, ends, ArrayRef(target).drop_front().drop_back(), stream)))
        return failure();
  }
  return success();
}

FailureOr<LaunchTrace> LaunchTrace::create(air::LaunchOp launch) {
  LaunchTrace trace;
  WalkResult result = launch.walk([&](air::ChannelAccessInterface access) {
    Operation *op = access;
    air::ChannelOp channel = air::lookupChannel(op, access.getChanNameAttr());
    if (channel && !channel.isNpu())
      return WalkResult::advance();
    ChannelEnds &ends = trace.channels[access.getChanNameAttr().getAttr()];
    ends.channel = channel;
    if (auto put = dyn_cast<air::ChannelPutOp>(op))
      ends.puts.push_back(put);
    else
      ends.gets.push_back(cast<air::ChannelGetOp>(op));
    ends.numDims =
        channel ? channel.getSizes().size()
                : std::max<size_t>(ends.numDims, access.getIndices().size());
    if (access.getIndices().size() <= ends.numDims)
      return WalkResult::advance();
    op->emitOpError("has ")
        << access.getIndices().size() << " indices for "
        << access.getChanNameAttr() << " of " << ends.numDims << " dimensions";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  for (int64_t assumption = 0; assumption < kNumAssumptions; ++assumption) {
    LaunchTracer tracer(launch, trace, assumption);
    if (failed(tracer.run()))
      return failure();
    if (!tracer.isAssumed())
      break;
  }
  if (failed(trace.addStreams()))
    return failure();
  return std::move(trace);
}

} // namespace aircc::hierarchy
