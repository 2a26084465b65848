//===- CommonPasses.td - Passes for all back ends ----------*- tablegen -*-===//
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
  let summary = "Compute math.ipowi by squaring";
  let description = [{
    Rewrites `math.ipowi`, which no device library has, as a loop that squares
    the base and goes through the bits of the exponent. A negative exponent gives
    what is left of the fraction: 1 and -1 for those bases, and else 0. Vectors
    go element by element.

    Example:
    ```mlir
    %0 = math.ipowi %base, %exponent : i32
    ```
    becomes an `scf.while` over the exponent with an `arith.muli` or two in it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def SetKernelAttributes : Pass<"codegen-set-kernel-attributes", "::mlir::ModuleOp"> {
  let summary = "Tell each kernel the block and grid size of its launches";
  let description = [{
    The backend budgets registers by the number of lanes in a workgroup, and
    assumes a small one unless told. Where every `gpu.launch_func` of a kernel
    has the same constant block (grid) size, the kernel gets it as
    `known_block_size` (`known_grid_size`). A kernel without a known block size
    must work with any that the chip allows and gets
    `rocdl.flat_work_group_size = "1,<max-threads>"`.

    A launch that contradicts a size which the kernel already states, or that
    has more lanes than `max-threads`, or is in clusters, is an error. Where the
    launch's size is not constant, a call of the runtime before it looks whether
    it is the stated one.

    On Intel GPUs every kernel gets the size of its subgroups instead
    (`intel_reqd_sub_group_size`); one that states another is an error.

    With `has-external-launches`, the grid of launches in this module is no promise:
    the device code is for programs that this module does not hold. (Of another
    block size the code object itself tells the device.)

    Example: a kernel launched only with `threads in (%c256, %c1, %c1)` becomes
    ```mlir
    gpu.func @k(...) kernel attributes
        {known_block_size = array<i32: 256, 1, 1>} { ... }
    ```
  }];
  let options = [
    BackendOption,
    Option<"waveSize", "wave-size", "unsigned", "64", "Lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "Lanes that a workgroup may have">,
    Option<"hasExternalLaunches", "has-external-launches", "bool", "false",
           "Kernels are launched by other programs">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
}

def CheckDeviceCode : Pass<"codegen-check-device-code", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Refuse device code that the chip or the lowering cannot do";
  let description = [{
    Errors, each at the op:
    - instructions (ops of the `amdgpu` dialect) on 8-bit floats of the other
      family than the chip's. FNUZ and OCP kinds share encodings but not values,
      so an unnoticed mix-up computes garbage. (Arithmetic and conversions work
      in either family.)
    - `memref.alloc`, `memref.dealloc`, `memref.realloc`: kernels have no heap.
    - workgroup buffers that need more LDS than a workgroup has.
    - loads straight to LDS of less than 32 bits: they land 32 bits apart.
    - tensors: bufferise first.
    - generic atomics on floats of other sizes than 8, 16, 32 and 64 bits.
    - parallel loops that carry a GPU mapping inside of a kernel.
    - unranked memrefs as arguments of kernels: their descriptor is on the host.
    - calls of functions without a body that no device library can have.
    - memrefs in memory spaces that the backend does not have.

    Example: with `fp8=fnuz`
    ```mlir
    %0 = amdgpu.mfma 16x16x32 %a * %b + %c ... : vector<8xf8E4M3FN>, ...
    // error: uses the OCP type 'f8E4M3FN', but the chip's 8-bit floats are of
    // the FNUZ kind: convert the data and use 'f8E4M3FNUZ'
    ```
  }];
  let options = [
    BackendOption,
    Option<"ldsBytes", "lds-bytes", "int64_t", "0",
           "Bytes of LDS that a workgroup may use (0: not checked)">,
    Option<"fp8", "fp8", "::aircc::Fp8Kind", "::aircc::Fp8Kind::None",
           "8-bit float kinds of the chip", [{::llvm::cl::values(
             clEnumValN(::aircc::Fp8Kind::None, "none", "no fp8 instructions"),
             clEnumValN(::aircc::Fp8Kind::FNUZ, "fnuz", "FNUZ kinds"),
             clEnumValN(::aircc::Fp8Kind::OCP, "ocp", "OCP kinds"))}]>
  ];
}

def CheckRegisterDemand
    : Pass<"codegen-check-register-demand", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Refuse vectors that no lane can hold and no compiler unroll";
  let description = [{
    Here, after distribution, a vector is in the registers of one lane, and an op
    on it becomes an instruction for each register or product. An op whose values
    are larger than the register file and that becomes more than `most`
    instructions is an error: the backend would work on it for minutes, and spill.
    Mostly the vectors are meant to be those of a wave or a workgroup.

    Smaller ops pass although they spill: they compile, and may be rare.

    Example:
    ```mlir
    %d = vector.contract ... : vector<64x64xf32>, vector<64x64xf32>
        into vector<64x64xf32>
    // error: 'vector.contract' op works on 16384 registers of 32 bits in each
    // lane, which has 512 on this chip, and would become some 262144
    // instructions: if its vectors are those of a wave or a workgroup, say so
    // with the attribute 'layout.scope' on the kernel; ...
    ```
  }];
  let options = [
    Option<"registers", "registers", "int64_t", "512",
           "Registers of 32 bits that one lane may use">,
    Option<"most", "most", "int64_t", "32768",
           "The most instructions that one op may become">
  ];
}

def LowerDeviceMemory : Pass<"codegen-lower-device-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Give device code the memory ops that a GPU can execute";
  let description = [{
    - `memref.alloca` without a memory space moves to the private space, where
      AMDGPU's stack is, and is cast back. One of a constant size moves to the
      entry block; one of another size in a loop is an error, for nothing frees
      the stack after each turn.
    - `memref.copy` becomes a loop nest (on the host it would be a library call).
    - `amdgpu.fat_raw_buffer_cast` of a memref whose offset stays says how many
      bytes are valid, counted from the base.

    Example:
    ```mlir
    %0 = memref.alloca() : memref<4xf32>
    ```
    becomes
    ```mlir
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
  let summary = "Break multi-dimensional vector ops down";
  let description = [{
    Rewrites vector ops without a direct LLVM form (contractions, transposes,
    multi-reductions, gathers, masks, transfers, shape casts ...) into ones that
    have it.

    Example: `vector.contract` of a matmul becomes a chain of `vector.fma`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerReductions : Pass<"codegen-lower-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Reductions over the lanes of waves and workgroups";
  let description = [{
    Lowers `gpu.subgroup_reduce` and `gpu.all_reduce`, of all kinds, types and
    sizes. Which lanes are active decides how a wave reduces:

    - all, where the kernel states a block size of whole waves: DPP moves within
      rows of 16 lanes, then one read of each row;
    - those from lane 0 up to some number, where all lanes of the wave are known
      to reach the op (a wave at the end of a workgroup may be partly filled):
      the same, with values that are none left out;
    - any, in a branch or a loop that lanes may leave at different times: a loop
      over the active lanes.

    Lanes are taken in their order, clusters of a whole wave as a butterfly.
    `gpu.all_reduce` puts the waves' results into LDS, and each lane adds them up
    in the same order. All such ops of a type share the buffer. The accesses are
    stated by `kernel.access`, so `aircc-place-barriers` must follow.

    An all_reduce that is not `uniform`, and cannot be shown to be reached by the
    whole workgroup, is an error: a barrier in divergent code hangs.

    Example: in a kernel with `known_block_size = array<i32: 64, 1, 1>`
    ```mlir
    %s = gpu.all_reduce add %v {} : (f32) -> f32
    ```
    becomes four `rocdl.update.dpp` with additions, and four `rocdl.readlane`.
  }];
  let options = [
    BackendOption,
    Option<"waveSize", "wave-size", "unsigned", "64", "Lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "Lanes that a workgroup may have">
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
  let summary = "Moves of values between the lanes of a wave";
  let description = [{
    Lowers `gpu.shuffle`, `gpu.rotate` and `gpu.subgroup_broadcast` of any
    integer, float or index type, and 1-D vectors of them, register by register.

    A width that is a power of two divides the wave into parts of that many
    lanes; with another width the first `width` lanes take part. The second
    result of a shuffle is true where the source lies in the lane's own part.
    A constant width beyond the wave is an error.

    Example: `gpu.shuffle xor %v, %c1, %c64 : f32` becomes one
    `rocdl.update.dpp`, and `gpu.shuffle up %v, %n, %c64 : f32` a
    `rocdl.ds_bpermute` from lane `lane - n`.
  }];
  let options = [
    BackendOption,
    Option<"chip", "chip", "std::string", "\"\"", "Processor name">,
    Option<"waveSize", "wave-size", "unsigned", "64", "Lanes in a wave">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExtendMath : Pass<"codegen-extend-math"> {
  let summary = "Do math functions on narrow floats in f32";
  let description = [{
    Functions of the `math` dialect on bf16 and smaller floats are computed in
    f32, and those on f16 that the hardware has no instruction for as well: the
    device libraries have f16 forms, but the sine of some versions is NaN for
    every finite argument.

    Example: `math.sin %x : f16` becomes
    ```mlir
    %0 = arith.extf %x : f16 to f32
    %1 = math.sin %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def LowerPrints : Pass<"codegen-lower-prints", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn what kernels print into gpu.printf of plain values";
  let description = [{
    `vector.print` becomes `gpu.printf` with the text that it has on the host,
    one for the whole vector, so that what other lanes print does not come in
    between. A vector of more than a few elements that is loaded right before is
    printed out of memory, in a loop: a message of HIP is put together part by
    part, by calls of the ROCm device libraries.

    The formats of `gpu.printf` are checked against the types of the arguments,
    and the arguments brought to i64 and f64: the type of a value says how wide
    it is, whatever length the format says; `h` and `hh` cut as in C. Signed
    conversions extend the sign, but of i1.

    On Intel GPUs both become calls of OpenCL's printf, to which floats go as f32
    (or f64, if they are), and which has neither `*` nor values for `%p`. A
    call prints at most 256 elements.

    Example: `vector.print %v : vector<2xi8>` becomes
    ```mlir
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
  let summary = "Let failed assertions end the kernel";
  let description = [{
    `cf.assert` becomes a trap under the opposite condition, which ends the
    program with an error of the device. On Intel GPUs, where SPIR-V has no trap,
    it is a write to address 0. The address of the message is stored in
    a global variable before; the simulated device looks there.

    On AMD GPUs the first lane of a wave that fails prints the message to
    standard error before, with the place in the source, by calls of the ROCm
    device libraries that HIP's runtime answers (left out below).

    Example: `cf.assert %c, "out of bounds"` becomes
    ```mlir
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
  let summary = "Write functions for powers that the device libraries lack";
  let description = [{
    `math.fpowi` with an exponent other than a single i32 becomes a call of a
    function that `convert-math-to-funcs` writes, which works on a builtin.module
    only.

    Example:

    ```mlir
    %r = math.fpowi %a, %b : f32, i64
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
  let summary = "Read block and grid sizes without the device libraries";
  let description = [{
    `gpu.block_dim` and `gpu.grid_dim` become constants where the kernel knows
    them, and else loads from the implicit kernel arguments (code object version
    5 and later: the block counts are 32-bit at offsets 0, 4, 8, the group sizes
    16-bit at 12, 14, 16; see "Kernarg Segment" in LLVM's AMDGPU usage guide).
    The upstream lowering calls device library functions that do the same.

    Ids that are made of sizes (`gpu.global_id`, `gpu.subgroup_id`,
    `gpu.num_subgroups`) are expanded first.

    Example:
    ```mlir
    %0 = gpu.block_dim x     // known_block_size = array<i32: 64, 1, 1>
    ```
    becomes `arith.constant 64 : index`.
  }];
  let options = [
    BackendOption,
    Option<"waveSize", "wave-size", "unsigned", "64", "Lanes in a wave">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::index::IndexDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerLaneOps : Pass<"codegen-lower-lane-ops"> {
  let summary = "Lower the kernel dialect's instructions of lanes";
  let description = [{
    | op                      | becomes                                          |
    | ----------------------- | ------------------------------------------------ |
    | `kernel.trap`           | `llvm.intr.trap`                                 |
    | `kernel.atomic_load`    | an `llvm.load` with ordering `monotonic`         |
    | `kernel.atomic_store`   | an `llvm.store` with ordering `monotonic`        |
    | `kernel.atomic_add`     | `llvm.atomicrmw add` with ordering `monotonic`   |
    | `kernel.memref_at`      | the struct that memrefs are lowered to           |
    | `kernel.offset_memref`  | that struct, with other pointers                 |
    | `kernel.permute_bytes`  | `llvm.amdgcn.perm`; for Intel GPUs a `vector.shuffle` |

    Stage `link` runs the pass on host code, which has `kernel.offset_memref`
    where it computes the address of a peer's buffer.

    Example:
    ```mlir
    %word = kernel.atomic_load device %base[%i] : i32
    // becomes, for ROCDL
    %p = llvm.inttoptr %base : i64 to !llvm.ptr<1>
    %at = llvm.getelementptr %p[%i64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %word = llvm.load %at atomic syncscope("agent") monotonic {alignment = 4 : i64}
        : !llvm.ptr<1> -> i32
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerKernelOps
    : Pass<"codegen-lower-kernel-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower the barriers and fences of the kernel dialect";
  let description = [{
    The one place where synchronization becomes code of a back end. A
    `gpu.barrier`, which a program that starts at this stage may contain, is
    lowered as a `kernel.barrier` of scope workgroup.

    | op                         | ROCDL                                    | XeVM |
    | -------------------------- | ---------------------------------------- | ---- |
    | `kernel.barrier workgroup` | `rocdl.barrier`                          | OpenCL's `barrier` |
    | `kernel.barrier wave`      | a fence and `llvm.amdgcn.wave.barrier`   | SPIR-V's `ControlBarrier` of the subgroup |
    | `kernel.fence`             | `llvm.fence` with the scope's name       | `llvm.fence`, or `xevm.memfence` for one memory space |

    The hardware of AMD keeps the accesses of a wave in order: the fence and the
    barrier of a wave cost no instruction there, and keep LLVM from moving
    accesses and from duplicating control flow around them. A list of memory
    spaces becomes a tag on the fences (`amdgpu-synchronize-as`).

    On Xe, a barrier orders accesses to global memory as well as to SLM, unless
    it lists fewer. A barrier of a subgroup orders all memory; before one that
    lists no memory spaces there is a fence for LLVM, too.

    Example:
    ```mlir
    kernel.barrier workgroup
    // becomes, for ROCDL
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
  let summary = "Finish lowered kernels and check that nothing was left";
  let description = [{
    Runs after the conversion to the LLVM dialect. Generic pointers among kernel
    arguments become global ones, because a host can pass no other: the backend
    then uses global instead of flat memory instructions. For the same reason
    globals of the generic address space move to the constant or the global one.
    The load before a loop around an `llvm.cmpxchg`, as upstream lowers
    `memref.generic_atomic_rmw`, becomes an atomic one: others change what it
    reads at the same time.
    An op outside of the LLVM and ROCDL dialects that is still there is an error
    that names it, and so is an `llvm.alloca` outside of the stack.

    Example:
    ```mlir
    llvm.func @k(%p: !llvm.ptr) attributes {rocdl.kernel} { ... }
    ```
    becomes
    ```mlir
    llvm.func @k(%g: !llvm.ptr<1>) attributes {rocdl.kernel} {
      %p = llvm.addrspacecast %g : !llvm.ptr<1> to !llvm.ptr
      ...
    ```
  }];
  let options = [BackendOption];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SeparateTransfers : Pass<"codegen-separate-transfers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let reads of LDS not wait for transfers to it";
  let description = [{
    Where the program waits for its direct-to-LDS loads itself (`layout.placed_waits`
    on a kernel says so), the loads get an alias scope, and all other accesses to
    LDS one that they do not alias. Otherwise the backend, which sees only that
    they go to LDS as well, makes every read wait for every load under way.

    Example:

    ```mlir
    rocdl.load.to.lds %p, %lds, 16, 0, 0 : !llvm.ptr<7>
    %x = llvm.load %lds : !llvm.ptr<3> -> vector<8xf16>
    // becomes
    rocdl.load.to.lds %p, %lds, 16, 0, 0 {alias_scopes = [#scope]} : !llvm.ptr<7>
    %x = llvm.load %lds {noalias_scopes = [#scope]} : !llvm.ptr<3> -> vector<8xf16>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_COMMONPASSES_TD
