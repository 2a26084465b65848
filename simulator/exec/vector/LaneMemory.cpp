//===- LaneMemory.cpp - Memory of a row of lanes --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/LaneMemory.h"

#include "simulator/exec/vector/RowAccess.h"

#include <type_traits>

namespace aircc::sim::AIRCC_SIM_LEVEL {

void addresses64(const u32 *low, u64 base, u64 *out) {
  for (unsigned i = 0; i < kRowLanes; ++i)
    out[i] = (low[i] | static_cast<u64>(low[i + kRowLanes]) << 32) + base;
}

void addresses32(const u32 *row, u64 base, u64 *out) {
  for (unsigned i = 0; i < kRowLanes; ++i)
    out[i] = row[i] + base;
}

namespace {

/// Returns the span of all of the first `Lanes` lanes.
template <unsigned Lanes>
LANE_INLINE AddressSpan spanAll(const u64 *addresses, unsigned width) {
  u64 low = addresses[0], high = addresses[0], different = 0;
  for (unsigned i = 0; i < Lanes; ++i) {
    low = addresses[i] < low ? addresses[i] : low;
    high = addresses[i] > high ? addresses[i] : high;
    different |= addresses[i] ^ (addresses[0] + u64(i) * width);
  }
  return {low, high, different == 0};
}

} // namespace

AddressSpan span(const u64 *addresses, u64 exec, unsigned width) {
  AddressSpan result{~u64(0), 0, false};
  if (exec == ~u64(0))
    return spanAll<64>(addresses, width);
  if (exec == 0xffffffff)
    return spanAll<32>(addresses, width);
  for (unsigned i = 0; i < kRowLanes; ++i)
    if (exec >> i & 1) {
      result.low = addresses[i] < result.low ? addresses[i] : result.low;
      result.high = addresses[i] > result.high ? addresses[i] : result.high;
    }
  return result;
}

namespace {

/// Calls `run` with the number of dwords per lane, 1 to 4, as a constant.
template <class Run> LANE_INLINE void withDwords(unsigned dwords, Run run) {
  switch (dwords) {
  case 1:
    return run(std::integral_constant<unsigned, 1>());
  case 2:
    return run(std::integral_constant<unsigned, 2>());
  case 3:
    return run(std::integral_constant<unsigned, 3>());
  default:
    return run(std::integral_constant<unsigned, 4>());
  }
}

} // namespace

void gather(const u64 *addresses, u64 exec, unsigned dwords, u32 *rows) {
  auto at = [=](unsigned i) {
    return reinterpret_cast<const void *>(addresses[i]);
  };
  withDwords(dwords, [&](auto count) {
    forActiveLanes(
        exec, [&](auto lanes) { readRows<count(), lanes()>(at, rows); },
        [&](unsigned lane) { readLane<count()>(at(lane), lane, rows); });
  });
}

void scatter(const u64 *addresses, u64 exec, unsigned dwords, const u32 *rows) {
  auto at = [=](unsigned i) { return reinterpret_cast<void *>(addresses[i]); };
  withDwords(dwords, [&](auto count) {
    forActiveLanes(
        exec, [&](auto lanes) { writeRows<count(), lanes()>(at, rows); },
        [&](unsigned lane) { writeLane<count()>(at(lane), lane, rows); });
  });
}

namespace {

// LDS. The sum of a lane's address and the offset has 32 bits, because
// compilers emit negative addresses with larger offsets.

/// Returns the first active lane whose access ends after `limit`, or -1.
LANE_INLINE int outsideLane(const u32 *row, u32 offset, u32 limit, u64 exec,
                            unsigned bytes) {
  if (limit >= bytes && offset <= limit - bytes) {
    const u32 last = limit - bytes - offset;
    if (!(exec >> 32 ? isAnyAbove<64>(row, last) : isAnyAbove<32>(row, last)))
      return -1;
  }
  for (u64 rest = exec; rest; rest &= rest - 1) {
    unsigned i = __builtin_ctzll(rest);
    if (static_cast<u64>(row[i]) + offset + bytes > limit)
      return static_cast<int>(i);
  }
  return -1;
}

/// One or two bases to which the same addresses are relative. The rows of the
/// second come after those of the first.
template <unsigned Places> using LdsBases = const u8 *const (&)[Places];

/// Reads all of the first `Lanes` lanes at `at[lane]` from each base.
template <unsigned Dwords, unsigned Lanes, unsigned Places>
LANE_INLINE void ldsReadAll(const u32 *at, LdsBases<Places> bases, u32 *rows) {
  auto address = [&](unsigned place, unsigned i) {
    return static_cast<const void *>(bases[place] + at[i]);
  };
  if constexpr (Dwords == 1) {
    for (unsigned lane = 0; lane < Lanes; lane += 8) {
      const bool isRow = areConsecutive(at + lane);
      for (unsigned place = 0; place < Places; ++place) {
        u32 *to = rows + place * kRowLanes;
        if (isRow)
          std::memcpy(to + lane, address(place, lane), 32);
        else
          for (unsigned i = lane; i < lane + 8; ++i)
            readLane<1>(address(place, i), i, to);
      }
    }
  } else {
    for (unsigned place = 0; place < Places; ++place)
      readRows<Dwords, Lanes>([&](unsigned i) { return address(place, i); },
                              rows + place * Dwords * kRowLanes);
  }
}
/// Reads the dwords at one address into all of the first `Lanes` lanes.
template <unsigned Dwords, unsigned Lanes>
LANE_INLINE void ldsReadSame(const u8 *from, u32 *rows) {
  u32 values[Dwords];
  std::memcpy(values, from, sizeof(values));
  for (unsigned k = 0; k < Dwords; ++k)
    for (unsigned i = 0; i < Lanes; ++i)
      rows[k * kRowLanes + i] = values[k];
}
template <unsigned Dwords, unsigned Places>
void ldsReadFixed(const u32 *row, LdsBases<Places> bases, u64 exec, u32 *rows) {
  constexpr unsigned kPlaceRows = Dwords * kRowLanes;
  forActiveLanes(
      exec,
      [&](auto lanes) {
        if (areSame<lanes()>(row)) {
          const u32 at = row[0];
          for (unsigned place = 0; place < Places; ++place)
            ldsReadSame<Dwords, lanes()>(bases[place] + at,
                                         rows + place * kPlaceRows);
          return;
        }
        // The result may replace the addresses.
        u32 at[lanes()];
        std::memcpy(at, row, sizeof(at));
        ldsReadAll<Dwords, lanes()>(at, bases, rows);
      },
      [&](unsigned lane) {
        const u32 at = row[lane];
        for (unsigned place = 0; place < Places; ++place)
          readLane<Dwords>(bases[place] + at, lane, rows + place * kPlaceRows);
      });
}

template <unsigned Dwords>
void ldsWriteFixed(const u32 *row, u8 *base, u64 exec, const u32 *rows) {
  auto at = [=](unsigned i) { return static_cast<void *>(base + row[i]); };
  forActiveLanes(
      exec,
      [&](auto lanes) {
        if constexpr (Dwords != 1)
          return writeRows<Dwords, lanes()>(at, rows);
        for (unsigned lane = 0; lane < lanes(); lane += 8) {
          if (areConsecutive(row + lane))
            std::memcpy(at(lane), rows + lane, 32);
          else
            for (unsigned i = lane; i < lane + 8; ++i)
              writeLane<1>(at(i), i, rows);
        }
      },
      [&](unsigned lane) { writeLane<Dwords>(at(lane), lane, rows); });
}

/// Calls `access` with addresses and an offset whose sums do not wrap around,
/// or returns the first lane whose `bytes` are out of range.
template <class Access>
LANE_INLINE int ldsAccess(const u32 *row, u32 offset, u32 limit, u64 exec,
                          unsigned bytes, Access access) {
  int lane = outsideLane(row, offset, limit, exec, bytes);
  u32 wrapped[kRowLanes];
  if (lane >= 0 && offset) {
    for (unsigned i = 0; i < kRowLanes; ++i)
      wrapped[i] = row[i] + offset;
    row = wrapped;
    offset = 0;
    lane = outsideLane(row, offset, limit, exec, bytes);
  }
  if (lane < 0)
    access(row, offset);
  return lane;
}

} // namespace

int ldsRead(const u32 *row, u32 offset, u32 limit, const u8 *base, u64 exec,
            unsigned dwords, u32 *rows) {
  return ldsAccess(row, offset, limit, exec, 4 * dwords,
                   [&](const u32 *at, u32 from) {
                     const u8 *const bases[] = {base + from};
                     withDwords(dwords, [&](auto count) {
                       ldsReadFixed<count()>(at, bases, exec, rows);
                     });
                   });
}

bool ldsReadTwo(const u32 *row, const u32 *offsets, u32 limit, const u8 *base,
                u64 exec, unsigned dwords, u32 *rows) {
  const u32 last = offsets[0] > offsets[1] ? offsets[0] : offsets[1];
  if (outsideLane(row, last, limit, exec, 4 * dwords) >= 0)
    return false;
  const u8 *const bases[] = {base + offsets[0], base + offsets[1]};
  if (dwords == 1)
    ldsReadFixed<1>(row, bases, exec, rows);
  else
    ldsReadFixed<2>(row, bases, exec, rows);
  return true;
}

int ldsWrite(const u32 *row, u32 offset, u32 limit, u8 *base, u64 exec,
             unsigned dwords, const u32 *rows) {
  return ldsAccess(row, offset, limit, exec, 4 * dwords,
                   [&](const u32 *at, u32 from) {
                     withDwords(dwords, [&](auto count) {
                       ldsWriteFixed<count()>(at, base + from, exec, rows);
                     });
                   });
}

namespace {

// Bytes and shorts

template <class Run> LANE_INLINE void forLanes(u64 exec, Run run) {
  if (exec == ~u64(0)) {
    for (unsigned i = 0; i < 64; ++i)
      run(i);
  } else if (exec == 0xffffffff) {
    for (unsigned i = 0; i < 32; ++i)
      run(i);
  } else {
    for (u64 rest = exec; rest; rest &= rest - 1)
      run(static_cast<unsigned>(__builtin_ctzll(rest)));
  }
}

/// `at(i)` is the address of a lane. T extends to 32 bits as the load does.
template <class T, class Address>
LANE_INLINE void loadSmallAs(u64 exec, SmallAccess::Half half, u32 *row,
                             Address at) {
  u32 values[kRowLanes];
  forLanes(exec, [&](unsigned i) {
    T value;
    std::memcpy(&value, at(i), sizeof(value));
    values[i] = static_cast<u32>(static_cast<i32>(value));
  });
  switch (half) {
  case SmallAccess::Whole:
    return forLanes(exec, [&](unsigned i) { row[i] = values[i]; });
  case SmallAccess::Low:
    return forLanes(exec, [&](unsigned i) {
      row[i] = (row[i] & 0xffff0000) | (values[i] & 0xffff);
    });
  case SmallAccess::High:
    return forLanes(exec, [&](unsigned i) {
      row[i] = (row[i] & 0xffff) | values[i] << 16;
    });
  }
}
template <class Address>
LANE_INLINE void loadSmall(u64 exec, SmallAccess how, u32 *row, Address at) {
  if (how.bytes == 1)
    return how.isSigned ? loadSmallAs<i8>(exec, how.half, row, at)
                        : loadSmallAs<u8>(exec, how.half, row, at);
  return how.isSigned ? loadSmallAs<i16>(exec, how.half, row, at)
                      : loadSmallAs<u16>(exec, how.half, row, at);
}

template <class Address>
LANE_INLINE void storeSmall(u64 exec, SmallAccess how, const u32 *row,
                            Address at) {
  const unsigned shift = how.half == SmallAccess::High ? 16 : 0;
  if (how.bytes == 1)
    return forLanes(exec, [&](unsigned i) {
      *static_cast<u8 *>(at(i)) = static_cast<u8>(row[i] >> shift);
    });
  forLanes(exec, [&](unsigned i) {
    u16 value = static_cast<u16>(row[i] >> shift);
    std::memcpy(at(i), &value, sizeof(value));
  });
}

} // namespace

void gatherSmall(const u64 *addresses, u64 exec, SmallAccess how, u32 *row) {
  loadSmall(exec, how, row, [=](unsigned i) {
    return reinterpret_cast<const void *>(addresses[i]);
  });
}

void scatterSmall(const u64 *addresses, u64 exec, SmallAccess how,
                  const u32 *row) {
  storeSmall(exec, how, row, [=](unsigned i) {
    return reinterpret_cast<void *>(addresses[i]);
  });
}

int ldsReadSmall(const u32 *row, u32 offset, u32 limit, const u8 *base,
                 u64 exec, SmallAccess how, u32 *to) {
  return ldsAccess(
      row, offset, limit, exec, how.bytes, [&](const u32 *at, u32 from) {
        const u8 *start = base + from;
        loadSmall(exec, how, to, [=](unsigned i) { return start + at[i]; });
      });
}

int ldsWriteSmall(const u32 *row, u32 offset, u32 limit, u8 *base, u64 exec,
                  SmallAccess how, const u32 *from) {
  return ldsAccess(
      row, offset, limit, exec, how.bytes, [&](const u32 *at, u32 behind) {
        u8 *start = base + behind;
        storeSmall(exec, how, from, [=](unsigned i) { return start + at[i]; });
      });
}

} // namespace aircc::sim::AIRCC_SIM_LEVEL
