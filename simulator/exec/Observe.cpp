//===- Observe.cpp - Watching a launch ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Observe.h"

#include "llvm/ADT/STLExtras.h"

using namespace aircc::sim;

LaunchObserver::~LaunchObserver() = default;

Observers::Observers(std::vector<LaunchObserver *> observers)
    : list(std::move(observers)) {
  for (LaunchObserver *observer : list)
    if (!observer->observesOnlyBranchesAfter())
      afterAll.push_back(observer);
}

bool Observers::observesGroup(uint64_t number) const {
  return llvm::any_of(list, [&](const LaunchObserver *observer) {
    return observer->observesGroup(number);
  });
}

bool Observers::skipsGroup(uint64_t number) const {
  return llvm::any_of(list, [&](const LaunchObserver *observer) {
    return observer->skipsGroup(number);
  });
}

bool Observers::serial() const {
  for (LaunchObserver *observer : list)
    if (observer->serial())
      return true;
  return false;
}

void Observers::launchBegin(const LaunchState &state) {
  for (unsigned slot = 0; slot < list.size(); ++slot)
    list[slot]->launchBegin(state, slot);
}

void Observers::launchEnd(const LaunchState &state, std::string &error) {
  // Every observer gets the error of the launch itself.
  const std::string ended = error;
  for (LaunchObserver *observer : list) {
    std::string more = observer->launchEnd(state, ended);
    if (!more.empty())
      error += (error.empty() ? "" : "\n") + more;
  }
}

void aircc::sim::observeAccess(Wave &wave, const Op &op, MemorySpace space,
                               AccessKind kind, uint64_t lanes,
                               const uint64_t *addresses, unsigned bytes,
                               const uint32_t *data, bool dataHigh,
                               unsigned firstDword) {
  if (!lanes)
    return;
  MemoryAccess access{space,     kind, false,    bytes,     lanes,
                      addresses, data, dataHigh, firstDword};
  wave.observers->access(wave, op, access);
}

#if defined(__x86_64__) && defined(__linux__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
static void addOffset(const uint32_t *row, uint32_t offset,
                      uint64_t *addresses) {
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    addresses[lane] = row[lane] + offset;
}

void aircc::sim::observeLds(Wave &wave, const Op &op, AccessKind kind,
                            const uint32_t *row, uint32_t offset,
                            unsigned bytes, const uint32_t *data, bool dataHigh,
                            unsigned firstDword) {
  uint64_t addresses[kRowLanes];
  addOffset(row, offset, addresses);
  observeAccess(wave, op, MemorySpace::Lds, kind, wave.exec(), addresses, bytes,
                data, dataHigh, firstDword);
}

void aircc::sim::observeDma(Wave &wave, const Op &op, uint64_t lanes,
                            uint32_t base, unsigned bytes) {
  if (!lanes)
    return;
  uint64_t addresses[kRowLanes];
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    addresses[lane] = base + lane * bytes;
  MemoryAccess access{MemorySpace::Lds, AccessKind::Write, true, bytes, lanes,
                      addresses};
  wave.observers->access(wave, op, access);
}

void aircc::sim::observeScalar(Wave &wave, const Op &op, uint64_t address,
                               unsigned bytes, unsigned firstDword) {
  observeAccess(wave, op, MemorySpace::Scalar, AccessKind::Read, 1, &address,
                bytes, nullptr, false, firstDword);
}
