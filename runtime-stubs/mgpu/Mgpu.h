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

/// Ends the program if a launch has another size than `kernel` states that it
/// was compiled for. `attribute` is what states it: "known_grid_size" (in
/// workgroups) or "known_block_size" (in lanes).
MGPU_EXPORT void mgpuCheckLaunchSize(const char *kernel, const char *attribute,
                                     intptr_t x, intptr_t y, intptr_t z,
                                     intptr_t statedX, intptr_t statedY,
                                     intptr_t statedZ);

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
//
// A rank is a process; docs/multi-gpu.md says how ranks find each other. Calls
// marked collective are made by every rank, in the same order. A rank that dies
// ends the others with a message that names it. A call that waits for another
// rank ends the program after the time limit (AIRCC_WAIT_LIMIT) and says what
// it waited for.
//===----------------------------------------------------------------------===//

/// This process's rank and the number of ranks, from the environment: RANK and
/// WORLD_SIZE, or the variables of Open MPI, MPICH and Slurm; 0 and 1 where
/// there are none.
MGPU_EXPORT int32_t mgpuGetRank(void);
MGPU_EXPORT int32_t mgpuGetWorldSize(void);

/// Ends the program unless there are at least `ranks` ranks. `what` is what
/// needs them, for the message ("air.rank at file.mlir:3:5").
MGPU_EXPORT void mgpuRequireRanks(int64_t ranks, const char *what);

/// Ends the program unless a universe of `capacity` devices has room for
/// `ranks` ranks. `what` is what has them, for the message.
MGPU_EXPORT void mgpuRequireUniverse(int64_t capacity, int64_t ranks,
                                     const char *what);

/// Ends the program unless it was compiled for `ranks` ranks: unless
/// `supported`, a string of '0' and '1', has a '1' at that place.
MGPU_EXPORT void mgpuRequireRankCount(int64_t ranks, const char *supported,
                                      const char *what);

/// Waits until all ranks have called it, and for what this rank has put into
/// its device's default stream. Collective. In a space of ranks it is that of
/// the ranks of the space.
MGPU_EXPORT void mgpuBarrier(void);

/// The calling thread's program is, until it leaves again, that of the first
/// `ranks` ranks: there may be more, which do not come to its barriers. Spaces
/// may lie in each other.
MGPU_EXPORT void mgpuEnterRankSpace(int64_t ranks);
MGPU_EXPORT void mgpuLeaveRankSpace(void);

/// The symmetric heap: memory of the same size on every rank, which every rank
/// can reach, on the host's side with mgpuMemcpy and in kernels. Init makes the
/// device with the rank's number on this node the current one, reserves `bytes`
/// there and maps the heaps of the other ranks. All ranks give the same size.
/// Fresh heaps are zero. Init and Destroy are collective; there is one heap at
/// a time.
MGPU_EXPORT void mgpuSymmetricHeapInit(uint64_t bytes);
/// Waits for the other ranks (those that have ended aside), then gives the heap
/// back. Nothing happens where there is none.
MGPU_EXPORT void mgpuSymmetricHeapDestroy(void);

/// Memory from the heap, aligned to 256 bytes, at the same offset on every rank
/// that has made the same calls. Its contents are undefined. 0 bytes give null.
MGPU_EXPORT void *mgpuSymmetricAlloc(uint64_t bytes, void *stream);
/// Null is ignored.
MGPU_EXPORT void mgpuSymmetricFree(void *ptr, void *stream);

/// Where the heap of `rank` begins in this process's address space.
MGPU_EXPORT void *mgpuGetHeapBase(int32_t rank);
/// All heap bases, by rank. Host and kernels can read the array. What lies at
/// `ptr` on this rank lies at bases[r] + (ptr - bases[mgpuGetRank()]) on r.
MGPU_EXPORT void **mgpuGetHeapBases(void);

//===----------------------------------------------------------------------===//
// Channels between ranks
//===----------------------------------------------------------------------===//

/// A buffer of the symmetric heap for a channel whose puts and gets are in
/// kernels: `bytes` zeros at the same offset on every rank, aligned to 256
/// bytes. When it returns the zeros are there on all ranks. `name` is the
/// channel in messages about kernels that wait, such as "@C"; it is copied.
/// Collective.
MGPU_EXPORT void *mgpuChannelAlloc(const char *name, uint64_t bytes,
                                   void *stream);
/// Gives the buffer back when all ranks have got here. Collective.
MGPU_EXPORT void mgpuChannelFree(void *ptr, void *stream);

/// One side of a transfer: the elements base[i0 * strides[0] + i1 * strides[1]
/// + …], in row-major order of their indices. `rank` may be 0: one element.
typedef struct {
  void *base; ///< Of the host or of the device, with the offset in it.
  int64_t elementBytes; ///< 1, 2, 4, 8 or 16, or of a packed row any number.
  int64_t rank;
  const int64_t *sizes;   ///< In elements; copied by the call.
  const int64_t *strides; ///< In elements, may be 0 or negative; copied.
} MgpuTransfer;

/// Copies the elements of one side to the other, in stream order. Both sides
/// have equally many elements of the same size. Either may lie in a peer's
/// heap.
MGPU_EXPORT void mgpuMemcpyStrided(const MgpuTransfer *dst,
                                   const MgpuTransfer *src, void *stream);

/// Channels at rank level: the runtime moves whole messages between ranks. The
/// element of a channel is named by `channel` and `index` (a channel of several
/// dimensions: the linearised index). Any rank may put into it and any rank get
/// from it, the same rank as well. Messages of one rank come in the order in
/// which they were put, each is got once. No symmetric heap is needed.
///
/// A put is done when its source may be overwritten: at most `depth` (at least
/// 1) messages that this rank has put into the element and nobody has got are
/// kept; a further put waits. A get is done when its destination has been
/// written. Put and get must agree on the number of bytes, or the program ends.
///
/// Start begins a transfer and returns a handle for mgpuChannelWait, which
/// waits until the transfer is done and frees the handle. Source or destination
/// must not be touched in between. What the stream did before Start comes
/// first. While any call here waits, all transfers of this rank proceed.
MGPU_EXPORT void *mgpuChannelPutStart(const char *channel, int64_t index,
                                      int64_t depth, const MgpuTransfer *src,
                                      void *stream);
MGPU_EXPORT void *mgpuChannelGetStart(const char *channel, int64_t index,
                                      const MgpuTransfer *dst, void *stream);
MGPU_EXPORT void mgpuChannelWait(void *transfer);

/// Start and wait.
MGPU_EXPORT void mgpuChannelPut(const char *channel, int64_t index,
                                int64_t depth, const MgpuTransfer *src,
                                void *stream);
MGPU_EXPORT void mgpuChannelGet(const char *channel, int64_t index,
                                const MgpuTransfer *dst, void *stream);

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
