// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism))' --split-input-file --verify-diagnostics

// Branches between blocks around a transfer, which lanes share.

func.func @transfer(%m: memref<1024xi32>) {
  air.segment args(%a = %m) : memref<1024xi32> {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n = %c1) args(%h = %a) : memref<1024xi32> {
      %c0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %lane = gpu.lane_id
      %p = arith.cmpi ult, %lane, %c4 : index
      // expected-error@+1 {{has unstructured control flow around ops that several lanes execute together}}
      scf.execute_region no_inline {
        cf.cond_br %p, ^bb1, ^bb2
      ^bb1:
        air.dma_memcpy_nd (%h[%c0] [%c256] [%h1], %h[%c256] [%c256] [%h1]) : (memref<1024xi32>, memref<1024xi32>)
        cf.br ^bb2
      ^bb2:
        scf.yield
      }
    }
  }
  return
}

// -----

// The same in the program of a PE, whose lanes execute it together.

func.func @pe(%m: memref<64xi32>, %c: i1) {
  air.segment args(%a = %m, %p = %c) : memref<64xi32>, i1 {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n = %c1) args(%h = %a, %hp = %p) : memref<64xi32>, i1 {
      %v = arith.constant 1 : i32
      // expected-error@+1 {{has unstructured control flow around ops that several lanes execute together}}
      scf.execute_region no_inline {
        cf.cond_br %hp, ^bb1, ^bb2
      ^bb1:
        memref.store %v, %h[%x] : memref<64xi32>
        cf.br ^bb2
      ^bb2:
        scf.yield
      }
    }
  }
  return
}

// -----

// A reduction around a herd.

func.func @reduction(%m: memref<4xf32>) {
  air.segment args(%a = %m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %f = arith.constant 0.0 : f32
    // expected-error@+1 {{has reductions and contains herds, transfers or barriers; use scf.for}}
    %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%f) -> f32 {
      air.herd tile (%x) in (%n = %c1) args(%h = %a) : memref<4xf32> {
        %h0 = arith.constant 0 : index
        %v = memref.load %h[%h0] : memref<4xf32>
        memref.store %v, %h[%h0] : memref<4xf32>
      }
      %v = memref.load %a[%i] : memref<4xf32>
      scf.reduce(%v : f32) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        scf.reduce.return %s : f32
      }
    }
    memref.store %sum, %a[%c0] : memref<4xf32>
  }
  return
}
