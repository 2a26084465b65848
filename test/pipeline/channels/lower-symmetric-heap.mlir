// RUN: %aircc opt %s --channels-lower-symmetric-heap --split-input-file | FileCheck %s

// CHECK-NOT: symmetric_heap

// CHECK-LABEL: func.func @static
func.func @static() {
  // CHECK: %[[BYTES:.*]] = arith.index_cast %{{.*}} : index to i64
  // CHECK: %[[PTR:.*]] = call @mgpuSymmetricAlloc(%[[BYTES]], %{{.*}}) : (i64, !llvm.ptr) -> !llvm.ptr
  // CHECK: %[[A:.*]] = llvm.insertvalue %[[PTR]], %{{.*}}[0]
  // CHECK: llvm.insertvalue %[[PTR]], %[[A]][1]
  // CHECK: %[[M:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<4x8xf16>
  %m = memref.alloc() : memref<4x8xf16, #air.symmetric_heap>
  // CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %[[M]]
  // CHECK: %[[P:.*]] = llvm.extractvalue %[[D]][0]
  // CHECK: call @mgpuSymmetricFree(%[[P]], %{{.*}})
  memref.dealloc %m : memref<4x8xf16, #air.symmetric_heap>
  return
}

// -----

// Dynamic sizes, a subview, and a function that takes the view.

// CHECK-LABEL: func.func private @take(memref<2x4xf32, strided<[?, 1], offset: ?>>)
func.func private @take(memref<2x4xf32, strided<[?, 1], offset: ?>, #air.symmetric_heap>)

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[N:[^ :]*]]: index
func.func @dynamic(%n: index) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[BYTES:.*]] = arith.constant 4 : index
  // CHECK: %[[ROW:.*]] = arith.muli %[[N]], %[[BYTES]] : index
  // CHECK: arith.muli %[[ROW]], %[[N]] : index
  // CHECK: call @mgpuSymmetricAlloc
  %m = memref.alloc(%n, %n) : memref<?x?xf32, #air.symmetric_heap>
  // CHECK: memref.subview {{.*}} : memref<?x?xf32> to memref<2x4xf32, strided<[?, 1], offset: ?>>
  %v = memref.subview %m[%n, 0] [2, 4] [1, 1]
      : memref<?x?xf32, #air.symmetric_heap>
      to memref<2x4xf32, strided<[?, 1], offset: ?>, #air.symmetric_heap>
  func.call @take(%v)
      : (memref<2x4xf32, strided<[?, 1], offset: ?>, #air.symmetric_heap>) -> ()
  memref.dealloc %m : memref<?x?xf32, #air.symmetric_heap>
  return
}

// -----

// The old spelling, in which the memory space is not part of the type.

// CHECK-LABEL: func.func @attribute
func.func @attribute() {
  // CHECK: call @mgpuSymmetricAlloc
  %m = memref.alloc() {air.symmetric} : memref<32xi32>
  // CHECK: %[[OTHER:.*]] = memref.alloc() : memref<32xi32>
  %other = memref.alloc() : memref<32xi32>
  // CHECK: call @mgpuSymmetricFree
  // CHECK: memref.dealloc %[[OTHER]]
  memref.dealloc %m : memref<32xi32>
  memref.dealloc %other : memref<32xi32>
  return
}

// -----

// A program's own declaration is used.

// CHECK: llvm.func @mgpuSymmetricAlloc(i64, !llvm.ptr) -> !llvm.ptr
// CHECK-NOT: func.func private @mgpuSymmetricAlloc
llvm.func @mgpuSymmetricAlloc(i64, !llvm.ptr) -> !llvm.ptr
// CHECK-LABEL: func.func @declared
func.func @declared() {
  // CHECK: llvm.call @mgpuSymmetricAlloc
  %m = memref.alloc() : memref<f32, #air.symmetric_heap>
  return
}

// -----

// Without ranks and heap nothing changes.

// CHECK-LABEL: func.func @plain
// CHECK-NEXT: %[[P:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: memref.dealloc %[[P]] : memref<4xf32>
// CHECK-NEXT: return
func.func @plain() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
