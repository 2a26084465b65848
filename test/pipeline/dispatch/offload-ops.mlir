// RUN: %aircc opt --dispatch-offload-ops --verify-diagnostics %s
// RUN: sed '/expected-/d' %s | %aircc opt --dispatch-offload-ops=all - 2> /dev/null | FileCheck %s

// CHECK-LABEL: func.func @host(
// CHECK: linalg.matmul {air.offload}
// CHECK: linalg.fill {air.offload}
// CHECK: scf.for
// CHECK: linalg.fill {air.offload}
func.func @host(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>, %v: f32) {
  // expected-remark @below {{runs on the host, where it takes 32768 iterations; to run it on the device, set the attribute 'air.offload' on it or its function, or use '--offload=all'}}
  linalg.matmul ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  linalg.fill ins(%v : f32) outs(%c : memref<32x32xf32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-remark @below {{runs on the host, where it takes 4096 iterations}}
    linalg.fill ins(%v : f32) outs(%a : memref<32x32xf32>)
  }
  return
}

// These run on the device already.
// CHECK-LABEL: func.func @device(
// CHECK: linalg.fill ins
// CHECK: air.launch
// CHECK: linalg.fill ins
func.func @device(%a: memref<128x128xf32>, %v: f32) attributes {air.offload} {
  linalg.fill ins(%v : f32) outs(%a : memref<128x128xf32>)
  air.launch () in () args(%x = %a, %w = %v) : memref<128x128xf32>, f32 {
    linalg.fill ins(%w : f32) outs(%x : memref<128x128xf32>)
  }
  return
}

// A loop of a function on tensors.
func.func @loop(%a: memref<8192xf32>, %v: f32) attributes {air.merge_launches} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8192 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{is executed 8192 times on the host, because it is in loops over single elements; to run it on the device, write them as an op on tensors, such as 'linalg.generic'}}
    memref.store %v, %a[%i] : memref<8192xf32>
  }
  return
}
