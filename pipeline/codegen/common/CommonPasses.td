//===- CommonPasses.td - Passes for all backends -----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_COMMONPASSES_TD
#define AIRCC_PIPELINE_CODEGEN_COMMON_COMMONPASSES_TD

include "mlir/Pass/PassBase.td"

def BackendOption
    : Option<"backend", "backend", "::aircc::Backend",
             "::aircc::Backend::ROCDL", "The backend to lower for",
             [{::llvm::cl::values(
               clEnumValN(::aircc::Backend::ROCDL, "rocdl", "AMD GPUs"),
               clEnumValN(::aircc::Backend::XeVM, "xevm", "Intel GPUs"))}]>;

def ExpandIntegerPowers
    : Pass<"codegen-expand-integer-powers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand math.ipowi to repeated squaring";
  let description = [{
    Rewrites `math.ipowi`, which the device libraries lack, as a loop over the
    bits of the exponent that squares the base. For a negative exponent, the
    result is the truncated fraction, which is 0 unless the base is 1 or -1.
    Vectors are computed element by element.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%base: i32, %exponent: i32) -> i32 {
        %0 = math.ipowi %base, %exponent : i32
        gpu.return %0 : i32
      }
    }
    // becomes a loop over the bits of the exponent
    scf.while (%result = %one, %power = %base, %rest = %exponent)
        : (i32, i32, i32) -> (i32, i32, i32) {
      ...
    } do {
      ...
      %multiplied = arith.muli %result, %power : i32
      %squared = arith.muli %power, %power : i32
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandArith : Pass<"codegen-expand-arith", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand arith ops without a direct LLVM equivalent";
  let description = [{
    Like upstream's `arith-expand`, but keeps minima and maxima of floats for
    which LLVM's backend has instructions: `arith.maxnumf` and `arith.minnumf`,
    and on AMD GPUs also `arith.maximumf` and `arith.minimumf`. (LLVM's SPIR-V
    backend lowers the latter like the former, which lose NaNs.) Ops with the
    flag `nnan` become `arith.maxnumf` and `arith.minnumf`. On AMD GPUs, bf16
    minima and maxima are computed in f32, without rounding. On Intel GPUs, a
    function of the compiler rounds f32 to bf16.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%x: f32, %y: f32) -> f32 {
        %0 = arith.maximumf %x, %y fastmath<nnan> : f32
        gpu.return %0 : f32
      }
    }
    // becomes
    %0 = arith.maxnumf %x, %y fastmath<nnan> : f32
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ApproximateMath : Pass<"codegen-approximate-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Use fast-math flags of math functions";
  let description = [{
    Expands `math.tanh` on f32 with the flag `afn` to an `exp2` and a quotient,
    with a relative error below 2^-20. On AMD GPUs, `math.exp` and `math.exp2`
    on f32 with this flag only use the hardware's instruction, so results below
    2^-126 are 0. In other cases, `math.exp2` and `math.log2` on f16 and f32
    become calls to LLVM's intrinsics, which keep the flags. The functions of
    the device libraries are the same intrinsics without flags.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%x: f32) -> f32 {
        %0 = math.exp2 %x fastmath<afn> : f32
        gpu.return %0 : f32
      }
    }
    // becomes
    %0 = llvm.call_intrinsic "llvm.amdgcn.exp2"(%x)
        {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def DivideNarrowFloats
    : Pass<"codegen-divide-narrow-floats", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Divide f16 and bf16 by few instructions of AMD GPUs";
  let description = [{
    Computes quotients of f16 and bf16 in f32, with the hardware's reciprocal.
    The error before rounding is too small to change the rounded result. If many
    elements have the same divisor, its reciprocal is computed once. LLVM's code
    for f16 is longer, and bf16 would otherwise be divided as f32. Divisions
    with the flag `arcp` or `afn` remain unchanged.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%x: f16, %y: f16) -> f16 {
        %0 = arith.divf %x, %y : f16
        gpu.return %0 : f16
      }
    }
    // becomes
    %a = arith.extf %x : f16 to f32
    %b = arith.extf %y : f16 to f32
    %r = llvm.call_intrinsic "llvm.amdgcn.rcp.f32"(%b) : (f32) -> f32
    %q = arith.mulf %a, %r : f32
    %n = arith.negf %b : f32
    %e = math.fma %n, %q, %a : f32
    %p = math.fma %e, %r, %q : f32
    %t = arith.truncf %p : f32 to f16
    %0 = llvm.call_intrinsic "llvm.amdgcn.div.fixup.f16"(%t, %y, %x) : …
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def SetKernelAttributes : Pass<"codegen-set-kernel-attributes", "::mlir::ModuleOp"> {
  let summary = "Set the block and grid size of each kernel from its launches";
  let description = [{
    The backend allocates registers according to the number of lanes in a
    workgroup, and by default assumes a small number. If every `gpu.launch_func`
    of a kernel has the same constant block (grid) size, the pass records it on
    the kernel as `known_block_size` (`known_grid_size`). A kernel without a
    known block size must support any size that the chip allows, and gets
    `rocdl.flat_work_group_size = "1,<max-threads>"`.

    A launch is rejected if it contradicts the size stated by the kernel, has
    more lanes than `max-threads`, or uses clusters. If the size of the launch
    is not constant, a runtime call before the launch checks it.

    On Intel GPUs, every kernel instead gets its subgroup size
    (`intel_reqd_sub_group_size`). A kernel that states another size is an
    error.

    With `has-external-launches`, other programs also launch the device code, so
    the grid sizes of launches in this module are not used. (A code object
    records its block size, which the device checks.)

    Example:
    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @k() kernel {
          gpu.return
        }
      }
      func.func @main(%n: index) {
        %c1 = arith.constant 1 : index
        %c256 = arith.constant 256 : index
        gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1)
            threads in (%c256, %c1, %c1)
        return
      }
    }
    // becomes
    gpu.func @k() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    ```
  }];
  let options = [
    BackendOption,
    Option<"waveSize", "wave-size", "unsigned", "64", "The number of lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "The maximum number of lanes in a workgroup">,
    Option<"hasExternalLaunches", "has-external-launches", "bool", "false",
           "Other programs launch the kernels">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
}

def CheckDeviceCode : Pass<"codegen-check-device-code", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Check that the chip and the lowering support the device code";
  let description = [{
    Emits an error at each op of these kinds:

    - Instructions (ops of the `amdgpu` dialect) on 8-bit floats of the other
      family than the chip's. FNUZ and OCP types share encodings but not values,
      so undetected mix-ups would compute wrong results. (Arithmetic and
      conversions support both families.)
    - `memref.alloc`, `memref.dealloc`, `memref.realloc`: kernels have no heap.
    - Workgroup buffers that need more LDS than a workgroup has.
    - Direct-to-LDS loads of less than 32 bits: the hardware stores them 32 bits
      apart.
    - Tensors: they must be bufferized first.
    - Generic atomics on floats of sizes other than 8, 16, 32 and 64 bits.
    - Parallel loops with a GPU mapping inside of a kernel.
    - Unranked memrefs as kernel arguments: their descriptors are in host
      memory.
    - Calls to functions without a body that device libraries cannot define.
    - Memrefs in memory spaces that the backend does not have.

    Example:
    ```mlir
    // --codegen-check-device-code=fp8=ocp
    gpu.module @kernels {
      gpu.func @k(%a: vector<8xf8E4M3FNUZ>, %c: vector<4xf32>) kernel {
        // error: uses the FNUZ type 'f8E4M3FNUZ', but the chip's 8-bit floats are
        // of the OCP kind; convert the data and use 'f8E4M3FN'
        %0 = amdgpu.mfma 16x16x32 %a * %a + %c blgp = none
            : vector<8xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>, vector<4xf32>
        gpu.return
      }
    }
    ```
  }];
  let options = [
    BackendOption,
    Option<"ldsBytes", "lds-bytes", "int64_t", "0",
           "The maximum number of LDS bytes of a workgroup (0: not checked)">,
    Option<"fp8", "fp8", "::aircc::Fp8Kind", "::aircc::Fp8Kind::None",
           "The 8-bit float kinds of the chip", [{::llvm::cl::values(
             clEnumValN(::aircc::Fp8Kind::None, "none", "no fp8 instructions"),
             clEnumValN(::aircc::Fp8Kind::FNUZ, "fnuz", "FNUZ kinds"),
             clEnumValN(::aircc::Fp8Kind::OCP, "ocp", "OCP kinds"))}]>
  ];
}

def CheckRegisterDemand
    : Pass<"codegen-check-register-demand", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Check that vectors fit into the registers of a lane";
  let description = [{
    After distribution, a vector is in the registers of one lane, and an op on
    it becomes one instruction for each register, or for each multiplication of
    a contraction. It is an error if the values of an op exceed the register
    file and the op becomes more instructions than the option `most` allows,
    because the backend would take minutes and spill. Such vectors are usually
    meant to be vectors of a wave or a workgroup.

    Smaller ops are accepted even if they spill, because they compile and may be
    executed rarely.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%a: vector<64x64xf32>) kernel {
        // error: needs 16384 32-bit registers per lane, but this chip has 512, and
        // would expand to about 262144 instructions
        %d = vector.contract {
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                           affine_map<(m, n, k) -> (k, n)>,
                           affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %a, %a
          : vector<64x64xf32>, vector<64x64xf32> into vector<64x64xf32>
        gpu.return
      }
    }
    ```
  }];
  let options = [
    Option<"registers", "registers", "int64_t", "512",
           "The maximum number of 32-bit registers of a lane">,
    Option<"most", "most", "int64_t", "32768",
           "The maximum number of instructions of an op">
  ];
}

