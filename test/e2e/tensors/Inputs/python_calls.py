"""Numbers of narrow types, unsigned arrays for integers without a sign, and calls on streams.

python_calls.py OUTPUT TARGET
"""

import ctypes
import sys

import numpy as np

import aircc
from elements import from_bits, round_to

PROGRAM = """
func.func @half(%x: f16) -> tensor<2xf16> {
  %t = tensor.splat %x : tensor<2xf16>
  return %t : tensor<2xf16>
}
func.func @brain(%x: bf16, %n: index) -> tensor<?xbf16> {
  %t = tensor.splat %x[%n] : tensor<?xbf16>
  return %t : tensor<?xbf16>
}
func.func @small(%x: i4) -> tensor<2xi8> {
  %y = arith.extsi %x : i4 to i8
  %t = tensor.splat %y : tensor<2xi8>
  return %t : tensor<2xi8>
}
func.func @quarter(%x: f8E5M2) -> tensor<2xf8E5M2> {
  %t = tensor.splat %x : tensor<2xf8E5M2>
  return %t : tensor<2xf8E5M2>
}
func.func @sum(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %z = arith.addi %x, %y : tensor<4xi8>
  return %z : tensor<4xi8>
}
func.func @layers(%x: tensor<?x16xf32>, %w: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %n = linalg.matmul ins(%m, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %n : tensor<?x16xf32>
}
func.func @element(%x: tensor<16x16xf32>) -> f32 {
  %c2 = arith.constant 2 : index
  %v = tensor.extract %x[%c2, %c2] : tensor<16x16xf32>
  return %v : f32
}
"""


def equal(name, got, wanted):
    if not np.array_equal(got, wanted, equal_nan=got.dtype.kind == "f"):
        sys.exit(f"{name}: {got}, expected {wanted}")


def fail(name, function, *arguments, **options):
    try:
        function(*arguments, **options)
        sys.exit(f"{name}: no error")
    except aircc.Error as error:
        print(f"{name}: {error}")


def check_numbers(m):
    # 1 + 2**-8 is halfway between two numbers of bf16; the second is close to that, above it, and the third below.
    numbers = [
        0,
        -0.0,
        1,
        2.5,
        -1 / 3,
        1 + 2**-8,
        1 + 2**-8 + 2**-40,
        1 + 2**-8 - 2**-40,
        1 + 3 * 2**-8,
        1e-40,
    ]
    # The largest bf16 is 3.3895e38. Numbers that exceed it by less than half a step are rounded to it.
    numbers += [
        3.396e38,
        3.397e38,
        -1e300,
        -np.inf,
        np.nan,
        np.float32(0.1),
        np.float16(7),
        2**-134,
        2**-134 + 2**-150,
        3 * 2**-134,
    ]
    for number in numbers:
        with np.errstate(over="ignore"):
            equal(f"half({number})", m.half(number), np.full(2, number, np.float64).astype(np.float16))
        wanted = np.float32(np.copysign(np.inf, number)) if abs(number) > 3.3965e38 else round_to(number, "bf16")
        bits = m.brain(number, 3).view(np.uint16)
        equal(f"brain({number})", from_bits(bits, "bf16"), np.full(3, wanted))
        if number == 0 and bits[0] != int(np.signbit(number)) << 15:
            sys.exit(f"brain({number}): {bits}")
    for number in (7, -8, 15):
        equal(f"small({number})", m.small(number), np.full(2, number - 16 if number > 7 else number, np.int8))
    fail("large", m.small, 16)
    fail("text", m.half, "1")
    try:
        import ml_dtypes

        equal("quarter", m.quarter(1.3), np.full(2, 1.3).astype(ml_dtypes.float8_e5m2))
    except ImportError:
        fail("quarter", m.quarter, 1.3)


def check_unsigned(m):
    x, y = np.array([1, 200, 255, 7], np.uint8), np.array([1, 50, 1, 0], np.uint8)
    out = np.zeros(4, np.uint8)
    m.sum(x, y, out=out)
    equal("unsigned", out, x + y)
    equal("mixed", m.sum(x, y.view(np.int8)), (x + y).view(np.int8))
    equal("device", m.sum(m.to_device(x), y), (x + y).view(np.int8))
    fail("wider", m.sum, x.astype(np.uint16), y)
    fail("output", m.sum, x, y, out=np.zeros(4, np.uint16))


def check_streams(m):
    rng = np.random.default_rng(3)
    w = rng.integers(-1, 2, (16, 16)).astype(np.float32)
    x = rng.integers(-2, 3, (5, 16)).astype(np.float32)
    wanted = x @ w @ w
    dx, dw = m.to_device(x), m.to_device(w)
    before = m.runtime.copied_bytes
    stream = m.create_stream()
    # Each call takes the result of the one before, and nothing waits in between.
    y = m.layers(m.layers(dx, dw, stream=stream), dw, stream=stream)
    equal("chain", y.numpy(), wanted @ w @ w)
    # An array that another stream uses, and then a call without a stream.
    z = m.layers(dx, dw, stream=m.create_stream())
    equal("other stream", m.layers(z, dw, stream=stream).numpy(), wanted @ w @ w)
    equal("no stream", m.layers(m.layers(dx, dw, stream=stream), dw, on_device=True).numpy(), wanted @ w @ w)
    out = m.to_device(np.zeros_like(x))
    if m.layers(dx, dw, out=out, stream=stream) is not out:
        sys.exit("'out' is not returned")
    stream.synchronize()
    equal("out", out.numpy(), wanted)
    # An object that only supports DLPack, whose memory is released when the work is done.
    held = m.layers(Exporter(dx), dw, stream=stream)
    equal("DLPack", held.numpy(), wanted)
    # A stream that something else has made.
    handle = ctypes.c_void_p(m.runtime.create_stream())
    native = m.create_stream(handle.value)
    equal("native", m.layers(dx, dw, stream=native).numpy(), wanted)
    native.release()
    m.runtime.destroy_stream(handle.value)
    if m.runtime.copied_bytes != before:
        sys.exit("bytes were copied")
    fail("host", m.layers, x, dw, stream=stream)
    fail("element", m.element, dw, stream=stream)
    fail("address", m.layers, dx, dw, stream=handle.value)


class Exporter:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def main(output, target):
    m = aircc.compile(PROGRAM, target=target, output=output)
    check_numbers(m)
    check_unsigned(m)
    check_streams(m)
    print("done")


main(*sys.argv[1:])
