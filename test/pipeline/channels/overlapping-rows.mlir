// RUN: %aircc opt %s --channels-lower-rank-transfers --verify-diagnostics

air.channel @c {channel_type = "gpu_symmetric_heap"}
func.func @ranks(%n: index) {
  air.rank (%r) in (%size=%n) {
    %a = memref.alloc() : memref<8x8xf32, #air.symmetric_heap>
    %b = memref.alloc() : memref<16xf32, #air.symmetric_heap>
    // expected-warning@+1 {{reads overlapping rows of its source; unlike in memref.subview, strides count elements of the buffer: for a tile of a 'memref<8x8xf32, #air.symmetric_heap>', use [8, 1] instead of [1, 1]}}
    air.dma_memcpy_nd (%b[] [] [], %a[2, 0] [4, 4] [1, 1]) {src_rank = 1 : i64}
        : (memref<16xf32, #air.symmetric_heap>, memref<8x8xf32, #air.symmetric_heap>)
    // expected-warning@+1 {{reads overlapping rows of its source}}
    air.channel.put @c[] (%a[2, 0] [4, 4] [1, 1]) : (memref<8x8xf32, #air.symmetric_heap>)
  }
  return
}
