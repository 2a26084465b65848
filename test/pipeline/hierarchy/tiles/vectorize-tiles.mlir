// RUN: %aircc opt %s --hierarchy-vectorize-tiles=target=%targets/gfx942.json --split-input-file | FileCheck %s

// A product in code of a wave.

// CHECK-LABEL: gpu.func @wave
// CHECK: %[[A:.*]] = vector.transfer_read {{.*}} layout.scope = #layout.scope<wave>{{.*}} vector<32x16xf32>
// CHECK: %[[B:.*]] = vector.transfer_read {{.*}} layout.scope = #layout.scope<wave>{{.*}} vector<16x32xf32>
// CHECK: %[[C:.*]] = vector.transfer_read {{.*}} layout.scope = #layout.scope<wave>{{.*}} vector<32x32xf32>
// CHECK: %[[D:.*]] = vector.contract {{.*}} %[[A]], %[[B]], %[[C]] {layout.scope = #layout.scope<wave>}
// CHECK: vector.transfer_write %[[D]], {{.*}} layout.scope = #layout.scope<wave>
// CHECK-NOT: linalg.matmul
gpu.module @m {
  gpu.func @wave() kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx = %c4, %ny = %c1) attributes {kernel.scope = #kernel.scope<wave>} {
      %a = memref.alloc() : memref<32x16xf32, 2>
      %b = memref.alloc() : memref<16x32xf32, 2>
      %c = memref.alloc() : memref<32x32xf32, 2>
      linalg.matmul ins(%a, %b : memref<32x16xf32, 2>, memref<16x32xf32, 2>) outs(%c : memref<32x32xf32, 2>)
    }
    gpu.return
  }
}

// -----

// Batches become a loop, and operands that do not fit into registers are split into blocks.

// CHECK-LABEL: gpu.func @blocks
// CHECK: scf.for {{.*}} to %c3
// CHECK-COUNT-2: scf.for
// CHECK: memref.subview
// CHECK: vector.contract {{.*}} {layout.scope = #layout.scope<workgroup>} : vector<128x64xf16>, vector<64x256xf16>
gpu.module @m {
  gpu.func @blocks(%a: memref<3x512x64xf16>, %b: memref<3x64x512xf16>, %c: memref<3x512x512xf32>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.batch_matmul ins(%a, %b : memref<3x512x64xf16>, memref<3x64x512xf16>) outs(%c : memref<3x512x512xf32>)
    gpu.return
  }
}

// -----

// No instruction has these types, this shape, or this accumulator: the ops are not vectorized.

