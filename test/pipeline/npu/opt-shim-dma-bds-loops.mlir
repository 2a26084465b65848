// RUN: %aircc opt %s --air-opt-shim-dma-bds=device=npu1 --split-input-file | FileCheck %s
// RUN: %aircc opt %s --air-opt-shim-dma-bds=device=xcvc1902 --split-input-file | FileCheck %s --check-prefix=AIE1
// RUN: %aircc opt %s --air-opt-shim-dma-bds --split-input-file | FileCheck %s --check-prefix=AIE1

// Independent transfers get loops of their own. The ones on the same element of
// a channel stay together, and are unrolled in order.
air.channel @a []
air.channel @b [2]
// CHECK-LABEL: func @split
// CHECK: %[[P:.*]] = air.channel.put async [%{{.*}}] @a[] (%arg0[0, 0] [4, 8] [16, 1])
// CHECK: %[[Q0:.*]] = air.channel.put async [%{{.*}}] @b[%{{.*}}] (%arg0[0] [4] [1])
// CHECK: %[[Q1:.*]] = air.channel.put async [%{{.*}}] @b[%{{.*}}] (%arg0[4] [2] [1])
// CHECK: %[[Q2:.*]] = air.channel.put async [%{{.*}}] @b[%{{.*}}] (%arg0[16] [4] [1])
// CHECK: %[[Q3:.*]] = air.channel.put async [%{{.*}}] @b[%{{.*}}] (%arg0[20] [2] [1])
// AIE1-LABEL: func @split
// AIE1: scf.for
// AIE1: air.channel.put async [%{{.*}}] @a[] (%arg0[%{{.*}}] [8] [1])
// AIE1: scf.for
// AIE1: air.channel.put async [%{{.*}}] @b
// AIE1: air.channel.put async [%{{.*}}] @b
// AIE1-NOT: air.launch_end
func.func @split(%m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = air.wait_all async
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %t) -> (!air.async.token) {
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %t1 = air.channel.put async [%s] @a[] (%m[%o] [8] [1]) : (memref<64xf32>)
    %t2 = air.channel.put async [%s] @b[%c0] (%m[%o] [4] [1]) : (memref<64xf32>)
    %q = affine.apply affine_map<(d0) -> (d0 * 16 + 4)>(%i)
    %t3 = air.channel.put async [%s] @b[%c0] (%m[%q] [2] [1]) : (memref<64xf32>)
    %t4 = air.wait_all async [%t1, %t2, %t3]
    scf.yield %t4 : !air.async.token
  }
  return
}

// A get and a put of the same memory stay in order.
// CHECK-LABEL: func @through_memory
// CHECK: %[[G0:.*]] = air.channel.get async
// CHECK: air.channel.put async [%[[G0]]]
// CHECK: %[[G1:.*]] = air.channel.get async
// CHECK: air.channel.put async [%[[G1]]
func.func @through_memory(%m: memref<64xf32>) {
  affine.for %i = 0 to 2 {
    %t1 = air.channel.get async @a[] (%m[%i] [8] [1]) : (memref<64xf32>)
    %t2 = air.channel.put async [%t1] @b[%i] (%m[%i] [8] [1]) : (memref<64xf32>)
  }
  return
}

// A loop that carries two tokens is left alone.
// CHECK-LABEL: func @pipelined
// CHECK: scf.for
// CHECK: air.channel.put async
// CHECK: scf.yield
func.func @pipelined(%m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %t = air.wait_all async
  %r:2 = scf.for %i = %c0 to %c64 step %c8 iter_args(%s = %t, %u = %t) -> (!air.async.token, !air.async.token) {
    %t1 = air.channel.put async [%u] @a[] (%m[%i] [8] [1]) : (memref<64xf32>)
    scf.yield %t1, %s : !air.async.token, !air.async.token
  }
  return
}

// -----

// Parallel loops are unrolled; all of their tokens reach the last wait.
air.channel @b [2]
// CHECK-LABEL: func @parallel
// CHECK: %[[T0:.*]] = air.channel.put async {{.*}}@b[%{{.*}}] (%arg0[0, 0] [4, 8] [16, 1])
// CHECK: %[[T1:.*]] = air.channel.put async {{.*}}@b[%{{.*}}] (%arg0[0, 8] [4, 8] [16, 1])
// CHECK: air.wait_all [%[[T0]], %[[T1]]] {air.launch_end}
func.func @parallel(%m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = air.wait_all async
  %r = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%t) -> !air.async.token {
    %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %t0 = air.wait_all async
    %l = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %t0) -> (!air.async.token) {
      %t1 = air.channel.put async [%s] @b[%i] (%m[%j, %o] [1, 8] [16, 1]) : (memref<64xf32>)
      scf.yield %t1 : !air.async.token
    }
    scf.reduce(%l : !air.async.token) {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %z = air.wait_all async [%x, %y]
      scf.reduce.return %z : !air.async.token
    }
  }
  return
}

