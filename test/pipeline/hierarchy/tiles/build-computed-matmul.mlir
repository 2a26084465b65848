// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx942.json --split-input-file 2>/dev/null | FileCheck %s
// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/bmg.json --split-input-file 2>/dev/null | FileCheck %s --check-prefix=XE

// An elementwise op computes a factor: its inputs are read where the tile of the factor would be, a scale for each group of
// 32 numbers along K, and the result is written to LDS, or used directly.

#weight = affine_map<(n, g, i) -> (n, g, i)>
#group = affine_map<(n, g, i) -> (n, g)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK: #[[$BROADCAST:.+]] = affine_map<(d0, d1) -> (d0, d1, 0)>
// CHECK-LABEL: func.func @groups
// CHECK-SAME: %[[W:[a-z0-9]+]]: memref<512x16x32xi8>, %[[S:[a-z0-9]+]]: memref<512x16xf16>
// CHECK-NOT: air.launch
// CHECK: scf.for
// CHECK: %[[G:.+]] = arith.divui %{{.+}}, %{{.+}} : index
// CHECK: %[[Q:.+]] = vector.transfer_read %[[W]][%{{.+}}, %[[G]], %{{.+}}], %{{.+}} {in_bounds = [true, true, true]} : memref<512x16x32xi8>, vector<[[N:[0-9]+]]x2x32xi8>
// CHECK: %[[SCALES:.+]] = vector.transfer_read %[[S]][%{{.+}}, %[[G]]], %{{.+}} {in_bounds = [true, true, true], permutation_map = #[[$BROADCAST]]}
// CHECK: vector.contract
// CHECK: vector.contract
// CHECK: %[[F:.+]] = arith.sitofp %[[Q]]
// CHECK: %[[V:.+]] = arith.mulf %[[F]], %[[SCALES]] : vector<[[N]]x2x32xf16>
// CHECK: %[[TILE:.+]] = vector.shape_cast %[[V]] {layout.strategy = #layout.tile_transfer<4>} : vector<[[N]]x2x32xf16> to vector<[[N]]x64xf16>
// CHECK: vector.transfer_write %[[TILE]]
// CHECK: scf.yield

