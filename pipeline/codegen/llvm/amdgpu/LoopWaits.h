//===- LoopWaits.h - Keep waits of fences in and after loops ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The AMDGPU backend makes the waits that belong to a fence or an ordered
// atomic "soft": its pass that counts what is in flight takes out those with
// nothing to wait for. In LLVM 22.1.8 that pass decides when it comes to a
// block for the first time, before it knows what is in flight along the back
// edge of a loop. It comes again when it does, but the wait is gone by then.
//
//     loop:
//       fence syncscope("workgroup") release     ; no wait for the store below
//       call void @llvm.amdgcn.s.barrier()
//       …
//       store i32 %x, ptr addrspace(3) %p
//       br i1 %again, label %loop, label %end
//
// The same goes for what comes after a loop. This is the one place that works
// around it; delete it when the LLVM in use is fixed.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_LOOPWAITS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_LOOPWAITS_H

namespace aircc {

/// From now on, makes soft waits that accesses in a loop may have to be waited
/// for at into ones that the backend keeps. All other code stays as it is. Call
/// once in a process, after the backend was initialised.
void keepWaitsOfLoops();

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_LOOPWAITS_H
