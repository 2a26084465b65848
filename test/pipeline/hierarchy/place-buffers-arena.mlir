// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers{l2=auto},aircc-place-barriers,canonicalize))' --split-input-file 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers{l2=global}))' --split-input-file | FileCheck %s --check-prefix=GLOBAL

// The smallest buffer without which the others fit is in global memory. A barrier
// orders its accesses, but L3 and another arena buffer do not alias with it.
// CHECK-LABEL: gpu.func @smallest_kernel
// CHECK-SAME: memref<49152xi8, #gpu.address_space<workgroup>>
// CHECK: %[[BYTES:.*]] = arith.constant 32768 : index
// CHECK: %[[ARENA:.*]] = kernel.arena 0 bytes(%[[BYTES]]) : memref<?xi8>
// CHECK-DAG: memref.view %{{.*}} {kernel.lds_range = array<i64: 0, 49152>} {{.*}} to memref<12288xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[B:.*]] = memref.view %[[ARENA]][%c0][] {kernel.lds_range = array<i64: 0, 32768>} : memref<?xi8> to memref<8192xf32>
// CHECK: air.dma_memcpy_nd (%{{.*}}, %{{.*}})
// CHECK-NOT: kernel.barrier
// CHECK: air.dma_memcpy_nd (%[[B]]
// CHECK: kernel.barrier workgroup
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %[[B]]
// REMARK: place-buffers-arena.mlir:[[#@LINE+9]]:{{.*}} remark: is in global memory: 32768 bytes for each workgroup; in LDS, the buffers that are live at the same time would need 81920 bytes, but a workgroup may use only 65536
// GLOBAL-LABEL: gpu.func @smallest_kernel
// GLOBAL-NOT: address_space<workgroup>
// GLOBAL: kernel.arena 0
// GLOBAL-NOT: kernel.arena
// GLOBAL: gpu.return
func.func @smallest(%m: memref<12288xf32>, %n: memref<8192xf32>) {
  air.segment args(%sm = %m, %sn = %n) : memref<12288xf32>, memref<8192xf32> {
    %a = memref.alloc() : memref<12288xf32, 1>
    %b = memref.alloc() : memref<8192xf32, 1>
    air.dma_memcpy_nd (%a[] [] [], %sm[] [] []) : (memref<12288xf32, 1>, memref<12288xf32>)
    air.dma_memcpy_nd (%b[] [] [], %sn[] [] []) : (memref<8192xf32, 1>, memref<8192xf32>)
    air.dma_memcpy_nd (%sn[] [] [], %b[] [] []) : (memref<8192xf32>, memref<8192xf32, 1>)
    air.dma_memcpy_nd (%sm[] [] [], %a[] [] []) : (memref<12288xf32>, memref<12288xf32, 1>)
  }
  return
}

// -----

// L1 buffers of waves: each has its part. They are next to L2 buffers.
// CHECK-LABEL: gpu.func @waves_kernel
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 80384 : index
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 20096 : index
// CHECK: %[[ARENA:.*]] = kernel.arena 0 bytes(%[[BYTES]])
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %[[SIZE]]
// CHECK: memref.view %{{.*}}[%{{.*}}][] {kernel.lds_range = array<i64: 0, 80384>, kernel.per_wave} : memref<?xi8> to memref<5000xf32>
// REMARK: remark: is in global memory: 80000 bytes for each workgroup
func.func @waves(%o: memref<5000xf32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%h = %o) : memref<5000xf32> {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %a = memref.alloc() : memref<5000xf32, 2>
    memref.store %f, %a[%c0] : memref<5000xf32, 2>
    memref.copy %a, %h : memref<5000xf32, 2> to memref<5000xf32>
  }
  return
}

// -----

// A dynamic size that the host knows: the sizes of the herd and of the launch, and
// arguments. The bytes are rounded up to 256.
// CHECK-LABEL: gpu.func @dynamic_kernel
// CHECK-SAME: (%[[N:.*]]: index, %{{.*}}: memref<4xf32>)
// CHECK: %[[B0:.*]] = arith.muli %[[N]], %c4 : index
// CHECK: %[[B1:.*]] = arith.addi %[[B0]], %c255 : index
// CHECK: %[[B2:.*]] = arith.divui %[[B1]], %c256 : index
// CHECK: %[[B3:.*]] = arith.muli %[[B2]], %c256 : index
// CHECK: %[[ARENA:.*]] = kernel.arena 0 bytes(%[[B3]])
// CHECK: memref.view %[[ARENA]][%c0][%[[N]]] {kernel.lds_range = array<i64: 0, 1>} : memref<?xi8> to memref<?xf32>
// REMARK: remark: is in global memory: each launch allocates as many bytes as the buffer has for each workgroup{{$}}
func.func @dynamic(%n: index, %o: memref<4xf32>) {
  air.segment args(%sn = %n, %so = %o) : index, memref<4xf32> {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %a = memref.alloc(%sn) : memref<?xf32, 1>
    memref.store %f, %a[%c0] : memref<?xf32, 1>
    air.dma_memcpy_nd (%so[] [] [], %a[0] [4] [1]) : (memref<4xf32>, memref<?xf32, 1>)
  }
  return
}
