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
  let summary = "Refuse what has no meaning on a GPU";
  let description = [{
    Gives an error at each op that this stage cannot carry out, with the reason
    and what to write instead: channels of NPUs, `air.custom`, and what the
    `channels` stage should have taken away (`air.rank`, `air.translate`,
    channels in the symmetric heap, transfers between ranks).

    Example:

    ```mlir
    air.channel @stream
    air.channel.put @stream[] (%a[] [] []) : (memref<64xf32>)
    // error: 'air.channel.put' op uses channel @stream of type
    //        "npu_dma_stream", which only an NPU has
    ```
  }];
}

def CheckWaveSize : Pass<"hierarchy-check-wave-size", "::mlir::ModuleOp"> {
  let summary = "Remark on code written for larger waves";
  let description = [{
    Gives a remark at the first op of a herd or kernel that numbers lanes as if a
    wave had more of them than the target's: `wave * 64 + lane`, where the wave is
    an id of the herd or `gpu.subgroup_id`.

    Example: with `wave-size=32`

    ```mlir
    %first = arith.muli %tx, %c64 : index
    %lane = gpu.lane_id
    %i = arith.addi %first, %lane : index
    // remark: 'arith.addi' op counts on 64 lanes in a wave, and waves of the
    //         target have 32
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "Lanes in a wave">
  ];
}

def SerializeTokens : Pass<"hierarchy-serialize-tokens", "::mlir::ModuleOp"> {
  let summary = "Replace tokens by program order";
  let description = [{
    Makes every AIR op blocking, inlines `air.execute` and takes tokens out of
    loops, branches and arguments. A token is defined before it is used, so
    program order satisfies every dependency that tokens state.

    Only tokens on the host that do nothing but order launches of one block stay:
    `hierarchy-convert-launches` makes them streams.

    Example:

    ```mlir
    %t = air.dma_memcpy_nd async (%a[] [] [], %b[] [] []) : (…)
    air.wait_all [%t]
    // becomes
    air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (…)
    ```
  }];
  let dependentDialects = ["::mlir::ub::UBDialect"];
}

def CompleteHierarchy : Pass<"hierarchy-complete-hierarchy", "::mlir::ModuleOp"> {
  let summary = "Give every herd and segment a launch";
  let description = [{
    A segment or herd outside `air.launch` is a launch of one workgroup. A
    function that is called inside a launch and holds AIR ops is inlined there.

    Example:

    ```mlir
    air.herd tile (%x) in (%n=%c4) { … }
    // becomes
    air.launch () in () args(%s=%c4) : index {
      air.herd tile (%x) in (%n=%s) { … }
    }
    ```
  }];
  let dependentDialects = ["::aircc::air::AIRDialect"];
}

def ConvertLaunches : Pass<"hierarchy-convert-launches", "::mlir::ModuleOp"> {
  let summary = "Turn air.launch into gpu.launch";
  let description = [{
    The space of a launch becomes the grid; the spaces of its segments multiply
    it, with the workgroup ids dealt out so that the instances of a segment with
    `"backend-granularity" = "XCD"` land on their XCDs. Segments are inlined.
    Herds stay, marked with the scope of their body, and the block is as large as
    the largest of them: a point of a herd is one wave (`pe=wave`), or one lane
    (`pe=lane`).

    Tokens of launches become `gpu.async.token`s, each launch with a stream of
    its own; whatever has not been waited for at the end of a block is waited for
    there.

    Example (waves of 64 lanes):

    ```mlir
    air.launch (%x) in (%n=%c8) {
      air.segment { air.herd tile (%i, %j) in (%ni=%c4, %nj=%c1) { … } }
    }
    // becomes
    gpu.launch blocks(%x, …) in (… = %c8, …) threads(…) in (… = %c256, …) {
      air.herd tile (%i, %j) in (%ni=%c4, %nj=%c1) { … }
          attributes {kernel.scope = #kernel.scope<wave>}
    }
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "Lanes in a wave">,
    Option<"pe", "pe", "std::string", "\"wave\"",
           "What a point of a herd is: wave or lane">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "Threads that a workgroup may have">,
    Option<"maxWaves", "max-waves", "int64_t", "0",
           "Waves that a compute unit holds (0: do not check)">,
    Option<"xcds", "xcds", "int64_t", "1", "XCDs of the device">,
    Option<"waveIds", "wave-ids", "bool", "false",
           "The device tells a wave's number itself (gpu.subgroup_id)">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def OutlineKernels : Pass<"hierarchy-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Move the body of each gpu.launch into a kernel function";
  let description = [{
    As upstream's `gpu-kernel-outlining`, and: constants and the arithmetic on
    them move into the kernel instead of becoming arguments, and what the launch
    says of its kernel (`kernel.scope`, …) is kept.

    Example:

    ```mlir
    func.func @f(%m: memref<8xf32>) { gpu.launch … { … } }
    // becomes
    func.func @f(%m: memref<8xf32>) {
      gpu.launch_func @f_kernel::@f_kernel blocks in (…) threads in (…)
          args(%m : memref<8xf32>)
    }
    gpu.module @f_kernel { gpu.func @f_kernel(%m: memref<8xf32>) kernel { … } }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::DLTIDialect"];
}

//===----------------------------------------------------------------------===//
// From whole-workgroup and whole-wave code to code of lanes
//===----------------------------------------------------------------------===//

def ExposeParallelism
    : Pass<"hierarchy-expose-parallelism", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn structured ops of kernels into parallel loops";
  let description = [{
    linalg ops on buffers become `scf.parallel` and `scf.for` loops, affine loops
    without dependences and `scf.forall` become `scf.parallel`, `memref.copy`
    becomes a transfer. A parallel loop around herds or transfers becomes
    sequential: what it holds is shared out instead.

    Example:

    ```mlir
    linalg.fill ins(%zero : f32) outs(%b : memref<32xf32, 2>)
    // becomes
    scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
      memref.store %zero, %b[%i] : memref<32xf32, 2>
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
  let summary = "Pass the result of what one worker does to the others";
  let description = [{
    Where one thread of a workgroup, or one lane of a wave, does something for
    all (an atomic operation, a loop with stores), its results go through a
    buffer from which all of them read.

    Example (code of a segment):

    ```mlir
    %old = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
    // becomes
    %slot = memref.alloc() : memref<i32, 1>
    %r = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %r, %slot[] : memref<i32, 1>
    %old = memref.load %slot[] : memref<i32, 1>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PrefetchTiles : Pass<"hierarchy-prefetch-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Fetch the tiles of a loop's later turns ahead";
  let description = [{
    In a loop whose turns bring tiles from global memory to L2 (or a wave's, to
    L1) by transfers that go straight to LDS, each of these tiles gets two or
    three buffers, and a turn begins with the transfers for a later one, which
    are under way while it computes. It waits for its own tiles only. A
    `kernel.access` where each turn begins states that the workers access the
    buffers, so that a barrier is placed there.

    A transfer stays as it is where it stands under a condition, or its operands
    depend on more than the loop's variable; where its buffer is used before it
    in the turn, or outside of the loop, or is not filled by it; where the loop
    may write to global memory; and where a compute unit would have no room for
    two workgroups with the further buffers. A third buffer is for where it costs
    no workgroup its place.

    Example:

    ```mlir
    scf.for %k = %c0 to %size step %c16 {
      air.dma_memcpy_nd (%tile[] [] [], %a[%k] [%c16] [%c1]) : (…)
      air.herd … args(%t = %tile) …
    }
    // becomes, if %size is known to be larger than 0
    %buffers = memref.alloc() : memref<128xi8, 1>
    kernel.access workgroup writes(%buffers : memref<128xi8, 1>)
    air.dma_memcpy_nd (%first[] [] [], %a[%c0] [%c16] [%c1]) {kernel.prefetch} : (…)
    scf.for %k = %c0 to %size step %c16 iter_args(%i = %c0) {
      layout.async_wait 0
      kernel.access workgroup writes(%buffers : memref<128xi8, 1>)
      %other = memref.view %buffers[…] : …
      air.dma_memcpy_nd (%other[] [] [], %a[%next] [%c16] [%c1]) {kernel.prefetch} : (…)
      %own = memref.view %buffers[…] : …
      air.herd … args(%t = %own) …
    }
    layout.async_wait 0
    ```
  }];
  let options = [
    ListOption<"directWidths", "direct-widths", "int64_t",
               "Bits that a lane moves in one load straight to LDS">,
    Option<"ldsBytes", "lds-bytes", "int64_t", "65536",
           "Bytes of LDS of a compute unit">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "Threads that a workgroup may have">,
    Option<"maxWaves", "max-waves", "int64_t", "32",
           "Waves that a compute unit has room for">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::aircc::layout::LayoutDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def PlaceBuffers : Pass<"hierarchy-place-buffers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Give L1 and L2 buffers their place";
  let description = [{
    L2 buffers, and L1 buffers that the lanes of a wave share (one for each
    wave), get bytes of workgroup attributions; buffers whose lifetimes do not
    overlap get the same bytes, and those that have none in common lie in
    different attributions. L1 buffers of lanes become private attributions.
    The memory spaces 1 and 2 are replaced by the GPU's address spaces on every
    value that a buffer flows through.

    Example:

    ```mlir
    %tile = memref.alloc() : memref<32x32xf32, 1>
    // becomes, with workgroup(%lds : memref<4096xi8, #gpu.address_space<workgroup>>)
    %tile = memref.view %lds[%c0][] {kernel.lds_range = array<i64: 0, 4096>}
        : … to memref<32x32xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let options = [
    Option<"ldsBytes", "lds-bytes", "int64_t", "65536",
           "Bytes of LDS that a workgroup may use">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "Threads that a workgroup may have">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LowerDMA : Pass<"hierarchy-lower-dma", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn transfers into loads and stores of lanes";
  let description = [{
    A transfer is shared by the threads of the workgroup (in a segment) or the
    lanes of the wave (in a herd); each element is moved once, neighbours by
    neighbours, in vectors as wide as both sides allow. Where the operands or the
    control flow differ between lanes, or one side is private to a lane, each
    lane makes its own transfer.

    If the sides have different numbers of elements and this is only known at
    run time, the kernel traps.

    With `direct-widths`, a transfer from global memory to LDS whose shape is
    constant and for which the rules of `layout.async_dma` hold becomes one.

    Example (64 lanes, 256 elements):

    ```mlir
    air.dma_memcpy_nd (%l2[] [] [], %l3[%i] [256] [1]) : (…)
    // becomes
    %at = … lane * 4 …
    %v = vector.load %src[%at] : …, vector<4xf32>
    vector.store %v, %dst[%at] : …, vector<4xf32>
    ```
  }];
  let options = [
    Option<"maxVectorBits", "max-vector-bits", "int64_t", "128",
           "Bits that a lane moves at once">,
    ListOption<"directWidths", "direct-widths", "int64_t",
               "Bits that a lane moves in one load straight to LDS">
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
  let summary = "Turn messages between ranks into lines of payload and flag";
  let description = [{
    One wave carries out `air.message.send` and `air.message.receive`: in a herd
    the PE's own, in code of the segment the workgroup's first. A herd whose
    points are lanes makes a message together, and must be no more than a wave;
    one of fewer than 32 lanes stores the payload before the flags. Lane l of a
    group of 32 holds word l of a line of 128 bytes, the last one the flag, so
    that payload and flag leave by one store, after a release at system scope.
    The receiver's lanes each watch the flags of their lines, acquire, and copy
    the payload out.

    Example (32 lanes, a message of one line):

    ```mlir
    air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1} : …
    // becomes
    kernel.fence system release
    %v = … lane == 31 ? flag : payload …
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
  let summary = "Deal the iterations of parallel loops out to lanes";
  let description = [{
    The outermost parallel loops of workgroup and wave code become loops over
    rounds, in which each worker does one iteration: iteration i goes to worker
    i mod count, so that neighbouring lanes run neighbouring iterations. The
    rounds are the same for all workers; only the last is under a condition, if
    not all of them have an iteration left.

    Example (wave code, 64 lanes):

    ```mlir
    scf.parallel (%i) = (%c0) to (%c256) step (%c1) { … }
    // becomes
    %lane = gpu.lane_id
    scf.for %base = %c0 to %c256 step %c64 { %i = arith.addi %base, %lane … }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def PredicateSingleWorkerOps : Pass<"hierarchy-predicate-single-worker-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let one worker do what is to be done once";
  let description = [{
    In workgroup and wave code, ops with effects that cannot be shared out run
    under a condition that one thread of the workgroup, or one lane of the wave,
    fulfils. Everything else is run by all.

    Example (code of a segment):

    ```mlir
    memref.store %v, %m[%i] : memref<64xf32>
    // becomes
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first { memref.store %v, %m[%i] : memref<64xf32> }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerHerds : Pass<"hierarchy-lower-herds", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Inline herds into their kernels";
  let description = [{
    The ids of a herd become those of the wave (`thread_id / wave` in x). A herd
    that is smaller than the block is run under a condition that is the same for
    all lanes of a wave; barriers in it stay outside of that condition, since all
    waves must reach them.

    Example:

    ```mlir
    air.herd tile (%x) in (%n=%c2) { "use"(%x) }      // in a block of 4 waves
    // becomes
    %x = … thread_id x / 64 …
    %in = arith.cmpi ult, %x, %c2 : index
    scf.if %in { "use"(%x) }
    ```
  }];
  let dependentDialects = ["::aircc::kernel::KernelDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::ub::UBDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // AIRCC_PIPELINE_HIERARCHY_PASSES_TD
