// The transformations of AIR ops that upstream's passes may perform, and those that they must not.
// RUN: %aircc opt --cse --canonicalize --split-input-file %s | FileCheck %s
// RUN: %aircc opt --sccp --split-input-file %s | FileCheck %s --check-prefix=SCCP
// RUN: %aircc opt --remove-dead-values --split-input-file %s | FileCheck %s --check-prefix=DEAD
// RUN: %aircc opt --loop-invariant-code-motion --split-input-file %s | FileCheck %s --check-prefix=LICM
// RUN: %aircc opt --inline --split-input-file %s | FileCheck %s --check-prefix=INLINE

air.channel @c
// Transfers are kept: their effects may be observed.
// CHECK-LABEL: func.func @transfers_stay(
func.func @transfers_stay(%a: memref<8xf32>, %b: memref<8xf32, 1>) {
  // CHECK-NEXT: air.dma_memcpy_nd
  // CHECK-NEXT: air.dma_memcpy_nd async
  // CHECK-NEXT: air.channel.put
  // CHECK-NEXT: air.channel.put
  // CHECK-NEXT: air.channel.get
  // CHECK-NEXT: air.channel.get
  // CHECK-NEXT: air.custom
  // CHECK-NEXT: return
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<8xf32, 1>, memref<8xf32>)
  %0 = air.dma_memcpy_nd async (%b[] [] [], %a[] [] []) : (memref<8xf32, 1>, memref<8xf32>)
  air.channel.put @c[] (%a[] [] []) : (memref<8xf32>)
  air.channel.put @c[] (%a[] [] []) : (memref<8xf32>)
  air.channel.get @c[] (%b[] [] []) : (memref<8xf32, 1>)
  air.channel.get @c[] (%b[] [] []) : (memref<8xf32, 1>)
  air.custom
  return
}

// -----

// A load is not the same before and after something that may write its buffer:
// a transfer, a wait, an op that blocks for a token.
air.channel @c
// CHECK-LABEL: func.func @loads(
func.func @loads(%a: memref<8xf32>, %b: memref<8xf32, 1>, %t: !air.async.token) -> (f32, f32, f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[V0:.*]] = memref.load
  %0 = memref.load %a[%c0] : memref<8xf32>
  // CHECK: air.dma_memcpy_nd
  // CHECK-NEXT: %[[V1:.*]] = memref.load
  air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<8xf32>, memref<8xf32, 1>)
  %1 = memref.load %a[%c0] : memref<8xf32>
  // CHECK-NEXT: air.wait_all
  // CHECK-NEXT: %[[V2:.*]] = memref.load
  air.wait_all [%t]
  %2 = memref.load %a[%c0] : memref<8xf32>
  // CHECK-NEXT: air.channel.get
  // CHECK-NEXT: %[[V3:.*]] = memref.load
  air.channel.get @c[] (%a[] [] []) : (memref<8xf32>)
  %3 = memref.load %a[%c0] : memref<8xf32>
  // CHECK-NEXT: air.channel.put [%{{.*}}]
  // CHECK-NEXT: %[[V4:.*]] = memref.load
  air.channel.put [%t] @c[] (%b[] [] []) : (memref<8xf32, 1>)
  %4 = memref.load %a[%c0] : memref<8xf32>
  // CHECK-NEXT: air.segment
  // CHECK: %[[V5:.*]] = memref.load
  air.segment args(%s=%a) : memref<8xf32> {
    %f = arith.constant 1.0 : f32
    %i = arith.constant 0 : index
    memref.store %f, %s[%i] : memref<8xf32>
  }
  %5 = memref.load %a[%c0] : memref<8xf32>
  // CHECK: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]]
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}

// -----

// Joining tokens does not wait and has no effects.
// CHECK-LABEL: func.func @join_is_no_wait(
func.func @join_is_no_wait(%a: memref<8xf32>, %t: !air.async.token, %u: !air.async.token)
    -> (f32, f32, !air.async.token, !air.async.token) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[V:.*]] = memref.load
  // CHECK-NEXT: %[[J:.*]] = air.wait_all async
  // CHECK-NEXT: return %[[V]], %[[V]], %[[J]], %[[J]]
  %0 = memref.load %a[%c0] : memref<8xf32>
  %j = air.wait_all async [%t, %u]
  %1 = memref.load %a[%c0] : memref<8xf32>
  %k = air.wait_all async [%t, %u]
  return %0, %1, %j, %k : f32, f32, !air.async.token, !air.async.token
}

// -----

// Two universes are two pools; an unused one is erased.
// CHECK-LABEL: func.func @universes(
func.func @universes(%n: index) -> (!air.universe, !air.universe) {
  // CHECK-NEXT: %[[U:.*]] = air.universe.alloc
  // CHECK-NEXT: %[[V:.*]] = air.universe.alloc
  // CHECK-NEXT: return %[[U]], %[[V]]
  %u = air.universe.alloc(%n)
  %v = air.universe.alloc(%n)
  %w = air.universe.alloc(%n)
  return %u, %v : !air.universe, !air.universe
}

