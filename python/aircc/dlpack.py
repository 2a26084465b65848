"""DLPack: use tensors of other libraries as arguments and results, without copies.

The structures are those of dlpack.h: of version 1, and of the earlier version, which has no number.
"""

import ctypes

from .elements import get_dlpack_types
from .errors import Error

# DLDeviceType.
CPU, ROCM, ROCM_HOST, EXT_DEV, ONE_API = 1, 10, 11, 12, 14
# The types of the runtime's devices. DLPack has no type for a simulated device.
DEVICE_TYPES = {"hip": ROCM, "level-zero": ONE_API, "sim": EXT_DEV}

_READ_ONLY = 1
_MAX_RANK = 64


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class ManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class VersionedTensor(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


# A capsule does not own its name.
_NAME, _VERSIONED_NAME = b"dltensor", b"dltensor_versioned"
_KINDS = {_NAME: ManagedTensor, _VERSIONED_NAME: VersionedTensor}
_USED = {name: b"used_" + name for name in _KINDS}


def _capsule_function(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_get_name = _capsule_function("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
_get_pointer = _capsule_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_set_name = _capsule_function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_new = _capsule_function("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
# For destructors, which must not count references to the capsule.
_is_valid_address = _capsule_function("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_get_pointer_at = _capsule_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


def is_capsule(value):
    return type(value).__name__ == "PyCapsule"


def is_exporter(value):
    """Returns whether `value` is a DLPack capsule, or can export one."""
    return is_capsule(value) or (hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"))


def _request_capsule(value, what, stream):
    """Requests a capsule from an object, of version 1 if the object supports that. Work on `stream` can use it."""
    try:
        # Other types of devices have no numbers for streams.
        options = {"stream": stream} if stream and value.__dlpack_device__()[0] == ROCM else {}
        try:
            return value.__dlpack__(max_version=(1, 0), **options)
        except TypeError:
            return value.__dlpack__(**options)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Error(f"{what} cannot be exported by DLPack: {error}") from error


class Import:
    """A tensor of another library. `release` returns it to its owner."""

    def __init__(self, value, what, stream=None):
        self.what = what
        self._capsule = value if is_capsule(value) else _request_capsule(value, what, stream)
        if not is_capsule(self._capsule):
            raise Error(f"__dlpack__ of {what} returned a {type(self._capsule).__name__}, not a capsule")
        self._name = _get_name(self._capsule)
        if self._name in _USED.values():
            raise Error(f"{what} is a DLPack capsule that was used before; a capsule can be used once")
        if self._name not in _KINDS:
            raise Error(f"{what} is a capsule, but not one of DLPack")
        pointer = _get_pointer(self._capsule, self._name)
        self._managed = _KINDS[self._name].from_address(pointer)
        self._pointer = pointer
        self._is_taken = False
        self.read_only = False
        if isinstance(self._managed, VersionedTensor):
            if self._managed.major != 1:
                raise Error(
                    f"{what} has version {self._managed.major}.{self._managed.minor} of DLPack; 1.x is required"
                )
            self.read_only = bool(self._managed.flags & _READ_ONLY)
        self.tensor = self._managed.tensor

    def take(self):
        """Takes ownership of the tensor."""
        _set_name(self._capsule, _USED[self._name])
        self._is_taken = True

    def release(self):
        if self._is_taken and self._managed.deleter:
            self._managed.deleter(self._pointer)
        self._is_taken = False

    @property
    def device(self):
        return self.tensor.device.type, self.tensor.device.id

    def get_shape(self):
        """Checks and returns the sizes."""
        tensor = self.tensor
        if not 0 <= tensor.ndim <= _MAX_RANK:
            raise Error(f"{self.what} has {tensor.ndim} dimensions; 0 to {_MAX_RANK} are possible")
        if tensor.ndim and not tensor.shape:
            raise Error(f"{self.what} has {tensor.ndim} dimensions, but no shape")
        shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        if any(size < 0 for size in shape):
            raise Error(f"{self.what} has the shape {shape}, with a negative size")
        return shape

    def check_type(self, name):
        """Checks that elements have the MLIR type `name`. Returns the size of an element in bytes."""
        dtype = self.tensor.dtype
        if dtype.lanes != 1:
            raise Error(f"{self.what} has vectors of {dtype.lanes} lanes as elements; 1 lane is required")
        types = get_dlpack_types(name)
        if (dtype.code, dtype.bits) not in types:
            wanted = " or ".join(f"(code {code}, {bits} bits)" for code, bits in types)
            raise Error(
                f"{self.what} has elements of the DLPack type (code {dtype.code}, {dtype.bits} bits);"
                f" {wanted} is required for {name}"
            )
        return types[0][1] // 8

    def check_layout(self, shape, item_bytes):
        """Checks that elements are contiguous, in row-major order. Returns the address of the first element."""
        count = 1
        for size in shape:
            count *= size
        if count * item_bytes >= 1 << 63:
            raise Error(f"{self.what} has the shape {shape}, which is more than fits into memory")
        wanted = 1
        for dim in reversed(range(len(shape))) if self.tensor.strides and count else ():
            stride = self.tensor.strides[dim]
            # The stride of a dimension of one element does not matter.
            if shape[dim] != 1 and stride != wanted:
                raise Error(
                    f"{self.what} has stride {stride} in dimension {dim}; {wanted} is required: elements must be"
                    " contiguous, in row-major order"
                )
            wanted *= shape[dim]
        address = (self.tensor.data or 0) + self.tensor.byte_offset
        if count == 0:
            return address % (1 << 64)
        if not self.tensor.data:
            raise Error(f"{self.what} has no memory: 'data' is null")
        # Programs have the lower half of the addresses.
        if address + count * item_bytes > 1 << 63:
            raise Error(f"{self.what} has a byte_offset of {self.tensor.byte_offset}, outside of memory")
        if address % item_bytes:
            raise Error(f"{self.what} is not aligned: elements need addresses that {item_bytes} divides")
        return address


#
# Export
#

# The objects that capsules own, by the address of the capsule's structure, until that is deleted.
_exported = {}


@DELETER
def _delete(pointer):
    _exported.pop(pointer, None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy_capsule(capsule):
    for name, kind in _KINDS.items():
        if _is_valid_address(capsule, name):
            managed = kind.from_address(_get_pointer_at(capsule, name))
            managed.deleter(ctypes.addressof(managed))


_destroy_address = ctypes.cast(_destroy_capsule, ctypes.c_void_p)


def export(owner, address, shape, dtype, device, max_version):
    """Creates a capsule for memory that `owner` keeps alive. `dtype` is (code, bits), `device` is (type, id)."""
    is_versioned = max_version is not None and max_version[0] >= 1
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    strides = (ctypes.c_int64 * len(shape))()
    stride = 1
    for dim in reversed(range(len(shape))):
        strides[dim] = stride
        stride *= shape[dim]
    tensor = Tensor(
        data=address,
        device=Device(*device),
        ndim=len(shape),
        dtype=DataType(*dtype, 1),
        shape=ctypes.cast(sizes, ctypes.POINTER(ctypes.c_int64)),
        strides=ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64)),
        byte_offset=0,
    )
    if is_versioned:
        managed = VersionedTensor(major=1, minor=0, deleter=_delete, flags=0, tensor=tensor)
    else:
        managed = ManagedTensor(tensor=tensor, deleter=_delete)
    pointer = ctypes.addressof(managed)
    _exported[pointer] = (managed, sizes, strides, owner)
    return _new(pointer, _VERSIONED_NAME if is_versioned else _NAME, _destroy_address)
