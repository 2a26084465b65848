//===- Passes.td - Passes of the hierarchy stage -----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_PASSES_TD
#define AIRCC_PIPELINE_HIERARCHY_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From AIR to kernels
//===----------------------------------------------------------------------===//

def CheckHierarchy : Pass<"hierarchy-check-hierarchy", "::mlir::ModuleOp"> {
  let summary = "Reject ops that a GPU does not support";
  let description = [{
    Emits an error, with the reason and an alternative, at each op that this
    stage cannot lower: `air.custom`, and ops that stage `channels` should have
    lowered (`air.rank`, `air.translate`, channels in the symmetric heap,
    transfers between ranks). Emits a warning at each transfer whose strides
    look like those of a subview, so that its rows overlap.

    Example:
    ```mlir
    func.func @main() {
      // error: 'air.custom' op represents work that the compiler cannot analyze
      air.custom
      return
    }
    ```
  }];
}

def CheckWaveSize : Pass<"hierarchy-check-wave-size", "::mlir::ModuleOp"> {
  let summary = "Emit remarks at code that assumes larger waves";
  let description = [{
    Emits a remark at the first op in a herd or kernel whose lane numbering
    assumes more lanes in a wave than the target has: `wave * 64 + lane`, where
    the wave is a herd id or `gpu.subgroup_id`.

    In this example, the remark is "this code assumes 64 lanes in a wave, but
    the target's waves have 32":
    ```mlir
    // --hierarchy-check-wave-size=wave-size=32
    func.func @main(%m: memref<256xf32>) {
      %c4 = arith.constant 4 : index
      air.herd tile (%x) in (%n=%c4) args(%h=%m) : memref<256xf32> {
        %c64 = arith.constant 64 : index
        %f = arith.constant 0.0 : f32
        %first = arith.muli %x, %c64 : index
        %lane = gpu.lane_id
        %i = arith.addi %first, %lane : index
        memref.store %f, %h[%i] : memref<256xf32>
      }
      return
    }
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "The number of lanes in a wave">
  ];
}

def SerializeTokens : Pass<"hierarchy-serialize-tokens", "::mlir::ModuleOp"> {
  let summary = "Replace tokens with program order";
  let description = [{
    Makes every AIR op blocking, inlines `air.execute`, and removes tokens from
    loops, branches and arguments. Because a token is defined before it is used,
    program order satisfies every dependency expressed by tokens.

    Tokens in host code that only order launches in one block are kept:
    `hierarchy-convert-launches` converts them to streams.

    Example:
    ```mlir
    func.func @main(%a: memref<64xf32>) {
      air.launch () in () args(%m=%a) : memref<64xf32> {
        %t, %l2 = air.execute -> (memref<64xf32, 1>) {
          %l = memref.alloc() : memref<64xf32, 1>
          air.execute_terminator %l : memref<64xf32, 1>
        }
        %s = air.dma_memcpy_nd async [%t] (%l2[] [] [], %m[] [] [])
            : (memref<64xf32, 1>, memref<64xf32>)
        air.wait_all [%s]
      }
      return
    }
    // becomes
    air.launch () in () args(%m=%a) : memref<64xf32> {
      %l = memref.alloc() : memref<64xf32, 1>
      air.dma_memcpy_nd (%l[] [] [], %m[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
    }
    ```
  }];
  let dependentDialects = ["::mlir::ub::UBDialect"];
}

def CompleteHierarchy : Pass<"hierarchy-complete-hierarchy", "::mlir::ModuleOp"> {
  let summary = "Inline functions that belong to a kernel";
  let description = [{
    Inlines functions that are called in a launch, segment or herd and contain
    AIR ops, buffers or work for several workers. Also inlines functions that
    host code calls with L1 or L2 buffers. Functions that are no longer called
    are erased.

    If a herd of constant size only computes values and runs another herd, both
    become one herd, with a PE for each point of the inner herd at each point of
    the outer one.

    If a launch, segment or herd only casts an unranked memref to ranked ones,
    the cast is moved in front of it, because the descriptor is in host memory.

    Example:
    ```mlir
    func.func private @load(%l2: memref<4xi32, 1>, %m: memref<4xi32>) {
      air.dma_memcpy_nd (%l2[] [] [], %m[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
      return
    }
    func.func @main(%m: memref<4xi32>) {
      air.segment args(%a=%m) : memref<4xi32> {
        %l2 = memref.alloc() : memref<4xi32, 1>
        func.call @load(%l2, %a) : (memref<4xi32, 1>, memref<4xi32>) -> ()
      }
      return
    }
    // becomes
    air.segment args(%a=%m) : memref<4xi32> {
      %l2 = memref.alloc() : memref<4xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    }
    ```
  }];
  let dependentDialects = ["::aircc::air::AIRDialect"];
}

def MoveCallerBuffers : Pass<"hierarchy-move-caller-buffers", "::mlir::ModuleOp"> {
  let summary = "Convert L1 and L2 buffers passed by callers to L3 buffers";
  let description = [{
    A function called by code outside of the module may have L1 or L2 buffers as
    arguments, although such buffers only exist inside of a launch. The memory
    of such an argument belongs to the caller. Its type is therefore changed to
    L3, as are the types of views and of segment and herd arguments derived from
    it. A remark reports this.

    Example:
    ```mlir
    func.func @main(%a: memref<32xi32, 1>) {
      %c1 = arith.constant 1 : index
      air.herd tile (%x) in (%n=%c1) args(%h=%a) : memref<32xi32, 1> {
        %l1 = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %h[] [] []) : (memref<32xi32, 2>, memref<32xi32, 1>)
      }
      return
    }
    // becomes
    func.func @main(%a: memref<32xi32>) {
      air.herd tile (%x) in (%n=%c1) args(%h=%a) : memref<32xi32> {
        %l1 = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %h[] [] []) : (memref<32xi32, 2>, memref<32xi32>)
      }
      return
    }
    ```
  }];
}

def InferLaunches : Pass<"hierarchy-infer-launches", "::mlir::ModuleOp"> {
  let summary = "Put segments, herds and transfers in host code into launches";
  let description = [{
    Converts segments, herds, DMAs and channel ops in a function, outside of
    `air.launch`, to launches. Ops that share an L1 or L2 buffer, or contain the
    ends of a channel, become one launch in program order, together with the
    allocation of the buffer and the ops between them that access memory. A loop
    or branch whose body can run on the device becomes part of the launch. A
    parallel loop becomes the grid, with one workgroup for each iteration,
    unless it shares a buffer with code around it. A launch with a single point
    that shares a buffer with ops around it absorbs them.

    Tokens that only order ops of the launch remain in it. Others become
    dependencies of the launch, or are replaced with its token.

    It is an error at the op if the host reads or writes an L1 or L2 buffer, or
    if an op that can only run on the host is between the ops of a launch.

    Example:
    ```mlir
    func.func @main(%a: memref<128xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      scf.parallel (%i) = (%c0) to (%c128) step (%c64) {
        %l2 = memref.alloc() : memref<64xi32, 1>
        air.dma_memcpy_nd (%l2[] [] [], %a[%i] [64] [1]) : (memref<64xi32, 1>, memref<128xi32>)
        air.herd tile (%x) in (%n=%c1) args(%b=%l2) : memref<64xi32, 1> {
          %c3 = arith.constant 3 : index
          %v = arith.constant 7 : i32
          memref.store %v, %b[%c3] : memref<64xi32, 1>
        }
        air.dma_memcpy_nd (%a[%i] [64] [1], %l2[] [] []) : (memref<128xi32>, memref<64xi32, 1>)
        memref.dealloc %l2 : memref<64xi32, 1>
      }
      return
    }
    // becomes
    air.launch (%x) in (%n=%c2) args(%b=%a) : memref<128xi32> {
      %i = arith.muli %x, %c64 : index
      %l2 = memref.alloc() : memref<64xi32, 1>
      air.dma_memcpy_nd (…)
      air.herd …
      air.dma_memcpy_nd (…)
      memref.dealloc %l2 : memref<64xi32, 1>
    }
    ```
  }];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect"
  ];
}

def LowerChannels : Pass<"hierarchy-lower-channels", "::mlir::ModuleOp"> {
  let summary = "Lower channels inside of one launch to transfers";
  let description = [{
    First changes the memory space of buffers according to which code uses them.
    An L1 buffer of a segment becomes an L2 buffer if it is passed to herds of
    different sizes, one of which only reads it: their PEs do not correspond to
    each other, and share the buffer on NPUs. An L2 or L3 buffer that a herd
    allocates becomes an L1 buffer, and an L3 buffer that a launch or a segment
    allocates becomes an L2 buffer, because no other code can access it.

    Interprets the control flow of each launch with channels at compile time,
    for all PEs, to find out which get receives the data of which put. Sizes of
    spaces, trip counts, and conditions and indices around puts and gets must be
    known.

    If one end of a channel is in code of the launch or a segment, and its
    memref does not change in between, the op at the other end becomes a
    transfer between the memrefs of both ends. The offsets at the first end are
    rewritten as functions of the ids and loops at the other end.

    If a loop of the segment fills a buffer and puts it, and a loop of a herd
    with the same iterations gets it, the two loops are merged; likewise if the
    segment's loop gets from a herd. The PEs execute the transfers of the
    segment's loop together, between two barriers.

    Other channels get a queue in L2 with room for all their messages, and the
    code that puts is moved before the code that gets; a remark states the size.
    Between PEs of one herd, a get waits until a counter of the queue shows that
    its data has arrived. Herds that need messages from each other are first
    merged into one herd, in which each PE executes the body of one of them.

    Example:
    ```mlir
    air.channel @in [2]
    func.func @main(%m: memref<128xi32>) {
      air.launch () in () args(%a=%m) : memref<128xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c64 = arith.constant 64 : index
        scf.for %i = %c0 to %c2 step %c1 {
          %first = arith.muli %i, %c64 : index
          air.channel.put @in[%i] (%a[%first] [64] [1]) : (memref<128xi32>)
        }
        air.herd tile (%x) in (%n=%c2) {
          %t = memref.alloc() : memref<64xi32, 2>
          air.channel.get @in[%x] (%t[] [] []) : (memref<64xi32, 2>)
        }
      }
      return
    }
    // becomes
    air.herd tile (%x) in (%n=%c2) args(%b=%a) : memref<128xi32> {
      %t = memref.alloc() : memref<64xi32, 2>
      %first = arith.muli %x, %c64 : index
      air.dma_memcpy_nd (%t[] [] [], %b[%first] [64] [1])
          : (memref<64xi32, 2>, memref<128xi32>)
    }
    ```
  }];
  let options = [
    Option<"maxWaves", "max-waves", "int64_t", "16",
           "The maximum number of waves of a workgroup">
  ];
  let dependentDialects = ["::aircc::air::AIRDialect",
                           "::aircc::kernel::KernelDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def RunHerdsInRounds : Pass<"hierarchy-run-herds-in-rounds", "::mlir::ModuleOp"> {
  let summary = "Execute herds with more PEs than waves in rounds";
  let description = [{
    If a herd has more PEs than a workgroup has waves, it becomes a herd with
    the maximum number of waves. Each wave executes several PEs, one per round.
    All rounds must reach a barrier before the first one continues, so the body
    is split at barriers, and each part becomes a loop over the rounds. Loops
    and branches with barriers are executed outside of rounds, so their bounds
    and conditions must be uniform across the PEs.

    Values that a PE uses after the barrier are recomputed, or stored in an L1
    buffer with an element for each round. An L1 buffer used by several parts
    has a copy for each PE; other L1 buffers have one for each wave. An L1
    buffer that the segment passes to the herd also has a copy for each PE.

    Ids and sizes are those of the PE. Each such herd gets a remark with the
    number of rounds.

    Example: 32 PEs on 16 waves.
    ```mlir
    func.func @f(%m: memref<32xi32>) {
      %c32 = arith.constant 32 : index
      air.launch () in () args(%l = %m) : memref<32xi32> {
        %n = arith.constant 32 : index
        air.herd tile (%x) in (%nx = %n) args(%h = %l) : memref<32xi32> {
          %v = arith.index_cast %x : index to i32
          memref.store %v, %h[%x] : memref<32xi32>
          gpu.barrier
        }
      }
      return
    }
    // becomes
    air.herd tile (%w) in (%nw = %c16) args(%h = %l) : memref<32xi32> {
      scf.for %round = %c0 to %c2 step %c1 {
        %first = arith.muli %round, %c16 : index
        %x = arith.addi %first, %w : index
        %v = arith.index_cast %x : index to i32
        memref.store %v, %h[%x] : memref<32xi32>
      } {kernel.scope = #kernel.scope<wave>}
      gpu.barrier
    }
    ```

    Errors: a barrier that not all PEs are known to reach together; a value that
    is live across a barrier and can be neither recomputed nor stored; an op
    that needs all PEs at once, such as `gpu.all_reduce`.
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "The number of lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "The maximum number of threads in a workgroup">,
    Option<"maxWaves", "max-waves", "int64_t", "0",
           "The maximum number of waves on a compute unit (0: unlimited)">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ConvertLaunches : Pass<"hierarchy-convert-launches", "::mlir::ModuleOp"> {
  let summary = "Convert air.launch to gpu.launch";
  let description = [{
    The space of a launch becomes the grid. The spaces of its segments multiply
    the grid; workgroup ids are permuted so that the instances of a segment with
    `"backend-granularity" = "XCD"` execute on their XCDs. Segments are inlined.
    Herds are kept, with the scope of their body, and the block is as large as
    the largest herd. A PE of a herd is a wave (`pe=wave`) or a lane
    (`pe=lane`).

    Tokens of launches become `gpu.async.token`s, with one stream for each chain
    of launches. At the end of a block, the host waits for the streams that are
    still running.

    Example, with waves of 64 lanes:
    ```mlir
    func.func @main() {
      %c8 = arith.constant 8 : index
      air.launch (%x) in (%n=%c8) {
        air.segment {
          %c4 = arith.constant 4 : index
          air.herd tile (%i) in (%ni=%c4) {
            "test.use"(%i) : (index) -> ()
          }
        }
      }
      return
    }
    // becomes
    gpu.launch blocks(%x, …) in (… = %c8, …) threads(…) in (… = %c256, …) {
      air.herd tile (%i) in (%ni=%c4) attributes {kernel.scope = #kernel.scope<wave>} {
        "test.use"(%i) : (index) -> ()
      }
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "The number of lanes in a wave">,
    Option<"pe", "pe", "std::string", "\"wave\"",
           "What a PE of a herd is: wave or lane">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "The maximum number of threads in a workgroup">,
    Option<"maxWaves", "max-waves", "int64_t", "0",
           "The number of waves that a compute unit holds (0: do not check)">,
    Option<"xcds", "xcds", "int64_t", "1", "The number of XCDs of the device">,
    Option<"waveIds", "wave-ids", "bool", "false",
           "The device provides the id of a wave (gpu.subgroup_id)">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def MergeLaunches : Pass<"hierarchy-merge-launches", "::mlir::ModuleOp"> {
  let summary = "Merge small independent launches";
  let description = [{
    In functions with `air.merge_launches`, two launches are merged if neither
    writes memory that the other uses, their workgroups have the same size, and
    they have at most `max-workgroups` workgroups or `max-lanes` lanes in total,
    which a device can execute at once. The first workgroups of the merged
    launch execute the first launch. Both use the same workgroup buffers where
    the types are equal; all buffers together have at most `lds-bytes` bytes.

    Other launches may be between the two if one of the two is independent of
    all of these; it then moves to the position of the other. Chains of ops on
    different arguments therefore become a single chain. A merged launch
    combines at most 4 launches, or 16 with the same number of ops, or any
    number with few ops.

    Example:
    ```mlir
    func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) attributes {air.merge_launches} {
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %x = gpu.alloc () : memref<64xf32>
      %y = gpu.alloc () : memref<64xf32>
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
        memref.store %zero, %x[%tx] : memref<64xf32>
        gpu.terminator
      }
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
        memref.store %zero, %y[%tx] : memref<64xf32>
        gpu.terminator
      }
      return
    }
    // becomes
    gpu.launch blocks(%bx, …) in (%gx = %c2, …) threads(…) in (…) {
      %first = arith.cmpi ult, %bx, %c1 : index
      scf.if %first {
        memref.store %zero, %x[%tx] : memref<64xf32>
      } else {
        memref.store %zero, %y[%tx] : memref<64xf32>
      }
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"maxWorkgroups", "max-workgroups", "int64_t", "64",
           "The maximum number of workgroups of a merged launch">,
    Option<"maxLanes", "max-lanes", "int64_t", "0",
           "The maximum number of lanes of a merged launch with more workgroups">,
    Option<"ldsBytes", "lds-bytes", "int64_t", "65536",
           "The maximum number of bytes in workgroup buffers of a merged launch">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def CollectWork : Pass<"hierarchy-collect-work", "::mlir::ModuleOp"> {
  let summary = "Describe launches for the kernel report";
  let description = [{
    Adds the attribute `air.kernel_work` to each launch of ops described by
    `dispatch-describe-work`: its grid, the number of bytes in the buffers that
    it reads and writes, and these ops. The pass only runs if a report is
    requested; it does not change the code.

    Example:
    ```mlir
    func.func @f(%m: memref<8xf32>) {
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
        linalg.fill {air.work = #air.work<kind = "fill", ops = [], types = [f32, f32], sizes = [8],
                                          operations = 0, place = loc("m.mlir":3:5)>}
            ins(%zero : f32) outs(%m : memref<8xf32>)
        gpu.terminator
      }
      return
    }
    // becomes
    gpu.launch … {
      linalg.fill …
    } {air.kernel_work = #air.kernel_work<grid = [1, 1, 1], lanes = 1, readBytes = 0,
                                          writtenBytes = 32, works = […]>}
    ```
  }];
  let dependentDialects = ["::aircc::air::AIRDialect"];
}

def OutlineKernels : Pass<"hierarchy-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outline the body of each gpu.launch into a kernel function";
  let description = [{
    Like upstream's `gpu-kernel-outlining`, with two differences: constants and
    arithmetic on them are moved into the kernel instead of becoming arguments,
    and the attributes of the launch (`kernel.scope`, …) are kept.

    Example:
    ```mlir
    func.func @f(%m: memref<8xf32>) {
      %c1 = arith.constant 1 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %m[%c1] : memref<8xf32>
        gpu.terminator
      }
      return
    }
    // becomes
    func.func @f(%m: memref<8xf32>) {
      gpu.launch_func @f_kernel::@f_kernel blocks in (…) threads in (…)
          args(%m : memref<8xf32>)
      return
    }
    gpu.module @f_kernel {
      gpu.func @f_kernel(%m: memref<8xf32>) kernel { … }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::DLTIDialect"];
}

//===----------------------------------------------------------------------===//
// From workgroup-level and wave-level code to per-lane code
//===----------------------------------------------------------------------===//

def ExposeParallelism
    : Pass<"hierarchy-expose-parallelism", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert structured ops of kernels to parallel loops";
  let description = [{
    Converts linalg ops on buffers to `scf.parallel` and `scf.for` loops, affine
    loops without dependences and `scf.forall` to `scf.parallel`, and
    `memref.copy` to a transfer. A parallel loop around herds or transfers
    becomes sequential, because the ops in it are distributed instead.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel attributes {kernel.scope = #kernel.scope<workgroup>} {
        %zero = arith.constant 0.0 : f32
        %b = memref.alloc() : memref<32xf32, 1>
        linalg.fill ins(%zero : f32) outs(%b : memref<32xf32, 1>)
        gpu.return
      }
    }
    // becomes
    scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
      memref.store %zero, %b[%i] : memref<32xf32, 1>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::linalg::LinalgDialect", "::aircc::air::AIRDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def BroadcastSingleWorkerResults : Pass<"hierarchy-broadcast-single-worker-results", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Broadcast results of ops executed by one worker";
  let description = [{
    If one thread of a workgroup, or one lane of a wave, executes an op for all
    others (an atomic operation, a loop with stores), it stores the results in a
    buffer, and all workers load them from there.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%counter: memref<1xi32>) kernel
          attributes {kernel.scope = #kernel.scope<workgroup>} {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : i32
        %old = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
        "test.use"(%old) : (i32) -> ()
        gpu.return
      }
    }
    // becomes
    %slot = memref.alloc() : memref<i32, 1>
    %r = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %r, %slot[] : memref<i32, 1>
    %old = memref.load %slot[] : memref<i32, 1>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def FoldTransferLoops
    : Pass<"hierarchy-fold-transfer-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert loops around a transfer to dimensions of the transfer";
  let description = [{
    Converts a perfect nest of `scf.for` around a single `air.dma_memcpy_nd` to
    one transfer with a dimension for each loop, if the trip counts, sizes and
    strides are constant. All workers then share the copy, and a single barrier
    orders it. The transfer must be between two levels of memory, and must not
    write an element twice. Other loops are unchanged.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%src: memref<64x64xf32>, %dst: memref<8x32xf32, 1>) kernel {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        scf.for %i = %c0 to %c8 step %c1 {
          air.dma_memcpy_nd (%dst[%i, 0] [1, 32] [32, 1], %src[%i, 0] [1, 32] [64, 1])
              : (memref<8x32xf32, 1>, memref<64x64xf32>)
        }
        gpu.return
      }
    }
    // becomes
    air.dma_memcpy_nd (%dst[] [] [], %src[0, 0, 0] [1, 8, 32] [0, 64, 1])
        : (memref<8x32xf32, 1>, memref<64x64xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect"];
}

def PrefetchTiles : Pass<"hierarchy-prefetch-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Prefetch the tiles of later loop iterations";
  let description = [{
    Applies to loops whose iterations transfer tiles from global memory to L2
    (or to a wave's L1) with direct loads to LDS. Each of these tiles gets two
    or three buffers. An iteration starts with the transfers for a later one,
    which are in flight while it computes, and only waits for its own tiles. A
    `kernel.access` at the start of each iteration declares that the workers
    access the buffers, so that a barrier is placed there.

    A transfer is not prefetched if

    - it is under a condition;
    - its operands depend on more than the induction variable;
    - its buffer is used before it in the iteration, or outside of the loop, or
      is only partly filled;
    - the loop may write to global memory;
    - two workgroups with the additional buffers do not fit on a compute unit.

    A third buffer is used only if it does not reduce occupancy.

    Example:
    ```mlir
    // --hierarchy-prefetch-tiles=direct-widths=32
    gpu.module @kernels {
      gpu.func @k(%a: memref<1024xf32>) kernel
          attributes {kernel.scope = #kernel.scope<workgroup>,
                      kernel.wave_size = 64 : i64,
                      known_block_size = array<i32: 64, 1, 1>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %c1024 = arith.constant 1024 : index
        %sum = memref.alloc() : memref<64xf32, 1>
        scf.for %k = %c0 to %c1024 step %c64 {
          %tile = memref.alloc() : memref<64xf32, 1>
          air.dma_memcpy_nd (%tile[] [] [], %a[%k] [%c64] [%c1])
              : (memref<64xf32, 1>, memref<1024xf32>)
          linalg.add ins(%tile, %sum : memref<64xf32, 1>, memref<64xf32, 1>)
                     outs(%sum : memref<64xf32, 1>)
        }
        gpu.return
      }
    }
    // becomes
    %buffers = memref.alloc() : memref<768xi8, 1>
    kernel.access workgroup writes(%buffers : memref<768xi8, 1>)
    air.dma_memcpy_nd (%first[] [] [], %a[%c0] [%c64] [%c1]) {kernel.prefetch} : …
    …
    scf.for %k = %c0 to %c1024 step %c64 iter_args(%i = %c0, …) -> … {
      layout.async_wait 1
      kernel.access workgroup writes(%buffers : memref<768xi8, 1>)
      %free = memref.view %buffers[…][] : memref<768xi8, 1> to memref<64xf32, 1>
      air.dma_memcpy_nd (%free[] [] [], %a[%next] [%c64] [%c1]) {kernel.prefetch} : …
      %tile = memref.view %buffers[…][] : memref<768xi8, 1> to memref<64xf32, 1>
      linalg.add ins(%tile, %sum : …) outs(%sum : …)
      …
    }
    layout.async_wait 0
    ```
  }];
  let options = [
    ListOption<"directWidths", "direct-widths", "int64_t",
               "Bits that a lane copies with one direct load to LDS">,
    Option<"ldsBytes", "lds-bytes", "int64_t", "65536",
           "The number of LDS bytes of a compute unit">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "The maximum number of threads in a workgroup">,
    Option<"maxWaves", "max-waves", "int64_t", "32",
           "The number of waves that fit on a compute unit">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::aircc::layout::LayoutDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def PlaceBuffers : Pass<"hierarchy-place-buffers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Allocate L1 and L2 buffers";
  let description = [{
    L2 buffers, and L1 buffers shared by the lanes of a wave (one for each
    wave), become views of workgroup attributions. Buffers whose lifetimes do
    not overlap may share bytes; buffers that share no bytes are in different
    attributions. L1 buffers of lanes become private attributions. The memory
    spaces 1 and 2 are replaced with GPU address spaces on every value through
    which a buffer flows.

    With `l2=global`, L2 buffers become views of a `kernel.arena` in global
    memory instead. With `l2=auto`, this applies only to L2 buffers that do not
    fit into LDS, and then to L1 buffers that do not fit. Such a buffer may have
    any dynamic size that the host can compute. Each of them gets a remark with
    its number of bytes.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel attributes {kernel.scope = #kernel.scope<workgroup>} {
        %tile = memref.alloc() : memref<32x32xf32, 1>
        "test.use"(%tile) : (memref<32x32xf32, 1>) -> ()
        gpu.return
      }
    }
    // becomes
    gpu.func @k() workgroup(%lds : memref<4096xi8, #gpu.address_space<workgroup>>) kernel {
      %tile = memref.view %lds[%c0][] {kernel.lds_range = array<i64: 0, 4096>}
          : … to memref<32x32xf32, #gpu.address_space<workgroup>>
      …
    }
    ```
  }];
  let options = [
    Option<"ldsBytes", "lds-bytes", "int64_t", "65536",
           "The number of LDS bytes that a workgroup may use">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "The maximum number of threads in a workgroup">,
    Option<"l2", "l2", "::aircc::hierarchy::L2Policy",
           "::aircc::hierarchy::L2Policy::LDS", "Where L2 buffers are placed",
           "::aircc::hierarchy::getL2PolicyValues()">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"
  ];
}

def AllocateArenas : Pass<"hierarchy-allocate-arenas", "::mlir::ModuleOp"> {
  let summary = "Allocate global memory for workgroup buffers";
  let description = [{
    Replaces each `kernel.arena` in a kernel with a view of an additional kernel
    argument, which is the part that belongs to the workgroup. Memory for the
    parts of all workgroups is allocated before each launch of the kernel and
    freed after it. If the launch has a token, the token of the deallocation
    replaces it.

    Example:
    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @k(%v: f32) kernel {
          %c0 = arith.constant 0 : index
          %bytes = arith.constant 131072 : index
          %arena = kernel.arena 0 bytes(%bytes) : memref<?xi8>
          %tile = memref.view %arena[%c0][] : memref<?xi8> to memref<32768xf32>
          memref.store %v, %tile[%c0] : memref<32768xf32>
          gpu.return
        }
      }
      func.func @f(%n: index, %v: f32) {
        %c1 = arith.constant 1 : index
        gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1)
            threads in (%c1, %c1, %c1) args(%v : f32)
        return
      }
    }
    // becomes, for the launch:
    %bytes = arith.muli %n, %c131072 : index
    %arenas = gpu.alloc (%bytes) : memref<?xi8>
    gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%v : f32, %arenas : memref<?xi8>)
    gpu.dealloc %arenas : memref<?xi8>
    ```

    Errors: an arena whose size the host cannot compute.
  }];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"
  ];
}

def PlanMemory : Pass<"hierarchy-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Place the buffers of a function in one allocation";
  let description = [{
    In a function with the attribute `air.plan_memory`, the buffers that the
    function allocates and frees become parts of one allocation at its
    beginning, an arena. Two buffers may share bytes if neither is used between
    the first and the last use of the other. Buffers of constant size have
    constant offsets. Each gets the lowest free offset, in order of decreasing
    size, or in order of their first use if that needs fewer bytes. Buffers of
    dynamic size follow. Those that are not live at the same time share a range
    as large as the largest of them, and the function computes its offset.

    Buffers that host code accesses are in a separate arena, which host and
    device share; the other arena is in device memory. A buffer remains a
    separate allocation if its size is not known when the function begins, or
    depends on arguments in a branch, or if a loop or a branch passes the buffer
    on.

    Example:
    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @k(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
          gpu.return
        }
      }
      func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) attributes {air.plan_memory} {
        %c1 = arith.constant 1 : index
        %a = gpu.alloc host_shared () : memref<64xf32>
        gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
            args(%x : memref<64xf32>, %a : memref<64xf32>)
        %b = gpu.alloc host_shared () : memref<64xf32>
        gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
            args(%a : memref<64xf32>, %b : memref<64xf32>)
        gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
            args(%b : memref<64xf32>, %y : memref<64xf32>)
        gpu.dealloc %b : memref<64xf32>
        gpu.dealloc %a : memref<64xf32>
        return
      }
    }
    // becomes
    %arena = gpu.alloc () : memref<512xi8>
    %a = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
    …
    %b = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
    …
    gpu.dealloc %arena : memref<512xi8>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LowerDMA : Pass<"hierarchy-lower-dma", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower transfers to per-lane loads and stores";
  let description = [{
    Distributes a transfer over the threads of the workgroup (in a segment) or
    the lanes of the wave (in a herd). Adjacent lanes copy adjacent elements, in
    vectors as wide as both sides allow. If the operands or the control flow
    differ between lanes, or one side is private to a lane, each lane performs
    its whole transfer itself.

    If the numbers of elements of the two sides are known only at run time, the
    kernel traps if they differ.

    With `direct-widths`, a transfer from global memory to LDS becomes a
    `layout.async_dma` if its shape is constant and it satisfies the rules of
    that op.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%src: memref<256xf32>)
          workgroup(%dst : memref<256xf32, #gpu.address_space<workgroup>>) kernel
          attributes {kernel.scope = #kernel.scope<workgroup>,
                      kernel.wave_size = 64 : i64,
                      known_block_size = array<i32: 64, 1, 1>} {
        air.dma_memcpy_nd (%dst[] [] [], %src[] [] [])
            : (memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32>)
        gpu.return
      }
    }
    // becomes, with %i = 4 * thread
    %v = vector.load %src[%i] : memref<256xf32>, vector<4xf32>
    vector.store %v, %dst[%i]
        : memref<256xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    ```
  }];
  let options = [
    Option<"maxVectorBits", "max-vector-bits", "int64_t", "128",
           "Bits that a lane copies in one access">,
    ListOption<"directWidths", "direct-widths", "int64_t",
               "Bits that a lane copies with one direct load to LDS">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::aircc::layout::LayoutDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LowerMessages : Pass<"hierarchy-lower-messages", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower messages between ranks to lines of payload and flag";
  let description = [{
    One wave executes `air.message.send` and `air.message.receive`: in a herd,
    the wave of the PE; in code of the segment, the first wave of the workgroup.
    If the PEs of a herd are lanes, they transfer a message together and must
    fit in one wave; with fewer than 32 lanes, they store the payload before the
    flags.

    Lane l of a group of 32 holds word l of a 128-byte line. The last word is
    the flag, so a single store writes payload and flag, after a release at
    system scope. Each lane of the receiver polls the flags of its lines,
    acquires, and copies the payload.

    Example, with a message of one line:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%src: memref<31xf32>, %peer: memref<128xi32>, %own: memref<128xi32>)
          kernel attributes {kernel.scope = #kernel.scope<workgroup>,
                             kernel.wave_size = 32 : i64,
                             known_block_size = array<i32: 32, 1, 1>} {
        air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1}
            : (memref<31xf32>), memref<128xi32>, memref<128xi32>
        gpu.return
      }
    }
    // becomes
    kernel.fence system release
    %v = arith.select %is_flag, %flag, %data : i32
    kernel.atomic_store system %v, %ring[%word] : i32
    ```
  }];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def DistributeParallelLoops : Pass<"hierarchy-distribute-parallel-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Distribute the iterations of parallel loops over lanes";
  let description = [{
    The outermost parallel loops of workgroup-level and wave-level code become
    cyclic loops: worker w executes the iterations i with i mod count = w, so
    that adjacent lanes execute adjacent iterations. The loop is the same for
    all workers; only its remainder, if there is one, is under a condition.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%m: memref<256xf32>) kernel
          attributes {kernel.scope = #kernel.scope<workgroup>,
                      kernel.wave_size = 64 : i64,
                      known_block_size = array<i32: 64, 1, 1>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c256 = arith.constant 256 : index
        %zero = arith.constant 0.0 : f32
        scf.parallel (%i) = (%c0) to (%c256) step (%c1) {
          memref.store %zero, %m[%i] : memref<256xf32>
        }
        gpu.return
      }
    }
    // becomes
    %thread = gpu.thread_id x
    scf.for %base = %c0 to %c256 step %c64 {
      %i = arith.addi %base, %thread : index
      memref.store %zero, %m[%i] : memref<256xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def PredicateSingleWorkerOps : Pass<"hierarchy-predicate-single-worker-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Execute ops with effects on one worker";
  let description = [{
    In workgroup-level and wave-level code, ops with effects that cannot be
    distributed are executed by the first thread of the workgroup, or the first
    lane of the wave. All workers execute the other ops.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%m: memref<64xf32>, %v: f32) kernel
          attributes {kernel.scope = #kernel.scope<workgroup>} {
        %c0 = arith.constant 0 : index
        memref.store %v, %m[%c0] : memref<64xf32>
        gpu.return
      }
    }
    // becomes
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      memref.store %v, %m[%c0] : memref<64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerHerds : Pass<"hierarchy-lower-herds", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Inline herds into their kernels";
  let description = [{
    The ids of a herd become those of the wave (`thread_id / wave size` in x). A
    herd that is smaller than the block is executed under a condition, which is
    uniform across each wave. Its barriers remain outside of the condition,
    because all waves must reach them.

    Example, with a block of 4 waves:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel
          attributes {kernel.scope = #kernel.scope<workgroup>,
                      kernel.wave_size = 64 : i64,
                      known_block_size = array<i32: 256, 1, 1>} {
        %c2 = arith.constant 2 : index
        air.herd tile (%x) in (%n=%c2) attributes {kernel.scope = #kernel.scope<wave>} {
          "test.use"(%x) : (index) -> ()
        }
        gpu.return
      }
    }
    // becomes
    %thread = gpu.thread_id x
    %wave = arith.divui %thread, %c64 : index
    %x = gpu.subgroup_broadcast %wave, first_active_lane : index
    %inside = arith.cmpi slt, %x, %c2 : index
    scf.if %inside { "test.use"(%x) : (index) -> () }
    ```
  }];
  let dependentDialects = ["::aircc::kernel::KernelDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::ub::UBDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // AIRCC_PIPELINE_HIERARCHY_PASSES_TD
