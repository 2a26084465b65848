//===- SplitMessages.cpp - Messages of equal size -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A channel is a stream of elements: a put of 1024 elements may be received by
// 16 gets of 64. The put then becomes a loop over 16 puts.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/ChannelPasses.h"
#include "pipeline/hierarchy/channels/ChannelTrace.h"
#include "pipeline/hierarchy/channels/PatternParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;

namespace aircc::hierarchy {

/// Replaces `access` with a loop nest around an access of one part.
static void split(air::ChannelAccessInterface access,
                  const PatternParts &parts) {
  Operation *op = access;
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<Value> coordinates;
  for (int64_t extent : parts.getExtents()) {
    coordinates.push_back({});
    if (extent == 1)
      continue;
    auto loop =
        scf::ForOp::create(b, loc, number(0), number(extent), number(1));
    coordinates.back() = loop.getInductionVar();
    b.setInsertionPoint(loop.getBody()->getTerminator());
  }
  air::AccessPattern part = parts.createPart(b, loc, ValueRange(coordinates));
  FlatSymbolRefAttr name = access.getChanNameAttr();
  if (isa<air::ChannelPutOp>(op))
    air::ChannelPutOp::create(b, loc, ValueRange(), name, access.getIndices(),
                              part);
  else
    air::ChannelGetOp::create(b, loc, ValueRange(), name, access.getIndices(),
                              part);
  op->erase();
}

void splitMessages(air::LaunchOp launch) {
  llvm::MapVector<StringAttr, SmallVector<air::ChannelAccessInterface>> ends;
  launch.walk([&](air::ChannelAccessInterface access) {
    air::ChannelOp channel =
        air::lookupChannel(access, access.getChanNameAttr());
    if (!channel || channel.isNpu())
      ends[access.getChanNameAttr().getAttr()].push_back(access);
  });
  for (auto &[name, accesses] : ends) {
    int64_t common = 0;
    bool isKnown = true, differs = false;
    for (air::ChannelAccessInterface access : accesses) {
      std::optional<int64_t> size = air::getMessageSize(access);
      isKnown &= size && *size > 0;
      if (!isKnown)
        break;
      differs |= common && common != *size;
      common = std::gcd(common, *size);
    }
    if (!isKnown || !differs)
      continue;
    std::vector<std::optional<PatternParts>> parts;
    for (air::ChannelAccessInterface access : accesses) {
      bool isPadded =
          cast<air::TransferInterface>(access.getOperation()).hasPadding();
      parts.push_back(isPadded
                          ? std::nullopt
                          : PatternParts::get(access.getPattern(), common));
    }
    if (!llvm::all_of(parts, [](const auto &part) { return bool(part); }))
      continue;
    for (auto [access, part] : llvm::zip_equal(accesses, parts))
      if (*air::getMessageSize(access) != common)
        split(access, *part);
  }
}

} // namespace aircc::hierarchy
