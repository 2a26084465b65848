"""Element types: MLIR's names, and what they are in numpy and DLPack."""

import numpy

from .errors import Error

_ELEMENTS = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "index": "int64",
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "si8": "int8",
    "si16": "int16",
    "si32": "int32",
    "si64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
}

# Types that numpy lacks; without ml_dtypes, their bits are unsigned integers.
_SMALL_FLOATS = {
    "bf16": ("bfloat16", "uint16"),
    "f8E4M3FN": ("float8_e4m3fn", "uint8"),
    "f8E5M2": ("float8_e5m2", "uint8"),
    "f8E4M3FNUZ": ("float8_e4m3fnuz", "uint8"),
    "f8E5M2FNUZ": ("float8_e5m2fnuz", "uint8"),
    "f8E8M0FNU": ("float8_e8m0fnu", "uint8"),
}

# DLDataTypeCode.
_INT, _UINT, _FLOAT, _BFLOAT, _BOOL = 0, 1, 2, 4, 6
_FLOAT8 = {"f8E4M3FN": 10, "f8E4M3FNUZ": 11, "f8E5M2": 12, "f8E5M2FNUZ": 13, "f8E8M0FNU": 14}


def get_dtype(name):
    """The numpy type of an element type of MLIR."""
    if name in _ELEMENTS:
        return numpy.dtype(_ELEMENTS[name])
    if name in _SMALL_FLOATS:
        special, bits = _SMALL_FLOATS[name]
        try:
            import ml_dtypes
        except ImportError:
            return numpy.dtype(bits)
        return numpy.dtype(getattr(ml_dtypes, special))
    raise Error(f"elements of type {name} have no type in numpy")


def _has_no_sign(name):
    """Whether a type of MLIR is one of integers that ops take as signed or as unsigned."""
    return name[0] == "i" and name[1:] in ("8", "16", "32", "64")


def accepts(name, dtype):
    """Whether elements of an element type of MLIR can have a type of numpy."""
    return dtype == get_dtype(name) or (_has_no_sign(name) and dtype == get_dtype("u" + name))


def describe_dtypes(name):
    """The types of numpy for an element type of MLIR, for messages."""
    return f"{get_dtype(name)} or {get_dtype('u' + name)}" if _has_no_sign(name) else str(get_dtype(name))


def get_element_type(dtype):
    """The element type of MLIR for a type of numpy."""
    for name in (*_ELEMENTS, *_SMALL_FLOATS):
        if name != "index" and dtype == get_dtype(name):
            return name
    raise Error(f"there is no element type of MLIR for elements of type {dtype}")


def get_dlpack_types(name):
    """The DLPack types (code, bits) of an element type of MLIR; the first one is that of results."""
    if name in _FLOAT8:
        return [(_FLOAT8[name], 8), (_UINT, 8)]
    if name == "bf16":
        return [(_BFLOAT, 16), (_UINT, 16)]
    dtype = get_dtype(name)
    code = {"f": _FLOAT, "i": _INT, "u": _UINT, "b": _BOOL}[dtype.kind]
    types = [(code, 8 * dtype.itemsize)]
    if _has_no_sign(name):
        types.append((_UINT, 8 * dtype.itemsize))
    return types
