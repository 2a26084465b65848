//===- LaneMemory.cpp - Memory of a row of lanes --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/LaneMemory.h"

#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/// All of the first `Lanes` lanes.
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

/// Calls `run` with the number of dwords of a lane, 1 to 4, as a constant.
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

/// One access of the host for each lane's 8 bytes, so that a 64-bit value is
/// never seen half written.
typedef u64 __attribute__((aligned(1), may_alias)) AnyU64;
template <unsigned Dwords>
LANE_INLINE void loadWords(u64 address, u32 *values) {
  if constexpr (Dwords == 2) {
    u64 both = *reinterpret_cast<const volatile AnyU64 *>(address);
    std::memcpy(values, &both, 8);
  } else {
    std::memcpy(values, reinterpret_cast<const void *>(address), Dwords * 4);
  }
}
template <unsigned Dwords>
LANE_INLINE void storeWords(u64 address, const u32 *values) {
  if constexpr (Dwords == 2) {
    u64 both;
    std::memcpy(&both, values, 8);
    *reinterpret_cast<volatile AnyU64 *>(address) = both;
  } else {
    std::memcpy(reinterpret_cast<void *>(address), values, Dwords * 4);
  }
}

template <unsigned Dwords, unsigned Lanes>
LANE_INLINE void gatherAll(const u64 *addresses, u32 *rows) {
  for (unsigned i = 0; i < Lanes; ++i) {
    u32 values[Dwords];
    loadWords<Dwords>(addresses[i], values);
    for (unsigned k = 0; k < Dwords; ++k)
      rows[k * kRowLanes + i] = values[k];
  }
}

template <unsigned Dwords>
void gatherFixed(const u64 *addresses, u64 exec, u32 *rows) {
  if (exec == ~u64(0))
    return gatherAll<Dwords, 64>(addresses, rows);
  if (exec == 0xffffffff)
    return gatherAll<Dwords, 32>(addresses, rows);
  for (u64 rest = exec; rest; rest &= rest - 1) {
    unsigned i = __builtin_ctzll(rest);
    u32 values[Dwords];
    loadWords<Dwords>(addresses[i], values);
    for (unsigned k = 0; k < Dwords; ++k)
      rows[k * kRowLanes + i] = values[k];
  }
}

} // namespace

void gather(const u64 *addresses, u64 exec, unsigned dwords, u32 *rows) {
  withDwords(dwords,
             [&](auto count) { gatherFixed<count()>(addresses, exec, rows); });
}

namespace {

template <unsigned Dwords>
void scatterFixed(const u64 *addresses, u64 exec, const u32 *rows) {
  // In lane order: the highest lane wins, as a rule that tests can rely on.
  for (u64 rest = exec; rest; rest &= rest - 1) {
    unsigned i = __builtin_ctzll(rest);
    u32 values[Dwords];
    for (unsigned k = 0; k < Dwords; ++k)
      values[k] = rows[k * kRowLanes + i];
    storeWords<Dwords>(addresses[i], values);
  }
}

} // namespace

void scatter(const u64 *addresses, u64 exec, unsigned dwords, const u32 *rows) {
  withDwords(dwords,
             [&](auto count) { scatterFixed<count()>(addresses, exec, rows); });
}

