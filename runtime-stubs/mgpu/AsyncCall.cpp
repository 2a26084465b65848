//===- AsyncCall.cpp - Calls on the stream of a caller --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/AsyncCall.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

using namespace aircc::rt;

namespace {
constinit thread_local AsyncCall *currentCall = nullptr;

/// The device, the stream and the function.
using PoolKey = std::tuple<int, StreamHandle, const void *>;

struct Pools {
  std::mutex mutex; // Guards the map.
  std::map<PoolKey, std::unique_ptr<StreamPool>> pools;
};
} // namespace

/// The pools are never destroyed, because destructors of globals may call the
/// runtime.
static Pools &getPools() {
  static Pools *const pools = new Pools;
  return *pools;
}

static StreamPool &getPool(const void *function, StreamHandle stream) {
  Pools &all = getPools();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::unique_ptr<StreamPool> &pool =
      all.pools[{currentDeviceIndex(), stream, function}];
  if (!pool)
    pool = std::make_unique<StreamPool>();
  return *pool;
}

Status aircc::rt::freePools(Device &device, StreamHandle stream) {
  Pools &all = getPools();
  std::lock_guard<std::mutex> lock(all.mutex);
  const int index = currentDeviceIndex();
  for (auto it = all.pools.begin(); it != all.pools.end();) {
    if (std::get<0>(it->first) != index || std::get<1>(it->first) != stream) {
      ++it;
      continue;
    }
    if (Status s = it->second->freeAll(device, stream); !s.ok())
      return s;
    it = all.pools.erase(it);
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// StreamPool
//===----------------------------------------------------------------------===//

Status StreamPool::allocate(Device &device, size_t bytes, StreamHandle stream,
                            void *&ptr) {
  std::lock_guard<std::mutex> lock(mutex);
  Block *best = nullptr;
  for (Block &block : blocks)
    if (!block.isUsed && block.bytes >= bytes &&
        (!best || block.bytes < best->bytes))
      best = &block;
  if (!best) {
    Block block{nullptr, bytes, false};
    // The host does not access this memory.
    if (Status s =
            device.allocate(bytes, stream, /*hostShared=*/false, block.ptr);
        !s.ok())
      return s;
    blocks.push_back(block);
    best = &blocks.back();
  }
  best->isUsed = true;
  ptr = best->ptr;
  return Status::success();
}

bool StreamPool::release(void *ptr) {
  std::lock_guard<std::mutex> lock(mutex);
  auto block = std::find_if(blocks.begin(), blocks.end(),
                            [&](const Block &b) { return b.ptr == ptr; });
  if (block == blocks.end())
    return false;
  block->isUsed = false;
  return true;
}

Status StreamPool::freeAll(Device &device, StreamHandle stream) {
  std::lock_guard<std::mutex> lock(mutex);
  while (!blocks.empty()) {
    if (Status s = device.free(blocks.back().ptr, stream); !s.ok())
      return s;
    blocks.pop_back();
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// AsyncCall
//===----------------------------------------------------------------------===//

AsyncCall::AsyncCall(const void *function, StreamHandle stream)
    : stream(stream), pool(getPool(function, stream)),
      outer(std::exchange(currentCall, this)) {}
AsyncCall::~AsyncCall() { currentCall = outer; }
AsyncCall *AsyncCall::current() { return currentCall; }

Status AsyncCall::allocate(Device &device, size_t bytes, void *&ptr) {
  if (Status s = pool.allocate(device, bytes, stream, ptr); !s.ok())
    return s;
  taken.push_back(ptr);
  return Status::success();
}

void AsyncCall::release(void *ptr) {
  if (!pool.release(ptr))
    return;
  if (auto found = std::find(taken.begin(), taken.end(), ptr);
      found != taken.end())
    taken.erase(found);
}

void AsyncCall::releaseAll() {
  for (void *ptr : taken)
    (void)pool.release(ptr);
  taken.clear();
}
