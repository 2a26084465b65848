// RUN: %aircc opt --dispatch-fuse-elementwise --split-input-file %s | FileCheck %s

#map = affine_map<(i) -> (i)>

// CHECK-LABEL: @chain
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: arith.negf
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %z = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = arith.negf %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// A contraction is kept, so that it can use matrix instructions.
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: @contraction
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
func.func @contraction(%x: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<16x16xf32>
  %z = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %x : tensor<16x16xf32>, tensor<16x16xf32>) outs(%c : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  return %z : tensor<16x16xf32>
}

// -----

// An empty tensor whose size is known, behind a cast, is not rewritten forever.
// CHECK-LABEL: @cast_of_empty
// CHECK: arith.addf
// CHECK: return
func.func @cast_of_empty(%x: tensor<16xf32>, %c: i1) -> tensor<?xf32> {
  %d = tensor.cast %x : tensor<16xf32> to tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    %c16 = arith.constant 16 : index
    %e = tensor.empty(%c16) : tensor<?xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%d : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  } else {
    scf.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
