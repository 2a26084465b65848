"""Calls a function whose constants are in ./case.safetensors: safetensors_case.py PACKAGE LIBRARY. The exit code is 1
if the file is refused, with a message."""

import os
import sys

import numpy


def main():
    package, library = sys.argv[1:3]
    sys.path.insert(0, package)
    import aircc

    os.environ["AIRCC_CONSTANTS_PATH"] = "."
    model = aircc.load(library)
    try:
        z, g, b = model.add(numpy.ones((4, 8), numpy.float32))
        assert (z == numpy.arange(32).reshape(4, 8) + 1).all(), z
        assert g.tolist() == [5, 6, 7] and b.tolist() == [True, False, False, True, True], (g, b)
    except aircc.Error as error:
        assert "case.safetensors" in str(error), error
        sys.exit(f"error: {error}")


main()
