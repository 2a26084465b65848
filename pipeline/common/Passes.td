//===- Passes.td - Passes that several stages run ----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_PASSES
#define AIRCC_PIPELINE_COMMON_PASSES

include "mlir/Pass/PassBase.td"

def ChoosePeKind : Pass<"aircc-choose-pe-kind", "::mlir::ModuleOp"> {
  let summary = "Take PEs for lanes where they do not fit as waves";
  let description = [{
    A point of a herd is a wave. Programs for other GPUs mean lanes, and have
    herds of more points than a workgroup has waves. This pass marks launches
    that have such a herd with `kernel.pe_is_lane`, with a remark, unless

    - the herd does not fit as lanes either, or its size is not constant;
    - the code distinguishes lanes from waves: it asks for thread or lane ids, has
      ops of a target, whole vectors, or calls functions without a body. What it
      means then must be said, by the option `pe` of stage hierarchy.

    The stages channels and hierarchy run it, because channels counts puts and
    gets by points of herds.

    Example:
    ```mlir
    air.launch () in () {
      air.segment {
        air.herd tile (%i) in (%n = %c64) { memref.store %v, %m[%i] : memref<64xf32> }
      }
    }
    // becomes, where a workgroup has 1024 threads and waves have 64
    air.launch () in () attributes {kernel.pe_is_lane} { … }
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "Lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "Threads that a workgroup may have">,
    Option<"maxWaves", "max-waves", "int64_t", "0",
           "Waves that a compute unit holds (0: do not check)">
  ];
}

def ConvertGPUBarriers : Pass<"aircc-convert-gpu-barriers"> {
  let summary = "Write each gpu.barrier as a kernel.barrier";
  let description = [{
    A `gpu.barrier` in a kernel, or in a function that a kernel calls, becomes a
    `kernel.barrier` of scope workgroup, so that all later passes look for one
    op. A `gpu.barrier` in host code stays as it is, and is reported where host
    code is lowered. With `lds-barriers`, an `amdgpu.lds_barrier` becomes one that
    orders LDS alone; stage `hierarchy` keeps it, as an op that names lanes.

    Example:
    ```mlir
    gpu.barrier
    // becomes
    kernel.barrier workgroup
    ```
  }];
  let options = [
    Option<"ldsBarriers", "lds-barriers", "bool", "false",
           "Convert amdgpu.lds_barrier, too">
  ];
  let dependentDialects = ["::aircc::kernel::KernelDialect"];
}

def PlaceBarriers
    : Pass<"aircc-place-barriers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Place the barriers that memory accesses need";
  let description = [{
    The one pass that decides where a kernel needs barriers. An op needs one
    before it if it accesses memory that an earlier op accessed, other workers do
    so, one of the two writes, and no barrier separates them yet, on any path and
    around loops. Barriers that the program has count.

    Stage `hierarchy` runs it where kernels are programs of the workgroup and of
    waves (`kernel.scope`). The roles of the ops then say who makes an access. The
    lanes' own code in them orders its accesses itself, but transfers and herds
    between such code are ordered with it. All workers of a scope must reach the
    ops that they run together: a condition that differs between them is an error.

    Code of lanes states what its lanes access together by `kernel.access`, before
    each of which there may be a barrier. What lanes access without a statement
    conflicts with statements only. Stage `hierarchy` runs the pass again at its
    end, stage `distribution` where all exchanges between lanes are known, and
    stage `codegen` where reductions are lowered. A `kernel.publish` becomes a
    fence and a barrier. No `kernel.access` and no `kernel.publish` is left.

    Example:

    ```mlir
    air.dma_memcpy_nd (%l2[] [] [], %l3[] [] []) : (…)
    kernel.barrier workgroup                             // placed
    air.herd tile (%x) in (%n=%c4) args(%b=%l2) : … { … }
    ```
  }];
  let dependentDialects = ["::aircc::kernel::KernelDialect",
                           "::mlir::gpu::GPUDialect"];
}

def CountLoopIterations : Pass<"aircc-count-loop-iterations"> {
  let summary = "End loops whose induction variable would wrap";
  let description = [{
    A loop compares its induction variable with the upper bound. Where the step
    after the last iteration leaves the type, the comparison never fails, and the
    loop would not end: in i8, 125 + 4 is -127. This pass rewrites loops for which
    that cannot be excluded:

    - with constant bounds, the loop counts its iterations from 0, of which there
      are ceil((ub - lb) / step). So do loops that MLIR's canonicalizer would take
      for empty, because ub - lb leaves the type;
    - with other bounds, the loop ends when no more than a step is left to the
      upper bound, before it makes the step;
    - so does a dimension of `scf.parallel`, by counting iterations.

    A loop that steps by 1, or whose bounds are known to keep the variable within
    the type, stays as it is. With `only-constant` all loops of other bounds do:
    to be run before the first canonicalizer, and in full before loops become
    branches.

    Example:
    ```mlir
    scf.for %i = %c121 to %c127 step %c4 : i8 { use(%i) }
    // becomes
    scf.for %n = %c0 to %c2 step %c1 : i32 {
      %0 = arith.trunci %n : i32 to i8
      %1 = arith.muli %0, %c4 : i8
      %i = arith.addi %c121, %1 : i8
      use(%i)
    }
    ```
  }];
  let options = [
    Option<"onlyConstant", "only-constant", "bool", "false",
           "Leave loops whose bounds are not constant">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandConversions : Pass<"aircc-expand-conversions"> {
  let summary = "Expand conversions that backends get wrong";
  let description = [{
    Conversions of the `arith` and `llvm` dialects, of scalars and vectors:

    - Every backend converts integers to bf16 through f32, which rounds numbers of
      more than 24 bits before bf16 rounds them again: 2^57 + 2^49 + 1 first loses
      the 1, and is then halfway between two bf16 numbers. This pass takes the
      upper 24 bits instead, with the lowest set if any bit below is (rounding to
      odd), so that the second rounding sees that something was there. So are f64
      rounded that become bf16.
    - No backend rounds `arith.truncf` as its rounding mode says. It is rounded to
      the nearest, and then to a neighbor where the mode asks for that.
    - LLVM's AMDGPU backend (22.1) converts floats to i1 by comparing them with 1
      or -1, which makes a 0 of 1.5. They are converted to i32 first.
    - Upstream's emulation of small floats does not know `arith.scaling_extf` and
      `arith.scaling_truncf`: it would change the types of their operands alone.
      They become conversions and products.
    - SPIR-V has no bf16. Conversions of the LLVM dialect from and to it become
      those of `arith`, which are lowered without it.

    Example: `arith.uitofp %x : i64 to bf16` becomes a count of leading zeros,
    shifts, an `arith.sitofp` of 24 bits to f32, a product with a power of two and
    an `arith.truncf`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def ExpandFloatAtomics : Pass<"aircc-expand-float-atomics"> {
  let summary = "Write atomic operations that no instruction does as loops";
  let description = [{
    A `memref.atomic_rmw` that multiplies becomes a `memref.generic_atomic_rmw`
    with the operation in it, and so does, with `expand-bf16`, one on bf16 other
    than an exchange, for targets that compute in no such type. A
    `memref.generic_atomic_rmw` on floats becomes one on integers of their size,
    which are what a compare-and-swap compares. To be run after the checks of
    what a program may say and before bf16 is emulated.

    Example: `memref.atomic_rmw mulf %v, %m[%i]` of f32 becomes
    ```mlir
    %n = builtin.unrealized_conversion_cast %m : memref<4xf32> to memref<4xi32>
    memref.generic_atomic_rmw %n[%i] : memref<4xi32> {
    ^bb0(%bits: i32):
      %old = arith.bitcast %bits : i32 to f32
      %new = arith.mulf %old, %v : f32
      %result = arith.bitcast %new : f32 to i32
      memref.atomic_yield %result : i32
    }
    ```
  }];
  let options = [
    Option<"expandBf16", "expand-bf16", "bool", "false",
           "Expand operations on bf16">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ExpandMath : Pass<"aircc-expand-math"> {
  let summary = "Rewrite math ops that have no lowering of their own";
  let description = [{
    `math.isinf` and `math.isnormal` become comparisons, `math.sincos` its two
    functions, `math.ipowi` and `arith.addui_extended` on `index` ones on i64,
    `complex.bitcast` shifts, `vector.fma` `math.fma`, which never rounds the
    product. `math.fma` on bf16 and on smaller floats becomes one on f32, whose
    result is corrected where rounding it again would not give the number nearest
    to the exact sum. Math ops on vectors of several dimensions become
    ones on flat vectors.

    Example:

    ```mlir
    %r = math.isinf %x : f32
    // becomes
    %a = math.absf %x : f32
    %inf = arith.constant 0x7F800000 : f32
    %r = arith.cmpf oeq, %a, %inf : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandSmallFloats : Pass<"aircc-expand-small-floats"> {
  let summary = "Convert floats of up to 8 bits with integer arithmetic";
  let description = [{
    Rewrites `arith.extf` from and `arith.truncf` to floats of 4, 6 and 8 bits
    that are left, as the processor has no such conversion: on the host, on GPUs
    without fp8, and on GPUs of another kind of fp8. Rounding is to nearest, ties
    to even. What is too large becomes infinity where the type has one, else NaN,
    and the largest number where it has neither.

    With `only-double`, only conversions of f64 are rewritten: chips convert f64
    through f32, which rounds twice.

    Example: `arith.extf %x : f8E5M2 to f32` becomes shifts, a select between
    normal, subnormal and special values, and a bitcast.
  }];
  let options = [
    Option<"onlyDouble", "only-double", "bool", "false",
           "Rewrite conversions of f64 only">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandWideDivision : Pass<"aircc-expand-wide-division"> {
  let summary = "Expand rounding divisions of integers beyond 64 bits";
  let description = [{
    `arith.floordivsi` and `arith.ceildivsi` of more than 64 bits become a
    quotient, a remainder and a correction. The upstream expansion makes its
    constant -1 as a 64-bit one, without the sign's extension.

    Example: `arith.floordivsi %a, %b : i128` becomes `arith.divsi`,
    `arith.remsi`, comparisons and an `arith.select`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PlaceWorkgroupBuffers
    : Pass<"aircc-place-workgroup-buffers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make workgroup attributions of buffers allocated in LDS";
  let description = [{
    A `memref.alloc` of a constant size in the workgroup's memory is one buffer
    for the whole workgroup, whatever lane comes by it, and lasts as long as the
    kernel. One in a loop that hands it on to another turn, or out of it, is an
    error.

    Example:
    ```mlir
    gpu.func @k() kernel {
      %0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    ```
    becomes
    ```mlir
    gpu.func @k() workgroup(%0 : memref<64xf32, #gpu.address_space<workgroup>> {kernel.alignment = 16 : i64}) kernel {
    ```
  }];
}

def RoundEachOp : Pass<"aircc-round-each-op"> {
  let summary = "Let each operation on emulated floats round its result";
  let description = [{
    `arith-emulate-unsupported-floats` computes in a wider float and puts
    conversions around each operation, which it allows to be contracted: then a
    result that the next operation uses is never rounded, and a sum of bf16 or
    8-bit floats differs from the one of a chip that computes in the type. This
    pass, to be run right after that one, takes the permission back.

    Example: `arith.truncf %x fastmath<contract> : f32 to bf16` becomes
    `arith.truncf %x : f32 to bf16`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def WidenIndexProducts : Pass<"aircc-widen-index-products"> {
  let summary = "Make signed products of indices in two parts ones of i64";
  let description = [{
    The canonicalizer makes an `arith.extsi` to `index` of an
    `arith.mulsi_extended` of an `index` by one, and there is no such op (MLIR
    22.1.8). On i64 it is right, and an `index` has 64 bits here. It comes before
    each canonicalizer.

    Example:

    ```mlir
    %low, %high = arith.mulsi_extended %i, %c1 : index
    // becomes
    %a = arith.index_cast %i : index to i64
    %b = arith.index_cast %c1 : index to i64
    %l, %h = arith.mulsi_extended %a, %b : i64
    %low = arith.index_cast %l : i64 to index
    %high = arith.index_cast %h : i64 to index
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // AIRCC_PIPELINE_COMMON_PASSES
