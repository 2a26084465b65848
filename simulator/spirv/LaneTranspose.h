//===- LaneTranspose.h - Lanes' arrays in memory order ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A block of memory of a subgroup of 16 is a sequence of elements: element n is
// element n / 16 in the array of lane n mod 16. Converting between the sequence
// and the arrays is a transposition. It is done in tiles of N x N elements,
// where N elements fill a vector register: each of log2(N) rounds interleaves
// the first half of the rows with the second half.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_LANETRANSPOSE_H
#define AIRCC_SIMULATOR_SPIRV_LANETRANSPOSE_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace aircc::sim::spirv {

constexpr unsigned kBlockLanes = 16;

/// Does the same as memcpy, with the sizes of a block's rows and of a lane's
/// matrix rows as constants, which compilers turn into a few vector moves.
inline __attribute__((always_inline)) void copySmall(void *to, const void *from,
                                                     size_t bytes) {
  switch (bytes) {
  case 64:
    std::memcpy(to, from, 64);
    return;
  case 32:
    std::memcpy(to, from, 32);
    return;
  case 16:
    std::memcpy(to, from, 16);
    return;
  case 8:
    std::memcpy(to, from, 8);
    return;
  default:
    std::memcpy(to, from, bytes);
  }
}

namespace detail {

template <typename T> struct TileRow;
#define AIRCC_TILE_ROW(T)                                                      \
  template <> struct TileRow<T> {                                              \
    typedef T type __attribute__((vector_size(16)));                           \
  };
AIRCC_TILE_ROW(uint8_t)
AIRCC_TILE_ROW(uint16_t)
AIRCC_TILE_ROW(uint32_t)
#undef AIRCC_TILE_ROW

/// Interleaves the elements of two rows, beginning with element `From` of each.
template <unsigned From, typename Row, int... I>
Row interleave(Row a, Row b, std::integer_sequence<int, I...>) {
  constexpr int N = sizeof...(I);
  return __builtin_shufflevector(a, b, (From + I / 2 + I % 2 * N)...);
}

/// Transposes a tile. `rowAt(n)` and `columnAt(n)` are the addresses of N
/// consecutive elements.
template <typename T, typename RowAt, typename ColumnAt>
void transposeTile(RowAt rowAt, ColumnAt columnAt) {
  using Row = typename TileRow<T>::type;
  constexpr int N = sizeof(Row) / sizeof(T);
  using Elements = std::make_integer_sequence<int, N>;
  Row rows[N], next[N];
  for (int i = 0; i < N; ++i)
    std::memcpy(&rows[i], rowAt(i), sizeof(Row));
  for (int round = 1; round < N; round *= 2) {
    for (int i = 0; i < N / 2; ++i) {
      next[2 * i] = interleave<0>(rows[i], rows[i + N / 2], Elements());
      next[2 * i + 1] = interleave<N / 2>(rows[i], rows[i + N / 2], Elements());
    }
    std::memcpy(rows, next, sizeof(rows));
  }
  for (int i = 0; i < N; ++i)
    std::memcpy(columnAt(i), &rows[i], sizeof(Row));
}

} // namespace detail

/// Distributes a sequence to the lanes' arrays.
template <typename T>
void toLanes(const uint8_t *sequence, unsigned elements,
             uint8_t *const (&lanes)[kBlockLanes]) {
  constexpr unsigned N = 16 / sizeof(T);
  auto at = [&](unsigned element, unsigned lane) {
    return sequence + (element * kBlockLanes + lane) * sizeof(T);
  };
  unsigned element = 0;
  for (; element + N <= elements; element += N)
    for (unsigned lane = 0; lane < kBlockLanes; lane += N)
      detail::transposeTile<T>(
          [&](unsigned n) { return at(element + n, lane); },
          [&](unsigned n) { return lanes[lane + n] + element * sizeof(T); });
  for (; element < elements; ++element)
    for (unsigned lane = 0; lane < kBlockLanes; ++lane)
      std::memcpy(lanes[lane] + element * sizeof(T), at(element, lane),
                  sizeof(T));
}

/// Collects the sequence from the lanes' arrays.
template <typename T>
void fromLanes(uint8_t *sequence, unsigned elements,
               uint8_t *const (&lanes)[kBlockLanes]) {
  constexpr unsigned N = 16 / sizeof(T);
  auto at = [&](unsigned element, unsigned lane) {
    return sequence + (element * kBlockLanes + lane) * sizeof(T);
  };
  unsigned element = 0;
  for (; element + N <= elements; element += N)
    for (unsigned lane = 0; lane < kBlockLanes; lane += N)
      detail::transposeTile<T>(
          [&](unsigned n) { return lanes[lane + n] + element * sizeof(T); },
          [&](unsigned n) { return at(element + n, lane); });
  for (; element < elements; ++element)
    for (unsigned lane = 0; lane < kBlockLanes; ++lane)
      std::memcpy(at(element, lane), lanes[lane] + element * sizeof(T),
                  sizeof(T));
}

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_LANETRANSPOSE_H
