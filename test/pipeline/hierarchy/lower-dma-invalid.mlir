// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,hierarchy-lower-dma))' --split-input-file --verify-diagnostics

func.func @count(%m: memref<64xf32>) {
  air.segment args(%sm = %m) : memref<64xf32> {
    // expected-error@+1 {{transfers 32 elements (including padding) to a target of 33; both sides must have the same number of elements}}
    air.dma_memcpy_nd (%sm[0] [33] [1], %sm[16] [4, 8] [8, 1]) : (memref<64xf32>, memref<64xf32>)
  }
  return
}

// -----

// A transfer that the lanes of a wave share, at an offset of each lane.

func.func @lanes_offset(%m: memref<1024xi32>, %o: memref<1024xi32>) {
  air.segment args(%a = %m, %so = %o) : memref<1024xi32>, memref<1024xi32> {
    %c1 = arith.constant 1 : index
    %lane = gpu.lane_id
    // expected-note@+1 {{the value is defined here}}
    air.herd tile (%x) in (%n = %c1) args(%h = %a, %ho = %so, %l = %lane) : memref<1024xi32>, memref<1024xi32>, index {
      %h1 = arith.constant 1 : index
      %h4 = arith.constant 4 : index
      // expected-error@+1 {{is distributed over the wave, but uses a value that differs between its lanes}}
      air.dma_memcpy_nd (%ho[%l] [%h4] [%h1], %h[%l] [%h4] [%h1]) : (memref<1024xi32>, memref<1024xi32>)
    }
  }
  return
}

// -----

func.func @outside(%m: memref<4x16xf32>) {
  air.segment args(%sm = %m) : memref<4x16xf32> {
    %l = memref.alloc() : memref<32xf32, 1>
    // expected-error@+1 {{accesses elements 48 to 79 of its source, which has 64 elements; offsets, sizes and strides (in elements) must stay in bounds}}
    air.dma_memcpy_nd (%l[] [] [], %sm[3, 0] [2, 16] [16, 1]) : (memref<32xf32, 1>, memref<4x16xf32>)
  }
  return
}

// -----

func.func @before(%m: memref<64xf32>) {
  air.segment args(%sm = %m) : memref<64xf32> {
    %l = memref.alloc() : memref<4xf32, 1>
    // expected-error@+1 {{accesses elements -1 to 2 of its target}}
    air.dma_memcpy_nd (%sm[2] [4] [-1], %l[] [] []) : (memref<64xf32>, memref<4xf32, 1>)
  }
  return
}

// -----

// Lanes write the target's elements in no fixed order.

func.func @repeated_target(%m: memref<64xf32>, %n: index) {
  air.segment args(%sm = %m, %sn = %n) : memref<64xf32>, index {
    // Stride 0 in a dimension with one element repeats nothing.
    air.dma_memcpy_nd (%sm[0] [1, 8] [0, 1], %sm[16] [8] [1]) : (memref<64xf32>, memref<64xf32>)
    // expected-error@+1 {{has stride 0 in dimension 1 of its target, which has size 8, so one element would be written several times, in an undefined order; on a GPU, only the source may have stride 0 (which repeats elements)}}
    air.dma_memcpy_nd (%sm[0] [4, 8] [1, 0], %sm[16] [32] [1]) : (memref<64xf32>, memref<64xf32>)
  }
  return
}

// -----

func.func @repeated_target_dynamic(%m: memref<64xf32>, %n: index) {
  air.segment args(%sm = %m, %sn = %n) : memref<64xf32>, index {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{has stride 0 in dimension 0 of its target, which has a size known only at run time}}
    air.dma_memcpy_nd (%sm[0] [%sn] [%c0], %sm[16] [%sn] [1]) : (memref<64xf32>, memref<64xf32>)
  }
  return
}

// -----

// Rows of 8 elements that begin 4 elements apart. With the same source pattern,
// the same value is written each time.

