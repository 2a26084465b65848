//===- Host.h - Functions that compiled kernels call ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Compiled code contains the addresses of these functions. They do not throw: a
// fault suspends the lane for good, and the launch fails.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_HOST_H
#define AIRCC_SIMULATOR_SPIRV_HOST_H

#include "simulator/spirv/Lane.h"

namespace aircc::sim::spirv::host {

/// Checks an access of the site's size before it is executed.
void access(Lane *lane, const AccessSite *site, uint64_t address);
/// Checks an access of `bytes` bytes before it is executed.
void accessBytes(Lane *lane, const AccessSite *site, uint64_t address,
                 uint64_t bytes);
/// Executes a collective operation. Returns when all lanes have arrived and the
/// result is in `record`, which also contains the operands.
void converge(Lane *lane, const CollectiveSite *site, uint8_t *record);
/// Lets the other lanes execute after the lane has used its time slice.
void yield(Lane *lane, const LoopSite *site);
/// Allocate and free a function's frame in private memory.
uint8_t *enter(Lane *lane, const FrameLayout *layout);
void leave(Lane *lane);
/// Fails the launch if `bad` is set.
void check(Lane *lane, const Site *site, bool bad, const char *why);
/// Prints a text. Each argument is an integer or a double in 64 bits.
void print(Lane *lane, const PrintSite *site, const uint64_t *arguments,
           uint64_t count);
/// Orders memory of the lane (OpMemoryBarrier and atomics).
void fence(Lane *lane, uint32_t scope, uint32_t semantics);
/// Report the operands of an instruction of a traced program before it
/// executes, and the result afterwards.
void traceOperands(Lane *lane, const TraceSite *site, const uint8_t *record);
void traceResult(Lane *lane, const TraceSite *site, const uint8_t *record);

} // namespace aircc::sim::spirv::host

#endif // AIRCC_SIMULATOR_SPIRV_HOST_H
