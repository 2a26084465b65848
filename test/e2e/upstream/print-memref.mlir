// What a kernel computed, printed by the runtime's printMemref functions.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s

// CHECK: rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1] data =
// CHECK-NEXT: {{\[\[}}0,{{ +}}1,{{ +}}2],
// CHECK-NEXT: [10,{{ +}}11,{{ +}}12]]
// CHECK: rank = 1 offset = 0 sizes = [4] strides = [1] data =
// CHECK-NEXT: [0.5,{{ +}}1.5,{{ +}}2.5,{{ +}}3.5]

module {
  func.func private @printMemrefI32(memref<*xi32>)
  func.func private @printMemrefF32(memref<*xf32>)

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c10 = arith.constant 10 : index
    %m = memref.alloc() : memref<2x3xi32>
    %v = memref.alloc() : memref<4xf32>
    %dm = gpu.alloc () : memref<2x3xi32>
    %dv = gpu.alloc () : memref<4xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
      %tens = arith.muli %bx, %c10 : index
      %n = arith.addi %tens, %tx : index
      %i = arith.index_cast %n : index to i32
      memref.store %i, %dm[%bx, %tx] : memref<2x3xi32>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %half = arith.constant 0.5 : f32
      %i = arith.index_cast %bx : index to i32
      %f = arith.sitofp %i : i32 to f32
      %s = arith.addf %f, %half : f32
      memref.store %s, %dv[%bx] : memref<4xf32>
      gpu.terminator
    }
    gpu.memcpy %m, %dm : memref<2x3xi32>, memref<2x3xi32>
    gpu.memcpy %v, %dv : memref<4xf32>, memref<4xf32>
    %um = memref.cast %m : memref<2x3xi32> to memref<*xi32>
    %uv = memref.cast %v : memref<4xf32> to memref<*xf32>
    call @printMemrefI32(%um) : (memref<*xi32>) -> ()
    call @printMemrefF32(%uv) : (memref<*xf32>) -> ()
    gpu.dealloc %dm : memref<2x3xi32>
    gpu.dealloc %dv : memref<4xf32>
    memref.dealloc %m : memref<2x3xi32>
    memref.dealloc %v : memref<4xf32>
    return
  }
}
