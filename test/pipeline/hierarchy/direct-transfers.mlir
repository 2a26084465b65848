// RUN: %aircc %s --target gfx950 --emit=gpu -o - | FileCheck %s --check-prefixes=CHECK,DIRECT
// RUN: %aircc %s --target gfx942 --emit=gpu -o - | FileCheck %s --check-prefixes=CHECK,DIRECT
// RUN: %aircc %s --target gfx1100 --emit=gpu -o - | FileCheck %s --check-prefixes=CHECK,COPY

// A tile is transferred directly to LDS if the target has such loads. A padded tile, or a tile that
// does not divide over lanes, is copied through registers; a tile whose rows have a dynamic stride
// is transferred directly if the stride is not too large.

// CHECK-LABEL: gpu.func @whole
// DIRECT-NOT: vector.load
// DIRECT: layout.async_dma {{.*}} vector<32x64xf32> {layout.scope = #layout.scope<workgroup>}
// DIRECT-NOT: vector.load
// COPY-NOT: layout.async_dma
// CHECK: kernel.barrier workgroup
func.func @whole(%m: memref<256x256xf32>, %r: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%x = %m, %y = %r) : memref<256x256xf32>, memref<64xf32> {
    air.segment @s args(%sx = %x, %sy = %y, %row = %i) : memref<256x256xf32>, memref<64xf32>, index {
      %c1s = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %tile = memref.alloc() : memref<32x64xf32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %sx[%row, %row] [%c32, %c64] [%c256, %c1s]) : (memref<32x64xf32, 1>, memref<256x256xf32>)
      air.herd tile (%p, %q) in (%np = %c4, %nq = %c1s) args(%t = %tile, %o = %sy) : memref<32x64xf32, 1>, memref<64xf32> {
        %c3 = arith.constant 3 : index
        %v = memref.load %t[%p, %c3] : memref<32x64xf32, 1>
        memref.store %v, %o[%p] : memref<64xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: gpu.func @odd
// CHECK-NOT: layout.async_dma
// CHECK: kernel.barrier workgroup
func.func @odd(%m: memref<256x256xf32>, %r: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%x = %m, %y = %r) : memref<256x256xf32>, memref<64xf32> {
    air.segment @s args(%sx = %x, %sy = %y, %row = %i) : memref<256x256xf32>, memref<64xf32>, index {
      %c1s = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c7 = arith.constant 7 : index
      %c256 = arith.constant 256 : index
      %tile = memref.alloc() : memref<5x7xf32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %sx[%row, %row] [%c5, %c7] [%c256, %c1s]) : (memref<5x7xf32, 1>, memref<256x256xf32>)
      air.herd tile (%p, %q) in (%np = %c4, %nq = %c1s) args(%t = %tile, %o = %sy) : memref<5x7xf32, 1>, memref<64xf32> {
        %c3 = arith.constant 3 : index
        %v = memref.load %t[%p, %c3] : memref<5x7xf32, 1>
        memref.store %v, %o[%p] : memref<64xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: gpu.func @strided
// DIRECT: scf.if
// DIRECT: layout.async_dma {{.*}} vector<32x64xf32>
// DIRECT: else
// CHECK: vector.load
// CHECK: kernel.barrier workgroup
func.func @strided(%m: memref<?x?xf32>, %r: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%x = %m, %y = %r) : memref<?x?xf32>, memref<64xf32> {
    air.segment @s args(%sx = %x, %sy = %y, %row = %i) : memref<?x?xf32>, memref<64xf32>, index {
      %c1s = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %stride = memref.dim %sx, %c1s : memref<?x?xf32>
      %tile = memref.alloc() : memref<32x64xf32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %sx[%row, %row] [%c32, %c64] [%stride, %c1s]) : (memref<32x64xf32, 1>, memref<?x?xf32>)
      air.herd tile (%p, %q) in (%np = %c4, %nq = %c1s) args(%t = %tile, %o = %sy) : memref<32x64xf32, 1>, memref<64xf32> {
        %c3 = arith.constant 3 : index
        %v = memref.load %t[%p, %c3] : memref<32x64xf32, 1>
        memref.store %v, %o[%p] : memref<64xf32>
      }
    }
  }
  return
}
