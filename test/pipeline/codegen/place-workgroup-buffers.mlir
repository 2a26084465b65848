// RUN: %aircc opt %s --aircc-place-workgroup-buffers --split-input-file --verify-diagnostics | FileCheck %s

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @k
// CHECK-SAME: workgroup(%[[A:.*]] : memref<64xf32, #gpu.address_space<workgroup>> {kernel.alignment = 16 : i64}, %[[B:.*]] : memref<8xf16, #gpu.address_space<workgroup>> {kernel.alignment = 64 : i64})
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
gpu.module @m {
  gpu.func @k(%v: f32, %w: f16, %i: index, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %a[%i] : memref<64xf32, #wg>
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() {alignment = 64 : i64} : memref<8xf16, #wg>
      memref.store %w, %b[%j] : memref<8xf16, #wg>
      memref.dealloc %b : memref<8xf16, #wg>
    }
    memref.dealloc %a : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @iterations(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<64xf32, #wg>
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> memref<64xf32, #wg> {
      // expected-error @+1 {{'memref.alloc' op allocates a new buffer in LDS in each iteration of a loop that passes it on, but a kernel's LDS is allocated only once; move it out of the loop}}
      %next = memref.alloc() : memref<64xf32, #wg>
      scf.yield %next : memref<64xf32, #wg>
    }
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// The pass leaves other allocations to later passes, which reject them.

// CHECK-LABEL: gpu.func @heap
// CHECK: memref.alloc() : memref<64xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32
gpu.module @m {
  gpu.func @heap(%n: index) kernel {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc(%n) : memref<?xf32, #wg>
    gpu.return
  }
}

// -----

// Memory space 3 is workgroup memory, too.

// CHECK-LABEL: gpu.func @number
// CHECK-SAME: workgroup(%[[A:.*]] : memref<64xf32, 3> {kernel.alignment = 16 : i64})
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: gpu.return
gpu.module @m {
  gpu.func @number(%v: f32, %i: index) kernel {
    %a = memref.alloc() : memref<64xf32, 3>
    memref.store %v, %a[%i] : memref<64xf32, 3>
    %b = memref.subview %a[0] [8] [1] : memref<64xf32, 3> to memref<8xf32, strided<[1]>, 3>
    memref.dealloc %b : memref<8xf32, strided<[1]>, 3>
    gpu.return
  }
}
