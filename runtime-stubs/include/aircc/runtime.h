/*===- aircc/runtime.h - Calling compiled functions ------------*- C -*-===*\
|*                                                                        *|
|* Part of aircc, under the Apache License v2.0 with LLVM Exceptions.     *|
|* See LICENSE for license information.                                   *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                *|
|*                                                                        *|
\*===----------------------------------------------------------------------===*/

/*
 * A function `forward` on tensors becomes the C function
 *
 *     int32_t aircc_forward(arguments..., results...);
 *
 * which `aircc --header` declares. It takes a pointer to a descriptor for each
 * tensor (the sizes, the strides and the address of an array), and numbers by
 * value. It checks its arguments, computes on the device, writes the results,
 * and returns 0 or a status code.
 *
 * All functions may be called from any thread. The last error and the current
 * device belong to a thread.
 */

#ifndef AIRCC_RUNTIME_H
#define AIRCC_RUNTIME_H

#include <stdint.h>

#if defined(__GNUC__)
#define AIRCC_API __attribute__((visibility("default")))
#else
#define AIRCC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns. */
enum {
  AIRCC_SUCCESS = 0,
  /* An argument is not what the function takes. Nothing was executed. */
  AIRCC_INVALID_ARGUMENT = 1,
  /* There is no device, or a call to its driver failed. The memory that the
   * function had allocated is free again; the results have any value. */
  AIRCC_DEVICE_ERROR = 2
};

/* The message of the last call of this thread that failed; "" if none did. It
 * is valid until the next one fails. */
AIRCC_API const char *airccLastError(void);

/* Called with the status and the message of each error, in the thread in which
 * it happens, before the function returns the status. */
typedef void (*AirccErrorHandler)(int32_t status, const char *message,
                                  void *data);

/* Sets the function to call for errors, for all threads; null for none. A
 * runtime function that returns no status (mgpu...) calls it as well, and then
 * ends the process; without a handler, it writes the message to standard
 * error. */
AIRCC_API void airccSetErrorHandler(AirccErrorHandler handler, void *data);

/* Writes the number of devices to `count`. */
AIRCC_API int32_t airccGetDeviceCount(int32_t *count);

/* Makes `device`, from 0, the device of this thread. */
AIRCC_API int32_t airccSetDevice(int32_t device);

/* Writes the kind of the devices ("hip", "level-zero" or "sim"), and the index
 * of this thread's. */
AIRCC_API int32_t airccGetDevice(const char **kind, int32_t *index);

/*
 * Arguments and results may be in memory of the device: memory from
 * airccAllocate, mgpuMemAlloc, hipMalloc or hipMallocManaged, or device or
 * shared memory of Level Zero. Functions use it in place. Memory of the host is
 * copied to the device before the call, and from it afterwards.
 */

/*
 * Arguments are not modified, and results must not overlap arguments, with one
 * exception: the program allows a function to overwrite an argument that is
 * donated (`air.donated`). A comment at its declaration names these. After a
 * call, such an argument in memory of the device has any value, also if the
 * call has failed. It must not overlap other arguments. If a result is computed
 * in its memory, pass the same address for the result, so that nothing is
 * copied; another address gets a copy. The key "argument" of the result in
 * `aircc_signature_forward` is the number of the argument.
 */

/* The number of bytes that calls of this thread have copied so far, between
 * memory of callers and memory of their own, and from donated arguments to
 * results. */
AIRCC_API int64_t airccGetCopiedBytes(void);

/* Allocates memory of this thread's device; null for 0 bytes. Only kernels and
 * airccCopy access it. */
AIRCC_API int32_t airccAllocate(uint64_t bytes, void **memory);

/* Frees memory that airccAllocate has returned. Null is ignored. */
AIRCC_API int32_t airccFree(void *memory);

/* Copies between memory of the device or of the host, and waits for it. */
AIRCC_API int32_t airccCopy(void *destination, const void *source,
                            uint64_t bytes);

/* Writes the index of the device in whose memory `address` is; -1 for memory of
 * the host. */
AIRCC_API int32_t airccGetMemoryDevice(const void *address, int32_t *device);

