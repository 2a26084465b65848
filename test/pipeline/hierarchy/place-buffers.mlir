// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers))' | FileCheck %s

// Buffers whose lifetimes do not overlap share bytes: %a and %b are in use
// together, %c only afterwards. Buffers without a common byte are different
// memory for LLVM, too. Views keep their buffer's memory space.

// CHECK-LABEL: gpu.func @reuse_kernel
// CHECK-SAME: workgroup(%[[LDS:[^ ]*]] : memref<8192xi8, #gpu.address_space<workgroup>> {kernel.alignment = 16 : i64}, %[[B:[^ ]*]] : memref<4096xi8, #gpu.address_space<workgroup>> {kernel.alignment = 16 : i64})
// CHECK-DAG: memref.view %[[LDS]][%{{.*}}][] {kernel.lds_range = array<i64: 0, 8192>} : memref<8192xi8, #gpu.address_space<workgroup>> to memref<2048xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %[[B]][%{{.*}}][] {kernel.lds_range = array<i64: 8192, 12288>} : {{.*}} to memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %[[LDS]][%{{.*}}][] {kernel.lds_range = array<i64: 0, 4096>} : {{.*}} to memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK: memref.subview %{{.*}} : memref<32x32xf32, #gpu.address_space<workgroup>> to memref<8x8xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
func.func @reuse(%m: memref<2048xf32>, %n: memref<1024xf32>, %o: memref<8x8xf32>) {
  air.segment args(%sm = %m, %sn = %n, %so = %o)
      : memref<2048xf32>, memref<1024xf32>, memref<8x8xf32> {
    %c = memref.alloc() : memref<32x32xf32, 1>
    %a = memref.alloc() : memref<2048xf32, 1>
    %b = memref.alloc() : memref<1024xf32, 1>
    air.dma_memcpy_nd (%a[] [] [], %sm[] [] []) : (memref<2048xf32, 1>, memref<2048xf32>)
    air.dma_memcpy_nd (%b[] [] [], %sn[] [] []) : (memref<1024xf32, 1>, memref<1024xf32>)
    air.dma_memcpy_nd (%sn[] [] [], %a[] [1024] [2]) : (memref<1024xf32>, memref<2048xf32, 1>)
    air.dma_memcpy_nd (%sn[] [] [], %b[] [] []) : (memref<1024xf32>, memref<1024xf32, 1>)
    memref.dealloc %a : memref<2048xf32, 1>
    %v = memref.subview %c[0, 0] [8, 8] [1, 1]
        : memref<32x32xf32, 1> to memref<8x8xf32, strided<[32, 1]>, 1>
    air.dma_memcpy_nd (%v[] [] [], %so[] [] [])
        : (memref<8x8xf32, strided<[32, 1]>, 1>, memref<8x8xf32>)
    air.dma_memcpy_nd (%so[] [] [], %v[] [] [])
        : (memref<8x8xf32>, memref<8x8xf32, strided<[32, 1]>, 1>)
    memref.dealloc %c : memref<32x32xf32, 1>
  }
  return
}

// L1 of a SIMT herd is each lane's own, L1 of a PE-level herd each wave's; a
// segment's L1 buffer follows the herds that it is handed to.

