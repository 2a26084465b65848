// RUN: %aircc opt %s --split-input-file --channels-expand-publications --verify-diagnostics | FileCheck %s

// All ranks put, and all get what rank 1 has put.

// CHECK: air.channel @C [3, 3]
// CHECK-LABEL: @read_one
// CHECK: air.rank (%[[R:[a-z0-9]+]]) in
// CHECK-DAG: %[[IS1:.*]] = arith.cmpi eq, %[[R]], %[[ONE:[a-z0-9_]+]] : index
// CHECK: scf.if %[[IS1]] {
// CHECK-COUNT-3: air.channel.put{{ +}}@C[%[[ONE]], %{{.*}}] (%{{.*}}[] [] []) : (memref<4xf32>)
// CHECK-NOT: air.channel.put
// CHECK: air.channel.get{{ +}}@C[%{{.*}}, %[[R]]] (
air.channel @C [] {channel_type = "gpu_symmetric_heap"}
func.func @read_one(%m: memref<4xf32>, %d: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n=%c3) args(%b=%m, %to=%d) : memref<4xf32>, memref<4xf32> {
    %c1 = arith.constant 1 : index
    air.channel.put @C[] (%b[] [] []) : (memref<4xf32>)
    air.channel.get @C[%c1] (%to[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

// In kernels; the ranks are in two dimensions.

// CHECK: air.channel @C [4, 4]
// CHECK-LABEL: @neighbors
// CHECK: air.rank (%[[X:[a-z0-9]+]], %[[Y:[a-z0-9]+]]) in (%[[SX:[a-z0-9]+]]=%{{.*}}, %{{.*}}=%{{.*}})
// CHECK: %[[ROW:.*]] = arith.muli %[[Y]], %[[SX]]
// CHECK: %[[R:.*]] = arith.addi %[[ROW]], %[[X]]
// CHECK: air.launch {{.*}}=%[[R]]
// CHECK-COUNT-4: air.channel.put{{ +}}@C[%{{.*}}, %{{.*}}] (
// CHECK-NOT: air.channel.put
// CHECK: air.channel.get{{ +}}@C[%{{.*}}, %{{.*}}] (
air.channel @C [] {channel_type = "gpu_symmetric_heap"}
func.func @neighbors(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%x, %y) in (%nx=%c2, %ny=%c2) args(%b=%m) : memref<4xf32> {
    %c1 = arith.constant 1 : index
    %two = arith.constant 2 : index
    %other = arith.subi %c1, %y : index
    %row = arith.muli %other, %two : index
    %from = arith.addi %row, %x : index
    air.launch () in () args(%l=%b, %f=%from) : memref<4xf32>, index {
      air.channel.put @C[] (%l[] [] []) : (memref<4xf32>)
      air.channel.get @C[%f] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// An index is an index where the puts have one too.

// CHECK: air.channel @C [1]
air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @indices(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    air.channel.put @C[%c0] (%b[] [] []) : (memref<4xf32>)
    air.channel.get @C[%c0] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

air.channel @C [] {channel_type = "gpu_symmetric_heap"}
func.func @no_such_rank(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c5 = arith.constant 5 : index
    air.channel.put @C[] (%b[] [] []) : (memref<4xf32>)
    // expected-error@+1 {{names rank 5, but there are only 2 ranks}}
    air.channel.get @C[%c5] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

air.channel @C [] {channel_type = "gpu_symmetric_heap"}
func.func @not_told(%m: memref<4xf32>, %k: index) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m, %f=%k) : memref<4xf32>, index {
    air.channel.put @C[] (%b[] [] []) : (memref<4xf32>)
    // expected-error@+1 {{names a rank that cannot be determined at compile time on rank 0; compute it from constants, the rank's id, ids of enclosing AIR ops, and induction variables of loops with constant bounds}}
    air.channel.get @C[%f] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

air.channel @C [] {channel_type = "gpu_symmetric_heap"}
func.func @how_many(%m: memref<4xf32>, %k: index) {
  // expected-note@+1 {{the ranks are here}}
  air.rank (%r) in (%n=%k) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    air.channel.put @C[] (%b[] [] []) : (memref<4xf32>)
    // expected-error@+1 {{names the rank that puts into channel @C, which requires a number of ranks that is known at compile time and the same at all uses of the channel}}
    air.channel.get @C[%c0] (%b[] [] []) : (memref<4xf32>)
  }
  return
}
