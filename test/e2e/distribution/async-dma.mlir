// Tiles are transferred directly to LDS, and back to memory through registers: the result is that
// of a copy element by element. The status is the number of wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx950 -o %t && %t
// Without loads straight to LDS, the tiles go through registers.
// RUN: %aircc %s --target gfx1100 -o %t 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: %t
// RUN: %aircc %s --target gfx1201 -o %t 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: %t
// RUN: %aircc %s --target bmg -o %t 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: %t
// COPY: warning: cannot be lowered to direct-to-LDS loads and is copied through registers: the target has no direct loads to LDS
// RUN: %aircc %s --target gfx942 --emit=asm -o - | FileCheck %s --check-prefix=DWORD
// RUN: %aircc %s --target gfx950 --emit=asm -o - | FileCheck %s --check-prefix=QUAD
// DWORD: {{(global_load_lds_dword |buffer_load_dword .* lds)}}
// QUAD: {{(global_load_lds_dwordx4|buffer_load_dwordx4 .* lds)}}

#wg = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // out[r, c] = a[i + r, j + c], through a swizzled buffer.
    gpu.func @swizzled(%a: memref<128x256xf16>, %out: memref<64x64xf16>, %i: index, %j: index)
        workgroup(%lds: memref<64x64xf16, #wg>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
      layout.async_dma %a[%i, %j] to %s[%c0, %c0], vector<64x64xf16>
          : memref<128x256xf16>, memref<64x64xf16, #wg>
      gpu.barrier
      %t = gpu.thread_id x
      %column = arith.remui %t, %c64 : index
      %part = arith.divui %t, %c64 : index
      %first = arith.muli %part, %c16 : index
      scf.for %k = %c0 to %c16 step %c1 {
        %row = arith.addi %first, %k : index
        %v = memref.load %s[%row, %column] : memref<64x64xf16, #wg>
        memref.store %v, %out[%row, %column] : memref<64x64xf16>
      }
      gpu.return
    }
    // As above, where rows from %i on may end before the tile does.
    gpu.func @rows(%a: memref<?x256xf16>, %out: memref<64x64xf16>, %i: index, %j: index)
        workgroup(%lds: memref<64x64xf16, #wg>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16> in_bounds [false, true]
          : memref<?x256xf16>, memref<64x64xf16, #wg>
      gpu.barrier
      %t = gpu.thread_id x
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %row = arith.divui %t, %c4 : index
      %part = arith.remui %t, %c4 : index
      %column = arith.muli %part, %c16 : index
      %c1 = arith.constant 1 : index
      scf.for %k = %c0 to %c16 step %c1 {
        %at = arith.addi %column, %k : index
        %v = memref.load %lds[%row, %at] : memref<64x64xf16, #wg>
        memref.store %v, %out[%row, %at] : memref<64x64xf16>
      }
      gpu.return
    }
    // out = the transpose of a tile of a: only 32 bits of the source lie together.
    gpu.func @transposed(%a: memref<128x256xf32>, %out: memref<16x64xf32>, %i: index, %j: index)
        workgroup(%lds: memref<16x64xf32, #wg>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<16x64xf32>
          permutation_map affine_map<(d0, d1) -> (d1, d0)>
          : memref<128x256xf32>, memref<16x64xf32, #wg>
      gpu.barrier
      %t = gpu.thread_id x
      %row = arith.divui %t, %c16 : index
      %part = arith.remui %t, %c16 : index
      %column = arith.muli %part, %c4 : index
      %c1 = arith.constant 1 : index
      scf.for %k = %c0 to %c4 step %c1 {
        %at = arith.addi %column, %k : index
        %v = memref.load %lds[%row, %at] : memref<16x64xf32, #wg>
        memref.store %v, %out[%row, %at] : memref<16x64xf32>
      }
      gpu.return
    }
  }

  // The value of a[i, j], exact in f16.
  func.func private @value(%i: index, %j: index) -> f32 {
    %c7 = arith.constant 7 : index
    %c1021 = arith.constant 1021 : index
    %c1 = arith.constant 1 : index
    %ip = arith.muli %i, %c7 : index
    %s = arith.addi %ip, %j : index
    %r = arith.remui %s, %c1021 : index
    %r1 = arith.addi %r, %c1 : index
    %n = arith.index_cast %r1 : index to i32
    %f = arith.sitofp %n : i32 to f32
    return %f : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c200 = arith.constant 200 : index
    %zero = arith.constant 0 : i32
    %zerof = arith.constant 0.0 : f32
    %a = gpu.alloc host_shared () : memref<128x256xf16>
    %af = gpu.alloc host_shared () : memref<128x256xf32>
    %o1 = gpu.alloc host_shared () : memref<64x64xf16>
    %o2 = gpu.alloc host_shared () : memref<64x64xf16>
    %o4 = gpu.alloc host_shared () : memref<16x64xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %j = %c0 to %c256 step %c1 {
        %f = func.call @value(%i, %j) : (index, index) -> f32
        memref.store %f, %af[%i, %j] : memref<128x256xf32>
        %h = arith.truncf %f : f32 to f16
        memref.store %h, %a[%i, %j] : memref<128x256xf16>
      }
    }
    gpu.launch_func @kernels::@swizzled blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%a : memref<128x256xf16>, %o1 : memref<64x64xf16>, %c40 : index, %c64 : index)
    %dynamic = memref.cast %a : memref<128x256xf16> to memref<?x256xf16>
    gpu.launch_func @kernels::@rows blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%dynamic : memref<?x256xf16>, %o2 : memref<64x64xf16>, %c100 : index, %c24 : index)
    gpu.launch_func @kernels::@transposed blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%af : memref<128x256xf32>, %o4 : memref<16x64xf32>, %c24 : index, %c200 : index)

    %wrong = scf.for %r = %c0 to %c64 step %c1 iter_args(%outer = %zero) -> (i32) {
      %row = scf.for %c = %c0 to %c64 step %c1 iter_args(%count = %outer) -> (i32) {
        %i1 = arith.addi %r, %c40 : index
        %j1 = arith.addi %c, %c64 : index
        %e1 = func.call @value(%i1, %j1) : (index, index) -> f32
        %g1h = memref.load %o1[%r, %c] : memref<64x64xf16>
        %g1 = arith.extf %g1h : f16 to f32
        %w1 = arith.cmpf une, %e1, %g1 : f32
        %i2 = arith.addi %r, %c100 : index
        %j2 = arith.addi %c, %c24 : index
        %v2 = func.call @value(%i2, %j2) : (index, index) -> f32
        %in2 = arith.cmpi ult, %i2, %c128 : index
        %e2 = arith.select %in2, %v2, %zerof : f32
        %g2h = memref.load %o2[%r, %c] : memref<64x64xf16>
        %g2 = arith.extf %g2h : f16 to f32
        %w2 = arith.cmpf une, %e2, %g2 : f32
        %w = arith.ori %w1, %w2 : i1
        %one = arith.extui %w : i1 to i32
        %sum = arith.addi %count, %one : i32
        scf.yield %sum : i32
      }
      scf.yield %row : i32
    }
    %all = scf.for %r = %c0 to %c16 step %c1 iter_args(%outer = %wrong) -> (i32) {
      %row = scf.for %c = %c0 to %c64 step %c1 iter_args(%count = %outer) -> (i32) {
        %i4 = arith.addi %c, %c24 : index
        %j4 = arith.addi %r, %c200 : index
        %e4 = func.call @value(%i4, %j4) : (index, index) -> f32
        %g4 = memref.load %o4[%r, %c] : memref<16x64xf32>
        %w4 = arith.cmpf une, %e4, %g4 : f32
        %one = arith.extui %w4 : i1 to i32
        %sum = arith.addi %count, %one : i32
        scf.yield %sum : i32
      }
      scf.yield %row : i32
    }
    %c255 = arith.constant 255 : i32
    %status = arith.minui %all, %c255 : i32
    return %status : i32
  }
}
