"""Element types of tensors: their arrays in numpy, rounding, and the bits that cross a function's boundary.

bf16 and the 8-bit floats are float32 arrays whose values the type can represent, i4 is an int8 array of values from -8
to 7, and index an int64 array.
"""

import numpy as np

INTEGERS = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
# The significant bits, the exponent of the smallest normal number, and the largest number.
FLOATS = {
    "f8E4M3FN": (4, -6, 448.0),
    "f8E5M2": (3, -14, 57344.0),
    "f8E4M3FNUZ": (4, -7, 240.0),
    "f8E5M2FNUZ": (3, -15, 57344.0),
    "bf16": (8, -126, 3.3895313892515355e38),
    "f16": (11, -14, 65504.0),
    "f32": (24, -126, float(np.finfo(np.float32).max)),
    "f64": (53, -1022, float(np.finfo(np.float64).max)),
}
NATIVE = {
    "i1": np.bool_,
    "i4": np.int8,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


def is_float(element):
    return element in FLOATS


def get_width(element):
    if element in INTEGERS:
        return INTEGERS[element]
    return 8 if element.startswith("f8") else int(element.strip("bf"))


def get_dtype(element):
    return np.dtype(NATIVE.get(element, np.float32))


def epsilon(element):
    """The largest relative error of a rounding."""
    return 2.0 ** -FLOATS[element][0]


def tiny(element):
    """The largest absolute error of the rounding of a small number."""
    return 2.0 ** max(FLOATS[element][1] - FLOATS[element][0], -1022)


def round_to(values, element):
    """Rounds numbers to an element type, and wraps integers."""
    if element == "i4":
        return (((np.asarray(values).astype(np.int64) & 15) ^ 8) - 8).astype(np.int8)
    if element == "i1":
        return (np.asarray(values).astype(np.int64) & 1).astype(bool)
    if element in NATIVE:
        return np.asarray(values).astype(NATIVE[element])
    bits, smallest, _ = FLOATS[element]
    values = np.asarray(values, np.float64)
    _, exponent = np.frexp(values)
    step = np.exp2(np.maximum(exponent - 1, smallest) - (bits - 1))
    return (np.rint(values / step) * step).astype(np.float32)


def is_valid(values, element):
    """Whether all values are numbers that the type can represent, not close to its limits."""
    return element in INTEGERS or bool(np.all(np.abs(values.astype(np.float64)) <= FLOATS[element][2] / 4))


def to_bits(values, element):
    """The array that is passed for a tensor."""
    if element in NATIVE:
        return values.copy()
    if element == "bf16":
        return (values.astype(np.float32).reshape(values.shape).view(np.uint32) >> 16).astype(np.uint16)
    bits, smallest, _ = FLOATS[element]
    mantissa = bits - 1
    magnitude, exponent = np.frexp(np.abs(values).astype(np.float64))
    normal = (exponent - 1 >= smallest) & (magnitude != 0)
    fraction = np.where(
        normal, np.ldexp(magnitude * 2 - 1, mantissa), np.ldexp(np.abs(values).astype(np.float64), mantissa - smallest)
    )
    code = np.where(normal, exponent - smallest, 0).astype(np.int64) * (1 << mantissa) + fraction.astype(np.int64)
    # The formats with FNUZ have no negative zero: that code is NaN.
    negative = np.signbit(values) & ((values != 0) | (not element.endswith("UZ")))
    return np.where(negative, code | 128, code).astype(np.uint8)


def from_bits(array, element):
    """The values of an array that a function returned."""
    if element in NATIVE:
        return array
    if element == "bf16":
        return (array.astype(np.uint32).reshape(-1) << 16).view(np.float32).reshape(array.shape)
    bits, smallest, _ = FLOATS[element]
    mantissa = bits - 1
    code = array.astype(np.int64) & 127
    exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
    values = np.where(
        exponent > 0,
        np.ldexp(1.0 + fraction / (1 << mantissa), exponent - 1 + smallest),
        np.ldexp(fraction.astype(np.float64), smallest - mantissa),
    )
    return np.where(array & 128, -values, values).astype(np.float32)