def LowerDeviceMemory : Pass<"codegen-lower-device-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower memory ops to forms that a GPU can execute";
  let description = [{
    - A `memref.alloca` without a memory space is moved to the private memory
      space, which contains AMDGPU's stack, and is cast back. An alloca of
      constant size is moved to the entry block. An alloca of dynamic size in a
      loop is an error, because the stack is not freed after each iteration.
    - `memref.copy` becomes a loop nest. (On the host, it would be a library
      call.)
    - An `amdgpu.fat_raw_buffer_cast` of a memref that keeps its offset gets the
      number of valid bytes, counted from the base.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel {
        %0 = memref.alloca() : memref<4xf32>
        "use"(%0) : (memref<4xf32>) -> ()
        gpu.return
      }
    }
    // becomes
    %1 = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    %0 = memref.memory_space_cast %1
        : memref<4xf32, #gpu.address_space<private>> to memref<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerDeviceVectors : Pass<"codegen-lower-device-vectors", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower multi-dimensional vector ops";
  let description = [{
    Rewrites vector ops without a direct LLVM equivalent (contractions,
    transposes, multi-reductions, gathers, masks, transfers, shape casts and
    others).

    If a contraction has more than 1,024 products and its vectors do not fit
    into the registers of a lane, it becomes loops over private memory. If it
    were unrolled, register allocation would take up to a minute.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%v: vector<2x2xf32>) -> f32 {
        %zero = arith.constant 0.0 : f32
        %0 = vector.multi_reduction <add>, %v, %zero [0, 1] : vector<2x2xf32> to f32
        gpu.return %0 : f32
      }
    }
    // becomes
    %x0 = vector.extract %v[0, 0] : f32 from vector<2x2xf32>
    ...
    %sum1 = arith.addf %x1, %sum0 : vector<1xf32>
    ...
    %0 = vector.extract %sum3[0] : f32 from vector<1xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerReductions : Pass<"codegen-lower-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower reductions over the lanes of waves and workgroups";
  let description = [{
    Lowers `gpu.subgroup_reduce` and `gpu.all_reduce` for all kinds, types and
    sizes. How a wave reduces depends on its active lanes:

    - All lanes, if the kernel states a block size of whole waves: the wave
      uses DPP moves within rows of 16 lanes, and then reads one lane of each
      row.
    - The lanes from 0 to an unknown number, if all lanes of the wave are known
      to reach the op (the last wave of a workgroup may be partial): the same,
      but the values of inactive lanes are skipped.
    - Arbitrary lanes, in a branch or in a loop that lanes may leave in
      different iterations: the wave loops over the active lanes.

    Lanes are combined in order; clusters of a complete wave form a butterfly.
    `gpu.all_reduce` stores the results of the waves in LDS, and each lane
    combines them in the same order. All such ops of one type share the buffer.
    The ops declare their accesses with `kernel.access`, so
    `aircc-place-barriers` must run after this pass.

    An all_reduce that is not `uniform`, and not known to be reached by the
    whole workgroup, is an error, because a barrier in divergent code hangs.

    Example:
    ```mlir
    // --codegen-lower-reductions=chip=gfx942
    gpu.module @kernels {
      gpu.func @k(%v: f32) -> f32
          attributes {known_block_size = array<i32: 64, 1, 1>} {
        %s = gpu.all_reduce add %v uniform {} : (f32) -> f32
        gpu.return %s : f32
      }
    }
    // becomes four moves and additions, and a read of one lane of each row
    %1 = rocdl.update.dpp %undefined, %0 with 257, 15, 15, true : i32
    ...
    %sum = arith.addf %v, %moved : f32
    ...
    %2 = rocdl.readlane %bits, %lane : (i32, i32) -> i32
    ```
  }];
  let options = [
    BackendOption,
    Option<"chip", "chip", "std::string", "\"\"", "The processor name">,
    Option<"waveSize", "wave-size", "unsigned", "64", "The number of lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "The maximum number of lanes in a workgroup">
  ];
  let dependentDialects = ["::aircc::kernel::KernelDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerShuffles : Pass<"codegen-lower-shuffles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower exchanges of values between the lanes of a wave";
  let description = [{
    Lowers `gpu.shuffle`, `gpu.rotate`, `gpu.subgroup_broadcast` and
    `kernel.permute_lanes` on any integer, float or index type, and on 1-D
    vectors of these, one 32-bit register at a time.

    A width that is a power of two divides the wave into parts of that many
    lanes. With any other width, only the first `width` lanes participate. The
    second result of a shuffle is true if the source lane is in the lane's own
    part. A constant width larger than the wave is an error.

    On gfx11, instructions that read from any lane only do so within 32 lanes.
    In waves of 64 lanes, the two halves therefore exchange their values first.
    Unless all lanes are known to execute the op, the pass enables the inactive
    ones for this, which takes longer. gfx10 cannot exchange the halves, so
    waves of 64 lanes are an error there.

    Example:
    ```mlir
    // --codegen-lower-shuffles=chip=gfx942
    gpu.module @kernels {
      gpu.func @k(%v: f32, %n: i32) -> f32 {
        %c64 = arith.constant 64 : i32
        %0, %valid = gpu.shuffle up %v, %n, %c64 : f32
        gpu.return %0 : f32
      }
    }
    // becomes a read of the register of lane `lane - n`
    %1 = rocdl.ds_bpermute %address, %bits : (i32, i32) -> i32
    ```
  }];
  let options = [
    BackendOption,
    Option<"chip", "chip", "std::string", "\"\"", "The processor name">,
    Option<"waveSize", "wave-size", "unsigned", "64", "The number of lanes in a wave">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExtendMath : Pass<"codegen-extend-math"> {
  let summary = "Compute math functions of narrow floats in f32";
  let description = [{
    Computes `math` functions on bf16 and smaller floats in f32, and also
    functions on f16 for which the hardware has no instruction. The device
    libraries have f16 functions, but in some versions, the sine of all finite
    arguments is NaN.

    On AMD GPUs, `math.exp` and `math.exp2` use the hardware's instruction (flag
    `afn`) if their result is a narrow float, or an f32 that is only rounded to
    narrow floats. The relative error before rounding is below 2^-16. The
    instruction yields 0 instead of denormals, so bf16 results, which have them,
    are squares of roots.

    Example:
    ```mlir
    func.func @test(%x: f16) -> f16 {
      %0 = math.sin %x : f16
      return %0 : f16
    }
    // becomes
    %0 = arith.extf %x : f16 to f32
    %1 = math.sin %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def LowerPrints : Pass<"codegen-lower-prints", "::mlir::gpu::GPUModuleOp"> {
  let summary =
      "Lower printing in kernels to gpu.printf with standard argument types";
  let description = [{
    `vector.print` becomes `gpu.printf` with the same text as on the host. A
    single op prints the whole vector, so that the output of other lanes cannot
    be interleaved. If a large vector is loaded directly before it is printed, a
    loop prints it from memory instead. On AMD GPUs, this loop assembles one
    message by calling the ROCm device libraries.

    The formats of `gpu.printf` are checked against the types of the arguments,
    and the arguments are extended to i64 and f64. The type of a value
    determines its width, regardless of length modifiers in the format, except
    that `h` and `hh` truncate as in C. Signed conversions sign-extend all types
    except i1.

    On Intel GPUs, both ops become calls to OpenCL's printf, which prints floats
    as f32 (f64 as f64). OpenCL's printf supports neither `*` nor values for
    `%p`. One call prints at most 256 elements.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%v: vector<2xi8>) kernel {
        vector.print %v : vector<2xi8>
        gpu.return
      }
    }
    // becomes
    %e:2 = vector.to_elements %v : vector<2xi8>
    %0 = arith.extsi %e#0 : i8 to i64
    %1 = arith.extsi %e#1 : i8 to i64
    gpu.printf "( %lld, %lld )\0A", %0, %1 : i64, i64
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerAsserts : Pass<"codegen-lower-asserts", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make failing assertions end the kernel";
  let description = [{
    `cf.assert` becomes a conditional trap, which ends the program with a device
    error. On Intel GPUs, for which SPIR-V has no trap, it becomes a write to
    address 0. Before that, the address of the message is stored in a global
    variable, where the simulated device finds it.

    On AMD GPUs, the first failing lane of a wave also prints the message and
    the source location to standard error, through calls to the ROCm device
    libraries that HIP's runtime handles.
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%c: i1) kernel {
        cf.assert %c, "out of bounds"
        gpu.return
      }
    }
    // becomes, without the calls that print,
    scf.if %not_c {
      %text = llvm.mlir.addressof @__aircc_assertion_text : !llvm.ptr<4>
      %place = llvm.mlir.addressof @__aircc_assertion : !llvm.ptr<1>
      llvm.store volatile %text, %place : !llvm.ptr<4>, !llvm.ptr<1>
      llvm.intr.trap
    }
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::scf::SCFDialect"];
}

def CallMathFunctions
    : Pass<"codegen-call-math-functions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Replace powers missing from the device libraries by function calls";
  let description = [{
    `math.fpowi` with an exponent other than a scalar i32 becomes a call to a
    function created by the upstream pass `convert-math-to-funcs`, which only
    runs on a builtin.module.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%a: f32, %b: i64) -> f32 {
        %r = math.fpowi %a, %b : f32, i64
        gpu.return %r : f32
      }
    }
    // becomes
    %r = func.call @__air_math_0(%a, %b) : (f32, i64) -> f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def LowerLaunchSizes : Pass<"codegen-lower-launch-sizes", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower block and grid sizes without calling the device libraries";
  let description = [{
    `gpu.block_dim` and `gpu.grid_dim` become constants if the kernel states
    these sizes. Otherwise, they become loads of the implicit kernel arguments
    (code object version 5 and later: the block counts are 32-bit at offsets 0,
    4, 8, the group sizes 16-bit at 12, 14, 16; see "Kernarg Segment" in LLVM's
    AMDGPU usage guide). The upstream lowering calls device library functions
    that do the same.

    Ids that depend on sizes (`gpu.global_id`, `gpu.subgroup_id`,
    `gpu.num_subgroups`) are expanded first.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() -> index
          attributes {known_block_size = array<i32: 64, 1, 1>} {
        %0 = gpu.block_dim x
        gpu.return %0 : index
      }
    }
    // becomes
    %0 = arith.constant 64 : index
    ```
  }];
  let options = [
    BackendOption,
    Option<"waveSize", "wave-size", "unsigned", "64", "The number of lanes in a wave">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::index::IndexDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerLaneOps : Pass<"codegen-lower-lane-ops"> {
  let summary = "Lower the per-lane instructions of the kernel dialect";
  let description = [{
    | op                     | lowering                                              |
    | ---------------------- | ----------------------------------------------------- |
    | `kernel.trap`          | `llvm.intr.trap`                                      |
    | `kernel.atomic_load`   | an `llvm.load` with ordering `monotonic`              |
    | `kernel.atomic_store`  | an `llvm.store` with ordering `monotonic`             |
    | `kernel.atomic_add`    | `llvm.atomicrmw add` with ordering `monotonic`        |
    | `kernel.memref_at`     | the struct to which memrefs are lowered               |
    | `kernel.offset_memref` | that struct, with other pointers                      |
    | `kernel.permute_bytes` | `llvm.amdgcn.perm`; for Intel GPUs `vector.shuffle`   |
    | `kernel.rescale`       | `arith.mulf`, for AMD GPUs in a branch                |
    | `kernel.set_priority`  | `rocdl.s.setprio`; nothing for Intel GPUs             |

    Stage `link` runs this pass on host code, which computes addresses of
    buffers on other ranks with `kernel.offset_memref`.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%base: i64, %i: index) -> i32 {
        %word = kernel.atomic_load device %base[%i] : i32
        gpu.return %word : i32
      }
    }
    // becomes, for ROCDL,
    %p = llvm.inttoptr %base : i64 to !llvm.ptr<1>
    %at = llvm.getelementptr %p[%i64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %word = llvm.load %at atomic syncscope("agent") monotonic {alignment = 4 : i64}
        : !llvm.ptr<1> -> i32
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerKernelOps
    : Pass<"codegen-lower-kernel-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower the barriers and fences of the kernel dialect";
  let description = [{
    This pass lowers all synchronization to backend ops. A `gpu.barrier`, which
    a program that starts at this stage may contain, is lowered like a
    `kernel.barrier` of scope workgroup.

    | op                         | ROCDL                          | XeVM                          |
    | -------------------------- | ------------------------------ | ----------------------------- |
    | `kernel.barrier workgroup` | `rocdl.barrier`                | OpenCL's `barrier`            |
    | `kernel.barrier wave`      | `llvm.amdgcn.wave.barrier`     | SPIR-V's `ControlBarrier`     |
    | `kernel.fence`             | `llvm.fence` with a sync scope | `llvm.fence`, `xevm.memfence` |

    AMD's hardware keeps the accesses of a wave in order. A wave's barrier and
    the fence before it therefore cost no instructions, but prevent LLVM from
    moving accesses and from duplicating control flow around them. A list of
    memory spaces becomes a tag on the fences (`amdgpu-synchronize-as`).

    On Xe, a barrier orders accesses to global memory and to SLM, unless it only
    lists one of them. A fence for a single memory space is an `xevm.memfence`.
    A subgroup barrier orders all memory; if it lists no memory spaces, a fence
    before it also orders accesses for LLVM.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel {
        kernel.barrier workgroup
        gpu.return
      }
    }
    // becomes, for ROCDL,
    rocdl.barrier
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::xevm::XeVMDialect"];
}

def FinalizeKernels : Pass<"codegen-finalize-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Complete lowered kernels and check that all ops are lowered";
  let description = [{
    Runs after the conversion to the LLVM dialect:

    - Generic pointers among kernel arguments become global pointers, because
      the host can pass no others. The backend then uses global instead of flat
      memory instructions.
    - Globals in the generic address space are moved to the constant or the
      global one.
    - Upstream lowers `memref.generic_atomic_rmw` to a loop around an
      `llvm.cmpxchg`. The load before this loop becomes atomic, because other
      lanes may change the memory at the same time.
    - A remaining op outside of the LLVM and ROCDL dialects is an error, and so
      is an `llvm.alloca` outside of the stack's address space.

    Example:
    ```mlir
    gpu.module @kernels {
      llvm.func @k(%p: !llvm.ptr, %x: f32) attributes {rocdl.kernel} {
        llvm.store %x, %p : f32, !llvm.ptr
        llvm.return
      }
    }
    // becomes
    llvm.func @k(%g: !llvm.ptr<1>, %x: f32) attributes {rocdl.kernel} {
      %p = llvm.addrspacecast %g : !llvm.ptr<1> to !llvm.ptr
      llvm.store %x, %p : f32, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SeparateTransfers : Pass<"codegen-separate-transfers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Mark that LDS reads do not alias direct-to-LDS loads";
  let description = [{
    If the compiler has placed the waits for direct-to-LDS loads (the kernel has
    `layout.placed_waits`), these loads get an alias scope, and all other
    accesses to LDS are marked as not aliasing it. Without this, the backend,
    which only sees that both access LDS, would make every read wait for all
    outstanding loads.

    Example:
    ```mlir
    gpu.module @kernels {
      llvm.func @k(%p: !llvm.ptr<7>, %lds: !llvm.ptr<3>)
          attributes {layout.placed_waits} {
        rocdl.load.to.lds %p, %lds, 16, 0, 0 : !llvm.ptr<7>
        %x = llvm.load %lds : !llvm.ptr<3> -> vector<8xf16>
        llvm.return
      }
    }
    // becomes
    rocdl.load.to.lds %p, %lds, 16, 0, 0 {alias_scopes = [#scope]} : !llvm.ptr<7>
    %x = llvm.load %lds {noalias_scopes = [#scope]} : !llvm.ptr<3> -> vector<8xf16>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_COMMONPASSES_TD
