// Functions that may overwrite arguments.
#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>

// A step of gradient descent.
func.func @update(%p: tensor<?x4xf32> {air.donated}, %g: tensor<?x4xf32>, %rate: f32) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %p, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %rate : f32
    linalg.yield %v : f32
  } -> tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.subf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Caches of keys and values.
func.func @append(%k: tensor<16x8xf16> {jax.buffer_donor = true}, %v: tensor<16x8xf16> {tf.aliasing_output = 0 : i32},
                  %row: tensor<1x8xf16>, %at: index) -> (tensor<16x8xf16>, tensor<16x8xf16>) {
  %new = tensor.insert_slice %row into %k[%at, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<16x8xf16>
  %twice = arith.addf %row, %row : tensor<1x8xf16>
  %other = tensor.insert_slice %twice into %v[%at, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<16x8xf16>
  return %other, %new : tensor<16x8xf16>, tensor<16x8xf16>
}

func.func @accumulate(%c: tensor<32x32xf32> {air.donated}, %a: tensor<32x16xf32>, %b: tensor<16x32xf32>) -> tensor<32x32xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x32xf32>) outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

func.func @swap(%x: tensor<4x4xf32> {air.donated}, %y: tensor<4x4xf32> {air.donated}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  return %y, %x : tensor<4x4xf32>, tensor<4x4xf32>
}

// The transposition cannot be computed in its argument.
func.func @transpose(%x: tensor<4x4xf32> {air.donated}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  return %r : tensor<4x4xf32>
}

// The same, but the caller requires it, so it is copied.
func.func @transpose_to(%x: tensor<4x4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  return %r : tensor<4x4xf32>
}

func.func @steps(%x: tensor<4x4xf32> {air.donated}, %y: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (tensor<4x4xf32>) {
    %w = arith.addf %z, %y : tensor<4x4xf32>
    scf.yield %w : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// Code of the host writes the element.
func.func @set(%x: tensor<4x4xf32> {air.donated}, %v: f32, %i: index) -> tensor<4x4xf32> {
  %r = tensor.insert %v into %x[%i, %i] : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
