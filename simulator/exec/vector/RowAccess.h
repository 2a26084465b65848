//===- RowAccess.h - Dwords of all lanes, by vectors ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Loads and stores one to four dwords of each of the first `Lanes` lanes, at
// the host address `at(lane)`. In memory, the dwords of a lane are consecutive;
// in registers, the lanes of a dword are. Therefore, several lanes are a matrix
// that is transposed in vector registers.
//
// Two dwords of a lane are one access of the host, so a 64-bit value is never
// seen half written. Stores are in lane order: if lanes overlap, the highest
// wins.
//
// Everything here has internal linkage (see LaneLevel.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_ROWACCESS_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_ROWACCESS_H

#include "simulator/exec/vector/LaneSupport.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aircc::sim {
namespace {

typedef u64 __attribute__((aligned(1), may_alias)) AnyU64;
template <unsigned Dwords>
LANE_INLINE void loadWords(const void *from, u32 *values) {
  if constexpr (Dwords == 2) {
    u64 both = *static_cast<const volatile AnyU64 *>(from);
    std::memcpy(values, &both, 8);
  } else {
    std::memcpy(values, from, Dwords * 4);
  }
}
template <unsigned Dwords>
LANE_INLINE void storeWords(void *to, const u32 *values) {
  if constexpr (Dwords == 2) {
    u64 both;
    std::memcpy(&both, values, 8);
    *static_cast<volatile AnyU64 *>(to) = both;
  } else {
    std::memcpy(to, values, Dwords * 4);
  }
}

template <unsigned Dwords>
LANE_INLINE void readLane(const void *from, unsigned lane, u32 *rows) {
  u32 values[Dwords];
  loadWords<Dwords>(from, values);
  for (unsigned k = 0; k < Dwords; ++k)
    rows[k * kRowLanes + lane] = values[k];
}
template <unsigned Dwords>
LANE_INLINE void writeLane(void *to, unsigned lane, const u32 *rows) {
  u32 values[Dwords];
  for (unsigned k = 0; k < Dwords; ++k)
    values[k] = rows[k * kRowLanes + lane];
  storeWords<Dwords>(to, values);
}

#if defined(__AVX2__)
LANE_INLINE __m128i loadQuad(const void *from) {
  return _mm_loadu_si128(static_cast<const __m128i *>(from));
}
LANE_INLINE __m128i loadPairs(const void *low, const void *high) {
  const __m128d first = _mm_load_sd(static_cast<const double *>(low));
  return _mm_castpd_si128(
      _mm_loadh_pd(first, static_cast<const double *>(high)));
}
LANE_INLINE __m256i loadRow(const u32 *row) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(row));
}
LANE_INLINE void storeRow(u32 *row, __m256i values) {
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(row), values);
}

/// The 4x4 matrices in the low and in the high halves of four vectors,
/// transposed.
struct Quads {
  __m256i v[4];
  LANE_INLINE Quads transposed() const {
    const __m256i low01 = _mm256_unpacklo_epi32(v[0], v[1]);
    const __m256i low23 = _mm256_unpacklo_epi32(v[2], v[3]);
    const __m256i high01 = _mm256_unpackhi_epi32(v[0], v[1]);
    const __m256i high23 = _mm256_unpackhi_epi32(v[2], v[3]);
    return {{_mm256_unpacklo_epi64(low01, low23),
             _mm256_unpackhi_epi64(low01, low23),
             _mm256_unpacklo_epi64(high01, high23),
             _mm256_unpackhi_epi64(high01, high23)}};
  }
};

/// Handles four dwords of each of eight lanes.
template <class Address>
LANE_INLINE void readQuads(Address at, unsigned lane, u32 *rows) {
  Quads in;
  for (unsigned q = 0; q < 4; ++q)
    in.v[q] =
        _mm256_inserti128_si256(_mm256_castsi128_si256(loadQuad(at(lane + q))),
                                loadQuad(at(lane + q + 4)), 1);
  const Quads out = in.transposed();
  for (unsigned k = 0; k < 4; ++k)
    storeRow(rows + k * kRowLanes + lane, out.v[k]);
}
template <class Address>
LANE_INLINE void writeQuads(Address at, unsigned lane, const u32 *rows) {
  Quads in;
  for (unsigned k = 0; k < 4; ++k)
    in.v[k] = loadRow(rows + k * kRowLanes + lane);
  const Quads out = in.transposed();
  for (unsigned q = 0; q < 4; ++q)
    _mm_storeu_si128(static_cast<__m128i *>(at(lane + q)),
                     _mm256_castsi256_si128(out.v[q]));
  for (unsigned q = 0; q < 4; ++q)
    _mm_storeu_si128(static_cast<__m128i *>(at(lane + q + 4)),
                     _mm256_extracti128_si256(out.v[q], 1));
}

