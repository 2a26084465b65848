// RUN: %aircc opt %s --hierarchy-serialize-tokens --split-input-file | FileCheck %s
// RUN: %aircc opt %s --hierarchy-serialize-tokens --split-input-file | FileCheck %s --check-prefix=NONE
// NONE-NOT: async
// NONE-NOT: wait_all
// NONE-NOT: air.execute

// A token with other uses on the host than ordering launches does not become a stream.

// CHECK-LABEL: func.func @launches
// CHECK: air.launch @a
// CHECK: air.segment
// CHECK: memref.alloc() : memref<4xi32, 1>
// CHECK: air.dma_memcpy_nd (
// CHECK: air.herd
// CHECK: air.launch @b
func.func @launches(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %t0 = air.wait_all async
  %t1 = air.launch @a async [%t0] (%x) in (%n = %c1) args(%a = %m) : memref<4xi32> {
    %t2 = air.segment async args(%b = %a) : memref<4xi32> {
      %s1 = arith.constant 1 : index
      %t3, %l2 = air.execute -> (memref<4xi32, 1>) {
        %l = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %l : memref<4xi32, 1>
      }
      %t4 = air.dma_memcpy_nd async [%t3] (%l2[] [] [], %b[] [] [])
          : (memref<4xi32, 1>, memref<4xi32>)
      %t5 = air.herd async [%t4] tile (%i) in (%ni = %s1) args(%h = %l2, %token = %t4)
          : memref<4xi32, 1>, !air.async.token {
        air.wait_all [%token]
      }
      air.wait_all [%t5]
    }
    air.wait_all [%t2]
  }
  %t6 = air.launch @b async [%t1] (%x) in (%n = %c1) {
  }
  %t7 = air.execute [%t6] {
  }
  air.wait_all [%t6]
  return
}

// -----

// Tokens carried by loops, yielded by branches, reduced over parallel loops; other values that are
// carried or yielded are kept.

// CHECK-LABEL: func.func @control
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (i32)
// CHECK:   air.dma_memcpy_nd (
// CHECK:   scf.yield %{{.*}} : i32
// CHECK: scf.if %{{.*}} {
// CHECK:   air.dma_memcpy_nd (
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
// CHECK:   air.dma_memcpy_nd (
// CHECK:   scf.reduce
// CHECK: scf.while
// CHECK: return %[[SUM]] : i32
func.func @control(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1, %one: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %t0 = air.wait_all async
  %t1, %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %t0, %s = %zero)
      -> (!air.async.token, i32) {
    %d = air.dma_memcpy_nd async [%t] (%a[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
    %n = arith.addi %s, %one : i32
    scf.yield %d, %n : !air.async.token, i32
  }
  %t2 = scf.if %c -> (!air.async.token) {
    %d = air.dma_memcpy_nd async [%t1] (%a[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
    scf.yield %d : !air.async.token
  } else {
    scf.yield %t1 : !air.async.token
  }
  %t3 = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%t2) -> !air.async.token {
    %d = air.dma_memcpy_nd async [%t2] (%a[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
    scf.reduce (%d : !air.async.token) {
    ^bb0(%l: !air.async.token, %r: !air.async.token):
      %j = air.wait_all async [%l, %r]
      scf.reduce.return %j : !air.async.token
    }
  }
  %t4 = scf.while (%t = %t3) : (!air.async.token) -> !air.async.token {
    scf.condition(%c) %t : !air.async.token
  } do {
  ^bb0(%t: !air.async.token):
    %w = air.wait_all async [%t]
    scf.yield %w : !air.async.token
  }
  air.wait_all [%t4]
  return %sum : i32
}

// -----

// Also through loops and branches of the affine dialect.

#set = affine_set<()[s0] : (s0 - 1 >= 0)>

// CHECK-LABEL: func.func @affine
// CHECK: %[[SUM:.*]] = affine.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i32)
// CHECK:   air.dma_memcpy_nd (
// CHECK:   affine.yield %{{.*}} : i32
// CHECK: affine.if #{{.*}}()[%{{.*}}] {
// CHECK:   air.dma_memcpy_nd (
// CHECK: } else {
// CHECK: return %[[SUM]] : i32
func.func @affine(%a: memref<4xi32>, %b: memref<4xi32>, %n: index, %one: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %t0 = air.wait_all async
  %t1, %sum = affine.for %i = 0 to 4 iter_args(%t = %t0, %s = %zero)
      -> (!air.async.token, i32) {
    %d = air.dma_memcpy_nd async [%t] (%a[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
    %m = arith.addi %s, %one : i32
    affine.yield %d, %m : !air.async.token, i32
  }
  %t2 = affine.if #set()[%n] -> !air.async.token {
    %d = air.dma_memcpy_nd async [%t1] (%a[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
    affine.yield %d : !air.async.token
  } else {
    affine.yield %t1 : !air.async.token
  }
  air.wait_all [%t2]
  return %sum : i32
}

// -----

// A function that returns a token returns when its work is done.

// CHECK-LABEL: func.func @returns(
// CHECK-SAME: ) -> i32 {
// CHECK-NEXT: %[[V:.*]] = arith.constant 1 : i32
// CHECK-NEXT: return %[[V]] : i32
func.func @returns() -> (!air.async.token, i32) {
  %t, %v = air.execute -> (i32) {
    %one = arith.constant 1 : i32
    air.execute_terminator %one : i32
  }
  return %t, %v : !air.async.token, i32
}
// CHECK-LABEL: func.func @calls
// CHECK-NEXT: %[[R:.*]] = call @returns() : () -> i32
// CHECK-NEXT: return %[[R]] : i32
func.func @calls() -> i32 {
  %t, %v = func.call @returns() : () -> (!air.async.token, i32)
  air.wait_all [%t]
  return %v : i32
}

// -----

// The caller waits for the tokens that it passes to a function.

// CHECK-LABEL: func.func private @takes(%{{.*}}: i32, %{{.*}}: memref<4xi32>) {
// CHECK-NEXT: air.dma_memcpy_nd (
// CHECK-NEXT: return
// CHECK-LABEL: func.func @passes(
// CHECK-NEXT: air.dma_memcpy_nd (
// CHECK-NEXT: call @takes(%{{.*}}, %{{.*}}) : (i32, memref<4xi32>) -> ()
// CHECK-NEXT: return
func.func private @takes(%n: i32, %t: !air.async.token, %m: memref<4xi32>) -> !air.async.token {
  %d = air.dma_memcpy_nd async [%t] (%m[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32>)
  return %d : !air.async.token
}
func.func @passes(%m: memref<4xi32>, %n: i32) {
  %t = air.dma_memcpy_nd async (%m[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32>)
  %d = func.call @takes(%n, %t, %m) : (i32, !air.async.token, memref<4xi32>) -> !air.async.token
  air.wait_all [%d]
  return
}
