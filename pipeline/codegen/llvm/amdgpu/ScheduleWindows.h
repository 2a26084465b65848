//===- ScheduleWindows.h - Bound the cost of scheduling --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's schedulers compare all instructions that could come next each time
// that they choose one, and after register allocation look back for hazards for
// each of them. In an unrolled block of matrix instructions, which hardly
// depend on each other, that takes as long as all else of a compile together.
// So long blocks are scheduled in windows after register allocation, and before
// it by the strategy of the AMDGPU backend that goes over a block once.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_SCHEDULEWINDOWS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_SCHEDULEWINDOWS_H

namespace llvm {
class Module;
} // namespace llvm

namespace aircc {

/// Gives functions with long blocks of matrix instructions the scheduling
/// strategy that comes to their end soonest.
void chooseSchedulers(llvm::Module &module);

/// From now on, lets the AMDGPU backend move instructions of long blocks only
/// within windows after it has allocated registers. Call once in a process,
/// after the backend was initialised.
void scheduleInWindows();

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_SCHEDULEWINDOWS_H
