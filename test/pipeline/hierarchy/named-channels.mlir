// RUN: %aircc opt %s --hierarchy-check-hierarchy | FileCheck %s --implicit-check-not=@wire
// RUN: %aircc %s --target gfx942 --emit=asm -o - | FileCheck %s --check-prefix=ASM

// A copy that names a channel of an NPU is an ordinary copy: neither the name nor the channel
// remains.

// ASM-LABEL: copy_kernel:

air.channel @wire [2]
// CHECK-LABEL: func.func @copy(
func.func @copy(%m: memref<64x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%a=%m) : memref<64x64xi32> {
    // CHECK: %[[L2:.*]] = memref.alloc() : memref<32x32xi32, 1>
    // CHECK: air.dma_memcpy_nd (%[[L2]][] [] [], %{{.*}}[0, 32] [32, 32] [64, 1]) {id = 1 : i32} :
    // CHECK: air.dma_memcpy_nd (%{{.*}}[32, 0] [32, 32] [64, 1], %[[L2]][] [] []) :
    %l2 = memref.alloc() : memref<32x32xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %a[0, 32] [32, 32] [64, 1])
        {id = 1 : i32, channel = @wire, channel_indices = array<i64: 1>}
        : (memref<32x32xi32, 1>, memref<64x64xi32>)
    air.dma_memcpy_nd (%a[32, 0] [32, 32] [64, 1], %l2[] [] []) {channel = @wire}
        : (memref<64x64xi32>, memref<32x32xi32, 1>)
  }
  return
}
