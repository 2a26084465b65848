//===- ConstantHash.h - Hash of a constant ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A program contains the hashes of its constants in a file, so that the runtime
// detects a file that is damaged or belongs to another compile. The compiler
// and the runtime must compute the same hash.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_CONSTANTHASH_H
#define AIRCC_RUNTIME_SUPPORT_CONSTANTHASH_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace aircc::rt {

/// Every step is a bijection of the state for a fixed word, and of the word for
/// a fixed state. Therefore, data that differs in one word is certain to have
/// another hash.
constexpr uint64_t mixConstantHash(uint64_t state, uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15;
  return state ^ (state >> 32);
}

/// Four independent states allow memory to be read at about ten bytes per
/// cycle.
inline uint64_t hashConstant(std::string_view bytes) {
  constexpr size_t lanes = 4, blockBytes = lanes * sizeof(uint64_t);
  uint64_t states[lanes] = {1, 2, 3, 4};
  uint64_t words[lanes];
  for (size_t at = 0; at < bytes.size(); at += blockBytes) {
    const size_t count = std::min(blockBytes, bytes.size() - at);
    if (count < blockBytes)
      std::fill(words, words + lanes, 0);
    std::memcpy(words, bytes.data() + at, count);
    for (size_t lane = 0; lane < lanes; ++lane)
      states[lane] = mixConstantHash(states[lane], words[lane]);
  }
  uint64_t hash = bytes.size();
  for (uint64_t state : states)
    hash = mixConstantHash(hash, state);
  return mixConstantHash(hash, 0);
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_CONSTANTHASH_H
