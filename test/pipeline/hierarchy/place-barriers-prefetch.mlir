// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(aircc-place-barriers))' | FileCheck %s

// A loop that prefetches tiles declares its accesses to their buffers, which separates the
// iterations: a prefetch writes to a buffer other than the one the iteration uses, but herds of one
// iteration use the same.

// CHECK-LABEL: gpu.func @prefetch
// CHECK-NOT: kernel.{{barrier|access}}
// CHECK: air.dma_memcpy_nd
// CHECK-NEXT: scf.for
// CHECK-NEXT: layout.async_wait 0
// CHECK-NEXT: kernel.barrier workgroup{{$}}
// CHECK-NEXT: air.dma_memcpy_nd
// CHECK-NEXT: air.herd @set
// CHECK: kernel.barrier workgroup{{$}}
// CHECK-NEXT: air.herd @get
// CHECK-NOT: kernel.{{barrier|access}}
// CHECK: gpu.return
gpu.module @ring {
  gpu.func @prefetch(%m: memref<256xi32>, %o: memref<256xi32>, %n: index) workgroup(%lds: memref<2048xi8, #gpu.address_space<workgroup>>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64, known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c1024 = arith.constant 1024 : index
    %ring = memref.view %lds[%c0][] {kernel.lds_range = array<i64: 0, 2048>} : memref<2048xi8, #gpu.address_space<workgroup>> to memref<2048xi8, #gpu.address_space<workgroup>>
    %first = memref.view %ring[%c0][] : memref<2048xi8, #gpu.address_space<workgroup>> to memref<256xi32, #gpu.address_space<workgroup>>
    %second = memref.view %ring[%c1024][] : memref<2048xi8, #gpu.address_space<workgroup>> to memref<256xi32, #gpu.address_space<workgroup>>
    kernel.access workgroup writes(%ring : memref<2048xi8, #gpu.address_space<workgroup>>)
    air.dma_memcpy_nd (%first[] [] [], %m[] [] []) {kernel.prefetch} : (memref<256xi32, #gpu.address_space<workgroup>>, memref<256xi32>)
    scf.for %i = %c0 to %n step %c1 {
      layout.async_wait 0
      kernel.access workgroup writes(%ring : memref<2048xi8, #gpu.address_space<workgroup>>)
      air.dma_memcpy_nd (%second[] [] [], %m[] [] []) {kernel.prefetch} : (memref<256xi32, #gpu.address_space<workgroup>>, memref<256xi32>)
      air.herd @set tile (%x) in (%s = %c4) args(%t = %first) : memref<256xi32, #gpu.address_space<workgroup>> attributes {kernel.scope = #kernel.scope<lane>} {
        %lane = gpu.lane_id
        %v = memref.load %t[%lane] : memref<256xi32, #gpu.address_space<workgroup>>
        %w = arith.addi %v, %v : i32
        memref.store %w, %t[%lane] : memref<256xi32, #gpu.address_space<workgroup>>
      }
      air.herd @get tile (%x) in (%s = %c4) args(%t = %first, %ho = %o) : memref<256xi32, #gpu.address_space<workgroup>>, memref<256xi32> attributes {kernel.scope = #kernel.scope<lane>} {
        %lane = gpu.lane_id
        %v = memref.load %t[%x] : memref<256xi32, #gpu.address_space<workgroup>>
        memref.store %v, %ho[%lane] : memref<256xi32>
      }
    }
    gpu.return
  }
}
