//===- MessageSize.h - Sizes of channel messages ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_MESSAGESIZE_H
#define AIRCC_DIALECTS_AIR_MESSAGESIZE_H

#include "dialects/air/AIRInterfaces.h"

namespace aircc::air {

/// Returns how many elements a put or get transfers, including padding, if
/// known.
std::optional<int64_t> getMessageSize(ChannelAccessInterface access);

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_MESSAGESIZE_H
