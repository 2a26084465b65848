//===- EntryCheck.h - Checks the arguments of functions ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A compiled function does not check the descriptors of its arguments and
// results. The runtime checks them before anything is executed, and the error
// for a wrong descriptor names the argument.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_ENTRYCHECK_H
#define AIRCC_RUNTIME_MGPU_ENTRYCHECK_H

#include "runtime-stubs/Device.h"

#include "runtime-stubs/include/aircc/runtime.h"

namespace aircc::rt {

/// Checks the arguments and results of a call: addresses, static sizes, dynamic
/// sizes that must agree, strides (row-major, contiguous), alignment, and
/// whether results overlap something else.
Status checkCall(const AirccEntry &entry, void *const *arguments);

/// Checks only the arguments.
Status checkSizesCall(const AirccEntry &entry, void *const *arguments);

/// Computes the dynamic sizes of all results. Fails if one is negative.
Status computeResultSizes(const AirccEntry &entry, void *const *arguments,
                          int64_t *sizes);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_ENTRYCHECK_H
