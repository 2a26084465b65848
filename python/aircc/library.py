"""Calling the functions of a compiled library."""

import ctypes
import json
import operator
import os

import numpy

from .errors import DeviceError, Error

# Status codes of aircc/runtime.h.
_SUCCESS = 0
_INVALID_ARGUMENT = 1

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

_SCALARS = {
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "index": ctypes.c_int64,
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "si8": ctypes.c_int8,
    "si16": ctypes.c_int16,
    "si32": ctypes.c_int32,
    "si64": ctypes.c_int64,
    "ui8": ctypes.c_uint8,
    "ui16": ctypes.c_uint16,
    "ui32": ctypes.c_uint32,
    "ui64": ctypes.c_uint64,
}

# Types that numpy lacks; without ml_dtypes, their bits are unsigned integers.
_SMALL_FLOATS = {
    "bf16": ("bfloat16", "uint16"),
    "f8E4M3FN": ("float8_e4m3fn", "uint8"),
    "f8E5M2": ("float8_e5m2", "uint8"),
    "f8E4M3FNUZ": ("float8_e4m3fnuz", "uint8"),
    "f8E5M2FNUZ": ("float8_e5m2fnuz", "uint8"),
}


def _get_dtype(name):
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


def _make_descriptor(array):
    """The descriptor of a memref: pointers to the allocation and to the first element, offset, sizes, strides."""
    rank = array.ndim

    class Descriptor(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.c_void_p),
            ("aligned", ctypes.c_void_p),
            ("offset", ctypes.c_int64),
            ("sizes", ctypes.c_int64 * rank),
            ("strides", ctypes.c_int64 * rank),
        ]

    strides = [stride // array.itemsize for stride in array.strides]
    pointer = array.ctypes.data
    sizes = (ctypes.c_int64 * rank)(*array.shape)
    return Descriptor(pointer, pointer, 0, sizes, (ctypes.c_int64 * rank)(*strides))


class Function:
    """A function of a library. Call it with one numpy array or number for each argument."""

    def __init__(self, library, name, signature):
        self.name = name
        self.arguments = signature["arguments"]
        self.results = signature["results"]
        self._get_last_error = library.airccLastError
        self._get_last_error.restype = ctypes.c_char_p
        self._call = self._get_function(library, f"aircc_{name}")
        # Computes the dynamic sizes of the results.
        self._get_sizes = self._get_function(library, f"aircc_result_sizes_{name}")

    @staticmethod
    def _get_function(library, name):
        function = getattr(library, name, None)
        if function is not None:
            function.restype = ctypes.c_int32
        return function

    @property
    def dtypes(self):
        """The numpy types of the elements of the results."""
        return [_get_dtype(result["type"]) for result in self.results]

    def __call__(self, *arguments, out=None):
        """Returns the results: one array or number, or a tuple of several.

        `out` is an array, or a list of arrays, into which results are written; None stands for a new array.
        """
        if len(arguments) != len(self.arguments):
            raise Error(f"{self.name} takes {len(self.arguments)} arguments; {len(arguments)} were given")
        operands, alive = [], []
        for number, (value, expected) in enumerate(zip(arguments, self.arguments)):
            operand = self._convert(value, expected, number)
            alive.append(operand)
            if "shape" in expected:
                descriptor = _make_descriptor(operand)
                alive.append(descriptor)
                operands.append(ctypes.byref(descriptor))
            else:
                operands.append(operand)
        outputs = self._get_outputs(out)
        sizes = self._compute_sizes(operands)
        results = []
        for number, (expected, output) in enumerate(zip(self.results, outputs)):
            shape = [next(sizes) if size is None else size for size in expected.get("shape", [])]
            result = self._make_result(expected, shape, output, number)
            results.append(result)
            descriptor = _make_descriptor(result)
            alive.append(descriptor)
            operands.append(ctypes.byref(descriptor))
        self._check(self._call(*operands))
        # Results that are not tensors are numbers.
        results = [result if "shape" in expected else result[()] for result, expected in zip(results, self.results)]
        return results[0] if len(results) == 1 else tuple(results)

    def _check(self, status):
        """Raises the error of the runtime if there is one."""
        if status == _SUCCESS:
            return
        message = self._get_last_error().decode(errors="replace")
        raise (Error if status == _INVALID_ARGUMENT else DeviceError)(message)

    def _convert(self, value, expected, number):
        """The array or number that is passed for an argument."""
        name = expected["type"]
        if "shape" not in expected:
            return self._convert_number(value, name, number)
        array = numpy.asarray(value)
        dtype = _get_dtype(name)
        if array.dtype != dtype:
            raise Error(f"argument {number} of {self.name} has elements of type {array.dtype}; {dtype} is required")
        shape = expected["shape"]
        if array.ndim != len(shape) or any(want not in (None, have) for want, have in zip(shape, array.shape)):
            wanted = ", ".join("?" if size is None else str(size) for size in shape)
            raise Error(f"argument {number} of {self.name} has the shape {array.shape}; ({wanted}) is required")
        # A copy if elements are not contiguous, or not aligned.
        return numpy.require(array, requirements=["C", "A"]).reshape(array.shape)

    def _convert_number(self, value, name, number):
        """The number that is passed for an argument."""
        if name not in _SCALARS:
            raise Error(f"argument {number} of {self.name} has type {name}, which cannot be passed by value")
        try:
            if name.startswith("f"):
                return _SCALARS[name](value)
            integer = int(value) if isinstance(value, numpy.bool_) else operator.index(value)
        except TypeError:
            raise Error(
                f"argument {number} of {self.name} has type {name}; {value!r} of type {type(value).__name__} was given"
            ) from None
        bits = 64 if name == "index" else int(name.lstrip("sui"))
        low, high = (0, 1) if bits == 1 else (-(1 << (bits - 1)), (1 << bits) - 1)
        if name.startswith("u"):
            low = 0
        elif name.startswith("si") or name == "index":
            high >>= 1
        if not low <= integer <= high:
            raise Error(f"argument {number} of {self.name} has type {name}, from {low} to {high}; {integer} was given")
        return _SCALARS[name](integer)

    def _compute_sizes(self, operands):
        """An iterator over the dynamic sizes of the results."""
        count = sum(size is None for result in self.results for size in result.get("shape", []))
        if count == 0:
            return iter(())
        if self._get_sizes is None:
            raise Error(f"the sizes of the results of {self.name} cannot be computed before the call")
        sizes = (ctypes.c_int64 * count)()
        self._check(self._get_sizes(*operands, sizes))
        return iter(list(sizes))

    def _get_outputs(self, out):
        """The array, or None, for each result."""
        if out is None:
            return [None] * len(self.results)
        outputs = list(out) if isinstance(out, (list, tuple)) else [out]
        if len(outputs) != len(self.results):
            raise Error(f"{self.name} has {len(self.results)} results; {len(outputs)} arrays were given as 'out'")
        for number, output in enumerate(outputs):
            if output is not None and not isinstance(output, numpy.ndarray):
                raise Error(
                    f"'out' of result {number} of {self.name} must be a numpy array;"
                    f" a {type(output).__name__} was given"
                )
        return outputs

    def _make_result(self, expected, shape, output, number):
        """The array for a result: `output`, or a new one."""
        dtype = _get_dtype(expected["type"])
        if output is None:
            return numpy.empty(shape, dtype)
        if not output.flags.writeable or not output.flags.c_contiguous or not output.flags.aligned:
            raise Error(f"the array for result {number} of {self.name} must be writable, contiguous and aligned")
        if output.dtype != dtype or list(output.shape) != shape:
            raise Error(
                f"the array for result {number} of {self.name} has the type {output.dtype} and the shape"
                f" {output.shape}; {dtype} and {tuple(shape)} are required"
            )
        return output


class Library:
    """A compiled library. Its functions are attributes: `library.forward(x)`."""

    def __init__(self, path):
        self.path = os.fspath(path)
        try:
            self._library = ctypes.CDLL(os.path.abspath(self.path))
        except OSError as error:
            raise Error(f"{self.path} cannot be loaded: {error}") from error

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            text = ctypes.c_char.in_dll(self._library, f"aircc_signature_{name}")
        except ValueError:
            raise AttributeError(f"{self.path} has no function {name!r} on tensors") from None
        signature = json.loads(ctypes.string_at(ctypes.addressof(text)))
        function = Function(self._library, name, signature)
        setattr(self, name, function)
        return function


def load(path):
    """Loads a library that `compile`, or `aircc --emit shared`, has made."""
    return Library(path)
