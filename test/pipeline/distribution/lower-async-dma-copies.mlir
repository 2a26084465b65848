// RUN: %aircc opt %s --distribution-lower-async-dma=target=%targets/gfx1100.json --canonicalize --verify-diagnostics | FileCheck %s
// RUN: %aircc opt %s --distribution-lower-async-dma=target=%targets/bmg.json --canonicalize --verify-diagnostics | FileCheck %s

// A target without loads straight to LDS copies the tile, with a warning unless
// the op allows it. Stores are complete at the barrier: no wait is left.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @tile
// CHECK-NOT:     gather_to_lds
// CHECK-NOT:     memory_counter_wait
// CHECK:         vector.load %{{.*}} : memref<128x256xf16>, vector<8xf16>
// CHECK:         vector.store %{{.*}} : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
// CHECK-NOT:     async_wait
// CHECK:         kernel.barrier workgroup{{$}}
// CHECK-NOT:     fence
// CHECK:         gpu.return
gpu.module @m {
  gpu.func @tile(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-warning @+1 {{cannot be lowered to direct-to-LDS loads and is copied through registers: the target has no direct loads to LDS}}
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16> counted
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16> {may_copy}
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    layout.async_wait 0
    kernel.barrier workgroup
    gpu.return
  }
}