// CHECK-LABEL: gpu.func @others
// CHECK-COUNT-3: linalg.matmul
// CHECK: linalg.generic
gpu.module @m {
  gpu.func @others(%a: memref<32x32xi64>, %b: memref<30x32xf32>, %c: memref<32x32xf32>, %d: memref<30x32xf32>, %e: memref<32x32xf16>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.matmul ins(%a, %a : memref<32x32xi64>, memref<32x32xi64>) outs(%a : memref<32x32xi64>)
    linalg.matmul ins(%b, %c : memref<30x32xf32>, memref<32x32xf32>) outs(%d : memref<30x32xf32>)
    linalg.matmul ins(%e, %e : memref<32x32xf16>, memref<32x32xf16>) outs(%e : memref<32x32xf16>)
    // Products that are rounded before they are added.
    linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%e, %e : memref<32x32xf16>, memref<32x32xf16>) outs(%c : memref<32x32xf32>) {
    ^bb0(%x: f16, %y: f16, %z: f32):
      %p = arith.mulf %x, %y : f16
      %w = arith.extf %p : f16 to f32
      %s = arith.addf %z, %w : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
}

// -----

// Other ops that a wave does together, on buffers of constant shape.

// CHECK-LABEL: gpu.func @elements
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, true], layout.scope = #layout.scope<wave>} : vector<32x64xf32>
// CHECK: vector.multi_reduction <maximumf>, {{.*}} {layout.scope = #layout.scope<wave>} [1] : vector<32x64xf32> to vector<32xf32>
// CHECK: arith.subf {{.*}} {layout.scope = #layout.scope<wave>} : vector<32x64xf32>
// CHECK: math.exp {{.*}} {layout.scope = #layout.scope<wave>} : vector<32x64xf32>
// CHECK: vector.transfer_write {{.*}} layout.scope = #layout.scope<wave>} : vector<64x32xf32>, memref<64x32xf32, 2>
// Ops that are smaller than a wave, or too large, are lowered to loops.
// CHECK: linalg.fill {{.*}} memref<8xf32, 2>
// CHECK: linalg.fill {{.*}} memref<128x64xf32, 2>
gpu.module @m {
  gpu.func @elements() kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx = %c4, %ny = %c1) attributes {kernel.scope = #kernel.scope<wave>} {
      %a = memref.alloc() : memref<32x64xf32, 2>
      %t = memref.alloc() : memref<64x32xf32, 2>
      %most = memref.alloc() : memref<32xf32, 2>
      %few = memref.alloc() : memref<8xf32, 2>
      %many = memref.alloc() : memref<128x64xf32, 2>
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%a : memref<32x64xf32, 2>)
      linalg.reduce ins(%a : memref<32x64xf32, 2>) outs(%most : memref<32xf32, 2>) dimensions = [1]
        (%in: f32, %out: f32) {
          %m = arith.maximumf %in, %out : f32
          linalg.yield %m : f32
        }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%most : memref<32xf32, 2>) outs(%a : memref<32x64xf32, 2>) {
        ^bb0(%in: f32, %out: f32):
          %d = arith.subf %out, %in : f32
          %e = math.exp %d : f32
          linalg.yield %e : f32
        }
      linalg.transpose ins(%a : memref<32x64xf32, 2>) outs(%t : memref<64x32xf32, 2>) permutation = [1, 0]
      linalg.fill ins(%zero : f32) outs(%few : memref<8xf32, 2>)
      linalg.fill ins(%zero : f32) outs(%many : memref<128x64xf32, 2>)
    }
    gpu.return
  }
}

// -----

// Rows whose elements lanes cannot divide evenly are padded: accesses stay in bounds, and the padding is not reduced.

// CHECK-LABEL: gpu.func @padded
// CHECK: %[[MASK:.*]] = vector.create_mask {{.*}} : vector<1x5120xi1>
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: vector.transfer_read {{.*}}, %[[ONE]] {in_bounds = [true, false], layout.scope = #layout.scope<workgroup>} : {{.*}}, vector<1x5120xf32>
// CHECK: vector.mask %[[MASK]] { vector.multi_reduction <add>, {{.*}} [1] : vector<1x5120xf32> to vector<1xf32> }
// CHECK: math.exp {{.*}} : vector<1x1024xf32>
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, false]
// Half of the lanes would be idle.
// CHECK: linalg.fill {{.*}} memref<1x100xf32>
gpu.module @m {
  gpu.func @padded(%x: memref<1x5000xf32>, %y: memref<1x1000xf32>, %few: memref<1x100xf32>, %sum: memref<1xf32, 3>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.reduce ins(%x : memref<1x5000xf32>) outs(%sum : memref<1xf32, 3>) dimensions = [1]
      (%in: f32, %out: f32) {
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%y : memref<1x1000xf32>) {
      ^bb0(%out: f32):
        %e = math.exp %out : f32
        linalg.yield %e : f32
      }
    linalg.fill ins(%zero : f32) outs(%few : memref<1x100xf32>)
    gpu.return
  }
}

// -----

// Rows that are too long for registers, or of dynamic size, are computed in chunks.

