//===- Waiting.cpp - Detection of waves that only wait --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/launch/Waiting.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/Mode.h"
#include "simulator/exec/Observe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <utility>

using namespace aircc::sim;

//===----------------------------------------------------------------------===//
// One wave
//===----------------------------------------------------------------------===//

/// The number of instructions of a wave before its states are hashed, which
/// takes time. Most waves end sooner.
static constexpr uint64_t kUnwatched = uint64_t(1) << 17;

static uint64_t hashState(const Wave &wave, const Kernel &kernel) {
  auto bytes = [](const void *from, size_t count) {
    return llvm::xxh3_64bits(
        llvm::ArrayRef<uint8_t>(static_cast<const uint8_t *>(from), count));
  };
  constexpr size_t row = kRowLanes * sizeof(uint32_t);
  const uint64_t parts[] = {reinterpret_cast<uint64_t>(wave.pc),
                            wave.scc | uint64_t(wave.mode) << 32,
                            bytes(wave.scalars, sizeof(wave.scalars)),
                            bytes(wave.rows, kernel.vgprCount * row),
                            bytes(const_cast<Wave &>(wave).row(kFirstAgprRow),
                                  kernel.agprCount * row)};
  return bytes(parts, sizeof(parts));
}

void WaveWatch::sliceEnded(const Wave &wave, const Kernel &kernel,
                           uint64_t instructions) {
  executed += instructions;
  ++unsampled;
  if (executed < kUnwatched)
    return;
  // Check the state of a waiting wave when it should recur.
  ++slices;
  if (waiting && slices < period)
    return;
  uint64_t now = hashState(wave, kernel);
  if (waiting) {
    waiting = now == saved;
    slices = 0;
    if (!waiting) {
      saved = now;
      patience = 1;
    }
    return;
  }
  if (now == saved) {
    waiting = true;
    period = slices;
    slices = 0;
  } else if (slices >= patience) {
    saved = now;
    patience *= 2;
    slices = 0;
  }
}

namespace {
/// Records what a wave reads and writes in one time slice. Forwards all events
/// to the launch's observers.
class PollSample : public LaunchObserver {
public:
  explicit PollSample(Observers *outer) : outer(outer) {}

  void before(Wave &wave, const Op &op) override {
    if (outer)
      outer->before(wave, op);
  }
  void after(Wave &wave, const Op &op) override {
    for (const Access &access : accesses)
      note(op, access);
    accesses.clear();
    if (outer)
      outer->after(wave, op);
  }
  void wait(Wave &wave, const Op &op, const WaitCounts &counts) override {
    if (outer)
      outer->wait(wave, op, counts);
  }
  void barrierArrive(Wave &wave, const Op &op) override {
    works = true;
    if (outer)
      outer->barrierArrive(wave, op);
  }
  void waveEnd(Wave &wave) override {
    if (outer)
      outer->waveEnd(wave);
  }
  void access(Wave &wave, const Op &op, const MemoryAccess &access) override {
    // Scratch is private to the lane, like registers.
    if (access.kind == AccessKind::Write || access.dma)
      works |= access.space != MemorySpace::Scratch;
    else if (access.space == MemorySpace::Global ||
             access.space == MemorySpace::Scalar)
      for (uint64_t rest = access.lanes; rest; rest &= rest - 1)
        accesses.push_back({access.addresses[llvm::countr_zero(rest)],
                            access.bytes, access.kind});
    if (outer)
      outer->access(wave, op, access);
  }

  /// Returns a hash of the addresses and values that were read, or nothing if
  /// the wave did not only poll.
  std::optional<uint64_t> getPollHash() const {
    if (works || !repeats)
      return std::nullopt;
    uint64_t sum = 0;
    for (auto &[key, value] : reads)
      sum += value;
    return sum;
  }

private:
  /// The maximum number of addresses of all lanes together, because a polling
  /// loop reads few.
  static constexpr size_t kMaxAddresses = 1024;

  /// An access by one lane. Its memory is only read after the operation, when
  /// the access has not faulted.
  struct Access {
    uint64_t address;
    unsigned bytes;
    AccessKind kind;
  };

  void note(const Op &op, const Access &access) {
    if (works)
      return;
    uint64_t key = mix(reinterpret_cast<uint64_t>(&op), access.address);
    uint64_t value = mix(
        key,
        llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
            reinterpret_cast<const uint8_t *>(access.address), access.bytes)));
    auto [it, isNew] = reads.try_emplace(key, value);
    works = it->second != value || reads.size() > kMaxAddresses;
    repeats |= !isNew && (access.kind == AccessKind::Atomic ||
                          op.info->scope >= kDeviceScope);
  }

  static constexpr uint8_t kDeviceScope = 2;
  static uint64_t mix(uint64_t a, uint64_t b) {
    const uint64_t parts[] = {a, b};
    return llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(parts), sizeof(parts)));
  }

  Observers *outer;
  bool works = false;
  bool repeats = false; ///< Whether it polls an address that other agents may
                        ///< write.
  std::map<uint64_t, uint64_t> reads;
  std::vector<Access> accesses; ///< Accesses of the current operation.
};
} // namespace

/// The number of time slices between two samples of a wave that works, and of
/// one that polls. A sampled time slice takes several times as long as others.
static constexpr uint64_t kSampleInterval = 512, kPollInterval = 8;

bool WaveWatch::wantsSample() const {
  return executed >= 8 * kUnwatched && !waiting &&
         unsampled >= (polls ? kPollInterval : kSampleInterval);
}

