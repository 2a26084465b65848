//===- Memory.cpp - Memory (C ABI) ----------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/mgpu/AsyncCall.h"
#include "runtime-stubs/mgpu/Call.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/mgpu/Signature.h"
#include "runtime-stubs/ranks/PeerMemory.h"

#include <type_traits>

using namespace aircc::rt;

void *mgpuMemAlloc(uint64_t bytes, void *stream, bool hostShared) {
  if (bytes == 0)
    return nullptr;
  void *ptr = nullptr;
  AsyncCall *async = AsyncCall::current();
  onDevice(
      __func__,
      [&](Device &d) {
        return async ? async->allocate(d, bytes, ptr)
                     : d.allocate(bytes, stream, hostShared, ptr);
      },
      arg("bytes", bytes), arg("stream", stream),
      arg("hostShared", hostShared));
  if (Call *call = Call::current(); call && !async)
    call->addMemory(ptr);
  return ptr;
}

void mgpuMemFree(void *ptr, void *stream) {
  if (!ptr)
    return;
  if (AsyncCall *async = AsyncCall::current())
    return async->release(ptr);
  if (Call *call = Call::current())
    call->removeMemory(ptr);
  releaseOnDevice(
      __func__, [&](Device &d) { return d.free(ptr, stream); }, arg("ptr", ptr),
      arg("stream", stream));
}

void mgpuMemcpy(void *dst, void *src, size_t bytes, void *stream) {
  if (bytes == 0)
    return;
  stream = AsyncCall::redirect(stream);
  onDevice(
      __func__,
      [&](Device &d) {
        return copyMemory(
            d, {{static_cast<char *>(dst), static_cast<char *>(src), bytes}},
            stream);
      },
      arg("dst", dst), arg("src", src), arg("bytes", bytes),
      arg("stream", stream));
}

/// Writes `count` copies of an unsigned `value`.
template <typename T>
static void fill(const char *entry, void *dst, T value, size_t count,
                 void *stream) {
  if (count == 0)
    return;
  stream = AsyncCall::redirect(stream);
  onDevice(
      entry,
      [&](Device &d) {
        return fillMemory(d, static_cast<char *>(dst), value, sizeof(T), count,
                          stream);
      },
      arg("dst", dst), arg("value", static_cast<std::make_signed_t<T>>(value)),
      arg("count", count), arg("stream", stream));
}

void mgpuMemset16(void *dst, int16_t value, size_t count, void *stream) {
  fill(__func__, dst, static_cast<uint16_t>(value), count, stream);
}

void mgpuMemset32(void *dst, int32_t value, size_t count, void *stream) {
  fill(__func__, dst, static_cast<uint32_t>(value), count, stream);
}

void mgpuMemHostRegister(void *ptr, uint64_t bytes) {
  onDevice(
      __func__, [&](Device &d) { return d.registerHost(ptr, bytes); },
      arg("ptr", ptr), arg("bytes", bytes));
}

void mgpuMemHostUnregister(void *ptr) {
  releaseOnDevice(
      __func__, [&](Device &d) { return d.unregisterHost(ptr); },
      arg("ptr", ptr));
}

/// Returns the number of bytes that the elements of the memref cover. Fails if
/// they are not contiguous in row-major order, because other memory would then
/// be registered too.
static Status contiguousBytes(const Descriptor &memref, int64_t rank,
                              int64_t elementBytes, uint64_t &bytes) {
  int64_t elements = 1;
  for (int64_t i = rank - 1; i >= 0; --i) {
    int64_t size = memref.sizes()[i], stride = memref.strides(rank)[i];
    if (size != 1 && stride != elements)
      return Status::failure("the memref is not contiguous: dimension " +
                             std::to_string(i) + " has stride " +
                             std::to_string(stride) + " instead of " +
                             std::to_string(elements));
    elements *= size;
  }
  bytes = static_cast<uint64_t>(elements * elementBytes);
  return Status::success();
}

void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementBytes) {
  auto registerMemRef = [&](Device &d) {
    const auto &memref = *static_cast<const Descriptor *>(descriptor);
    uint64_t bytes = 0;
    if (Status s = contiguousBytes(memref, rank, elementBytes, bytes); !s.ok())
      return s;
    if (bytes == 0)
      return Status::success();
    return d.registerHost(memref.data(elementBytes), bytes);
  };
  onDevice(__func__, registerMemRef, arg("rank", rank),
           arg("descriptor", descriptor), arg("elementBytes", elementBytes));
}

void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementBytes) {
  releaseOnDevice(
      __func__,
      [&](Device &d) {
        const auto &memref = *static_cast<const Descriptor *>(descriptor);
        for (int64_t i = 0; i < rank; ++i)
          if (memref.sizes()[i] == 0)
            return Status::success();
        return d.unregisterHost(memref.data(elementBytes));
      },
      arg("rank", rank), arg("descriptor", descriptor),
      arg("elementBytes", elementBytes));
}

static MgpuMemRef1d getDeviceMemRef(const char *entry, void *aligned,
                                    int64_t offset, int64_t size,
                                    int64_t stride) {
  void *devicePtr = nullptr;
  onDevice(
      entry, [&](Device &d) { return d.getDevicePointer(aligned, devicePtr); },
      arg("aligned", aligned), arg("offset", offset), arg("size", size),
      arg("stride", stride));
  return {devicePtr, devicePtr, offset, size, stride};
}

MgpuMemRef1d mgpuMemGetDeviceMemRef1dFloat(float *, float *aligned,
                                           int64_t offset, int64_t size,
                                           int64_t stride) {
  return getDeviceMemRef(__func__, aligned, offset, size, stride);
}

MgpuMemRef1d mgpuMemGetDeviceMemRef1dInt32(int32_t *, int32_t *aligned,
                                           int64_t offset, int64_t size,
                                           int64_t stride) {
  return getDeviceMemRef(__func__, aligned, offset, size, stride);
}
