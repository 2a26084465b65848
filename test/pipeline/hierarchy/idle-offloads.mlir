// RUN: %aircc opt %s --hierarchy-build-matmul-kernels --verify-diagnostics
// RUN: %aircc opt %s --hierarchy-build-matmul-kernels 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @good
// CHECK:         air.launch
func.func @good(%a: memref<8xf32>) attributes {air.offload} {
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}

// expected-warning@+1 {{'air.offload' has no effect here: the function contains no linalg op outside kernels; write device code as linalg ops on memrefs, or put it into an air.launch}}
func.func @loop(%a: memref<8xf32>) attributes {air.offload} {
  %f = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %f, %a[%i] : memref<8xf32>
  }
  return
}

func.func @ops(%a: memref<8xf32>) {
  // expected-warning@+1 {{has no effect here: it applies only to linalg ops and to functions that contain linalg ops}}
  memref.copy %a, %a {air.offload} : memref<8xf32> to memref<8xf32>
  air.launch () in () args(%l = %a) : memref<8xf32> {
    // expected-warning@+1 {{'air.offload' has no effect here: the op is already in a kernel}}
    linalg.exp {air.offload} ins(%l : memref<8xf32>) outs(%l : memref<8xf32>)
  }
  return
}
