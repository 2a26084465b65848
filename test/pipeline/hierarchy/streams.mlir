// RUN: %aircc opt %s --hierarchy-serialize-tokens --hierarchy-convert-launches --canonicalize | FileCheck %s

// Tokens that order launches become streams. An op that depends on one stream is added to it; an op
// that depends on two starts a third, which waits for both. The host waits for each stream once; if
// no op waits for it, at the end. An empty launch is in no stream; a launch that may be empty is.

// CHECK-LABEL: func.func @streams
// CHECK: %[[S0:.*]] = gpu.wait async
// CHECK: %[[A:.*]] = gpu.launch async [%[[S0]]]
// CHECK: %[[S1:.*]] = gpu.wait async
// CHECK: %[[B:.*]] = gpu.launch async [%[[S1]]]
// CHECK: scf.if
// CHECK: %[[S2:.*]] = gpu.wait async [%[[A]], %[[B]]]
// CHECK-NOT: kernel.name = "none"
// CHECK: %[[C:.*]] = gpu.launch async [%[[S2]]]
// CHECK: gpu.wait [%[[C]]]
// CHECK: %[[D:.*]] = gpu.launch async [%[[A]]]
// CHECK: gpu.wait [%[[D]]]
// CHECK: gpu.wait [%[[B]]]
// CHECK-NOT: gpu.wait
// CHECK: return
func.func @streams(%m: memref<4xi32>, %o: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t0 = air.wait_all async
  %a = air.launch @a async [%t0] (%x) in (%nx = %c4) args(%p = %m) : memref<4xi32> {
    %v = arith.constant 1 : i32
    memref.store %v, %p[%x] : memref<4xi32>
  }
  %b = air.launch @b async (%x) in (%nx = %n) args(%p = %o) : memref<4xi32> {
    %v = arith.constant 2 : i32
    memref.store %v, %p[%x] : memref<4xi32>
  }
  %j = air.wait_all async [%a, %b]
  %e = air.launch @none async [%j] (%x) in (%nx = %c0) {
  }
  %c = air.launch @c async [%e] (%x) in (%nx = %c4) args(%p = %m, %q = %o)
      : memref<4xi32>, memref<4xi32> {
    %v = memref.load %p[%x] : memref<4xi32>
    memref.store %v, %q[%x] : memref<4xi32>
  }
  air.wait_all [%c]
  air.launch @d [%a] (%x) in (%nx = %c1) args(%p = %m) : memref<4xi32> {
    %v = arith.constant 1 : i32
    memref.store %v, %p[%x] : memref<4xi32>
  }
  return
}