namespace {

// LDS. The sum of a lane's address and the offset has 32 bits: compilers put a
// negative address and an offset that makes up for it into one instruction.

/// The first active lane whose access ends behind `limit`, or -1.
LANE_INLINE int outsideLane(const u32 *row, u32 offset, u32 limit, u64 exec,
                            unsigned bytes) {
  if (limit >= bytes && offset <= limit - bytes) {
    u32 last = limit - bytes - offset, highest = 0;
    const unsigned lanes = exec >> 32 ? 64 : 32;
    for (unsigned i = 0; i < lanes; ++i)
      highest = row[i] > highest ? row[i] : highest;
    if (highest <= last)
      return -1;
  }
  for (u64 rest = exec; rest; rest &= rest - 1) {
    unsigned i = __builtin_ctzll(rest);
    if (static_cast<u64>(row[i]) + offset + bytes > limit)
      return static_cast<int>(i);
  }
  return -1;
}

/// All of the first `Lanes` lanes read.
template <unsigned Dwords, unsigned Lanes>
void ldsReadAll(const u32 *row, const u8 *base, u32 *rows) {
  // Everybody the same, or one behind the other: what most code does.
  u32 different = 0, unordered = 0;
  for (unsigned i = 0; i < Lanes; ++i) {
    different |= row[i] ^ row[0];
    unordered |= row[i] ^ (row[0] + i * Dwords * 4);
  }
  if (!different) {
    u32 values[Dwords];
    std::memcpy(values, base + row[0], sizeof(values));
    for (unsigned k = 0; k < Dwords; ++k)
      for (unsigned i = 0; i < kRowLanes; ++i)
        rows[k * kRowLanes + i] = values[k];
    return;
  }
  if (Dwords == 1 && !unordered) {
    std::memcpy(rows, base + row[0], Lanes * 4);
    return;
  }
#if defined(__AVX512F__)
  // Destinations may overlap the address row: addresses are read first.
  __m512i index[4];
  for (unsigned c = 0; c < Lanes / 16; ++c)
    index[c] = _mm512_loadu_si512(row + c * 16);
  for (unsigned k = 0; k < Dwords; ++k)
    for (unsigned c = 0; c < Lanes / 16; ++c)
      _mm512_storeu_si512(rows + k * kRowLanes + c * 16,
                          _mm512_i32gather_epi32(index[c], base + k * 4, 1));
#else
  u32 at[Lanes];
  std::memcpy(at, row, sizeof(at));
  for (unsigned i = 0; i < Lanes; ++i) {
    u32 values[Dwords];
    std::memcpy(values, base + at[i], sizeof(values));
    for (unsigned k = 0; k < Dwords; ++k)
      rows[k * kRowLanes + i] = values[k];
  }
#endif
}

template <unsigned Dwords>
void ldsReadFixed(const u32 *row, const u8 *base, u64 exec, u32 *rows) {
  if (exec == ~u64(0))
    return ldsReadAll<Dwords, 64>(row, base, rows);
  if (exec == 0xffffffff)
    return ldsReadAll<Dwords, 32>(row, base, rows);
  for (u64 rest = exec; rest; rest &= rest - 1) {
    unsigned i = __builtin_ctzll(rest);
    u32 values[Dwords];
    std::memcpy(values, base + row[i], sizeof(values));
    for (unsigned k = 0; k < Dwords; ++k)
      rows[k * kRowLanes + i] = values[k];
  }
}

template <unsigned Dwords>
void ldsWriteFixed(const u32 *row, u8 *base, u64 exec, const u32 *rows) {
  for (u64 rest = exec; rest; rest &= rest - 1) {
    unsigned i = __builtin_ctzll(rest);
    u32 values[Dwords];
    for (unsigned k = 0; k < Dwords; ++k)
      values[k] = rows[k * kRowLanes + i];
    std::memcpy(base + row[i], values, sizeof(values));
  }
}

/// Calls `access` with addresses and an offset of which no sum wraps around, or
/// returns the first lane that is outside.
template <class Access>
LANE_INLINE int ldsAccess(const u32 *row, u32 offset, u32 limit, u64 exec,
                          unsigned dwords, Access access) {
  int lane = outsideLane(row, offset, limit, exec, dwords * 4);
  u32 wrapped[kRowLanes];
  if (lane >= 0 && offset) {
    for (unsigned i = 0; i < kRowLanes; ++i)
      wrapped[i] = row[i] + offset;
    row = wrapped;
    offset = 0;
    lane = outsideLane(row, offset, limit, exec, dwords * 4);
  }
  if (lane < 0)
    withDwords(dwords, [&](auto count) { access(count, row, offset); });
  return lane;
}

} // namespace

int ldsRead(const u32 *row, u32 offset, u32 limit, const u8 *base, u64 exec,
            unsigned dwords, u32 *rows) {
  return ldsAccess(row, offset, limit, exec, dwords,
                   [&](auto count, const u32 *at, u32 from) {
                     ldsReadFixed<count()>(at, base + from, exec, rows);
                   });
}

int ldsWrite(const u32 *row, u32 offset, u32 limit, u8 *base, u64 exec,
             unsigned dwords, const u32 *rows) {
  return ldsAccess(row, offset, limit, exec, dwords,
                   [&](auto count, const u32 *at, u32 from) {
                     ldsWriteFixed<count()>(at, base + from, exec, rows);
                   });
}

} // namespace aircc::sim::AIRCC_SIM_LEVEL
