// RUN: %aircc opt %s --hierarchy-convert-launches | FileCheck %s

// Few workgroups that reduce long rows have many threads, so that enough
// accesses are in flight.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @few
// CHECK:         %[[THREADS:.*]] = arith.constant 1024 : index
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %[[THREADS]],
func.func @few(%x: memref<1x16384xf32>, %y: memref<1xf32>) {
  %c256 = arith.constant 256 : index
  air.launch (%i) in (%n = %c256) args(%lx = %x, %ly = %y) : memref<1x16384xf32>, memref<1xf32> {
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%lx : memref<1x16384xf32>) outs(%ly : memref<1xf32>) {
    ^bb0(%v: f32, %o: f32):
      %s = arith.addf %v, %o : f32
      linalg.yield %s : f32
    }
  }
  return
}

// CHECK-LABEL: func.func @many
// CHECK-NOT:     arith.constant 1024 : index
// CHECK:         %[[THREADS:.*]] = arith.constant 256 : index
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %[[THREADS]],
func.func @many(%x: memref<1x16384xf32>, %y: memref<1xf32>) {
  %c600 = arith.constant 600 : index
  air.launch (%i) in (%n = %c600) args(%lx = %x, %ly = %y) : memref<1x16384xf32>, memref<1xf32> {
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%lx : memref<1x16384xf32>) outs(%ly : memref<1xf32>) {
    ^bb0(%v: f32, %o: f32):
      %s = arith.addf %v, %o : f32
      linalg.yield %s : f32
    }
  }
  return
}

// CHECK-LABEL: func.func @short
// CHECK-NOT:     arith.constant 1024 : index
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c256
func.func @short(%x: memref<1x8192xf32>, %y: memref<1xf32>) {
  %c300 = arith.constant 300 : index
  air.launch (%i) in (%n = %c300) args(%lx = %x, %ly = %y) : memref<1x8192xf32>, memref<1xf32> {
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%lx : memref<1x8192xf32>) outs(%ly : memref<1xf32>) {
    ^bb0(%v: f32, %o: f32):
      %s = arith.addf %v, %o : f32
      linalg.yield %s : f32
    }
  }
  return
}
