// RUN: %aircc opt %s --channels-lower-rank-transfers --split-input-file --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @dma
func.func @dma(%n: index) {
  air.rank (%r) in (%size=%n) {
    %a = memref.alloc() : memref<8x8xf32, #air.symmetric_heap>
    %b = memref.alloc() : memref<16xf32, #air.symmetric_heap>
    // CHECK: %[[ME32:.*]] = func.call @mgpuGetRank()
    // CHECK: %[[ME:.*]] = arith.index_cast %[[ME32]]
    // CHECK: %[[TO:.*]] = arith.constant 1 : index
    // CHECK: %[[PEER:.*]] = air.translate %{{.*}}, %[[ME]], %[[TO]], %{{.*}} : memref<8x8xf32, #air.symmetric_heap>, memref<?xindex>
    // CHECK: memref.extract_strided_metadata %[[PEER]]
    // CHECK: %[[STACK:.*]] = llvm.intr.stacksave
    // CHECK: func.call @mgpuMemcpyStrided
    // CHECK: func.call @mgpuStreamSynchronize
    // CHECK: llvm.intr.stackrestore %[[STACK]]
    air.dma_memcpy_nd (%b[] [] [], %a[2, 0] [4, 4] [8, 1]) {src_rank = 1 : i64}
        : (memref<16xf32, #air.symmetric_heap>, memref<8x8xf32, #air.symmetric_heap>)
  }
  return
}

// -----

// In a kernel the transfer stays, and gets the addresses it needs.

// CHECK-LABEL: func.func @kernel
func.func @kernel(%n: index, %x: memref<16xf32>) {
  air.rank (%r) in (%size=%n) args(%own=%x) : memref<16xf32> {
    // CHECK: %[[ME32:.*]] = func.call @mgpuGetRank()
    // CHECK: air.launch {{.*}} args({{.*}}, %[[LME:.*]]=%{{.*}}, %[[LBASES:.*]]=%{{.*}}) : memref<16xf32>, index, memref<?xindex>
    air.launch () in () args(%l=%own) : memref<16xf32> {
      // CHECK: air.segment args({{.*}}, %[[SME:.*]]=%[[LME]], %[[SBASES:.*]]=%[[LBASES]])
      air.segment args(%s=%l) : memref<16xf32> {
        %b = memref.alloc() : memref<16xf32, 1>
        // CHECK: %[[PEER:.*]] = air.translate %{{.*}}, %[[SME]], %{{.*}}, %[[SBASES]]
        // CHECK: air.dma_memcpy_nd (%[[PEER]][] [] [], %{{.*}}[] [] []) : (memref<16xf32>, memref<16xf32, 1>)
        air.dma_memcpy_nd (%s[] [] [], %b[] [] []) {dst_rank = 0 : i64}
            : (memref<16xf32>, memref<16xf32, 1>)
      }
    }
  }
  return
}

// -----

// CHECK: llvm.mlir.global internal constant @[[NAME:.*]]("@C\00")
air.channel @C [2, 3] {channel_type = "gpu_symmetric_heap", depth = 2 : i64}
// CHECK-LABEL: func.func @channel
func.func @channel(%n: index, %x: memref<16xf32>) {
  air.rank (%r) in (%size=%n) args(%buf=%x) : memref<16xf32> {
    %c1 = arith.constant 1 : index
    // CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @[[NAME]]
    // CHECK: %[[DEPTH:.*]] = arith.constant 2 : i64
    // CHECK: func.call @mgpuChannelPut(%[[TEXT]], %{{.*}}, %[[DEPTH]], %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, i64, !llvm.ptr, !llvm.ptr) -> ()
    air.channel.put @C[%c1, %r] (%buf[] [] []) : (memref<16xf32>)
    // CHECK: %[[HANDLE:.*]] = func.call @mgpuChannelGetStart(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
    %t = air.channel.get async @C[%c1, %r] (%buf[] [] []) : (memref<16xf32>)
    // CHECK: "before"
    "before"() : () -> ()
    // CHECK: func.call @mgpuChannelWait(%[[HANDLE]])
    // CHECK: air.wait_all
    air.wait_all [%t]
    // CHECK: "after"
    "after"() : () -> ()
  }
  return
}

// -----

// One put, a message for each destination.

air.channel @B [1] {channel_type = "gpu_symmetric_heap", broadcast_shape = [3]}
// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%n: index, %x: memref<16xf32>) {
  air.rank (%r) in (%size=%n) args(%buf=%x) : memref<16xf32> {
    %c0 = arith.constant 0 : index
    // CHECK-COUNT-3: func.call @mgpuChannelPut(
    air.channel.put @B[%c0] (%buf[] [] []) : (memref<16xf32>)
    // CHECK: func.call @mgpuChannelGet(
    air.channel.get @B[%r] (%buf[] [] []) : (memref<16xf32>)
  }
  return
}