// CHECK-LABEL: gpu.func @l1_kernel
// CHECK-SAME: workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>> {{.*}}) private(%[[P0:.*]] : memref<4xf32, #gpu.address_space<private>>, %[[P1:.*]] : memref<2xf32, #gpu.address_space<private>>)
// CHECK: memref.view {{.*}}kernel.lds_range = array<i64: 0, 256>, kernel.per_wave} : {{.*}} to memref<16xf32, #gpu.address_space<workgroup>>
// CHECK: air.herd @simt {{.*}}memref<4xf32, #gpu.address_space<private>>
// CHECK: air.herd @pe {{.*}}memref<16xf32, #gpu.address_space<workgroup>>
func.func @l1(%m: memref<64xf32>) {
  air.segment args(%sm = %m) : memref<64xf32> {
    %c4 = arith.constant 4 : index
    %lanes = memref.alloc() : memref<4xf32, 2>
    %waves = memref.alloc() : memref<16xf32, 2>
    air.herd @simt tile (%x) in (%n = %c4) args(%b = %lanes, %o = %sm)
        : memref<4xf32, 2>, memref<64xf32> {
      %lane = gpu.lane_id
      %f = arith.constant 1.0 : f32
      %own = memref.alloc() : memref<2xf32, 2>
      memref.store %f, %b[%x] : memref<4xf32, 2>
      memref.store %f, %own[%lane] : memref<2xf32, 2>
      %v = memref.load %b[%lane] : memref<4xf32, 2>
      %w = memref.load %own[%x] : memref<2xf32, 2>
      %s = arith.addf %v, %w : f32
      memref.store %s, %o[%lane] : memref<64xf32>
    }
    air.herd @pe tile (%x) in (%n = %c4) args(%b = %waves, %o = %sm)
        : memref<16xf32, 2>, memref<64xf32> {
      %f = arith.constant 1.0 : f32
      memref.store %f, %b[%x] : memref<16xf32, 2>
      air.dma_memcpy_nd (%o[0] [16] [1], %b[] [] []) : (memref<64xf32>, memref<16xf32, 2>)
    }
  }
  return
}

// A buffer is passed through loops, branches, selections, casts and functions.

// CHECK-LABEL: gpu.func @flow_kernel
// CHECK: func.call @use_local({{.*}}) : (memref<?xf32, #gpu.address_space<workgroup>>) -> ()
// CHECK: scf.for {{.*}} -> (memref<8xf32, #gpu.address_space<workgroup>>, memref<8xf32, #gpu.address_space<workgroup>>)
// CHECK: func.func private @use_local(%{{.*}}: memref<?xf32, #gpu.address_space<workgroup>>)
// CHECK: memref.store {{.*}} : memref<?xf32, #gpu.address_space<workgroup>>
func.func @flow(%c: i1) {
  air.segment args(%sc = %c) : i1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %f = arith.constant 1.0 : f32
    %a = memref.alloc() : memref<8xf32, 1>
    %b = memref.alloc() : memref<8xf32, 1>
    %s = arith.select %sc, %a, %b : memref<8xf32, 1>
    %d = memref.cast %s : memref<8xf32, 1> to memref<?xf32, 1>
    func.call @use(%d) : (memref<?xf32, 1>) -> ()
    %p:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %b)
        -> (memref<8xf32, 1>, memref<8xf32, 1>) {
      memref.store %f, %x[%c0] : memref<8xf32, 1>
      scf.yield %y, %x : memref<8xf32, 1>, memref<8xf32, 1>
    }
    memref.store %f, %p#0[%c1] : memref<8xf32, 1>
  }
  return
}
func.func private @use(%m: memref<?xf32, 1>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 2.0 : f32
  memref.store %f, %m[%c0] : memref<?xf32, 1>
  return
}

// Lane code orders its accesses itself, without regard to memory that two buffers share: buffers
// that lanes use do not share memory.

// CHECK-LABEL: gpu.func @lanes_share_nothing_kernel
// CHECK-SAME: workgroup({{.*}}memref<1024xi8, {{.*}}, {{.*}}memref<1024xi8, {{.*}}) kernel
// CHECK: kernel.lds_range = array<i64: 0, 1024>
// CHECK: kernel.lds_range = array<i64: 1024, 2048>
func.func @lanes_share_nothing(%o: memref<256xi32>) {
  air.segment args(%so = %o) : memref<256xi32> {
    %c4 = arith.constant 4 : index
    %a = memref.alloc() : memref<256xi32, 1>
    %b = memref.alloc() : memref<256xi32, 1>
    air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hb = %b, %ho = %so)
        : memref<256xi32, 1>, memref<256xi32, 1>, memref<256xi32> {
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      memref.store %v, %ha[%t] : memref<256xi32, 1>
      kernel.barrier workgroup
      %w = memref.load %ha[%x] : memref<256xi32, 1>
      memref.store %w, %hb[%t] : memref<256xi32, 1>
      kernel.barrier workgroup
      %u = memref.load %hb[%x] : memref<256xi32, 1>
      memref.store %u, %ho[%t] : memref<256xi32>
    }
  }
  return
}

