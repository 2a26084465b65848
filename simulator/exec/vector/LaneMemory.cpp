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

#if defined(__AVX512F__)
/// Four dwords of each lane, at `at(lane)`: sixteen lanes are a matrix that is
/// transposed, in 4x4 blocks. All is read before the rows are written.
template <unsigned Lanes, class Address>
LANE_INLINE void readQuads(Address at, u32 *rows) {
  __m512i out[Lanes / 16][4];
  for (unsigned c = 0; c < Lanes / 16; ++c) {
    __m512i in[4]; // Lanes 4 apart, so that the order is right at the end.
    for (unsigned q = 0; q < 4; ++q) {
      auto quad = [&](unsigned b) {
        return _mm_loadu_si128(
            reinterpret_cast<const __m128i *>(at(c * 16 + 4 * b + q)));
      };
      __m512i v = _mm512_castsi128_si512(quad(0));
      v = _mm512_inserti32x4(v, quad(1), 1);
      v = _mm512_inserti32x4(v, quad(2), 2);
      in[q] = _mm512_inserti32x4(v, quad(3), 3);
    }
    const __m512i low0 = _mm512_unpacklo_epi32(in[0], in[1]);
    const __m512i low1 = _mm512_unpacklo_epi32(in[2], in[3]);
    const __m512i high0 = _mm512_unpackhi_epi32(in[0], in[1]);
    const __m512i high1 = _mm512_unpackhi_epi32(in[2], in[3]);
    out[c][0] = _mm512_unpacklo_epi64(low0, low1);
    out[c][1] = _mm512_unpackhi_epi64(low0, low1);
    out[c][2] = _mm512_unpacklo_epi64(high0, high1);
    out[c][3] = _mm512_unpackhi_epi64(high0, high1);
  }
  for (unsigned c = 0; c < Lanes / 16; ++c)
    for (unsigned k = 0; k < 4; ++k)
      _mm512_storeu_si512(rows + k * kRowLanes + c * 16, out[c][k]);
}
#endif

template <unsigned Dwords, unsigned Lanes>
LANE_INLINE void gatherAll(const u64 *addresses, u32 *rows) {
#if defined(__AVX512F__)
  if constexpr (Dwords == 4)
    return readQuads<Lanes>(
        [=](unsigned i) {
          return reinterpret_cast<const void *>(addresses[i]);
        },
        rows);
#endif
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
  if constexpr (Dwords == 4)
    return readQuads<Lanes>([=](unsigned i) { return base + row[i]; }, rows);
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
/// returns the first lane whose `bytes` are outside.
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
                     withDwords(dwords, [&](auto count) {
                       ldsReadFixed<count()>(at, base + from, exec, rows);
                     });
                   });
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

// Bytes and shorts.

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

/// `at(i)` is the address of a lane; T extends to 32 bits as the load does.
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
