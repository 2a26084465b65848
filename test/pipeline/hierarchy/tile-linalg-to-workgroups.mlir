// RUN: %aircc opt %s --hierarchy-tile-linalg-to-workgroups --split-input-file | FileCheck %s

// A launch for each op, in their order. Tiles are rows as long as they are, or
// blocks where operands lie across each other.

// CHECK-DAG: #[[ROWS:.+]] = affine_map<()[s0] -> (s0 * 8)>
// CHECK-DAG: #[[BLOCK:.+]] = affine_map<()[s0] -> (s0 * 64)>
// CHECK-LABEL: func.func @two
// CHECK: air.launch (%[[I:.+]]) in (%{{.+}}=%c64{{.*}})
// CHECK: affine.apply #[[ROWS]]()[%[[I]]]
// CHECK: %[[X:.+]] = memref.subview %{{.+}}[%{{.+}}, 0] [8, 512] [1, 1]
// CHECK: linalg.exp ins(%[[X]]
// CHECK: air.launch (%[[I:.+]], %[[J:.+]]) in (%{{.+}}=%c8{{.*}}, %{{.+}}=%c8{{.*}})
// CHECK: linalg.transpose ins({{.*}} : memref<64x64xf32
func.func @two(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<512x512xf32>, memref<512x512xf32>, memref<512x512xf32> {
    linalg.exp ins(%x : memref<512x512xf32>) outs(%y : memref<512x512xf32>)
    linalg.transpose ins(%y : memref<512x512xf32>) outs(%z : memref<512x512xf32>) permutation = [1, 0]
  }
  return
}

// -----

// Ops that one workgroup executes at once, ops that are not linalg ops, and loops that the result
// does not have.

// CHECK-LABEL: func.func @whole
// CHECK: air.launch () in ()
// CHECK-NEXT: linalg.exp
// CHECK: air.launch () in ()
// CHECK: memref.store
// CHECK: air.launch () in ()
// CHECK-NEXT: linalg.reduce
func.func @whole(%a: memref<64x64xf32>, %big: memref<512x512xf32>, %s: memref<f32>) {
  air.launch () in () args(%x=%a) : memref<64x64xf32> {
    linalg.exp ins(%x : memref<64x64xf32>) outs(%x : memref<64x64xf32>)
  }
  air.launch () in () args(%x=%big, %y=%s) : memref<512x512xf32>, memref<f32> {
    linalg.exp ins(%x : memref<512x512xf32>) outs(%x : memref<512x512xf32>)
    %one = arith.constant 1.0 : f32
    memref.store %one, %y[] : memref<f32>
  }
  air.launch () in () args(%x=%big, %y=%s) : memref<512x512xf32>, memref<f32> {
    linalg.reduce { arith.addf } ins(%x : memref<512x512xf32>) outs(%y : memref<f32>) dimensions = [0, 1]
  }
  return
}

// -----

// Sizes that are not known: less in the last tile, and no grid of nothing.

// CHECK-LABEL: func.func @dynamic
// CHECK: %[[SOME:.+]] = arith.cmpi ne
// CHECK: scf.if %[[SOME]]
// CHECK: air.launch (%[[I:.+]]) in
// CHECK: %[[SIZE:.+]] = affine.min
// CHECK: memref.subview %{{.+}}[%{{.+}}] [%[[SIZE]]] [1]
func.func @dynamic(%a: memref<?xf32>) {
  air.launch () in () args(%x=%a) : memref<?xf32> {
    linalg.exp ins(%x : memref<?xf32>) outs(%x : memref<?xf32>)
  }
  return
}

// -----

// The host does not know which indices the device computes.

// CHECK-LABEL: func.func @ids
// CHECK: air.launch () in ()
// CHECK-NEXT: gpu.block_id
func.func @ids(%a: memref<512x512xf32>) {
  air.launch () in () args(%x=%a) : memref<512x512xf32> {
    %id = gpu.block_id x
    %n = arith.index_cast %id : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.fill ins(%f : f32) outs(%x : memref<512x512xf32>)
  }
  return
}

// -----

// Short rows of images: as many loops as make long rows are one, if elements follow each other in all operands. Others
// are long, or in another order, or have gaps, or the same row for all images.

// CHECK-LABEL: func.func @images
// CHECK: %[[X:.+]] = memref.collapse_shape %{{.+}} {{\[\[}}0], [1], [2, 3]] : memref<8x256x14x14xf32> into memref<8x256x196xf32>
// CHECK: air.launch
// CHECK: linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : memref<1x16x196xf32, {{.*}}>, memref<1x16x196xf32, {{.*}}>) outs(%{{.+}} : memref<1x16x196xf32, {{.*}}>)
#images = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @images(%a: memref<8x256x14x14xf32>, %b: memref<8x256x14x14xf32>, %r: memref<8x256x14x14xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%r) : memref<8x256x14x14xf32>, memref<8x256x14x14xf32>, memref<8x256x14x14xf32> {
    linalg.generic {indexing_maps = [#images, #images, #images],
                    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%x, %y : memref<8x256x14x14xf32>, memref<8x256x14x14xf32>) outs(%z : memref<8x256x14x14xf32>) {
    ^bb0(%e: f32, %f: f32, %o: f32):
      %s = arith.addf %e, %f : f32
      linalg.yield %s : f32
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @others
// CHECK-NOT: memref.collapse_shape
// CHECK: return
#id = affine_map<(a, b, c) -> (a, b, c)>
#transposed = affine_map<(a, b, c) -> (a, c, b)>
#rows = affine_map<(a, b, c) -> (0, 0, c)>
func.func @others(%a: memref<512x16x64xf32>, %b: memref<512x14x14xf32>, %c: memref<512x14x14xf32, strided<[256, 16, 1]>>,
                  %row: memref<1x1x14xf32>) {
  air.launch () in () args(%x=%a) : memref<512x16x64xf32> {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]}
        outs(%x : memref<512x16x64xf32>) {
    ^bb0(%o: f32):
      %s = arith.addf %o, %o : f32
      linalg.yield %s : f32
    }
  }
  air.launch () in () args(%x=%b) : memref<512x14x14xf32> {
    linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x : memref<512x14x14xf32>) outs(%x : memref<512x14x14xf32>) {
    ^bb0(%e: f32, %o: f32):
      %s = arith.addf %e, %o : f32
      linalg.yield %s : f32
    }
  }
  air.launch () in () args(%x=%b, %y=%row) : memref<512x14x14xf32>, memref<1x1x14xf32> {
    linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%y : memref<1x1x14xf32>) outs(%x : memref<512x14x14xf32>) {
    ^bb0(%e: f32, %o: f32):
      %s = arith.addf %e, %o : f32
      linalg.yield %s : f32
    }
  }
  air.launch () in () args(%x=%c) : memref<512x14x14xf32, strided<[256, 16, 1]>> {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]}
        outs(%x : memref<512x14x14xf32, strided<[256, 16, 1]>>) {
    ^bb0(%o: f32):
      %s = arith.addf %o, %o : f32
      linalg.yield %s : f32
    }
  }
  return
}
