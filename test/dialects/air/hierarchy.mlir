// Every form of the hierarchy ops is parsed and printed, and the output is parsed again.
// RUN: %aircc opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %aircc opt --allow-unregistered-dialect %s > %t.mlir
// RUN: %aircc opt --allow-unregistered-dialect %t.mlir | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --mlir-print-op-generic %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --emit-bytecode %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK-LABEL: func.func @launch(
// CHECK-SAME: %[[A:.*]]: memref<16x16xf32>, %[[B:.*]]: memref<16x16xf32>)
func.func @launch(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index

  // CHECK: air.launch (%{{.*}}) in (%{{.*}}=%c4) {
  // CHECK-NEXT: }
  air.launch (%x) in (%sx = %c4) {
    air.launch_terminator
  }
  // CHECK: air.launch (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}=%c1, %{{.*}}=%c2, %{{.*}}=%c4) {
  air.launch (%x, %y, %z) in (%sx = %c1, %sy = %c2, %sz = %c4) attributes { } {
  }
  // The commas between the sizes may be missing.
  // CHECK: air.launch (%{{.*}}, %{{.*}}) in (%{{.*}}=%c2, %{{.*}}=%c4) attributes {id = 7 : i32} {
  air.launch (%x, %y) in (%sx=%c2 %sy=%c4) attributes {id = 7 : i32} {
  }
  // CHECK: air.launch () in () {
  air.launch () in () {
  }
  // CHECK: air.launch () in () {
  air.launch {
  }
  // CHECK: %[[T0:.*]] = air.launch async (%{{.*}}) in (%{{.*}}=%c1) {
  %t0 = air.launch async (%x) in (%sx = %c1) {
  }
  // CHECK: %[[T1:.*]] = air.launch async [%[[T0]]] (%{{.*}}) in (%{{.*}}=%c1) {
  %t1 = air.launch async [%t0] (%x) in (%sx = %c1) {
  }
  // Dependencies without `async`: the op blocks.
  // CHECK: air.launch [%[[T0]], %[[T1]]] (%{{.*}}) in (%{{.*}}=%c1) {
  air.launch [%t0, %t1] (%x) in (%sx = %c1) {
  }
  // CHECK: air.launch @full async [%[[T0]]] (%[[X:.*]], %[[Y:.*]]) in (%[[SX:.*]]=%c2, %[[SY:.*]]=%c4)
  // CHECK-SAME: args(%[[KA:.*]]=%[[A]], %[[KB:.*]]=%[[B]]) : memref<16x16xf32>, memref<16x16xf32>
  // CHECK-SAME: attributes {foo = "bar"} {
  // CHECK-NEXT: "test.use"(%[[X]], %[[Y]], %[[SX]], %[[SY]], %[[KA]], %[[KB]])
  %t2 = air.launch @full async [%t0] (%x, %y) in (%sx = %c2, %sy = %c4)
      args(%ka=%a, %kb=%b) : memref<16x16xf32>, memref<16x16xf32>
      attributes {foo = "bar"} {
    "test.use"(%x, %y, %sx, %sy, %ka, %kb) : (index, index, index, index, memref<16x16xf32>, memref<16x16xf32>) -> ()
  }
  // The name may be in the attribute dictionary, without a space before it.
  // CHECK: air.launch @dictionary (%{{.*}}) in (%{{.*}}=%c1) args(%{{.*}}=%[[A]]) : memref<16x16xf32> attributes {id = 1 : i32} {
  air.launch (%x) in (%sx = %c1) args(%ka=%a) : memref<16x16xf32>attributes {id = 1 : i32, sym_name = "dictionary"} {
  }
  // A named op may omit its region.
  // CHECK: air.launch @declared () in ()
  air.launch @declared () in ()
  // CHECK: air.launch @declared_args (%{{.*}}) in (%{{.*}}=%c1) args(%{{.*}}=%[[A]]) : memref<16x16xf32>
  air.launch @declared_args (%x) in (%sx = %c1) args(%ka=%a) : memref<16x16xf32>
  // CHECK: air.launch @declared_empty (%{{.*}}) in (%{{.*}}=%c1) {
  air.launch @declared_empty (%x) in (%sx = %c1) args()
  return
}

// CHECK-LABEL: func.func @segment(
func.func @segment(%a: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index

  // CHECK: air.segment {
  air.segment {
    air.segment_terminator
  }
  // CHECK: air.segment {
  air.segment args() {
  }
  // CHECK: air.segment attributes {foo = "bar"} {
  air.segment attributes {foo = "bar"} {
  }
  // CHECK: air.segment @named {
  air.segment @named {
  }
  // CHECK: air.segment unroll (%{{.*}}) in (%{{.*}}=%c2) {
  air.segment unroll(%x) in (%sx=%c2) {
  }
  // CHECK: %[[T0:.*]] = air.segment async {
  %t0 = air.segment async {
  }
  // CHECK: air.segment @full async [%[[T0]]] unroll (%[[X:.*]], %[[Y:.*]]) in (%[[SX:.*]]=%c1, %[[SY:.*]]=%c2)
  // CHECK-SAME: args(%[[K:.*]]=%{{.*}}) : memref<4xi32> attributes {"backend-granularity" = "XCD", x_loc = 2 : i64} {
  // CHECK-NEXT: "test.use"(%[[X]], %[[Y]], %[[SX]], %[[SY]], %[[K]])
  %t1 = air.segment @full async [%t0] unroll (%x, %y) in (%sx=%c1, %sy=%c2)
      args(%k=%a) : memref<4xi32> attributes {"backend-granularity" = "XCD", x_loc = 2 : i64} {
    "test.use"(%x, %y, %sx, %sy, %k) : (index, index, index, index, memref<4xi32>) -> ()
  }
  // CHECK: air.segment [%[[T0]]] {
  air.segment [%t0] {
  }
  // CHECK: air.segment @declared
  air.segment @declared
  return
}

