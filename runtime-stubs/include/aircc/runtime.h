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
  /* There is no device, or a call of its driver failed. The memory that the
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

/*
 * The interface between compiled functions and the runtime. Programs need it
 * only if they find functions at run time: the table of `forward` has the name
 * `aircc_entry_forward`.
 */

#define AIRCC_ENTRY_VERSION 1

typedef struct AirccEntry {
  int64_t version; /* AIRCC_ENTRY_VERSION of the compiler. */
  const char *name;
  /* Flags (see below), the number of arguments, the number of results; for
   * each argument and each result: where in `texts` its element type is, the
   * bytes of an element, its rank (-1 for a number passed by value), its sizes
   * (-1 if dynamic); the number of checks; for each check: the relation that
   * two sizes must have (0: equal; 1: the left one is not less; 2: equal, or
   * one is 1), argument and dimension of the left one and of the right one (-1
   * if computed), where in `texts` the op that requires it is. */
  const int64_t *words;
  const char *texts;
  /* Each takes an array of pointers to the arguments: descriptors or numbers.
   * Calls the function; results follow. */
  void (*call)(void *const *arguments);
  /* Writes the dynamic sizes of the results to a memref of int64_t, which
   * follows; null if all are static. */
  void (*resultSizes)(void *const *arguments);
  /* Writes pairs of sizes, to a memref as well; null if there is no check. */
  void (*sizeChecks)(void *const *arguments);
} AirccEntry;

/* Flags: arguments are checked; resultSizes depends on elements of arguments,
 * so it may take as long as the function itself. */
#define AIRCC_ENTRY_CHECKED 1
#define AIRCC_ENTRY_SIZES_NEED_ELEMENTS 2

/* Calls a function with pointers to its arguments and results. */
AIRCC_API int32_t airccCall(const AirccEntry *entry, void *const *arguments);

/* Computes the dynamic sizes of the results, in order, from pointers to the
 * arguments. */
AIRCC_API int32_t airccGetResultSizes(const AirccEntry *entry,
                                      void *const *arguments, int64_t *sizes);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AIRCC_RUNTIME_H */
