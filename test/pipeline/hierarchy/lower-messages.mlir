// RUN: %aircc opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(hierarchy-lower-messages,canonicalize,cse))' | FileCheck %s

// One line: one store of the wave, after the release. Lane 31 of a line has the
// flag.

gpu.module @one {
  // CHECK-LABEL: gpu.func @one
  // CHECK-SAME: %[[SRC:[^ :]*]]: memref<31xf32>
  gpu.func @one(%src: memref<31xf32>, %peer: memref<128xi32>, %own: memref<128xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 32 : i64, known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: %[[LANE:.*]] = gpu.lane_id
    // The sender's count, then the credits:
    // CHECK: %[[NUMBER:.*]] = scf.if
    // CHECK: %[[N:.*]] = kernel.atomic_add device %c1_i32, %{{.*}}[%{{.*}}] : i32
    // CHECK: scf.while
    // CHECK: kernel.atomic_load system %{{.*}}[%{{.*}}] : i32
    // CHECK: scf.yield %[[N]] : i32
    // CHECK: %[[SHUFFLED:.*]], %{{.*}} = gpu.shuffle idx %[[NUMBER]]
    // CHECK: kernel.fence system acquire
    // CHECK: kernel.fence system release
    // CHECK: %[[FLAG:.*]] = arith.addi %[[SHUFFLED]], %{{.*}} : i32
    // CHECK: %[[IS_FLAG:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
    // CHECK: %[[DATA:.*]] = memref.load
    // CHECK: %[[BITS:.*]] = arith.bitcast %[[DATA]] : f32 to i32
    // CHECK: %[[VALUE:.*]] = arith.select %[[IS_FLAG]], %[[FLAG]], %[[BITS]] : i32
    // CHECK-NOT: scf.for
    // CHECK: kernel.atomic_store system %[[VALUE]], %{{.*}}[%{{.*}}] : i32
    // CHECK-NOT: kernel.atomic_store
    // CHECK: gpu.return
    air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1}
        : (memref<31xf32>), memref<128xi32>, memref<128xi32>
    gpu.return
  }
}

// -----

// Ten lines: two by each store of a wave of 64 lanes, five stores.

gpu.module @ten {
  // CHECK-LABEL: gpu.func @ten
  gpu.func @ten(%src: memref<310xi32>, %peer: memref<416xi32>, %own: memref<416xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64, known_block_size = array<i32: 256, 1, 1>} {
    // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
    // CHECK-DAG: %[[C10:.*]] = arith.constant 10 : index
    // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
    // The first wave for all of the workgroup:
    // CHECK: %[[THREAD:.*]] = gpu.thread_id x
    // CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[THREAD]], %[[C64]]
    // CHECK: scf.if %[[FIRST]]
    // CHECK: kernel.fence system release
    // CHECK: scf.for %{{.*}} = %[[C0]] to %[[C10]] step %[[C2]]
    // CHECK-NOT: scf.for
    // CHECK: kernel.atomic_store system %{{.*}}, %{{.*}}[%{{.*}}] : i32
    // CHECK-NOT: kernel.atomic_store
    // CHECK: gpu.return
    air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 10}
        : (memref<310xi32>), memref<416xi32>, memref<416xi32>
    gpu.return
  }
}

// -----

// Each lane watches one line; then the words, then the credit.

gpu.module @receive {
  // CHECK-LABEL: gpu.func @receive
  gpu.func @receive(%dst: memref<310xi32>, %own: memref<416xi32>, %peer: memref<416xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64, known_block_size = array<i32: 64, 1, 1>} {
    // CHECK-DAG: %[[C10:.*]] = arith.constant 10 : index
    // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
    // CHECK-DAG: %[[C310:.*]] = arith.constant 310 : index
    // CHECK: %[[LANE:.*]] = gpu.lane_id
    // CHECK: kernel.atomic_add device
    // CHECK: %[[HAS_LINE:.*]] = arith.cmpi ult, %[[LANE]], %[[C10]]
    // CHECK: scf.if %[[HAS_LINE]]
    // CHECK: scf.while
    // CHECK: kernel.atomic_load system %{{.*}}[%{{.*}}] : i32
    // CHECK: kernel.fence system acquire
    // CHECK: scf.for %{{.*}} = %[[LANE]] to %[[C310]] step %[[C64]]
    // CHECK: kernel.atomic_load system %{{.*}}[%{{.*}}] : i32
    // CHECK: memref.store
    // CHECK: kernel.publish wave to system
    // CHECK: kernel.atomic_store system %{{.*}}, %{{.*}}[%{{.*}}] : i32
    air.message.receive (%dst[] [] []) through %own, %peer {depth = 1, lines = 10}
        : (memref<310xi32>), memref<416xi32>, memref<416xi32>
    gpu.return
  }
}

// -----

// Points of herds are lanes, of which there are five: the payload, then the flag.

gpu.module @few {
  // CHECK-LABEL: gpu.func @few
  gpu.func @few(%src: memref<31xi32>, %peer: memref<128xi32>, %own: memref<128xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.pe_is_lane, kernel.wave_size = 64 : i64, known_block_size = array<i32: 5, 1, 1>} {
    // CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
    // CHECK-DAG: %[[C31:.*]] = arith.constant 31 : index
    // CHECK: %[[LANE:.*]] = gpu.lane_id
    // CHECK: kernel.fence system acquire
    // CHECK: scf.for %{{.*}} = %[[LANE]] to %[[C31]] step %[[C5]]
    // CHECK: memref.load
    // CHECK: kernel.atomic_store system %{{.*}}, %{{.*}}[%{{.*}}] : i32
    // CHECK: kernel.publish wave to system
    // CHECK: scf.if
    // CHECK: kernel.atomic_store system %{{.*}}, %{{.*}}[%{{.*}}] : i32
    // CHECK-NOT: kernel.atomic_store
    // CHECK: gpu.return
    air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1}
        : (memref<31xi32>), memref<128xi32>, memref<128xi32>
    gpu.return
  }
}

// -----

// A message takes as many lines of its slot as it needs: two of ten. Receivers of
// several ranks share the count.

gpu.module @part {
  // CHECK-LABEL: gpu.func @part
  gpu.func @part(%dst: memref<62xi32>, %peer: memref<416xi32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64, known_block_size = array<i32: 64, 1, 1>} {
    // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
    // CHECK: kernel.atomic_add system %{{.*}}, %{{.*}}[%{{.*}}] : i32
    // CHECK: arith.cmpi ult, %{{.*}}, %[[C2]] : index
    // CHECK: scf.while
    // CHECK: kernel.fence system acquire
    air.message.receive (%dst[] [] []) through %peer, %peer {depth = 1, lines = 10, shared}
        : (memref<62xi32>), memref<416xi32>, memref<416xi32>
    gpu.return
  }
}
