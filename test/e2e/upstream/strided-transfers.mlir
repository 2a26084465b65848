// Copies and fills whose memory is not one run: at an offset, in rows, with a
// stride, of sizes known only at run time, and on both sides.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t && %t | FileCheck %s

func.func private @printMemrefI32(memref<*xi32>)

func.func private @iota(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    %v1 = arith.addi %v, %v : i32
    memref.store %v1, %m[%i] : memref<?xi32>
  }
  return
}

func.func private @zero(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %m[%i] : memref<?xi32>
  }
  return
}

func.func private @rows(%to: memref<4x6xi32>, %from: memref<2x3xi32>,
                        %r: index, %c: index) {
  %window = memref.subview %to[%r, %c] [2, 3] [1, 1]
    : memref<4x6xi32> to memref<2x3xi32, strided<[6, 1], offset: ?>>
  gpu.memcpy %window, %from
    : memref<2x3xi32, strided<[6, 1], offset: ?>>, memref<2x3xi32>
  return
}

func.func private @columns(%to: memref<?x?xi32>, %from: memref<?x?xi32>,
                           %n: index) {
  %c0 = arith.constant 0 : index
  %d = memref.subview %to[1, 0] [%n, 2] [1, 2]
    : memref<?x?xi32> to memref<?x2xi32, strided<[?, 2], offset: ?>>
  %s = memref.subview %from[0, 1] [%n, 2] [1, 1]
    : memref<?x?xi32> to memref<?x2xi32, strided<[?, 1], offset: 1>>
  gpu.memcpy %d, %s : memref<?x2xi32, strided<[?, 2], offset: ?>>,
                      memref<?x2xi32, strided<[?, 1], offset: 1>>
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c12 = arith.constant 12 : index
  %source = memref.alloc(%c12) : memref<?xi32>
  func.call @iota(%source) : (memref<?xi32>) -> ()
  %device = gpu.alloc () : memref<6xi32>
  %six = memref.reinterpret_cast %source to offset: [0], sizes: [6], strides: [1]
    : memref<?xi32> to memref<6xi32>
  gpu.memcpy %device, %six : memref<6xi32>, memref<6xi32>

  // To an offset, from the device.
  %line = memref.alloc(%c12) : memref<?xi32>
  func.call @zero(%line) : (memref<?xi32>) -> ()
  %offset = memref.subview %line[3] [6] [1]
    : memref<?xi32> to memref<6xi32, strided<[1], offset: 3>>
  gpu.memcpy %offset, %device
    : memref<6xi32, strided<[1], offset: 3>>, memref<6xi32>
  // CHECK: [0,  0,  0,  0,  2,  4,  6,  8,  10,  0,  0,  0]
  %u0 = memref.cast %line : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%u0) : (memref<*xi32>) -> ()

  // With a stride.
  func.call @zero(%line) : (memref<?xi32>) -> ()
  %even = memref.subview %line[0] [6] [2]
    : memref<?xi32> to memref<6xi32, strided<[2]>>
  gpu.memcpy %even, %device : memref<6xi32, strided<[2]>>, memref<6xi32>
  // CHECK: [0,  0,  2,  0,  4,  0,  6,  0,  8,  0,  10,  0]
  call @printMemrefI32(%u0) : (memref<*xi32>) -> ()

  // From a stride.
  gpu.memcpy %six, %even : memref<6xi32>, memref<6xi32, strided<[2]>>
  // CHECK: [0,  2,  4,  6,  8,  10,  12,  14,  16,  18,  20,  22]
  %u1 = memref.cast %source : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%u1) : (memref<*xi32>) -> ()

  // Filled, at an offset and with a stride.
  %seven = arith.constant 7 : i32
  %odd = memref.subview %line[1] [5] [2]
    : memref<?xi32> to memref<5xi32, strided<[2], offset: 1>>
  gpu.memset %odd, %seven : memref<5xi32, strided<[2], offset: 1>>, i32
  // CHECK: [0,  7,  2,  7,  4,  7,  6,  7,  8,  7,  10,  0]
  call @printMemrefI32(%u0) : (memref<*xi32>) -> ()

  // Rows of a matrix, from a matrix on the device.
  %plane = memref.alloc() : memref<4x6xi32>
  %zero = arith.constant 0 : i32
  gpu.memset %plane, %zero : memref<4x6xi32>, i32
  %small = memref.reinterpret_cast %device to offset: [0], sizes: [2, 3],
    strides: [3, 1] : memref<6xi32> to memref<2x3xi32>
  func.call @rows(%plane, %small, %c1, %c2)
    : (memref<4x6xi32>, memref<2x3xi32>, index, index) -> ()
  // CHECK: {{\[\[}}0,   0,   0,   0,   0,   0],
  // CHECK-NEXT: [0,   0,   0,   2,   4,   0],
  // CHECK-NEXT: [0,   0,   6,   8,   10,   0],
  // CHECK-NEXT: [0,   0,   0,   0,   0,   0]]
  %u2 = memref.cast %plane : memref<4x6xi32> to memref<*xi32>
  call @printMemrefI32(%u2) : (memref<*xi32>) -> ()

  // Strided on both sides, of dynamic sizes: columns 1 and 2 of a 2x6 matrix
  // to columns 0 and 2 of rows 1 and 2.
  %two = memref.reinterpret_cast %source to offset: [0], sizes: [%c2, %c6],
    strides: [%c6, 1] : memref<?xi32> to memref<?x?xi32, strided<[?, 1]>>
  %flat = memref.alloc(%c2, %c6) : memref<?x?xi32>
  memref.copy %two, %flat
    : memref<?x?xi32, strided<[?, 1]>> to memref<?x?xi32>
  %to = memref.cast %plane : memref<4x6xi32> to memref<?x?xi32>
  func.call @columns(%to, %flat, %c2)
    : (memref<?x?xi32>, memref<?x?xi32>, index) -> ()
  // CHECK: {{\[\[}}0,   0,   0,   0,   0,   0],
  // CHECK-NEXT: [2,   0,   4,   2,   4,   0],
  // CHECK-NEXT: [14,   0,   16,   8,   10,   0],
  // CHECK-NEXT: [0,   0,   0,   0,   0,   0]]
  call @printMemrefI32(%u2) : (memref<*xi32>) -> ()
  return
}
