// RUN: %aircc opt %s --hierarchy-run-herds-in-rounds --canonicalize --split-input-file | FileCheck %s
// RUN: %aircc opt %s --hierarchy-run-herds-in-rounds --split-input-file 2>&1 | FileCheck %s --check-prefix=REMARK

// Without barriers: one loop over the rounds, and a herd of as many waves as are
// needed for them: 3 rounds of 14 instead of 16.
// CHECK-LABEL: func.func @uneven
// CHECK: air.herd @many tile (%[[W:.*]]) in (%{{.*}}=%c14)
// CHECK: scf.for %[[R:.*]] = %c0 to %c3 step %c1 {
// CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[R]], %{{c14.*}}
// CHECK-NEXT: %[[PE:.*]] = arith.addi %[[FIRST]], %[[W]]
// CHECK-DAG: %[[X:.*]] = arith.remui %[[PE]], %c8
// CHECK-DAG: %[[Y:.*]] = arith.divui %[[PE]], %c8
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[PE]], %c40
// CHECK: scf.if %[[IN]] {
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
// CHECK: } {kernel.scope = #kernel.scope<wave>}
// CHECK: } {kernel.scope = #kernel.scope<wave>}
// REMARK: remark: runs in 3 rounds: it has 40 PEs, but a workgroup has only 14 waves, each of which executes several PEs one after another{{$}}
func.func @uneven(%m: memref<5x8xindex>) {
  air.launch () in () args(%l = %m) : memref<5x8xindex> {
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    air.herd @many tile (%x, %y) in (%nx = %c8, %ny = %c5) args(%h = %l) : memref<5x8xindex> {
      %a = arith.addi %x, %y : index
      %b = arith.addi %a, %nx : index
      memref.store %b, %h[%y, %x] : memref<5x8xindex>
    }
  }
  return
}

// -----

// At a barrier: a value that was read is stored, one that was computed from ids
// is computed again, a buffer that is used before and after has two copies, and
// one that is used only after it has one.
// CHECK-LABEL: func.func @barrier
// CHECK: %[[SLOT:.*]] = memref.alloc() : memref<2xi32, 2>
// CHECK: %[[BOTH:.*]] = memref.alloc() : memref<128xi8, 2>
// CHECK: scf.for %[[R:.*]] = %c0 to %c2 step %c1 {
// CHECK: memref.view %[[BOTH]]
// CHECK: %[[V:.*]] = memref.load
// CHECK: memref.store %[[V]], %[[SLOT]][%[[R]]] : memref<2xi32, 2>
// CHECK: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.for %[[S:.*]] = %c0 to %c2 step %c1 {
// CHECK-DAG: memref.view %[[BOTH]]
// CHECK-DAG: memref.load %[[SLOT]][%[[S]]] : memref<2xi32, 2>
// CHECK-DAG: memref.alloc() : memref<4xi32, 2>
// CHECK: }
// REMARK: remark: {{.*}}; values that are live across barriers take 68 bytes per PE
func.func @barrier(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l) : memref<32xi32> {
      %c31 = arith.constant 31 : index
      %c0 = arith.constant 0 : index
      %other = arith.subi %c31, %x : index
      %both = memref.alloc() : memref<16xi32, 2>
      %late = memref.alloc() : memref<4xi32, 2>
      %v = memref.load %h[%x] : memref<32xi32>
      memref.store %v, %both[%c0] : memref<16xi32, 2>
      gpu.barrier
      memref.store %v, %late[%c0] : memref<4xi32, 2>
      %w = memref.load %both[%c0] : memref<16xi32, 2>
      %u = memref.load %late[%c0] : memref<4xi32, 2>
      %s = arith.addi %w, %u : i32
      memref.store %s, %h[%other] : memref<32xi32>
      memref.dealloc %both : memref<16xi32, 2>
      memref.dealloc %late : memref<4xi32, 2>
    }
  }
  return
}

// -----

// A loop with a barrier is executed outside of rounds. Its bound is read once;
// the value that it carries is in a slot for each round.
// CHECK-LABEL: func.func @loop
// CHECK: %[[SLOT:.*]] = memref.alloc() : memref<2xi32, 2>
// CHECK: %[[N:.*]] = memref.load %{{.*}}[%c0] : memref<1xindex>
// CHECK: scf.for
// CHECK: memref.store %c0_i32, %[[SLOT]]
// CHECK: }
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK-NEXT: scf.for %[[R:.*]] = %c0 to %c2 step %c1 {
// CHECK: %[[OLD:.*]] = memref.load %[[SLOT]][%[[R]]]
// CHECK: %[[NEW:.*]] = arith.addi %[[OLD]]
// CHECK: memref.store %[[NEW]], %[[SLOT]][%[[R]]]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: }
// CHECK: scf.for %[[S:.*]] = %c0 to %c2 step %c1 {
// CHECK: memref.load %[[SLOT]][%[[S]]]
func.func @loop(%m: memref<32xi32>, %n: memref<1xindex>) {
  air.launch () in () args(%l = %m, %k = %n) : memref<32xi32>, memref<1xindex> {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l, %hk = %k) : memref<32xi32>, memref<1xindex> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %count = memref.load %hk[%c0] : memref<1xindex>
      %sum = scf.for %i = %c0 to %count step %c1 iter_args(%a = %zero) -> (i32) {
        %v = memref.load %h[%i] : memref<32xi32>
        %b = arith.addi %a, %v : i32
        gpu.barrier
        scf.yield %b : i32
      }
      memref.store %sum, %h[%x] : memref<32xi32>
    }
  }
  return
}

