//===- FakeLevelZero.h - A Level Zero loader for tests ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests' libze_loader: the functions that the runtime calls, on host
// memory. It checks what it is given as the specification says (handles, types
// of structures, sizes, alignments, what is in use), keeps a log of the calls,
// can be told to fail, and aborts at its tear-down when anything is left.
//
// Command lists do nothing until the host waits, and then no more than what it
// waits for needs: what is not ordered is not done. Of a list that does not
// keep its order, commands between two barriers run last to first.
//
// Modules are SPIR-V or ELF files; of them only names are looked at. Kernels:
//   scale (pointer, f32, i64)  multiplies so many floats
//   other (pointer)            does nothing
//   fixed (pointer)            as other, for blocks of 16 x 2 x 1
//   shared (pointer, local)    as other, with 1000 bytes of shared memory
// A module that imports "unknown" cannot be linked.
//
// The clock has 36 bits, which soon wrap around, and shows 1.25 ms more each
// time that it is read.
//
// Environment, read when a function first needs it:
//   FAKE_ZE_GPUS        IP versions, separated by commas; of several drivers,
//                       by slashes. "npu" is a device that is no GPU
//   FAKE_ZE_VERSION     of the API that drivers have: MAJOR.MINOR
//   FAKE_ZE_EXTENSIONS  of the drivers, separated by commas
//   FAKE_ZE_KERNEL      NAME SIZES: one more kernel, which does nothing
//   FAKE_ZE_SYSTEM      GPUs reach all memory of the process
//   FAKE_ZE_BUILD_LOG   modules do not build, and this is why
//   FAKE_ZE_FAIL        FUNCTION=RESULT: every call of that function fails so
//   FAKE_ZE_LOG         a file to which the calls are written as they come
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZERO_H
#define AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZERO_H

/// The calls since the last time this was asked for, a line each. Valid until
/// the next call. Looked up by dlsym.
extern "C" const char *fakeLevelZeroTakeLog();

#endif // AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZERO_H
