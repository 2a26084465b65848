// Canonical forms and folds.
// RUN: %aircc opt --canonicalize --split-input-file --allow-unregistered-dialect %s | FileCheck %s

//===--- Dependencies -----------------------------------------------------===//

// CHECK-LABEL: func.func @dependency_twice(
// CHECK-SAME: %[[T:.*]]: !air.async.token, %[[U:.*]]: !air.async.token)
func.func @dependency_twice(%t: !air.async.token, %u: !air.async.token) {
  // CHECK-NEXT: air.wait_all [%[[T]], %[[U]]]
  air.wait_all [%t, %u, %t]
  return
}

// -----

// A join of one token is replaced by that token, also through other joins.
// CHECK-LABEL: func.func @join(
// CHECK-SAME: %[[T:.*]]: !air.async.token, %[[U:.*]]: !air.async.token, %[[V:.*]]: !air.async.token,
func.func @join(%t: !air.async.token, %u: !air.async.token, %v: !air.async.token, %m: memref<4xf32>) {
  %0 = air.wait_all async [%t, %u]
  %1 = air.wait_all async [%0, %v]
  // CHECK-NEXT: air.custom [%[[T]], %[[U]], %[[V]]]
  // CHECK-NEXT: return
  air.custom [%1, %t]
  return
}

// -----

// CHECK-LABEL: func.func @done_token(
// CHECK-SAME: %[[M:.*]]: memref<4xf32>, %[[C:.*]]: memref<4xf32, 1>)
func.func @done_token(%m: memref<4xf32>, %c: memref<4xf32, 1>) {
  %done = air.wait_all async
  // CHECK-NEXT: air.dma_memcpy_nd (%[[C]][] [] [], %[[M]][] [] []) :
  air.dma_memcpy_nd [%done] (%c[] [] [], %m[] [] []) : (memref<4xf32, 1>, memref<4xf32>)
  // CHECK-NEXT: return
  air.wait_all [%done]
  return
}

// -----

// CHECK-LABEL: func.func @join_of_one(
// CHECK-SAME: %[[T:.*]]: !air.async.token)
func.func @join_of_one(%t: !air.async.token) -> !air.async.token {
  %0 = air.wait_all async [%t]
  // CHECK-NEXT: return %[[T]]
  return %0 : !air.async.token
}

// -----

// A loop needs its first token, and a join of two is needed where it is yielded.
// CHECK-LABEL: func.func @loop(
func.func @loop(%n: index, %t: !air.async.token) -> !air.async.token {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[FIRST:.*]] = air.wait_all async{{$}}
  %first = air.wait_all async
  // CHECK: scf.for {{.*}} iter_args(%[[I:.*]] = %[[FIRST]])
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%it = %first) -> !air.async.token {
    // CHECK-NEXT: %[[J:.*]] = air.wait_all async [%[[I]], %{{.*}}]
    // CHECK-NEXT: scf.yield %[[J]]
    %next = air.wait_all async [%it, %t]
    scf.yield %next : !air.async.token
  }
  return %last : !air.async.token
}

// -----

// CHECK-LABEL: func.func @nothing_to_wait_for(
func.func @nothing_to_wait_for() {
  // CHECK-NEXT: return
  air.wait_all
  %unused = air.wait_all async
  return
}

// -----

//===--- Hierarchy --------------------------------------------------------===//

