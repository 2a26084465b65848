// RUN: %aircc opt %s --hierarchy-vectorize-tiles=target=%targets/gfx942.json --split-input-file --verify-diagnostics

#rows = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [2],
                       subgroup_strides = [0], thread_strides = [1]>

// The iterations of the loop are distributed over lanes: each has vectors of its own.
gpu.module @m {
  gpu.func @in_parallel_loop(%c: memref<4x64xf32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx = %c4, %ny = %c1) args(%hc = %c) : memref<4x64xf32> attributes {kernel.scope = #kernel.scope<wave>} {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : index
      %four = arith.constant 4 : index
      %f = arith.constant 0.0 : f32
      scf.parallel (%i) = (%c0) to (%four) step (%one) {
        // expected-note@+1 {{'vector.transfer_read' prevents the distribution}}
        %l = vector.transfer_read %hc[%i, %c0], %f {in_bounds = [true]} : memref<4x64xf32>, vector<64xf32>
        // expected-error@+1 {{requests a vector that is distributed over lanes, but is in code that not all lanes execute together}}
        %m = layout.to_layout %l to layout(#rows) : vector<64xf32>
        vector.transfer_write %m, %hc[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<4x64xf32>
      }
    }
    gpu.return
  }
}