/// Handles two dwords of eight lanes.
template <class Address>
LANE_INLINE void readPairs(Address at, unsigned lane, u32 *rows) {
  auto pairs = [&](unsigned i) {
    return _mm256_castsi256_ps(_mm256_inserti128_si256(
        _mm256_castsi128_si256(loadPairs(at(lane + i), at(lane + i + 1))),
        loadPairs(at(lane + i + 4), at(lane + i + 5)), 1));
  };
  const __m256 first = pairs(0), second = pairs(2);
  storeRow(rows + lane,
           _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88)));
  storeRow(rows + kRowLanes + lane,
           _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xdd)));
}
template <class Address>
LANE_INLINE void writePairs(Address at, unsigned lane, const u32 *rows) {
  const __m256i low = loadRow(rows + lane);
  const __m256i high = loadRow(rows + kRowLanes + lane);
  const __m256i first = _mm256_unpacklo_epi32(low, high);
  const __m256i second = _mm256_unpackhi_epi32(low, high);
  auto store = [&](unsigned i, __m128i pairs) {
    const __m128d values = _mm_castsi128_pd(pairs);
    _mm_storel_pd(static_cast<double *>(at(lane + i)), values);
    _mm_storeh_pd(static_cast<double *>(at(lane + i + 1)), values);
  };
  store(0, _mm256_castsi256_si128(first));
  store(2, _mm256_castsi256_si128(second));
  store(4, _mm256_extracti128_si256(first, 1));
  store(6, _mm256_extracti128_si256(second, 1));
}
#endif

// Relations of the first `Lanes` values of a row.

/// Returns whether one of them is above `last`.
template <unsigned Lanes>
LANE_INLINE bool isAnyAbove(const u32 *row, u32 last) {
#if defined(__AVX2__)
  const __m256i limit = _mm256_set1_epi32(static_cast<i32>(last));
  __m256i highest = limit;
  for (unsigned i = 0; i < Lanes; i += 8)
    highest = _mm256_max_epu32(highest, loadRow(row + i));
  const __m256i above = _mm256_xor_si256(highest, limit);
  return !_mm256_testz_si256(above, above);
#else
  u32 highest = 0;
  for (unsigned i = 0; i < Lanes; ++i)
    highest = row[i] > highest ? row[i] : highest;
  return highest > last;
#endif
}

/// Returns whether all are the same.
template <unsigned Lanes> LANE_INLINE bool areSame(const u32 *row) {
#if defined(__AVX2__)
  const __m256i first = _mm256_set1_epi32(static_cast<i32>(row[0]));
  __m256i different = _mm256_setzero_si256();
  for (unsigned i = 0; i < Lanes; i += 8)
    different =
        _mm256_or_si256(different, _mm256_xor_si256(first, loadRow(row + i)));
  return _mm256_testz_si256(different, different);
#else
  u32 different = 0;
  for (unsigned i = 0; i < Lanes; ++i)
    different |= row[i] ^ row[0];
  return different == 0;
#endif
}

/// Returns whether eight are the addresses of consecutive dwords.
LANE_INLINE bool areConsecutive(const u32 *row) {
#if defined(__AVX2__)
  const __m256i expected =
      _mm256_add_epi32(_mm256_set1_epi32(static_cast<i32>(row[0])),
                       _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
  const __m256i different = _mm256_xor_si256(expected, loadRow(row));
  return _mm256_testz_si256(different, different);
#else
  u32 different = 0;
  for (unsigned i = 0; i < 8; ++i)
    different |= row[i] ^ (row[0] + 4 * i);
  return different == 0;
#endif
}

template <unsigned Dwords, unsigned Lanes, class Address>
LANE_INLINE void readRows(Address at, u32 *rows) {
#if defined(__AVX2__)
  if constexpr (Dwords == 4 || Dwords == 2) {
    for (unsigned lane = 0; lane < Lanes; lane += 8)
      if constexpr (Dwords == 4)
        readQuads(at, lane, rows);
      else
        readPairs(at, lane, rows);
    return;
  }
#endif
  for (unsigned i = 0; i < Lanes; ++i)
    readLane<Dwords>(at(i), i, rows);
}

template <unsigned Dwords, unsigned Lanes, class Address>
LANE_INLINE void writeRows(Address at, const u32 *rows) {
#if defined(__AVX2__)
  if constexpr (Dwords == 4 || Dwords == 2) {
    for (unsigned lane = 0; lane < Lanes; lane += 8)
      if constexpr (Dwords == 4)
        writeQuads(at, lane, rows);
      else
        writePairs(at, lane, rows);
    return;
  }
#endif
  for (unsigned i = 0; i < Lanes; ++i)
    writeLane<Dwords>(at(i), i, rows);
}

/// Calls `all` with the number of lanes as a constant if all lanes are active.
/// Otherwise, calls `one` for each active lane in order.
template <class All, class One>
LANE_INLINE void forActiveLanes(u64 exec, All all, One one) {
  if (exec == ~u64(0))
    return all(std::integral_constant<unsigned, 64>());
  if (exec == 0xffffffff)
    return all(std::integral_constant<unsigned, 32>());
  for (u64 rest = exec; rest; rest &= rest - 1)
    one(static_cast<unsigned>(__builtin_ctzll(rest)));
}

} // namespace
} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_ROWACCESS_H
