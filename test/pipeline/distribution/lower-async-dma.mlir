// RUN: %aircc opt %s --distribution-lower-async-dma=target=%targets/gfx950.json --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,GFX950
// RUN: %aircc opt %s --distribution-lower-async-dma=target=%targets/gfx942.json --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,GFX942

#wg = #gpu.address_space<workgroup>

// Four waves, 64x64 f16: with 128 bits per lane, each wave needs two loads.

// CHECK-LABEL: gpu.func @tile
// CHECK: amdgpu.fat_raw_buffer_cast {{.*}} validBytes({{.*}}) resetOffset
// GFX950-COUNT-2: amdgpu.gather_to_lds {{.*}} : vector<8xf16>, memref<64x64xf16
// GFX942-COUNT-8: amdgpu.gather_to_lds {{.*}} : vector<2xf16>, memref<64x64xf16
// CHECK-NOT: gather_to_lds
// The other waves see the tile after the barrier.
// CHECK: amdgpu.memory_counter_wait load(0)
// CHECK-NEXT: kernel.barrier workgroup{{$}}
gpu.module @m {
  gpu.func @tile(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// Too small for wide loads; three of the four waves have nothing to do.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @small
// CHECK: %[[BUSY:.*]] = arith.cmpi {{eq|ult}}, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[BUSY]]
// CHECK-COUNT-1: amdgpu.gather_to_lds {{.*}} : vector<2xf16>
// CHECK-NOT: gather_to_lds
gpu.module @m {
  gpu.func @small(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<2x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<2x64xf16>
        : memref<128x256xf16>, memref<2x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// A wave that works alone: it transfers everything itself.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @wave
// GFX950-COUNT-1: amdgpu.gather_to_lds {{.*}} : vector<8xf16>
// GFX942-COUNT-4: amdgpu.gather_to_lds {{.*}} : vector<2xf16>
// CHECK-NOT: gather_to_lds
gpu.module @m {
  gpu.func @wave(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<8x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<8x64xf16>
        : memref<128x256xf16>, memref<8x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// In a swizzled buffer the piece at block b of row r is that of block b xor r mod 8.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @swizzled
// CHECK-SAME: workgroup(%[[LDS:.*]] : memref<64x64xf16
// GFX950: arith.xori
// GFX950-COUNT-2: amdgpu.gather_to_lds %{{.*}}[{{.*}}], %[[LDS]][{{.*}}] : vector<8xf16>
// GFX950-NOT: arith.xori
gpu.module @m {
  gpu.func @swizzled(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    layout.async_dma %a[%i, %j] to %s[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// Rows out of bounds: a descriptor that ends with the source.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @rows
// CHECK: %[[FAT:.*]] = amdgpu.fat_raw_buffer_cast {{.*}} validBytes({{.*}})
// CHECK: arith.select
// CHECK: amdgpu.gather_to_lds %[[FAT]]
gpu.module @m {
  gpu.func @rows(%a: memref<?x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16> in_bounds [false, true]
        : memref<?x256xf16>, memref<64x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// A loop with two buffers: the barrier at the beginning of its body waits for the transfers of the
// preceding iteration; if the program itself waits, nothing is added.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @loop
// CHECK: scf.for
// CHECK-NEXT: amdgpu.memory_counter_wait load(0)
// CHECK-NEXT: kernel.barrier workgroup{{$}}
// CHECK: scf.for
// CHECK-NEXT: amdgpu.memory_counter_wait load(2)
// CHECK-NEXT: kernel.barrier workgroup{{$}}
gpu.module @m {
  gpu.func @loop(%a: memref<128x256xf16>, %i: index, %n: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    scf.for %j = %c0 to %n step %c64 {
      kernel.barrier workgroup
      layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
          : memref<128x256xf16>, memref<64x64xf16, #wg>
    }
    scf.for %j = %c0 to %n step %c64 {
      amdgpu.memory_counter_wait load(2)
      kernel.barrier workgroup
      layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
          : memref<128x256xf16>, memref<64x64xf16, #wg>
    }
    gpu.return
  }
}

// -----

// A transfer that the compiler created becomes a copy if no LDS load fits: here the rows of the
// destination have gaps between them.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @copy
// CHECK-NOT: gather_to_lds
// CHECK: vector.load {{.*}} vector<8xf16>
// CHECK: vector.store {{.*}} vector<8xf16>
gpu.module @m {
  gpu.func @copy(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<64x72xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16> {may_copy}
        : memref<128x256xf16>, memref<64x72xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// The same holds if no load fits the source: here its elements have gaps between them.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @strided
// CHECK-NOT: gather_to_lds
// CHECK: vector.load {{.*}} vector<1xf16>
// CHECK: vector.store {{.*}} vector<1xf16>
gpu.module @m {
  gpu.func @strided(%a: memref<128x256xf16, strided<[512, 2]>>, %i: index, %j: index) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16, strided<[512, 2]>>, memref<64x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// Transfers through views of a swizzled buffer use the same views of the underlying buffer. The
// offset of the part determines how its rows are permuted.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @views
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: index) workgroup(%[[LDS:[a-z0-9]+]] : memref<4096xf16
// CHECK: %[[VIEW:.*]] = memref.expand_shape %[[LDS]]
// CHECK: %[[PART:.*]] = memref.subview %[[VIEW]][%[[ROW]], 0]
// CHECK: memref.extract_strided_metadata %[[PART]]
// CHECK: arith.xori
// CHECK: amdgpu.gather_to_lds %{{.*}}[{{.*}}], %[[PART]][{{.*}}]
gpu.module @m {
  gpu.func @views(%a: memref<128x256xf16>, %i: index, %j: index, %row: index) workgroup(%lds: memref<4096xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<4096xf16, #wg>
    %v = memref.expand_shape %s [[0, 1]] output_shape [64, 64] : memref<4096xf16, #wg> into memref<64x64xf16, #wg>
    %p = memref.subview %v[%row, 0] [32, 64] [1, 1] : memref<64x64xf16, #wg> to memref<32x64xf16, strided<[64, 1], offset: ?>, #wg>
    layout.async_dma %a[%i, %j] to %p[%c0, %c0], vector<32x64xf16>
        : memref<128x256xf16>, memref<32x64xf16, strided<[64, 1], offset: ?>, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// A tile as large as the buffer has only one possible position: the indices need not be analyzed.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @wholeBuffer
// CHECK: arith.xori
// CHECK: amdgpu.gather_to_lds
gpu.module @m {
  gpu.func @wholeBuffer(%a: memref<128x256xf16>, %i: index, %j: index) workgroup(%lds: memref<4x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<4x64xf16, #wg>
    layout.async_dma %a[%i, %j] to %s[%i, %j], vector<4x64xf16>
        : memref<128x256xf16>, memref<4x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// Gathered rows: each lane takes the place of the rows of its pieces.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @gather
// CHECK-SAME: %{{.*}}: memref<128x256xf32>, %[[ROWS:.*]]: vector<16xindex>
// CHECK: %[[ROW:.*]] = vector.extract %[[ROWS]][%{{.*}}] : index from vector<16xindex>
// CHECK: arith.cmpi ult, %[[ROW]]
// CHECK: amdgpu.gather_to_lds
gpu.module @m {
  gpu.func @gather(%a: memref<128x256xf32>, %rows: vector<16xindex>, %j: index) workgroup(%lds: memref<16x64xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%rows, %j] to %lds[%c0, %c0], vector<16x64xf32> in_bounds [false, true]
        : memref<128x256xf32> [vector<16xindex>, index], memref<16x64xf32, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// Waits that leave the last transfers in flight: the minimum over all paths to the wait. Before the
// loop it is the second tile (2 loads per wave on gfx950), in the loop the tile that the preceding
// iteration transferred (4 loads).

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @ahead
// CHECK: scf.for
// GFX950: amdgpu.memory_counter_wait load(2) ds(0)
// GFX942: amdgpu.memory_counter_wait load(8) ds(0)
// CHECK-NEXT: kernel.fence wave acq_rel
// CHECK-NEXT: kernel.barrier workgroup memory []
// CHECK-NOT: kernel.barrier workgroup
// CHECK-NOT: memory_counter_wait
// CHECK: gpu.return
gpu.module @m {
  gpu.func @ahead(%a: memref<128x256xf16>, %n: index) workgroup(%lds: memref<256x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<256x64xf16, #wg>
    layout.async_dma %a[%c64, %c0] to %lds[%c64, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<256x64xf16, #wg>
    scf.for %i = %c0 to %n step %c1 {
      layout.async_wait 1
      kernel.barrier workgroup
      layout.async_dma %a[%c0, %i] to %lds[%c128, %c0], vector<128x64xf16>
          : memref<128x256xf16>, memref<256x64xf16, #wg>
    }
    gpu.return
  }
}

// -----

// Waits for transfers that only some waves have made, and for transfers in control flow of other
// kinds.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @some
// CHECK: amdgpu.memory_counter_wait load(0)
// CHECK: scf.if
// CHECK: amdgpu.memory_counter_wait load(0)
gpu.module @m {
  gpu.func @some(%a: memref<128x256xf16>, %lane: i1) workgroup(%lds: memref<64x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<2x64xf16>
        : memref<128x256xf16>, memref<64x64xf16, #wg>
    layout.async_wait 1
    kernel.barrier workgroup
    scf.if %lane {
      layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<64x64xf16>
          : memref<128x256xf16>, memref<64x64xf16, #wg>
    }
    layout.async_wait 1
    kernel.barrier workgroup
    gpu.return
  }
}

// -----

// A wave that waits for itself needs no barrier.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @alone
// CHECK: gather_to_lds
// CHECK: amdgpu.memory_counter_wait load(0)
// CHECK-NEXT: kernel.fence wave acq_rel
// CHECK-NOT: barrier
// CHECK: vector.load
gpu.module @m {
  gpu.func @alone(%a: memref<128x256xf16>) workgroup(%lds: memref<8x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<8x64xf16> {layout.scope = #layout.scope<wave>}
        : memref<128x256xf16>, memref<8x64xf16, #wg>
    layout.async_wait 0
    %v = vector.load %lds[%c0, %c0] : memref<8x64xf16, #wg>, vector<8xf16>
    vector.store %v, %a[%c0, %c0] : memref<128x256xf16>, vector<8xf16>
    gpu.return
  }
}

// -----

// The program itself waits for a transfer that is counted: a barrier in between waits only for LDS,
// and a fence of a wave for nothing. The same barrier waits for everything if a transfer that is
// not counted may be in flight.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @counted
// CHECK: scf.for
// CHECK: amdgpu.memory_counter_wait load(0) ds(0)
// CHECK: kernel.barrier workgroup memory []
// CHECK: gather_to_lds
// CHECK-NOT: layout.counted
// CHECK: vector.store
// CHECK-NEXT: amdgpu.memory_counter_wait ds(0)
// CHECK-NEXT: kernel.fence wave acq_rel
// CHECK-NEXT: kernel.barrier workgroup memory []
// CHECK-NEXT: kernel.fence wave acq_rel
// CHECK-NEXT: vector.load
// CHECK-NEXT: llvm.fence syncscope("wavefront") acq_rel
// CHECK-NEXT: vector.store
// CHECK: amdgpu.memory_counter_wait load(0)
// CHECK: gather_to_lds
// CHECK: amdgpu.memory_counter_wait load(0)
// CHECK-NEXT: kernel.barrier workgroup{{$}}
gpu.module @m {
  gpu.func @counted(%a: memref<128x256xf16>, %v: vector<8xf16>, %n: index) workgroup(%lds: memref<256x64xf16, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %n step %c1 {
      layout.async_wait 0
      kernel.barrier workgroup
      layout.async_dma %a[%c0, %i] to %lds[%c0, %c0], vector<64x64xf16> counted
          : memref<128x256xf16>, memref<256x64xf16, #wg>
      vector.store %v, %lds[%c64, %c0] : memref<256x64xf16, #wg>, vector<8xf16>
      kernel.barrier workgroup
      %w = vector.load %lds[%c64, %c0] : memref<256x64xf16, #wg>, vector<8xf16>
      llvm.fence syncscope("wavefront") acq_rel
      vector.store %w, %a[%c0, %c0] : memref<128x256xf16>, vector<8xf16>
    }
    layout.async_wait 0
    layout.async_dma %a[%c0, %c0] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<256x64xf16, #wg>
    layout.async_dma %a[%c0, %c0] to %lds[%c64, %c0], vector<64x64xf16> counted
        : memref<128x256xf16>, memref<256x64xf16, #wg>
    kernel.barrier workgroup
    gpu.return
  }
}
