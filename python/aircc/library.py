"""Calls functions of a compiled library."""

import ctypes
import json
import os

import numpy

from . import dlpack
from .device import DeviceArray, Runtime
from .elements import accepts, describe_dtypes, get_dtype, get_element_type
from .errors import Error
from .scalars import convert_number
from .stream import Stream


class Operand:
    """Memory passed for a tensor: its address, sizes and strides, and the object that keeps it alive."""

    def __init__(self, address, shape, owner, release=None):
        self.address = address
        self.shape = tuple(shape)
        self.owner = owner
        self.release = release or (lambda: None)

    @staticmethod
    def from_numpy(array):
        return Operand(array.ctypes.data, array.shape, array)

    def make_descriptor(self):
        """Returns a memref descriptor: pointers to the allocation and to the first element, offset, sizes, strides."""
        rank = len(self.shape)

        class Descriptor(ctypes.Structure):
            _fields_ = [
                ("allocated", ctypes.c_void_p),
                ("aligned", ctypes.c_void_p),
                ("offset", ctypes.c_int64),
                ("sizes", ctypes.c_int64 * rank),
                ("strides", ctypes.c_int64 * rank),
            ]

        strides, stride = [], 1
        for size in reversed(self.shape):
            strides.insert(0, stride)
            stride *= max(size, 1)
        numbers = ctypes.c_int64 * rank
        return Descriptor(self.address, self.address, 0, numbers(*self.shape), numbers(*strides))


def _check_shape(shape, wanted, what):
    """Checks sizes; None in `wanted` stands for any size."""
    if len(shape) != len(wanted) or any(want not in (None, have) for want, have in zip(wanted, shape)):
        text = ", ".join("?" if size is None else str(size) for size in wanted)
        raise Error(f"{what} has the shape {tuple(shape)}; ({text}) is required")


def _get_entry_name(name):
    """Returns the function's name as it is spelled in the library's symbols: `f_40x` for `f@x`."""
    return "".join(
        chr(byte) if byte < 128 and (chr(byte).isalnum() or byte == ord("_")) else f"_{byte:02X}"
        for byte in name.encode()
    )


