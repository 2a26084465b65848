// Universes, peers' buffers and chiplets.
// RUN: %aircc opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %aircc opt --allow-unregistered-dialect %s > %t.mlir
// RUN: %aircc opt --allow-unregistered-dialect %t.mlir | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --mlir-print-op-generic %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --emit-bytecode %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK-LABEL: func.func @universe(
// CHECK-SAME: !air.universe
func.func @universe(%given: !air.universe, %n: index) {
  // CHECK: %{{.*}} = air.universe.alloc(%{{.*}}) {note}
  %u = air.universe.alloc(%n) {note}
  return
}

// CHECK-LABEL: func.func @translate(
func.func @translate(%a: memref<32xi32, #air.symmetric_heap>,
                     %b: memref<?x?xf32, strided<[?, ?], offset: ?>>,
                     %i: index, %j: index, %bases: memref<?xindex>,
                     %heap_bases: memref<8xindex, #air.symmetric_heap>) {
  // CHECK: air.translate %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<32xi32, #air.symmetric_heap>, memref<?xindex>
  %0 = air.translate %a, %i, %j, %bases : memref<32xi32, #air.symmetric_heap>, memref<?xindex>
  // CHECK: air.translate %{{.*}} {note} : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<8xindex, #air.symmetric_heap>
  %1 = air.translate %b, %i, %j, %heap_bases {note} : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<8xindex, #air.symmetric_heap>
  return
}

// CHECK-LABEL: func.func @chiplets(
func.func @chiplets() {
  air.segment @gang {
    // CHECK: air.chiplet_id
    // CHECK: air.chiplet_block_id
    // CHECK: air.chiplet_dim_blocks
    %die = air.chiplet_id
    %worker = air.chiplet_block_id
    %workers = air.chiplet_dim_blocks
    "test.use"(%die, %worker, %workers) : (index, index, index) -> ()
  }
  return
}

// The name of the memory space.
// CHECK: memref.global "private" @buffer : memref<4xf32, #air.symmetric_heap>
memref.global "private" @buffer : memref<4xf32, #air.symmetric_heap>
