// RUN: %aircc opt %s --air-opt-shim-dma-bds=device=npu1 --split-input-file | FileCheck %s

// Two loops become the two outer dimensions.
air.channel @c []
// CHECK-LABEL: func @tiles
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0, 0] [4, 4, 32, 32] [4096, 32, 128, 1]) : (memref<128x128xbf16>)
// CHECK-NEXT: return
func.func @tiles(%a: memref<128x128xbf16>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c128 step %c32 {
    scf.for %j = %c0 to %c128 step %c32 {
      air.channel.put @c[] (%a[%i, %j] [32, 32] [128, 1]) : (memref<128x128xbf16>)
    }
  }
  return
}

// The outer loop repeats, which the outermost dimension can do.
// CHECK-LABEL: func @outer_repeat
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0, 0] [2, 2, 8, 4] [0, 4, 8, 1])
// CHECK-NEXT: return
func.func @outer_repeat(%a: memref<8x8xf32>) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
      air.channel.put @c[] (%a[0, %o] [8, 4] [8, 1]) : (memref<8x8xf32>)
    }
  }
  return
}

// A descriptor that repeats keeps all of its dimensions.
// CHECK-LABEL: func @repeat
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0, 0] [6, 1, 4, 8] [0, 0, 16, 1])
// CHECK-NEXT: return
func.func @repeat(%a: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    air.channel.put @c[] (%a[0, 0] [4, 8] [16, 1]) : (memref<1024xf32>)
  }
  return
}

// The whole memref.
// CHECK-LABEL: func @whole
// CHECK-NEXT: air.channel.put @c[] (%arg0[] [] [])
// CHECK-NEXT: return
func.func @whole(%a: memref<24x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %o = arith.muli %i, %c8 : index
    air.channel.put @c[] (%a[%o, 0] [8, 16] [16, 1]) : (memref<24x16xf32>)
  }
  return
}

// CHECK-LABEL: func @lists
func.func @lists(%a: memref<8000xf32>) {
  // A size of 3000 is split.
  // CHECK: air.channel.put @c[] (%arg0[0, 0, 0] [2, 3, 1000] [4000, 1000, 1])
  air.channel.put @c[] (%a[0, 0] [2, 3000] [4000, 1]) : (memref<8000xf32>)
  // The offset of a dimension of size 1 moves inward, and rows merge.
  // CHECK-NEXT: air.channel.put @c[] (%arg0[69] [32] [1])
  air.channel.put @c[] (%a[2, 0, 5] [1, 4, 8] [32, 8, 1]) : (memref<8000xf32>)
  // Contiguous elements are one stream without a limit.
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0] [3000] [1])
  air.channel.put @c[] (%a[0, 0] [2, 1500] [1500, 1]) : (memref<8000xf32>)
  // Padding needs the sizes as they are.
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0] [4, 8] [8, 1]) {pad_before = array<i32: 0, 1>}
  air.channel.put @c[] (%a[0, 0] [4, 8] [8, 1]) {pad_before = array<i32: 0, 1>} : (memref<8000xf32>)
  // One element is not the whole memref.
  // CHECK-NEXT: air.channel.get @c[] (%arg0[7] [1] [1]) {id = 3 : i32, metadata = @there}
  air.channel.get @c[] (%a[0, 7] [1, 1] [8, 1]) {id = 3 : i32, metadata = @there} : (memref<8000xf32>)
  return
}

// Six dimensions are too many, and a repetition is below a dimension: the outer
// two loops are unrolled.
// CHECK-LABEL: func @six_dims
// CHECK-COUNT-5: air.channel.put @c[] (%arg0[0, 0, 0, 0] [3, 7, 9, 11] [4, 4096, 64, 1])
// CHECK-COUNT-5: air.channel.put @c[] (%arg0[0, 1, 0, 0] [3, 7, 9, 11] [4, 4096, 64, 1])
// CHECK-NOT: air.channel.put
func.func @six_dims(%a: memref<1000000xf32>) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 3 {
        %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%k)
        air.channel.put @c[] (%a[%i, 0, %o] [7, 9, 11] [4096, 64, 1]) : (memref<1000000xf32>)
      }
    }
  }
  return
}

// The repetition is below an active loop, which is unrolled to a chain.
// CHECK-LABEL: func @inner_repeat
// CHECK: %[[FIRST:.*]] = air.channel.put async [%{{.*}}] @c[] (%arg0[0, 0, 0, 0] [2, 1, 1, 32] [0, 0, 0, 1])
// CHECK-NEXT: %[[SECOND:.*]] = air.channel.put async [%[[FIRST]]] @c[] (%arg0[0, 0, 0, 32] [2, 1, 1, 32] [0, 0, 0, 1])
// CHECK-NEXT: air.wait_all [%[[SECOND]]] {air.launch_end}
// CHECK-NEXT: return
func.func @inner_repeat(%a: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t0 = air.wait_all async
  %t1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t2 = %t0) -> (!air.async.token) {
    %o = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%i]
    %t3 = scf.for %j = %c0 to %c2 step %c1 iter_args(%t4 = %t2) -> (!air.async.token) {
      %t5 = air.channel.put async [%t4] @c[] (%a[%o, 0] [4, 8] [8, 1]) : (memref<8x8xf32>)
      scf.yield %t5 : !air.async.token
    }
    scf.yield %t3 : !air.async.token
  }
  return
}

// A diagonal: the variable counts in both offsets.
// CHECK-LABEL: func @diagonal
// CHECK-NEXT: air.channel.get @c[] (%arg0[0, 0, 0] [4, 2, 2] [18, 8, 1])
// CHECK-NEXT: return
func.func @diagonal(%a: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c2 {
    air.channel.get @c[] (%a[%i, %i] [2, 2] [8, 1]) : (memref<8x8xf32>)
  }
  return
}

