// RUN: %aircc opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(hierarchy-lower-messages))'

gpu.module @lane_pes {
  gpu.func @f(%src: memref<31xf32>, %peer: memref<128xi32>, %own: memref<128xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.pe_is_lane, kernel.wave_size = 64 : i64} {
    // expected-error@+1 {{is executed by all lanes of a herd together, so the herd must be one wave of at most 64 lanes, and the whole workgroup}}
    air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1}
        : (memref<31xf32>), memref<128xi32>, memref<128xi32>
    gpu.return
  }
}

// -----

gpu.module @xe {
  gpu.func @f(%src: memref<31xf32>, %peer: memref<128xi32>, %own: memref<128xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 16 : i64} {
    // expected-error@+1 {{requires waves of 32 or 64 lanes, because a wave writes a line of a channel with one store}}
    air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1}
        : (memref<31xf32>), memref<128xi32>, memref<128xi32>
    gpu.return
  }
}

// -----

gpu.module @private {
  gpu.func @f(%peer: memref<128xi32>, %own: memref<128xi32>) workgroup()
      private(%src : memref<31xf32, #gpu.address_space<private>>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64} {
    // expected-error@+1 {{transfers a buffer of which each lane has its own copy}}
    air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1}
        : (memref<31xf32, #gpu.address_space<private>>), memref<128xi32>, memref<128xi32>
    gpu.return
  }
}

// -----

func.func @depth(%src: memref<31xf32>, %ring: memref<128xi32>) {
  // expected-error@+1 {{has a depth of 3; it must be a power of two}}
  air.message.send (%src[] [] []) through %ring, %ring {depth = 3, lines = 1}
      : (memref<31xf32>), memref<128xi32>, memref<128xi32>
  return
}

// -----

func.func @padding(%dst: memref<31xf32>, %ring: memref<128xi32>) {
  // expected-error@+1 {{pads on the receiving side; pad on the sending side}}
  air.message.receive (%dst[] [] []) through %ring, %ring {depth = 1, lines = 1, pad_before = array<i32: 1>}
      : (memref<31xf32>), memref<128xi32>, memref<128xi32>
  return
}

// -----

gpu.module @large_herd {
  gpu.func @f(%src: memref<31xf32>, %peer: memref<128xi32>, %own: memref<128xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.pe_is_lane, kernel.wave_size = 64 : i64} {
    %c128 = arith.constant 128 : index
    // expected-note@+1 {{the herd is here}}
    air.herd tile (%x) in (%n = %c128) args(%s = %src, %p = %peer, %o = %own) : memref<31xf32>, memref<128xi32>, memref<128xi32>
        attributes {kernel.scope = #kernel.scope<wave>} {
      // expected-error@+1 {{is executed by all lanes of a herd together, so the herd must be one wave of at most 64 lanes, and the whole workgroup}}
      air.message.send (%s[] [] []) through %p, %o {depth = 1, lines = 1}
          : (memref<31xf32>), memref<128xi32>, memref<128xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @offsets {
  gpu.func @f(%src: memref<31xf32>, %peer: memref<128xi32>, %own: memref<128xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64} {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{has offsets, but no sizes; specify one size for each transferred dimension}}
    air.message.send (%src[%c1] [] []) through %peer, %own {depth = 1, lines = 1}
        : (memref<31xf32>), memref<128xi32>, memref<128xi32>
    gpu.return
  }
}
