// Products of tiles in code of a segment and of PEs, by matrix instructions where the
// target has them. The status is the number of wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx950 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t && %t
// RUN: %aircc %s --target gfx942 --emit=asm -o - | FileCheck %s --check-prefix=MFMA
// MFMA-LABEL: segment
// MFMA: v_mfma_f32
// MFMA-LABEL: herds
// MFMA: v_mfma_f32

// The whole workgroup computes two batches and accumulates them a second time.
func.func @segment(%A: memref<2x32x64xf16>, %B: memref<2x64x32xf16>, %C: memref<2x32x32xf32>) {
  air.launch () in () args(%la=%A, %lb=%B, %lc=%C) : memref<2x32x64xf16>, memref<2x64x32xf16>, memref<2x32x32xf32> {
    air.segment @s args(%sa=%la, %sb=%lb, %sc=%lc) : memref<2x32x64xf16>, memref<2x64x32xf16>, memref<2x32x32xf32> {
      %a = memref.alloc() : memref<2x32x64xf16, 1>
      %b = memref.alloc() : memref<2x64x32xf16, 1>
      %c = memref.alloc() : memref<2x32x32xf32, 1>
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.dma_memcpy_nd (%a[] [] [], %sa[] [] []) : (memref<2x32x64xf16, 1>, memref<2x32x64xf16>)
      air.dma_memcpy_nd (%b[] [] [], %sb[] [] []) : (memref<2x64x32xf16, 1>, memref<2x64x32xf16>)
      linalg.fill ins(%zero : f32) outs(%c : memref<2x32x32xf32, 1>)
      scf.for %i = %c0 to %c2 step %c1 {
        linalg.batch_matmul ins(%a, %b : memref<2x32x64xf16, 1>, memref<2x64x32xf16, 1>) outs(%c : memref<2x32x32xf32, 1>)
      }
      air.dma_memcpy_nd (%sc[] [] [], %c[] [] []) : (memref<2x32x32xf32>, memref<2x32x32xf32, 1>)
    }
  }
  return
}

// Two PEs, a batch each, in steps along K: sums stay in registers.
func.func @herds(%A: memref<2x32x64xf16>, %B: memref<2x64x32xf16>, %C: memref<2x32x32xf32>) {
  air.launch () in () args(%la=%A, %lb=%B, %lc=%C) : memref<2x32x64xf16>, memref<2x64x32xf16>, memref<2x32x32xf32> {
    air.segment @s args(%sa=%la, %sb=%lb, %sc=%lc) : memref<2x32x64xf16>, memref<2x64x32xf16>, memref<2x32x32xf32> {
      %n2 = arith.constant 2 : index
      %n1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%nx=%n2, %ny=%n1) args(%ha=%sa, %hb=%sb, %hc=%sc)
          : memref<2x32x64xf16>, memref<2x64x32xf16>, memref<2x32x32xf32> {
        %zero = arith.constant 0.0 : f32
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        %c1024 = arith.constant 1024 : index
        %c2048 = arith.constant 2048 : index
        %a = memref.alloc() : memref<32x16xf16, 2>
        %b = memref.alloc() : memref<16x32xf16, 2>
        %c = memref.alloc() : memref<32x32xf32, 2>
        linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32, 2>)
        scf.for %k = %c0 to %c64 step %c16 {
          air.dma_memcpy_nd (%a[] [] [], %ha[%x, %c0, %k] [%c1, %c32, %c16] [%c2048, %c64, %c1])
              : (memref<32x16xf16, 2>, memref<2x32x64xf16>)
          air.dma_memcpy_nd (%b[] [] [], %hb[%x, %k, %c0] [%c1, %c16, %c32] [%c2048, %c32, %c1])
              : (memref<16x32xf16, 2>, memref<2x64x32xf16>)
          linalg.matmul ins(%a, %b : memref<32x16xf16, 2>, memref<16x32xf16, 2>) outs(%c : memref<32x32xf32, 2>)
        }
        air.dma_memcpy_nd (%hc[%x, %c0, %c0] [%c1, %c32, %c32] [%c1024, %c32, %c1], %c[] [] [])
            : (memref<2x32x32xf32>, memref<32x32xf32, 2>)
      }
    }
  }
  return
}

func.func private @value(%i: index, %j: index) -> f16 {
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : i32
  %ip = arith.muli %i, %c5 : index
  %s = arith.addi %ip, %j : index
  %r = arith.remui %s, %c7 : index
  %n = arith.index_cast %r : index to i32
  %t = arith.subi %n, %c3 : i32
  %f = arith.sitofp %t : i32 to f16
  return %f : f16
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %none = arith.constant 0 : i32
  %A = gpu.alloc host_shared () : memref<2x32x64xf16>
  %B = gpu.alloc host_shared () : memref<2x64x32xf16>
  %C = gpu.alloc host_shared () : memref<2x32x32xf32>
  %D = gpu.alloc host_shared () : memref<2x32x32xf32>
  scf.for %l = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %il = arith.addi %i, %l : index
        %a = func.call @value(%il, %j) : (index, index) -> f16
        %b = func.call @value(%j, %il) : (index, index) -> f16
        memref.store %a, %A[%l, %i, %j] : memref<2x32x64xf16>
        memref.store %b, %B[%l, %j, %i] : memref<2x64x32xf16>
      }
    }
  }
  call @segment(%A, %B, %C) : (memref<2x32x64xf16>, memref<2x64x32xf16>, memref<2x32x32xf32>) -> ()
  call @herds(%A, %B, %D) : (memref<2x32x64xf16>, memref<2x64x32xf16>, memref<2x32x32xf32>) -> ()
  %wrong = scf.for %l = %c0 to %c2 step %c1 iter_args(%w0 = %none) -> (i32) {
    %w1 = scf.for %i = %c0 to %c32 step %c1 iter_args(%w2 = %w0) -> (i32) {
      %w3 = scf.for %j = %c0 to %c32 step %c1 iter_args(%w4 = %w2) -> (i32) {
        %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> (f32) {
          %a = memref.load %A[%l, %i, %k] : memref<2x32x64xf16>
          %b = memref.load %B[%l, %k, %j] : memref<2x64x32xf16>
          %aw = arith.extf %a : f16 to f32
          %bw = arith.extf %b : f16 to f32
          %p = arith.mulf %aw, %bw : f32
          %t = arith.addf %s, %p : f32
          scf.yield %t : f32
        }
        %twice = arith.mulf %sum, %two : f32
        %c = memref.load %C[%l, %i, %j] : memref<2x32x32xf32>
        %d = memref.load %D[%l, %i, %j] : memref<2x32x32xf32>
        %e = arith.cmpf une, %c, %twice : f32
        %f = arith.cmpf une, %d, %sum : f32
        %g = arith.ori %e, %f : i1
        %one = arith.extui %g : i1 to i32
        %n = arith.addi %w4, %one : i32
        scf.yield %n : i32
      }
      scf.yield %w3 : i32
    }
    scf.yield %w1 : i32
  }
  %most = arith.constant 255 : i32
  %status = arith.minui %wrong, %most : i32
  return %status : i32
}
