// Contractions get the target's matrix instructions.
// RUN: %aircc opt %s --split-input-file --layout-set-anchors=target=%targets/gfx942.json --layout-propagate-layouts=target=%targets/gfx942.json --layout-check-layouts=target=%targets/gfx942.json | FileCheck %s
// RUN: %aircc opt %s --split-input-file --layout-set-anchors=target=%targets/gfx950.json --layout-propagate-layouts=target=%targets/gfx950.json --layout-check-layouts=target=%targets/gfx950.json | FileCheck %s --check-prefix=GFX950

// Four waves share the result as 2 x 2. Operands are read directly in the layout
// that the instruction requires: 128 bits per lane, for two instructions.
// CHECK-DAG: #[[C:.*]] = #layout.nested<subgroup_tile = [2, 2], batch_tile = [4, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [4, 1], subgroup_strides = [2, 1], thread_strides = [32, 1]>
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [32, 2], element_tile = [1, 8], subgroup_strides = [2, 0], thread_strides = [1, 32]>
// CHECK-DAG: #[[B:.*]] = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [8, 1], subgroup_strides = [0, 1], thread_strides = [32, 1]>
// CHECK-LABEL: gpu.func @f16
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[A]]]
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[B]]]
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[C]]]
// CHECK: vector.contract {{.*}} {layout.matrix_instruction = "mfma.f32.32x32x8f16", layout.results = [#[[C]]]
// GFX950-LABEL: gpu.func @f16
// GFX950: layout.matrix_instruction = "mfma.f32.32x32x16.f16"
gpu.module @m {
  gpu.func @f16(%a: memref<64x16xf16, #gpu.address_space<workgroup>>, %b: memref<16x64xf16, #gpu.address_space<workgroup>>, %c: memref<64x64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %f = arith.constant 0.0 : f32
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x16xf16, #gpu.address_space<workgroup>>, vector<64x16xf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x64xf16, #gpu.address_space<workgroup>>, vector<16x64xf16>
    %z = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x64xf32, #gpu.address_space<workgroup>>, vector<64x64xf32>
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z
         : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// The operands' dimensions in another order: their layouts are transposed. A
// single wave uses the larger instruction.
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [32, 1]>
// CHECK-LABEL: gpu.func @transposed
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[A]]]
// CHECK: layout.matrix_instruction = "mfma.f32.32x32x8bf16.1k"
gpu.module @m {
  gpu.func @transposed(%a: memref<8x32xbf16, #gpu.address_space<workgroup>>, %b: memref<32x8xbf16, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : bf16
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<8x32xbf16, #gpu.address_space<workgroup>>, vector<8x32xbf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<32x8xbf16, #gpu.address_space<workgroup>>, vector<32x8xbf16>
    %z = arith.constant dense<0.0> : vector<32x32xf32>
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z
         : vector<8x32xbf16>, vector<32x8xbf16> into vector<32x32xf32>
    vector.print %d : vector<32x32xf32>
    gpu.return
  }
}

// -----

