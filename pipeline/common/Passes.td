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

def MapPEsToLanes : Pass<"aircc-map-pes-to-lanes", "::mlir::ModuleOp"> {
  let summary = "Map PEs to lanes if they do not fit as waves";
  let description = [{
    By default, a PE (a point of a herd) is a wave. Programs written
    for other GPUs may mean lanes instead, and have herds with more PEs than a
    workgroup has waves. This pass marks launches with such a herd with
    `kernel.pe_is_lane` and emits a remark, unless

    - the herd does not fit as lanes either, or its size is not constant;
    - the code distinguishes lanes from waves, because it uses thread or lane
      ids, target-specific ops, undistributed vectors, or functions without a
      body. In this case, the option `pe` of stage `hierarchy` must select the
      meaning.

    Stages `channels` and `hierarchy` run this pass, because the number of puts
    and gets depends on the PEs of herds.

    Example:
    ```mlir
    func.func @main(%buffer: memref<64xf32>) {
      air.launch () in () args(%a=%buffer) : memref<64xf32> {
        air.segment args(%b=%a) : memref<64xf32> {
          %c1 = arith.constant 1 : index
          %c64 = arith.constant 64 : index
          %zero = arith.constant 0.0 : f32
          air.herd tile (%i, %j) in (%n=%c64, %o=%c1) args(%m=%b, %v=%zero)
              : memref<64xf32>, f32 {
            memref.store %v, %m[%i] : memref<64xf32>
          }
        }
      }
      return
    }
    // becomes, if a workgroup has 1024 threads and a wave has 64 lanes
    air.launch () in () args(%a=%buffer) : memref<64xf32> attributes {kernel.pe_is_lane} {
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "The number of lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "The maximum number of threads in a workgroup">,
    Option<"maxWaves", "max-waves", "int64_t", "0",
           "The number of waves that a compute unit holds (0: do not check)">
  ];
}

def ConvertGPUBarriers : Pass<"aircc-convert-gpu-barriers"> {
  let summary = "Convert gpu.barrier to kernel.barrier";
  let description = [{
    A `gpu.barrier` in a kernel, or in a function that a kernel calls, becomes a
    `kernel.barrier` of scope workgroup, so that later passes only have to
    support one op. A `gpu.barrier` in host code is unchanged; the lowering of
    host code reports it. With `lds-barriers`, an `amdgpu.lds_barrier` becomes a
    barrier that only orders LDS accesses. Stage `hierarchy` keeps it, because
    it is a per-lane op.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel {
        gpu.barrier
        gpu.return
      }
    }
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
  let summary = "Insert the barriers that memory accesses require";
  let description = [{
    This pass decides where a kernel needs barriers; no other pass inserts any.
    It inserts a barrier before an op that accesses memory accessed by an
    earlier op of other workers, if one of the two accesses is a write and no
    barrier separates them yet. It considers all paths and loop iterations, and
    the barriers of the program.

    Stage `hierarchy` runs this pass while kernels are programs of the workgroup
    and of waves (`kernel.scope`). At that point, the roles of the ops determine
    which workers perform an access. Lane code in these programs orders its own
    accesses, but transfers and herds between pieces of lane code are ordered
    with it. All workers of a scope must reach the ops that they execute
    together; it is an error if a condition around such an op differs between
    them.

    Lane code declares accesses that its lanes perform together with
    `kernel.access`, which may need a barrier before it. Undeclared accesses by
    lanes only conflict with declared ones. Stage `hierarchy` runs the pass
    again at its end, stage `distribution` runs it when all exchanges between
    lanes are known, and stage `codegen` runs it after it has lowered
    reductions. A `kernel.publish` becomes a fence and a barrier. The pass
    removes all `kernel.access` and `kernel.publish` ops.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%v: f32, %i: index, %j: index) -> f32
          workgroup(%m: memref<64xf32, #gpu.address_space<workgroup>>) {
        kernel.access workgroup writes(%m : memref<64xf32, #gpu.address_space<workgroup>>)
        memref.store %v, %m[%i] : memref<64xf32, #gpu.address_space<workgroup>>
        kernel.access workgroup reads(%m : memref<64xf32, #gpu.address_space<workgroup>>)
        %0 = memref.load %m[%j] : memref<64xf32, #gpu.address_space<workgroup>>
        gpu.return %0 : f32
      }
    }
    // becomes
    memref.store %v, %m[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    kernel.barrier workgroup
    %0 = memref.load %m[%j] : memref<64xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let dependentDialects = ["::aircc::kernel::KernelDialect",
                           "::mlir::gpu::GPUDialect"];
}

def CountLoopIterations : Pass<"aircc-count-loop-iterations"> {
  let summary = "Rewrite loops whose induction variable would wrap";
  let description = [{
    A loop compares its induction variable with the upper bound. If the step
    after the last iteration overflows the type, the comparison never fails and
    the loop does not end: in i8, 125 + 4 is -127. This pass rewrites loops for
    which an overflow is possible:

    - With constant bounds, the loop counts its iterations from 0 to ceil((ub -
      lb) / step). The same applies to loops that MLIR's canonicalizer would
      consider empty because ub - lb overflows the type.
    - With other bounds, the loop ends when at most one step is left to the
      upper bound, before it adds the step.
    - A dimension of `scf.parallel` counts its iterations.

    Loops with step 1, and loops whose bounds are known to keep the variable
    within the type, are unchanged. With `only-constant`, loops with other
    bounds are also unchanged. Run this form before the first canonicalizer, and
    the full form before loops become branches.

    Example:
    ```mlir
    func.func @count() {
      %c121 = arith.constant 121 : i8
      %c127 = arith.constant 127 : i8
      %c4 = arith.constant 4 : i8
      scf.for %i = %c121 to %c127 step %c4 : i8 {
        "use"(%i) : (i8) -> ()
      }
      return
    }
    // becomes
    scf.for %n = %c0 to %c2 step %c1 : i32 {
      %0 = arith.trunci %n : i32 to i8
      %1 = arith.muli %0, %c4 : i8
      %i = arith.addi %c121, %1 : i8
      "use"(%i) : (i8) -> ()
    }
    ```
  }];
  let options = [
    Option<"onlyConstant", "only-constant", "bool", "false",
           "Only rewrite loops with constant bounds">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandConversions : Pass<"aircc-expand-conversions"> {
  let summary = "Expand conversions that backends miscompile";
  let description = [{
    Rewrites conversions of scalars and vectors in the `arith` and `llvm`
    dialects:

    - All backends convert integers to bf16 through f32. This rounds numbers of
      more than 24 bits twice: for 2^57 + 2^49 + 1, the first rounding drops the
      1, and the result is halfway between two bf16 numbers. This pass instead
      takes the upper 24 bits and sets the lowest of them if any bit below is
      set (rounding to odd), so that the second rounding is correct. Conversions
      of f64 to bf16 are rounded in the same way.
    - No backend implements the rounding mode of `arith.truncf`. The value is
      rounded to nearest, and then replaced with a neighbor if the mode requires
      that.
    - LLVM's AMDGPU backend (22.1) converts floats to i1 by comparing them with
      1 or -1, so that 1.5 becomes 0. This pass converts them to i32 first.
    - Upstream's emulation of small floats does not support `arith.scaling_extf`
      and `arith.scaling_truncf`: it would only change the types of their
      operands. They become conversions and products.
    - SPIR-V has no bf16. Conversions from and to bf16 in the LLVM dialect
      become `arith` conversions, which can be lowered without it.

    Example:
    ```mlir
    func.func @convert(%x: i64) -> bf16 {
      %0 = arith.uitofp %x : i64 to bf16
      return %0 : bf16
    }
    // becomes a rounding to 24 bits (not shown), followed by
    %1 = arith.sitofp %upper : i64 to f32
    %2 = arith.mulf %1, %power_of_two : f32
    %3 = arith.truncf %2 : f32 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandDynamicReshapes : Pass<"aircc-expand-dynamic-reshapes"> {
  let summary = "Lower reshapes that split a dimension into several dynamic ones";
  let description = [{
    Rewrites a `memref.expand_shape` that splits a dimension into several
    dimensions of dynamic size as a `memref.reinterpret_cast`, because
    upstream's `expand-strided-metadata` crashes on it.

    Example:
    ```mlir
    func.func @expand(%m: memref<?xf32>, %a: index, %b: index) -> memref<?x?xf32> {
      %0 = memref.expand_shape %m [[0, 1]] output_shape [%a, %b]
          : memref<?xf32> into memref<?x?xf32>
      return %0 : memref<?x?xf32>
    }
    // becomes
    %base, %offset, %size, %stride = memref.extract_strided_metadata %m : ...
    %outer = arith.muli %stride, %b : index
    %0 = memref.reinterpret_cast %base to
        offset: [0], sizes: [%a, %b], strides: [%b, 1]
        : memref<f32> to memref<?x?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ExpandFloatAtomics : Pass<"aircc-expand-float-atomics"> {
  let summary =
    "Expand atomic float operations without an instruction to loops";
  let description = [{
    A `memref.atomic_rmw` that multiplies becomes a `memref.generic_atomic_rmw`
    with the operation in its body. With `expand-bf16`, for targets without bf16
    arithmetic, this applies to all bf16 operations except exchanges. A
    `memref.generic_atomic_rmw` on floats is rewritten to use integers of the
    same size, because compare-and-swap compares integers. Run this pass after
    the checks of device code and before bf16 is emulated.

    Example:
    ```mlir
    func.func @multiply(%m: memref<4xf32>, %v: f32, %i: index) {
      %0 = memref.atomic_rmw mulf %v, %m[%i] : (f32, memref<4xf32>) -> f32
      return
    }
    // becomes
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
  let summary = "Rewrite math ops that have no lowering";
  let description = [{
    - `math.isinf` and `math.isnormal` become comparisons, and `math.clampf`
      becomes `arith.minimumf` and `arith.maximumf`.
    - `math.sincos` becomes `math.sin` and `math.cos`.
    - `math.ipowi` and `arith.addui_extended` on `index` are computed in i64.
    - `complex.bitcast` becomes shifts.
    - `vector.fma` becomes `math.fma`, which never rounds the product.
    - `math.fma` on bf16 and on smaller floats is computed in f32. If rounding
      the result again would not return the number nearest to the exact sum, the
      result is corrected.
    - Math ops on multi-dimensional vectors become ops on one-dimensional
      vectors.

    Example:
    ```mlir
    func.func @test(%x: f32) -> i1 {
      %r = math.isinf %x : f32
      return %r : i1
    }
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
    Rewrites the remaining `arith.extf` from and `arith.truncf` to floats of 4,
    6 and 8 bits, for processors without such a conversion: the host, GPUs
    without fp8, and GPUs with the other kind of fp8. Results are rounded to
    nearest, ties to even. Numbers that are too large become infinity; in a type
    without infinity, NaN; in a type without either, the largest number.

    With `only-double`, only conversions of f64 are rewritten, because chips
    convert f64 through f32, which rounds twice.

    Example:
    ```mlir
    func.func @extend(%x: f8E5M2) -> f32 {
      %0 = arith.extf %x : f8E5M2 to f32
      return %0 : f32
    }
    // becomes shifts and a selection among normal, subnormal and special values:
    %bits = arith.bitcast %x : f8E5M2 to i8
    ...
    %value = arith.select %is_subnormal, %subnormal, %normal : i32
    ...
    %0 = arith.bitcast %with_sign : i32 to f32
    ```
  }];
  let options = [
    Option<"onlyDouble", "only-double", "bool", "false",
           "Only rewrite conversions of f64">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandWideDivision : Pass<"aircc-expand-wide-division"> {
  let summary = "Expand rounding divisions of integers wider than 64 bits";
  let description = [{
    `arith.floordivsi` and `arith.ceildivsi` on more than 64 bits become a
    quotient, a remainder and a correction. Upstream's expansion creates its
    constant -1 with 64 bits and does not sign-extend it.

    Example:
    ```mlir
    func.func @divide(%a: i128, %b: i128) -> i128 {
      %0 = arith.floordivsi %a, %b : i128
      return %0 : i128
    }
    // becomes
    %quotient = arith.divsi %a, %b : i128
    %remainder = arith.remsi %a, %b : i128
    ...
    %0 = arith.select %needs_correction, %corrected, %quotient : i128
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RunIfUsed : Pass<"aircc-run-if-used"> {
  let summary = "Run passes on code that contains certain ops";
  let description = [{
    Runs `passes` if the code contains an op of a dialect in `ops`, or an op
    named there. The stages use it for passes that lower ops that few programs
    have. Each pass takes time for all ops, and time that is quadratic in the
    nesting depth for nested ops.

    Example:
    ```mlir
    // '--aircc-run-if-used=ops=linalg passes=any(convert-linalg-to-loops)'
    func.func @clear(%m: memref<4xf32>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%m : memref<4xf32>)
      return
    }
    // becomes, because it contains an op of linalg
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %cst, %m[%i] : memref<4xf32>
    }
    ```
  }];
  let options = [
    ListOption<"ops", "ops", "std::string", "Names of dialects or ops">,
    ListOption<"passes", "passes", "::mlir::OpPassManager", "Passes to run">
  ];
}

def LowerControlFlow : Pass<"aircc-lower-control-flow"> {
  let summary = "Lower structured control flow to branches";
  let description = [{
    Applies the patterns of MLIR's `convert-scf-to-cf`, and generates the same
    code. The run time of that pass is quadratic in the number of ops in a
    block, because it lowers the first op of a block first. This pass lowers the
    last one first.

    Example:
    ```mlir
    func.func @store(%c: i1, %a: f32, %m: memref<f32>) {
      scf.if %c {
        memref.store %a, %m[] : memref<f32>
      }
      return
    }
    // becomes
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      memref.store %a, %m[] : memref<f32>
      cf.br ^bb2
    ^bb2:
      return
    ```
  }];
  let options = [
    Option<"memrefs", "memrefs", "bool", "false",
           "Only lower ops that pass memrefs, or vectors with one small float, "
           "into or out of their regions, and ops around them">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

def PlaceWorkgroupBuffers
    : Pass<"aircc-place-workgroup-buffers", "::mlir::gpu::GPUModuleOp"> {
  let summary =
    "Convert LDS buffers allocated by a kernel to workgroup attributions";
  let description = [{
    A `memref.alloc` of constant size in workgroup memory is one buffer for the
    whole workgroup, regardless of which lanes execute it, and lives as long as
    the kernel. If an alloc is in a loop, it is an error to pass the buffer to
    another iteration or out of the loop.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel {
        %0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
        "use"(%0) : (memref<64xf32, #gpu.address_space<workgroup>>) -> ()
        gpu.return
      }
    }
    // becomes
    gpu.func @k() workgroup(%0 : memref<64xf32, #gpu.address_space<workgroup>>
        {kernel.alignment = 16 : i64}) kernel {
      "use"(%0) : (memref<64xf32, #gpu.address_space<workgroup>>) -> ()
      gpu.return
    }
    ```
  }];
}

def RoundEachOp : Pass<"aircc-round-each-op"> {
  let summary = "Make each operation on emulated floats round its result";
  let description = [{
    `arith-emulate-unsupported-floats` computes in a wider float and inserts
    conversions around each operation, with the fast-math flag `contract`. As a
    result, a value that is used by another operation is not rounded, and a sum
    of bf16 or 8-bit floats differs from the sum on a chip that computes in the
    type. This pass removes the flag. Run it right after that pass.

    Example:
    ```mlir
    func.func @round(%x: f32) -> bf16 {
      %0 = arith.truncf %x fastmath<contract> : f32 to bf16
      return %0 : bf16
    }
    // becomes
    %0 = arith.truncf %x : f32 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def WidenIndexProducts : Pass<"aircc-widen-index-products"> {
  let summary = "Compute extended products of indices in i64";
  let description = [{
    The canonicalizer (MLIR 22.1.8) rewrites an `arith.mulsi_extended` of an
    `index` by 1 to an `arith.extsi` to `index`, which is invalid. It rewrites
    the i64 form correctly, and `index` has 64 bits on all targets. Run this
    pass before each canonicalizer.

    Example:
    ```mlir
    func.func @multiply(%i: index) -> (index, index) {
      %c1 = arith.constant 1 : index
      %low, %high = arith.mulsi_extended %i, %c1 : index
      return %low, %high : index, index
    }
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
