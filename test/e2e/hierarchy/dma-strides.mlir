// RUN: %aircc %s --target gfx942 -o %t && %t
//
// The addressing of transfers: strides of the flattened buffer, more and fewer of
// them than dimensions, offsets in units of either, different shapes on both
// sides, strided views, an inner stride that is not one.


func.func @run(%in: memref<512xi32>, %out: memref<512xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%nx = %c1) args(%a = %in, %b = %out)
      : memref<512xi32>, memref<512xi32> {
    air.segment args(%sa = %a, %sb = %b) : memref<512xi32>, memref<512xi32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      // 64..127 transposed through an 8 x 8 tile, written with three dimensions.
      %tile = memref.alloc() : memref<8x8xi32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %sa[64] [8, 8] [1, 8])
          : (memref<8x8xi32, 1>, memref<512xi32>)
      air.dma_memcpy_nd (%sb[0] [64] [1], %tile[%c0, 0] [2, %c4, 8] [32, 8, 1])
          : (memref<512xi32>, memref<8x8xi32, 1>)
      // Offsets in units of the strides: three of them for a memref of rank two.
      air.dma_memcpy_nd (%sb[64] [16] [1], %tile[1, 2, 0] [1, 2, 8] [32, 8, 1])
          : (memref<512xi32>, memref<8x8xi32, 1>)
      // A strided view on both sides.
      %m = memref.reinterpret_cast %sa to offset: [0], sizes: [16, 32], strides: [32, 1]
          : memref<512xi32> to memref<16x32xi32>
      %view = memref.subview %m[2, 3] [4, 4] [3, 5]
          : memref<16x32xi32> to memref<4x4xi32, strided<[96, 5], offset: 67>>
      %o = memref.reinterpret_cast %sb to offset: [0], sizes: [16, 32], strides: [32, 1]
          : memref<512xi32> to memref<16x32xi32>
      %to = memref.subview %o[4, 0] [4, 4] [1, 1]
          : memref<16x32xi32> to memref<4x4xi32, strided<[32, 1], offset: 128>>
      air.dma_memcpy_nd (%to[] [] [], %view[] [] [])
          : (memref<4x4xi32, strided<[32, 1], offset: 128>>,
             memref<4x4xi32, strided<[96, 5], offset: 67>>)
      // Sizes of one side serve for both; the whole of a row from an offset on.
      air.dma_memcpy_nd (%o[10, 8] [] [], %m[5, 8] [1, 16] [])
          : (memref<16x32xi32>, memref<16x32xi32>)
      // Stride 0: one element many times.
      air.dma_memcpy_nd (%sb[448] [32] [1], %sa[77] [32] [0])
          : (memref<512xi32>, memref<512xi32>)
    }
  }
  return
}

// The value that the device must store at index %i.
func.func private @want(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %c67 = arith.constant 67 : index
  %c77 = arith.constant 77 : index
  %c80 = arith.constant 80 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  %c168 = arith.constant 168 : index
  %c256 = arith.constant 256 : index
  %c328 = arith.constant 328 : index
  %c448 = arith.constant 448 : index
  %c480 = arith.constant 480 : index
  %none = arith.constant -1 : index
  // In the first 64: element (r, c) of the transposed tile.
  %r = arith.divui %i, %c8 : index
  %c = arith.remui %i, %c8 : index
  %cr = arith.muli %c, %c8 : index
  %t0 = arith.addi %cr, %r : index
  %t = arith.addi %t0, %c64 : index
  %in0 = arith.cmpi ult, %i, %c64 : index
  %v0 = arith.select %in0, %t, %none : index
  // 64..79: rows 6 and 7 of the tile.
  %k1 = arith.subi %i, %c64 : index
  %in1 = arith.cmpi ult, %k1, %c16 : index
  %k1a = arith.addi %k1, %c48 : index
  %r1 = arith.divui %k1a, %c8 : index
  %c1x = arith.remui %k1a, %c8 : index
  %cr1 = arith.muli %c1x, %c8 : index
  %t1a = arith.addi %cr1, %r1 : index
  %t1 = arith.addi %t1a, %c64 : index
  %v1 = arith.select %in1, %t1, %v0 : index
  // 128 + 32 * row + col.
  %k2 = arith.subi %i, %c128 : index
  %row2 = arith.divui %k2, %c32 : index
  %col2 = arith.remui %k2, %c32 : index
  %rok = arith.cmpi ult, %row2, %c4 : index
  %cok = arith.cmpi ult, %col2, %c4 : index
  %in2 = arith.andi %rok, %cok : i1
  %a2 = arith.muli %row2, %c96 : index
  %b2 = arith.muli %col2, %c5 : index
  %ab2 = arith.addi %a2, %b2 : index
  %t2 = arith.addi %ab2, %c67 : index
  %v2 = arith.select %in2, %t2, %v1 : index
  // 328..343: from 168 on.
  %k3 = arith.subi %i, %c328 : index
  %in3 = arith.cmpi ult, %k3, %c16 : index
  %t3 = arith.addi %k3, %c168 : index
  %v3 = arith.select %in3, %t3, %v2 : index
  // 448..479: 77.
  %k4 = arith.subi %i, %c448 : index
  %in4 = arith.cmpi ult, %k4, %c32 : index
  %v4 = arith.select %in4, %c77, %v3 : index
  %v = arith.index_cast %v4 : index to i32
  return %v : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 512 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<512xi32>
  %out = memref.alloc() : memref<512xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<512xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<512xi32>
  }
  %din = gpu.alloc () : memref<512xi32>
  %dout = gpu.alloc () : memref<512xi32>
  gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
  gpu.memcpy %dout, %out : memref<512xi32>, memref<512xi32>
  call @run(%din, %dout) : (memref<512xi32>, memref<512xi32>) -> ()
  gpu.memcpy %out, %dout : memref<512xi32>, memref<512xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<512xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
