"""Arrays in device memory."""

import ctypes

import numpy

from . import dlpack
from .elements import get_dlpack_types, get_dtype
from .errors import DeviceError, Error

# Status codes of aircc/runtime.h.
_SUCCESS = 0
_INVALID_ARGUMENT = 1


class Runtime:
    """The runtime that a library uses; all libraries of a process share it."""

    def __init__(self, library):
        self._library = library
        for name in (
            "airccGetDevice",
            "airccSetDevice",
            "airccAllocate",
            "airccFree",
            "airccCopy",
            "airccGetMemoryDevice",
            "airccCall",
            "airccCallAsync",
            "airccGetResultSizes",
            "airccCreateStream",
            "airccSynchronize",
            "airccReleaseStream",
            "airccDestroyStream",
        ):
            getattr(library, name).restype = ctypes.c_int32
        library.airccLastError.restype = ctypes.c_char_p
        library.airccGetCopiedBytes.restype = ctypes.c_int64

    def check(self, status):
        """Raises the runtime's error if there is one."""
        if status == _SUCCESS:
            return
        message = self._library.airccLastError().decode(errors="replace")
        raise (Error if status == _INVALID_ARGUMENT else DeviceError)(message)

    def get_device(self):
        """Returns the kind of the devices, and the index of this thread's device."""
        kind, index = ctypes.c_char_p(), ctypes.c_int32()
        self.check(self._library.airccGetDevice(ctypes.byref(kind), ctypes.byref(index)))
        return kind.value.decode(), index.value

    def get_dlpack_device(self):
        """Returns the DLPack type and index of this thread's device."""
        kind, index = self.get_device()
        return dlpack.DEVICE_TYPES[kind], index

    def set_device(self, index):
        self.check(self._library.airccSetDevice(ctypes.c_int32(index)))

    def allocate(self, size):
        memory = ctypes.c_void_p()
        self.check(self._library.airccAllocate(ctypes.c_uint64(size), ctypes.byref(memory)))
        return memory.value or 0

    def free(self, address):
        self.check(self._library.airccFree(ctypes.c_void_p(address)))

    def copy(self, destination, source, size):
        self.check(
            self._library.airccCopy(ctypes.c_void_p(destination), ctypes.c_void_p(source), ctypes.c_uint64(size))
        )

    def get_memory_device(self, address):
        """Returns the index of the device whose memory contains an address; -1 for host memory."""
        index = ctypes.c_int32()
        self.check(self._library.airccGetMemoryDevice(ctypes.c_void_p(address), ctypes.byref(index)))
        return index.value

    def call(self, entry, arguments):
        """Calls the function that `entry` describes. `arguments` is an array of pointers to arguments and results."""
        self.check(self._library.airccCall(entry, arguments))

    def call_async(self, entry, arguments, stream):
        self.check(self._library.airccCallAsync(entry, arguments, ctypes.c_void_p(stream)))

    def get_result_sizes(self, entry, arguments, count):
        """Returns the `count` dynamic sizes of the results."""
        sizes = (ctypes.c_int64 * count)()
        self.check(self._library.airccGetResultSizes(entry, arguments, sizes))
        return list(sizes)

    def create_stream(self):
        stream = ctypes.c_void_p()
        self.check(self._library.airccCreateStream(ctypes.byref(stream)))
        return stream.value

    def synchronize(self, stream):
        self.check(self._library.airccSynchronize(ctypes.c_void_p(stream)))

    def release_stream(self, stream):
        self.check(self._library.airccReleaseStream(ctypes.c_void_p(stream)))

    def destroy_stream(self, stream):
        self.check(self._library.airccDestroyStream(ctypes.c_void_p(stream)))

    @property
    def copied_bytes(self):
        """The number of bytes that this thread's calls have copied between the caller's memory and their own."""
        return self._library.airccGetCopiedBytes()


class DeviceArray:
    """An array in device memory. Functions use it in place, and so do other libraries, through DLPack.

    After a call on a stream, operations that read or free the memory first wait for the stream, except calls on the
    same stream.
    """

    def __init__(self, runtime, shape, element_type):
        self._address = 0
        self._stream = None
        self._runtime = runtime
        self.shape = tuple(shape)
        self.element_type = element_type
        self.dtype = get_dtype(element_type)
        self.nbytes = self.dtype.itemsize
        for size in self.shape:
            self.nbytes *= size
        self._device = runtime.get_dlpack_device()
        self._address = runtime.allocate(self.nbytes)

    def __del__(self):
        if self._address:
            self.wait()
            self._runtime.free(self._address)
            self._address = 0

    @property
    def address(self):
        return self._address

    def use_on(self, stream):
        """Prepares for work on `stream`; None stands for work that completes before the call returns."""
        if self._stream is not stream:
            self.wait()
        self._stream = stream

    def wait(self):
        """Waits for work on streams that uses the array."""
        if self._stream is not None:
            self._stream.synchronize()
            self._stream = None

    def numpy(self):
        """Returns a copy in host memory."""
        self.wait()
        array = numpy.empty(self.shape, self.dtype)
        if self.nbytes:
            self._runtime.copy(array.ctypes.data, self._address, self.nbytes)
        return array

    def assign(self, array):
        """Copies the elements of a numpy array with the same shape and type to this array."""
        array = numpy.ascontiguousarray(array).reshape(numpy.shape(array))
        if array.shape != self.shape or array.dtype != self.dtype:
            raise Error(
                f"an array of shape {array.shape} and type {array.dtype} cannot be assigned to one of shape"
                f" {self.shape} and type {self.dtype}"
            )
        self.wait()
        if self.nbytes:
            self._runtime.copy(self._address, array.ctypes.data, self.nbytes)

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """Waits for calls on streams, so that the caller's stream need not wait."""
        if dl_device is not None and tuple(dl_device) != self._device:
            raise BufferError(f"the array is on the device {self._device}, and cannot be exported to {dl_device}")
        if copy:
            raise BufferError("the array is exported without a copy; its method numpy() makes one")
        self.wait()
        element = get_dlpack_types(self.element_type)[0]
        return dlpack.export(self, self._address, self.shape, element, self._device, max_version)

    def __repr__(self):
        return f"DeviceArray(shape={self.shape}, type={self.element_type}, device={self._device})"
