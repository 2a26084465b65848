//===- GroupOps.cpp - Operations on values of several lanes ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Vectors are processed element by element. A value from a lane that does not
// participate or does not exist is undefined: all its bits are set, so that a
// use of it is noticed.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/isa/Floats.h"
#include "simulator/spirv/Convergence.h"
#include "simulator/spirv/HostFloats.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>

using namespace aircc::sim;
using namespace aircc::sim::spirv;
using spv::Op;

//===----------------------------------------------------------------------===//
// Moving values
//===----------------------------------------------------------------------===//

namespace {

/// Copies an operand of one lane to the result of another.
void copyValue(const Convergence &convergence, const Lane *to, const Lane *from,
               unsigned operand = 0) {
  const uint32_t bytes = convergence.site.result.bytes;
  uint8_t *at = convergence.result(to);
  if (!from) {
    std::memset(at, convergence.site.isBool ? 1 : 0xff, bytes);
    return;
  }
  const uint8_t *value = convergence.operand(from, operand);
  if (bytes == 4) // This is the common case, without a call.
    std::memcpy(at, value, 4);
  else
    std::memcpy(at, value, bytes);
}

/// Makes each lane read the operand of the lane whose index `choose` returns.
template <typename Choose>
void shuffle(const Convergence &convergence, Choose choose) {
  for (Lane *lane : convergence.lanes) {
    if (!lane)
      continue;
    const int64_t from = choose(*lane);
    copyValue(convergence, lane,
              from >= 0 && from < int64_t(convergence.lanes.size())
                  ? convergence.lanes[from]
                  : nullptr);
  }
}

} // namespace

void aircc::sim::spirv::runBarrier(Convergence &) {}

void aircc::sim::spirv::runShuffle(Convergence &convergence) {
  shuffle(convergence,
          [&](const Lane &l) { return convergence.read<uint32_t>(&l, 1); });
}
void aircc::sim::spirv::runShuffleXor(Convergence &convergence) {
  shuffle(convergence, [&](const Lane &l) {
    return int64_t(l.index ^ convergence.read<uint32_t>(&l, 1));
  });
}
void aircc::sim::spirv::runShuffleUp(Convergence &convergence) {
  shuffle(convergence, [&](const Lane &l) {
    return int64_t(l.index) - int64_t(convergence.read<uint32_t>(&l, 1));
  });
}
void aircc::sim::spirv::runShuffleDown(Convergence &convergence) {
  shuffle(convergence, [&](const Lane &l) {
    return int64_t(l.index) + int64_t(convergence.read<uint32_t>(&l, 1));
  });
}

/// Shuffles the concatenation of two operands: (previous, current) by
/// -distance, or (current, next) by +distance.
void aircc::sim::spirv::runShuffleIntel(Convergence &convergence) {
  const int64_t size = convergence.lanes.size();
  const bool isUp = convergence.site.op == Op::OpSubgroupShuffleUpINTEL;
  for (Lane *lane : convergence.lanes) {
    if (!lane)
      continue;
    const int64_t distance = convergence.read<uint32_t>(lane, 2);
    const int64_t place =
        isUp ? size + lane->index - distance : lane->index + distance;
    const bool exists = place >= 0 && place < 2 * size;
    copyValue(convergence, lane,
              exists ? convergence.lanes[place % size] : nullptr,
              place < size ? 0 : 1);
  }
}

void aircc::sim::spirv::runQuad(Convergence &convergence) {
  shuffle(convergence, [&](const Lane &l) {
    const uint32_t n = convergence.read<uint32_t>(&l, 1);
    // The kinds of swaps are horizontal, vertical and diagonal.
    return int64_t(convergence.site.op == Op::OpGroupNonUniformQuadSwap
                       ? l.index ^ (n + 1)
                       : (l.index & ~3u) | (n & 3));
  });
}

/// All lanes must name the same lane, which can be a vector of local ids in a
/// workgroup.
void aircc::sim::spirv::runBroadcast(Convergence &convergence) {
  const Lane *first = convergence.first();
  const uint32_t idBytes = convergence.site.operands[1].bytes;
  auto idOf = [&](const Lane *lane) -> uint64_t {
    if (idBytes <= 8)
      return convergence.read<uint64_t>(lane, 1);
    uint64_t id[3] = {};
    std::memcpy(id, convergence.operand(lane, 1),
                std::min<size_t>(idBytes, 24));
    return (id[2] * lane->ids.groupSize[1] + id[1]) * lane->ids.groupSize[0] +
           id[0];
  };
  const uint64_t from = idOf(first);
  for (const Lane *lane : convergence.lanes)
    if (lane && idOf(lane) != from)
      throw Fault("a broadcast has different source lanes: lane " +
                  std::to_string(from) + " for some lanes and lane " +
                  std::to_string(idOf(lane)) + " for others");
  shuffle(convergence, [&](const Lane &) { return int64_t(from); });
}

