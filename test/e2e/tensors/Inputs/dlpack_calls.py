"""Calls to tensor functions with tensors of another library, by DLPack: without copies, and with errors for what the
functions cannot use."""

import gc
import sys

import numpy
from dlpack_producer import Producer

import aircc

PROGRAM = """
func.func @add(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %z = arith.addf %x, %y : tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
func.func @two(%x: tensor<4xi32>) -> (tensor<4xi32>, i32) {
  %c1 = arith.constant 1 : index
  %y = arith.addi %x, %x : tensor<4xi32>
  %v = tensor.extract %y[%c1] : tensor<4xi32>
  return %y, %v : tensor<4xi32>, i32
}
func.func @widen(%x: tensor<4xbf16>) -> tensor<4xf32> {
  %y = arith.extf %x : tensor<4xbf16> to tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
CPU, ROCM, SIM = (1, 0), (10, 0), (12, 0)
X = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)


def attempt(name, function, *arguments, **options):
    try:
        function(*arguments, **options)
        print(f"{name}: no error")
    except aircc.Error as error:
        print(f"{name}: {type(error).__name__}: {error}")


def check_arguments(m):
    """Tensors of the host and of the device are used in place."""
    x = m.to_device(X)
    for device, address in ((CPU, X.ctypes.data), (SIM, x.address)):
        for versioned in (True, False):
            for strides in (None, (4, 1)):
                producer = Producer(address, (3, 4), device=device, strides=strides, versioned=versioned)
                before = m.runtime.copied_bytes
                z = m.add(producer, producer, on_device=True)
                copied = m.runtime.copied_bytes - before
                # The two arguments of the host are copied to the device.
                assert copied == (2 * X.nbytes if device == CPU else 0), copied
                assert (z.numpy() == 2 * X).all()
                assert len(producer.exports) == producer.deletions == 2, producer.deletions
    # An offset, a capsule, and a library whose __dlpack__ takes no arguments.
    row = Producer(X.ctypes.data, (1, 4), byte_offset=16)
    row.legacy_signature = True
    assert (m.add(row, row.__dlpack__()) == 2 * X[1]).all()
    assert row.deletions == 2
    # Sizes of zero and one have any strides, and no memory is needed for no elements.
    assert m.add(Producer(None, (0, 4), strides=(7, 7)), X[:0]).shape == (0, 4)
    assert (m.add(Producer(X.ctypes.data, (1, 4), strides=(77, 1)), X[:1]) == 2 * X[0]).all()
    bits = numpy.array([0x3F80, 0x4000, 0xC040, 0], numpy.uint16)
    for code in (4, 1):
        assert list(m.widen(Producer(bits.ctypes.data, (4,), code=code, bits=16))) == [1, 2, -3, 0]
    read_only = Producer(X.ctypes.data, (3, 4), flags=1)
    assert (m.add(read_only, X) == 2 * X).all()
    print("arguments: right")


def check_results(m):
    """Results on the device are DeviceArrays, which other libraries use by DLPack."""
    x = m.to_device(X)
    before = m.runtime.copied_bytes
    y = m.add(x, x, on_device=True)
    z = m.add(y, x, on_device=True)
    m.add(y, y, out=x)
    t = m.to_device(numpy.zeros_like(X))
    target = Producer(t.address, (3, 4), device=SIM)
    m.add(x, z, out=target)
    assert m.runtime.copied_bytes == before
    assert (x.numpy() == 4 * X).all() and (t.numpy() == 7 * X).all() and target.deletions == 1
    host = numpy.zeros((3, 4), numpy.float32)
    m.add(x, X, out=Producer(host.ctypes.data, (3, 4)))
    assert (host == 5 * X).all()
    values, number = m.two(numpy.arange(4, dtype=numpy.int32), on_device=True)
    assert list(values.numpy()) == [0, 2, 4, 6] and number == 2
    assert values.__dlpack_device__() == SIM
    # Capsules: used once, by their own library or another; those that are not used are deleted as well.
    for version in (None, (1, 2)):
        capsule = z.__dlpack__(max_version=version)
        assert (m.add(capsule, x).reshape(-1)[:2] == [0, 7]).all()
        attempt("used", m.add, capsule, x)
    capsules = [z.__dlpack__(), z.__dlpack__(max_version=(1, 0)), values.__dlpack__()]
    address = z.address
    del z
    gc.collect()
    assert m.runtime.get_memory_device(address) == 0
    del capsule, capsules
    gc.collect()
    # The memory has been freed.
    assert m.runtime.get_memory_device(address) == -1
    for options in ({"dl_device": (1, 0)}, {"copy": True}):
        try:
            x.__dlpack__(**options)
        except BufferError as error:
            print(f"export: {error}")
    print("results: right")


def check_errors(m):
    """Arguments that cannot be used in place are errors; they are not copied silently."""
    data = X.ctypes.data

    def wrong(name, **fields):
        options = dict(address=data, shape=(3, 4))
        options.update(fields)
        producer = Producer(options.pop("address"), options.pop("shape"), **options)
        attempt(name, m.add, producer, X)
        gc.collect()
        # A rejected capsule belongs to its producer, which deletes it.
        assert len(producer.exports) == producer.deletions, producer.deletions

    wrong("type", code=0)
    wrong("bits", bits=64)
    wrong("lanes", lanes=4)
    wrong("sub-byte", bits=4)
    wrong("shape", shape=(3, 5))
    wrong("rank", shape=(12,))
    wrong("negative", shape=(-3, 4))
    wrong("dimensions", ndim=-1)
    wrong("many dimensions", ndim=2000000000)
    wrong("no shape", no_shape=True)
    wrong("strides", strides=(1, 3))
    wrong("large", shape=(1 << 60, 4))
    wrong("null", address=None)
    wrong("offset", byte_offset=(1 << 64) - 1)
    wrong("half offset", byte_offset=1 << 63)
    wrong("alignment", byte_offset=2)
    wrong("version", major=2)
    wrong("device", device=(2, 0))
    wrong("index", device=(12, 3))
    wrong("rocm", device=ROCM)
    wrong("not there", device=SIM)
    attempt("read-only", m.add, X, X, out=Producer(data, (3, 4), flags=1))
    attempt("size", m.add, Producer(data, (2, 4)), X)
    attempt("other capsule", m.add, sys.modules["datetime"].datetime_CAPI, X)

    class Refuses:
        def __dlpack_device__(self):
            return CPU

        def __dlpack__(self, **options):
            raise BufferError("it requires a gradient")

    class Lies(Refuses):
        def __dlpack__(self, **options):
            return 5

    attempt("refusal", m.add, Refuses(), X)
    attempt("no capsule", m.add, Lies(), X)
    attempt("assign", m.to_device(X).assign, X[:2])
    attempt("array type", m.add, m.to_device(X.astype(numpy.float64)), X)
    attempt("array shape", m.add, m.to_device(X.reshape(4, 3)), X)
    attempt("no element type", m.to_device, X.astype(numpy.complex64))


def main(output, target):
    import datetime  # noqa: F401, for its capsule

    m = aircc.compile(PROGRAM, target=target, output=output)
    check_arguments(m)
    check_results(m)
    check_errors(m)


main(*sys.argv[1:])
