// RUN: %aircc %s --target gfx90a --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: %aircc %s --target gfx942 --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: %aircc %s --target gfx950 -O1 --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: %aircc %s --target gfx1100 --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,GFX11
// RUN: %aircc %s --target gfx1201 -O3 --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,GFX12

// Waits for LDS before barriers, which LLVM removes although a loop needs them.

gpu.module @kernels {
  // The stores are those of the preceding iteration.
  // CHECK-LABEL: {{^}}head:
  // CHECK:       {{^}}.LBB{{.*}}:
  // GFX9:        s_waitcnt lgkmcnt(0)
  // GFX9-NEXT:   s_barrier
  // GFX11:       s_waitcnt {{.*}}lgkmcnt(0)
  // GFX11-NOT:   ds_
  // GFX11:       s_barrier
  // GFX12:       s_wait_{{(loadcnt_)?}}dscnt 0x0
  // GFX12-NOT:   ds_
  // GFX12:       s_barrier_signal -1
  // CHECK:       {{ds_write_b32|ds_store_b32}}
  // CHECK-NOT:   lgkmcnt(0)
  // CHECK-NOT:   s_wait_dscnt
  // CHECK:       s_cbranch_scc1 .LBB
  // CHECK:       s_endpgm
  gpu.func @head(%n: index, %in: memref<512xi32>, %out: memref<256xi32>)
      workgroup(%lds: memref<256xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c255 = arith.constant 255 : index
    %zero = arith.constant 0 : i32
    %tid = gpu.thread_id x
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%so_far = %zero) -> (i32) {
      gpu.barrier
      %shift = arith.muli %k, %c64 : index
      %i = arith.addi %tid, %shift : index
      %place = arith.andi %i, %c255 : index
      %new = memref.load %in[%i] : memref<512xi32>
      %old = memref.load %lds[%place] : memref<256xi32, #gpu.address_space<workgroup>>
      memref.store %new, %lds[%place] : memref<256xi32, #gpu.address_space<workgroup>>
      %next = arith.addi %so_far, %old : i32
      scf.yield %next : i32
    }
    memref.store %sum, %out[%tid] : memref<256xi32>
    gpu.return
  }

  // The loop exits from its header; in the first iteration nothing has been stored.
  // CHECK-LABEL: {{^}}after:
  // CHECK:       {{ds_write_b32|ds_store_b32}}
  // GFX9:        s_waitcnt lgkmcnt(0)
  // GFX9-NEXT:   s_barrier
  // GFX11:       s_waitcnt {{.*}}lgkmcnt(0)
  // GFX11-NOT:   ds_
  // GFX11:       s_barrier
  // GFX12:       s_wait_{{(loadcnt_)?}}dscnt 0x0
  // GFX12-NOT:   ds_
  // GFX12:       s_barrier_signal -1
  // CHECK:       {{ds_read|ds_load}}
  gpu.func @after(%in: memref<512xi32>, %out: memref<256xi32>)
      workgroup(%lds: memref<512xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c255 = arith.constant 255 : index
    %zero = arith.constant 0 : i32
    %tid = gpu.thread_id x
    scf.while (%k = %c0) : (index) -> index {
      %v = memref.load %in[%k] : memref<512xi32>
      %first = rocdl.readfirstlane %v : i32
      %more = arith.cmpi ne, %first, %zero : i32
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      %place = arith.addi %tid, %k : index
      memref.store %zero, %lds[%place] : memref<512xi32, #gpu.address_space<workgroup>>
      memref.store %zero, %out[%tid] : memref<256xi32>
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    gpu.barrier
    %mirror = arith.subi %c255, %tid : index
    %w = memref.load %lds[%mirror] : memref<512xi32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%tid] : memref<256xi32>
    gpu.return
  }

  // Without a loop there are no superfluous waits: the reads before the second barrier have already
  // been awaited.
  // CHECK-LABEL: {{^}}straight:
  // CHECK:       s_barrier
  // CHECK:       {{ds_read_b32|ds_load_b32}}
  // GFX9:        s_waitcnt lgkmcnt(0)
  // GFX11:       s_waitcnt lgkmcnt(0)
  // GFX12:       s_wait_{{(loadcnt_)?}}dscnt 0x0
  // CHECK-NOT:   lgkmcnt
  // CHECK-NOT:   dscnt
  // CHECK:       s_barrier
  // CHECK:       s_endpgm
  gpu.func @straight(%out: memref<256xi32>)
      workgroup(%lds: memref<256xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c255 = arith.constant 255 : index
    %three = arith.constant 3 : i32
    %tid = gpu.thread_id x
    %mirror = arith.subi %c255, %tid : index
    %value = arith.index_cast %tid : index to i32
    memref.store %value, %lds[%tid] : memref<256xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = memref.load %lds[%mirror] : memref<256xi32, #gpu.address_space<workgroup>>
    %w = arith.muli %v, %three : i32
    memref.store %w, %out[%tid] : memref<256xi32>
    gpu.barrier
    memref.store %w, %lds[%tid] : memref<256xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
