// RUN: %aircc opt %s --channels-lower-ranks="heap-bytes=4096" --split-input-file --allow-unregistered-dialect | FileCheck %s

// CHECK: llvm.mlir.global internal constant @[[WHERE:.*]]("air.rank @pair at {{.*}}lower-ranks.mlir:{{[0-9]+}}:{{[0-9]+}}\00")

// CHECK-LABEL: func.func @one
func.func @one(%flag: i1, %n: index) -> index {
  // CHECK-NEXT: call @air.ranks.enter()
  %c2 = arith.constant 2 : index
  // CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @[[WHERE]]
  // CHECK: call @mgpuRequireRanks(%{{.*}}, %[[TEXT]])
  // CHECK: %[[RANK32:.*]] = call @mgpuGetRank() : () -> i32
  // CHECK: %[[RANK:.*]] = arith.index_cast %[[RANK32]] : i32 to index
  // CHECK: %[[X:.*]] = arith.remui %[[RANK]], %[[C2:.*]] : index
  // CHECK: %[[Y:.*]] = arith.divui %[[RANK]], %[[C2]] : index
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %[[RANK]], %{{.*}} : index
  // CHECK: scf.if %[[IN]]
  // CHECK-NEXT: "use"(%[[X]], %[[Y]], %[[C2]], %{{.*}})
  air.rank @pair (%x, %y) in (%sx=%c2, %sy=%n) {
    "use"(%x, %y, %sx, %sy) : (index, index, index, index) -> ()
  }
  // Every exit destroys the heap once.
  // CHECK: ^bb1:
  // CHECK-NEXT: call @air.ranks.leave()
  // CHECK-NEXT: return
  // CHECK: ^bb2:
  // CHECK-NEXT: call @air.ranks.leave()
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  cf.cond_br %flag, ^bb1, ^bb2
^bb1:
  return %n : index
^bb2:
  return %c2 : index
}

// CHECK: func.func private @air.ranks.enter()
// CHECK: %[[DEPTH:.*]] = llvm.load %[[G:.*]] : !llvm.ptr -> i32
// CHECK: %[[MORE:.*]] = arith.addi %[[DEPTH]], %{{.*}} : i32
// CHECK: llvm.store %[[MORE]], %[[G]]
// CHECK: %[[OUTER:.*]] = arith.cmpi eq, %[[DEPTH]], %{{.*}} : i32
// CHECK: scf.if %[[OUTER]]
// CHECK: %[[BYTES:.*]] = arith.constant 4096 : i64
// CHECK: func.call @mgpuSymmetricHeapInit(%[[BYTES]])
// CHECK: func.func private @air.ranks.leave()
// CHECK: func.call @mgpuSymmetricHeapDestroy()

// -----

// The outermost function initializes the heap, not the functions that it calls.

// CHECK-LABEL: func.func private @inner
// CHECK-NOT: @air.ranks
func.func private @inner(%n: index) {
  air.rank (%x) in (%sx=%n) {
  }
  return
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @air.ranks.enter()
// CHECK: call @inner
// CHECK: call @inner
// CHECK: call @air.ranks.leave()
// CHECK-NEXT: return
func.func @main() {
  %c1 = arith.constant 1 : index
  func.call @inner(%c1) : (index) -> ()
  func.call @inner(%c1) : (index) -> ()
  return
}
// CHECK-LABEL: func.func @other
// CHECK-NEXT: return
func.func @other() {
  return
}

// -----

// Tokens: before, and after.

// CHECK-LABEL: func.func @async
func.func @async(%n: index) {
  // CHECK: %[[T:.*]] = air.wait_all async
  %t = air.wait_all async
  // CHECK: air.wait_all [%[[T]]]
  // CHECK: call @mgpuRequireUniverse
  // CHECK: scf.if
  // CHECK: %[[DONE:.*]] = air.wait_all async
  // CHECK: air.wait_all [%[[DONE]]]
  %u = air.universe.alloc(%n)
  %c2 = arith.constant 2 : index
  %r = air.rank async [%t] universe(%u) (%x) in (%sx=%c2) {
  }
  air.wait_all [%r]
  return
}

// -----

// A program that initializes the heap itself.

// CHECK-LABEL: func.func @own
// CHECK: call @mgpuSymmetricHeapInit
// CHECK: func.func private @air.ranks.enter()
// CHECK-NOT: call @mgpuSymmetricHeapInit
// CHECK: func.func private @air.ranks.leave()
// CHECK-NOT: call @mgpuSymmetricHeapDestroy
func.func private @mgpuSymmetricHeapInit(i64)
func.func @own(%n: index, %bytes: i64) {
  func.call @mgpuSymmetricHeapInit(%bytes) : (i64) -> ()
  air.rank (%x) in (%sx=%n) {
  }
  return
}
