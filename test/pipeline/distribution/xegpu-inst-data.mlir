// The inst_data of a program limits the size of a block access; without it, accesses are as large
// as the hardware permits.
// RUN: %aircc %s --target bmg --emit distributed | FileCheck %s

// CHECK-LABEL: gpu.func @bounded
// CHECK: kernel.block_prefetch %{{.*}} rows 16 {{.*}}blocks 1
// CHECK-COUNT-8: kernel.block_load %{{.*}} rows 8 {{.*}}blocks 1
// CHECK-NOT: kernel.block_load
// CHECK-COUNT-16: kernel.block_store %{{.*}} rows 4
// CHECK-NOT: kernel.block_store
// CHECK: gpu.return
gpu.module @m {
  gpu.func @bounded(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %a = xegpu.create_nd_tdesc %A : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    %b = xegpu.create_nd_tdesc %B : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    xegpu.prefetch_nd %a[0, 0] <{layout = #xegpu.layout<inst_data = [16, 16]>}> : !xegpu.tensor_desc<32x32xf16>
    %v = xegpu.load_nd %a[0, 0] <{layout = #xegpu.layout<inst_data = [8, 16]>}> : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    xegpu.store_nd %v, %b[0, 0] <{layout = #xegpu.layout<inst_data = [4, 16]>}> : vector<32x32xf16>, !xegpu.tensor_desc<32x32xf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @free
  // CHECK-COUNT-1: kernel.block_load %{{.*}} rows 32 {{.*}}blocks 2
  // CHECK-NOT: kernel.block_load
  // CHECK-COUNT-8: kernel.block_store %{{.*}} rows 8
  // CHECK: gpu.return
  gpu.func @free(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %a = xegpu.create_nd_tdesc %A : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    %b = xegpu.create_nd_tdesc %B : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    %v = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    xegpu.store_nd %v, %b[0, 0] : vector<32x32xf16>, !xegpu.tensor_desc<32x32xf16>
    gpu.return
  }

  // A kernel that only prefetches: the four subgroups share out the rows of the tile.
  // CHECK-LABEL: gpu.func @only_prefetch
  // CHECK: kernel.block_prefetch %{{.*}} rows 32
  // CHECK-NOT: xegpu.prefetch_nd
  // CHECK: gpu.return
  gpu.func @only_prefetch(%A: memref<256x256xf16>) kernel {
    %a = xegpu.create_nd_tdesc %A : memref<256x256xf16> -> !xegpu.tensor_desc<128x32xf16, #xegpu.layout<sg_layout = [4, 1], sg_data = [32, 32]>>
    xegpu.prefetch_nd %a[0, 0] : !xegpu.tensor_desc<128x32xf16, #xegpu.layout<sg_layout = [4, 1], sg_data = [32, 32]>>
    gpu.return
  }
}
