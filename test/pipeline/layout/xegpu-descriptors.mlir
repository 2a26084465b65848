// Descriptors of XeGPU give their offsets to the accesses.
// RUN: %aircc opt %s --split-input-file --layout-prepare-xegpu=target=%targets/bmg.json --canonicalize | FileCheck %s

#l = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>

// An offset that a loop carries and increments is added to the offsets of the accesses.
// CHECK-LABEL: gpu.func @carried
// CHECK-SAME: %[[M:.*]]: memref<256x256xf32>, %[[X:.*]]: index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[D:.*]] = xegpu.create_nd_tdesc %[[M]] : memref<256x256xf32>
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[K:.*]] = %[[C0]], %{{.*}} = %{{.*}}) -> (index, vector<32x32xf32>)
// CHECK: %[[K8:.*]] = arith.addi %[[K]], %{{.*}} : index
// CHECK: xegpu.load_nd %[[D]][%[[X]], %[[K8]]]{{.*}}layout.scope = #layout.scope<workgroup>
// CHECK: xegpu.prefetch_nd %[[D]][%[[X]], %[[K]]]
// CHECK: %[[N:.*]] = arith.addi %[[K]], %[[C16]]
// CHECK: scf.yield %[[N]], %{{.*}} : index, vector<32x32xf32>
// CHECK: xegpu.store_nd %[[R]]#1, %[[D]][%[[X]], %[[R]]#0]
gpu.module @m {
  gpu.func @carried(%m: memref<256x256xf32>, %x: index) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant dense<0.0> : vector<32x32xf32>
    %d = xegpu.create_nd_tdesc %m[%x, %c0] : memref<256x256xf32> -> !xegpu.tensor_desc<32x32xf32>
    %r:2 = scf.for %k = %c0 to %c64 step %c16 iter_args(%i = %d, %s = %z) -> (!xegpu.tensor_desc<32x32xf32>, vector<32x32xf32>) {
      %v = xegpu.load_nd %i[0, 8] <{layout = #l}> : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
      xegpu.prefetch_nd %i : !xegpu.tensor_desc<32x32xf32>
      %t = arith.addf %s, %v : vector<32x32xf32>
      %n = xegpu.update_nd_offset %i, [%c0, %c16] : !xegpu.tensor_desc<32x32xf32>
      scf.yield %n, %t : !xegpu.tensor_desc<32x32xf32>, vector<32x32xf32>
    }
    xegpu.store_nd %r#1, %r#0 : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

#l = #xegpu.layout<sg_layout = [2], sg_data = [16]>

// Scattered: offsets are vectors; an atomic keeps a descriptor of its own.
// CHECK-LABEL: gpu.func @scattered
// CHECK-SAME: %[[M:.*]]: memref<1024xf32>, %[[O:.*]]: vector<32xindex>, %[[K:.*]]: vector<32xi1>
// CHECK: %[[S:.*]] = arith.addi %[[O]], %{{.*}} : vector<32xindex>
// CHECK: xegpu.prefetch %[[M]][%[[S]]]
// CHECK: xegpu.load %[[M]][%[[S]]], %[[K]] <{layout = #xegpu.layout<sg_layout = [2], sg_data = [16]>}> {layout.scope = #layout.scope<workgroup>}
// CHECK: xegpu.store %{{.*}}, %[[M]][%[[O]]], %[[K]]
// CHECK: %[[D:.*]] = xegpu.create_tdesc %[[M]], %[[S]] {layout.scope = #layout.scope<workgroup>}
// CHECK: xegpu.atomic_rmw addf %[[D]]
// CHECK: xegpu.load %[[M]][%[[O]]], %[[K]] <{chunk_size = 4 : i64}>
gpu.module @m {
  gpu.func @scattered(%m: memref<1024xf32>, %o: vector<32xindex>, %k: vector<32xi1>) kernel {
    %c = arith.constant dense<16> : vector<32xindex>
    %d = xegpu.create_tdesc %m, %o : memref<1024xf32>, vector<32xindex> -> !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>
    %e = xegpu.update_offset %d, %c : !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>, vector<32xindex>
    %f = xegpu.create_tdesc %m, %o : memref<1024xf32>, vector<32xindex> -> !xegpu.tensor_desc<32x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>
    xegpu.prefetch %e : !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>
    %x = xegpu.load %e, %k <{layout = #l}> : !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>, vector<32xi1> -> vector<32xf32>
    xegpu.store %x, %d, %k : vector<32xf32>, !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>, vector<32xi1>
    %r = xegpu.atomic_rmw addf %e, %k, %x : !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>, vector<32xi1>, vector<32xf32> -> vector<32xf32>
    %y = xegpu.load %f, %k : !xegpu.tensor_desc<32x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, vector<32xi1> -> vector<32x4xf32>
    xegpu.store %y, %m[%o], %k <{chunk_size = 4 : i64}> : vector<32x4xf32>, memref<1024xf32>, vector<32xindex>, vector<32xi1>
    gpu.return
  }
}

// -----

// The results of a branch, if both descriptors are of one memory; dimensions that the descriptor
// lacks keep their offsets.
// CHECK-LABEL: gpu.func @chosen
// CHECK-SAME: %[[M:.*]]: memref<4x256x256xf32>, %[[I:.*]]: i1, %[[X:.*]]: index
// CHECK: %[[D:.*]] = xegpu.create_nd_tdesc %[[M]][%[[X]], 0, 0]
// CHECK: %[[R:.*]] = scf.if %[[I]] -> (index)
// CHECK: %[[X7:.*]] = arith.addi %[[X]], %{{.*}}
// CHECK: scf.yield %[[X7]]
// CHECK: scf.yield %[[X]]
// CHECK: xegpu.load_nd %[[D]][%[[R]], %{{.*}}]
gpu.module @m {
  gpu.func @chosen(%m: memref<4x256x256xf32>, %i: i1, %x: index) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %d = xegpu.create_nd_tdesc %m[%x, %x, %c0] : memref<4x256x256xf32> -> !xegpu.tensor_desc<8x16xf32>
    %r = scf.if %i -> (!xegpu.tensor_desc<8x16xf32>) {
      %e = xegpu.update_nd_offset %d, [%c7, %c0] : !xegpu.tensor_desc<8x16xf32>
      scf.yield %e : !xegpu.tensor_desc<8x16xf32>
    } else {
      scf.yield %d : !xegpu.tensor_desc<8x16xf32>
    }
    %v = xegpu.load_nd %r : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %d : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// -----

// In code of lanes too: scopes are for others, offsets are the lane's own.
// CHECK-LABEL: gpu.func @of_lanes
// CHECK-SAME: %[[M:.*]]: memref<256x256xf32>, %[[F:.*]]: memref<256xf32>, %[[X:.*]]: index, %[[O:.*]]: vector<16xindex>, %[[K:.*]]: vector<16xi1>
// CHECK: %[[D:.*]] = xegpu.create_nd_tdesc %[[M]] :
// CHECK: xegpu.load_nd %[[D]][%[[X]], %[[X]]] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
// CHECK: %[[Y:.*]] = arith.addi %[[X]]
// CHECK: xegpu.store_nd %{{.*}}, %[[D]][%[[Y]], %[[X]]] : vector<8xf32>
// CHECK: %[[L:.*]] = gpu.lane_id
// CHECK: vector.extract %[[O]][%[[L]]]
// CHECK: vector.extract %[[K]][%[[L]]]
// CHECK: xegpu.load %[[F]][%{{.*}}], %{{.*}} <{chunk_size = 2 : i64}> : memref<256xf32>, vector<1xindex>, vector<1xi1> -> vector<2xf32>
// CHECK-NOT: layout.scope
gpu.module @m {
  gpu.func @of_lanes(%m: memref<256x256xf32>, %f: memref<256xf32>, %x: index, %o: vector<16xindex>, %k: vector<16xi1>) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %d = xegpu.create_nd_tdesc %m[%x, %x] : memref<256x256xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %d : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    %e = xegpu.update_nd_offset %d, [%c8, %c0] : !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %v, %e : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    %s = xegpu.create_tdesc %f, %o : memref<256xf32>, vector<16xindex> -> !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
    %w = xegpu.load %s, %k : !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<16xi1> -> vector<2xf32>
    xegpu.store %w, %s, %k : vector<2xf32>, !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<16xi1>
    gpu.return
  }
}

// -----

// The block size of the launches counts.
// CHECK-LABEL: gpu.func @launched
// CHECK-SAME: known_block_size = array<i32: 16, 4, 1>
// CHECK: xegpu.load_nd {{.*}}layout.scope = #layout.scope<workgroup>
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @launched(%m: memref<64x64xf32>) kernel {
      %d = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
      %v = xegpu.load_nd %d[0, 0] : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
      xegpu.store_nd %v, %d[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
      gpu.return
    }
  }
  func.func @launch(%m: memref<64x64xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @m::@launched blocks in (%c1, %c1, %c1) threads in (%c16, %c4, %c1) args(%m : memref<64x64xf32>)
    return
  }
}