func.func @overlapping_target(%m: memref<64xf32>, %o: memref<64xf32>) {
  air.segment args(%sm = %m, %so = %o) : memref<64xf32>, memref<64xf32> {
    air.dma_memcpy_nd (%sm[0] [4, 8] [4, 1], %so[16] [4, 8] [4, 1]) : (memref<64xf32>, memref<64xf32>)
    air.dma_memcpy_nd (%sm[0] [4, 8] [8, 1], %so[16] [4, 8] [4, 1]) : (memref<64xf32>, memref<64xf32>)
    // expected-error@+1 {{has strides that make dimensions 0 and 1 of its target overlap, so one element would be written several times}}
    air.dma_memcpy_nd (%sm[0] [4, 8] [4, 1], %so[16] [4, 8] [8, 1]) : (memref<64xf32>, memref<64xf32>)
  }
  return
}

// -----

func.func @strides(%m: memref<64xf32>) {
  air.segment args(%sm = %m) : memref<64xf32> {
    // expected-error@+1 {{has 2 sizes, but no strides, for its target of rank 1; specify as many strides as sizes}}
    air.dma_memcpy_nd (%sm[] [2, 16] [], %sm[0, 0] [2, 16] [16, 1]) : (memref<64xf32>, memref<64xf32>)
  }
  return
}

// -----

func.func @offsets(%m: memref<4x16xf32>) {
  air.segment args(%sm = %m) : memref<4x16xf32> {
    // expected-error@+1 {{has 3 offsets for its source; specify one for each of its 2 dimensions, or one for each of the 1 strides}}
    air.dma_memcpy_nd (%sm[0, 0] [1, 16] [16, 1], %sm[0, 0, 0] [16] [1]) : (memref<4x16xf32>, memref<4x16xf32>)
  }
  return
}

// -----

func.func @types(%m: memref<64xf32>, %i: memref<64xi32>) {
  air.segment args(%sm = %m, %si = %i) : memref<64xf32>, memref<64xi32> {
    // expected-error@+1 {{copies elements of type 'i32' into a memref of 'f32'; a transfer cannot convert elements}}
    air.dma_memcpy_nd (%sm[] [] [], %si[] [] []) : (memref<64xf32>, memref<64xi32>)
  }
  return
}

// -----

func.func @pads(%m: memref<4x16xf32>, %d: memref<128xf32>) {
  air.segment args(%sm = %m, %sd = %d) : memref<4x16xf32>, memref<128xf32> {
    // expected-error@+1 {{has 3 entries in pad_before for a source of 2 dimensions}}
    air.dma_memcpy_nd (%sd[] [] [], %sm[] [] []) {pad_before = array<i32: 1, 1, 1>} : (memref<128xf32>, memref<4x16xf32>)
  }
  return
}

// -----

func.func @pad(%m: memref<4x16xf32>, %d: memref<128xf32>) {
  air.segment args(%sm = %m, %sd = %d) : memref<4x16xf32>, memref<128xf32> {
    // expected-error@+1 {{has 1 entries in pad_after for a source of 2 dimensions; specify one for each}}
    air.dma_memcpy_nd (%sd[] [] [], %sm[] [] []) {pad_after = array<i32: 1>} : (memref<128xf32>, memref<4x16xf32>)
  }
  return
}

// -----

func.func @zeros(%m: memref<4xcomplex<f32>>, %d: memref<5xcomplex<f32>>) {
  air.segment args(%sm = %m, %sd = %d) : memref<4xcomplex<f32>>, memref<5xcomplex<f32>> {
    // expected-error@+1 {{pads elements of type 'complex<f32>', but only integers and floats can be padded}}
    air.dma_memcpy_nd (%sd[] [] [], %sm[] [] []) {pad_before = array<i32: 1>} : (memref<5xcomplex<f32>>, memref<4xcomplex<f32>>)
  }
  return
}

// -----

func.func @layout(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, %d: memref<4x4xf32>) {
  air.segment args(%sm = %m, %sd = %d) : memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, memref<4x4xf32> {
    // expected-error@+1 {{whose layout is not strided}}
    air.dma_memcpy_nd (%sd[] [] [], %sm[] [] []) : (memref<4x4xf32>, memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>)
  }
  return
}
