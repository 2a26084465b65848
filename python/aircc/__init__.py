"""Compile MLIR programs with aircc, and call them with numpy arrays.

    import aircc

    aircc.compile("model.mlir", target="gfx942", output="libmodel.so")
    model = aircc.load("libmodel.so")
    y = model.forward(x)

The only dependency is numpy.
"""

from .compiler import compile
from .device import DeviceArray, Runtime
from .errors import CompileError, DeviceError, Diagnostic, Error
from .library import Function, Library, load
from .stream import Stream

__all__ = [
    "CompileError",
    "DeviceArray",
    "DeviceError",
    "Diagnostic",
    "Error",
    "Function",
    "Library",
    "Runtime",
    "Stream",
    "compile",
    "load",
]
