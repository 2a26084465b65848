// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,aircc-place-barriers,hierarchy-lower-dma,canonicalize))' | FileCheck %s

// 32 x 64 elements, 256 threads: each moves two groups of four; neighbors move
// neighboring groups; no element is moved twice.

// CHECK-LABEL: gpu.func @shared_kernel
// CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: scf.for %[[I:.*]] = %c0 to %[[C512]] step %[[C256]] {
// CHECK: %[[G:.*]] = arith.addi %[[I]], %[[TID]]
// CHECK: %[[V:.*]] = vector.load %{{.*}} : {{.*}}, vector<4xf32>
// CHECK: vector.store %[[V]], %{{.*}} : {{.*}}#gpu.address_space<workgroup>>, vector<4xf32>
func.func @shared(%m: memref<64x64xf32>) {
  air.segment args(%sm = %m) : memref<64x64xf32> {
    %l2 = memref.alloc() : memref<32x64xf32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %sm[16, 0] [32, 64] [64, 1])
        : (memref<32x64xf32, 1>, memref<64x64xf32>)
    air.dma_memcpy_nd (%sm[0, 0] [32, 64] [64, 1], %l2[] [] [])
        : (memref<64x64xf32>, memref<32x64xf32, 1>)
  }
  return
}

// Fewer groups than threads: some have nothing to do.

// CHECK-LABEL: gpu.func @few_kernel
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c16
// CHECK: scf.if %[[IN]] {
// CHECK: vector.load {{.*}}, vector<8xf16>
func.func @few(%m: memref<128xf16>) {
  air.segment args(%sm = %m) : memref<128xf16> {
    %l2 = memref.alloc() : memref<128xf16, 1>
    air.dma_memcpy_nd (%l2[] [] [], %sm[] [] []) : (memref<128xf16, 1>, memref<128xf16>)
    air.dma_memcpy_nd (%sm[] [] [], %l2[] [] []) : (memref<128xf16>, memref<128xf16, 1>)
  }
  return
}

// Zeros around the data: a group is all data or all zeros.

// CHECK-LABEL: gpu.func @padded_kernel
// CHECK: arith.cmpi ult
// CHECK: %[[V:.*]] = scf.if %{{.*}} -> (vector<2xi32>) {
// CHECK: vector.load
// CHECK: } else {
// CHECK: scf.yield %cst
// CHECK: vector.store %[[V]]
func.func @padded(%m: memref<8x8xi32>) {
  air.segment args(%sm = %m) : memref<8x8xi32> {
    %l2 = memref.alloc() : memref<9x12xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %sm[] [] [])
        {pad_before = array<i32: 1, 2>, pad_after = array<i32: 0, 2>}
        : (memref<9x12xi32, 1>, memref<8x8xi32>)
    air.dma_memcpy_nd (%sm[] [] [], %l2[0, 0] [8, 8] [12, 1]) : (memref<8x8xi32>, memref<9x12xi32, 1>)
  }
  return
}

// In a SIMT herd: with operands that name the lane, each lane's own; with
// operands of the wave, once, shared by its lanes.

// CHECK-LABEL: gpu.func @simt_kernel
// CHECK: air.herd @own
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK: vector.load {{.*}}, vector<4xf32>
// CHECK: air.herd @together
// CHECK: kernel.access wave writes(%[[DST:[^ ]*]] : memref<64x8xf32, #gpu.address_space<workgroup>>) reads(%[[SRC:[^ ]*]] : memref<64x8xf32>)
// CHECK: %[[LANE:.*]] = gpu.lane_id
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c16
// CHECK: scf.if %[[IN]] {
// CHECK: vector.store {{.*}}, vector<4xf32>
// CHECK: kernel.access wave writes(%[[DST]], %[[SRC]] : memref<64x8xf32, #gpu.address_space<workgroup>>, memref<64x8xf32>)
func.func @simt(%m: memref<64x8xf32>) {
  air.segment args(%sm = %m) : memref<64x8xf32> {
    %c1 = arith.constant 1 : index
    %l2 = memref.alloc() : memref<64x8xf32, 1>
    air.herd @own tile (%x) in (%n = %c1) args(%h = %sm, %l = %l2) : memref<64x8xf32>, memref<64x8xf32, 1> {
      %lane = gpu.lane_id
      air.dma_memcpy_nd (%l[%lane, 0] [8] [1], %h[%lane, 0] [8] [1])
          : (memref<64x8xf32, 1>, memref<64x8xf32>)
    }
    air.herd @together tile (%x) in (%n = %c1) args(%h = %sm, %l = %l2) : memref<64x8xf32>, memref<64x8xf32, 1> {
      %lane = gpu.lane_id
      air.dma_memcpy_nd (%l[%x, 0] [8, 8] [8, 1], %h[%x, 0] [8, 8] [8, 1])
          : (memref<64x8xf32, 1>, memref<64x8xf32>)
    }
  }
  return
}

// Numbers of elements that are unknown at compile time are compared at run time.

// CHECK-LABEL: gpu.func @dynamic_kernel
// CHECK: arith.cmpi ne
// CHECK: kernel.trap
func.func @dynamic(%m: memref<?xi8>, %n: index) {
  air.segment args(%sm = %m, %sn = %n) : memref<?xi8>, index {
    %l2 = memref.alloc() : memref<100xi8, 1>
    air.dma_memcpy_nd (%l2[0] [100] [1], %sm[0] [%sn] [1]) : (memref<100xi8, 1>, memref<?xi8>)
    air.dma_memcpy_nd (%sm[0] [100] [1], %l2[] [] []) : (memref<?xi8>, memref<100xi8, 1>)
  }
  return
}

// Memory behind a pointer to lane-private memory differs between lanes: each lane transfers
// everything itself.

// CHECK-LABEL: gpu.func @private_pointer_kernel
// CHECK: %[[R:.*]] = llvm.load
// CHECK-NOT: gpu.lane_id
// CHECK: vector.load %{{.*}}[%{{.*}}] : {{.*}}, vector<2xi32>
func.func @private_pointer(%m: memref<1024xi32>, %o: memref<1024xi32>) {
  air.segment args(%a = %m, %so = %o) : memref<1024xi32>, memref<1024xi32> {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n = %c1) args(%h = %a, %ho = %so) : memref<1024xi32>, memref<1024xi32> {
      %c0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %lane = gpu.lane_id
      %own = memref.alloc() : memref<4xi32, 2>
      %v = arith.index_cast %lane : index to i32
      memref.store %v, %own[%c0] : memref<4xi32, 2>
      %i = memref.extract_aligned_pointer_as_index %own : memref<4xi32, 2> -> index
      %i32 = arith.index_cast %i : index to i32
      %p = llvm.inttoptr %i32 : i32 to !llvm.ptr<5>
      %r = llvm.load %p : !llvm.ptr<5> -> i32
      %at = arith.index_cast %r : i32 to index
      air.dma_memcpy_nd (%ho[%at] [%c2] [%h1], %h[%at] [%c2] [%h1]) : (memref<1024xi32>, memref<1024xi32>)
    }
  }
  return
}
