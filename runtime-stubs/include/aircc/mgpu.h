//===- aircc/mgpu.h - The C ABI for compiled programs -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The entry points called by MLIR's lowering of the gpu dialect (gpu-to-llvm
// and the translation of gpu.binary, LLVM 22.1), with the argument types of
// that lowering, and aircc's additional ones. Usable from C.
//
// All functions are thread-safe. None returns an error: a failing call prints
// the reason and its arguments to standard error and terminates the process
// with status 1. The first call that needs the device opens it; environment
// variables select the device (see docs/runtime.md).
//
// Streams, events, modules and functions are opaque handles. A null stream is
// the default stream of the device. Sizes are in bytes unless noted otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_MGPU_H
#define AIRCC_MGPU_H

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

/// Returns the number of devices, at least 1.
MGPU_EXPORT int32_t mgpuGetDeviceCount(void);

/// Returns the calling thread's current device. Threads start on device 0.
MGPU_EXPORT int32_t mgpuGetDevice(void);

/// Makes `device` the calling thread's current device.
MGPU_EXPORT void mgpuSetDevice(int32_t device);

/// Same as mgpuSetDevice. gpu.set_default_device lowers to this name.
MGPU_EXPORT void mgpuSetDefaultDevice(int32_t device);

/// Returns the index of the target that the current device runs best, among
/// `count` targets (processor names with optional features, "gfx942",
/// "gfx90a:xnack-"). In a tie, returns the first one. Terminates the program if
/// the device runs none of them.
MGPU_EXPORT int32_t mgpuSelectTarget(const char *const *names, int32_t count);

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

/// Records `size` bytes of device code at `image`: a code object (ELF or
/// SPIR-V) or a clang offload bundle of several. The image is neither copied
/// nor read before the first mgpuModuleGetFunction, so this function needs no
/// device and may be called from global constructors. `image` must stay valid
/// until the module is unloaded.
MGPU_EXPORT void *mgpuModuleLoad(void *image, size_t size);

/// Would load assembly that a driver compiles at run time. No device of this
/// runtime supports this, so the function terminates the program.
MGPU_EXPORT void *mgpuModuleLoadJIT(void *assembly, int32_t optLevel);

/// Unloads the module and invalidates its functions. Null is ignored. During
/// process exit, only the record is freed.
MGPU_EXPORT void mgpuModuleUnload(void *module);

/// Returns the kernel `name`. Loads the module on the current device if
/// necessary. From a bundle, selects the code object that best suits the
/// device.
MGPU_EXPORT void *mgpuModuleGetFunction(void *module, const char *name);

/// Launches a kernel on the current device. The grid size is in workgroups, the
/// block size in lanes. `params` points to `paramsCount` pointers, one per
/// argument. `extra` must be null. An empty grid launches nothing.
MGPU_EXPORT void mgpuLaunchKernel(void *function, intptr_t gridX,
                                  intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY,
                                  intptr_t blockZ, int32_t dynamicSharedBytes,
                                  void *stream, void **params, void **extra,
                                  size_t paramsCount);

/// Terminates the program if the size of a launch differs from the size for
/// which `kernel` was compiled. `attribute` specifies that size:
/// "known_grid_size" (in workgroups) or "known_block_size" (in lanes).
MGPU_EXPORT void mgpuCheckLaunchSize(const char *kernel, const char *attribute,
                                     intptr_t x, intptr_t y, intptr_t z,
                                     intptr_t statedX, intptr_t statedY,
                                     intptr_t statedZ);

/// Would launch clusters of workgroups. No device of this runtime supports
/// this, so the function terminates the program.
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
/// Waits until all work submitted to the stream has completed.
MGPU_EXPORT void mgpuStreamSynchronize(void *stream);
/// Makes work submitted to the stream after this call wait for the event.
MGPU_EXPORT void mgpuStreamWaitEvent(void *stream, void *event);

MGPU_EXPORT void *mgpuEventCreate(void);
MGPU_EXPORT void mgpuEventDestroy(void *event);
MGPU_EXPORT void mgpuEventSynchronize(void *event);
MGPU_EXPORT void mgpuEventRecord(void *event, void *stream);

/// Writes the time between two recorded events, in milliseconds, to `*ms` and
/// prints "Elapsed time: %.3f ms" on standard output. Returns 0.
MGPU_EXPORT int32_t mgpuEventElapsedTime(float *ms, void *start, void *stop);

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A constant of a program that is stored not in the program but as a tensor of
/// a safetensors file.
typedef struct MgpuConstant {
  const char *file; ///< The file name without a directory.
  const char *name; ///< The name of the tensor.
  uint64_t bytes;
  uint64_t hash; ///< The hash of the bytes.
  void *state;   ///< Initially null; reserved for the runtime.
} MgpuConstant;

