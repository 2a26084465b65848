// The check of layouts that are there already.
// RUN: %aircc opt %s --split-input-file --verify-diagnostics --layout-check-layouts=target=%targets/gfx942.json

#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>
gpu.module @m {
  gpu.func @elementwise(%a: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    // expected-note @below {{operand 0 has #layout.nested}}
    // expected-note @below {{operand 1 has #layout.nested}}
    %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf32>, vector<8x16xf32>
    // expected-error @below {{'arith.addf' op has incompatible layouts: a lane cannot compute its elements of the result from its elements of the operands}}
    // expected-note @below {{result 0 has #layout.nested}}
    %w = arith.addf %v, %v {layout.results = [#t]} : vector<8x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @without(%a: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'vector.load' op has a wave-level vector as result 0, but no layout for it}}
    %v = vector.load %a[%c0, %c0] : memref<8x16xf32>, vector<8x16xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [8, 1]>
gpu.module @m {
  gpu.func @misfit(%a: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'vector.load' op has an invalid layout: }}
    %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf32>, vector<8x16xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>
gpu.module @m {
  gpu.func @loop(%a: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf32>, vector<8x16xf32>
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %v) -> vector<8x16xf32> {
      %y = vector.load %a[%c0, %c0] {layout.results = [#t]} : memref<8x16xf32>, vector<8x16xf32>
      // expected-error @below {{'scf.yield' op passes #layout.nested}}
      scf.yield %y : vector<8x16xf32>
    } {layout.results = [#l]}
    gpu.return
  }
}

// -----

#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
gpu.module @m {
  gpu.func @instruction(%a: memref<16x16xf16>, %b: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%c0, %c0] {layout.results = [#a]} : memref<16x16xf16>, vector<16x16xf16>
    %z = vector.load %b[%c0, %c0] {layout.results = [#a]} : memref<16x16xf32>, vector<16x16xf32>
    // expected-error @below {{has operands whose layouts do not match "mfma.f32.16x16x16f16" of gfx942}}
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %z {layout.matrix_instruction = "mfma.f32.16x16x16f16", layout.results = [#a]}
         : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    gpu.return
  }
}

// -----

// The right operand's columns are not in the order of the result's.
#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 4], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#c = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @m {
  gpu.func @order(%a: memref<16x16xf16>, %b: memref<16x64xf16>, %c: memref<16x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%c0, %c0] {layout.results = [#a]} : memref<16x16xf16>, vector<16x16xf16>
    %y = vector.load %b[%c0, %c0] {layout.results = [#b]} : memref<16x64xf16>, vector<16x64xf16>
    %z = vector.load %c[%c0, %c0] {layout.results = [#c]} : memref<16x64xf32>, vector<16x64xf32>
    // expected-error @below {{has operands whose layouts do not match "mfma.f32.16x16x16f16" of gfx942}}
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z {layout.matrix_instruction = "mfma.f32.16x16x16f16", layout.results = [#c]}
         : vector<16x16xf16>, vector<16x64xf16> into vector<16x64xf32>
    gpu.return
  }
}

// -----

// Two waves share the reduced dimension: the instruction does not add up their results.
#a = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 1], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [1, 0], thread_strides = [16, 1]>
#c = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @m {
  gpu.func @waves(%a: memref<16x32xf16>, %b: memref<32x16xf16>, %c: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%c0, %c0] {layout.results = [#a]} : memref<16x32xf16>, vector<16x32xf16>
    %y = vector.load %b[%c0, %c0] {layout.results = [#b]} : memref<32x16xf16>, vector<32x16xf16>
    %z = vector.load %c[%c0, %c0] {layout.results = [#c]} : memref<16x16xf32>, vector<16x16xf32>
    // expected-error @below {{has operands whose layouts do not match "mfma.f32.16x16x16f16" of gfx942}}
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z {layout.matrix_instruction = "mfma.f32.16x16x16f16", layout.results = [#c]}
         : vector<16x32xf16>, vector<32x16xf16> into vector<16x16xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#m = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [2, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
gpu.module @m {
  gpu.func @no_accumulator(%a: memref<8x16xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf16>, vector<8x16xf16>
    %w = vector.load %a[%c0, %c0] {layout.results = [#m]} : memref<8x16xf16>, vector<16x16xf16>
    // expected-error @below {{has 'layout.matrix_instruction', but is not a contraction with an accumulator}}
    %x = xegpu.dpas %v, %w {layout.results = [#l], layout.matrix_instruction = "mfma.f32.16x16x16f16"} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>
gpu.module @m {
  gpu.func @loop(%a: memref<8x16xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf32>, vector<8x16xf32>
    // expected-error-re @below {{'scf.for' op passes #layout.nested<{{.*}} as operand 3, but 'scf.for' expects the layout #layout.nested<{{.*}}>}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> (vector<8x16xf32>) {
      scf.yield %x : vector<8x16xf32>
    } {layout.results = [#t]}
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>
gpu.module @m {
  gpu.func @anchor(%a: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf32>, vector<8x16xf32>
    // expected-error @below {{'layout.to_layout' op has a result whose layout differs from its 'layout' attribute}}
    %w = layout.to_layout %v to layout(#t) {layout.results = [#l]} : vector<8x16xf32>
    gpu.return
  }
}