void aircc::sim::spirv::runBroadcastFirst(Convergence &convergence) {
  for (Lane *lane : convergence.lanes)
    if (lane)
      copyValue(convergence, lane, convergence.first());
}

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

void aircc::sim::spirv::runElect(Convergence &convergence) {
  for (Lane *lane : convergence.lanes)
    if (lane)
      *convergence.result(lane) = lane == convergence.first();
}

void aircc::sim::spirv::runVote(Convergence &convergence) {
  const Op op = convergence.site.op;
  const bool isAll = op == Op::OpGroupAll || op == Op::OpGroupNonUniformAll ||
                     op == Op::OpSubgroupAllKHR;
  bool result = isAll;
  for (const Lane *lane : convergence.lanes)
    if (lane) {
      const bool vote = *convergence.operand(lane, 0);
      result = isAll ? result && vote : result || vote;
    }
  for (Lane *lane : convergence.lanes)
    if (lane)
      *convergence.result(lane) = result;
}

void aircc::sim::spirv::runAllEqual(Convergence &convergence) {
  const CollectiveSite &site = convergence.site;
  const Lane *first = convergence.first();
  bool same = true;
  for (const Lane *lane : convergence.lanes)
    same &= !lane ||
            !std::memcmp(convergence.operand(lane, 0),
                         convergence.operand(first, 0), site.operands[0].bytes);
  for (Lane *lane : convergence.lanes)
    if (lane)
      *convergence.result(lane) = same;
}

void aircc::sim::spirv::runBallot(Convergence &convergence) {
  uint32_t words[4] = {};
  for (const Lane *lane : convergence.lanes)
    if (lane && *convergence.operand(lane, 0))
      words[lane->index / 32] |= uint32_t(1) << lane->index % 32;
  for (Lane *lane : convergence.lanes)
    if (lane)
      std::memcpy(
          convergence.result(lane), words,
          std::min<size_t>(sizeof(words), convergence.site.result.bytes));
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

namespace {

enum class Combine {
  Add,
  Mul,
  SMin,
  UMin,
  FMin,
  SMax,
  UMax,
  FMax,
  And,
  Or,
  Xor
};

struct CombineRow {
  Op op;
  Combine combine;
};
constexpr CombineRow kCombines[] = {
    {Op::OpGroupIAdd, Combine::Add},
    {Op::OpGroupFAdd, Combine::Add},
    {Op::OpGroupIMulKHR, Combine::Mul},
    {Op::OpGroupFMulKHR, Combine::Mul},
    {Op::OpGroupSMin, Combine::SMin},
    {Op::OpGroupUMin, Combine::UMin},
    {Op::OpGroupFMin, Combine::FMin},
    {Op::OpGroupSMax, Combine::SMax},
    {Op::OpGroupUMax, Combine::UMax},
    {Op::OpGroupFMax, Combine::FMax},
    {Op::OpGroupBitwiseAndKHR, Combine::And},
    {Op::OpGroupBitwiseOrKHR, Combine::Or},
    {Op::OpGroupBitwiseXorKHR, Combine::Xor},
    {Op::OpGroupLogicalAndKHR, Combine::And},
    {Op::OpGroupLogicalOrKHR, Combine::Or},
    {Op::OpGroupLogicalXorKHR, Combine::Xor},
    {Op::OpGroupNonUniformIAdd, Combine::Add},
    {Op::OpGroupNonUniformFAdd, Combine::Add},
    {Op::OpGroupNonUniformIMul, Combine::Mul},
    {Op::OpGroupNonUniformFMul, Combine::Mul},
    {Op::OpGroupNonUniformSMin, Combine::SMin},
    {Op::OpGroupNonUniformUMin, Combine::UMin},
    {Op::OpGroupNonUniformFMin, Combine::FMin},
    {Op::OpGroupNonUniformSMax, Combine::SMax},
    {Op::OpGroupNonUniformUMax, Combine::UMax},
    {Op::OpGroupNonUniformFMax, Combine::FMax},
    {Op::OpGroupNonUniformBitwiseAnd, Combine::And},
    {Op::OpGroupNonUniformBitwiseOr, Combine::Or},
    {Op::OpGroupNonUniformBitwiseXor, Combine::Xor},
    {Op::OpGroupNonUniformLogicalAnd, Combine::And},
    {Op::OpGroupNonUniformLogicalOr, Combine::Or},
    {Op::OpGroupNonUniformLogicalXor, Combine::Xor},
};

int64_t signedOf(uint64_t v, unsigned bits) {
  const unsigned shift = 64 - bits;
  return static_cast<int64_t>(v << shift) >> shift;
}

uint64_t combineIntegers(Combine combine, uint64_t x, uint64_t y,
                         unsigned bits) {
  const int64_t sx = signedOf(x, bits), sy = signedOf(y, bits);
  switch (combine) {
  case Combine::Add:
    return x + y;
  case Combine::Mul:
    return x * y;
  case Combine::SMin:
    return sx < sy ? x : y;
  case Combine::SMax:
    return sx > sy ? x : y;
  case Combine::UMin:
    return std::min(x, y);
  case Combine::UMax:
    return std::max(x, y);
  case Combine::And:
    return x & y;
  case Combine::Or:
    return x | y;
  default:
    return x ^ y;
  }
}

double combineFloats(Combine combine, double x, double y) {
  switch (combine) {
  case Combine::Mul:
    return x * y;
  case Combine::FMin:
    return std::fmin(x, y);
  case Combine::FMax:
    return std::fmax(x, y);
  default:
    return x + y;
  }
}

/// Returns the identity of an operation.
uint64_t identity(Combine combine, unsigned bits) {
  const uint64_t all = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  switch (combine) {
  case Combine::Mul:
    return 1;
  case Combine::SMin:
    return all >> 1;
  case Combine::SMax:
    return (all >> 1) + 1;
  case Combine::UMin:
  case Combine::And:
    return all;
  default:
    return 0;
  }
}

double floatIdentity(Combine combine) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return combine == Combine::Mul    ? 1
         : combine == Combine::FMin ? infinity
         : combine == Combine::FMax ? -infinity
                                    : 0;
}

/// Converts between a format and double. Rounding the sum or product of two
/// numbers with 11 or 24 bits to double and then to their format gives the same
/// result as rounding once.
struct FloatCodec {
  FloatFormat format;
  double read(uint64_t bits) const {
    switch (format) {
    case FloatFormat::Half:
      return floats::halfToFloat(static_cast<uint16_t>(bits));
    case FloatFormat::BFloat:
      return floats::bf16ToFloat(static_cast<uint16_t>(bits));
    case FloatFormat::Single:
      return floats::asFloat(static_cast<uint32_t>(bits));
    default:
      return llvm::bit_cast<double>(bits);
    }
  }
  uint64_t write(double v) const {
    switch (format) {
    case FloatFormat::Half:
      return floats::hostmode::doubleToHalf(v);
    case FloatFormat::BFloat:
      return floats::floatToBf16(floats::hostmode::doubleToFloatOdd(v));
    case FloatFormat::Single:
      return floats::bitsOf(static_cast<float>(v));
    default:
      return llvm::bit_cast<uint64_t>(v);
    }
  }
};

} // namespace