// -----

// Code that names lanes sees a workgroup that holds all PEs.
// CHECK-LABEL: func.func @lanes
// CHECK: scf.for
// CHECK-DAG: %[[X:.*]] = arith.remui %{{.*}}, %c8
// CHECK-DAG: %[[Y:.*]] = arith.divui %{{.*}}, %c8
// CHECK-DAG: %[[LANE:.*]] = gpu.lane_id
// CHECK-DAG: %[[WAVE:.*]] = arith.muli %[[X]], %c64
// CHECK-DAG: %[[ID:.*]] = arith.addi %[[WAVE]], %[[LANE]]
// CHECK: memref.store %[[ID]], %{{.*}}[%[[Y]], %c512, %c4]
// CHECK-NOT: kernel.scope
// REMARK: remark: runs in 2 rounds: it has 32 PEs, but a workgroup has only 16 waves, each of which executes several PEs one after another; if a PE is meant to be one lane, compile with --stage-option hierarchy.pe=lane
func.func @lanes(%m: memref<?x?x?xindex>) {
  air.launch () in () args(%l = %m) : memref<?x?x?xindex> {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    air.herd tile (%x, %y) in (%nx = %c8, %ny = %c4) args(%h = %l) : memref<?x?x?xindex> {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_dim x
      %by = gpu.block_dim y
      memref.store %tx, %h[%ty, %bx, %by] : memref<?x?x?xindex>
    }
  }
  return
}

// -----

// An L1 buffer of the segment has a copy for each PE; segment code that writes it
// writes all copies.
// CHECK-LABEL: func.func @segment
// CHECK: %[[BYTES:.*]] = memref.alloc() : memref<32xi8, 2>
// CHECK: scf.for %[[R:.*]] = %c0 to %c2 step %c1 {
// CHECK: %[[OWN:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<32xi8, 2> to memref<4xi32, 2>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[OWN]]
// CHECK: } {kernel.scope = #kernel.scope<workgroup>}
// CHECK: air.herd tile (%{{.*}}) in {{.*}} args({{.*}}%[[ARG:arg[0-9]+]]=%[[BYTES]])
// CHECK: memref.view %[[ARG]]
// CHECK: %[[FIRST:.*]] = memref.view %[[BYTES]][%c0][]
// CHECK: air.herd tile (%{{.*}}) in {{.*}} args({{.*}}=%[[FIRST]])
func.func @segment(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    air.segment args(%s = %l) : memref<32xi32> {
      %c32 = arith.constant 32 : index
      %c16 = arith.constant 16 : index
      %v = arith.constant 7 : i32
      %b = memref.alloc() : memref<4xi32, 2>
      linalg.fill ins(%v : i32) outs(%b : memref<4xi32, 2>)
      air.herd tile (%x) in (%nx = %c32) args(%h = %s, %t = %b) : memref<32xi32>, memref<4xi32, 2> {
        %c0 = arith.constant 0 : index
        %u = memref.load %t[%c0] : memref<4xi32, 2>
        memref.store %u, %h[%x] : memref<32xi32>
      }
      air.herd tile (%x) in (%nx = %c16) args(%h = %s, %t = %b) : memref<32xi32>, memref<4xi32, 2> {
        %c0 = arith.constant 0 : index
        %u = memref.load %t[%c0] : memref<4xi32, 2>
        memref.store %u, %h[%x] : memref<32xi32>
      }
      memref.dealloc %b : memref<4xi32, 2>
    }
  }
  return
}

// -----

// Herds that fit are not changed.
// CHECK-LABEL: func.func @fits
// CHECK: air.herd tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c4, %{{.*}}=%c4)
// CHECK-NOT: scf.for
func.func @fits(%m: memref<4x4xindex>) {
  air.launch () in () args(%l = %m) : memref<4x4xindex> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x, %y) in (%nx = %c4, %ny = %c4) args(%h = %l) : memref<4x4xindex> {
      memref.store %x, %h[%y, %x] : memref<4x4xindex>
      gpu.barrier
    }
  }
  return
}
