//===- ChannelAbi.h - Channels as compiler and runtime see them -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler's code and the runtime must agree on for channels between
// ranks: the memory of a message ring in the symmetric heap, through which
// kernels send messages (air.message.send describes the protocol), and the
// arguments of transfers that the runtime makes (MgpuTransfer). Constants and
// constexpr functions only: the runtime has no LLVM, and the compiler includes
// no other header of the runtime's ABI.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_CHANNELABI_H
#define AIRCC_RUNTIME_RANKS_CHANNELABI_H

#include <cstdint>

namespace aircc::abi {

//===----------------------------------------------------------------------===//
// Message rings
//===----------------------------------------------------------------------===//

/// A ring is made of lines of 32-bit words. A wave writes a line by one store.
inline constexpr int64_t kWordBytes = 4;
inline constexpr int64_t kLineWords = 32;
inline constexpr int64_t kLineBytes = kLineWords * kWordBytes;
/// A line of a slot holds payload, then the flag in its last word.
inline constexpr int64_t kPayloadWords = kLineWords - 1;
inline constexpr int64_t kFlagWord = kPayloadWords;

/// The words of a ring that count messages, each in a line of its own: puts
/// begun, gets begun. Then, one word a slot, how often it has been emptied.
inline constexpr int64_t kPutCount = 0;
inline constexpr int64_t kGetCount = kLineWords;
inline constexpr int64_t kCredits = 2 * kLineWords;

/// Rings of one channel may take so many words of the symmetric heap.
inline constexpr int64_t kMaxRingWords = int64_t(1) << 28;

/// Lines that `words` words need, `perLine` in each.
constexpr int64_t countLines(int64_t words, int64_t perLine) {
  return (words + perLine - 1) / perLine;
}

/// Lines of a slot for a message of `payloadWords` words.
constexpr int64_t getSlotLines(int64_t payloadWords) {
  return countLines(payloadWords, kPayloadWords);
}

/// The word at which the first of `depth` slots begins.
constexpr int64_t getFirstSlot(int64_t depth) {
  return kCredits + countLines(depth, kLineWords) * kLineWords;
}

/// The words of a ring of `depth` slots of `slotLines` lines.
constexpr int64_t getRingWords(int64_t depth, int64_t slotLines) {
  return getFirstSlot(depth) + depth * slotLines * kLineWords;
}

static_assert(getRingWords(1, 1) == 4 * kLineWords,
              "two counts, a line of credits and one slot");

//===----------------------------------------------------------------------===//
// Transfers by the runtime
//===----------------------------------------------------------------------===//

/// The fields of MgpuTransfer, each of 8 bytes, in order.
enum TransferField : int64_t {
  kTransferBase,         ///< Pointer to the first element.
  kTransferElementBytes, ///< Integer.
  kTransferRank,         ///< Integer.
  kTransferSizes,        ///< Pointer to `rank` integers.
  kTransferStrides,      ///< Pointer to `rank` integers.
  kNumTransferFields
};
inline constexpr int64_t kTransferFieldBytes = 8;

/// Bytes that the name of a channel may have.
inline constexpr int64_t kMaxChannelName = 4000;

} // namespace aircc::abi

#endif // AIRCC_RUNTIME_RANKS_CHANNELABI_H
