// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx950.json --split-input-file --verify-diagnostics | FileCheck %s --check-prefixes=CHECK,DIRECT
// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx942.json --split-input-file --verify-diagnostics | FileCheck %s --check-prefixes=CHECK,COPY

// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/bmg.json --split-input-file 2>/dev/null | FileCheck %s --check-prefix=XE

// Kernels have no layouts yet, but the strategies that stage layout derives
// them from. Waves of Xe read their factors from memory, after each has
// prefetched its part of a later tile.

// XE-LABEL: func.func @launch
// XE-NOT: air.launch
// XE: gpu.launch
// XE-NOT: workgroup(
// XE: scf.for
// XE: xegpu.prefetch_nd %{{.*}} {layout.strategy = #layout.tile_transfer<[[WAVES:[0-9]+]]>}
// XE: xegpu.prefetch_nd %{{.*}} {layout.strategy = #layout.tile_transfer<[[WAVES]]>}
// XE: vector.transfer_read %{{.*}} {in_bounds = [true, true]}
// XE-NOT: kernel.{{barrier|access}}
// XE: vector.transfer_read %{{.*}} {in_bounds = [true, true]}
// XE: vector.contract {{.*}} {layout.strategy = #layout.contraction_strategy<"dpas.f32.8x16x16.f16", {{[0-9]+}} x {{[0-9]+}}, direct>}
// XE: scf.yield
// XE: vector.transfer_write
// XE: layout.scope = #layout.scope<workgroup>

// CHECK-LABEL: func.func @launch
// CHECK-NOT: air.launch
// CHECK: gpu.launch {{.*}} workgroup(%[[A:.*]] : memref<{{.*}}xf16, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<{{.*}}xf16, #gpu.address_space<workgroup>>)
// CHECK-NOT: layout.swizzle_hint
// CHECK-NOT: layout.to_layout
// COPY-COUNT-2: vector.transfer_read {{.*}}layout.strategy = #layout.tile_transfer<4>
// DIRECT-COUNT-4: layout.async_dma
// CHECK: scf.for
// DIRECT-COUNT-2: vector.transfer_read {{.*}} : memref<{{.*}}, #gpu.address_space<workgroup>>, vector<32x32xf16>
// DIRECT-NEXT: vector.contract
// DIRECT-NEXT: layout.async_wait 0
// CHECK-NEXT: kernel.access workgroup writes(%[[A]], %[[B]] :
// DIRECT: vector.transfer_read
// DIRECT: layout.async_dma
// DIRECT: vector.transfer_read
// DIRECT: layout.async_dma
// COPY-NOT: layout.async_dma
// CHECK: vector.contract {{.*}} {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x{{.*}}", 2 x 2, staged>
// COPY-COUNT-2: vector.transfer_write
// CHECK: scf.yield
// CHECK: vector.transfer_write
// CHECK: layout.scope = #layout.scope<workgroup>
func.func @launch(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<512x512xf16>, memref<512x512xf16>, memref<512x512xf32> {
    linalg.matmul ins(%x, %y : memref<512x512xf16>, memref<512x512xf16>) outs(%z : memref<512x512xf32>)
  }
  return
}

// -----

// Only linalg ops that the program marks; others are offloaded, too.

