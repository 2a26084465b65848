//===- Host.h - What compiled kernels call ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code calls these by their addresses. None of them throws: a fault
// ends the lane where it is.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_HOST_H
#define AIRCC_SIMULATOR_SPIRV_HOST_H

#include "simulator/spirv/Lane.h"

namespace aircc::sim::spirv::host {

/// Checks an access before it is made.
void access(Lane *lane, const AccessSite *site, uint64_t address);
/// The same of so many bytes.
void accessBytes(Lane *lane, const AccessSite *site, uint64_t address,
                 uint64_t bytes);
/// Waits for the other lanes, and for what they do together. `record` holds the
/// lane's values.
void converge(Lane *lane, const CollectiveSite *site, uint8_t *record);
/// The lane's turn is over.
void yield(Lane *lane, const LoopSite *site);
/// Opens and closes a function's frame of private memory.
uint8_t *enter(Lane *lane, const FrameLayout *layout);
void leave(Lane *lane);
/// Ends the launch, if `bad`.
void check(Lane *lane, const Site *site, bool bad, const char *why);
/// Prints a text, with arguments of 64 bits each: integers, or a double.
void print(Lane *lane, const PrintSite *site, const uint64_t *arguments,
           uint64_t count);
/// Orders memory of the lane (OpMemoryBarrier and atomics).
void fence(Lane *lane, uint32_t scope, uint32_t semantics);
/// Before and after an instruction of a traced program: what it reads, and what
/// it made.
void traceOperands(Lane *lane, const TraceSite *site, const uint8_t *record);
void traceResult(Lane *lane, const TraceSite *site, const uint8_t *record);

} // namespace aircc::sim::spirv::host

#endif // AIRCC_SIMULATOR_SPIRV_HOST_H
