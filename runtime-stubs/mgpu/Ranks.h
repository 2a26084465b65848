//===- Ranks.h - Descriptions of the symmetric heap -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_RANKS_H
#define AIRCC_RUNTIME_MGPU_RANKS_H

#include <cstdint>
#include <string>

namespace aircc::rt {

/// Returns a description such as "channel @C (rank 1's buffer, byte 124 of
/// 256)", or "" for an address outside all heaps.
std::string describeSymmetricAddress(uint64_t address);

/// Lists the channels with buffers in the heap, separated by commas.
std::string listSymmetricNames();

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_RANKS_H