// CHECK-LABEL: gpu.func @chunks
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<1x100000xf32>, %[[Y:[a-z0-9]*]]: memref<1x?xf32>
// CHECK: %[[SUMS:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c98304{{.*}} step %c2048{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<1x2048xf32>) {
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, true], {{.*}}, vector<1x2048xf32>
// CHECK: scf.yield
// CHECK: %[[MASK:.*]] = vector.create_mask {{.*}} : vector<1x2048xi1>
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, false]
// CHECK: %[[ADDED:.*]] = arith.addf
// CHECK: %[[LAST:.*]] = arith.select %[[MASK]], %[[ADDED]], %[[SUMS]]
// CHECK: vector.multi_reduction <add>, %[[LAST]],
// CHECK: memref.dim %[[Y]]
// CHECK: scf.for
// CHECK: math.exp {{.*}} : vector<1x2048xf32>
// CHECK: math.exp {{.*}} : vector<1x2048xf32>
gpu.module @m {
  gpu.func @chunks(%x: memref<1x100000xf32>, %y: memref<1x?xf32>, %sum: memref<1xf32, 3>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.reduce ins(%x : memref<1x100000xf32>) outs(%sum : memref<1xf32, 3>) dimensions = [1]
      (%in: f32, %out: f32) {
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%y : memref<1x?xf32>) {
      ^bb0(%out: f32):
        %e = math.exp %out : f32
        linalg.yield %e : f32
      }
    gpu.return
  }
}

// -----

// Columns are computed in chunks of as many rows as registers hold. Lanes read the padding, but do not write its
// results. After the last whole chunk, only a few rows remain; elements of other rows are kept.

// CHECK-LABEL: gpu.func @columns
// CHECK: %[[SUMS:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c80{{.*}} step %c8{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8x1024xf32>) {
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, false], {{.*}}, vector<8x1024xf32>
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: %[[MASK:.*]] = vector.create_mask {{.*}} : vector<8x1024xi1>
// CHECK: %[[LAST:.*]] = arith.select %[[MASK]], %{{.*}}, %[[SUMS]]
// CHECK: %[[START:.*]] = vector.transfer_read {{.*}} {layout.scope = {{.*}}, vector<1024xf32>
// CHECK: %[[SUM:.*]] = vector.multi_reduction <add>, %[[LAST]], %[[START]] {{.*}} [0] : vector<8x1024xf32> to vector<1024xf32>
// CHECK: vector.transfer_write %[[SUM]], {{.*}} {layout.scope
gpu.module @m {
  gpu.func @columns(%x: memref<83x1000xf32>, %sum: memref<1000xf32, 3>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.reduce ins(%x : memref<83x1000xf32>) outs(%sum : memref<1000xf32, 3>) dimensions = [0]
      (%in: f32, %out: f32) {
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      }
    gpu.return
  }
}

// -----

// The padding makes the columns of a lane a multiple of a 128-bit access: 8 lanes for each of 32 rows.

// CHECK-LABEL: gpu.func @accesses
// CHECK: scf.for {{.*}} step %c32{{.*}} -> (vector<32x224xf32>) {
gpu.module @m {
  gpu.func @accesses(%x: memref<125x200xf32>, %sum: memref<200xf32, 3>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.reduce ins(%x : memref<125x200xf32>) outs(%sum : memref<200xf32, 3>) dimensions = [0]
      (%in: f32, %out: f32) {
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      }
    gpu.return
  }
}

// -----

// The index of a loop is a vector, too. In a chunk, it counts from the first element of the chunk.