// CHECK-LABEL: func.func @offload
// CHECK: linalg.matmul
// CHECK: gpu.launch
// CHECK: vector.contract
// CHECK: air.launch
// CHECK: linalg.add
func.func @offload(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  linalg.matmul {air.offload} ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  linalg.add {air.offload} ins(%c, %c : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @types
// CHECK: air.launch
// CHECK: linalg.matmul
func.func @types(%a: memref<64x64xi64>) {
  air.launch () in () args(%x=%a) : memref<64x64xi64> {
    // expected-remark @+1 {{does not use matrix instructions: no matrix instruction of gfx9}}
    linalg.matmul ins(%x, %x : memref<64x64xi64>, memref<64x64xi64>) outs(%x : memref<64x64xi64>)
  }
  return
}

// -----

// Each index of a batch has workgroups and matrices of its own; a matrix that all share is used
// directly.

// CHECK-LABEL: func.func @batch
// CHECK: gpu.launch blocks({{.*}}, %[[Z:[a-z0-9_]+]]) in ({{.*}} = %c8{{.*}}) threads
// CHECK: memref.subview %arg0[%[[Z]], 0, 0] [1, 512, 512] [1, 1, 1] : memref<8x512x512xf16> to memref<512x512xf16, strided<[512, 1], offset: ?>>
// CHECK-NOT: memref.subview %arg1
// CHECK: vector.contract {{.*}} {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x{{.*}}", 2 x 2, staged>
// CHECK: %[[C:.+]] = memref.subview %arg2[%[[Z]], 0, 0]
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
#batch_a = affine_map<(b, m, n, k) -> (b, m, k)>
#batch_b = affine_map<(b, m, n, k) -> (k, n)>
#batch_c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @batch(%a: memref<8x512x512xf16>, %b: memref<512x512xf16>, %c: memref<8x512x512xf32>) attributes {air.offload} {
  linalg.contract indexing_maps = [#batch_a, #batch_b, #batch_c]
    ins(%a, %b : memref<8x512x512xf16>, memref<512x512xf16>) outs(%c : memref<8x512x512xf32>)
  return
}

// -----

// A lies along M, B along K: B is the better first operand, and C is written
// transposed.

// CHECK-DAG: #[[TRANSPOSED:.+]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[MN:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[MK:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KN:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @swapped
// CHECK: gpu.launch
// CHECK: vector.contract {indexing_maps = [#[[MK]], #[[KN]], #[[MN]]]
// CHECK: vector.transfer_write {{.*}}permutation_map = #[[TRANSPOSED]]
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @swapped(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) attributes {air.offload} {
  linalg.matmul indexing_maps = [#km, #nk, #mn]
    ins(%a, %b : memref<512x512xf16>, memref<512x512xf16>) outs(%c : memref<512x512xf32>)
  return
}

// -----

// Contractions that are not one matmul per batch index, and host values that the body uses.

// CHECK-LABEL: func.func @others
// CHECK-SAME: %[[SCALE:[a-z0-9]+]]: f32
// CHECK: air.launch () in () args(
// CHECK: linalg.generic
// CHECK: air.launch () in () args(
// CHECK: linalg.generic
// CHECK: air.launch () in () args(%[[ARG:.+]]=%arg2, %[[INNER:.+]]=%[[SCALE]])
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[INNER]] : f32
func.func @others(%a: memref<64x64x64xf16>, %b: memref<64x64x64xf16>, %c: memref<64x64xf32>,
                  %columns: memref<64x64xf32, strided<[1, 64]>>, %scale: f32) attributes {air.offload} {
  // expected-remark @+1 {{is not compiled to a matmul kernel: it sums over 2 dimensions}}
  linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : memref<64x64x64xf16>, memref<64x64x64xf16>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  // expected-remark @+1 {{is not compiled to a matmul kernel: the rows of a matrix are not contiguous in memory}}
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%columns, %columns : memref<64x64xf32, strided<[1, 64]>>, memref<64x64xf32, strided<[1, 64]>>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32):
    %t = arith.mulf %x, %scale : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @many
// CHECK: linalg.batch_matmul
func.func @many(%a: memref<70000x16x16xf16>, %c: memref<70000x16x16xf32>) attributes {air.offload} {
  // expected-remark @+1 {{is not compiled to a matmul kernel, because a grid has at most 65535 workgroups along its third dimension}}
  linalg.batch_matmul ins(%a, %a : memref<70000x16x16xf16>, memref<70000x16x16xf16>) outs(%c : memref<70000x16x16xf32>)
  return
}

// -----

// Results that are narrower than the accumulators are rounded once.
// CHECK-LABEL: func.func @narrow_result
// XE-LABEL: func.func @narrow_result
// CHECK: %[[START:.*]] = arith.constant dense<1.000000e+00> : vector<[[TILE:[0-9]+x[0-9]+]]xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[START]]
// CHECK: vector.contract {{.*}} into vector<[[TILE]]xf32>
// CHECK: %[[ROUNDED:.*]] = arith.truncf %{{.*}} : vector<[[TILE]]xf32> to vector<[[TILE]]xbf16>
// CHECK: vector.transfer_write %[[ROUNDED]]
func.func @narrow_result(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xbf16>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<256x256xbf16>, memref<256x256xbf16>, memref<256x256xbf16> {
    %one = arith.constant 1.0 : bf16
    linalg.fill ins(%one : bf16) outs(%z : memref<256x256xbf16>)
    linalg.matmul ins(%x, %y : memref<256x256xbf16>, memref<256x256xbf16>) outs(%z : memref<256x256xbf16>)
  }
  return
}

// -----

// A launch that allocates the product: the kernel computes the initial value and the op after it in
// registers. Without a matrix instruction, each op is a launch of its own.

// CHECK-LABEL: func.func @epilogue
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
// CHECK: %[[BIAS:.+]] = vector.transfer_read %arg2
// CHECK: vector.broadcast %[[BIAS]]
// CHECK: %[[PRODUCT:.+]] = vector.contract
// CHECK: arith.maximumf
// CHECK: %[[NARROW:.+]] = arith.truncf
// CHECK: vector.transfer_write %[[NARROW]]
// CHECK-NOT: linalg

// CHECK-LABEL: func.func @no_instruction
// CHECK: gpu.alloc {{ *}}host_shared () : memref<64x64xi64>
// CHECK-COUNT-3: air.launch
// CHECK: gpu.dealloc
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @epilogue(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %bias: memref<512xf32>) -> memref<512x512xf16> {
  %d = gpu.alloc host_shared () : memref<512x512xf16>
  air.launch () in () args(%x=%a, %y=%b, %z=%bias, %r=%d) : memref<512x512xf16>, memref<512x512xf16>, memref<512xf32>, memref<512x512xf16> {
    %zero = arith.constant 0.0 : f32
    %tile = memref.alloc() : memref<512x512xf32, 1>
    linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
        ins(%z : memref<512xf32>) outs(%tile : memref<512x512xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.matmul ins(%x, %y : memref<512x512xf16>, memref<512x512xf16>) outs(%tile : memref<512x512xf32, 1>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tile : memref<512x512xf32, 1>) outs(%r : memref<512x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %max = arith.maximumf %in, %zero : f32
      %narrow = arith.truncf %max : f32 to f16
      linalg.yield %narrow : f16
    }
    memref.dealloc %tile : memref<512x512xf32, 1>
  }
  return %d : memref<512x512xf16>
}
func.func @no_instruction(%a: memref<64x64xi64>, %b: memref<64x64xi64>) -> memref<64x64xi64> {
  %d = gpu.alloc host_shared () : memref<64x64xi64>
  %zero = arith.constant 0 : i64
  air.launch () in () args(%x=%a, %y=%b, %r=%d, %z=%zero) : memref<64x64xi64>, memref<64x64xi64>, memref<64x64xi64>, i64 {
    %tile = memref.alloc() : memref<64x64xi64, 1>
    linalg.fill ins(%z : i64) outs(%tile : memref<64x64xi64, 1>)
    // expected-remark @+1 {{does not use matrix instructions}}
    linalg.matmul ins(%x, %y : memref<64x64xi64>, memref<64x64xi64>) outs(%tile : memref<64x64xi64, 1>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tile : memref<64x64xi64, 1>) outs(%r : memref<64x64xi64>) {
    ^bb0(%in: i64, %out: i64):
      %twice = arith.addi %in, %in : i64
      linalg.yield %twice : i64
    }
  }
  return %d : memref<64x64xi64>
}

// -----

// Launches that the dispatch stage formed do not stay with one workgroup if no kernel is known for
// them.

// CHECK-LABEL: func.func @no_kernel
// CHECK: gpu.alloc {{ *}}host_shared () : memref<64x64xf32>
// CHECK-COUNT-3: air.launch
// CHECK-NOT: air.launch
// CHECK: gpu.dealloc
#id = affine_map<(i, j) -> (i, j)>
func.func @no_kernel(%a: memref<64x64xf16, strided<[128, 2]>>, %b: memref<64x64xf16>) -> memref<64x64xf32>
    attributes {air.merge_launches} {
  %d = gpu.alloc host_shared () : memref<64x64xf32>
  %zero = arith.constant 0.0 : f32
  air.launch () in () args(%x=%a, %y=%b, %r=%d, %z=%zero)
      : memref<64x64xf16, strided<[128, 2]>>, memref<64x64xf16>, memref<64x64xf32>, f32 {
    %tile = memref.alloc() : memref<64x64xf32, 1>
    linalg.fill ins(%z : f32) outs(%tile : memref<64x64xf32, 1>)
    // expected-remark @+1 {{is not compiled to a matmul kernel: the rows of a matrix are not contiguous in memory}}
    linalg.matmul ins(%x, %y : memref<64x64xf16, strided<[128, 2]>>, memref<64x64xf16>) outs(%tile : memref<64x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tile : memref<64x64xf32, 1>) outs(%r : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %z : f32
      linalg.yield %max : f32
    }
    memref.dealloc %tile : memref<64x64xf32, 1>
  }
  return %d : memref<64x64xf32>
}

// -----

// The kernel copies the initial value of the result while it reads it. In a program of the user, the copy is a kernel.
// CHECK-LABEL: @initial_value
// CHECK-NOT: air.launch
// CHECK: gpu.launch
// CHECK: vector.transfer_read %arg2
// CHECK: vector.contract
// CHECK-NOT: gpu.launch
// CHECK-LABEL: @initial_value_of_the_user
// CHECK: air.launch
// CHECK: linalg.copy
// CHECK: gpu.launch
func.func @initial_value(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>,
                         %r: memref<64x64xf32> {air.separate}) attributes {air.merge_launches} {
  linalg.copy {air.offload} ins(%c : memref<64x64xf32>) outs(%r : memref<64x64xf32>)
  linalg.matmul {air.offload} ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%r : memref<64x64xf32>)
  return
}
func.func @initial_value_of_the_user(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>,
                                     %r: memref<64x64xf32>) {
  linalg.copy {air.offload} ins(%c : memref<64x64xf32>) outs(%r : memref<64x64xf32>)
  linalg.matmul {air.offload} ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%r : memref<64x64xf32>)
  return
}

// Weights that are constants of the program are not in the memory of the result.
// CHECK-LABEL: @constant_weights
// CHECK-NOT: air.launch
// CHECK: gpu.launch
// CHECK: vector.contract
// CHECK: arith.truncf
// CHECK-NOT: gpu.launch
// CHECK-LABEL: @variable_weights
// CHECK-COUNT-3: air.launch
#same = affine_map<(i, j) -> (i, j)>
memref.global "private" constant @weights : memref<64x64xf16> = dense<1.0>
func.func @constant_weights(%a: memref<64x64xf16>, %d: memref<64x64xf16> {air.separate}) attributes {air.merge_launches} {
  %w = memref.get_global @weights : memref<64x64xf16>
  air.launch () in () args(%x=%a, %y=%w, %r=%d) : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf16> {
    %zero = arith.constant 0.0 : f32
    %tile = memref.alloc() : memref<64x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%tile : memref<64x64xf32, 1>)
    linalg.matmul ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%tile : memref<64x64xf32, 1>)
    linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%tile : memref<64x64xf32, 1>) outs(%r : memref<64x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %t = arith.truncf %in : f32 to f16
      linalg.yield %t : f16
    }
    memref.dealloc %tile : memref<64x64xf32, 1>
  }
  return
}
// Memory that the program may write could overlap the result.
memref.global @variable : memref<64x64xf16>
func.func @variable_weights(%a: memref<64x64xf16>, %d: memref<64x64xf16> {air.separate}) attributes {air.merge_launches} {
  %w = memref.get_global @variable : memref<64x64xf16>
  air.launch () in () args(%x=%a, %y=%w, %r=%d) : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf16> {
    %zero = arith.constant 0.0 : f32
    %tile = memref.alloc() : memref<64x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%tile : memref<64x64xf32, 1>)
    linalg.matmul ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%tile : memref<64x64xf32, 1>)
    linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%tile : memref<64x64xf32, 1>) outs(%r : memref<64x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %t = arith.truncf %in : f32 to f16
      linalg.yield %t : f16
    }
    memref.dealloc %tile : memref<64x64xf32, 1>
  }
  return
}

// -----

// Tiles of B whose rows are across K are transposed when they are copied through registers.

// CHECK-LABEL: func.func @transposed
// COPY: vector.transfer_read {{.*}}layout.strategy = #layout.tile_transfer<4>
// COPY: %[[TILE:.*]] = vector.transfer_read {{.*}}layout.strategy = #layout.tile_transfer<4, transposed = true>
// COPY: vector.transpose %[[TILE]], [1, 0]
// COPY: vector.contract {{.*}} {layout.strategy = #layout.contraction_strategy<{{.*}}, transposed>}
// DIRECT-NOT: transposed
// DIRECT: layout.async_dma
func.func @transposed(%a: memref<4096x4096xf16>, %b: memref<4096x4096xf16>, %c: memref<4096x4096xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<4096x4096xf16>, memref<4096x4096xf16>, memref<4096x4096xf32> {
    linalg.matmul ins(%x, %y : memref<4096x4096xf16>, memref<4096x4096xf16>) outs(%z : memref<4096x4096xf32>)
  }
  return
}