// Operands that are not used go, also through several levels.
// CHECK-LABEL: func.func @unused(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %{{.*}}: memref<8xf32>)
func.func @unused(%a: memref<4xf32>, %b: memref<8xf32>) {
  // CHECK: air.launch () in () args(%[[LA:.*]]=%[[A]]) : memref<4xf32> {
  air.launch () in () args(%la=%a, %lb=%b) : memref<4xf32>, memref<8xf32> {
    // CHECK-NEXT: air.segment @s args(%[[SA:.*]]=%[[LA]]) : memref<4xf32> {
    air.segment @s args(%sb=%lb, %sa=%la) : memref<8xf32>, memref<4xf32> {
      // CHECK-NEXT: "test.use"(%[[SA]])
      "test.use"(%sa) : (memref<4xf32>) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @operand_twice(
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: memref<4xf32>)
func.func @operand_twice(%n: index, %a: memref<4xf32>) {
  // CHECK: air.herd tile (%[[X:.*]]) in (%[[SX:.*]]=%[[N]]) args(%[[K:.*]]=%[[A]]) : memref<4xf32> {
  air.herd tile (%x) in (%sx=%n) args(%k=%a, %l=%a, %m=%a) : memref<4xf32>, memref<4xf32>, memref<4xf32> {
    // CHECK-NEXT: "test.use"(%[[X]], %[[SX]], %[[K]], %[[K]], %[[K]])
    "test.use"(%x, %sx, %k, %l, %m) : (index, index, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  }
  return
}

// -----

// Constants move into the body; a size that is constant is one there.
// CHECK-LABEL: func.func @constants(
func.func @constants(%u: !air.universe, %t: !air.async.token, %n: index) {
  %c4 = arith.constant 4 : index
  %f = arith.constant 2.5 : f32
  // CHECK: air.rank @r async [%{{.*}}] universe(%{{.*}}) (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c4, %[[SY:.*]]=%{{.*}}) attributes {id = 1 : i32} {
  %0 = air.rank @r async [%t] universe(%u) (%x, %y) in (%sx=%c4, %sy=%n) args(%k=%f) : f32 attributes {id = 1 : i32} {
    // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
    // CHECK-DAG: %[[F:.*]] = arith.constant 2.5
    // CHECK: "test.use"(%[[X]], %[[Y]], %[[C4]], %[[SY]], %[[F]])
    "test.use"(%x, %y, %sx, %sy, %k) : (index, index, index, index, f32) -> ()
  }
  air.wait_all [%0]
  return
}

// -----

// In a dimension of size 1 there is one id.
// CHECK-LABEL: func.func @single_point(
func.func @single_point(%n: index) {
  %c1 = arith.constant 1 : index
  // CHECK: air.herd tile (%[[X:.*]], %[[Y:.*]]) in (%[[SX:.*]]=%{{.*}}, %{{.*}}=%c1) {
  air.herd tile (%x, %y) in (%sx=%n, %sy=%c1) {
    // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
    // CHECK: "test.use"(%[[X]], %[[C0]], %[[SX]], %[[C1]])
    "test.use"(%x, %y, %sx, %sy) : (index, index, index, index) -> ()
  }
  return
}

// -----

// What may be the declaration of an op elsewhere keeps its operands.
// CHECK-LABEL: func.func @declaration(
func.func @declaration(%a: memref<4xf32>) {
  // CHECK: air.segment @elsewhere args(%{{.*}}=%{{.*}}) : memref<4xf32>
  air.segment @elsewhere args(%k=%a) : memref<4xf32>
  return
}

// -----

// An empty launch is kept: the pass that lowers it reports it.
// CHECK-LABEL: func.func @empty(
func.func @empty() {
  // CHECK: air.launch () in () {
  air.launch () in () {
  }
  return
}

// -----

//===--- Transfers --------------------------------------------------------===//

// CHECK-LABEL: func.func @constant_lists(
// CHECK-SAME: %[[A:.*]]: memref<8x8xf32>, %[[B:.*]]: memref<8xf32, 1>, %[[I:.*]]: index)
func.func @constant_lists(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %i: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m8 = arith.constant -8 : index
  // CHECK-NEXT: air.dma_memcpy_nd (%[[B]][0] [%[[I]]] [2], %[[A]][%[[I]], 0] [2, %[[I]]] [-8, 2]) :
  air.dma_memcpy_nd (%b[%c0] [%i] [%c2], %a[%i, %c0] [%c2, %i] [%m8, 2]) : (memref<8xf32, 1>, memref<8x8xf32>)
  return
}

// -----

air.channel @c [4]
// CHECK-LABEL: func.func @constant_lists_of_channels(
// CHECK-SAME: %[[A:.*]]: memref<8x8xf32>, %[[I:.*]]: index)
func.func @constant_lists_of_channels(%a: memref<8x8xf32>, %i: index) {
  // CHECK-NEXT: %[[C2:.*]] = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  // CHECK-NEXT: air.channel.put @c[%[[C2]]] (%[[A]][2, %[[I]]] [2, 1] [%[[I]], 2]) dest(%[[C2]]) :
  air.channel.put @c[%c2] (%a[%c2, %i] [%c2, 1] [%i, %c2]) dest(%c2) : (memref<8x8xf32>)
  // CHECK-NEXT: air.channel.get @c[%[[C2]]] (%[[A]][2, %[[I]]] [2, 1] [%[[I]], 2]) :
  air.channel.get @c[%c2] (%a[%c2, %i] [%c2, 1] [%i, %c2]) : (memref<8x8xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @copy_onto_itself(
// CHECK-SAME: %[[A:.*]]: memref<8xf32>, %[[I:.*]]: index, %[[T:.*]]: !air.async.token, %[[U:.*]]: !air.async.token)
func.func @copy_onto_itself(%a: memref<8xf32>, %i: index, %t: !air.async.token, %u: !air.async.token) -> !air.async.token {
  air.dma_memcpy_nd (%a[] [] [], %a[] [] []) : (memref<8xf32>, memref<8xf32>)
  // CHECK-NEXT: air.wait_all [%[[T]]]
  air.dma_memcpy_nd [%t] (%a[%i] [4] [1], %a[%i] [4] [1]) : (memref<8xf32>, memref<8xf32>)
  // CHECK-NEXT: %[[W:.*]] = air.wait_all async [%[[T]], %[[U]]]
  %0 = air.dma_memcpy_nd async [%t, %u] (%a[] [] [], %a[] [] []) : (memref<8xf32>, memref<8xf32>)
  // Not erased: other elements, another order, padding, a destination.
  // CHECK-NEXT: air.dma_memcpy_nd (%[[A]][0] [4] [1], %[[A]][%[[I]]] [4] [1])
  // CHECK-NEXT: air.dma_memcpy_nd (%[[A]][] [] [], %[[A]][7] [8] [-1])
  // CHECK-NEXT: air.dma_memcpy_nd (%[[A]][] [] [], %[[A]][] [] []) {pad_after
  // CHECK-NEXT: air.dma_memcpy_nd (%[[A]][] [] [], %[[A]][] [] []) dest(%[[I]])
  air.dma_memcpy_nd (%a[0] [4] [1], %a[%i] [4] [1]) : (memref<8xf32>, memref<8xf32>)
  air.dma_memcpy_nd (%a[0] [8] [1], %a[7] [8] [-1]) : (memref<8xf32>, memref<8xf32>)
  air.dma_memcpy_nd (%a[] [] [], %a[] [] []) {pad_after = array<i32: 1>} : (memref<8xf32>, memref<8xf32>)
  air.dma_memcpy_nd (%a[] [] [], %a[] [] []) dest(%i) : (memref<8xf32>, memref<8xf32>)
  // CHECK-NEXT: return %[[W]]
  return %0 : !air.async.token
}

// -----

// A rank's copy of a buffer and another's are two.
// CHECK-LABEL: func.func @copy_between_ranks(
func.func @copy_between_ranks(%n: index) {
  air.rank (%r) in (%s=%n) {
    %a = memref.alloc() : memref<8xf32, #air.symmetric_heap>
    // CHECK: air.dma_memcpy_nd
    air.dma_memcpy_nd (%a[] [] [], %a[] [] []) {src_rank = 1}
        : (memref<8xf32, #air.symmetric_heap>, memref<8xf32, #air.symmetric_heap>)
  }
  return
}

// -----

//===--- Execute ----------------------------------------------------------===//

// CHECK-LABEL: func.func @execute_unused_result(
func.func @execute_unused_result(%m: memref<4xf32>, %t: !air.async.token) -> f32 {
  // CHECK: %[[TOKEN:.*]], %[[R:.*]] = air.execute [%{{.*}}] -> (f32) {
  // CHECK: air.execute_terminator %{{.*}} : f32
  // CHECK-NEXT: } {id = 5 : i32}
  %0, %r:3 = air.execute [%t] -> (index, f32, index) {
    %c0 = arith.constant 0 : index
    %v = memref.load %m[%c0] : memref<4xf32>
    memref.store %v, %m[%c0] : memref<4xf32>
    air.execute_terminator %c0, %v, %c0 : index, f32, index
  } {id = 5 : i32}
  // CHECK: air.wait_all [%[[TOKEN]]]
  air.wait_all [%0]
  return %r#1 : f32
}

// -----

// CHECK-LABEL: func.func @execute_nothing(
// CHECK-SAME: %[[I:.*]]: index, %[[T:.*]]: !air.async.token)
func.func @execute_nothing(%i: index, %t: !air.async.token) -> (index, !air.async.token) {
  %0, %r = air.execute [%t] -> (index) {
    air.execute_terminator %i : index
  }
  // CHECK-NEXT: return %[[I]], %[[T]]
  return %r, %0 : index, !air.async.token
}

// -----

// A region that only computes is dead if its results are unused; one that writes is not.
// CHECK-LABEL: func.func @execute_dead(
func.func @execute_dead(%m: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: air.execute -> 
  %0, %r = air.execute -> (f32) {
    %v = memref.load %m[%c0] : memref<4xf32>
    air.execute_terminator %v : f32
  }
  // CHECK: air.execute {
  // CHECK-NEXT: memref.store
  %1 = air.execute {
    memref.store %f, %m[%c0] : memref<4xf32>
  }
  return
}

// -----

//===--- Peers ------------------------------------------------------------===//

// CHECK-LABEL: func.func @translate_to_itself(
// CHECK-SAME: %[[A:.*]]: memref<8xf32>,
func.func @translate_to_itself(%a: memref<8xf32>, %r: index, %bases: memref<?xindex>) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %again = "test.opaque"() : () -> index
  %one = arith.constant 1 : index
  %0 = air.translate %a, %r, %r, %bases : memref<8xf32>, memref<?xindex>
  %1 = air.translate %a, %c1, %one, %bases : memref<8xf32>, memref<?xindex>
  // CHECK: %[[P:.*]] = air.translate %[[A]],
  %2 = air.translate %a, %r, %again, %bases : memref<8xf32>, memref<?xindex>
  // CHECK: return %[[A]], %[[A]], %[[P]]
  return %0, %1, %2 : memref<8xf32>, memref<8xf32>, memref<8xf32>
}

// -----

// CHECK-LABEL: func.func @translate_twice(
// CHECK-SAME: %[[M:.*]]: memref<8xf32>, %[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: index, %[[BASES:.*]]: memref<?xindex>, %[[OTHER:.*]]: memref<?xindex>)
func.func @translate_twice(%m: memref<8xf32>, %a: index, %b: index, %c: index, %bases: memref<?xindex>, %other: memref<?xindex>)
    -> (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  // CHECK-NEXT: %[[AB:.*]] = air.translate %[[M]], %[[A]], %[[B]], %[[BASES]]
  %ab = air.translate %m, %a, %b, %bases : memref<8xf32>, memref<?xindex>
  // CHECK-NEXT: %[[AC:.*]] = air.translate %[[M]], %[[A]], %[[C]], %[[BASES]]
  %ac = air.translate %ab, %b, %c, %bases : memref<8xf32>, memref<?xindex>
  %aa = air.translate %ab, %b, %a, %bases : memref<8xf32>, memref<?xindex>
  // Other bases, or not the rank that the first one ends at.
  // CHECK-NEXT: %[[N0:.*]] = air.translate %[[AB]], %[[B]], %[[C]], %[[OTHER]]
  // CHECK-NEXT: %[[N1:.*]] = air.translate %[[AB]], %[[A]], %[[C]], %[[BASES]]
  %n0 = air.translate %ab, %b, %c, %other : memref<8xf32>, memref<?xindex>
  %n1 = air.translate %ab, %a, %c, %bases : memref<8xf32>, memref<?xindex>
  // CHECK-NEXT: return %[[AC]], %[[M]], %[[N0]], %[[N1]]
  return %ac, %aa, %n0, %n1 : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>
}