/// Which side reads a constant.
enum {
  MGPU_CONSTANT_HOST = 0,
  MGPU_CONSTANT_DEVICE = 1,
  MGPU_CONSTANT_SHARED = 2 ///< Both, at the same address.
};

/// Returns the address of a constant, for host code or for the current device.
/// The first call finds the file in a directory of AIRCC_CONSTANTS_PATH, or in
/// the directory of the library or executable that contains `constant->file`.
/// It compares the hash and copies the constant to the device. The memory stays
/// allocated until the process exits and must not be written.
MGPU_EXPORT void *mgpuGetConstant(MgpuConstant *constant, int32_t access);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Allocates device memory. With `hostShared`, the host can access it at the
/// same address. Returns null for 0 bytes.
MGPU_EXPORT void *mgpuMemAlloc(uint64_t bytes, void *stream, bool hostShared);

/// Frees device memory. Null is ignored.
MGPU_EXPORT void mgpuMemFree(void *ptr, void *stream);

/// Copies between any two locations in host or device memory, in stream order.
MGPU_EXPORT void mgpuMemcpy(void *dst, void *src, size_t bytes, void *stream);

/// Writes `value` `count` times, in stream order.
MGPU_EXPORT void mgpuMemset16(void *dst, int16_t value, size_t count,
                              void *stream);
MGPU_EXPORT void mgpuMemset32(void *dst, int32_t value, size_t count,
                              void *stream);

/// Lets kernels access host memory at its host address.
MGPU_EXPORT void mgpuMemHostRegister(void *ptr, uint64_t bytes);
MGPU_EXPORT void mgpuMemHostUnregister(void *ptr);

/// Does the same for the elements of a memref, which must be contiguous and in
/// row-major order. `descriptor` is the descriptor of a ranked memref.
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

/// Returns the memref through which kernels access a registered host memref.
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
// A rank is a process; docs/multi-gpu.md describes how ranks find each other.
// Every rank must make the calls marked collective, in the same order. If a
// rank dies, the others exit with a message that names it. A call that waits
// for another rank terminates the program after the time limit
// (AIRCC_WAIT_LIMIT) and reports what it waited for.
//===----------------------------------------------------------------------===//

/// Returns the rank of this process and the number of ranks, from the
/// environment: RANK and WORLD_SIZE, or the variables of Open MPI, MPICH and
/// Slurm. The defaults are 0 and 1.
MGPU_EXPORT int32_t mgpuGetRank(void);
MGPU_EXPORT int32_t mgpuGetWorldSize(void);

/// Terminates the program unless there are at least `ranks` ranks. In the
/// message, `what` names the op that needs them ("air.rank at file.mlir:3:5").
MGPU_EXPORT void mgpuRequireRanks(int64_t ranks, const char *what);

/// Terminates the program unless a universe of `capacity` devices has room for
/// `ranks` ranks. `what` names the op in the message.
MGPU_EXPORT void mgpuRequireUniverse(int64_t capacity, int64_t ranks,
                                     const char *what);

/// Terminates the program unless it was compiled for `ranks` ranks, that is,
/// unless `supported`, a string of '0' and '1', has a '1' at index `ranks`.
MGPU_EXPORT void mgpuRequireRankCount(int64_t ranks, const char *supported,
                                      const char *what);

/// Waits until all ranks have called it and the work in this rank's default
/// stream has completed. Collective. Inside a rank space, only the ranks of the
/// space take part.
MGPU_EXPORT void mgpuBarrier(void);

/// Until the thread leaves the space, its program runs on the first `ranks`
/// ranks only. Other ranks do not take part in its barriers. Spaces may be
/// nested.
MGPU_EXPORT void mgpuEnterRankSpace(int64_t ranks);
MGPU_EXPORT void mgpuLeaveRankSpace(void);

/// The symmetric heap is memory of the same size on every rank. Every rank can
/// access all heaps: on the host with mgpuMemcpy, and in kernels if the ranks
/// are on one node. Init selects the device whose index is the rank's number on
/// this node, reserves `bytes` there and maps the heaps of the other ranks. All
/// ranks must pass the same size. New heaps are zero. Init and Destroy are
/// collective. Only one heap can exist at a time.
MGPU_EXPORT void mgpuSymmetricHeapInit(uint64_t bytes);
/// Waits for the other ranks (except those that have exited), then frees the
/// heap. Does nothing if there is no heap.
MGPU_EXPORT void mgpuSymmetricHeapDestroy(void);

