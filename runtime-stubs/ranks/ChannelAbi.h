//===- ChannelAbi.h - Channel layout for compiler and runtime ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Conventions that the compiler and the runtime share for channels between
// ranks: the memory layout of a message ring in the symmetric heap, through
// which kernels send messages (air.message.send describes the protocol), and
// the arguments of transfers that the runtime performs (MgpuTransfer). This
// header contains only constants and constexpr functions, because the runtime
// does not use LLVM and the compiler includes no other header of the runtime's
// ABI.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_CHANNELABI_H
#define AIRCC_RUNTIME_RANKS_CHANNELABI_H

#include <cstdint>

namespace aircc::abi {

//===----------------------------------------------------------------------===//
// Message rings
//===----------------------------------------------------------------------===//

/// A ring consists of lines of 32-bit words. A wave writes a line with one
/// store.
inline constexpr int64_t kWordBytes = 4;
inline constexpr int64_t kLineWords = 32;
inline constexpr int64_t kLineBytes = kLineWords * kWordBytes;
/// A line of a slot contains the payload and, in its last word, the flag.
inline constexpr int64_t kPayloadWords = kLineWords - 1;
inline constexpr int64_t kFlagWord = kPayloadWords;

/// The words of a ring that count messages: puts started and gets started. Each
/// is in its own line. They are followed by one word per slot, which counts how
/// often the slot has been emptied.
inline constexpr int64_t kPutCount = 0;
inline constexpr int64_t kGetCount = kLineWords;
inline constexpr int64_t kCredits = 2 * kLineWords;

/// The maximum size of all rings of one channel in the symmetric heap.
inline constexpr int64_t kMaxRingWords = int64_t(1) << 28;

/// Returns the number of lines for `words` words, with `perLine` words in each
/// line.
constexpr int64_t countLines(int64_t words, int64_t perLine) {
  return (words + perLine - 1) / perLine;
}

/// Returns the number of lines in a slot for a message of `payloadWords` words.
constexpr int64_t getSlotLines(int64_t payloadWords) {
  return countLines(payloadWords, kPayloadWords);
}

/// Returns the word offset of the first of `depth` slots.
constexpr int64_t getFirstSlot(int64_t depth) {
  return kCredits + countLines(depth, kLineWords) * kLineWords;
}

/// Returns the size in words of a ring with `depth` slots of `slotLines` lines.
constexpr int64_t getRingWords(int64_t depth, int64_t slotLines) {
  return getFirstSlot(depth) + depth * slotLines * kLineWords;
}

static_assert(getRingWords(1, 1) == 4 * kLineWords,
              "two counts, a line of credits and one slot");

//===----------------------------------------------------------------------===//
// Transfers by the runtime
//===----------------------------------------------------------------------===//

/// The fields of MgpuTransfer, 8 bytes each, in order.
enum TransferField : int64_t {
  kTransferBase,         ///< Pointer to the first element.
  kTransferElementBytes, ///< Integer.
  kTransferRank,         ///< Integer.
  kTransferSizes,        ///< Pointer to `rank` integers.
  kTransferStrides,      ///< Pointer to `rank` integers.
  kNumTransferFields
};
inline constexpr int64_t kTransferFieldBytes = 8;

/// Maximum length of a channel name in bytes.
inline constexpr int64_t kMaxChannelName = 4000;

} // namespace aircc::abi

#endif // AIRCC_RUNTIME_RANKS_CHANNELABI_H
