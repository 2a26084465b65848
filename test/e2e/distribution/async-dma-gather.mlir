// Rows whose indices are in memory, and tiles that single waves move. The status is the number of
// wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx950 -o %t && %t
// RUN: %aircc %s --target gfx90a -o %t && %t

#wg = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // out[r, c] = a[places[r], j + c]; rows outside of a are zero.
    gpu.func @gathered(%a: memref<128x256xf32>, %places: memref<16xindex>, %out: memref<16x64xf32>, %j: index)
        workgroup(%lds: memref<16x64xf32, #wg>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %rows = vector.transfer_read %places[%c0], %c0 {in_bounds = [true]} : memref<16xindex>, vector<16xindex>
      layout.async_dma %a[%rows, %j] to %lds[%c0, %c0], vector<16x64xf32> in_bounds [false, true]
          : memref<128x256xf32> [vector<16xindex>, index], memref<16x64xf32, #wg>
      gpu.barrier
      %v = vector.transfer_read %lds[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x64xf32, #wg>, vector<16x64xf32>
      vector.transfer_write %v, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
      gpu.return
    }
    // Each of four waves its own 16 rows, through a swizzled buffer.
    gpu.func @waves(%a: memref<128x256xf32>, %out: memref<64x32xf32>)
        workgroup(%lds: memref<64x32xf32, #wg>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<wave>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %w = arith.divui %t, %c64 : index
      %wave = gpu.subgroup_broadcast %w, first_active_lane : index
      %row = arith.muli %wave, %c16 : index
      %s = layout.swizzle_hint %lds[#layout.xor_shuffle<32, 4>] : memref<64x32xf32, #wg>
      layout.async_dma %a[%row, %c16] to %s[%row, %c0], vector<16x32xf32>
          : memref<128x256xf32>, memref<64x32xf32, #wg>
      gpu.barrier
      %v = vector.transfer_read %s[%row, %c0], %zero {in_bounds = [true, true]} : memref<64x32xf32, #wg>, vector<16x32xf32>
      vector.transfer_write %v, %out[%row, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<64x32xf32>
      gpu.return
    }
  }

  func.func private @value(%i: index, %j: index) -> f32 {
    %c1000 = arith.constant 1000 : index
    %c1 = arith.constant 1 : index
    %ip = arith.muli %i, %c1000 : index
    %s = arith.addi %ip, %j : index
    %s1 = arith.addi %s, %c1 : index
    %n = arith.index_cast %s1 : index to i32
    %f = arith.sitofp %n : i32 to f32
    return %f : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %c17 = arith.constant 17 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f32
    %a = gpu.alloc host_shared () : memref<128x256xf32>
    %places = gpu.alloc host_shared () : memref<16xindex>
    %gathered = gpu.alloc host_shared () : memref<16x64xf32>
    %waves = gpu.alloc host_shared () : memref<64x32xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %j = %c0 to %c256 step %c1 {
        %f = func.call @value(%i, %j) : (index, index) -> f32
        memref.store %f, %a[%i, %j] : memref<128x256xf32>
      }
    }
    // The indices 0, 17, 34, … 119 are rows of a; from 136 on they are out of bounds.
    scf.for %r = %c0 to %c16 step %c1 {
      %p = arith.muli %r, %c17 : index
      memref.store %p, %places[%r] : memref<16xindex>
    }
    gpu.launch_func @kernels::@gathered blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%a : memref<128x256xf32>, %places : memref<16xindex>, %gathered : memref<16x64xf32>, %c5 : index)
    gpu.launch_func @kernels::@waves blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%a : memref<128x256xf32>, %waves : memref<64x32xf32>)
    %first = scf.for %r = %c0 to %c16 step %c1 iter_args(%outer = %none) -> (i32) {
      %row = scf.for %c = %c0 to %c64 step %c1 iter_args(%count = %outer) -> (i32) {
        %i = memref.load %places[%r] : memref<16xindex>
        %j = arith.addi %c, %c5 : index
        %v = func.call @value(%i, %j) : (index, index) -> f32
        %in = arith.cmpi ult, %i, %c128 : index
        %e = arith.select %in, %v, %zero : f32
        %g = memref.load %gathered[%r, %c] : memref<16x64xf32>
        %w = arith.cmpf une, %e, %g : f32
        %one = arith.extui %w : i1 to i32
        %sum = arith.addi %count, %one : i32
        scf.yield %sum : i32
      }
      scf.yield %row : i32
    }
    %all = scf.for %r = %c0 to %c64 step %c1 iter_args(%outer = %first) -> (i32) {
      %row = scf.for %c = %c0 to %c32 step %c1 iter_args(%count = %outer) -> (i32) {
        %j = arith.addi %c, %c16 : index
        %e = func.call @value(%r, %j) : (index, index) -> f32
        %g = memref.load %waves[%r, %c] : memref<64x32xf32>
        %w = arith.cmpf une, %e, %g : f32
        %one = arith.extui %w : i1 to i32
        %sum = arith.addi %count, %one : i32
        scf.yield %sum : i32
      }
      scf.yield %row : i32
    }
    %most = arith.constant 255 : i32
    %status = arith.minui %all, %most : i32
    return %status : i32
  }
}
