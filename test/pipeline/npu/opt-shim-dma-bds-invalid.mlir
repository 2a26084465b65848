// RUN: %aircc opt %s --air-opt-shim-dma-bds=device=npu1 --split-input-file --verify-diagnostics

air.channel @c []
func.func @outside(%a: memref<8x16xf32>) {
  affine.for %i = 0 to 3 {
    %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    // expected-error @+1 {{'air.channel.put' op accesses elements 0 to 191 of its source, which has 128 elements; offsets, sizes, strides (in elements) and enclosing loops must stay in bounds}}
    air.channel.put @c[] (%a[%o, 0] [4, 16] [16, 1]) : (memref<8x16xf32>)
  }
  return
}

// -----

air.channel @c []
func.func @outside_without_loop(%a: memref<8x16xf32>) {
  // expected-error @+1 {{'air.channel.get' op accesses elements 64 to 128 of its target, which has 128 elements}}
  air.channel.get @c[] (%a[1, 0] [2, 1] [64, 1]) : (memref<8x16xf32>)
  air.channel.get @c[] (%a[1, 0] [2, 1] [64, 1]) : (memref<8x16xf32>)
  return
}

// -----

air.channel @c []
func.func @negative_stride(%a: memref<8x16xf32>) {
  // expected-error @+1 {{'air.channel.put' op has stride -16 in dimension 0; a shim DMA cannot step backward through memory}}
  air.channel.put @c[] (%a[7, 0] [8, 16] [-16, 1]) : (memref<8x16xf32>)
  return
}

// -----

air.channel @c []
func.func @negative_step(%a: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %step = arith.constant -1 : index
  // expected-error @+1 {{'scf.for' op has step -1; loops around transfers must have a positive step}}
  scf.for %i = %c8 to %c0 step %step {
    air.channel.put @c[] (%a[%i, 0] [1, 16] [16, 1]) : (memref<8x16xf32>)
  }
  return
}

// -----

air.channel @c []
func.func @dynamic_launch(%a: memref<8x16xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{'air.launch' op has a size in dimension 1 that is not constant, but a shim DMA is programmed with constant sizes; specialize the program for each size}}
  air.launch (%x, %y) in (%sx = %c4, %sy = %n) args(%b = %a) : memref<8x16xf32> {
    air.channel.put @c[] (%b[%x, 0] [1, 16] [16, 1]) : (memref<8x16xf32>)
  }
  return
}

// -----

func.func @empty_tile_sizes() {
  // expected-error @+1 {{'air.launch' op attribute 'air.shim_dma_tile_sizes' must not be empty}}
  air.launch () in () attributes {air.shim_dma_tile_sizes = array<i64>} {
  }
  return
}

// -----

func.func @zero_in_tile_sizes() {
  // expected-error @+1 {{'air.launch' op attribute 'air.shim_dma_tile_sizes' values must be positive; use [0] alone to skip tiling}}
  air.launch () in () attributes {air.shim_dma_tile_sizes = array<i64: 2, 0>} {
  }
  return
}

// -----

func.func @no_tile_sizes() {
  // expected-error @+1 {{'air.launch' op expects 'air.shim_dma_tile_sizes' to be an array<i64>, but got 2 : i64}}
  air.launch () in () attributes {air.shim_dma_tile_sizes = 2} {
  }
  return
}

// -----

// Sizes that cannot be split.
air.channel @c []
func.func @large_size(%a: memref<10000xbf16>) {
  // expected-remark @+1 {{has size 1025 in dimension 1, which cannot be split: no factor <= 1023 is a multiple of 2; pad or reshape}}
  air.channel.put @c[] (%a[0, 0] [2, 1025] [5000, 1]) : (memref<10000xbf16>)
  // expected-remark @+1 {{has size 1031 in dimension 0, which cannot be split: no factor <= 1023 is larger than 1; pad or reshape}}
  air.channel.put @c[] (%a[0, 0] [1031, 2] [4, 1]) : (memref<10000xbf16>)
  return
}

// -----

// Unrolling has a limit.
air.channel @c []
func.func @many(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c70000 = arith.constant 70000 : index
  // expected-remark @+1 {{the transfers in this loop do not fit into one descriptor, and the loop is not unrolled, because that would make more than 65536 transfers; make each transfer larger}}
  scf.for %i = %c0 to %c70000 step %c1 {
    air.channel.put @c[] (%a[%i, 0, 0, 0, 0] [2, 2, 2, 2, 2] [1000, 500, 100, 10, 3]) : (memref<?xf32>)
  }
  return
}