// CHECK-LABEL: func.func @herd(
func.func @herd(%a: i32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index

  // CHECK: air.herd tile (%{{.*}}) in (%{{.*}}=%c4) {
  air.herd tile (%x) in (%sx=%c4) {
    air.herd_terminator
  }
  // CHECK: air.herd tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c4, %{{.*}}=%c1) {
  air.herd tile (%x, %y) in (%sx=%c4 %sy=%c1) {
  }
  // CHECK: %[[T0:.*]] = air.herd @full async tile (%[[X:.*]], %[[Y:.*]]) in (%[[SX:.*]]=%c4, %[[SY:.*]]=%c1)
  // CHECK-SAME: args(%[[K:.*]]=%{{.*}}, %[[L:.*]]=%{{.*}}) : i32, i32 attributes {link_with = "kernel.o"} {
  // CHECK-NEXT: "test.use"(%[[X]], %[[Y]], %[[SX]], %[[SY]], %[[K]], %[[L]])
  %t0 = air.herd @full async tile (%x, %y) in (%sx=%c4, %sy=%c1)
      args (%k=%a, %l=%a) : i32, i32 attributes {link_with = "kernel.o"} {
    "test.use"(%x, %y, %sx, %sy, %k, %l) : (index, index, index, index, i32, i32) -> ()
  }
  // CHECK: air.herd async [%[[T0]]] tile (%{{.*}}, %{{.*}}) in
  %t1 = air.herd async [%t0] tile (%x, %y) in (%sx=%c4, %sy=%c1) {
  }
  // CHECK: air.herd [%{{.*}}] tile
  air.herd [%t1] tile (%x, %y) in (%sx=%c4, %sy=%c1) {
  }
  // CHECK: air.herd @declared tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c4, %{{.*}}=%c1) args(%{{.*}}=%{{.*}}) : i32
  air.herd @declared tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%k=%a) : i32
  return
}

// CHECK-LABEL: func.func @rank(
func.func @rank(%a: memref<4xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index

  // CHECK: air.rank (%{{.*}}) in (%{{.*}}=%c2) {
  air.rank (%r) in (%n = %c2) {
    air.rank_terminator
  }
  // CHECK: air.rank (%{{.*}}, %{{.*}}) in (%{{.*}}=%c2, %{{.*}}=%c4) {
  air.rank (%r, %q) in (%n = %c2, %m = %c4) {
  }
  // CHECK: %[[U:.*]] = air.universe.alloc(%c4)
  %u = air.universe.alloc(%c4)
  // CHECK: air.rank universe(%[[U]]) (%{{.*}}) in (%{{.*}}=%c4) {
  air.rank universe(%u) (%r) in (%n = %c4) {
  }
  // CHECK: %[[T0:.*]] = air.rank async (%{{.*}}) in
  %t0 = air.rank async (%r) in (%n = %c2) {
  }
  // CHECK: air.rank @full async [%[[T0]]] universe(%[[U]]) (%{{.*}}) in (%{{.*}}=%c2)
  // CHECK-SAME: args(%{{.*}}=%{{.*}}) : memref<4xi32> attributes {id = 1 : i32} {
  %t1 = air.rank @full async [%t0] universe(%u) (%r) in (%n = %c2)
      args(%k=%a) : memref<4xi32> attributes {id = 1 : i32} {
  }
  // CHECK: air.rank [%[[T0]]] (%{{.*}}) in
  air.rank [%t0] (%r) in (%n = %c2) {
  }
  // CHECK: air.rank @declared (%{{.*}}) in (%{{.*}}=%c2)
  air.rank @declared (%r) in (%n = %c2)
  return
}

// A terminator with attributes is printed, and a name that is not an identifier is quoted.
// CHECK-LABEL: func.func @odd(
func.func @odd() {
  // CHECK: air.launch @"a name" () in () {
  // CHECK-NEXT: air.launch_terminator {note = 1 : i32}
  air.launch @"a name" () in () {
    air.launch_terminator {note = 1 : i32}
  }
  return
}

// The whole hierarchy in one, with ops of a segment around a herd.
// CHECK-LABEL: func.func @nested(
func.func @nested(%m: memref<64xf32>) {
  %c2 = arith.constant 2 : index
  // CHECK: air.rank
  // CHECK: air.launch
  // CHECK: air.segment @outer unroll
  // CHECK: air.segment @inner unroll
  // CHECK: air.herd
  air.rank (%r) in (%n=%c2) args(%rm=%m) : memref<64xf32> {
    %c4 = arith.constant 4 : index
    air.launch (%x) in (%sx=%c4) args(%lm=%rm) : memref<64xf32> {
      %c8 = arith.constant 8 : index
      air.segment @outer unroll (%i) in (%ni=%c8) args(%om=%lm) : memref<64xf32> {
        %c3 = arith.constant 3 : index
        air.segment @inner unroll (%j) in (%nj=%c3) args(%im=%om) : memref<64xf32> {
          %c1 = arith.constant 1 : index
          %l2 = memref.alloc() : memref<64xf32, 1 : i32>
          air.herd tile (%tx, %ty) in (%ntx=%c1, %nty=%c1) args(%hm=%im) : memref<64xf32> {
            affine.for %k = 0 to 64 {
              %v = affine.load %hm[%k] : memref<64xf32>
              affine.store %v, %hm[%k] : memref<64xf32>
            }
          }
          memref.dealloc %l2 : memref<64xf32, 1 : i32>
        }
      }
    }
  }
  return
}
