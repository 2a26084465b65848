//===- Observe.cpp - Watching a launch ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Observe.h"

#include "simulator/exec/VectorClones.h"

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
                               LaneAddresses addresses, const LaneData &data) {
  if (lanes)
    wave.observers->access(wave, op, {data, space, kind, lanes, addresses});
}

AIRCC_SIM_VECTOR_CLONES static void
addOffset(const uint32_t *row, uint32_t offset, uint64_t *addresses) {
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    addresses[lane] = row[lane] + offset;
}

const uint64_t *LaneAddresses::all(uint64_t (&buffer)[64]) const {
  if (values)
    return values;
  addOffset(registers, registerOffset, buffer);
  return buffer;
}

void aircc::sim::observeLds(Wave &wave, const Op &op, AccessKind kind,
                            const uint32_t *row, uint32_t offset,
                            const LaneData &data) {
  observeAccess(wave, op, MemorySpace::Lds, kind, wave.exec(),
                LaneAddresses(row, offset), data);
}

void aircc::sim::observeDma(Wave &wave, const Op &op, uint64_t lanes,
                            uint32_t base, unsigned bytes) {
  if (!lanes)
    return;
  uint64_t addresses[kRowLanes];
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    addresses[lane] = base + lane * bytes;
  wave.observers->access(wave, op,
                         {{bytes},
                          MemorySpace::Lds,
                          AccessKind::Write,
                          lanes,
                          addresses,
                          /*dma=*/true});
}

void aircc::sim::observeScalar(Wave &wave, const Op &op, uint64_t address,
                               unsigned bytes, unsigned firstDword) {
  observeAccess(wave, op, MemorySpace::Scalar, AccessKind::Read, 1, &address,
                {bytes, nullptr, false, firstDword});
}
