// DMA and channels.
// RUN: %aircc opt %s | FileCheck %s
// RUN: %aircc opt %s > %t.mlir
// RUN: %aircc opt %t.mlir | diff %t.mlir -
// RUN: %aircc opt --mlir-print-op-generic %s | %aircc opt | diff %t.mlir -
// RUN: %aircc opt --emit-bytecode %s | %aircc opt | diff %t.mlir -

// CHECK-LABEL: func.func @dma(
// CHECK-SAME: %[[A:.*]]: memref<64x64xf32>, %[[B:.*]]: memref<16x16xf32, 1>, %[[I:.*]]: index, %[[T:.*]]: !air.async.token)
func.func @dma(%a: memref<64x64xf32>, %b: memref<16x16xf32, 1>, %i: index, %t: !air.async.token) {
  // CHECK-NEXT: air.dma_memcpy_nd (%[[B]][] [] [], %[[A]][] [] []) : (memref<16x16xf32, 1>, memref<64x64xf32>)
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<16x16xf32, 1>, memref<64x64xf32>)
  // CHECK-NEXT: air.dma_memcpy_nd (%[[B]][] [] [], %[[A]][0, %[[I]]] [16, %[[I]]] [64, 1]) {id = 1 : i32} :
  air.dma_memcpy_nd (%b[][][], %a[0, %i] [16, %i] [64, 1]) {id = 1 : i32} : (memref<16x16xf32, 1>, memref<64x64xf32>)
  // More dimensions than the memref has, a stride of zero and a negative one.
  // CHECK-NEXT: air.dma_memcpy_nd (%[[A]][0, 0, 63, 0] [1, 2, 8, 16] [0, 0, -64, 1], %[[B]][%[[I]], %[[I]]] [%[[I]], %[[I]]] [%[[I]], %[[I]]]) :
  air.dma_memcpy_nd (%a[0, 0, 63, 0] [1, 2, 8, 16] [0, 0, -64, 1], %b[%i, %i] [%i, %i] [%i, %i])
      : (memref<64x64xf32>, memref<16x16xf32, 1>)
  // Offsets alone.
  // CHECK-NEXT: air.dma_memcpy_nd (%[[B]][] [] [], %[[A]][%[[I]], 0] [] []) :
  air.dma_memcpy_nd (%b[] [] [], %a[%i, 0] [] []) : (memref<16x16xf32, 1>, memref<64x64xf32>)
  // CHECK-NEXT: %[[T0:.*]] = air.dma_memcpy_nd async (%
  %t0 = air.dma_memcpy_nd async (%b[] [] [], %a[] [] []) : (memref<16x16xf32, 1>, memref<64x64xf32>)
  // CHECK-NEXT: %[[T1:.*]] = air.dma_memcpy_nd async [%[[T0]], %[[T]]] (%
  %t1 = air.dma_memcpy_nd async [%t0, %t] (%b[] [] [], %a[] [] []) : (memref<16x16xf32, 1>, memref<64x64xf32>)
  // CHECK-NEXT: air.dma_memcpy_nd [%[[T1]]] (%
  air.dma_memcpy_nd [%t1] (%b[] [] [], %a[] [] []) : (memref<16x16xf32, 1>, memref<64x64xf32>)
  // CHECK-NEXT: air.dma_memcpy_nd (%{{.*}}) {pad_after = array<i32: 0, 1>, pad_before = array<i32: 1, 2>} :
  air.dma_memcpy_nd (%b[] [] [], %a[0, 0] [15, 13] [64, 1]) {pad_before = array<i32: 1, 2>, pad_after = array<i32: 0, 1>}
      : (memref<16x16xf32, 1>, memref<64x64xf32>)
  // CHECK-NEXT: air.dma_memcpy_nd (%{{.*}}) {pad_after = array<i32: 0, 3>} :
  air.dma_memcpy_nd (%b[] [] [], %a[0, 0] [16, 13] [64, 1]) {pad_after = array<i32: 0, 3>}
      : (memref<16x16xf32, 1>, memref<64x64xf32>)
  return
}

