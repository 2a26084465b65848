//===- FakeHip.h - A HIP library for tests ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests' libamdhip64: the functions that the runtime calls, on host memory.
// It checks what it is given as HIP does (handles that exist, ranges that are
// allocated, configurations that can run), keeps a log of the calls, and can be
// told to fail. Code objects have a form of its own:
//
//   "\x7f" "ELF" TARGET "\n" then for each kernel NAME " " ARGUMENT-SIZES "\n"
//
// Virtual memory is real: an allocation is a memfd, its shareable handle a
// descriptor of it, a mapping one of the process. Access that was not set for
// the devices is refused to copies and fills.
//
// After the launch of a kernel called "spin" the device is never done.
//
// A kernel called "scale" (pointer, f32, i64) multiplies so many floats; any
// other does nothing but be logged, with the bytes of its arguments.
//
// Environment, read when a function first needs it:
//   FAKE_HIP_ARCH  target IDs of the devices, separated by commas
//   FAKE_HIP_FAIL  FUNCTION=CODE: every call of that function fails so
//   FAKE_HIP_LOG   a file to which the calls are written as they come
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_RUNTIME_FAKES_FAKEHIP_H
#define AIRCC_TEST_RUNTIME_FAKES_FAKEHIP_H

/// The calls since the last time this was asked for, a line each. Valid until
/// the next call. Looked up by dlsym.
extern "C" const char *fakeHipTakeLog();

#endif // AIRCC_TEST_RUNTIME_FAKES_FAKEHIP_H
