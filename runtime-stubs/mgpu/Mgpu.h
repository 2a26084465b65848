//===- Mgpu.h - The C ABI that compiled programs call -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points that MLIR's lowering of the gpu dialect calls (the
// gpu-to-llvm conversion and the translation of gpu.binary, LLVM 22.1), with
// the types that it passes, and a few more. Usable from C.
//
// All functions may be called from any thread. None returns an error: a call
// that fails says on standard error what failed, with its arguments and the
// device's reason, and ends the process with status 1. The device is opened by
// the first call that needs one; environment variables choose it (see
// docs/runtime.md).
//
// Streams, events, modules and functions are opaque handles. A null stream is
// the device's default stream. Sizes are in bytes unless said otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_MGPU_H
#define AIRCC_RUNTIME_MGPU_MGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MGPU_EXPORT __attribute__((visibility("default")))
#else
#define MGPU_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// How many devices there are, at least 1.
MGPU_EXPORT int32_t mgpuGetDeviceCount(void);

/// The index of the calling thread's current device. Threads start on device 0.
MGPU_EXPORT int32_t mgpuGetDevice(void);

/// Makes `device` the calling thread's current device.
MGPU_EXPORT void mgpuSetDevice(int32_t device);

/// The same; the name that gpu.set_default_device lowers to.
MGPU_EXPORT void mgpuSetDefaultDevice(int32_t device);

/// The index of the one of `count` targets (processor names with optional
/// features, "gfx942", "gfx90a:xnack-") that the current device runs best, of
/// equals the first. Ends the program when it runs none of them.
MGPU_EXPORT int32_t mgpuSelectTarget(const char *const *names, int32_t count);

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

/// Records `size` bytes of device code at `image`: a code object (ELF or
/// SPIR-V) or a clang offload bundle of several. The image is neither copied
/// nor looked at before the first mgpuModuleGetFunction, so this may be called
/// from global constructors and needs no device. `image` must stay valid until
/// the module is unloaded.
MGPU_EXPORT void *mgpuModuleLoad(void *image, size_t size);

/// Assembly text that a driver compiles at run time. No device of this runtime
/// can do that: ends the program.
MGPU_EXPORT void *mgpuModuleLoadJIT(void *assembly, int32_t optLevel);

/// Unloads the module; its functions become invalid. Null is ignored. Once the
/// process is ending this only frees the record.
MGPU_EXPORT void mgpuModuleUnload(void *module);

/// The kernel `name`. Loads the module on the current device if it is not
/// loaded yet; of a bundle, the code that suits the device best.
MGPU_EXPORT void *mgpuModuleGetFunction(void *module, const char *name);

/// Launches a kernel on the current device. The grid is in workgroups, the
/// block in lanes. `params` points to `paramsCount` pointers, one to each
/// argument. `extra` must be null. A grid with no workgroup in it launches
/// nothing.
MGPU_EXPORT void mgpuLaunchKernel(void *function, intptr_t gridX,
                                  intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY,
                                  intptr_t blockZ, int32_t dynamicSharedBytes,
                                  void *stream, void **params, void **extra,
                                  size_t paramsCount);

/// A launch in clusters of workgroups. No device of this runtime can do that:
/// ends the program.
MGPU_EXPORT void
mgpuLaunchClusterKernel(void *function, intptr_t clusterX, intptr_t clusterY,
                        intptr_t clusterZ, intptr_t gridX, intptr_t gridY,
                        intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                        intptr_t blockZ, int32_t dynamicSharedBytes,
                        void *stream, void **params, void **extra);

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

MGPU_EXPORT void *mgpuStreamCreate(void);
MGPU_EXPORT void mgpuStreamDestroy(void *stream);
/// Waits until everything put into the stream has been done.
MGPU_EXPORT void mgpuStreamSynchronize(void *stream);
/// Work put into the stream from now on waits for the event.
MGPU_EXPORT void mgpuStreamWaitEvent(void *stream, void *event);

MGPU_EXPORT void *mgpuEventCreate(void);
MGPU_EXPORT void mgpuEventDestroy(void *event);
MGPU_EXPORT void mgpuEventSynchronize(void *event);
MGPU_EXPORT void mgpuEventRecord(void *event, void *stream);