// -----

// The branches of a switch yield their tokens.
air.channel @c []
// CHECK-LABEL: func @switch
// CHECK: %[[T:.*]] = scf.index_switch %{{.*}} -> !air.async.token
// CHECK: %[[P:.*]] = air.channel.put async
// CHECK: %[[Y:.*]] = air.wait_all async [%[[P]]]
// CHECK: scf.yield %[[Y]]
// CHECK: default {
// CHECK: air.wait_all async
// CHECK: air.wait_all [%{{.*}}] {air.launch_end}
func.func @switch(%m: memref<64xf32>, %k: index) {
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n = %c2) args(%a = %m, %s = %k) : memref<64xf32>, index {
    scf.index_switch %s
    case 0 {
      %t = air.channel.put async @c[] (%a[0] [8] [1]) : (memref<64xf32>)
      scf.yield
    }
    default {
    }
  }
  return
}

// -----

// In a launch that preserves the order, loops are only unrolled. Puts into @w
// reach a herd that gets from a broadcast channel, through @w2; puts into @x do
// not.
air.channel @w []
air.channel @w2 []
air.channel @x []
air.channel @bc [1] {broadcast_shape = [2]}
air.channel @o []
// CHECK-LABEL: func @ordered
// CHECK: attributes {air.preserve_shim_dma_order, dummyLaunch = true}
// CHECK: air.channel.put async @w[] (%[[A:.*]][0] [8] [1]) {air.preserve_shim_dma_order}
// CHECK: air.channel.put async @x[] (%[[A]][0] [8] [1]) : (memref<64xf32>)
// CHECK: air.channel.get async @o[] (%{{.*}}[0] [8] [1]) {air.preserve_shim_dma_order}
// CHECK: air.channel.put async {{.*}}@w[] (%[[A]][8] [8] [1]) {air.preserve_shim_dma_order}
// CHECK: air.channel.put async {{.*}}@x[] (%[[A]][8] [8] [1]) : (memref<64xf32>)
// CHECK: air.channel.get async {{.*}}@o[] (%{{.*}}[8] [8] [1]) {air.preserve_shim_dma_order}
// CHECK: air.segment
func.func @ordered(%m: memref<64xf32>, %r: memref<64xf32>) {
  %t = air.launch async () in () args(%a = %m, %b = %r) : memref<64xf32>, memref<64xf32> attributes {air.preserve_shim_dma_order, dummyLaunch = true} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c16 step %c8 {
      %t0 = air.channel.put async @w[] (%a[%i] [8] [1]) : (memref<64xf32>)
      %t1 = air.channel.put async @x[] (%a[%i] [8] [1]) : (memref<64xf32>)
      %t2 = air.channel.get async @o[] (%b[%i] [8] [1]) : (memref<64xf32>)
    }
    %s = air.segment async {
      %c1 = arith.constant 1 : index
      %d0 = arith.constant 0 : index
      %l2 = memref.alloc() : memref<8xf32, 1>
      air.channel.get @w[] (%l2[] [] []) : (memref<8xf32, 1>)
      air.channel.put @w2[] (%l2[] [] []) : (memref<8xf32, 1>)
      air.herd @h0 tile (%p, %q) in (%np = %c1, %nq = %c1) {
        %e0 = arith.constant 0 : index
        %l1 = memref.alloc() : memref<8xf32, 2>
        air.channel.get @w2[] (%l1[] [] []) : (memref<8xf32, 2>)
        air.channel.get @bc[%e0] (%l1[] [] []) : (memref<8xf32, 2>)
      }
      air.herd @h1 tile (%p, %q) in (%np = %c1, %nq = %c1) {
        %l1 = memref.alloc() : memref<8xf32, 2>
        air.channel.get @x[] (%l1[] [] []) : (memref<8xf32, 2>)
        air.channel.put @o[] (%l1[] [] []) : (memref<8xf32, 2>)
      }
    }
  }
  return
}
