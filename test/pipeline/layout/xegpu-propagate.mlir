// Layouts of XeGPU ops are propagated through other ops: forward from user constraints, backward
// from the operands of instructions.
// RUN: %aircc opt %s --layout-prepare-xegpu=target=%targets/bmg.json --layout-set-anchors=target=%targets/bmg.json --layout-propagate-layouts=target=%targets/bmg.json --layout-check-layouts=target=%targets/bmg.json | FileCheck %s

// CHECK-DAG: #[[TILE:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[SQUARE:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[TURNED:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 16], subgroup_strides = [0, 0], thread_strides = [1, 0]>
// CHECK-DAG: #[[BYTES:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[LANES:.*]] = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
// CHECK-DAG: #[[CHUNKS:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [1, 0]>
// CHECK-DAG: #[[HALF:.*]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [1, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[PAIR:.*]] = #layout.nested<subgroup_tile = [1, 2, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [1, 1, 16], element_tile = [2, 16, 1], subgroup_strides = [0, 1, 0], thread_strides = [0, 0, 1]>

#l = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
gpu.module @m {
  // A product with a transposed factor: the user's layout of the load is kept, and the layout of
  // the instruction is created after the transpose.
  // CHECK-LABEL: gpu.func @transposed_b
  // CHECK: %[[B:.*]] = xegpu.load_nd {{.*}} <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> {layout.results = [#[[SQUARE]]], layout.scope = #layout.scope<wave>} : !xegpu.tensor_desc<16x16xf16>
  // CHECK: %[[T:.*]] = vector.transpose %[[B]], [1, 0] {layout.results = [#[[TURNED]]]
  // CHECK: %[[C:.*]] = layout.to_layout %[[T]] to layout(#[[SQUARE]])
  // CHECK: xegpu.dpas %{{.*}}, %[[C]],
  gpu.func @transposed_b(%A: memref<8x16xf16>, %B: memref<16x16xf16>, %C: memref<8x16xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %db = xegpu.create_nd_tdesc %B : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %dc = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %b = xegpu.load_nd %db[0, 0] <{layout = #l}> : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %t = vector.transpose %b, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
    %d = xegpu.dpas %a, %t : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    xegpu.store_nd %d, %dc[0, 0] <{layout = #l}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
  // Words that are bitcast to bytes: each lane already holds the bytes that the instruction
  // requires.
  // CHECK-LABEL: gpu.func @bitcast
  // CHECK: xegpu.load_nd {{.*}}layout.results = [#[[TILE]]]{{.*}} vector<8x16xi16>
  // CHECK-NOT: layout.to_layout
  // CHECK: vector.bitcast {{.*}}layout.results = [#[[BYTES]]]
  // CHECK: xegpu.dpas {{.*}}layout.matrix_instruction = "dpas.i32.8x16x32.i8"{{.*}}layout_a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 2]>
  gpu.func @bitcast(%A: memref<8x16xi16>, %B: memref<32x16xi8>, %C: memref<8x16xi32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %da = xegpu.create_nd_tdesc %A : memref<8x16xi16> -> !xegpu.tensor_desc<8x16xi16>
    %db = xegpu.create_nd_tdesc %B : memref<32x16xi8> -> !xegpu.tensor_desc<32x16xi8>
    %dc = xegpu.create_nd_tdesc %C : memref<8x16xi32> -> !xegpu.tensor_desc<8x16xi32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<8x16xi16> -> vector<8x16xi16>
    %b = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<32x16xi8> -> vector<32x16xi8>
    %t = vector.bitcast %a : vector<8x16xi16> to vector<8x32xi8>
    %d = xegpu.dpas %t, %b : vector<8x32xi8>, vector<32x16xi8> -> vector<8x16xi32>
    xegpu.store_nd %d, %dc[0, 0] : vector<8x16xi32>, !xegpu.tensor_desc<8x16xi32>
    gpu.return
  }
  // A factor of chunks that lanes gather, and its offsets.
  // CHECK-LABEL: gpu.func @gather
  // CHECK-NOT: layout.to_layout
  // CHECK: vector.step {layout.results = [#[[LANES]]]
  // CHECK: arith.addi {{.*}}layout.results = [#[[LANES]]]
  // CHECK: xegpu.load {{.*}}layout = #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 2]>}> {layout.results = [#[[CHUNKS]]]
  // CHECK: vector.transpose {{.*}}layout.results = [#[[TILE]]]
  // CHECK: xegpu.dpas
  gpu.func @gather(%A: memref<1024xf16>, %B: memref<16x16xf16>, %C: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %o = vector.step : vector<16xindex>
    %k = arith.constant dense<true> : vector<16xi1>
    %db = xegpu.create_nd_tdesc %B : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %dc = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %o2 = arith.addi %o, %o : vector<16xindex>
    %g = xegpu.load %A[%o2], %k <{chunk_size = 8 : i64, layout = #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 2]>}> : memref<1024xf16>, vector<16xindex>, vector<16xi1> -> vector<16x8xf16>
    %a = vector.transpose %g, [1, 0] : vector<16x8xf16> to vector<8x16xf16>
    %b = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %d = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    xegpu.store_nd %d, %dc[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
  // Down the columns within lanes; along the rows with a conversion, so that each lane stores one
  // sum.
  // CHECK-LABEL: gpu.func @reductions
  // CHECK: %[[A:.*]] = xegpu.load_nd {{.*}}layout.results = [#[[SQUARE]]]
  // CHECK: %[[R:.*]] = layout.to_layout %[[A]] to layout(#[[TURNED]])
  // CHECK: vector.multi_reduction <add>, %[[A]], {{.*}}layout.results = [#[[LANES]]]{{.*}} [0]
  // CHECK: vector.multi_reduction <add>, %[[R]], {{.*}}layout.results = [#[[LANES]]]{{.*}} [1]
  // CHECK: xegpu.store {{.*}} <{layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>}> {layout.scope
  // CHECK: xegpu.store {{.*}}layout.defaults = ["layout"]
  gpu.func @reductions(%A: memref<16x16xf32>, %C: memref<16xf32>, %D: memref<16xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32>
    %a = xegpu.load_nd %da[0, 0] <{layout = #l}>: !xegpu.tensor_desc<16x16xf32> -> vector<16x16xf32>
    %z = arith.constant dense<0.0> : vector<16xf32>
    %r = vector.multi_reduction <add>, %a, %z [0] : vector<16x16xf32> to vector<16xf32>
    %c = vector.multi_reduction <add>, %a, %z [1] : vector<16x16xf32> to vector<16xf32>
    %o = vector.step : vector<16xindex>
    %k = arith.constant dense<true> : vector<16xi1>
    xegpu.store %r, %C[%o], %k <{layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>}> : vector<16xf32>, memref<16xf32>, vector<16xindex>, vector<16xi1>
    xegpu.store %c, %D[%o], %k : vector<16xf32>, memref<16xf32>, vector<16xindex>, vector<16xi1>
    gpu.return
  }
  // Two blocks side by side, and tiles that a loop carries.
  // CHECK-LABEL: gpu.func @carried
  // CHECK-NOT: layout.to_layout
  // CHECK: arith.constant {layout.results = [#[[HALF]]]
  // CHECK: xegpu.load_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [2, 1], sg_data = [16, 16]>}> {layout.results = [#[[PAIR]]]
  // CHECK: vector.extract {{.*}}[0] {layout.results = [#[[HALF]]]
  // CHECK: arith.addf {{.*}}layout.results = [#[[HALF]]]
  // CHECK: xegpu.store_nd {{.*}}sg_layout = [2, 1], sg_data = [16, 16], lane_layout
  gpu.func @carried(%A: memref<64x64xf16>, %C: memref<32x32xf16>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %da = xegpu.create_nd_tdesc %A : memref<64x64xf16> -> !xegpu.tensor_desc<32x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
    %dc = xegpu.create_nd_tdesc %C : memref<32x32xf16> -> !xegpu.tensor_desc<32x16xf16>
    %z = arith.constant dense<0.0> : vector<32x16xf16>
    %r:2 = scf.while (%i = %c0, %v = %z) : (index, vector<32x16xf16>) -> (index, vector<32x16xf16>) {
      %t = arith.cmpi ult, %i, %n : index
      scf.condition(%t) %i, %v : index, vector<32x16xf16>
    } do {
    ^bb0(%i: index, %v: vector<32x16xf16>):
      %a = xegpu.load_nd %da[%i, 0] <{layout = #xegpu.layout<sg_layout = [2, 1], sg_data = [16, 16]>}>: !xegpu.tensor_desc<32x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<2x32x16xf16>
      %x = vector.extract %a[0] : vector<32x16xf16> from vector<2x32x16xf16>
      %y = vector.extract %a[1] : vector<32x16xf16> from vector<2x32x16xf16>
      %s = arith.addf %x, %y : vector<32x16xf16>
      %q = arith.addf %v, %s : vector<32x16xf16>
      %j = arith.addi %i, %c16 : index
      scf.yield %j, %q : index, vector<32x16xf16>
    }
    xegpu.store_nd %r#1, %dc[0, 0] : vector<32x16xf16>, !xegpu.tensor_desc<32x16xf16>
    gpu.return
  }
}
