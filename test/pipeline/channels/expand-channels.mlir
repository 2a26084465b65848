// RUN: %aircc opt %s --split-input-file --channels-expand-channels | FileCheck %s

// The ranks that put and get are known for each destination; the ring has two lines of counts, one
// of credits, and four slots of one line.

// CHECK-DAG: llvm.mlir.global internal @air.channel.C() {{.*}}air.channel_bytes = 1792 : i64, air.channel_name = "@C"
// CHECK-DAG: memref.global "private" constant @air.channel.C.getters : memref<2xi64> = dense<[0, 1]>
// CHECK-DAG: memref.global "private" constant @air.channel.C.putters : memref<2xi64> = dense<[1, 0]>
air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
// CHECK-LABEL: func.func @swap
func.func @swap(%m: memref<20xi8>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<20xi8> {
    // The tables of the addresses of the heaps, and of the rings of this channel.
    // CHECK: call @mgpuGetHeapBases
    // CHECK: call @mgpuGetChannelBases(%{{.*}}, %c2_i64{{.*}}, %c4_i64{{.*}}, %c1_i64{{.*}})
    air.launch () in () args(%l=%b, %lr=%r) : memref<20xi8>, index {
      %c1 = arith.constant 1 : index
      %other = arith.subi %c1, %lr : index
      // CHECK: %[[TABLE:.*]] = memref.get_global @air.channel.C.getters
      // CHECK: %[[TO64:.*]] = memref.load %[[TABLE]]
      // CHECK: %[[TO:.*]] = arith.index_cast %[[TO64]]
      // CHECK: %[[PEER:.*]] = air.translate %[[RING:.*]], %{{.*}}, %[[TO]], %{{.*}} : memref<448xi32>, memref<?xindex>
      // CHECK: %[[LINES:.*]] = memref.subview %[[PEER]]
      // CHECK: %[[CREDITS:.*]] = memref.subview %[[RING]]
      // CHECK: air.message.send{{.*}} through %[[LINES]], %[[CREDITS]] {depth = 4 : i64, lines = 1 : i64}
      air.channel.put @C[%other] (%l[] [] []) : (memref<20xi8>)
      // CHECK: air.message.receive{{.*}} through %{{.*}}, %{{.*}} {depth = 4 : i64, lines = 1 : i64}
      air.channel.get @C[%lr] (%l[] [] []) : (memref<20xi8>)
    }
  }
  return
}

// -----

// One put, a message for each destination; 100 words are four lines.

air.channel @B [1] {channel_type = "gpu_symmetric_heap", broadcast_shape = [3], depth = 3 : i64}
// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%m: memref<100xf32>) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n=%c3) args(%b=%m) : memref<100xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<100xf32>, index {
      %c0 = arith.constant 0 : index
      %is1 = arith.cmpi eq, %lr, %c0 : index
      scf.if %is1 {
        // CHECK: scf.for
        // CHECK: air.message.send{{.*}} {depth = 4 : i64, lines = 4 : i64}
        air.channel.put @B[%c0] (%l[] [] []) : (memref<100xf32>)
      }
      // CHECK: air.message.receive{{.*}} {depth = 4 : i64, lines = 4 : i64}
      air.channel.get @B[%lr] (%l[] [] []) : (memref<100xf32>)
    }
  }
  return
}

// -----

// Several ranks put to one destination: they share the count, which is in the heap of the rank that gets.

air.channel @M [] {channel_type = "gpu_symmetric_heap"}
// CHECK-LABEL: func.func @merge
func.func @merge(%m: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n=%c3) args(%b=%m) : memref<4xf32> {
    // CHECK-NOT: mgpuGetChannelBases
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      %c0 = arith.constant 0 : index
      %is0 = arith.cmpi eq, %lr, %c0 : index
      scf.if %is0 {
        // CHECK: air.message.receive{{.*}} through %[[RING:.*]], %[[RING]] {
        air.channel.get @M[] (%l[] [] []) : (memref<4xf32>)
        air.channel.get @M[] (%l[] [] []) : (memref<4xf32>)
      } else {
        // CHECK: air.message.send{{.*}} through %[[PEER:.*]], %[[PEER]] {{.*}}shared
        air.channel.put @M[] (%l[] [] []) : (memref<4xf32>)
      }
    }
  }
  return
}

// -----

// The number of ranks is known at run time only: a table for each number that
// works.

// CHECK: memref.global "private" constant @air.channel.P.getters : memref<{{[0-9]+}}xi64>
air.channel @P [1] {channel_type = "gpu_symmetric_heap", depth = 1 : i64}
// CHECK-LABEL: func.func @last
func.func @last(%m: memref<4xf32>, %size: index) {
  // CHECK: air.rank {{.*}} attributes {air.supported_ranks = "01111111111111111"}
  air.rank (%r) in (%n=%size) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r, %ln=%n) : memref<4xf32>, index, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.subi %ln, %c1 : index
      %is_last = arith.cmpi eq, %lr, %last : index
      %is_first = arith.cmpi eq, %lr, %c0 : index
      %is_both = arith.andi %is_first, %is_last : i1
      scf.if %is_both {
      } else {
        scf.if %is_first {
          air.channel.put @P[%c0] (%l[] [] []) : (memref<4xf32>)
        }
        scf.if %is_last {
          air.channel.get @P[%c0] (%l[] [] []) : (memref<4xf32>)
        }
      }
    }
  }
  return
}
