"""A producer of DLPack tensors, written from the structures of dlpack.h, without the package."""

import ctypes

DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", DELETER)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", DLTensor),
    ]


api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, DESTRUCTOR]
api.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
NAMES = [b"dltensor", b"dltensor_versioned"]


@DESTRUCTOR
def destroy(capsule):
    """An unused capsule deletes its tensor."""
    for name, kind in zip(NAMES, [DLManagedTensor, DLManagedTensorVersioned]):
        if api.PyCapsule_IsValid(capsule, name):
            pointer = api.PyCapsule_GetPointer(capsule, name)
            kind.from_address(pointer).deleter(pointer)


class Producer:
    """An object of another library: it exports `address` with these fields, and counts how often each export is
    deleted."""

    def __init__(self, address, shape, code=2, bits=32, device=(1, 0), strides=None, versioned=True, **fields):
        self.address, self.shape, self.strides = address, shape, strides
        self.code, self.bits, self.device = code, bits, device
        self.versioned, self.fields = versioned, fields
        self.exports, self.deletions = [], 0
        self.legacy_signature = False

        @DELETER
        def delete(pointer):
            assert pointer in [ctypes.addressof(export[0]) for export in self.exports]
            self.deletions += 1

        self.delete = delete

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if self.legacy_signature and options:
            raise TypeError("__dlpack__ takes no arguments")
        versioned = self.versioned and options.get("max_version", (0, 0))[0] >= 1
        managed = DLManagedTensorVersioned() if versioned else DLManagedTensor()
        if versioned:
            managed.major, managed.minor = 1, 1
        managed.deleter = self.delete
        numbers = ctypes.c_int64 * len(self.shape)
        shape = numbers(*self.shape)
        strides = numbers(*self.strides) if self.strides is not None else None
        tensor = managed.dl_tensor
        tensor.data, tensor.ndim = self.address, len(self.shape)
        tensor.device_type, tensor.device_id = self.device
        tensor.code, tensor.bits, tensor.lanes = self.code, self.bits, 1
        tensor.shape = ctypes.addressof(shape)
        tensor.strides = ctypes.addressof(strides) if strides is not None else None
        for name, value in self.fields.items():
            target = tensor if hasattr(tensor, name) else managed
            if hasattr(target, name):
                setattr(target, name, value)
        if "no_shape" in self.fields:
            tensor.shape = None
        self.exports.append((managed, shape, strides))
        return api.PyCapsule_New(ctypes.addressof(managed), NAMES[versioned], destroy)
