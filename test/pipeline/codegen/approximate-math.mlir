// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-approximate-math))" | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-approximate-math{backend=xevm}))" | FileCheck %s --check-prefixes=CHECK,XE

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @intrinsics
  // AMD:           llvm.call_intrinsic "llvm.exp2"(%{{.*}}) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<2xf32>) -> vector<2xf32>
  // AMD:           llvm.call_intrinsic "llvm.log2"(%{{.*}}) : (vector<2xf32>) -> vector<2xf32>
  // XE:            math.exp2 %{{.*}} fastmath<nnan> : vector<2xf32>
  // XE:            math.log2
  gpu.func @intrinsics(%x: vector<2xf32>) -> vector<2xf32> {
    %0 = math.exp2 %x fastmath<nnan> : vector<2xf32>
    %1 = math.log2 %0 : vector<2xf32>
    gpu.return %1 : vector<2xf32>
  }

  // CHECK-LABEL: gpu.func @exp
  // AMD:           arith.mulf {{.*}} fastmath<fast>
  // AMD-COUNT-2:   llvm.call_intrinsic "llvm.amdgcn.exp2"
  // AMD:           vector.from_elements
  // XE-NEXT:       math.exp %{{.*}} fastmath<fast>
  gpu.func @exp(%x: vector<2xf32>) -> vector<2xf32> {
    %0 = math.exp %x fastmath<fast> : vector<2xf32>
    gpu.return %0 : vector<2xf32>
  }

  // The device libraries compute f64.
  // CHECK-LABEL: gpu.func @double
  // CHECK:         math.exp2 %{{.*}} : f64
  gpu.func @double(%x: f64) -> f64 {
    %0 = math.exp2 %x fastmath<fast> : f64
    gpu.return %0 : f64
  }

  // CHECK-LABEL: gpu.func @tanh
  // CHECK-NOT:     math.tanh
  // AMD:           llvm.amdgcn.exp2
  // XE:            math.exp2
  // CHECK:         arith.divf {{.*}} fastmath<afn>
  // CHECK:         arith.select
  gpu.func @tanh(%x: f32) -> f32 {
    %0 = math.tanh %x fastmath<afn> : f32
    gpu.return %0 : f32
  }

  // CHECK-LABEL: gpu.func @precise_tanh
  // CHECK:         math.tanh
  gpu.func @precise_tanh(%x: f32) -> f32 {
    %0 = math.tanh %x : f32
    gpu.return %0 : f32
  }
}