// Where a DMA came from.
// CHECK-LABEL: func.func @dma_of_channel(
func.func @dma_of_channel(%a: memref<8xf32>, %b: memref<8xf32, 1>) {
  // CHECK: air.dma_memcpy_nd {{.*}} {channel = @grid, channel_indices = array<i64: 3, 0>} :
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {channel = @grid, channel_indices = array<i64: 3, 0>} : (memref<8xf32, 1>, memref<8xf32>)
  // CHECK: air.dma_memcpy_nd {{.*}} {channel = @undeclared} :
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {channel = @undeclared} : (memref<8xf32, 1>, memref<8xf32>)
  return
}

// A transfer in place of a put that selects one of the consumers.
// CHECK-LABEL: func.func @dma_with_destination(
// CHECK-SAME: %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32, 1>, %[[TO:.*]]: index, %[[T:.*]]: !air.async.token)
func.func @dma_with_destination(%a: memref<8xf32>, %b: memref<8xf32, 1>, %to: index, %t: !air.async.token) {
  // CHECK-NEXT: air.dma_memcpy_nd (%[[B]][] [] [], %[[A]][2] [4] [1]) dest(%[[TO]]) {channel = @packets} :
  air.dma_memcpy_nd (%b[] [] [], %a[2] [4] [1]) dest(%to) {channel = @packets} : (memref<8xf32, 1>, memref<8xf32>)
  // CHECK-NEXT: air.dma_memcpy_nd async [%[[T]]] (%[[B]][%[[TO]]] [4] [1], %[[A]][%[[TO]]] [4] [1]) dest(%[[TO]]) :
  %0 = air.dma_memcpy_nd async [%t] (%b[%to] [4] [1], %a[%to] [4] [1]) dest(%to) : (memref<8xf32, 1>, memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @unranked(
func.func @unranked(%a: memref<*xf32>, %b: memref<16xf32>) {
  // CHECK: air.dma_memcpy_nd (%{{.*}}[] [16] [1], %{{.*}}[] [] []) : (memref<*xf32>, memref<16xf32>)
  air.dma_memcpy_nd (%a[] [16] [1], %b[] [] []) : (memref<*xf32>, memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @other_rank(
func.func @other_rank() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) {
    %heap = memref.alloc() : memref<8xf32, #air.symmetric_heap>
    %tagged = memref.alloc() {air.symmetric} : memref<8xf32>
    %own = memref.alloc() : memref<8xf32, 2>
    // CHECK: air.dma_memcpy_nd {{.*}} {src_rank = 0 : i64} :
    air.dma_memcpy_nd (%own[] [] [], %heap[] [] []) {src_rank = 0 : i64}
        : (memref<8xf32, 2>, memref<8xf32, #air.symmetric_heap>)
    // CHECK: air.dma_memcpy_nd {{.*}} {dst_rank = 1 : i64, src_rank = 0 : i64} :
    air.dma_memcpy_nd (%heap[] [] [], %tagged[] [] []) {src_rank = 0, dst_rank = 1}
        : (memref<8xf32, #air.symmetric_heap>, memref<8xf32>)
  }
  return
}

// CHECK: air.channel @one []
air.channel @one
// CHECK: air.channel @empty []
air.channel @empty []
// The type that is the default is not printed.
// CHECK: air.channel @grid [4, 4]{{$}}
air.channel @grid[4,4] {channel_type = "npu_dma_stream"}
// CHECK: air.channel @typed [2, 3]{{$}}
air.channel @typed [2 : i64, 3]
// CHECK: air.channel @rows [1, 4] {broadcast_shape = [4, 4]}
air.channel @rows [1, 4] {broadcast_shape = [4, 4]}
// CHECK: air.channel @packets [] {channel_type = "npu_dma_packet", packet_ids = [1, 4]}
air.channel @packets [] {channel_type = "npu_dma_packet", packet_ids = [1, 4]}
// CHECK: air.channel @cascade [] {channel_type = "npu_cascade"}
air.channel @cascade [] {channel_type = "npu_cascade"}
// CHECK: air.channel @mmio [] {channel_type = "npu_mmio"}
air.channel @mmio [] {channel_type = "npu_mmio"}
// CHECK: air.channel @heap [2] {channel_type = "gpu_symmetric_heap", depth = 4 : i64}
air.channel @heap [2] {channel_type = "gpu_symmetric_heap", depth = 4 : i64}
// CHECK: air.channel @more [1] {air.refeed_count = 4 : i32, buffer_resources = 2 : i64}
air.channel @more [1] {air.refeed_count = 4 : i32, buffer_resources = 2}
// CHECK: air.channel @hidden [1] {sym_visibility = "private"}
air.channel @hidden [1] {sym_visibility = "private"}

// CHECK-LABEL: func.func @channels(
// CHECK-SAME: %[[M:.*]]: memref<16x16xf32>, %[[I:.*]]: index, %[[T:.*]]: !air.async.token)
func.func @channels(%m: memref<16x16xf32>, %i: index, %t: !air.async.token) {
  // CHECK-NEXT: air.channel.put @one[] (%[[M]][] [] []) : (memref<16x16xf32>)
  air.channel.put @one[] (%m[] [] []) : (memref<16x16xf32>)
  // The brackets of no indices may be missing.
  // CHECK-NEXT: air.channel.put @one[] (%[[M]][] [] []) : (memref<16x16xf32>)
  air.channel.put @one (%m[][][]) : (memref<16x16xf32>)
  // CHECK-NEXT: air.channel.get @one[] (%[[M]][] [] []) : (memref<16x16xf32>)
  air.channel.get @one(%m[][][]) : (memref<16x16xf32>)
  // CHECK-NEXT: %[[T0:.*]] = air.channel.put async [%[[T]]] @grid[%[[I]], %[[I]]] (%[[M]][%[[I]], 0] [4, %[[I]]] [16, 1]) {id = 1 : i32, pad_before = array<i32: 0, 2>} :
  %t0 = air.channel.put async [%t] @grid[%i, %i] (%m[%i, 0] [4, %i] [16, 1]) {id = 1 : i32, pad_before = array<i32: 0, 2>} : (memref<16x16xf32>)
  // CHECK-NEXT: %[[T1:.*]] = air.channel.get async @grid[%[[I]], %[[I]]] (%[[M]][%[[I]], 0] [4, %[[I]]] [16, 1]) :
  %t1 = air.channel.get async @grid[%i, %i] (%m[%i, 0] [4, %i] [16, 1]) : (memref<16x16xf32>)
  // CHECK-NEXT: air.channel.get [%[[T0]], %[[T1]]] @rows[%[[I]], %[[I]]] (%[[M]][] [] []) :
  air.channel.get [%t0, %t1] @rows[%i, %i] (%m[] [] []) : (memref<16x16xf32>)
  // CHECK-NEXT: air.channel.put @packets[] (%[[M]][] [] []) dest(%[[I]]) {id = 9 : i32} :
  air.channel.put @packets[] (%m[] [] []) dest(%i) {id = 9 : i32} : (memref<16x16xf32>)
  // A channel that is declared elsewhere.
  // CHECK-NEXT: air.channel.put @undeclared[] (%[[M]][] [] []) :
  air.channel.put @undeclared[] (%m[] [] []) : (memref<16x16xf32>)
  return
}

// CHECK-LABEL: func.func @heap_channels(
func.func @heap_channels() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) {
    %m = memref.alloc() : memref<8xf32, #air.symmetric_heap>
    // CHECK: air.channel.put @heap[%{{.*}}] (
    air.channel.put @heap[%r] (%m[] [] []) : (memref<8xf32, #air.symmetric_heap>)
    // CHECK: air.channel.get @heap[%{{.*}}] (
    air.channel.get @heap[%r] (%m[] [] []) : (memref<8xf32, #air.symmetric_heap>)
  }
  return
}