// Batches are distributed over waves like any dimension; here the smaller instruction fits, and
// extending the factors is left to the instruction.
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [4, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [1, 16, 4], element_tile = [1, 1, 8], subgroup_strides = [1, 0, 0], thread_strides = [0, 1, 16]>
// CHECK-LABEL: gpu.func @batch
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[A]]]{{.*}} vector<4x16x32xi8>
// CHECK: vector.contract {{.*}} {layout.matrix_instruction = "mfma.i32.16x16x32.i8"{{.*}} : vector<4x16x32xi8>, vector<4x32x16xi8> into vector<4x16x16xi32>
gpu.module @m {
  gpu.func @batch(%a: memref<4x16x32xi8, #gpu.address_space<workgroup>>, %b: memref<4x32x16xi8, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0 : i8
    %x = vector.transfer_read %a[%c0, %c0, %c0], %h {in_bounds = [true, true, true]} : memref<4x16x32xi8, #gpu.address_space<workgroup>>, vector<4x16x32xi8>
    %y = vector.transfer_read %b[%c0, %c0, %c0], %h {in_bounds = [true, true, true]} : memref<4x32x16xi8, #gpu.address_space<workgroup>>, vector<4x32x16xi8>
    %xw = arith.extsi %x : vector<4x16x32xi8> to vector<4x16x32xi32>
    %yw = arith.extsi %y : vector<4x32x16xi8> to vector<4x32x16xi32>
    %z = arith.constant dense<0> : vector<4x16x16xi32>
    %d = vector.contract {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xw, %yw, %z
         : vector<4x16x32xi32>, vector<4x32x16xi32> into vector<4x16x16xi32>
    vector.print %d : vector<4x16x16xi32>
    gpu.return
  }
}

// -----

// An instruction that keeps all waves busy is preferred to a larger one.
// CHECK-LABEL: gpu.func @busy_waves
// CHECK: layout.matrix_instruction = "mfma.f32.16x16x4f32"
gpu.module @m {
  gpu.func @busy_waves(%x: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %f = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %f {in_bounds = [true, true]} : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<32x32xf32>
    %z = arith.constant dense<0.0> : vector<32x32xf32>
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %v, %z
         : vector<32x32xf32>, vector<32x32xf32> into vector<32x32xf32>
    vector.print %d : vector<32x32xf32>
    gpu.return
  }
}

// -----

// The user's own layouts of a matrix instruction are recognized.
#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
// CHECK-LABEL: gpu.func @by_the_user
// CHECK: layout.matrix_instruction = "mfma.f32.16x16x16f16"
gpu.module @m {
  gpu.func @by_the_user(%a: memref<16x16xf16, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %v = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x16xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
    %z = arith.constant dense<0.0> : vector<16x16xf32>
    %x = layout.to_layout %v to layout(#a) : vector<16x16xf16>
    %y = layout.to_layout %v to layout(#b) : vector<16x16xf16>
    %w = layout.to_layout %z to layout(#b) : vector<16x16xf32>
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %w
         : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.print %d : vector<16x16xf32>
    gpu.return
  }
}

// -----

// Each lane computes contractions that no instruction supports: a maximum of products, a size of 5,
// a mask.
// CHECK-LABEL: gpu.func @without_instruction
// CHECK-NOT: layout.matrix_instruction
gpu.module @m {
  gpu.func @without_instruction(%a: memref<16x16xf32, #gpu.address_space<workgroup>>, %b: memref<16x5xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %f = arith.constant 0.0 : f32
    %x = vector.transfer_read %a[%c0, %c0], %f {in_bounds = [true, true]} : memref<16x16xf32, #gpu.address_space<workgroup>>, vector<16x16xf32>
    %y = vector.transfer_read %b[%c0, %c0], %f {in_bounds = [true, true]} : memref<16x5xf32, #gpu.address_space<workgroup>>, vector<16x5xf32>
    %z = arith.constant dense<0.0> : vector<16x16xf32>
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %x, %x, %z
         : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
    vector.print %d : vector<16x16xf32>
    %z5 = arith.constant dense<0.0> : vector<16x5xf32>
    %e = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z5
         : vector<16x16xf32>, vector<16x5xf32> into vector<16x5xf32>
    vector.print %e : vector<16x5xf32>
    %m = vector.constant_mask [4, 16, 16] : vector<16x16x16xi1>
    %g = vector.mask %m { vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %z
         : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32> } : vector<16x16x16xi1> -> vector<16x16xf32>
    vector.print %g : vector<16x16xf32>
    %v = vector.transfer_read %a[%c0, %c0], %f {in_bounds = [true]} : memref<16x16xf32, #gpu.address_space<workgroup>>, vector<16xf32>
    %z1 = arith.constant dense<0.0> : vector<16xf32>
    %h = vector.contract {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>],
         iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %v, %z1
         : vector<16x16xf32>, vector<16xf32> into vector<16xf32>
    vector.print %h : vector<16xf32>
    %s = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
         iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %f : vector<16xf32>, vector<16xf32> into f32
    memref.store %s, %a[%c0, %c0] : memref<16x16xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// The order of repetitions is free where the operands agree: here a lane has
// eight neighboring values of k, for two instructions, and four neighboring
// columns, one for each of four instructions. The accumulator's anchor stands
// before the loop.
#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [8, 4], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#c = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 4], subgroup_strides = [0, 0], thread_strides = [16, 1]>
// CHECK-LABEL: gpu.func @reordered
// CHECK-NOT: layout.to_layout
// CHECK: scf.for
// CHECK: layout.matrix_instruction = "mfma.f32.16x16x16f16"
gpu.module @m {
  gpu.func @reordered(%a: memref<16x32xf16, #gpu.address_space<workgroup>>, %b: memref<32x64xf16, #gpu.address_space<workgroup>>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %h = arith.constant 0.0 : f16
    %z = arith.constant dense<0.0> : vector<16x64xf32>
    %init = layout.to_layout %z to layout(#c) : vector<16x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> vector<16x64xf32> {
      %v = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x32xf16, #gpu.address_space<workgroup>>, vector<16x32xf16>
      %w = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<32x64xf16>
      %x = layout.to_layout %v to layout(#a) : vector<16x32xf16>
      %y = layout.to_layout %w to layout(#b) : vector<32x64xf16>
      %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
           iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc {layout.matrix_instruction = "mfma.f32.16x16x16f16"}
           : vector<16x32xf16>, vector<32x64xf16> into vector<16x64xf32>
      scf.yield %d : vector<16x64xf32>
    }
    vector.print %r : vector<16x64xf32>
    gpu.return
  }
}

// -----

// Rows that are reduced and then multiplied again stay with one wave each: nothing is exchanged
// between waves. Adjacent columns of the result are in one lane.
// CHECK-DAG: #[[S:.*]] = #layout.nested<subgroup_tile = [4, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 4], subgroup_strides = [1, 0], thread_strides = [16, 1]>
// CHECK-DAG: #[[P:.*]] = #layout.nested<subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [1, 0], thread_strides = [1, 16]>
// CHECK-LABEL: gpu.func @rows
// CHECK: vector.contract {{.*}} {layout.matrix_instruction = "mfma.f32.16x16x16f16", layout.results = [#[[S]]]
// CHECK: layout.to_layout {{.*}} to layout(#[[P]])
// CHECK-NOT: layout.to_layout {{.*}} : vector<64x64xf
// CHECK: vector.contract {{.*}} {layout.matrix_instruction = "mfma.f32.16x16x16f16", layout.results = [#[[S]]]
// CHECK-NOT: layout.to_layout
gpu.module @m {
  gpu.func @rows(%a: memref<64x64xf16, #gpu.address_space<workgroup>>, %b: memref<64x64xf16, #gpu.address_space<workgroup>>, %o: memref<64x64xf32, #gpu.address_space<workgroup>>, %w: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %z = arith.constant dense<0.0> : vector<64x64xf32>
    %zr = arith.constant dense<0.0> : vector<64xf32>
    %v = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %v, %z
         : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %e = math.exp %s : vector<64x64xf32>
    %sum = vector.multi_reduction <add>, %e, %zr [1] : vector<64x64xf32> to vector<64xf32>
    vector.transfer_write %sum, %w[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32, #gpu.address_space<workgroup>>
    %u = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %p = arith.truncf %e : vector<64x64xf32> to vector<64x64xf16>
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %p, %u, %z
         : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %d, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
