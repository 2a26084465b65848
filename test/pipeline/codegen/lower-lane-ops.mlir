// Instructions of lanes become those of each backend.
// RUN: %aircc opt %s --codegen-lower-lane-ops=backend=rocdl --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ROCDL
// RUN: %aircc opt %s --codegen-lower-lane-ops=backend=xevm --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,XEVM
// RUN: %aircc %s --target gfx942 --emit asm | FileCheck %s --check-prefix=ASM

// CHECK-NOT: kernel.
// Offset, sizes and strides stay; host code may have the op, too.
// CHECK-LABEL: func.func @move
// CHECK-SAME: %[[OWN:[^:]*]]: memref<4x8xf32, strided<[16, 1], offset: 3>>, %[[DISTANCE:[^:]*]]: i64
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %[[OWN]]
// CHECK: %[[P0:.*]] = llvm.extractvalue %[[D]][0]
// CHECK: %[[Q0:.*]] = llvm.getelementptr %[[P0]][%[[DISTANCE]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[P1:.*]] = llvm.extractvalue %[[D]][1]
// CHECK: %[[Q1:.*]] = llvm.getelementptr %[[P1]][%[[DISTANCE]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[D0:.*]] = llvm.insertvalue %[[Q0]], %[[D]][0]
// CHECK: %[[D1:.*]] = llvm.insertvalue %[[Q1]], %[[D0]][1]
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[D1]] {{.*}} to memref<4x8xf32, strided<[16, 1], offset: 3>>
func.func @move(%own: memref<4x8xf32, strided<[16, 1], offset: 3>>, %distance: i64)
    -> memref<4x8xf32, strided<[16, 1], offset: 3>> {
  %peer = kernel.offset_memref %own by %distance : memref<4x8xf32, strided<[16, 1], offset: 3>>
  return %peer : memref<4x8xf32, strided<[16, 1], offset: 3>>
}

