// Layouts that users give to XeGPU ops are kept; the others follow from them, or are the target's
// default; where two disagree, there is a conversion.
// RUN: %aircc opt %s --split-input-file --layout-prepare-xegpu=target=%targets/bmg.json --layout-set-anchors=target=%targets/bmg.json --layout-propagate-layouts=target=%targets/bmg.json --layout-check-layouts=target=%targets/bmg.json | FileCheck %s

// The layout of the load is not the one that its consumer requires: the load keeps it.
#rows = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
// CHECK-DAG: #[[ROWS:.*]] = #layout.nested<subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 1], subgroup_strides = [1, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [2, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[B:.*]] = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [32, 1], subgroup_strides = [0, 1], thread_strides = [0, 1]>
// CHECK-DAG: #[[C:.*]] = #layout.nested<subgroup_tile = [2, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [2, 1], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @load_disagrees
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK: %[[LA:.*]] = xegpu.load_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>}> {layout.results = [#[[ROWS]]], layout.scope = #layout.scope<workgroup>}
// CHECK: %[[LB:.*]] = xegpu.load_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16], lane_layout = [1, 16], lane_data = [1, 1]>}> {layout.defaults = ["layout"], layout.results = [#[[B]]]
// CHECK: %[[ZERO:.*]] = arith.constant {layout.results = [#[[C]]]{{.*}}dense<0.0
// CHECK: %[[CA:.*]] = layout.to_layout %[[LA]] to layout(#[[A]])
// CHECK: xegpu.dpas %[[CA]], %[[LB]], %[[ZERO]] {layout.defaults = ["layout_b", "layout_cd"], layout.matrix_instruction = "dpas.f32.8x16x16.f16", layout.results = [#[[C]]]
// CHECK-SAME: layout_a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
// CHECK: xegpu.store_nd {{.*}}layout.defaults = ["layout"]
gpu.module @m {
  gpu.func @load_disagrees(%A: memref<32x32xf16>, %B: memref<32x32xf16>, %C: memref<32x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %db = xegpu.create_nd_tdesc %B : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %dc = xegpu.create_nd_tdesc %C : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %a = xegpu.load_nd %da[0, 0] <{layout = #rows}> : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %b = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %d = xegpu.dpas %a, %b {layout_a = #a} : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
    xegpu.store_nd %d, %dc[0, 0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

// Only the store has a layout: the product is computed in it.
#c = #xegpu.layout<sg_layout = [4, 2], sg_data = [8, 16]>
// CHECK-DAG: #[[C:.*]] = #layout.nested<subgroup_tile = [4, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 1], subgroup_strides = [2, 1], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @only_store
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.dpas {{.*}} {layout.defaults = ["layout_a", "layout_b", "layout_cd"], {{.*}}layout.results = [#[[C]]]
// CHECK: arith.addf {{.*}}layout.results = [#[[C]]]
// CHECK: xegpu.store_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [8, 16]>}> {layout.scope = #layout.scope<workgroup>}
gpu.module @m {
  gpu.func @only_store(%A: memref<32x32xf16>, %B: memref<32x32xf16>, %C: memref<32x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %db = xegpu.create_nd_tdesc %B : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %dc = xegpu.create_nd_tdesc %C : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %b = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %d = xegpu.dpas %a, %b : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
    %e = arith.addf %d, %d : vector<32x32xf32>
    xegpu.store_nd %e, %dc[0, 0] <{layout = #c}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

// No op has a layout: the size of the workgroup implies that its four subgroups share the vectors.
// The requirement of the dpas reaches the loads through a loop.
// CHECK-LABEL: gpu.func @nothing_said
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.load_nd {{.*}}sg_layout = [2, 2], sg_data = [16, 32]{{.*}}layout.defaults = ["layout"]
// CHECK: xegpu.load_nd {{.*}}sg_layout = [2, 2], sg_data = [32, 16]{{.*}}layout.defaults = ["layout"]
// CHECK: xegpu.dpas {{.*}}layout.matrix_instruction = "dpas.bf16.8x16x16.bf16"
// CHECK: xegpu.store_nd {{.*}}sg_layout = [2, 2], sg_data = [16, 16]{{.*}}layout.defaults = ["layout"]
gpu.module @m {
  gpu.func @nothing_said(%A: memref<32x256xbf16>, %B: memref<256x32xbf16>, %C: memref<32x32xbf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %da = xegpu.create_nd_tdesc %A : memref<32x256xbf16> -> !xegpu.tensor_desc<32x32xbf16>
    %db = xegpu.create_nd_tdesc %B : memref<256x32xbf16> -> !xegpu.tensor_desc<32x32xbf16>
    %dc = xegpu.create_nd_tdesc %C : memref<32x32xbf16> -> !xegpu.tensor_desc<32x32xbf16>
    %z = arith.constant dense<0.0> : vector<32x32xbf16>
    %r = scf.for %k = %c0 to %c256 step %c32 iter_args(%acc = %z) -> (vector<32x32xbf16>) {
      %a = xegpu.load_nd %da[%c0, %k] : !xegpu.tensor_desc<32x32xbf16> -> vector<32x32xbf16>
      %b = xegpu.load_nd %db[%k, %c0] : !xegpu.tensor_desc<32x32xbf16> -> vector<32x32xbf16>
      %d = xegpu.dpas %a, %b, %acc : vector<32x32xbf16>, vector<32x32xbf16>, vector<32x32xbf16> -> vector<32x32xbf16>
      scf.yield %d : vector<32x32xbf16>
    }
    xegpu.store_nd %r, %dc[0, 0] : vector<32x32xbf16>, !xegpu.tensor_desc<32x32xbf16>
    gpu.return
  }
}

// -----

// Only inst_data is given: vectors of one subgroup, with instructions of at most as many rows.
#i = #xegpu.layout<inst_data = [4, 16]>
// CHECK-LABEL: gpu.func @only_inst_data
// CHECK: layout.to_layout {{.*}} : vector<16x16xtf32>
// CHECK: xegpu.dpas {{.*}}layout.matrix_instruction = "dpas.f32.4x16x8.tf32"{{.*}}layout.scope = #layout.scope<wave>, layout_a = #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 1]>{{.*}}layout_cd = #xegpu.layout<inst_data = [4, 16]>
gpu.module @m {
  gpu.func @only_inst_data(%A: memref<16x16xtf32>, %B: memref<16x32xtf32>, %C: memref<16x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<16x16xtf32> -> !xegpu.tensor_desc<16x16xtf32>
    %db = xegpu.create_nd_tdesc %B : memref<16x32xtf32> -> !xegpu.tensor_desc<16x32xtf32>
    %dc = xegpu.create_nd_tdesc %C : memref<16x32xf32> -> !xegpu.tensor_desc<16x32xf32>
    %a = xegpu.load_nd %da[0, 0] <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : !xegpu.tensor_desc<16x16xtf32> -> vector<16x16xtf32>
    %b = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<16x32xtf32> -> vector<16x32xtf32>
    %d = xegpu.dpas %a, %b {layout_cd = #i} : vector<16x16xtf32>, vector<16x32xtf32> -> vector<16x32xf32>
    xegpu.store_nd %d, %dc[0, 0] : vector<16x32xf32>, !xegpu.tensor_desc<16x32xf32>
    gpu.return
  }
}

// -----

// Lanes alone, in the descriptors' types and in older spellings.
#l = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#v = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>
// CHECK-LABEL: gpu.func @only_lanes
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.load_nd {{.*}} <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> {layout.results = [#{{.*}}], layout.scope = #layout.scope<wave>}
// CHECK: xegpu.load_nd {{.*}} <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>}> {layout.results
// CHECK: xegpu.dpas {{.*}} {layout.defaults = ["layout_cd"]
// CHECK-NOT: anchor_layout
// CHECK: xegpu.store_nd {{.*}} <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> {layout.scope = #layout.scope<wave>}
gpu.module @m {
  gpu.func @only_lanes(%A: memref<8x16xf16>, %B: memref<16x16xf16>, %C: memref<8x16xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #l>
    %db = xegpu.create_nd_tdesc %B : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16, #v>
    %dc = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<8x16xf16, #l> -> vector<8x16xf16>
    %b = xegpu.load_nd %db[0, 0] <{layout = #v}> : !xegpu.tensor_desc<16x16xf16, #v> -> vector<16x16xf16>
    %d = xegpu.dpas %a, %b {anchor_layout_a = #l, anchor_layout_b = #v} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    xegpu.store_nd %d, %dc[0, 0] {anchor_layout = #l} : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// -----

// sg_layout * sg_data is smaller than the vector: subgroups take blocks cyclically.
#cyclic = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
// CHECK: #[[R:.*]] = #layout.nested<cycle_tile = [2, 2], subgroup_tile = [2, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [2, 1], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @round_robin
// CHECK: xegpu.load_nd {{.*}}layout.results = [#[[R]]]
// CHECK: math.exp {{.*}}layout.results = [#[[R]]]
// CHECK: xegpu.store_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16], lane_layout
gpu.module @m {
  gpu.func @round_robin(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %db = xegpu.create_nd_tdesc %B : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %a = xegpu.load_nd %da[0, 0] <{layout = #cyclic}> : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    %e = math.exp %a : vector<64x64xf32>
    xegpu.store_nd %e, %db[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }
}

// -----

// The same in a product: rows are cyclic in both, columns as in the accumulator.
#cyclic = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 16]>
// CHECK-DAG: #[[C:.*]] = #layout.nested<cycle_tile = [2, 1], subgroup_tile = [2, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 1], subgroup_strides = [2, 1], thread_strides = [0, 1]>
// CHECK-DAG: #[[A:.*]] = #layout.nested<cycle_tile = [2, 1], subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 1], subgroup_strides = [2, 0], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @product_in_turns
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.load_nd {{.*}}layout.results = [#[[A]]]
// CHECK: xegpu.dpas {{.*}}layout.results = [#[[C]]]
gpu.module @m {
  gpu.func @product_in_turns(%A: memref<32x16xf16>, %B: memref<16x32xf16>, %C: memref<32x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<32x16xf16> -> !xegpu.tensor_desc<32x16xf16>
    %db = xegpu.create_nd_tdesc %B : memref<16x32xf16> -> !xegpu.tensor_desc<16x32xf16>
    %dc = xegpu.create_nd_tdesc %C : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<32x16xf16> -> vector<32x16xf16>
    %b = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
    %d = xegpu.dpas %a, %b {layout_cd = #cyclic} : vector<32x16xf16>, vector<16x32xf16> -> vector<32x32xf32>
    xegpu.store_nd %d, %dc[0, 0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

// Slices: results of reductions, and operands of broadcasts.
#m = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32]>
// CHECK-DAG: #[[M:.*]] = #layout.nested<subgroup_tile = [4, 2], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [2, 1], thread_strides = [0, 1]>
// CHECK-DAG: #[[S:.*]] = #layout.nested<subgroup_tile = [4], batch_tile = [1], outer_tile = [1], thread_tile = [1], element_tile = [16], subgroup_strides = [2], thread_strides = [0]>
// CHECK-LABEL: gpu.func @slices
// CHECK-NOT: layout.to_layout
// CHECK-NOT: layout_result_0
// CHECK: vector.multi_reduction {{.*}}layout.results = [#[[S]]]
// CHECK: vector.broadcast {{.*}}layout.results = [#[[M]]]
// CHECK: arith.divf {{.*}}layout.results = [#[[M]]]
gpu.module @m {
  gpu.func @slices(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %db = xegpu.create_nd_tdesc %B : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %a = xegpu.load_nd %da[0, 0] <{layout = #m}> : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    %z = arith.constant dense<0.0> : vector<64xf32>
    %r = vector.multi_reduction <add>, %a, %z {layout_result_0 = #xegpu.slice<#m, dims = [1]>} [1] : vector<64x64xf32> to vector<64xf32>
    %s = vector.shape_cast %r : vector<64xf32> to vector<64x1xf32>
    %w = vector.broadcast %s {layout_result_0 = #m} : vector<64x1xf32> to vector<64x64xf32>
    %e = arith.divf %a, %w : vector<64x64xf32>
    xegpu.store_nd %e, %db[0, 0] <{layout = #m}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }
}

// -----

// A conversion of the user's, and layouts at operands, are conversions here.
#m = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
#n = #xegpu.layout<sg_layout = [1, 2], sg_data = [32, 16]>
// CHECK-DAG: #[[M:.*]] = #layout.nested<subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 1], subgroup_strides = [1, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[N:.*]] = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [32, 1], subgroup_strides = [0, 1], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @conversions
// CHECK: %[[A:.*]] = xegpu.load_nd {{.*}}layout.results = [#[[M]]]
// CHECK-NOT: xegpu.convert_layout
// CHECK: %[[T:.*]] = layout.to_layout %[[A]] to layout(#[[N]])
// CHECK: xegpu.store_matrix %[[T]]
// CHECK: %[[W:.*]] = xegpu.load_matrix {{.*}}layout.results = [#[[M]]]
// CHECK: %[[X:.*]] = layout.to_layout %[[W]] to layout(#[[N]])
// CHECK: arith.negf %[[X]] {layout.results = [#[[N]]]
gpu.module @m {
  gpu.func @conversions(%A: memref<32x32xf16>, %B: memref<32x32xf16>, %s: memref<2048xi8, 3>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %db = xegpu.create_nd_tdesc %B : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %c = xegpu.convert_layout %a <{input_layout = #m, target_layout = #n}> : vector<32x32xf16>
    %d = xegpu.create_mem_desc %s : memref<2048xi8, 3> -> !xegpu.mem_desc<32x32xf16>
    xegpu.store_matrix %c, %d[0, 0] : vector<32x32xf16>, !xegpu.mem_desc<32x32xf16>
    kernel.barrier workgroup
    %w = xegpu.load_matrix %d[0, 0] <{layout = #m}> : !xegpu.mem_desc<32x32xf16> -> vector<32x32xf16>
    %x = arith.negf %w {layout_operand_0 = #n} : vector<32x32xf16>
    xegpu.store_nd %x, %db[0, 0] : vector<32x32xf16>, !xegpu.tensor_desc<32x32xf16>
    gpu.return
  }
}

// -----

// The layout of a factor names two of eight subgroups: how much each holds, but not which ones hold
// copies. So both factors follow the result.
#a = #xegpu.layout<sg_layout = [2, 1], sg_data = [32, 16]>
#b = #xegpu.layout<sg_layout = [1, 4], sg_data = [16, 32]>
#c = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 32]>
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [32, 1], subgroup_strides = [4, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[B:.*]] = #layout.nested<subgroup_tile = [1, 4], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 1], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @fewer_subgroups
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.load_nd {{.*}}layout.results = [#[[A]]]
// CHECK: xegpu.load_nd {{.*}}layout.results = [#[[B]]]
// CHECK: xegpu.dpas
gpu.module @m {
  gpu.func @fewer_subgroups(%A: memref<64x16xf16>, %B: memref<16x128xf16>, %C: memref<64x128xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<64x16xf16> -> !xegpu.tensor_desc<64x16xf16>
    %db = xegpu.create_nd_tdesc %B : memref<16x128xf16> -> !xegpu.tensor_desc<16x128xf16>
    %dc = xegpu.create_nd_tdesc %C : memref<64x128xf32> -> !xegpu.tensor_desc<64x128xf32>
    %a = xegpu.load_nd %da[0, 0] <{layout = #a}> : !xegpu.tensor_desc<64x16xf16> -> vector<64x16xf16>
    %b = xegpu.load_nd %db[0, 0] <{layout = #b}> : !xegpu.tensor_desc<16x128xf16> -> vector<16x128xf16>
    %d = xegpu.dpas %a, %b {layout_a = #a, layout_b = #b, layout_cd = #c} : vector<64x16xf16>, vector<16x128xf16> -> vector<64x128xf32>
    xegpu.store_nd %d, %dc[0, 0] <{layout = #c}> : vector<64x128xf32>, !xegpu.tensor_desc<64x128xf32>
    gpu.return
  }
}
