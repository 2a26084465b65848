//===- Staging.cpp - Arguments of functions on the device -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Staging.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"

#include "runtime-stubs/include/aircc/mgpu.h"

#include <cstring>

using namespace aircc::rt;

static thread_local int64_t copiedBytes = 0;

int64_t Staging::getCopiedBytes() { return copiedBytes; }

static void copy(void *dst, void *src, uint64_t bytes, void *stream = nullptr) {
  mgpuMemcpy(dst, src, bytes, stream);
  copiedBytes += static_cast<int64_t>(bytes);
}

static Device::MemoryLocation locate(const Parameter &parameter) {
  Device::MemoryLocation location;
  onDevice(
      "airccCall",
      [&](Device &d) {
        return d.locate(parameter.descriptor->aligned, location);
      },
      arg("argument", parameter.name.c_str()));
  return location;
}

std::vector<int64_t> aircc::rt::makeDescriptor(const Parameter &parameter,
                                               void *memory) {
  // EntryCheck requires the offset to be 0.
  std::vector<int64_t> words(3 + 2 * static_cast<size_t>(parameter.rank));
  std::memcpy(words.data(), parameter.descriptor,
              words.size() * sizeof(int64_t));
  words[0] = words[1] = reinterpret_cast<int64_t>(memory);
  return words;
}

HostArguments::HostArguments(const Signature &signature, void *const *arguments)
    : pointers(arguments, arguments + signature.arguments.size()) {
  for (size_t i = 0; i < pointers.size(); ++i) {
    const Parameter &parameter = signature.arguments[i];
    if (parameter.isNumber() || parameter.countBytes() == 0 ||
        locate(parameter).kind != Device::MemoryLocation::OnDevice)
      continue;
    // Adding to `memory` may move its vectors, but not their elements.
    memory.emplace_back(parameter.countBytes());
    copy(memory.back().data(), parameter.descriptor->aligned,
         parameter.countBytes());
    descriptors.push_back(makeDescriptor(parameter, memory.back().data()));
    pointers[i] = descriptors.back().data();
  }
  if (!memory.empty())
    mgpuStreamSynchronize(nullptr);
}

Status Staging::decide(const Parameter &parameter, bool &isInPlace) {
  isInPlace = true;
  if (parameter.isNumber() || !parameter.isUsed || parameter.countBytes() == 0)
    return Status::success();
  Device::MemoryLocation location = locate(parameter);
  if (location.kind == Device::MemoryLocation::OnDevice &&
      location.device != currentDeviceIndex())
    return signature.failure(
        parameter.name + " is in memory of device " +
        std::to_string(location.device) +
        ", but the device of this thread is " +
        std::to_string(currentDeviceIndex()) +
        "; select that one with airccSetDevice, or copy the memory");
  isInPlace = location.kind == Device::MemoryLocation::Shared ||
              (location.kind == Device::MemoryLocation::OnDevice &&
               !parameter.isUsedByHost);
  return Status::success();
}

Status Staging::checkInPlace() {
  for (const std::vector<Parameter> *list :
       {&signature.arguments, &signature.results})
    for (const Parameter &parameter : *list) {
      bool isInPlace = false;
      if (Status s = decide(parameter, isInPlace); !s.ok())
        return s;
      if (!isInPlace)
        return signature.failure(
            parameter.name + " is in memory of the host; an asynchronous call "
                             "requires memory of the device");
    }
  return Status::success();
}

Status Staging::stage(const Parameter &parameter, bool isResult,
                      void *&pointer) {
  bool isInPlace = false;
  if (Status s = decide(parameter, isInPlace);
      !s.ok() || isInPlace || parameter.donor >= 0)
    return s;
  void *original = parameter.descriptor->aligned;
  const uint64_t bytes = parameter.countBytes();
  Copy made{original, nullptr, bytes, isResult, {}};
  made.memory = mgpuMemAlloc(bytes, nullptr, parameter.isUsedByHost);
  made.descriptor = makeDescriptor(parameter, made.memory);
  if (!isResult)
    copy(made.memory, original, bytes);
  copies.push_back(std::move(made));
  // Adding to `copies` may move the descriptors, but not their elements.
  pointer = copies.back().descriptor.data();
  return Status::success();
}

Status Staging::begin() {
  size_t next = 0;
  bool isUsedByHost = false;
  for (const std::vector<Parameter> *list :
       {&signature.arguments, &signature.results})
    for (const Parameter &parameter : *list) {
      size_t known = copies.size();
      if (Status s =
              stage(parameter, list == &signature.results, pointers[next++]);
          !s.ok())
        return s;
      isUsedByHost |= copies.size() > known && parameter.isUsedByHost;
    }
  // Wait for the copies, because host code reads them immediately. Kernels
  // start after them in any case.
  if (isUsedByHost)
    mgpuStreamSynchronize(nullptr);
  return Status::success();
}

bool Staging::copyFromDonors(void *stream) {
  bool copies = false;
  for (const Parameter &result : signature.results) {
    if (result.donor < 0 || result.countBytes() == 0)
      continue;
    auto *argument = static_cast<const Descriptor *>(pointers[result.donor]);
    if (argument->aligned == result.descriptor->aligned)
      continue;
    copy(result.descriptor->aligned, argument->aligned, result.countBytes(),
         stream);
    copies = true;
  }
  return copies;
}

void Staging::finish() {
  bool waits = copyFromDonors(nullptr);
  for (Copy &made : copies) {
    if (!made.isResult)
      continue;
    copy(made.original, made.memory, made.bytes);
    waits = true;
  }
  if (waits)
    mgpuStreamSynchronize(nullptr);
  for (Copy &made : copies)
    mgpuMemFree(made.memory, nullptr);
  copies.clear();
}