// A triangle: the sizes differ, so the loop is unrolled.
// CHECK-LABEL: func @triangle
// CHECK-NEXT: air.channel.put @c[] (%arg0[0] [8] [1])
// CHECK-NEXT: air.channel.put @c[] (%arg0[0] [16] [1])
// CHECK-NEXT: air.channel.put @c[] (%arg0[0] [24] [1])
// CHECK-NEXT: air.channel.put @c[] (%arg0[] [] [])
// CHECK-NEXT: return
func.func @triangle(%a: memref<32xf32>) {
  affine.for %i = 0 to 4 {
    %n = affine.apply affine_map<(d0) -> (d0 * 8 + 8)>(%i)
    air.channel.put @c[] (%a[0] [%n] [1]) : (memref<32xf32>)
  }
  return
}

// A walk backward cannot be a dimension, and without iterations there is no transfer.
// CHECK-LABEL: func @backward
// CHECK-NEXT: air.channel.put @c[] (%arg0[16] [16] [1])
// CHECK-NEXT: air.channel.put @c[] (%arg0[0] [16] [1])
// CHECK-NEXT: return
func.func @backward(%a: memref<32xf32>) {
  affine.for %i = 0 to 2 {
    %o = affine.apply affine_map<(d0) -> (16 - d0 * 16)>(%i)
    air.channel.put @c[] (%a[%o] [16] [1]) : (memref<32xf32>)
  }
  affine.for %i = 4 to 4 {
    air.channel.put @c[] (%a[%i] [16] [1]) : (memref<32xf32>)
  }
  return
}

// The loop has an unknown number of iterations; the inner one folds.
// CHECK-LABEL: func @unknown_trip_count
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %arg1
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, %[[I]]] [4, 8] [64, 1])
// CHECK-NEXT: }
func.func @unknown_trip_count(%a: memref<256xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      air.channel.put @c[] (%a[%j, %i] [1, 8] [64, 1]) : (memref<256xf32>)
    }
  }
  return
}

// Bounds that depend on an outer variable.
// CHECK-LABEL: func @shifted
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0] [4, 2, 4] [64, 8, 1])
// CHECK-NEXT: return
func.func @shifted(%a: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c64 {
    %end = arith.addi %i, %c16 : index
    scf.for %j = %i to %end step %c8 {
      air.channel.put @c[] (%a[%j] [4] [1]) : (memref<256xf32>)
    }
  }
  return
}

// The offset outside of the loops remains.
// CHECK-LABEL: func @symbolic
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, %arg1] [4, 8] [64, 1])
// CHECK-NEXT: return
func.func @symbolic(%a: memref<256xf32>, %x: index) {
  affine.for %j = 0 to 4 {
    air.channel.put @c[] (%a[%j, %x] [1, 8] [64, 1]) : (memref<256xf32>)
  }
  return
}

// -----

// Loops that only repeat the transfer many times remain.
air.channel @c []
// CHECK-LABEL: func @many_repetitions
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0, 0] [2, 3, 3, 3] [64, 16, 4, 1])
func.func @many_repetitions(%a: memref<256xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      air.channel.put @c[] (%a[0, 0, 0, 0] [2, 3, 3, 3] [64, 16, 4, 1]) : (memref<256xf32>)
    }
  }
  return
}

// Fewer are unrolled.
// CHECK-LABEL: func @few_repetitions
// CHECK-COUNT-15: air.channel.put @c[] (%arg0[0, 0, 0, 0] [2, 3, 3, 3] [64, 16, 4, 1])
// CHECK-NOT: air.channel.put
func.func @few_repetitions(%a: memref<256xf32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 5 {
      air.channel.put @c[] (%a[0, 0, 0, 0] [2, 3, 3, 3] [64, 16, 4, 1]) : (memref<256xf32>)
    }
  }
  return
}

// Padding gets entries for the new dimensions.
// CHECK-LABEL: func @padded
// CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0] [4, 4, 7] [32, 8, 1]) {pad_after = array<i32: 0, 0, 1>, pad_before = array<i32: 0, 1, 0>}
// CHECK-NEXT: return
func.func @padded(%a: memref<128xf32>) {
  affine.for %i = 0 to 4 {
    %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    air.channel.put @c[] (%a[%o, 0] [4, 7] [8, 1]) {pad_before = array<i32: 1, 0>, pad_after = array<i32: 0, 1>} : (memref<128xf32>)
  }
  return
}

// A stride above the limit: the loop is unrolled.
// CHECK-LABEL: func @long_stride
// CHECK-NEXT: air.channel.put @c[] (%arg0[0] [8] [1])
// CHECK-NEXT: air.channel.put @c[] (%arg0[2097152] [8] [1])
// CHECK-NEXT: return
func.func @long_stride(%a: memref<4194304xf32>) {
  affine.for %i = 0 to 2 {
    %o = affine.apply affine_map<(d0) -> (d0 * 2097152)>(%i)
    air.channel.put @c[] (%a[%o] [8] [1]) : (memref<4194304xf32>)
  }
  return
}

// The limit of strides counts words: elements may be vectors.
// CHECK-LABEL: func @vectors
// CHECK-NEXT: air.channel.put @c[] (%arg0[0] [8] [1])
// CHECK-NEXT: air.channel.put @c[] (%arg0[524288] [8] [1])
// CHECK-NEXT: return
func.func @vectors(%a: memref<1048576xvector<4xf32>>) {
  affine.for %i = 0 to 2 {
    %o = affine.apply affine_map<(d0) -> (d0 * 524288)>(%i)
    air.channel.put @c[] (%a[%o] [8] [1]) : (memref<1048576xvector<4xf32>>)
  }
  return
}
