// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-prefetch-tiles{direct-widths=32 lds-bytes=65536 max-waves=32},canonicalize))' | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-prefetch-tiles{direct-widths=32 lds-bytes=65536 max-waves=4},canonicalize))' | FileCheck %s --check-prefix=THREE
// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-prefetch-tiles,canonicalize))' | FileCheck %s --check-prefix=NONE

// NONE-NOT: kernel.prefetch

// Two buffers of 4096 bytes, since three would reduce occupancy; the last iteration fetches its own
// tile again. If waves, and not LDS, limit occupancy, three: an iteration leaves the transfer of
// the next one in flight.

// CHECK-LABEL: gpu.func @tile_kernel
// CHECK-DAG: %[[LAST:.*]] = arith.constant 960 : index
// CHECK-DAG: %[[BUFFERS:.*]] = memref.alloc() : memref<8192xi8, 1>
// CHECK: kernel.access workgroup writes(%[[BUFFERS]] : memref<8192xi8, 1>)
// CHECK: %[[FIRST:.*]] = memref.view %[[BUFFERS]][%c0][] : memref<8192xi8, 1> to memref<1024xf32, 1>
// CHECK: air.dma_memcpy_nd (%[[FIRST]][] [] [], %{{.*}}[0, 0] [16, 64] [1024, 1]) {kernel.prefetch} :
// CHECK: scf.for %[[K:.*]] = %c0 to %c1024 step %c64 iter_args(%[[I:.*]] = %c0) -> (index) {
// CHECK-NEXT: layout.async_wait 0
// CHECK-NEXT: kernel.access workgroup writes(%[[BUFFERS]] : memref<8192xi8, 1>)
// CHECK: %[[ISLAST:.*]] = arith.cmpi eq, %[[K]], %[[LAST]]
// CHECK: %[[NEXT:.*]] = arith.select %[[ISLAST]], %[[K]]
// CHECK: %[[FREE:.*]] = memref.view %[[BUFFERS]]
// CHECK: air.dma_memcpy_nd (%[[FREE]][] [] [], %{{.*}}[0, %[[NEXT]]] [16, 64] [1024, 1]) {kernel.prefetch} :
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c4096
// CHECK: %[[OWN:.*]] = memref.view %[[BUFFERS]][%[[AT]]]
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: air.herd {{.*}} args(%{{.*}}=%[[OWN]])
// CHECK: }
// CHECK: layout.async_wait 0

// THREE-LABEL: gpu.func @tile_kernel
// THREE: %[[BUFFERS:.*]] = memref.alloc() : memref<12288xi8, 1>
// THREE-COUNT-2: air.dma_memcpy_nd
// THREE: scf.for
// THREE-NEXT: layout.async_wait 1
// THREE-NEXT: kernel.access workgroup writes(%[[BUFFERS]] :
// THREE: air.dma_memcpy_nd {{.*}} {kernel.prefetch}
// THREE: layout.async_wait 0
func.func @tile(%a: memref<16x1024xf32>) {
  air.segment @tile args(%sa = %a) : memref<16x1024xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %tile = memref.alloc() : memref<1024xf32, 1>
    scf.for %k = %c0 to %c1024 step %c64 {
      air.dma_memcpy_nd (%tile[] [] [], %sa[%c0, %k] [16, 64] [%c1024, 1]) : (memref<1024xf32, 1>, memref<16x1024xf32>)
      air.herd tile (%p, %q) in (%np = %c4, %nq = %c1) args(%t = %tile) : memref<1024xf32, 1> {
        %lane = gpu.lane_id
        %v = memref.load %t[%lane] : memref<1024xf32, 1>
        memref.store %v, %t[%p] : memref<1024xf32, 1>
      }
    }
  }
  return
}

// Rows whose stride is dynamic may be too long for loads directly to LDS: then the number of loads
// in flight is unknown, and nothing is fetched two iterations ahead. A loop may have no iterations.

// THREE-LABEL: gpu.func @strided_kernel
// THREE: %[[SOME:.*]] = arith.cmpi sgt, %{{.*}}, %c0
// THREE: scf.if %[[SOME]] {
// THREE: memref.view {{.*}} : memref<8192xi8, 1> to memref<1024xf32, 1>
// THREE: layout.async_wait 0
func.func @strided(%a: memref<?x?xf32>) {
  air.segment @strided args(%sa = %a) : memref<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %size = memref.dim %sa, %c1 : memref<?x?xf32>
    %tile = memref.alloc() : memref<1024xf32, 1>
    scf.for %k = %c0 to %size step %c64 {
      air.dma_memcpy_nd (%tile[] [] [], %sa[%c0, %k] [16, 64] [%size, 1]) : (memref<1024xf32, 1>, memref<?x?xf32>)
      air.herd tile (%p, %q) in (%np = %c4, %nq = %c1) args(%t = %tile) : memref<1024xf32, 1> {
        %lane = gpu.lane_id
        %v = memref.load %t[%lane] : memref<1024xf32, 1>
        memref.store %v, %t[%p] : memref<1024xf32, 1>
      }
    }
  }
  return
}

// A loop of one iteration has nothing to prefetch; the other tile is not read.

// CHECK-LABEL: gpu.func @few_kernel
// CHECK-NOT: kernel.prefetch
func.func @few(%a: memref<1024xf32>) {
  air.segment @few args(%sa = %a) : memref<1024xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %tile = memref.alloc() : memref<256xf32, 1>
    %unused = memref.alloc() : memref<256xf32, 1>
    scf.for %k = %c0 to %c256 step %c256 {
      air.dma_memcpy_nd (%tile[] [] [], %sa[%k] [256] [1]) : (memref<256xf32, 1>, memref<1024xf32>)
      air.herd tile (%p, %q) in (%np = %c4, %nq = %c1) args(%t = %tile) : memref<256xf32, 1> {
        %lane = gpu.lane_id
        %v = memref.load %t[%lane] : memref<256xf32, 1>
        memref.store %v, %t[%p] : memref<256xf32, 1>
      }
    }
    scf.for %k = %c0 to %c1024 step %c256 {
      air.dma_memcpy_nd (%unused[] [] [], %sa[%k] [256] [1]) : (memref<256xf32, 1>, memref<1024xf32>)
    }
  }
  return
}
