// Accesses to memory on Xe: transfers by block accesses where the hardware's
// rules are seen to hold, scattered accesses, matrices in shared local memory.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/bmg.json},canonicalize,cse))' | FileCheck %s

#tile = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 1], subgroup_strides = [1, 0], thread_strides = [0, 1]>
#line = #layout.nested<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#chunks = #layout.nested<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 0]>
#row = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#matrix = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 16], subgroup_strides = [0, 0], thread_strides = [1, 0]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @transfers
  gpu.func @transfers(%m: memref<64x64xf16>, %rows: memref<?x64xf16>, %odd: memref<64x40xf16>, %late: memref<64x64xf16, strided<[64, 1], offset: 8>>, %n: index, %out: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f16
    %one = arith.constant 1.0 : f16
    %twice = arith.muli %n, %c2 : index
    // CHECK: kernel.block_load %{{.*}} rows 8 columns 16 blocks 2 bits 16
    // CHECK-COUNT-2: kernel.block_store
    %0 = vector.transfer_read %m[%n, %twice], %one {in_bounds = [true, true], layout.results = [#tile]} : memref<64x64xf16>, vector<16x32xf16>
    vector.transfer_write %0, %out[%n, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<64x64xf16>
    // Out-of-bounds elements are 0, as the hardware returns.
    // CHECK: kernel.block_load
    // CHECK-COUNT-2: kernel.block_store
    %1 = vector.transfer_read %m[%n, %twice], %zero {layout.results = [#tile]} : memref<64x64xf16>, vector<16x32xf16>
    vector.transfer_write %1, %out[%n, %c0] : vector<16x32xf16>, memref<64x64xf16>
    // CHECK-NOT: kernel.block_load
    // CHECK: memref.load
    // CHECK-COUNT-2: kernel.block_store
    %2 = vector.transfer_read %m[%n, %twice], %one {layout.results = [#tile]} : memref<64x64xf16>, vector<16x32xf16>
    vector.transfer_write %2, %out[%n, %c0] : vector<16x32xf16>, memref<64x64xf16>
    // If the tile is in bounds, the number of rows does not matter, because the
    // matrix begins at the tile.
    // CHECK: %[[ROWS:.*]] = memref.dim %arg1
    // CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]]
    // CHECK: arith.minui %[[LEFT]]
    // CHECK: kernel.block_load
    // CHECK-COUNT-2: kernel.block_store
    %3 = vector.transfer_read %rows[%n, %c0], %one {in_bounds = [true, true], layout.results = [#tile]} : memref<?x64xf16>, vector<16x32xf16>
    vector.transfer_write %3, %out[%n, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<64x64xf16>
    // A column that may be odd, memory that begins at 16 bytes, a part of a
    // matrix by a view.
    // CHECK-COUNT-16: memref.load %arg0[
    // CHECK-NOT: memref.load %arg0[
    // CHECK-COUNT-16: memref.load %arg3[
    // CHECK-NOT: memref.load
    // CHECK: kernel.block_load
    %4 = vector.transfer_read %m[%c0, %n], %one {in_bounds = [true, true], layout.results = [#tile]} : memref<64x64xf16>, vector<16x32xf16>
    vector.transfer_write %4, %out[%n, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<64x64xf16>
    %5 = vector.transfer_read %late[%c0, %c0], %one {in_bounds = [true, true], layout.results = [#tile]} : memref<64x64xf16, strided<[64, 1], offset: 8>>, vector<16x32xf16>
    vector.transfer_write %5, %out[%n, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<64x64xf16>
    %part = memref.subview %m[%n, %twice] [32, 32] [1, 1] : memref<64x64xf16> to memref<32x32xf16, strided<[64, 1], offset: ?>>
    %6 = vector.transfer_read %part[%c3, %c0], %one {in_bounds = [true, true], layout.results = [#tile]} : memref<32x32xf16, strided<[64, 1], offset: ?>>, vector<16x32xf16>
    vector.transfer_write %6, %out[%n, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<64x64xf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scattered
  // CHECK-SAME: %[[M:.*]]: memref<512xf32>, %[[P:.*]]: i64
  gpu.func @scattered(%m: memref<512xf32>, %p: i64, %n: index) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = vector.step {layout.results = [#line]} : vector<32xindex>
    %mask = vector.create_mask %n {layout.results = [#line]} : vector<32xi1>
    // CHECK: scf.if
    // CHECK: vector.load %[[M]]{{.*}} vector<4xf32>
    // CHECK: %[[PIECE:.*]] = kernel.memref_at %{{.*}} : memref<4xf32, #gpu.address_space<global>>
    // CHECK: vector.store %{{.*}}, %[[PIECE]][%c0] : memref<4xf32, #gpu.address_space<global>>, vector<4xf32>
    %v = xegpu.load %m[%at], %mask <{chunk_size = 4}> {layout.results = [#chunks]} : memref<512xf32>, vector<32xindex>, vector<32xi1> -> vector<32x4xf32>
    xegpu.store %v, %p[%at], %mask <{chunk_size = 4}> : vector<32x4xf32>, i64, vector<32xindex>, vector<32xi1>
    // CHECK: memref.atomic_rmw addf
    %w = xegpu.load %m[%at], %mask {layout.results = [#line]} : memref<512xf32>, vector<32xindex>, vector<32xi1> -> vector<32xf32>
    %t = xegpu.create_tdesc %m, %at : memref<512xf32>, vector<32xindex> -> !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>
    %old = xegpu.atomic_rmw addf %t, %mask, %w {layout.results = [#line]} : !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>>, vector<32xi1>, vector<32xf32> -> vector<32xf32>
    gpu.return
  }

  // Rows of a column-major matrix are read element by element, rows of a row-major matrix at once.
  // CHECK-LABEL: gpu.func @matrices
  // CHECK-COUNT-16: memref.load {{.*}} : memref<256xf16, 3>
  // CHECK-NOT: memref.load
  // CHECK: vector.store {{.*}} memref<256xf16, 3>, vector<16xf16>
  gpu.func @matrices() workgroup(%s: memref<512xi8, 3>, %t: memref<512xi8, 3>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %a = xegpu.create_mem_desc %s : memref<512xi8, 3> -> !xegpu.mem_desc<16x16xf16, #xegpu.mem_layout<stride = [1, 16]>>
    %b = xegpu.create_mem_desc %t : memref<512xi8, 3> -> !xegpu.mem_desc<16x16xf16>
    %v = xegpu.load_matrix %a[0, 0] {layout.results = [#matrix]} : !xegpu.mem_desc<16x16xf16, #xegpu.mem_layout<stride = [1, 16]>> -> vector<16x16xf16>
    xegpu.store_matrix %v, %b[0, 0] : vector<16x16xf16>, !xegpu.mem_desc<16x16xf16>
    gpu.return
  }

  // Blocks of a matrix in a stack of them: its first element is aligned.
  // CHECK-LABEL: gpu.func @views
  gpu.func @views(%m: memref<4x64x64xf16>, %odd: memref<4x64x36xf16>, %i: index, %n: index, %out: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    // CHECK: kernel.block_load
    // CHECK-COUNT-2: kernel.block_store
    %view = memref.subview %m[%i, 0, 0] [1, 64, 64] [1, 1, 1] : memref<4x64x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>>
    %0 = vector.transfer_read %view[%n, %c0], %zero {in_bounds = [true, true], layout.results = [#tile]} : memref<64x64xf16, strided<[64, 1], offset: ?>>, vector<16x32xf16>
    vector.transfer_write %0, %out[%n, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<64x64xf16>
    // Rows at multiples of 8 bytes are not.
    // CHECK-NOT: kernel.block_load
    // CHECK: memref.load
    // CHECK-COUNT-2: kernel.block_store
    %other = memref.subview %m[%i, %n, 4] [1, 16, 32] [1, 1, 1] : memref<4x64x64xf16> to memref<16x32xf16, strided<[64, 1], offset: ?>>
    %1 = vector.transfer_read %other[%c0, %c0], %zero {in_bounds = [true, true], layout.results = [#tile]} : memref<16x32xf16, strided<[64, 1], offset: ?>>, vector<16x32xf16>
    vector.transfer_write %1, %out[%n, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<64x64xf16>
    gpu.return
  }

  // Sums of coordinates have 32 bits; the columns of a transposed block are
  // words.
  // CHECK-LABEL: gpu.func @coordinates
  // CHECK-SAME: %{{[^,]*}}, %[[I:[^:]*]]: index, %[[J:[^:]*]]: index
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK: %[[COLUMN:.*]] = arith.muli %[[J]], %[[TWO]]
  // CHECK: %[[WIDE:.*]] = arith.index_cast %[[COLUMN]] : index to i32
  // CHECK: %[[WORD:.*]] = arith.shrsi %[[WIDE]], %{{.*}} : i32
  // CHECK: arith.addi %[[WORD]], %{{.*}} : i32
  // CHECK: kernel.block_load transposed
  gpu.func @coordinates(%m: memref<64x64xf16>, %i: index, %j: index, %out: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f16
    %even = arith.muli %j, %c2 : index
    %column = arith.addi %even, %c16 : index
    %0 = vector.transfer_read %m[%i, %column], %zero {in_bounds = [true, true], layout.results = [#matrix]} : memref<64x64xf16>, vector<16x16xf16>
    vector.transfer_write %0, %out[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf16>, memref<64x64xf16>
    gpu.return
  }

  // One operation finds the maximum of all lanes. Its order is not specified, so
  // sums are computed by shuffles.
  // CHECK-LABEL: gpu.func @reductions
  // CHECK: gpu.subgroup_reduce maxnumf %{{.*}} uniform : (f32) -> f32
  // CHECK-NOT: gpu.subgroup_reduce
  // CHECK-COUNT-4: gpu.shuffle xor
  gpu.func @reductions(%m: memref<16x16xf32>, %out: memref<2xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %0 = vector.transfer_read %m[%c0, %c0], %zero {in_bounds = [true, true], layout.results = [#row]} : memref<16x16xf32>, vector<1x16xf32>
    %max = vector.multi_reduction <maxnumf>, %0, %zero [0, 1] : vector<1x16xf32> to f32
    memref.store %max, %out[%c0] : memref<2xf32>
    %sum = vector.multi_reduction <add>, %0, %zero [0, 1] : vector<1x16xf32> to f32
    memref.store %sum, %out[%c1] : memref<2xf32>
    gpu.return
  }
}