/// Writes the time between two recorded events, in milliseconds, to `*ms`, and
/// prints "Elapsed time: %.3f ms" on standard output. Returns 0.
MGPU_EXPORT int32_t mgpuEventElapsedTime(float *ms, void *start, void *stop);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Device memory; with `hostShared` memory that the host reaches under the same
/// address. 0 bytes give null.
MGPU_EXPORT void *mgpuMemAlloc(uint64_t bytes, void *stream, bool hostShared);

/// Null is ignored.
MGPU_EXPORT void mgpuMemFree(void *ptr, void *stream);

/// Copies between any two of host and device memory, in stream order.
MGPU_EXPORT void mgpuMemcpy(void *dst, void *src, size_t bytes, void *stream);

/// Writes `value` `count` times, in stream order.
MGPU_EXPORT void mgpuMemset16(void *dst, int16_t value, size_t count,
                              void *stream);
MGPU_EXPORT void mgpuMemset32(void *dst, int32_t value, size_t count,
                              void *stream);

/// Lets kernels access host memory.
MGPU_EXPORT void mgpuMemHostRegister(void *ptr, uint64_t bytes);
MGPU_EXPORT void mgpuMemHostUnregister(void *ptr);

/// The same for the elements of a memref, which must be contiguous and in
/// row-major order. `descriptor` is a ranked memref's.
MGPU_EXPORT void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                                           int64_t elementBytes);
MGPU_EXPORT void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                             int64_t elementBytes);

/// The descriptor of a memref of rank 1.
typedef struct {
  void *allocated;
  void *aligned;
  int64_t offset; ///< In elements.
  int64_t size;   ///< In elements.
  int64_t stride; ///< In elements.
} MgpuMemRef1d;

/// The memref under which kernels reach the registered host memref given.
MGPU_EXPORT MgpuMemRef1d mgpuMemGetDeviceMemRef1dFloat(float *allocated,
                                                       float *aligned,
                                                       int64_t offset,
                                                       int64_t size,
                                                       int64_t stride);
MGPU_EXPORT MgpuMemRef1d mgpuMemGetDeviceMemRef1dInt32(int32_t *allocated,
                                                       int32_t *aligned,
                                                       int64_t offset,
                                                       int64_t size,
                                                       int64_t stride);

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// This process's rank and the number of ranks, from the environment: RANK and
/// WORLD_SIZE, or the variables of Open MPI, MPICH and Slurm; 0 and 1 where
/// there are none.
MGPU_EXPORT int32_t mgpuGetRank(void);
MGPU_EXPORT int32_t mgpuGetWorldSize(void);

/// The symmetric heap, memory that every rank can reach. Only a world of one
/// rank is supported: in a larger one these end the program.
///
/// Reserves `bytes` on the current device. Every other call needs this one
/// first.
MGPU_EXPORT void mgpuSymmetricHeapInit(uint64_t bytes);
MGPU_EXPORT void mgpuSymmetricHeapDestroy(void);
/// Memory from the heap, aligned to 256 bytes, at the same offset on every
/// rank.
MGPU_EXPORT void *mgpuSymmetricAlloc(uint64_t bytes, void *stream);
MGPU_EXPORT void mgpuSymmetricFree(void *ptr, void *stream);
/// Where the heap of `rank` begins in this process's address space.
MGPU_EXPORT void *mgpuGetHeapBase(int32_t rank);
/// All heap bases, by rank. Host and kernels can read the array.
MGPU_EXPORT void **mgpuGetHeapBases(void);
/// Waits until all ranks have called it.
MGPU_EXPORT void mgpuBarrier(void);

//===----------------------------------------------------------------------===//
// Helpers of test programs
//===----------------------------------------------------------------------===//

/// Fills two host matrices of `rows` x `cols`: A with 1, 2, 3, … in row-major
/// order, B with the identity.
MGPU_EXPORT void mgpuInit(float *a, float *b, int64_t rows, int64_t cols);

/// Checks the host matrix C against A * B, each element to a relative error of
/// 1e-3 (absolute below 1). Prints "Output Matched!", or "Mismatch at (ROW,
/// COL): …" for the first element that differs and ends the program with
/// status 1. Matrices that are not square are supported where B is the
/// identity.
MGPU_EXPORT void mgpuCheckOutput(float *c, float *a, float *b, int64_t rows,
                                 int64_t cols);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // AIRCC_RUNTIME_MGPU_MGPU_H
