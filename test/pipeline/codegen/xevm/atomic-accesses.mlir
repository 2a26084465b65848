// Atomic loads and stores stay atomic, with their ordering and scope: LLVM's backend treats its own
// as plain ones. Accesses of 8 and 16 bits use the word around them.

// RUN: %aircc %s --target bmg --emit=asm -o - | FileCheck %s
// RUN: %aircc %s --target bmg -O0 --emit=asm -o - | FileCheck %s

gpu.module @kernels {
  // CHECK-DAG:  %[[#I32:]] = OpTypeInt 32 0
  // CHECK-DAG:  %[[#I64:]] = OpTypeInt 64 0
  // CHECK-DAG:  %[[#DEVICE:]] = OpConstant %[[#I32]] 1{{$}}
  // CHECK-DAG:  %[[#WORKGROUP:]] = OpConstant %[[#I32]] 2{{$}}
  // CHECK-DAG:  %[[#ACQUIRE:]] = OpConstant %[[#I32]] 514{{$}}
  // CHECK-DAG:  %[[#RELEASE:]] = OpConstant %[[#I32]] 516{{$}}
  // CHECK-DAG:  %[[#SEQUENTIAL:]] = OpConstant %[[#I32]] 272{{$}}
  // CHECK-DAG:  %[[#ZERO:]] = OpConstantNull %[[#I32]]
  llvm.mlir.global internal @shared() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  llvm.func spir_kernelcc @accesses(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 16, 1, 1>} {
    // CHECK: OpFunction
    // CHECK-NOT: OpLoad
    // CHECK: %[[#A:]] = OpAtomicLoad %[[#I32]] %{{[0-9]+}} %[[#DEVICE]] %[[#ACQUIRE]]
    %a = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    // CHECK: OpAtomicStore %{{[0-9]+}} %[[#DEVICE]] %[[#RELEASE]] %[[#A]]
    llvm.store %a, %q atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    // CHECK: OpAtomicLoad %[[#I64]] %{{[0-9]+}} %[[#ZERO]] %[[#ZERO]]
    %b = llvm.load %p atomic monotonic {alignment = 8 : i64} : !llvm.ptr<1> -> f64
    // CHECK: OpAtomicStore %{{[0-9]+}} %[[#ZERO]] %[[#ZERO]]
    llvm.store %b, %q atomic monotonic {alignment = 8 : i64} : f64, !llvm.ptr<1>
    // CHECK: OpAtomicLoad %[[#I32]]
    %c = llvm.load %p atomic monotonic {alignment = 1 : i64} : !llvm.ptr<1> -> i8
    // CHECK: OpAtomicLoad %[[#I32]]
    // CHECK: OpAtomicCompareExchange
    llvm.store %c, %q atomic monotonic {alignment = 1 : i64} : i8, !llvm.ptr<1>
    %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
    // CHECK: OpAtomicStore %{{[0-9]+}} %[[#WORKGROUP]] %[[#SEQUENTIAL]] %[[#A]]
    llvm.store %a, %s atomic syncscope("workgroup") seq_cst {alignment = 4 : i64} : i32, !llvm.ptr<3>
    // CHECK: %[[#D:]] = OpAtomicLoad %[[#I32]] %{{[0-9]+}} %[[#WORKGROUP]] %[[#SEQUENTIAL]]
    %d = llvm.load %s atomic syncscope("workgroup") seq_cst {alignment = 4 : i64} : !llvm.ptr<3> -> i32
    // CHECK: OpAtomicStore %{{[0-9]+}} %[[#ZERO]] %[[#ZERO]] %[[#D]]
    llvm.store %d, %q atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    // CHECK-NOT: OpStore
    // CHECK: OpFunctionEnd
    llvm.return
  }
}
