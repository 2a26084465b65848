//===- HipApi.h - The subset of HIP that the runtime uses -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Declares HIP's entry points as documented in hip/hip_runtime_api.h. They are
// looked up at run time, so that neither building aircc nor starting a compiled
// program requires ROCm.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_HIP_HIPAPI_H
#define AIRCC_RUNTIME_HIP_HIPAPI_H

#include "runtime-stubs/Device.h"

#include <cstddef>
#include <string>

namespace aircc::rt::hip {

using Error = int; ///< hipError_t, an enum; 0 is hipSuccess.
using Stream = void *;
using Event = void *;
using Module = void *;
using Function = void *;

constexpr Error success = 0;
constexpr int memcpyDefault = 4;           ///< hipMemcpyDefault
constexpr unsigned streamNonBlocking = 1;  ///< hipStreamNonBlocking
constexpr unsigned memAttachGlobal = 1;    ///< hipMemAttachGlobal
constexpr unsigned hostRegisterMapped = 2; ///< hipHostRegisterMapped

/// hipDeviceProp_t, of which only the name of the architecture is read. There
/// are two layouts: that of ROCm 6 and later, written by
/// hipGetDevicePropertiesR0600, and that of ROCm 5, written by
/// hipGetDeviceProperties. The union is larger than both, because later
/// versions may append fields.
union DeviceProperties {
  struct {
    char before[1160];
    char gcnArchName[256];
  } r0600;
  struct {
    char before[396];
    char gcnArchName[256];
  } r0000;
  char bytes[8192];
};

/// hipMemLocation, hipMemAllocationProp and hipMemAccessDesc.
struct MemLocation {
  int type; ///< hipMemLocationType
  int id;   ///< A device.
};
struct MemAllocationProp {
  int type;                ///< hipMemAllocationType
  int requestedHandleType; ///< hipMemAllocationHandleType
  MemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
  } allocFlags;
};
struct MemAccessDesc {
  MemLocation location;
  int flags; ///< hipMemAccessFlags
};
using MemHandle = void *; ///< hipMemGenericAllocationHandle_t

constexpr int memLocationTypeDevice = 1;
constexpr int memAllocationTypePinned = 1;
constexpr int memHandleTypePosixFileDescriptor = 1;
constexpr int memAccessFlagsProtReadWrite = 3;
constexpr int memAllocationGranularityRecommended = 1;

/// hipPointerAttribute_t.
struct PointerAttributes {
  int type; ///< hipMemoryType, which differs between ROCm 5 and 6.
  int device;
  void *devicePointer;
  void *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};
constexpr Error invalidValue = 1; ///< hipErrorInvalidValue

// Virtual memory management, absent in older versions. X is as below.
#define AIRCC_HIP_MEMORY_FUNCTIONS(X)                                          \
  X(MemGetAllocationGranularity,                                               \
    (size_t *granularity, const MemAllocationProp *prop, int option))          \
  X(MemCreate, (MemHandle * handle, size_t bytes,                              \
                const MemAllocationProp *prop, unsigned long long flags))      \
  X(MemRelease, (MemHandle handle))                                            \
  X(MemExportToShareableHandle,                                                \
    (void *shareable, MemHandle handle, int type, unsigned long long flags))   \
  X(MemImportFromShareableHandle,                                              \
    (MemHandle * handle, void *shareable, int type))                           \
  X(MemAddressReserve, (void **pointer, size_t bytes, size_t alignment,        \
                        void *address, unsigned long long flags))              \
  X(MemAddressFree, (void *pointer, size_t bytes))                             \
  X(MemMap, (void *pointer, size_t bytes, size_t offset, MemHandle handle,     \
             unsigned long long flags))                                        \
  X(MemUnmap, (void *pointer, size_t bytes))                                   \
  X(MemSetAccess,                                                              \
    (void *pointer, size_t bytes, const MemAccessDesc *desc, size_t count))

// X(name without "hip", parameter types)
#define AIRCC_HIP_FUNCTIONS(X)                                                 \
  X(Init, (unsigned flags))                                                    \
  X(GetDeviceCount, (int *count))                                              \
  X(SetDevice, (int device))                                                   \
  X(ModuleLoadData, (Module * module, const void *image))                      \
  X(ModuleUnload, (Module module))                                             \
  X(ModuleGetFunction, (Function * function, Module module, const char *name)) \
  X(ModuleLaunchKernel,                                                        \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ,        \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     Stream stream, void **params, void **extra))                              \
  X(Malloc, (void **pointer, size_t bytes))                                    \
  X(MallocManaged, (void **pointer, size_t bytes, unsigned flags))             \
  X(Free, (void *pointer))                                                     \
  X(MemcpyAsync,                                                               \
    (void *dst, const void *src, size_t bytes, int kind, Stream stream))       \
  X(MemsetD8Async,                                                             \
    (void *dst, unsigned char value, size_t count, Stream stream))             \
  X(MemsetD16Async,                                                            \
    (void *dst, unsigned short value, size_t count, Stream stream))            \
  X(MemsetD32Async, (void *dst, int value, size_t count, Stream stream))       \
  X(PointerGetAttributes,                                                      \
    (PointerAttributes * attributes, const void *pointer))                     \
  X(HostRegister, (void *pointer, size_t bytes, unsigned flags))               \
  X(HostUnregister, (void *pointer))                                           \
  X(HostGetDevicePointer, (void **device, void *host, unsigned flags))         \
  X(StreamCreate, (Stream * stream))                                           \
  X(StreamCreateWithFlags, (Stream * stream, unsigned flags))                  \
  X(StreamDestroy, (Stream stream))                                            \
  X(StreamSynchronize, (Stream stream))                                        \
  X(StreamWaitEvent, (Stream stream, Event event, unsigned flags))             \
  X(EventCreate, (Event * event))                                              \
  X(EventDestroy, (Event event))                                               \
  X(EventRecord, (Event event, Stream stream))                                 \
  X(EventSynchronize, (Event event))                                           \
  X(EventElapsedTime, (float *ms, Event start, Event stop))

/// The loaded library.
struct Api {
  // NOLINTBEGIN(readability-identifier-naming): HIP's names
#define AIRCC_HIP_MEMBER(NAME, PARAMETERS) Error(*NAME) PARAMETERS = nullptr;
  AIRCC_HIP_FUNCTIONS(AIRCC_HIP_MEMBER)
  AIRCC_HIP_MEMORY_FUNCTIONS(AIRCC_HIP_MEMBER)
#undef AIRCC_HIP_MEMBER
  const char *(*GetErrorName)(Error) = nullptr;
  const char *(*GetErrorString)(Error) = nullptr;
  // Only one of the two is available.
  Error (*GetDevicePropertiesR0600)(DeviceProperties *, int) = nullptr;
  Error (*GetDeviceProperties)(DeviceProperties *, int) = nullptr;
  // NOLINTEND(readability-identifier-naming)

  /// The missing functions of virtual memory management, or empty if it is
  /// complete.
  std::string lacksMemory;

  /// Loads libamdhip64: the file named by AIRCC_HIP_LIBRARY, otherwise the
  /// newest version that the dynamic linker finds, otherwise the one in
  /// $ROCM_PATH/lib or /opt/rocm/lib.
  Status load();

  /// Returns success or a failure such as "hipMalloc failed:
  /// hipErrorOutOfMemory (2): out of memory".
  Status check(const char *function, Error error) const;
};

} // namespace aircc::rt::hip

#endif // AIRCC_RUNTIME_HIP_HIPAPI_H