/// Reduces or scans in the order of the lanes, rounding after each operation.
void aircc::sim::spirv::runReduce(Convergence &convergence) {
  const CollectiveSite &site = convergence.site;
  Combine combine = Combine::Add;
  for (const CombineRow &row : kCombines)
    if (row.op == site.op)
      combine = row.combine;
  const unsigned bytes = site.elementBits / 8;
  const FloatCodec codec{site.isBFloat            ? FloatFormat::BFloat
                         : site.elementBits == 16 ? FloatFormat::Half
                         : site.elementBits == 32 ? FloatFormat::Single
                                                  : FloatFormat::Double};
  const uint64_t start = site.isFloat  ? codec.write(floatIdentity(combine))
                         : site.isBool ? identity(combine, 1)
                                       : identity(combine, site.elementBits);
  const size_t cluster =
      site.clusterSize ? site.clusterSize : convergence.lanes.size();
  for (unsigned e = 0; e < site.elements; ++e) {
    auto element = [&](uint8_t *base) { return base + e * bytes; };
    for (size_t begin = 0; begin < convergence.lanes.size(); begin += cluster) {
      llvm::ArrayRef<Lane *> lanes = convergence.lanes.slice(
          begin, std::min(cluster, convergence.lanes.size() - begin));
      uint64_t sum = start;
      bool isFirst = true;
      for (Lane *lane : lanes) {
        if (!lane)
          continue;
        uint64_t v = 0;
        std::memcpy(&v, convergence.operand(lane, 0) + e * bytes, bytes);
        if (site.group == spv::GroupOperation::ExclusiveScan)
          std::memcpy(element(convergence.result(lane)), &sum, bytes);
        // Do not add the identity to the first value, because 0 + -0 is not -0.
        if (isFirst)
          sum = v;
        else if (!site.isFloat)
          sum = combineIntegers(combine, sum, v, site.elementBits);
        else
          sum = codec.write(
              combineFloats(combine, codec.read(sum), codec.read(v)));
        isFirst = false;
        if (site.group == spv::GroupOperation::InclusiveScan)
          std::memcpy(element(convergence.result(lane)), &sum, bytes);
      }
      if (site.group == spv::GroupOperation::Reduce ||
          site.group == spv::GroupOperation::ClusteredReduce)
        for (Lane *lane : lanes)
          if (lane)
            std::memcpy(element(convergence.result(lane)), &sum, bytes);
    }
  }
}
