// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx950.json --split-input-file 2>&1 | FileCheck %s
// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx942.json --split-input-file 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/256x8x/4096x32x/g; s/256x256xf32, 1/4096x1024xf32, 1/g; s/256x256xf32/4096x4096xf32/g' %s | %aircc opt --hierarchy-build-matmul-kernels=target=%targets/gfx950.json --split-input-file 2>&1 | FileCheck %s --check-prefix=TOGETHER

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
// If a row has 1,024 numbers, an iteration multiplies four tiles, and the scales of all of them are moved together.
// TOGETHER-LABEL: func.func @scaled(
// TOGETHER-SAME: %[[A:.+]]: memref<4096x32x32xf8E4M3FN>, %[[AS:.+]]: memref<4096x32xf8E8M0FNU>, %{{.*}}, %[[BS:.+]]: memref<4096x32xf8E8M0FNU>
// TOGETHER: workgroup({{.*}}, %[[LDS_A:.+]] : memref<512x16xf8E8M0FNU, {{.*}}>, %[[LDS_B:.+]] : memref<512x16xf8E8M0FNU, {{.*}}>)
// TOGETHER: scf.for %{{.*}} to %{{.*}} step %{{.*}} iter_args
// TOGETHER: layout.scaled_contract
// TOGETHER: layout.async_dma %[[AS]]{{.*}} to %[[LDS_A]]
// TOGETHER: layout.async_dma %[[BS]]{{.*}} to %[[LDS_B]]
// TOGETHER-NOT: layout.async_dma %[[AS]]
// TOGETHER-COUNT-7: layout.scaled_contract
// TOGETHER: scf.yield
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