uint64_t WaveWatch::runSample(Wave &wave, uint64_t budget) {
  PollSample sample(wave.observers);
  Observers observers({&sample});
  struct Restore {
    Wave &wave;
    Observers *outer;
    ~Restore() { wave.observers = outer; }
  } restore{wave, wave.observers};
  wave.observers = &observers;
  uint64_t count = runWave(wave, budget);
  std::optional<uint64_t> now = sample.getPollHash();
  polls = !now ? 0 : *now == pollHash && polls ? polls + 1 : 1;
  pollHash = now.value_or(0);
  unsampled = 0;
  return count;
}

//===----------------------------------------------------------------------===//
// A launch
//===----------------------------------------------------------------------===//

void LaunchWatch::threadWaits(bool waits) {
  if (waits) {
    ++waiting;
  } else {
    ++changes;
    --waiting;
  }
}

bool LaunchWatch::haveWaited(std::chrono::milliseconds time) {
  if (waiting < threads)
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  auto now = std::chrono::steady_clock::now();
  uint64_t seen = changes;
  if (!counting || seen != changesAtStart) {
    counting = true;
    changesAtStart = seen;
    start = now;
    return false;
  }
  return now - start > time;
}

//===----------------------------------------------------------------------===//
// Describing a waiting wave
//===----------------------------------------------------------------------===//

namespace {
/// Records reads of memory.
class LastRead : public LaunchObserver {
public:
  void access(Wave &, const Op &op, const MemoryAccess &access) override {
    if (access.space != MemorySpace::Global &&
        access.space != MemorySpace::Scalar)
      return;
    if (access.kind == AccessKind::Write)
      return;
    what = &op;
    begin = UINT64_MAX;
    end = 0;
    for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
      uint64_t address = access.addresses[llvm::countr_zero(rest)];
      begin = std::min(begin, address);
      end = std::max(end, address + access.bytes);
    }
    seen.push_back({&op, begin, end});
  }

  struct Read {
    const Op *op;
    uint64_t begin, end;
  };
  const Op *what = nullptr;
  uint64_t begin = 0, end = 0;
  std::vector<Read> seen;
};
} // namespace

std::vector<LoopBranch> aircc::sim::findLoop(Wave &wave) {
  constexpr unsigned kSteps = 1u << 16;
  constexpr size_t kMaxBranches = 8;
  std::vector<LoopBranch> branches;
  Observers *observers = std::exchange(wave.observers, nullptr);
  try {
    for (unsigned step = 0; step < kSteps; ++step) {
      const Op *op = wave.pc;
      runWave(wave, 1);
      if (wave.status != WaveStatus::Running)
        break;
      // The ops of a function are consecutive in memory.
      const LoopBranch taken{op, wave.pc};
      if (wave.pc <= op && op->target == wave.pc &&
          branches.size() < kMaxBranches &&
          !llvm::is_contained(branches, taken))
        branches.push_back(taken);
    }
  } catch (const Fault &) { // NOLINT(bugprone-empty-catch)
    // Use what was recorded before the fault.
  }
  wave.observers = observers;
  llvm::sort(branches, [](const LoopBranch &a, const LoopBranch &b) {
    return a.op < b.op;
  });
  return branches;
}

std::string aircc::sim::describeWait(
    Wave &wave, const std::function<std::string(uint64_t)> &describeAddress) {
  // This is enough for one iteration of a polling loop.
  constexpr unsigned maxSteps = 1u << 16;
  LastRead reads;
  Observers observers({&reads});
  const Op *firstRead = nullptr;
  try {
    for (unsigned step = 0; step < maxSteps; ++step) {
      const Op *op = wave.pc;
      const OpInfo &info = *op->info;
      const bool memory =
          info.access != AccessKind::None &&
          (info.opClass == OpClass::ScalarMemory ||
           (info.isVectorMemory() && info.opClass != OpClass::Scratch));
      wave.pc = op + 1;
      wave.observers = memory ? &observers : nullptr;
      op->handler(wave, *op);
      wave.observers = nullptr;
      if (wave.status != WaveStatus::Running)
        break;
      if (reads.what == op) {
        // One iteration of the loop is complete.
        if (op == firstRead)
          break;
        if (!firstRead)
          firstRead = op;
      }
    }
  } catch (const Fault &) { // NOLINT(bugprone-empty-catch)
    // Use what was recorded before the fault.
  }
  if (reads.seen.empty())
    return "this wave reads no memory";
  // Prefer an address that has a name.
  const LastRead::Read *read = &reads.seen.back();
  std::string name;
  for (const LastRead::Read &candidate : reads.seen) {
    // The last word of a line is its flag.
    std::string found =
        describeAddress ? describeAddress(candidate.end - 1) : "";
    if (found.empty() || (!name.empty() && found.rfind("channel ", 0) != 0))
      continue;
    read = &candidate;
    name = describeAddress(
        candidate.end - std::min<uint64_t>(4, candidate.end - candidate.begin));
  }
  wave.pc = read->op + 1;
  std::string text = "this wave polls ";
  if (!name.empty())
    text += name + ", ";
  text += "address 0x" + llvm::utohexstr(read->begin, /*LowerCase=*/true);
  if (read->end - read->begin > 8)
    text += " to 0x" + llvm::utohexstr(read->end, /*LowerCase=*/true);
  uint64_t size = std::min<uint64_t>(4, read->end - read->begin);
  uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void *>(read->end - size), size);
  return text +
         (read->end - read->begin > 4 ? ", whose last word is "
                                      : ", which holds ") +
         std::to_string(value);
}