// -----

// CHECK-LABEL: func.func @translations(
func.func @translations(%a: memref<8xf32>, %i: index, %j: index, %bases: memref<?xindex>) -> (memref<8xf32>, memref<8xf32>) {
  // CHECK-NEXT: %[[P:.*]] = air.translate
  // CHECK-NEXT: return %[[P]], %[[P]]
  %0 = air.translate %a, %i, %j, %bases : memref<8xf32>, memref<?xindex>
  %1 = air.translate %a, %i, %j, %bases : memref<8xf32>, memref<?xindex>
  return %0, %1 : memref<8xf32>, memref<8xf32>
}

// -----

// Constants reach the bodies through kernel operands. Sizes and ids are left to
// the canonicalizer.
// SCCP-LABEL: func.func @propagate(
func.func @propagate(%m: memref<?xindex>) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  // SCCP: air.launch (%[[X:[a-z0-9]+]]) in (%[[SX:[a-z0-9]+]]=%{{.*}})
  air.launch (%x) in (%sx=%c3) args(%k=%c5, %lm=%m) : index, memref<?xindex> {
    // SCCP-DAG: %[[C10:.*]] = arith.constant 10 : index
    %sum = arith.addi %k, %k : index
    // SCCP: memref.store %[[X]], %{{.*}}[%[[C10]]]
    memref.store %x, %lm[%sum] : memref<?xindex>
    // SCCP: memref.store %[[SX]], %{{.*}}[%[[C10]]]
    memref.store %sx, %lm[%sum] : memref<?xindex>
  }
  return
}

// -----

// In a dead op, operands that the body does not use are dropped, but not a size, which determines
// how often the body executes.
// DEAD-LABEL: func.func @dead(
// DEAD-SAME: %[[N:.*]]: index, %[[A:.*]]: memref<8xf32>, %[[T:.*]]: !air.async.token
func.func @dead(%n: index, %a: memref<8xf32>, %t: !air.async.token, %u: index) {
  // DEAD: air.launch async [%[[T]]] (%{{.*}}) in (%{{.*}}=%[[N]]) args(%{{.*}}=%[[A]]) : memref<8xf32> {
  %0 = air.launch async [%t] (%x) in (%sx=%n) args(%l=%u, %la=%a) : index, memref<8xf32> {
    %f = arith.constant 1.0 : f32
    memref.store %f, %la[%x] : memref<8xf32>
  }
  return
}

// -----

// The die on which a workgroup runs does not change. Numbering the workgroups of a die requires all
// of them, so that op is not moved.
// LICM-LABEL: func.func @chiplets(
func.func @chiplets(%m: memref<?xindex>, %n: index) {
  air.segment args(%sm=%m, %sn=%n) : memref<?xindex>, index {
    // LICM: air.chiplet_id
    // LICM: scf.for
    // LICM-NEXT: air.chiplet_block_id
    // LICM-NEXT: air.chiplet_dim_blocks
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %sn step %c1 {
      %die = air.chiplet_id
      %worker = air.chiplet_block_id
      %workers = air.chiplet_dim_blocks
      %0 = arith.addi %die, %worker : index
      %1 = arith.addi %0, %workers : index
      memref.store %1, %sm[%i] : memref<?xindex>
    }
  }
  return
}

// -----

func.func private @callee(%v: f32, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<8xf32>
  return
}

// INLINE-LABEL: func.func @calls_in_bodies(
func.func @calls_in_bodies(%n: index, %v: f32, %m: memref<8xf32>) {
  // INLINE: air.herd
  // INLINE-NEXT: arith.constant
  // INLINE-NEXT: memref.store
  air.herd tile (%x) in (%sx=%n) args(%hv=%v, %hm=%m) : f32, memref<8xf32> {
    func.call @callee(%hv, %hm) : (f32, memref<8xf32>) -> ()
  }
  // INLINE: air.execute
  // INLINE-NEXT: memref.store
  %t = air.execute {
    func.call @callee(%v, %m) : (f32, memref<8xf32>) -> ()
  }
  return
}

// -----

func.func private @callee(%m: memref<8xf32>, %c: memref<8xf32, 1>, %t: !air.async.token) {
  air.dma_memcpy_nd [%t] (%m[] [] [], %c[] [] []) : (memref<8xf32>, memref<8xf32, 1>)
  return
}

// INLINE-LABEL: func.func @call_with_air_ops(
func.func @call_with_air_ops(%m: memref<8xf32>, %c: memref<8xf32, 1>, %t: !air.async.token) {
  // INLINE-NEXT: air.dma_memcpy_nd [%{{.*}}]
  call @callee(%m, %c, %t) : (memref<8xf32>, memref<8xf32, 1>, !air.async.token) -> ()
  return
}