/// Allocates memory from the heap, aligned to 256 bytes, at the same offset on
/// all ranks that have made the same calls. Its contents are undefined. Returns
/// null for 0 bytes.
MGPU_EXPORT void *mgpuSymmetricAlloc(uint64_t bytes, void *stream);
/// Frees memory of the heap. Null is ignored.
MGPU_EXPORT void mgpuSymmetricFree(void *ptr, void *stream);

/// Returns the base of the heap of `rank` in the address space of this process.
MGPU_EXPORT void *mgpuGetHeapBase(int32_t rank);
/// Returns the array of all heap bases, indexed by rank. Host and kernels can
/// read it. The counterpart on rank r of `ptr` on this rank is bases[r] + (ptr
/// - bases[mgpuGetRank()]).
MGPU_EXPORT void **mgpuGetHeapBases(void);

//===----------------------------------------------------------------------===//
// Channels between ranks
//===----------------------------------------------------------------------===//

/// Allocates a buffer in the symmetric heap for a channel whose puts and gets
/// are in kernels: `bytes` zeros at the same offset on every rank, aligned to
/// 256 bytes. When the call returns, the buffers of all ranks have been
/// initialized. `name` is the name of the channel, such as "@C", in messages
/// about waiting kernels; it is copied. Collective.
MGPU_EXPORT void *mgpuChannelAlloc(const char *name, uint64_t bytes,
                                   void *stream);
/// Returns the array, indexed by rank, of the addresses at which kernels of
/// this rank access each rank's buffer of the channel whose own buffer is
/// `ptr`. Host and kernels can read it. The buffer consists of `rings` message
/// rings with `depth` slots of `lines` 128-byte lines, and each ring has one
/// sender and one receiver. Between nodes, the host transfers the messages.
MGPU_EXPORT void **mgpuGetChannelBases(void *ptr, int64_t rings, int64_t depth,
                                       int64_t lines);
/// Frees the buffer after all ranks have made this call. Collective.
MGPU_EXPORT void mgpuChannelFree(void *ptr, void *stream);

/// One side of a transfer: the elements base[i0 * strides[0] + i1 * strides[1]
/// + …], in row-major order of their indices. If `rank` is 0, there is a single
/// element.
typedef struct {
  void *base;           ///< In host or device memory; includes the offset.
  int64_t elementBytes; ///< 1, 2, 4, 8 or 16, or any number for a packed row.
  int64_t rank;
  const int64_t *sizes;   ///< In elements; the call copies them.
  const int64_t *strides; ///< In elements, may be 0 or negative; the call
                          ///< copies them.
} MgpuTransfer;

/// Copies the elements of one side to the other, in stream order. Both sides
/// must have the same number of elements of the same size. Either side may be
/// in the heap of another rank.
MGPU_EXPORT void mgpuMemcpyStrided(const MgpuTransfer *dst,
                                   const MgpuTransfer *src, void *stream);

/// Channels at rank level, for which the runtime transfers whole messages
/// between ranks. `channel` and `index` identify an element of a channel
/// (`index` is linearized for a channel with several dimensions). Any rank may
/// put to an element and any rank may get from it, including the same rank.
/// Messages from one rank arrive in the order in which they were put, and each
/// is received once. No symmetric heap is needed.
///
/// A put completes when its source may be overwritten. At most `depth` (at
/// least 1) messages from this rank to an element can be outstanding; another
/// put waits. A get completes when its destination has been written. Put and
/// get must agree on the number of bytes; otherwise, the program terminates.
///
/// Start begins a transfer and returns a handle. mgpuChannelWait waits until
/// the transfer completes and frees the handle; until then, the source or
/// destination must not be accessed. Earlier work in the stream precedes the
/// transfer. While any of these calls waits, all transfers of this rank make
/// progress.
MGPU_EXPORT void *mgpuChannelPutStart(const char *channel, int64_t index,
                                      int64_t depth, const MgpuTransfer *src,
                                      void *stream);
MGPU_EXPORT void *mgpuChannelGetStart(const char *channel, int64_t index,
                                      const MgpuTransfer *dst, void *stream);
MGPU_EXPORT void mgpuChannelWait(void *transfer);

/// Starts a transfer and waits for it.
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

/// Checks the host matrix C against A * B, with a relative error of 1e-3 per
/// element (absolute below 1). Prints "Output Matched!", or prints "Mismatch at
/// (ROW, COL): …" for the first wrong element and terminates the program with
/// status 1. Nonsquare matrices are supported if B is the identity.
MGPU_EXPORT void mgpuCheckOutput(float *c, float *a, float *b, int64_t rows,
                                 int64_t cols);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // AIRCC_MGPU_H
