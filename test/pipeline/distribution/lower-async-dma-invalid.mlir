// RUN: %aircc opt %s --distribution-lower-async-dma=target=%targets/gfx942.json --split-input-file --verify-diagnostics

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @gaps(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x72xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+2 {{cannot be lowered to direct-to-LDS loads: no direct-to-LDS load width fits a tile of 64x64 elements of 16 bits: 32 bits: destination: a load of 64 lanes covers 2 elements along dimension 0, whose stride is 72, not 64}}
    // expected-note @+1 {{with {may_copy}, it is copied through registers if no load fits}}
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<64x72xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @uneven(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<3x40xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+2 {{32 bits: thread tile: 64 lanes do not divide the 60 pieces (3x20) of 2 elements from the innermost dimension}}
    // expected-note @+1 {{with {may_copy}, it is copied through registers if no load fits}}
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<3x40xf16>
        : memref<128x256xf16>, memref<3x40xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @strided(%a: memref<128x256xf16, strided<[512, 2]>>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-warning @+1 {{cannot be lowered to direct-to-LDS loads and is copied through registers: no direct-to-LDS load width fits a tile of 64x64 elements of 16 bits: 32 bits: source: a lane's piece has 2 elements along dimension 1, whose stride is 2, not 1}}
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16, strided<[512, 2]>>, memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @columns(%a: memref<128x255xf16>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-warning @+1 {{32 bits: bounds: along dimension 1, the source may end within a lane's piece of 2 elements}}
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16> in_bounds [true, false]
        : memref<128x255xf16>, memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @block(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{requires a known number of waves; set known_block_size on the kernel}}
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @swizzle(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    // expected-error @+2 {{cannot be lowered to direct-to-LDS loads: swizzle: a tile of 64x32 is not contiguous in its buffer: along dimension 0 the stride is 64, not 32}}
    // expected-note @+1 {{with {may_copy}, it is copied through registers if no load fits}}
    layout.async_dma %a[%i, %j] to %s[%c0, %c0], vector<64x32xf16>
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @from_swizzled() workgroup(%from: memref<64x64xf16, #wg>, %to: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = layout.swizzle_hint %from[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    // expected-error @+1 {{reads from a swizzled buffer; only the destination of a transfer to LDS may be swizzled}}
    layout.async_dma %s[%c0, %c0] to %to[%c0, %c0], vector<64x64xf16>
        : memref<64x64xf16, #wg>, memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @no_strides(%a: memref<64x64xf16, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{requires a source with a strided layout}}
    layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<64x64xf16, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @dynamic_destination(%a: memref<64x64xf16>, %to: memref<64x64xf16, strided<[?, 1]>, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{requires a destination with constant strides}}
    layout.async_dma %a[%c0, %c0] to %to[%c0, %c0], vector<64x64xf16>
        : memref<64x64xf16>, memref<64x64xf16, strided<[?, 1]>, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @long_rows(%a: memref<64x64xf16, strided<[100000000, 1]>>) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{has a tile that spans 12800000130 bytes of its source, but the offsets of direct-to-LDS loads cannot exceed 2147483647; make the source's rows shorter}}
    layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<64x64xf16, strided<[100000000, 1]>>, memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @part_of_a_wave(%a: memref<128x256xf16>) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{requires full waves of 64 lanes, but the kernel has a block of 96 threads}}
    layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    gpu.return
  }
}
