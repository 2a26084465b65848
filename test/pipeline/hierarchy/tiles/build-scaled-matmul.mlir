// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx950.json --split-input-file 2>&1 | FileCheck %s
// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx942.json --split-input-file 2>&1 | FileCheck %s --check-prefix=OTHER

#all = affine_map<(m, g, i) -> (m, g, i)>
#groups = affine_map<(m, g, i) -> (m, g)>
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (n, k)>
#sums = affine_map<(m, n, k) -> (m, n)>

// A and B are floats of 8 bits with a scale for each 32 of them. Numbers and scales are moved to LDS as they are, and
// the scaled contraction reads them there.

// CHECK-LABEL: func.func @scaled(
// CHECK-SAME: %[[A:.+]]: memref<256x8x32xf8E4M3FN>, %[[AS:.+]]: memref<256x8xf8E8M0FNU>, %[[B:.+]]: memref<256x8x32xf8E5M2>, %[[BS:.+]]: memref<256x8xf8E8M0FNU>
// CHECK-DAG: %[[NUMBERS_A:.+]] = memref.collapse_shape %[[A]] {{\[}}[0], [1, 2]] : {{.*}} into memref<256x256xf8E4M3FN>
// CHECK-DAG: %[[NUMBERS_B:.+]] = memref.collapse_shape %[[B]] {{\[}}[0], [1, 2]] : {{.*}} into memref<256x256xf8E5M2>
// CHECK: gpu.launch
// CHECK: workgroup(%{{.*}} : memref<{{.*}}x128xf8E4M3FN, {{.*}}>, %{{.*}} : memref<{{.*}}x128xf8E5M2, {{.*}}>, %{{.*}} : memref<{{.*}}x4xf8E8M0FNU, {{.*}}>, %{{.*}} : memref<{{.*}}x4xf8E8M0FNU, {{.*}}>)
// CHECK: layout.async_dma %[[NUMBERS_A]]
// CHECK: layout.async_dma %[[NUMBERS_B]]
// CHECK: layout.scaled_contract {{.*}} {layout.strategy = #layout.contraction_strategy<"mfma.scale.f32.{{.*}}.f8E4M3FN.f8E5M2", 2 x 2, staged>}
// OTHER-LABEL: func.func @scaled(
// OTHER-NOT: layout.scaled_contract
// OTHER: arith.scaling_extf
func.func @scaled(%a: memref<256x8x32xf8E4M3FN>, %as: memref<256x8xf8E8M0FNU>, %b: memref<256x8x32xf8E5M2>,
                  %bs: memref<256x8xf8E8M0FNU>, %c: memref<256x256xf32> {air.separate}) attributes {air.merge_launches} {
  %zero = arith.constant 0.0 : f32
  air.launch () in () args(%la=%a, %las=%as, %lb=%b, %lbs=%bs, %z=%zero, %lc=%c)
      : memref<256x8x32xf8E4M3FN>, memref<256x8xf8E8M0FNU>, memref<256x8x32xf8E5M2>, memref<256x8xf8E8M0FNU>, f32, memref<256x256xf32> {
    %wa = memref.alloc() : memref<256x8x32xf32, 1>
    linalg.generic {indexing_maps = [#all, #groups, #all], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%la, %las : memref<256x8x32xf8E4M3FN>, memref<256x8xf8E8M0FNU>) outs(%wa : memref<256x8x32xf32, 1>) {
    ^bb0(%x: f8E4M3FN, %s: f8E8M0FNU, %out: f32):
      %w = arith.scaling_extf %x, %s : f8E4M3FN, f8E8M0FNU to f32
      linalg.yield %w : f32
    }
    %fa = memref.collapse_shape %wa [[0], [1, 2]] : memref<256x8x32xf32, 1> into memref<256x256xf32, 1>
    %wb = memref.alloc() : memref<256x8x32xf32, 1>
    linalg.generic {indexing_maps = [#all, #groups, #all], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%lb, %lbs : memref<256x8x32xf8E5M2>, memref<256x8xf8E8M0FNU>) outs(%wb : memref<256x8x32xf32, 1>) {
    ^bb0(%x: f8E5M2, %s: f8E8M0FNU, %out: f32):
      %w = arith.scaling_extf %x, %s : f8E5M2, f8E8M0FNU to f32
      linalg.yield %w : f32
    }
    %fb = memref.collapse_shape %wb [[0], [1, 2]] : memref<256x8x32xf32, 1> into memref<256x256xf32, 1>
    linalg.fill ins(%z : f32) outs(%lc : memref<256x256xf32>)
    linalg.matmul indexing_maps = [#rows, #columns, #sums] ins(%fa, %fb : memref<256x256xf32, 1>, memref<256x256xf32, 1>)
        outs(%lc : memref<256x256xf32>)
    memref.dealloc %wa : memref<256x8x32xf32, 1>
    memref.dealloc %wb : memref<256x8x32xf32, 1>
  }
  return
}
