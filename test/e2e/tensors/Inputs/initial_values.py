"""Matmuls with an initial value in other memory: one kernel each, which does not change its arguments."""

import sys

import numpy as np

import aircc
from kernel_counts import count_kernels

PROGRAM = """
#bias = affine_map<(b, i, j) -> (j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @acc(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @batch(%a: tensor<3x40x24xf16>, %b: tensor<3x24x56xf16>, %v: tensor<56xf32>) -> tensor<3x40x56xf32> {
  %e = tensor.empty() : tensor<3x40x56xf32>
  %i = linalg.generic {indexing_maps = [#bias, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v : tensor<56xf32>) outs(%e : tensor<3x40x56xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3x40x56xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x40x24xf16>, tensor<3x24x56xf16>)
      outs(%i : tensor<3x40x56xf32>) -> tensor<3x40x56xf32>
  return %r : tensor<3x40x56xf32>
}
func.func @same(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @twice(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %r = linalg.matmul ins(%a, %c : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%a, %r : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%r : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r, %s : tensor<64x64xf32>, tensor<64x64xf32>
}
"""


def integers(rng, shape, dtype):
    """Small numbers, whose products and sums are exact."""
    return rng.integers(-3, 4, shape).astype(dtype)


def main(targets):
    rng = np.random.default_rng(1)
    for target in targets:
        m = aircc.compile(PROGRAM, target=target)
        a, b, c = (
            integers(rng, shape, dtype) for shape, dtype in (((37, 20), "f2"), ((20, 50), "f2"), ((37, 50), "f4"))
        )
        right = [(m.acc(a, b, c) == a.astype("f4") @ b.astype("f4") + c).all()]
        a, b, v = (
            integers(rng, shape, dtype) for shape, dtype in (((3, 40, 24), "f2"), ((3, 24, 56), "f2"), ((56,), "f4"))
        )
        right.append((m.batch(a, b, v) == a.astype("f4") @ b.astype("f4") + v).all())
        a, c = integers(rng, (64, 64), "f4"), integers(rng, (64, 64), "f4")
        on_device = m.to_device(a)
        right.append((m.same(on_device) == a @ a + a).all() and (on_device.numpy() == a).all())
        first, second = m.twice(a, c)
        right.append((first == a @ c + c).all() and (second == a @ first + first).all())
        print(f"{target}: {sum(right)} of {len(right)} right, {count_kernels(PROGRAM, target)} kernels")


main(sys.argv[1:])
