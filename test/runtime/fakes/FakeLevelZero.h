//===- FakeLevelZero.h - A Level Zero loader for tests ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The libze_loader of the tests: implements the functions that the runtime
// calls on host memory. It validates arguments as specified (handles, structure
// types, sizes, alignments, objects in use), logs the calls, can simulate
// failures, and aborts at teardown if any object remains.
//
// Command lists execute only when the host waits, and only the commands that
// the wait requires, so missing ordering is detected. In an out-of-order list,
// commands between two barriers run in reverse order.
//
// Modules are SPIR-V or ELF files, of which only names are read. Kernels:
//   scale (pointer, f32, i64)  multiplies this many floats
//   other (pointer)            does nothing
//   fixed (pointer)            as other, for blocks of 16 x 2 x 1
//   shared (pointer, local)    as other, with 1000 bytes of shared memory
// A module that imports "unknown" cannot be linked.
//
// The clock has 36 bits, wraps around soon, and advances by 1.25 ms each time
// it is read.
//
// Environment variables, read on first use:
//   FAKE_ZE_GPUS        IP versions, separated by commas; of several drivers,
//                       by slashes. "npu" is a device that is not a GPU
//   FAKE_ZE_VERSION     API version of the drivers: MAJOR.MINOR
//   FAKE_ZE_EXTENSIONS  extensions of the drivers, separated by commas
//   FAKE_ZE_KERNEL      NAME SIZES: an additional kernel, which does nothing
//   FAKE_ZE_SYSTEM      GPUs can access all memory of the process
//   FAKE_ZE_BUILD_LOG   modules fail to build with this log
//   FAKE_ZE_FAIL        FUNCTION=RESULT: all calls of it return RESULT
//   FAKE_ZE_LOG         a file to which the calls are logged immediately
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZERO_H
#define AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZERO_H

/// Returns the calls since the last fakeLevelZeroTakeLog, one per line. Valid
/// until the next call. Looked up by dlsym.
extern "C" const char *fakeLevelZeroTakeLog();

#endif // AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZERO_H