// The same for buffers allocated in the herd.

// CHECK-LABEL: gpu.func @lanes_own_buffers_kernel
// CHECK-SAME: workgroup({{.*}}memref<1024xi8, {{.*}}, {{.*}}memref<1024xi8, {{.*}}) kernel
func.func @lanes_own_buffers(%o: memref<256xi32>) {
  air.segment args(%so = %o) : memref<256xi32> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x) in (%n = %c4) args(%ho = %so) : memref<256xi32> {
      %a = memref.alloc() : memref<256xi32, 1>
      %b = memref.alloc() : memref<256xi32, 1>
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      memref.store %v, %a[%t] : memref<256xi32, 1>
      kernel.barrier workgroup
      %w = memref.load %a[%x] : memref<256xi32, 1>
      memref.store %w, %b[%t] : memref<256xi32, 1>
      kernel.barrier workgroup
      %u = memref.load %b[%x] : memref<256xi32, 1>
      memref.store %u, %ho[%t] : memref<256xi32>
    }
  }
  return
}

// Waves execute a herd independently: the part of a buffer that belongs to one wave never overlaps
// another wave's part of another buffer. Buffers of one size may share memory.

// CHECK-LABEL: gpu.func @waves_of_two_sizes_kernel
// CHECK-SAME: workgroup({{.*}}memref<3072xi8, {{.*}}, {{.*}}memref<1024xi8, {{.*}}) kernel
// CHECK-DAG: kernel.lds_range = array<i64: 3072, 4096>, kernel.per_wave
// CHECK-DAG: kernel.lds_range = array<i64: 0, 3072>, kernel.per_wave
func.func @waves_of_two_sizes(%o: memref<1024xi32>) {
  air.segment args(%so = %o) : memref<1024xi32> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x) in (%n = %c4) args(%ho = %so) : memref<1024xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c192 = arith.constant 192 : index
      %a = memref.alloc() : memref<64xi32, 2>
      air.dma_memcpy_nd (%a[] [] [], %ho[%c0] [%c64] [%c1]) : (memref<64xi32, 2>, memref<1024xi32>)
      air.dma_memcpy_nd (%ho[%c64] [%c64] [%c1], %a[] [] []) : (memref<1024xi32>, memref<64xi32, 2>)
      %b = memref.alloc() : memref<192xi32, 2>
      air.dma_memcpy_nd (%b[] [] [], %ho[%c0] [%c192] [%c1]) : (memref<192xi32, 2>, memref<1024xi32>)
      air.dma_memcpy_nd (%ho[%c64] [%c192] [%c1], %b[] [] []) : (memref<1024xi32>, memref<192xi32, 2>)
    }
  }
  return
}

// CHECK-LABEL: gpu.func @waves_of_one_size_kernel
// CHECK-SAME: memref<1024xi8, #gpu.address_space<workgroup>>
func.func @waves_of_one_size(%o: memref<1024xi32>) {
  air.segment args(%so = %o) : memref<1024xi32> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x) in (%n = %c4) args(%ho = %so) : memref<1024xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %a = memref.alloc() : memref<64xi32, 2>
      air.dma_memcpy_nd (%a[] [] [], %ho[%c0] [%c64] [%c1]) : (memref<64xi32, 2>, memref<1024xi32>)
      air.dma_memcpy_nd (%ho[%c64] [%c64] [%c1], %a[] [] []) : (memref<1024xi32>, memref<64xi32, 2>)
      %b = memref.alloc() : memref<64xi32, 2>
      air.dma_memcpy_nd (%b[] [] [], %ho[%c0] [%c64] [%c1]) : (memref<64xi32, 2>, memref<1024xi32>)
      air.dma_memcpy_nd (%ho[%c64] [%c64] [%c1], %b[] [] []) : (memref<1024xi32>, memref<64xi32, 2>)
    }
  }
  return
}
