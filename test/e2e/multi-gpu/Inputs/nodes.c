// Transfers of the host between ranks on several nodes, compared with what each rank computes alone. The first argument
// selects one of the programs below.
#include "runtime-stubs/include/aircc/mgpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

#define REQUIRE(CONDITION)                                                     \
  do {                                                                         \
    if (!(CONDITION)) {                                                        \
      printf("rank %d, line %d: %s\n", rank, __LINE__, #CONDITION);            \
      exit(3);                                                                 \
    }                                                                          \
  } while (0)

/// Rank `to`'s copy of the memory at `ptr`.
static void *peer(void *ptr, int to) {
  char *own = (char *)mgpuGetHeapBase(rank);
  return (char *)mgpuGetHeapBase(to) + ((char *)ptr - own);
}

static int value(int from, int to, int index) {
  return from * 1000003 + to * 10007 + index * 17 + 5;
}

/// Every rank writes to all ranks, and reads from all ranks. Larger than one
/// frame.
static void copies(void) {
  enum { count = (1 << 20) + 1000 };
  int *slots = mgpuSymmetricAlloc((uint64_t)size * count * sizeof(int), NULL);
  int *source = malloc(count * sizeof(int)), *back = malloc(count * sizeof(int));
  mgpuBarrier();
  for (int to = 0; to < size; ++to) {
    for (int i = 0; i < count; ++i)
      source[i] = value(rank, to, i);
    mgpuMemcpy(peer(slots + (size_t)rank * count, to), source, count * sizeof(int), NULL);
  }
  mgpuBarrier();
  for (int from = 0; from < size; ++from) {
    mgpuMemcpy(back, slots + (size_t)from * count, count * sizeof(int), NULL);
    mgpuStreamSynchronize(NULL);
    for (int i = 0; i < count; ++i)
      REQUIRE(back[i] == value(from, rank, i));
    // What `from` has sent to its neighbor, and from one rank's heap to
    // another's.
    int other = (from + 1) % size;
    mgpuMemcpy(back, peer(slots + (size_t)from * count, other), count * sizeof(int), NULL);
    mgpuStreamSynchronize(NULL);
    for (int i = 0; i < count; ++i)
      REQUIRE(back[i] == value(from, other, i));
  }
  mgpuBarrier();
  if (rank == 0)
    for (int to = 1; to < size; ++to)
      mgpuMemcpy(peer(slots, to), peer(slots + (size_t)(size - 1) * count, size - 1), count * sizeof(int), NULL);
  mgpuBarrier();
  mgpuMemcpy(back, slots, count * sizeof(int), NULL);
  mgpuStreamSynchronize(NULL);
  for (int i = 0; i < count; ++i)
    REQUIRE(back[i] == (rank ? value(size - 1, size - 1, i) : value(0, 0, i)));
  free(source);
  free(back);
  mgpuSymmetricFree(slots, NULL);
}

/// A column of a matrix to a row of the next rank's; fills.
static void strided(void) {
  enum { rows = 37, columns = 29 };
  int *matrix = mgpuSymmetricAlloc(rows * columns * sizeof(int), NULL);
  int host[rows * columns];
  int next = (rank + 1) % size, last = (rank + size - 1) % size;
  mgpuMemset32(matrix, 7, rows * columns, NULL);
  mgpuBarrier();
  int64_t from_size = columns - 3, to_stride = columns, one = 1;
  int source[columns];
  for (int i = 0; i < columns; ++i)
    source[i] = value(rank, next, i);
  MgpuTransfer from = {source, sizeof(int), 1, &from_size, &one};
  MgpuTransfer to = {peer(matrix + 5, next), sizeof(int), 1, &from_size, &to_stride};
  mgpuMemcpyStrided(&to, &from, NULL);
  mgpuMemset32(peer(matrix + 6, next), 100 + rank, 3, NULL);
  mgpuBarrier();
  mgpuMemcpy(host, matrix, sizeof(host), NULL);
  mgpuStreamSynchronize(NULL);
  for (int i = 0; i < rows * columns; ++i) {
    int expected = 7;
    if (i % columns == 5 && i / columns < columns - 3)
      expected = value(last, rank, i / columns);
    if (i >= 6 && i < 9)
      expected = 100 + last;
    REQUIRE(host[i] == expected);
  }
  mgpuSymmetricFree(matrix, NULL);
}

/// Messages of all ranks to all ranks, larger than a segment, in the wrong
/// order of arrival; an element that several ranks put into.
static void channels(void) {
  int64_t count = 300000, one = 1;
  int *data = malloc(count * sizeof(int));
  MgpuTransfer transfer = {data, sizeof(int), 1, &count, &one};
  for (int round = 0; round < 2; ++round)
    for (int to = 0; to < size; ++to) {
      for (int i = 0; i < count; ++i)
        data[i] = value(rank, to, i + round);
      mgpuChannelPut("@All", rank * size + to, 4, &transfer, NULL);
    }
  for (int from = size; from-- > 0;)
    for (int round = 0; round < 2; ++round) {
      mgpuChannelGet("@All", from * size + rank, &transfer, NULL);
      for (int i = 0; i < count; ++i)
        REQUIRE(data[i] == value(from, rank, i + round));
    }
  count = 1;
  data[0] = rank;
  mgpuChannelPut("@Gather", 0, 4, &transfer, NULL);
  if (rank == 0) {
    int seen = 0;
    for (int i = 0; i < size; ++i) {
      mgpuChannelGet("@Gather", 0, &transfer, NULL);
      seen |= 1 << data[0];
    }
    REQUIRE(seen == (1 << size) - 1);
  }
  free(data);
}

/// The last put of a rank that ends is still received.
static void lastWords(void) {
  int64_t count = 1000, one = 1;
  int data[1000];
  MgpuTransfer transfer = {data, sizeof(int), 1, &count, &one};
  mgpuBarrier();
  if (rank == size - 1) {
    for (int i = 0; i < count; ++i)
      data[i] = value(rank, 0, i);
    mgpuChannelPut("@Last", 0, 4, &transfer, NULL);
    exit(0);
  }
  if (rank == 0) {
    usleep(300000);
    mgpuChannelGet("@Last", 0, &transfer, NULL);
    for (int i = 0; i < count; ++i)
      REQUIRE(data[i] == value(size - 1, 0, i));
    printf("received\n");
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "all";
  rank = mgpuGetRank();
  size = mgpuGetWorldSize();
  if (!strcmp(what, "last-words")) {
    lastWords();
    return 0;
  }
  if (!strcmp(what, "all")) {
    channels();
    for (int round = 0; round < 2; ++round) {
      mgpuSymmetricHeapInit((uint64_t)256 << 20);
      copies();
      strided();
      for (int i = 0; i < 100; ++i)
        mgpuBarrier();
      mgpuSymmetricHeapDestroy();
    }
    channels();
  } else {
    mgpuSymmetricHeapInit(1 << 20);
    char *memory = mgpuSymmetricAlloc(1000, NULL);
    mgpuBarrier();
    if (!strcmp(what, "outside") && rank == 0)
      mgpuMemcpy(peer(memory + 1024, size - 1), memory, 4, NULL);
    if (!strcmp(what, "exits") && rank == size - 1)
      exit(5);
    if (!strcmp(what, "killed") && rank == size - 1)
      abort();
    mgpuBarrier();
    if (!strcmp(what, "differs"))
      mgpuSymmetricAlloc(rank ? 100 : 200, NULL);
    mgpuBarrier();
    if (!strcmp(what, "waits") && rank == size - 1)
      sleep(1000);
    mgpuSymmetricHeapDestroy();
  }
  printf("rank %d of %d passed\n", rank, size);
  return 0;
}