/*
 * Asynchronous calls. `forward` also becomes
 *
 *     int32_t aircc_forward_async(arguments..., results..., void *stream);
 *
 * which launches its kernels on `stream` and returns without waiting for them.
 * The stream is one of airccCreateStream, null for the default stream, or of
 * this thread's device: a hipStream_t, or a ze_command_list_handle_t of an
 * immediate list in order. Release such a list before it is destroyed. All
 * arguments and results must be in memory of the device, and may be used by
 * other work before and after the call only in the order of the stream.
 * Functions in which code of the host computes with elements cannot be called
 * so. Both are errors before anything is launched. A kernel that fails is
 * reported by the functions that wait.
 *
 * Memory for intermediate values is allocated in the first call of a function
 * on a stream, or with larger sizes, and kept for the next calls on this
 * stream. So a second call allocates nothing, and can be captured in a graph.
 * While a graph can run, keep its stream, and let the graph and calls to the
 * same functions on this stream not run at the same time.
 */

/* Creates a stream of this thread's device. */
AIRCC_API int32_t airccCreateStream(void **stream);

/* Waits for the work in a stream. */
AIRCC_API int32_t airccSynchronize(void *stream);

/* Waits for the work in a stream, and frees the memory that functions have kept
 * for calls on it. */
AIRCC_API int32_t airccReleaseStream(void *stream);

/* The same, and destroys a stream of airccCreateStream. */
AIRCC_API int32_t airccDestroyStream(void *stream);

/*
 * The interface between compiled functions and the runtime. Programs need it
 * only if they find functions at run time: the table of `forward` has the name
 * `aircc_entry_forward`.
 */

/* The version of the functions and tables that compiled code uses: all of
 * this file, and mgpu.h. A constructor of the code passes the version that it
 * expects when it is loaded; if it differs, the process ends with a
 * message. */
#define AIRCC_RUNTIME_INTERFACE 1
AIRCC_API void airccCheckInterface(int32_t version);

#define AIRCC_ENTRY_VERSION 3

typedef struct AirccEntry {
  int64_t version; /* AIRCC_ENTRY_VERSION of the compiler. */
  const char *name;
  /* Flags (see below), the number of arguments, the number of results; for
   * each argument and each result: where in `texts` its element type is, the
   * bytes of an element, its rank (-1 for a number passed by value), its uses
   * (see below), its sizes (-1 if dynamic); the number of checks; for each
   * check: the relation that two sizes must have (0: equal; 1: the left one is
   * not less; 2: equal, or one is 1), argument and dimension of the left one
   * and of the right one (-1 if computed), where in `texts` the op that
   * requires it is; the number of results in the memory of arguments; for each
   * of them: the number of the result, that of the argument. */
  const int64_t *words;
  const char *texts;
  /* Each takes an array of pointers to the arguments: descriptors or numbers.
   * Calls the function; results follow, of which those in the memory of
   * arguments are not written. Memory that is used must be memory of
   * the device, and memory that the host uses must be shared with it. */
  void (*call)(void *const *arguments);
  /* Writes the dynamic sizes of the results to a memref of int64_t, which
   * follows; null if all are static. */
  void (*resultSizes)(void *const *arguments);
  /* Writes pairs of sizes, to a memref as well; null if there is no check. */
  void (*sizeChecks)(void *const *arguments);
} AirccEntry;

/* Flags: arguments are checked; resultSizes depends on elements of arguments,
 * so it may take as long as the function itself; code of the host accesses
 * elements, so it waits for kernels. */
#define AIRCC_ENTRY_CHECKED 1
#define AIRCC_ENTRY_SIZES_NEED_ELEMENTS 2
#define AIRCC_ENTRY_COMPUTES_ON_HOST 4

/* Uses of an argument or a result: its elements are used; by code of the host
 * as well; the argument is donated. */
#define AIRCC_ENTRY_USED 1
#define AIRCC_ENTRY_USED_BY_HOST 2
#define AIRCC_ENTRY_DONATED 4

/* Calls a function with pointers to its arguments and results. */
AIRCC_API int32_t airccCall(const AirccEntry *entry, void *const *arguments);

/* The same on `stream`, without waiting. */
AIRCC_API int32_t airccCallAsync(const AirccEntry *entry,
                                 void *const *arguments, void *stream);

/* Computes the dynamic sizes of the results, in order, from pointers to the
 * arguments. */
AIRCC_API int32_t airccGetResultSizes(const AirccEntry *entry,
                                      void *const *arguments, int64_t *sizes);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AIRCC_RUNTIME_H */
