// RUN: %aircc opt --canonicalize %s | FileCheck %s

// Of equal barriers with nothing between them, one is enough. Barriers that
// differ are kept: the second may order more, or fewer workers.

// CHECK-LABEL: func.func @equal
// CHECK-NEXT: kernel.barrier workgroup{{$}}
// CHECK-NEXT: memref.store
// CHECK-NEXT: kernel.barrier workgroup{{$}}
// CHECK-NEXT: return
func.func @equal(%m: memref<f32>, %v: f32) {
  kernel.barrier workgroup
  kernel.barrier workgroup
  kernel.barrier workgroup
  memref.store %v, %m[] : memref<f32>
  kernel.barrier workgroup
  return
}

// CHECK-LABEL: func.func @different
// CHECK-NEXT: kernel.barrier workgroup{{$}}
// CHECK-NEXT: kernel.barrier workgroup memory []
// CHECK-NEXT: kernel.barrier wave memory []
// CHECK-NEXT: kernel.barrier workgroup{{$}}
// CHECK-NEXT: return
func.func @different() {
  kernel.barrier workgroup
  kernel.barrier workgroup memory []
  kernel.barrier wave memory []
  kernel.barrier workgroup
  return
}
