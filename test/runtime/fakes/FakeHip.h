//===- FakeHip.h - A HIP library for tests ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The libamdhip64 of the tests: implements the functions that the runtime calls
// on host memory. It validates arguments as HIP does (handles, allocated
// ranges, launch configurations), logs the calls, and can simulate failures.
// Code objects have their own format:
//
//   "\x7f" "ELF" TARGET "\n" then for each kernel NAME " " ARGUMENT-SIZES "\n"
//
// Virtual memory is real: an allocation is a memfd, its shareable handle is a
// file descriptor of it, and mappings are mappings of the process. Copies and
// fills reject memory to which the devices were not given access.
//
// After the launch of a kernel called "spin", the device never becomes idle.
//
// A kernel called "scale" (pointer, f32, i64) multiplies the given number of
// floats. Other kernels are only logged, with the bytes of their arguments.
//
// Environment variables, read on first use:
//   FAKE_HIP_ARCH  target IDs of the devices, separated by commas
//   FAKE_HIP_FAIL  FUNCTION=CODE: every call of that function returns CODE
//   FAKE_HIP_LOG   a file to which the calls are logged immediately
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_RUNTIME_FAKES_FAKEHIP_H
#define AIRCC_TEST_RUNTIME_FAKES_FAKEHIP_H

/// Returns the calls since the last fakeHipTakeLog, one per line. Valid until
/// the next call. Looked up by dlsym.
extern "C" const char *fakeHipTakeLog();

#endif // AIRCC_TEST_RUNTIME_FAKES_FAKEHIP_H