gpu.module @kernels {
  // The pointer of the flag is computed once, before the loop that waits for it.
  // CHECK-LABEL: gpu.func @atomics
  // CHECK-SAME: %[[RING:[^:]*]]: i64, %[[I:[^:]*]]: index, %[[OUT:[^:]*]]: memref<2xi32>
  // CHECK-DAG: %[[P:.*]] = llvm.inttoptr %[[RING]] : i64 to !llvm.ptr<1>
  // CHECK-DAG: %[[AT:.*]] = arith.index_cast %[[I]] : index to i64
  // CHECK: %[[FLAG:.*]] = llvm.getelementptr %[[P]][%[[AT]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  // CHECK: scf.while
  // CHECK-NOT: getelementptr
  // ROCDL: llvm.load %[[FLAG]] atomic syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // XEVM: llvm.load %[[FLAG]] atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // CHECK: llvm.store %{{.*}}, %[[FLAG]] atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
  // CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
  // CHECK: %[[NEXT64:.*]] = arith.index_cast %[[NEXT]]
  // CHECK: %[[WORD:.*]] = llvm.getelementptr %[[P]][%[[NEXT64]]]
  // ROCDL: llvm.atomicrmw add %[[WORD]], %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
  // XEVM: llvm.atomicrmw add %[[WORD]], %{{.*}} syncscope("device") monotonic
  // CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic {alignment = 8 : i64} : !llvm.ptr<1>, i64

  // ASM-LABEL: atomics:
  // ASM: global_load_dword {{.*}} sc1
  gpu.func @atomics(%ring: i64, %i: index, %out: memref<2xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %long = arith.constant 1 : i64
    scf.while : () -> () {
      %word = kernel.atomic_load device %ring[%i] : i32
      %differs = arith.cmpi ne, %word, %zero : i32
      scf.condition(%differs)
    } do {
      scf.yield
    }
    kernel.atomic_store system %one, %ring[%i] : i32
    %next = arith.addi %i, %c1 : index
    %number = kernel.atomic_add device %one, %ring[%next] : i32
    %sum = kernel.atomic_add system %long, %ring[%c0] : i64
    memref.store %number, %out[%c0] : memref<2xi32>
    %low = arith.trunci %sum : i64 to i32
    memref.store %low, %out[%c1] : memref<2xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @memrefs
  // CHECK-SAME: %[[ADDRESS:[^:]*]]: i64, %[[N:[^:]*]]: index
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr<1>
  // CHECK: %[[S0:.*]] = llvm.insertvalue %[[P]], %{{.*}}[0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<2 x i64>, array<2 x i64>)>
  // CHECK: %[[S1:.*]] = llvm.insertvalue %[[P]], %[[S0]][1]
  // CHECK: %[[S2:.*]] = llvm.insertvalue %{{.*}}, %[[S1]][2]
  // CHECK: %[[S3:.*]] = llvm.insertvalue %{{.*}}, %[[S2]][3, 0]
  // CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: %[[S4:.*]] = llvm.insertvalue %[[N64]], %[[S3]][4, 0]
  // CHECK: %[[S5:.*]] = llvm.insertvalue %[[N64]], %[[S4]][3, 1]
  // CHECK: %[[S6:.*]] = llvm.insertvalue %{{.*}}, %[[S5]][4, 1]
  // CHECK: %[[M:.*]] = builtin.unrealized_conversion_cast %[[S6]] : {{.*}} to memref<4x?xf32, #gpu.address_space<global>>
  // CHECK: memref.store %{{.*}}, %[[M]]

  // ASM-LABEL: memrefs:
  // ASM: global_store_dword
  gpu.func @memrefs(%address: i64, %n: index, %v: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = kernel.memref_at %address sizes(%n) : memref<4x?xf32, #gpu.address_space<global>>
    memref.store %v, %m[%c1, %c0] : memref<4x?xf32, #gpu.address_space<global>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @bytes
  // CHECK-SAME: %[[HIGH:[^:]*]]: i32, %[[LOW:[^:]*]]: i32
  // ROCDL: %[[SELECT:.*]] = llvm.mlir.constant(83952640 : i32)
  // ROCDL: llvm.call_intrinsic "llvm.amdgcn.perm"(%[[HIGH]], %[[LOW]], %[[SELECT]]) : (i32, i32, i32) -> i32
  // XEVM: %[[L1:.*]] = vector.broadcast %[[LOW]] : i32 to vector<1xi32>
  // XEVM: %[[L4:.*]] = vector.bitcast %[[L1]] : vector<1xi32> to vector<4xi8>
  // XEVM: %[[H1:.*]] = vector.broadcast %[[HIGH]] : i32 to vector<1xi32>
  // XEVM: %[[H4:.*]] = vector.bitcast %[[H1]] : vector<1xi32> to vector<4xi8>
  // XEVM: vector.shuffle %[[L4]], %[[H4]] [0, 4, 1, 5] : vector<4xi8>, vector<4xi8>

  // ASM-LABEL: bytes:
  // ASM: v_mov_b32_e32 [[S:v[0-9]+]], 0x5010400
  // ASM: v_perm_b32 {{.*}}, [[S]]
  gpu.func @bytes(%high: i32, %low: i32, %out: memref<1xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %r = kernel.permute_bytes %high, %low [0, 4, 1, 5]
    memref.store %r, %out[%c0] : memref<1xi32>
    gpu.return
  }

  // LLVM's schedulers move no vector instruction to another priority.

  // CHECK-LABEL: gpu.func @priority
  // ROCDL: rocdl.sched.barrier 148
  // ROCDL-NEXT: rocdl.s.setprio 1
  // ROCDL: rocdl.s.setprio 0
  // XEVM-NOT: rocdl

  // ASM-LABEL: priority:
  // ASM: s_setprio 1
  // ASM: v_add_f32
  // ASM: s_setprio 0
  gpu.func @priority(%x: f32, %out: memref<1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    kernel.set_priority 1
    %y = arith.addf %x, %x : f32
    kernel.set_priority 0
    memref.store %y, %out[%c0] : memref<1xf32>
    gpu.return
  }

  // A wave skips products with 1, if one number decides.

  // CHECK-LABEL: gpu.func @rescale
  // CHECK-SAME: %[[X:[^:]*]]: vector<4xf32>, %[[FACTOR:[^:]*]]: f32, %[[FACTORS:[^:]*]]: vector<4xf32>
  // CHECK: %[[ALL:.*]] = vector.broadcast %[[FACTOR]]
  // ROCDL: %[[ISOTHER:.*]] = arith.cmpf une, %[[FACTOR]], %{{.*}} : f32
  // ROCDL: %[[LANES:.*]] = rocdl.ballot %[[ISOTHER]] : i64
  // ROCDL: %[[ISANY:.*]] = arith.cmpi ne, %[[LANES]]
  // ROCDL: scf.if %[[ISANY]] -> (vector<4xf32>)
  // ROCDL-NEXT: arith.mulf %[[X]], %[[ALL]]
  // ROCDL: scf.yield %[[X]]
  // XEVM-NOT: scf.if
  // CHECK: arith.mulf %{{.*}}, %[[FACTORS]]
  gpu.func @rescale(%x: vector<4xf32>, %factor: f32, %factors: vector<4xf32>, %out: memref<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %all = vector.broadcast %factor : f32 to vector<4xf32>
    %y = kernel.rescale %x, %all : vector<4xf32>
    %z = kernel.rescale %y, %factors : vector<4xf32>
    vector.store %z, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @trap
  // CHECK: llvm.intr.trap

  // ASM-LABEL: trap:
  // ASM: s_trap 2
  gpu.func @trap(%differ: i1) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    scf.if %differ {
      kernel.trap
    }
    gpu.return
  }
}
