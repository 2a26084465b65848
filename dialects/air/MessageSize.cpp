//===- MessageSize.cpp - Sizes of channel messages ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/MessageSize.h"

using namespace mlir;
using namespace aircc::air;

std::optional<int64_t>
aircc::air::getMessageSize(ChannelAccessInterface access) {
  AccessPattern pattern = access.getPattern();
  auto transfer = cast<TransferInterface>(access.getOperation());
  if (!transfer.hasPadding())
    return pattern.getNumElements();
  std::optional<SmallVector<int64_t>> sizes = pattern.getStaticSizes();
  if (!sizes || ShapedType::isDynamicShape(*sizes))
    return std::nullopt;
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(*sizes)) {
    for (std::optional<ArrayRef<int32_t>> widths :
         {transfer.getPadBefore(), transfer.getPadAfter()})
      if (widths && dim < widths->size())
        size += (*widths)[dim];
    count *= size;
  }
  return count;
}