// XE-LABEL: func.func @groups
// XE: scf.for
// XE: %[[V:.+]] = arith.mulf
// XE: vector.contract {{.*}} %{{.+}}, %[[V]], %
func.func @groups(%a: memref<512x512xf16>, %w: memref<512x16x32xi8>, %scales: memref<512x16xf16>, %c: memref<512x512xf32> {air.separate})
    attributes {air.merge_launches} {
  air.launch () in () args(%x=%a, %y=%w, %z=%scales, %out=%c)
      : memref<512x512xf16>, memref<512x16x32xi8>, memref<512x16xf16>, memref<512x512xf32> {
    %tile = memref.alloc() : memref<512x16x32xf16, 1>
    linalg.generic {indexing_maps = [#weight, #group, #weight], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%y, %z : memref<512x16x32xi8>, memref<512x16xf16>) outs(%tile : memref<512x16x32xf16, 1>) {
    ^bb0(%q: i8, %s: f16, %o: f16):
      %f = arith.sitofp %q : i8 to f16
      %v = arith.mulf %f, %s : f16
      linalg.yield %v : f16
    }
    %b = memref.collapse_shape %tile [[0], [1, 2]] : memref<512x16x32xf16, 1> into memref<512x512xf16, 1>
    linalg.contract indexing_maps = [#a, #b, #c]
        ins(%x, %b : memref<512x512xf16>, memref<512x512xf16, 1>) outs(%out : memref<512x512xf32>)
    memref.dealloc %tile : memref<512x16x32xf16, 1>
  }
  return
}

// -----

// Elements outside of the matrices along K are 0 also after the op.

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @outside
// CHECK: %[[E:.+]] = math.exp
// CHECK: %[[T:.+]] = arith.select %{{.+}}, %[[E]], %{{.+}} {layout.strategy
// CHECK: vector.transfer_write %[[T]]
func.func @outside(%a: memref<64x70xf16>, %b: memref<70x64xf16>, %c: memref<64x64xf32> {air.separate}) attributes {air.merge_launches} {
  air.launch () in () args(%x=%a, %y=%b, %out=%c) : memref<64x70xf16>, memref<70x64xf16>, memref<64x64xf32> {
    %tile = memref.alloc() : memref<64x70xf16, 1>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<64x70xf16>) outs(%tile : memref<64x70xf16, 1>) {
    ^bb0(%q: f16, %o: f16):
      %v = math.exp %q : f16
      linalg.yield %v : f16
    }
    linalg.matmul ins(%tile, %y : memref<64x70xf16, 1>, memref<70x64xf16>) outs(%out : memref<64x64xf32>)
    memref.dealloc %tile : memref<64x70xf16, 1>
  }
  return
}

// -----

// Types that no instruction multiplies: the factor is stored, also through a view.

#weight = affine_map<(n, g, i) -> (n, g, i)>
// CHECK-LABEL: func.func @apart
// CHECK: %[[T:.+]] = gpu.alloc host_shared () : memref<64x2x32xf8E5M2>
// CHECK: air.launch
// CHECK: memref.collapse_shape %[[T]] {{.*}} : memref<64x2x32xf8E5M2> into memref<64x64xf8E5M2>
// CHECK-NEXT: air.launch
// CHECK: gpu.dealloc %[[T]]
func.func @apart(%a: memref<64x64xf8E5M2>, %w: memref<64x2x32xf8E5M2>, %c: memref<64x64xf8E5M2> {air.separate}) attributes {air.merge_launches} {
  air.launch () in () args(%x=%a, %y=%w, %out=%c) : memref<64x64xf8E5M2>, memref<64x2x32xf8E5M2>, memref<64x64xf8E5M2> {
    %tile = memref.alloc() : memref<64x2x32xf8E5M2, 1>
    linalg.generic {indexing_maps = [#weight, #weight], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%y : memref<64x2x32xf8E5M2>) outs(%tile : memref<64x2x32xf8E5M2, 1>) {
    ^bb0(%q: f8E5M2, %o: f8E5M2):
      %v = arith.negf %q : f8E5M2
      linalg.yield %v : f8E5M2
    }
    %b = memref.collapse_shape %tile [[0], [1, 2]] : memref<64x2x32xf8E5M2, 1> into memref<64x64xf8E5M2, 1>
    linalg.matmul ins(%x, %b : memref<64x64xf8E5M2>, memref<64x64xf8E5M2, 1>) outs(%out : memref<64x64xf8E5M2>)
    memref.dealloc %tile : memref<64x2x32xf8E5M2, 1>
  }
  return
}

// -----

// Vector instructions multiply types that no matrix instruction does, in tiles that lanes read from memory. The kernel is one
// nevertheless.

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: air.launch
// CHECK: %[[SUMS:.+]] = scf.for
// CHECK: %[[A:.+]] = vector.transfer_read %arg0{{.*}} : memref<512x512xi64>, vector<[[M:[0-9]+]]x4xi64>
// CHECK: %[[B:.+]] = vector.transfer_read %arg1{{.*}} : memref<512x512xi64>, vector<4x[[N:[0-9]+]]xi64>
// CHECK: vector.contract {{.*}} %[[A]], %[[B]], %{{[^{]+}} : vector<[[M]]x4xi64>, vector<4x[[N]]xi64> into vector<[[M]]x[[N]]xi64>
// CHECK: scf.yield
// CHECK: %[[R:.+]] = arith.maxsi %[[SUMS]]
// CHECK: vector.transfer_write %[[R]]
func.func @vectors(%a: memref<512x512xi64>, %b: memref<512x512xi64>, %c: memref<512x512xi64> {air.separate})
    attributes {air.merge_launches} {
  %zero = arith.constant 0 : i64
  air.launch () in () args(%x=%a, %y=%b, %out=%c, %z=%zero)
      : memref<512x512xi64>, memref<512x512xi64>, memref<512x512xi64>, i64 {
    %tile = memref.alloc() : memref<512x512xi64, 1>
    linalg.fill ins(%z : i64) outs(%tile : memref<512x512xi64, 1>)
    linalg.matmul ins(%x, %y : memref<512x512xi64>, memref<512x512xi64>) outs(%tile : memref<512x512xi64, 1>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tile : memref<512x512xi64, 1>) outs(%out : memref<512x512xi64>) {
    ^bb0(%v: i64, %o: i64):
      %m = arith.maxsi %v, %z : i64
      linalg.yield %m : i64
    }
    memref.dealloc %tile : memref<512x512xi64, 1>
  }
  return
}
