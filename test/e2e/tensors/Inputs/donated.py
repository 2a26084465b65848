"""Calls to functions that may overwrite arguments, with memory of the host and of the device, in place and not."""

import os
import sys

import numpy

import aircc

rng = numpy.random.default_rng(1)


def make(*shape, dtype=numpy.float32):
    return rng.integers(-8, 9, shape).astype(dtype)


def check(name, got, wanted):
    got = got.numpy() if isinstance(got, aircc.DeviceArray) else got
    if not numpy.array_equal(got, wanted):
        sys.exit(f"{name}: {got}, expected {wanted}")


def run(m, name, arguments, donors, wanted, in_place_bytes=0):
    """Calls a function with `arguments`, which should give the arrays `wanted`. `donors` has for each result the index
    of the argument in whose memory it is computed, or None."""
    function = m[name]
    kept = [i for i, a in enumerate(arguments) if isinstance(a, numpy.ndarray) and i not in donors]
    originals = [numpy.copy(a) for a in arguments]

    def expect(results, kept_arrays):
        for result, want in zip(results, wanted):
            check(name, result, want)
        for i in kept_arrays:
            check(f"{name}, argument {i}", passed[i], originals[i])

    for on_device in (False, True):
        for in_place in (False, True):
            put = m.to_device if on_device else numpy.copy
            passed = [put(a) if isinstance(a, numpy.ndarray) else a for a in arguments]
            out = [
                passed[d] if in_place and d is not None else put(numpy.zeros(w.shape, w.dtype))
                for d, w in zip(donors, wanted)
            ]
            before = m.runtime.copied_bytes
            function(*passed, out=out)
            copied = m.runtime.copied_bytes - before
            expect(out, kept)
            bytes_of_results = sum(w.nbytes for w, d in zip(wanted, donors) if d is not None)
            allowed = (0 if in_place else bytes_of_results) + in_place_bytes
            if on_device and copied != allowed:
                sys.exit(f"{name}: {copied} bytes were copied, expected {allowed}")
    # Without `out`, the arguments on the host are not overwritten.
    passed = [numpy.copy(a) if isinstance(a, numpy.ndarray) else a for a in arguments]
    results = function(*passed)
    results = results if isinstance(results, tuple) else (results,)
    expect(results, [i for i, a in enumerate(arguments) if isinstance(a, numpy.ndarray)])


def fail(name, function, *arguments, **options):
    try:
        function(*arguments, **options)
        sys.exit(f"{name}: no error")
    except aircc.Error as error:
        print(f"{name}: {error}")


def main(output, target):
    path = os.path.join(os.path.dirname(__file__), "donated.mlir")
    m = aircc.compile(path, target=target, output=output)
    p, g = make(5, 4), make(5, 4)
    run(m, "update", [p, g, 0.5], [0], [p - numpy.float32(0.5) * g])
    k, v, row = (make(n, 8, dtype=numpy.float16) for n in (16, 16, 1))
    new_k, new_v = numpy.copy(k), numpy.copy(v)
    new_k[3], new_v[3] = row, 2 * row
    run(m, "append", [k, v, row, 3], [1, 0], [new_v, new_k])
    c, a, b = make(32, 32), make(32, 16), make(16, 32)
    run(m, "accumulate", [c, a, b], [0], [c + a @ b])
    x, y = make(4, 4), make(4, 4)
    run(m, "swap", [x, y], [1, 0], [y, x])
    run(m, "transpose", [x], [None], [x.T])
    run(m, "transpose_to", [x], [0], [x.T])
    for steps in (0, 3):
        run(m, "steps", [x, y, steps], [0], [x + steps * y])
    changed = numpy.copy(x)
    changed[2, 2] = 7
    # The host cannot access memory of the device, so the argument and the result are copied.
    on_host = m.set.results[0]["argument"] == 0
    assert on_host
    shared = 0
    run(m, "set", [x, 7, 2], [0], [changed], in_place_bytes=shared)

    dx, dy = m.to_device(x), m.to_device(y)
    fail("other argument", m.steps, dx, dx, 3)
    fail("other result", m.swap, dx, dy, out=[dx, dy])
    fail("not in place", m.transpose, dx, out=dx)
    part = numpy.zeros((6, 4), numpy.float32)
    fail("part", m.steps, part[:4], y, 3, out=part[1:5])
    part.flags.writeable = False
    fail("read-only", m.steps, part[:4], y, 3)
    print("done")


main(*sys.argv[1:])
