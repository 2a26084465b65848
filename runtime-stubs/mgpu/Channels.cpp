//===- Channels.cpp - Channels between ranks (C ABI) ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/Channels.h"
#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/ranks/ChannelAbi.h"
#include "runtime-stubs/ranks/StridedCopy.h"

#include <cstddef>
#include <cstring>

using namespace aircc::rt;
using namespace aircc;

// The compiler builds MgpuTransfer from these field numbers.
template <typename T>
static constexpr bool isField(size_t offset, abi::TransferField field) {
  return sizeof(T) == abi::kTransferFieldBytes &&
         offset == size_t(field * abi::kTransferFieldBytes);
}
static_assert(isField<void *>(offsetof(MgpuTransfer, base),
                              abi::kTransferBase));
static_assert(isField<int64_t>(offsetof(MgpuTransfer, elementBytes),
                               abi::kTransferElementBytes));
static_assert(isField<int64_t>(offsetof(MgpuTransfer, rank),
                               abi::kTransferRank));
static_assert(isField<const int64_t *>(offsetof(MgpuTransfer, sizes),
                                       abi::kTransferSizes));
static_assert(isField<const int64_t *>(offsetof(MgpuTransfer, strides),
                                       abi::kTransferStrides));
static_assert(sizeof(MgpuTransfer) ==
              abi::kNumTransferFields * abi::kTransferFieldBytes);

void mgpuMemcpyStrided(const MgpuTransfer *dst, const MgpuTransfer *src,
                       void *stream) {
  onDevice(
      __func__,
      [&](Device &d) {
        Layout to, from;
        if (Status s = Layout::make(dst, to); !s.ok())
          return Status::failure("the destination: " + s.message());
        if (Status s = Layout::make(src, from); !s.ok())
          return Status::failure("the source: " + s.message());
        return copyStrided(d, to, from, stream);
      },
      arg("dst", dst), arg("src", src), arg("stream", stream));
}

/// Returns the channels of this process, created by the first call and never
/// deleted.
static Channels &channels(const Call &call) {
  static Channels *made = new Channels(Job::get(call));
  return *made;
}

/// Performs the checks that put and get have in common.
static Layout checkTransfer(const Call &call, const char *channel,
                            int64_t depth, const MgpuTransfer *transfer) {
  if (!channel || !*channel)
    fail(call.entry, call.arguments, "the channel has no name");
  if (std::strlen(channel) > size_t(abi::kMaxChannelName))
    fail(call.entry, call.arguments,
         "the channel name is longer than " +
             std::to_string(abi::kMaxChannelName) + " bytes");
  if (depth < 1)
    fail(call.entry, call.arguments,
         "a channel must hold at least one message, but its depth is " +
             std::to_string(depth));
  Layout layout;
  if (Status s = Layout::make(transfer, layout); !s.ok())
    fail(call.entry, call.arguments, s.message());
  return layout;
}

static Call describePut(const char *entry, const char *channel, int64_t index,
                        int64_t depth, const MgpuTransfer *src, void *stream) {
  return {entry, formatArguments(arg("channel", channel), arg("index", index),
                                 arg("depth", depth), arg("src", src),
                                 arg("stream", stream))};
}
static Call describeGet(const char *entry, const char *channel, int64_t index,
                        const MgpuTransfer *dst, void *stream) {
  return {entry, formatArguments(arg("channel", channel), arg("index", index),
                                 arg("dst", dst), arg("stream", stream))};
}

static Channels::Transfer *startPut(const Call &call, const char *channel,
                                    int64_t index, int64_t depth,
                                    const MgpuTransfer *src, void *stream) {
  Layout layout = checkTransfer(call, channel, depth, src);
  return channels(call).startPut(call, device(call.entry, call.arguments),
                                 channel, index, depth, std::move(layout),
                                 stream);
}
static Channels::Transfer *startGet(const Call &call, const char *channel,
                                    int64_t index, const MgpuTransfer *dst,
                                    void *stream) {
  Layout layout = checkTransfer(call, channel, /*depth=*/1, dst);
  return channels(call).startGet(call, device(call.entry, call.arguments),
                                 channel, index, std::move(layout), stream);
}

void *mgpuChannelPutStart(const char *channel, int64_t index, int64_t depth,
                          const MgpuTransfer *src, void *stream) {
  return startPut(describePut(__func__, channel, index, depth, src, stream),
                  channel, index, depth, src, stream);
}

void *mgpuChannelGetStart(const char *channel, int64_t index,
                          const MgpuTransfer *dst, void *stream) {
  return startGet(describeGet(__func__, channel, index, dst, stream), channel,
                  index, dst, stream);
}

void mgpuChannelWait(void *transfer) {
  Call call{__func__, formatArguments(arg("transfer", transfer))};
  if (!transfer)
    fail(call.entry, call.arguments, "there is no transfer");
  channels(call).wait(call, device(call.entry, call.arguments),
                      static_cast<Channels::Transfer *>(transfer));
}

void mgpuChannelPut(const char *channel, int64_t index, int64_t depth,
                    const MgpuTransfer *src, void *stream) {
  Call call = describePut(__func__, channel, index, depth, src, stream);
  channels(call).wait(call, device(call.entry, call.arguments),
                      startPut(call, channel, index, depth, src, stream));
}

void mgpuChannelGet(const char *channel, int64_t index, const MgpuTransfer *dst,
                    void *stream) {
  Call call = describeGet(__func__, channel, index, dst, stream);
  channels(call).wait(call, device(call.entry, call.arguments),
                      startGet(call, channel, index, dst, stream));
}