class Function:
    """A function of a library. Call it with one array or number for each argument.

    Arrays may be numpy arrays, DeviceArrays, objects of other libraries that support DLPack, or DLPack capsules, on
    the host or on the device. A call may overwrite an argument that the program declares as donated; `out` may then be
    the same array, for the result that reuses its memory.
    """

    def __init__(self, library, runtime, name, signature):
        self.name = name
        self.arguments = signature["arguments"]
        self.results = signature["results"]
        self._runtime = runtime
        # AirccEntry of aircc/runtime.h.
        self._entry = ctypes.byref(ctypes.c_char.in_dll(library, f"aircc_entry_{_get_entry_name(name)}"))

    @property
    def dtypes(self):
        """The numpy element types of the results."""
        return [get_dtype(result["type"]) for result in self.results]

    def __call__(self, *arguments, out=None, on_device=False, stream=None):
        """Returns the results: one array or number, or a tuple of several.

        `out` is an array, or a list of arrays, to which results are written; None stands for a new array, which is a
        numpy array or, with `on_device`, a DeviceArray. With a `stream`, the call returns without waiting for the
        device; all arrays must be in device memory, as new ones are.
        """
        if len(arguments) != len(self.arguments):
            raise Error(f"{self.name} takes {len(self.arguments)} arguments; {len(arguments)} were given")
        if stream is not None and not isinstance(stream, Stream):
            raise Error(f"'stream' must be a Stream; a {type(stream).__name__} was given")
        operands = []
        try:
            results = self._call_with(arguments, operands, out, on_device or stream is not None, stream)
        except BaseException:
            self._release(operands)
            raise
        if stream is None:
            self._release(operands)
        else:
            stream.hold(operands)
        return results

    @staticmethod
    def _release(operands):
        for operand in operands:
            operand.release()

    def _call_with(self, arguments, operands, out, on_device, stream):
        """Performs a call, and adds the operands that must be released to `operands`."""
        passed = []

        def pass_operand(operand):
            operands.append(operand)
            passed.append(operand.make_descriptor())

        for number, (value, expected) in enumerate(zip(arguments, self.arguments)):
            what = f"argument {number} of {self.name}"
            if "shape" in expected:
                pass_operand(self._convert(value, expected, what, stream))
            else:
                passed.append(convert_number(value, expected["type"], what))
        outputs = self._get_outputs(out)
        sizes = self._compute_sizes(passed)
        results = []
        for number, (expected, output) in enumerate(zip(self.results, outputs)):
            shape = [next(sizes) if size is None else size for size in expected.get("shape", [])]
            if output is None:
                output = self._make_result(expected, shape, on_device)
            pass_operand(self._convert_output(output, expected, shape, number, stream))
            results.append(output)
        if stream is None:
            self._runtime.call(self._entry, self._get_pointers(passed))
        else:
            self._runtime.call_async(self._entry, self._get_pointers(passed), stream.handle)
        # Results that are not tensors are numbers.
        results = [
            result if "shape" in expected or isinstance(result, DeviceArray) else result[()]
            for result, expected in zip(results, self.results)
        ]
        return results[0] if len(results) == 1 else tuple(results)

    @staticmethod
    def _get_pointers(passed):
        return (ctypes.c_void_p * len(passed))(*map(ctypes.addressof, passed))

    def _convert(self, value, expected, what, stream):
        """Returns the operand to pass for a tensor argument."""
        name = expected["type"]
        if isinstance(value, DeviceArray):
            return self._convert_device_array(value, name, expected["shape"], what, stream)
        donated = expected.get("donated", False)
        if not isinstance(value, numpy.ndarray) and dlpack.is_exporter(value):
            return self._import(value, name, expected["shape"], what, stream, writes=donated)
        array = numpy.asarray(value)
        if donated and not array.flags.writeable:
            raise Error(f"{what} must be writable, because it is donated")
        if not accepts(name, array.dtype):
            raise Error(f"{what} has elements of type {array.dtype}; {describe_dtypes(name)} is required")
        _check_shape(array.shape, expected["shape"], what)
        # A copy if elements are not contiguous, or not aligned.
        return Operand.from_numpy(numpy.require(array, requirements=["C", "A"]).reshape(array.shape))

    @staticmethod
    def _convert_device_array(array, name, shape, what, stream):
        if not accepts(name, array.dtype):
            raise Error(f"{what} has elements of type {array.element_type}; {name} is required")
        _check_shape(array.shape, shape, what)
        array.use_on(stream)
        return Operand(array.address, array.shape, array)

    def _import(self, value, name, wanted_shape, what, stream, writes=False):
        """Returns an operand for memory of another library, which is used without a copy."""
        imported = dlpack.Import(value, what, stream and stream.handle)
        item_bytes = imported.check_type(name)
        shape = imported.get_shape()
        _check_shape(shape, wanted_shape, what)
        address = imported.check_layout(shape, item_bytes)
        if writes and imported.read_only:
            raise Error(f"{what} must be writable")
        device_type, index = imported.device
        if device_type not in (dlpack.CPU, dlpack.ROCM_HOST):
            own = self._runtime.get_dlpack_device()
            if (device_type, index) != own:
                raise Error(
                    f"{what} is on the DLPack device {(device_type, index)}; the function runs on the device {own}"
                )
            if 0 not in shape and self._runtime.get_memory_device(address) != index:
                raise Error(f"{what} is not in memory of the device, as its DLPack device says")
        imported.take()
        return Operand(address, shape, imported, imported.release)

    def _compute_sizes(self, passed):
        """Returns an iterator over the dynamic sizes of the results."""
        count = sum(size is None for result in self.results for size in result.get("shape", []))
        if count == 0:
            return iter(())
        return iter(self._runtime.get_result_sizes(self._entry, self._get_pointers(passed), count))

    def _get_outputs(self, out):
        """Returns the array, or None, for each result."""
        if out is None:
            return [None] * len(self.results)
        outputs = list(out) if isinstance(out, (list, tuple)) else [out]
        if len(outputs) != len(self.results):
            raise Error(f"{self.name} has {len(self.results)} results; {len(outputs)} arrays were given as 'out'")
        for number, output in enumerate(outputs):
            if output is not None and not isinstance(output, (numpy.ndarray, DeviceArray)):
                if not dlpack.is_exporter(output):
                    raise Error(
                        f"'out' of result {number} of {self.name} must be a numpy array, a DeviceArray or an object"
                        f" that supports DLPack; a {type(output).__name__} was given"
                    )
        return outputs

    def _make_result(self, expected, shape, on_device):
        """Creates a new array for a result."""
        if on_device and "shape" in expected:
            return DeviceArray(self._runtime, shape, expected["type"])
        return numpy.empty(shape, get_dtype(expected["type"]))

    def _convert_output(self, output, expected, shape, number, stream):
        """Returns the operand to pass for a result."""
        what = f"the array for result {number} of {self.name}"
        name = expected["type"]
        if isinstance(output, DeviceArray):
            return self._convert_device_array(output, name, shape, what, stream)
        if not isinstance(output, numpy.ndarray):
            return self._import(output, name, shape, what, stream, writes=True)
        if not output.flags.writeable or not output.flags.c_contiguous or not output.flags.aligned:
            raise Error(f"{what} must be writable, contiguous and aligned")
        if not accepts(name, output.dtype) or list(output.shape) != shape:
            raise Error(
                f"{what} has the type {output.dtype} and the shape {output.shape}; {describe_dtypes(name)} and"
                f" {tuple(shape)} are required"
            )
        return Operand.from_numpy(output)


class Library:
    """A compiled library. Its functions are attributes, `library.forward(x)`, and items, `library["forward"](x)`, which
    also support names that are not valid Python identifiers."""

    def __init__(self, path):
        self.path = os.fspath(path)
        try:
            self._library = ctypes.CDLL(os.path.abspath(self.path))
        except OSError as error:
            raise Error(f"{self.path} cannot be loaded: {error}") from error
        self._runtime = None
        self._functions = {}

    @property
    def runtime(self):
        """The runtime, which all libraries of the process share."""
        if self._runtime is None:
            self._runtime = Runtime(self._library)
        return self._runtime

    def to_device(self, array, element_type=None):
        """Copies a numpy array to a new DeviceArray. `element_type` is an MLIR type, for types that numpy lacks."""
        array = numpy.asarray(array)
        copy = DeviceArray(self.runtime, array.shape, element_type or get_element_type(array.dtype))
        copy.assign(array)
        return copy

    def create_stream(self, native=None):
        """Creates a stream, or a Stream for the address of a native stream."""
        return Stream(self.runtime, native)

    def __getattr__(self, name):
        if name.startswith("__") or "_functions" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, name):
        if name in self._functions:
            return self._functions[name]
        try:
            text = ctypes.c_char.in_dll(self._library, f"aircc_signature_{_get_entry_name(name)}")
        except ValueError:
            raise KeyError(f"{self.path} has no function {name!r} on tensors") from None
        signature = json.loads(ctypes.string_at(ctypes.addressof(text)))
        self._functions[name] = Function(self._library, self.runtime, name, signature)
        return self._functions[name]


def load(path):
    """Loads a library created by `compile` or `aircc --emit shared`."""
    return Library(path)
