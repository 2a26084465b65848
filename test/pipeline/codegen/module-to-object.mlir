// RUN: split-file %s %t
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942 code-object-version=5" --codegen-compile-gpu-modules=format=llvm | FileCheck %t/plain.mlir --check-prefix=LLVM
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942 code-object-version=5" --codegen-compile-gpu-modules=format=asm | FileCheck %t/plain.mlir --check-prefix=ASM5
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx1100 wave-size=32 code-object-version=6" --codegen-compile-gpu-modules=format=asm | FileCheck %t/plain.mlir --check-prefix=ASM6
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules | FileCheck %t/plain.mlir --check-prefix=OBJ
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules --link-build-code-objects | FileCheck %t/plain.mlir --check-prefix=HSACO
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules --link-build-code-objects > %t/first
// RUN: mkdir -p %t/elsewhere && cd %t/elsewhere && %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules --link-build-code-objects | cmp - %t/first
//
// RUN: not %aircc opt %t/plain.mlir --codegen-compile-gpu-modules 2>&1 | FileCheck %t/plain.mlir --check-prefix=NOTARGET
// RUN: not %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx9999" --codegen-compile-gpu-modules 2>&1 | FileCheck %t/plain.mlir --check-prefix=CHIP
// RUN: not %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942 wave-size=32" --codegen-compile-gpu-modules 2>&1 | FileCheck %t/plain.mlir --check-prefix=WAVE
// RUN: not %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942 code-object-version=4" --codegen-compile-gpu-modules 2>&1 | FileCheck %t/plain.mlir --check-prefix=ABI
// RUN: not %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules=format=asm --link-build-code-objects 2>&1 | FileCheck %t/plain.mlir --check-prefix=NOOBJECT
// RUN: not %aircc opt %t/calls.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules 2>&1 | FileCheck %t/calls.mlir
// RUN: not %aircc opt %t/libm.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules=rocm-path=%t/no-rocm 2>&1 | FileCheck %t/libm.mlir -DROOT=%t/no-rocm
// RUN: not %aircc opt %t/lds.mlir --codegen-attach-target="chip=gfx942" --codegen-compile-gpu-modules 2>&1 | FileCheck %t/lds.mlir

//--- plain.mlir
// LLVM:     gpu.binary @m [#gpu.object<#rocdl.target<chip = "gfx942", abi = "500">, offload = "
// LLVM-SAME: define amdgpu_kernel void @k(ptr addrspace(1)
// LLVM-SAME: uniform-work-group-size\22=\22true\22
// ASM5:     gpu.binary @m [#gpu.object<#rocdl.target<chip = "gfx942", abi = "500">, assembly = "
// ASM5-SAME: .amdhsa_code_object_version 5
// ASM5-SAME: global_store_dword
// Unused hidden arguments are not requested.
// ASM5-NOT: hidden_
// ASM6:     .amdhsa_code_object_version 6
// ASM6-SAME: .amdhsa_wavefront_size32 1
// Two ELF files: e_type (byte 16) 1 is relocatable, 3 a shared object.
// OBJ:      bin = "\7FELF\02\01\01@\03\00\00\00\00\00\00\00\01\00\E0\00
// HSACO:    bin = "\7FELF\02\01\01@\03\00\00\00\00\00\00\00\03\00\E0\00
// NOTARGET: plain.mlir:[[#@LINE+6]]:1: error: 'gpu.module' op must have exactly one #rocdl.target or #xevm.target
// CHIP:     plain.mlir:[[#@LINE+5]]:1: error: unknown processor 'gfx9999' for 'amdgcn-amd-amdhsa'
// WAVE:     plain.mlir:[[#@LINE+4]]:1: error: the target specifies waves of 32 lanes, but 'gfx942' with the features '' has waves of 64
// ABI:      plain.mlir:[[#@LINE+3]]:1: error: code object version '400' is not supported; choose 5 or 6
// NOOBJECT: plain.mlir:[[#@LINE+2]]:1: error: 'gpu.binary' op contains no object code to link; run codegen with the format 'obj'

gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, rocdl.kernel} {
    llvm.store %x, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- calls.mlir
gpu.module @m {
  llvm.func @elsewhere(f32) -> f32
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, rocdl.kernel} {
    // CHECK: calls.mlir:[[#@LINE+1]]:10: error: calls 'elsewhere', which is not defined
    %0 = llvm.call @elsewhere(%x) : (f32) -> f32
    llvm.store %0, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- libm.mlir
gpu.module @m {
  llvm.func @__ocml_sin_f64(f64) -> f64
  llvm.func @k(%p: !llvm.ptr<1>, %x: f64) attributes {gpu.kernel, rocdl.kernel} {
    // CHECK: libm.mlir:[[#@LINE+1]]:10: error: '__ocml_sin_f64' is called, but the ROCm device libraries (ocml.bc, ockl.bc) are not installed; looked in [[ROOT]]/amdgcn/bitcode, [[ROOT]]/lib/amdgcn/bitcode, [[ROOT]]. Install the package rocm-device-libs, or name a ROCm installation with --rocm-path
    %0 = llvm.call @__ocml_sin_f64(%x) : (f64) -> f64
    llvm.store %0, %p : f64, !llvm.ptr<1>
    llvm.return
  }
}

//--- lds.mlir
gpu.module @m {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<70000 x i8>
  // CHECK: error: {{.*}}local memory (70000) exceeds limit (65536) in function 'k'
  llvm.func @k(%i: i64, %x: i8) attributes {gpu.kernel, rocdl.kernel} {
    %0 = llvm.mlir.addressof @lds : !llvm.ptr<3>
    %1 = llvm.getelementptr %0[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    llvm.store volatile %x, %1 : i8, !llvm.ptr<3>
    llvm.return
  }
}
