// RUN: %aircc opt %s --hierarchy-move-caller-buffers --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @entry(%{{.*}}: memref<32xi32>, %{{.*}}: memref<16xf32, strided<[2]>>, %{{.*}}: memref<8xi32>)
// CHECK: memref.subview {{.*}} : memref<32xi32> to memref<8xi32, strided<[1]>>
// CHECK: air.segment args({{.*}}) : memref<8xi32, strided<[1]>>, memref<16xf32, strided<[2]>> {
// CHECK: air.herd {{.*}} : memref<8xi32, strided<[1]>>, memref<16xf32, strided<[2]>> {
// CHECK: memref.alloc() : memref<8xi32, 2>
// CHECK: air.dma_memcpy_nd {{.*}} : (memref<8xi32, 2>, memref<8xi32, strided<[1]>>)
// CHECK: linalg.fill {{.*}} : memref<16xf32, strided<[2]>>
// expected-remark@+3 {{argument 0 of entry has an L1 or L2 memory space, but these exist only inside a launch; the caller's memory is in L3 and is accessed there}}
// expected-remark@+3 {{argument 1 of entry has an L1 or L2 memory space}}
func.func @entry(
    %a: memref<32xi32, 1>,
    %b: memref<16xf32, strided<[2]>, 2>,
    %c: memref<8xi32>) {
  %part = memref.subview %a[0] [8] [1] : memref<32xi32, 1> to memref<8xi32, strided<[1]>, 1>
  air.segment args(%s = %part, %t = %b) : memref<8xi32, strided<[1]>, 1>, memref<16xf32, strided<[2]>, 2> {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n = %c1) args(%h = %s, %i = %t) : memref<8xi32, strided<[1]>, 1>, memref<16xf32, strided<[2]>, 2> {
      %l1 = memref.alloc() : memref<8xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %h[] [] []) : (memref<8xi32, 2>, memref<8xi32, strided<[1]>, 1>)
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%i : memref<16xf32, strided<[2]>, 2>)
    }
  }
  return
}

// -----

// A kernel calls the function: its buffers are those of the kernel.

// CHECK-LABEL: func.func @called(%{{.*}}: memref<32xi32, 1>)
func.func @called(%a: memref<32xi32, 1>) {
  air.dma_memcpy_nd (%a[0] [1] [1], %a[1] [1] [1]) : (memref<32xi32, 1>, memref<32xi32, 1>)
  return
}
func.func @caller() {
  air.segment {
    %a = memref.alloc() : memref<32xi32, 1>
    func.call @called(%a) : (memref<32xi32, 1>) -> ()
  }
  return
}

// -----

// Launches take the buffers, too.

// CHECK-LABEL: func.func @launches(%{{.*}}: memref<4xi32>)
// CHECK: air.launch {{.*}} : memref<4xi32> {
// CHECK: memref.store {{.*}} : memref<4xi32>
// expected-remark@+1 {{argument 0 of launches has an L1 or L2 memory space}}
func.func @launches(%a: memref<4xi32, 1>) {
  air.launch () in () args(%b = %a) : memref<4xi32, 1> {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1 : i32
    memref.store %v, %b[%c0] : memref<4xi32, 1>
  }
  return
}
