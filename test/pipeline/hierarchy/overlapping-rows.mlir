// RUN: %aircc opt %s --hierarchy-check-hierarchy --split-input-file --verify-diagnostics
// Lists of a subview are valid for a transfer, but their rows overlap.

func.func @tile(%m: memref<32x64xf32>, %l: memref<16x16xf32, 1>, %i: index) {
  // expected-warning@+1 {{reads overlapping rows of its source; unlike in memref.subview, strides count elements of the buffer: for a tile of a 'memref<32x64xf32>', use [64, 1] instead of [1, 1]}}
  air.dma_memcpy_nd (%l[] [] [], %m[0, %i] [16, 16] [1, 1]) : (memref<16x16xf32, 1>, memref<32x64xf32>)
  return
}

// -----

// The constants may be SSA values. Reading every second element may be intended.
func.func @written(%m: memref<2x32x64xf32>, %l: memref<2x8x8xf32, 1>) {
  %c2 = arith.constant 2 : index
  // expected-warning@+1 {{writes overlapping rows of its target; unlike in memref.subview, strides count elements of the buffer: for a tile of a 'memref<2x32x64xf32>', use [4096, 128, 2] instead of [2, 2, 2]}}
  air.dma_memcpy_nd (%m[0, 0, 0] [1, 8, 8] [%c2, %c2, %c2], %l[0, 0, 0] [1, 8, 8] [64, 8, 1]) : (memref<2x32x64xf32>, memref<2x8x8xf32, 1>)
  return
}

// -----

air.channel @c []
func.func @channel(%m: memref<?x?xf32>, %l: memref<32x16xf32, 1>) {
  // expected-warning@+1 {{reads overlapping rows of its source; unlike in memref.subview, strides count elements of the buffer: for a tile of a 'memref<?x?xf32>', use [?, 1] instead of [1, 1]}}
  air.channel.put @c[] (%m[0, 0] [16, 16] [1, 1]) : (memref<?x?xf32>)
  // expected-warning@+1 {{writes overlapping rows of its target; unlike in memref.subview, strides count elements of the buffer: for a tile of a 'memref<32x16xf32, 1>', use [16, 1] instead of [1, 1]}}
  air.channel.get @c[] (%l[16, 0] [16, 16] [1, 1]) : (memref<32x16xf32, 1>)
  return
}

// -----

// No warning: none of these lists would be those of a subview with several rows.
func.func @others(%m: memref<32x64xf32>, %row: memref<1x64xf32>, %v: memref<64xf32>, %n: index,
                  %same: memref<8x8xf32, strided<[1, 1]>>) {
  %l = memref.alloc() : memref<16x16xf32, 1>
  %w = memref.alloc() : memref<16x8xf32, 1>
  %line = memref.alloc() : memref<1x16xf32, 1>
  %square = memref.alloc() : memref<8x8xf32, 1>
  air.dma_memcpy_nd (%l[] [] [], %m[0, 0] [16, 16] [64, 1]) : (memref<16x16xf32, 1>, memref<32x64xf32>)
  // Sliding windows.
  air.dma_memcpy_nd (%w[] [] [], %v[0] [16, 8] [1, 1]) : (memref<16x8xf32, 1>, memref<64xf32>)
  air.dma_memcpy_nd (%w[] [] [], %row[0, 0] [16, 8] [1, 1]) : (memref<16x8xf32, 1>, memref<1x64xf32>)
  // One row, or perhaps one.
  air.dma_memcpy_nd (%line[] [] [], %m[3, 0] [1, 16] [1, 1]) : (memref<1x16xf32, 1>, memref<32x64xf32>)
  air.dma_memcpy_nd (%l[0, 0] [%n, 16] [16, 1], %m[0, 0] [%n, 16] [1, 1]) : (memref<16x16xf32, 1>, memref<32x64xf32>)
  // One element, repeated.
  air.dma_memcpy_nd (%l[] [] [], %m[0, 0] [16, 16] [0, 0]) : (memref<16x16xf32, 1>, memref<32x64xf32>)
  // The buffer has these strides.
  air.dma_memcpy_nd (%square[] [] [], %same[0, 0] [8, 8] [1, 1]) : (memref<8x8xf32, 1>, memref<8x8xf32, strided<[1, 1]>>)
  return
}
