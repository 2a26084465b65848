// With the option `remarks`, passes explain each anchor and each conversion.
// RUN: split-file %s %t
// RUN: %aircc opt %t/amd.mlir --verify-diagnostics --layout-set-anchors="target=%targets/gfx942.json remarks=true" --layout-propagate-layouts="target=%targets/gfx942.json remarks=true"
// RUN: %aircc opt %t/given.mlir --verify-diagnostics --layout-set-anchors="target=%targets/gfx942.json remarks=true"
// RUN: %aircc opt %t/scaled.mlir --verify-diagnostics --layout-set-anchors="target=%targets/gfx950.json remarks=true"
// RUN: %aircc opt %t/intel.mlir --verify-diagnostics --layout-prepare-xegpu="target=%targets/bmg.json remarks=true" --layout-set-anchors="target=%targets/bmg.json remarks=true" --layout-propagate-layouts="target=%targets/bmg.json remarks=true"

//--- amd.mlir
gpu.module @m {
  gpu.func @transposed(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    // expected-remark @below {{anchor: adjacent lanes access adjacent memory, #layout.nested<subgroup_tile = [1, 1], batch_tile = [16, 1]}}
    %r = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    // expected-note @below {{the value is defined and converted here}}
    %t = vector.transpose %r, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    // expected-remark @below {{conversion within a wave: 'vector<64x64xf32>' from #layout.nested<}}
    vector.transfer_write %t, %b[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

//--- given.mlir
#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @m {
  gpu.func @contraction(%x: memref<16x16xf16>, %out: memref<16x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %v = vector.transfer_read %x[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %a = layout.to_layout %v to layout(#a) : vector<16x16xf16>
    %b = layout.to_layout %v to layout(#b) : vector<16x16xf16>
    %c = layout.to_layout %zero to layout(#b) : vector<16x16xf32>
    // expected-remark @below {{anchor: the layouts of the operands are taken from the instruction mfma.f32.16x16x16f16}}
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c
         : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}

//--- scaled.mlir
gpu.module @m {
  gpu.func @scaled(%a: memref<16x128xf8E4M3FN>, %c: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %none = arith.constant 0.0 : f8E4M3FN
    %v = vector.transfer_read %a[%c0, %c0], %none {in_bounds = [true, true]} : memref<16x128xf8E4M3FN>, vector<16x128xf8E4M3FN>
    %ones = arith.constant dense<1.0> : vector<16x128xf8E8M0FNU>
    %y = arith.scaling_extf %v, %ones : vector<16x128xf8E4M3FN>, vector<16x128xf8E8M0FNU> to vector<16x128xf32>
    %sums = arith.constant dense<0.0> : vector<16x16xf32>
    // expected-remark @below {{anchor: mfma.scale.f32.16x16x128.f8f6f4.fp8.fp8.f8E4M3FN.f8E4M3FN, with scale blocks of 32}}
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %y, %y, %sums
        : vector<16x128xf32>, vector<16x128xf32> into vector<16x16xf32>
    vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}

//--- intel.mlir
#t = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32], order = [1, 0]>
gpu.module @m {
  gpu.func @transposed_store(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %db = xegpu.create_nd_tdesc %B : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    // expected-remark @below {{anchor: default layout, #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16]}}
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    %t = vector.transpose %a, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    // expected-remark @below {{anchor: the user's layout, #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32], order = [1, 0]>}}
    xegpu.store_nd %t, %db[0, 0] <{layout = #t}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }
}
