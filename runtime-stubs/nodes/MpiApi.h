//===- MpiApi.h - The subset of MPI that the runtime uses -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Ranks on different nodes communicate by MPI. The library is loaded when a
// program runs on several nodes. MPI standardizes functions but not their
// binary interface. These declarations are those of Open MPI 4 and 5; other
// libraries are rejected.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_NODES_MPIAPI_H
#define AIRCC_RUNTIME_NODES_MPIAPI_H

#include "runtime-stubs/Device.h"

#include <cstddef>
#include <string>

namespace aircc::rt::mpi {

// Open MPI's handles are pointers to objects of the library.
using Comm = void *;
using Datatype = void *;
using Errhandler = void *;
using Request = void *;

/// Open MPI's MPI_Status.
struct MessageStatus {
  int source, tag, error, canceled;
  size_t bytes;
};

inline constexpr int success = 0;
inline constexpr int anySource = -1, anyTag = -1;
/// Only the thread that has initialized MPI calls it.
inline constexpr int threadFunneled = 1;

/// X(NAME, PARAMETERS) for each function MPI_NAME.
#define AIRCC_MPI_FUNCTIONS(X)                                                 \
  X(Initialized, (int *flag))                                                  \
  X(Init_thread, (int *argc, char ***argv, int required, int *provided))       \
  X(Finalize, (void))                                                          \
  X(Comm_rank, (Comm comm, int *rank))                                         \
  X(Comm_size, (Comm comm, int *size))                                         \
  X(Comm_set_errhandler, (Comm comm, Errhandler handler))                      \
  X(Error_string, (int code, char *text, int *length))                         \
  X(Allgather,                                                                 \
    (const void *send, int sendCount, Datatype sendType, void *receive,        \
     int receiveCount, Datatype receiveType, Comm comm))                       \
  X(Isend, (const void *buffer, int count, Datatype type, int to, int tag,     \
            Comm comm, Request *request))                                      \
  X(Test, (Request * request, int *flag, MessageStatus *status))               \
  X(Iprobe, (int from, int tag, Comm comm, int *flag, MessageStatus *status))  \
  X(Get_count, (const MessageStatus *status, Datatype type, int *count))       \
  X(Recv, (void *buffer, int count, Datatype type, int from, int tag,          \
           Comm comm, MessageStatus *status))

struct Api {
  // NOLINTBEGIN(readability-identifier-naming): MPI's names
#define AIRCC_MPI_DECLARE(NAME, PARAMETERS) int(*NAME) PARAMETERS = nullptr;
  AIRCC_MPI_FUNCTIONS(AIRCC_MPI_DECLARE)
#undef AIRCC_MPI_DECLARE
  // NOLINTEND(readability-identifier-naming)

  Comm world = nullptr;
  Datatype byte = nullptr;
  Errhandler returnErrors = nullptr;

  /// Loads the library that AIRCC_MPI_LIBRARY names, or Open MPI's.
  Status load();
  /// Converts an error code returned by `function` to a Status.
  Status check(const char *function, int code) const;
};

} // namespace aircc::rt::mpi

#endif // AIRCC_RUNTIME_NODES_MPIAPI_H
