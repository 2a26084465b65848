// RUN: %aircc opt %s --hierarchy-vectorize-tiles=target=%targets/gfx942.json | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

gpu.module @m {
  // Tiles between ops need no buffers, and are read once.
  // CHECK-LABEL: gpu.func @softmax
  // CHECK-NOT:     memref.alloc
  // CHECK:         %[[X:.*]] = vector.transfer_read {{.*}} vector<4x1024xf32>
  // CHECK:         %[[SUM:.*]] = vector.multi_reduction <add>, %[[X]], %{{.*}} [1]
  // CHECK:         %[[B:.*]] = vector.broadcast %[[SUM]] {layout.scope = #layout.scope<workgroup>} : vector<4xf32> to vector<1024x4xf32>
  // CHECK:         %[[S:.*]] = vector.transpose %[[B]], [1, 0] {layout.scope = #layout.scope<workgroup>}
  // CHECK-NOT:     vector.transfer_read
  // CHECK:         arith.divf %[[X]], %[[S]]
  // CHECK:         vector.transfer_write
  // CHECK-NOT:     vector.transfer_write
  gpu.func @softmax(%x: memref<4x1024xf32>, %y: memref<4x1024xf32>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %sum = memref.alloc() : memref<4xf32, 1>
    linalg.fill ins(%zero : f32) outs(%sum : memref<4xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<4x1024xf32>) outs(%sum : memref<4xf32, 1>) {
    ^bb0(%v: f32, %o: f32):
      %s = arith.addf %v, %o : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %sum : memref<4x1024xf32>, memref<4xf32, 1>) outs(%y : memref<4x1024xf32>) {
    ^bb0(%v: f32, %t: f32, %o: f32):
      %s = arith.divf %v, %t : f32
      linalg.yield %s : f32
    }
    memref.dealloc %sum : memref<4xf32, 1>
    gpu.return
  }

  // Another op may have written the argument.
  // CHECK-LABEL: gpu.func @overwritten
  // CHECK-COUNT-2: vector.transfer_read
  gpu.func @overwritten(%x: memref<4x1024xf32>, %y: memref<4x1024xf32>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4x1024xf32>) outs(%y : memref<4x1024xf32>) {
    ^bb0(%v: f32, %o: f32):
      %s = arith.addf %v, %v : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4x1024xf32>) outs(%y : memref<4x1024xf32>) {
    ^bb0(%v: f32, %o: f32):
      %s = arith.mulf %v, %v : f32
      linalg.yield %s : f32
    }
    gpu.return
  }

  // The padding of integers may be a divisor, so a vector with another padding
  // is not used.
  // CHECK-LABEL: gpu.func @padded
  // CHECK:         vector.transfer_write {{.*}} memref<1x1000xi32, 1>
  // CHECK:         vector.transfer_read {{.*}} memref<1x1000xi32, 1>
  // CHECK:         arith.divsi
  gpu.func @padded(%x: memref<1x1000xi32>, %y: memref<1x1000xi32>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    %t = memref.alloc() : memref<1x1000xi32, 1>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<1x1000xi32>) outs(%t : memref<1x1000xi32, 1>) {
    ^bb0(%v: i32, %o: i32):
      %s = arith.subi %v, %v : i32
      linalg.yield %s : i32
    }
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %t : memref<1x1000xi32>, memref<1x1000xi32, 1>) outs(%y : memref<1x1000xi32>) {
    ^bb0(%v: i32, %t0: i32, %o: i32):
      %s = arith.divsi %v, %t0 : i32
      linalg.yield %s : i32
    }
    memref.dealloc %t : memref<1x1000xi32, 1>
    gpu.return
  }
}