// CHECK-LABEL: gpu.func @indices
// CHECK: scf.for %[[FIRST:.*]] = %c0{{.*}} to %c99328{{.*}} step %c1024
// CHECK: %[[STEP:.*]] = vector.step {{.*}} : vector<1024xindex>
// CHECK: %[[START:.*]] = vector.broadcast %[[FIRST]] {{.*}} : index to vector<1024xindex>
// CHECK: arith.addi %[[STEP]], %[[START]] {{.*}} : vector<1024xindex>
// CHECK: scf.yield
// CHECK: %[[STEP:.*]] = vector.step {{.*}} : vector<1024xindex>
// CHECK: %[[START:.*]] = arith.constant {{.*}} dense<99328> : vector<1024xindex>
// CHECK: arith.addi %[[STEP]], %[[START]] {{.*}} : vector<1024xindex>
// CHECK: vector.multi_reduction <add>
// CHECK: %[[STEP:.*]] = vector.step {{.*}} : vector<1024xindex>
// CHECK: arith.index_cast %[[STEP]]
// CHECK: vector.multi_reduction <add>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @m {
  gpu.func @indices(%x: memref<1x100000xi64>, %y: memref<1x1024xi64>, %sum: memref<1xi64>, %sums: memref<1xi64>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<1x100000xi64>) outs(%sum : memref<1xi64>) {
    ^bb0(%a: i64, %s: i64):
      %j = linalg.index 1 : index
      %n = arith.index_cast %j : index to i64
      %p = arith.muli %a, %n : i64
      %t = arith.addi %p, %s : i64
      linalg.yield %t : i64
    }
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%y : memref<1x1024xi64>) outs(%sums : memref<1xi64>) {
    ^bb0(%a: i64, %s: i64):
      %j = linalg.index 1 : index
      %n = arith.index_cast %j : index to i64
      %p = arith.muli %a, %n : i64
      %t = arith.addi %p, %s : i64
      linalg.yield %t : i64
    }
    gpu.return
  }
}

// -----

// Vectors of a PE that are multiplied are its wave's together; others are not.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#rows = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [2],
                       subgroup_strides = [0], thread_strides = [1]>

// CHECK-LABEL: gpu.func @vectors
gpu.module @m {
  gpu.func @vectors(%a: memref<16x16xf16>, %b: memref<16x16xi64>, %c: memref<64xf32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%nx = %c4, %ny = %c1) args(%ha = %a, %hb = %b, %hc = %c)
        : memref<16x16xf16>, memref<16x16xi64>, memref<64xf32> attributes {kernel.scope = #kernel.scope<wave>} {
      %c0 = arith.constant 0 : index
      %h = arith.constant 0.0 : f16
      %i = arith.constant 0 : i64
      %f = arith.constant 0.0 : f32
      // CHECK: arith.constant dense<0.000000e+00> : vector<16x16xf32>
      %none = arith.constant dense<0.0> : vector<16x16xf32>
      // CHECK: vector.transfer_read {{.*}} layout.scope = #layout.scope<wave>{{.*}} vector<16x16xf16>
      %v = vector.transfer_read %ha[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
      // CHECK: vector.contract {{.*}} {layout.scope = #layout.scope<wave>}
      %p = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %v, %v, %none : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
      // CHECK: arith.truncf {{.*}} {layout.scope = #layout.scope<wave>}
      %q = arith.truncf %p : vector<16x16xf32> to vector<16x16xf16>
      // CHECK: vector.transfer_write {{.*}} layout.scope = #layout.scope<wave>
      vector.transfer_write %q, %ha[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf16>, memref<16x16xf16>

      // No instruction multiplies these.
      // CHECK: vector.transfer_read
      // CHECK-NOT: layout.scope
      %w = vector.transfer_read %hb[%c0, %c0], %i {in_bounds = [true, true]} : memref<16x16xi64>, vector<16x16xi64>
      %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %w, %w, %w : vector<16x16xi64>, vector<16x16xi64> into vector<16x16xi64>
      // CHECK: vector.transfer_write
      vector.transfer_write %r, %hb[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xi64>, memref<16x16xi64>

      // CHECK: vector.transfer_read {{.*}} layout.scope = #layout.scope<wave>
      %l = vector.transfer_read %hc[%c0], %f {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
      // CHECK: layout.to_layout {{.*}} {layout.scope = #layout.scope<wave>}
      %m = layout.to_layout %l to layout(#rows) : vector<64xf32>
      // CHECK: vector.transfer_write {{.*}} layout.scope = #layout.scope<wave>
      vector.transfer_write %m, %hc[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    }
    gpu.return
  }
}
