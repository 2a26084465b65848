"""Numbers that are passed by value."""

import ctypes
import operator

import numpy

from .elements import get_dtype
from .errors import Error

# By the number of bytes: the runtime gets the address of a number.
_CONTAINERS = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


def _get_f16_bits(number):
    with numpy.errstate(over="ignore"):
        return int(numpy.float64(number).astype(numpy.float16).view(numpy.uint16))


def _get_bf16_bits(number):
    """The nearest bf16; of two, the even one."""
    if number != number:
        return 0x7FC0
    with numpy.errstate(over="ignore"):
        single = numpy.float64(number).astype(numpy.float32)
    bits = int(single.view(numpy.uint32))
    # A second rounding must not see a tie that the number is not: the lowest bit says that others are cut off.
    if float(single) != number:
        bits = (bits - (abs(float(single)) > abs(number))) | 1
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def _get_f8_bits(number, name, what):
    dtype = get_dtype(name)
    if dtype.kind == "u":
        raise Error(f"{what} has type {name}; the package ml_dtypes, which converts numbers to it, is not installed")
    return int(numpy.float64(number).astype(dtype).view(numpy.uint8))


def _convert_float(value, name, what):
    number = ctypes.c_double(value).value
    if name == "f64":
        return ctypes.c_double(number)
    if name == "f32":
        return ctypes.c_float(number)
    if name == "f16":
        return ctypes.c_uint16(_get_f16_bits(number))
    if name == "bf16":
        return ctypes.c_uint16(_get_bf16_bits(number))
    return ctypes.c_uint8(_get_f8_bits(number, name, what))


def _convert_integer(value, name, what):
    integer = int(value) if isinstance(value, numpy.bool_) else operator.index(value)
    bits = 64 if name == "index" else int(name.lstrip("sui"))
    low, high = (0, 1) if bits == 1 else (-(1 << (bits - 1)), (1 << bits) - 1)
    if name.startswith("u"):
        low = 0
    elif name.startswith("si") or name == "index":
        high >>= 1
    if not low <= integer <= high:
        raise Error(f"{what} has type {name}, from {low} to {high}; {integer} was given")
    size = 1
    while 8 * size < bits:
        size *= 2
    return _CONTAINERS[size](integer & ((1 << bits) - 1))


def convert_number(value, name, what):
    """An object of ctypes with the bytes of a number. `what` is the argument, for messages."""
    try:
        if name.startswith(("f", "bf")):
            return _convert_float(value, name, what)
        return _convert_integer(value, name, what)
    except TypeError:
        raise Error(f"{what} has type {name}; {value!r} of type {type(value).__name__} was given") from None
