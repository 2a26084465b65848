// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-lower-device-vectors))" | FileCheck %s

// A row of run time is selected among all; LLVM has rows as array elements,
// which take constants only.

// CHECK-LABEL: gpu.func @row
// CHECK-NOT: vector.extract %{{.*}}[%
// CHECK: arith.cmpi eq, %{{.*}}
// CHECK: arith.select %{{.*}} : vector<3xi32>
// CHECK-NOT: vector.extract %{{.*}}[%
// CHECK: gpu.return
gpu.module @m {
  gpu.func @row(%v: vector<2x3xi32>, %i: index, %o: memref<3xi32>) kernel {
    %c0 = arith.constant 0 : index
    %r = vector.extract %v[%i] : vector<3xi32> from vector<2x3xi32>
    vector.store %r, %o[%c0] : memref<3xi32>, vector<3xi32>
    gpu.return
  }

  // The masked op is followed by a select.

  // CHECK-LABEL: gpu.func @passthru
  // CHECK: %[[READ:.*]] = vector.maskedload
  // CHECK: arith.select %{{.*}}, %[[READ]], %{{.*}} : vector<4xi1>, vector<4xi32>
  gpu.func @passthru(%a: memref<4xi32>, %m: vector<4xi1>, %p: vector<4xi32>, %o: memref<4xi32>) kernel {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %r = vector.mask %m, %p { vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<4xi32>, vector<4xi32> } : vector<4xi1> -> vector<4xi32>
    vector.store %r, %o[%c0] : memref<4xi32>, vector<4xi32>
    gpu.return
  }
}
