// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-divide-narrow-floats))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @half
  // CHECK-SAME:    (%[[X:.*]]: f16, %[[Y:.*]]: f16)
  // CHECK:         %[[A:.*]] = arith.extf %[[X]] : f16 to f32
  // CHECK:         %[[B:.*]] = arith.extf %[[Y]] : f16 to f32
  // CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.amdgcn.rcp.f32"(%[[B]])
  // CHECK:         %[[Q:.*]] = arith.mulf %[[A]], %[[R]] : f32
  // CHECK:         %[[N:.*]] = arith.negf %[[B]] : f32
  // CHECK:         %[[E:.*]] = math.fma %[[N]], %[[Q]], %[[A]] : f32
  // CHECK:         %[[P:.*]] = math.fma %[[E]], %[[R]], %[[Q]] : f32
  // CHECK:         %[[T:.*]] = arith.truncf %[[P]] : f32 to f16
  // CHECK:         %[[F:.*]] = llvm.call_intrinsic "llvm.amdgcn.div.fixup.f16"(%[[T]], %[[Y]], %[[X]])
  // CHECK:         gpu.return %[[F]]
  gpu.func @half(%x: f16, %y: f16) -> f16 {
    %0 = arith.divf %x, %y : f16
    gpu.return %0 : f16
  }

  // Mantissas are divided: the reciprocal of a large number would be a denormal.
  // CHECK-LABEL: gpu.func @bfloat
  // CHECK-COUNT-2: vector.shape_cast {{.*}} : vector<1x2xbf16> to vector<2xbf16>
  // CHECK:         %[[M:.*]] = llvm.call_intrinsic "llvm.amdgcn.frexp.mant.f32"
  // CHECK:         llvm.call_intrinsic "llvm.amdgcn.rcp.f32"(%[[M]])
  // CHECK:         llvm.call_intrinsic "llvm.ldexp.f32.i32"
  // CHECK:         llvm.call_intrinsic "llvm.amdgcn.div.fixup.f32"
  // CHECK:         llvm.call_intrinsic "llvm.amdgcn.div.fixup.f32"
  // CHECK:         vector.from_elements {{.*}} : vector<2xbf16>
  gpu.func @bfloat(%x: vector<1x2xbf16>, %y: vector<1x2xbf16>) -> vector<1x2xbf16> {
    %0 = arith.divf %x, %y : vector<1x2xbf16>
    gpu.return %0 : vector<1x2xbf16>
  }

  // CHECK-LABEL: gpu.func @unchanged
  // CHECK-NEXT:    arith.divf {{.*}} : f32
  // CHECK-NEXT:    arith.divf {{.*}} fastmath<arcp> : f16
  gpu.func @unchanged(%x: f32, %y: f16) -> (f32, f16) {
    %0 = arith.divf %x, %x : f32
    %1 = arith.divf %y, %y fastmath<arcp> : f16
    gpu.return %0, %1 : f32, f16
  }
}
