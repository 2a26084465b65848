"""Calls to tensor functions with wrong arguments: each is an error that names the argument."""

import sys

import numpy

import aircc

PROGRAM = """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @layer(%x: tensor<?x?xf32>, %w: tensor<?x8xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %bias = tensor.cast %b : tensor<?xf32> to tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %bias : tensor<?x8xf32>, tensor<8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  %slice = tensor.extract_slice %r[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %slice : tensor<?x8xf32>
}
func.func @add(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  %z = arith.addi %x, %y : tensor<?xi8>
  return %z : tensor<?xi8>
}
func.func @broadcast(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}
func.func @number(%x: i8) -> tensor<2xi8> {
  %t = tensor.splat %x : tensor<2xi8>
  return %t : tensor<2xi8>
}
"""


def attempt(name, function, *arguments, **options):
    """Prints the result of a call, or its error."""
    try:
        result = function(*arguments, **options)
        print(f"{name}: {numpy.asarray(result).ravel()[:4]}")
    except aircc.Error as error:
        print(f"{name}: {type(error).__name__}: {error}")


def ones(*shape):
    return numpy.ones(shape, numpy.float32)


def main(output, target):
    m = aircc.compile(PROGRAM, target=target, output=output)
    x, w, b = ones(4, 6), ones(6, 8), ones(8)
    attempt("right", m.layer, x, w, b, 3)
    attempt("contraction", m.layer, x, ones(5, 8), b, 3)
    attempt("cast", m.layer, x, w, ones(7), 3)
    attempt("slice", m.layer, x, w, b, 5)
    attempt("negative", m.layer, x, w, b, -1)
    attempt("static", m.layer, x, ones(6, 7), b, 3)
    attempt("large", m.layer, x, w, b, 1 << 63)
    attempt("float", m.layer, x, w, b, 1.5)
    attempt("none", m.layer, x, w, b, 3, out=[])
    attempt("list", m.layer, x, w, b, 3, out=[[1]])
    attempt("output", m.layer, x, w, b, 4, out=ones(4, 8))
    memory = ones(8, 8)
    attempt("overlap", m.layer, memory[:4, :6].copy(), memory[:6], b, 4, out=memory[2:6])
    attempt("elementwise", m.add, numpy.ones(3, numpy.int8), numpy.ones(4, numpy.int8))
    attempt("tosa", m.broadcast, ones(3), ones(1))
    attempt("tosa", m.broadcast, ones(3), ones(2))
    for value in (300, 200, -128, -129, numpy.int64(7), True):
        attempt(f"number {value}", m.number, value)
    attempt("again", m.layer, x, w, b, 3)


main(*sys.argv[1:])
