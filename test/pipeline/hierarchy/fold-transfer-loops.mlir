// RUN: %aircc opt %s --hierarchy-fold-transfer-loops | FileCheck %s

gpu.module @kernels {
  // The target becomes whole. A leading dimension says that offsets are in units
  // of the strides.
  // CHECK-LABEL: gpu.func @rows
  // CHECK-NOT: scf.for
  // CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[0, 0, 0] [1, 8, 32] [0, 64, 1])
  gpu.func @rows(%src: memref<64x64xf32>, %dst: memref<8x32xf32, 1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      air.dma_memcpy_nd (%dst[%i, 0] [1, 32] [32, 1], %src[%i, 0] [1, 32] [64, 1]) : (memref<8x32xf32, 1>, memref<64x64xf32>)
    }
    gpu.return
  }

  // Offsets in units of the memref's dimensions, whatever the strides are; the
  // start depends on an argument.
  // CHECK-LABEL: gpu.func @nest
  // CHECK-NOT: scf.for
  // CHECK: %[[START:.*]] = affine.apply #{{.*}}[%arg2]
  // CHECK: air.dma_memcpy_nd (%arg0[0, 0, %[[START]], 0] [4, 2, 1, 8] [512, 16, 1, 2], %arg1[] [] [])
  gpu.func @nest(%dst: memref<64x64xf32>, %src: memref<64xf32, 2>, %x: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %r = arith.muli %i, %c8 : index
      %p = arith.muli %i, %c16 : index
      scf.for %j = %c0 to %c2 step %c1 {
        %c = affine.apply affine_map<(d0)[s0] -> (d0 * 16 + s0 * 2)>(%j)[%x]
        %q = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 8)>(%p, %j)
        air.dma_memcpy_nd (%dst[%r, %c] [8] [2], %src[%q] [8] [1]) : (memref<64x64xf32>, memref<64xf32, 2>)
      }
    }
    gpu.return
  }

  // The source may repeat; the target may not.
  // CHECK-LABEL: gpu.func @repeat
  // CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[0, 0] [4, 16] [0, 1])
  // CHECK: scf.for
  // CHECK-NEXT: air.dma_memcpy_nd
  // CHECK: scf.for
  // CHECK-NEXT: air.dma_memcpy_nd
  gpu.func @repeat(%src: memref<64xf32>, %dst: memref<4x16xf32, 1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      air.dma_memcpy_nd (%dst[%i, 0] [16] [1], %src[0] [16] [1]) : (memref<4x16xf32, 1>, memref<64xf32>)
    }
    scf.for %i = %c0 to %c4 step %c1 {
      air.dma_memcpy_nd (%dst[0, 0] [16] [1], %src[%i] [16] [1]) : (memref<4x16xf32, 1>, memref<64xf32>)
    }
    // Neighbors overlap.
    scf.for %i = %c0 to %c4 step %c1 {
      air.dma_memcpy_nd (%dst[0, %i] [4] [1], %src[%i] [4] [1]) : (memref<4x16xf32, 1>, memref<64xf32>)
    }
    gpu.return
  }

  // Not folded: the same level of memory, another op that may see the memory,
  // padding, an unknown trip count, a walk out of the memref, a dynamic size.
  // CHECK-LABEL: gpu.func @remain
  // CHECK-COUNT-6: scf.for
  // CHECK-NOT: scf.for
  gpu.func @remain(%src: memref<64xf32>, %other: memref<64xf32>, %dst: memref<64xf32, 1>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %f = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c64 step %c8 {
      air.dma_memcpy_nd (%other[%i] [8] [1], %src[%i] [8] [1]) : (memref<64xf32>, memref<64xf32>)
    }
    scf.for %i = %c0 to %c64 step %c8 {
      air.dma_memcpy_nd (%dst[%i] [8] [1], %src[%i] [8] [1]) : (memref<64xf32, 1>, memref<64xf32>)
      memref.store %f, %src[%i] : memref<64xf32>
    }
    scf.for %i = %c0 to %c64 step %c8 {
      air.dma_memcpy_nd (%dst[%i] [8] [1], %src[%i] [7] [1]) {pad_after = array<i32: 1>} : (memref<64xf32, 1>, memref<64xf32>)
    }
    scf.for %i = %c0 to %n step %c8 {
      air.dma_memcpy_nd (%dst[%i] [8] [1], %src[%i] [8] [1]) : (memref<64xf32, 1>, memref<64xf32>)
    }
    scf.for %i = %c8 to %c64 step %c8 {
      air.dma_memcpy_nd (%dst[%i] [8] [1], %src[%i] [8] [2]) : (memref<64xf32, 1>, memref<64xf32>)
    }
    scf.for %i = %c0 to %c8 step %c1 {
      air.dma_memcpy_nd (%dst[%i] [%n] [8], %src[%i] [%n] [8]) : (memref<64xf32, 1>, memref<64xf32>)
    }
    gpu.return
  }

  // The inner loop of a nest with other ops folds.
  // CHECK-LABEL: gpu.func @inner
  // CHECK: scf.for
  // CHECK-NEXT: air.dma_memcpy_nd
  // CHECK-NEXT: memref.store
  gpu.func @inner(%src: memref<64xf32>, %dst: memref<64xf32, 1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %f = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        air.dma_memcpy_nd (%dst[%j] [1] [1], %src[%j] [1] [1]) : (memref<64xf32, 1>, memref<64xf32>)
      }
      memref.store %f, %dst[%i] : memref<64xf32, 1>
    }
    gpu.return
  }
}
