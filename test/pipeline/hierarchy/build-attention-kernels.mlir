// RUN: %aircc opt %s --hierarchy-build-attention-kernels=target=%targets/gfx942.json --split-input-file | FileCheck %s

// A workgroup has two waves of 32 rows each. It goes through the keys in steps of 64, and stores
// what it has summed, divided by the sum of the weights.

// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[Q:.+]]: memref<2x64x32xf16>, %[[K:.+]]: memref<2x64x32xf16>, %[[V:.+]]: memref<2x64x32xf16>
// CHECK: %[[D:.+]] = gpu.alloc
// CHECK: gpu.launch blocks({{.*}}) in ({{.*}} = %c2{{.*}}, {{.*}} = %c1{{.*}}, {{.*}} = %c1{{.*}}) threads({{.*}}) in ({{.*}} = %c128
// CHECK: memref.subview %[[Q]]
// CHECK: %[[QT:.+]] = vector.transfer_read {{.*}} vector<64x32xf16>
// CHECK: %[[LOOP:.+]]:3 = scf.for {{.*}} iter_args(%[[SUMS:.+]] = %{{.*}}, %[[MAX:.+]] = %{{.*}}, %[[SUM:.+]] = %{{.*}}) -> (vector<64x32xf32>, vector<64xf32>, vector<64xf32>)
// CHECK: memref.subview %[[K]]
// CHECK: %[[KT:.+]] = vector.transfer_read {{.*}} vector<64x32xf16>
// CHECK: %[[S:.+]] = vector.contract {{.*}} %[[QT]], %[[KT]]
// CHECK: vector.multi_reduction <maxnumf>, %[[S]], %[[MAX]] [1]
// CHECK: math.exp {{.*}} fastmath<afn> : vector<64x64xf32>
// CHECK: vector.multi_reduction <add>
// CHECK: memref.subview %[[V]]
// CHECK: vector.contract
// CHECK: scf.yield
// CHECK: arith.divf %[[LOOP]]#0
// CHECK: vector.transfer_write
// CHECK-NOT: linalg
// CHECK: layout.scope = #layout.scope<workgroup>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @attention(%a: memref<2x64x32xf16>, %b: memref<2x64x32xf16>, %c: memref<2x64x32xf16>) -> memref<2x64x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %d = gpu.alloc host_shared () : memref<2x64x32xf32>
  air.launch () in () args(%zero=%c0, %low=%inf, %q=%a, %k=%b, %v=%c, %r=%d)
      : f32, f32, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf32> {
    %alloc = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%alloc : memref<2x64x64xf32, 1>)
    linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : memref<2x64x32xf16>, memref<2x64x32xf16>) outs(%alloc : memref<2x64x64xf32, 1>)
    %max = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%low : f32) outs(%max : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%alloc : memref<2x64x64xf32, 1>) outs(%max : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    %exp = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%alloc, %max : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%exp : memref<2x64x64xf32, 1>) {
    ^bb0(%in: f32, %m: f32, %out: f32):
      %0 = arith.subf %in, %m : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %sum = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%sum : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%exp : memref<2x64x64xf32, 1>) outs(%sum : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %weights = memref.alloc() : memref<2x64x64xf16, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%exp, %sum : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%weights : memref<2x64x64xf16, 1>) {
    ^bb0(%in: f32, %t: f32, %out: f16):
      %0 = arith.divf %in, %t : f32
      %1 = arith.truncf %0 : f32 to f16
      linalg.yield %1 : f16
    }
    linalg.fill ins(%zero : f32) outs(%r : memref<2x64x32xf32>)
    linalg.batch_matmul ins(%weights, %v : memref<2x64x64xf16, 1>, memref<2x64x32xf16>) outs(%r : memref<2x64x32xf32>)
  }
  return %d : memref<2x64x32xf32>
}

// -----

// The result may be the memory of an operand: each op is a launch of its own.

// CHECK-LABEL: func.func @aliased
// CHECK: gpu.alloc {{ *}}host_shared () : memref<2x64x64xf32>
// CHECK-COUNT-10: air.launch
// CHECK-NOT: air.launch
// CHECK-COUNT-5: gpu.dealloc
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @aliased(%a: memref<2x64x32xf16>, %b: memref<2x64x32xf16>, %c: memref<2x64x32xf16>, %d: memref<2x64x32xf32>) {
  %c0 = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  air.launch () in () args(%zero=%c0, %low=%inf, %q=%a, %k=%b, %v=%c, %r=%d)
      : f32, f32, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf32> {
    %alloc = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%alloc : memref<2x64x64xf32, 1>)
    linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : memref<2x64x32xf16>, memref<2x64x32xf16>) outs(%alloc : memref<2x64x64xf32, 1>)
    %max = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%low : f32) outs(%max : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%alloc : memref<2x64x64xf32, 1>) outs(%max : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    %exp = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%alloc, %max : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%exp : memref<2x64x64xf32, 1>) {
    ^bb0(%in: f32, %m: f32, %out: f32):
      %0 = arith.subf %in, %m : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %sum = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%sum : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%exp : memref<2x64x64xf32, 1>) outs(%sum : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %weights = memref.alloc() : memref<2x64x64xf16, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%exp, %sum : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%weights : memref<2x64x64xf16, 1>) {
    ^bb0(%in: f32, %t: f32, %out: f16):
      %0 = arith.divf %in, %t : f32
      %1 = arith.truncf %0 : f32 to f16
      linalg.yield %1 : f16
    }
    linalg.fill ins(%zero : f32) outs(%r : memref<2x64x32xf32>)
    linalg.batch_matmul ins(%weights, %v : memref<2x64x64xf16, 1>, memref<2x64x32xf16>) outs(%r : memref<2x64x32xf32>)
  }
  return
}
