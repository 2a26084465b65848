"""Calls a function with a DLPack tensor that a file describes: dlpack_case.py PACKAGE LIBRARY FILE.json. The fields of
the structures are those of the file; memory is larger than any valid tensor of it. The exit code is 1 if the call is
refused, with a message."""

import ctypes
import json
import sys

import numpy

DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
RANK = 70


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


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


def main():
    package, library, path = sys.argv[1:4]
    sys.path.insert(0, package)
    import aircc

    with open(path, encoding="utf-8") as file:
        case = json.load(file)
    data = numpy.ones(1 << 20, numpy.float32)
    # As large as either structure.
    memory = ctypes.create_string_buffer(256)
    kind = Versioned if case["versioned"] else Managed
    managed = kind.from_buffer(memory)
    numbers = ctypes.c_int64 * RANK
    shape, strides = (numbers(*(case[name] + [1] * (RANK - len(case[name])))) for name in ("shape", "strides"))
    deleted = []
    delete = DELETER(lambda pointer: deleted.append(pointer))
    tensor = managed.tensor
    tensor.data = data.ctypes.data if case["has_data"] else None
    tensor.shape = ctypes.addressof(shape) if case["has_shape"] else None
    tensor.strides = ctypes.addressof(strides) if case["has_strides"] else None
    for name in ("device_type", "device_id", "ndim", "code", "bits", "lanes", "byte_offset"):
        setattr(tensor, name, case[name])
    if case["versioned"]:
        managed.major, managed.minor, managed.flags = case["major"], case["minor"], case["flags"]
    if case["has_deleter"]:
        managed.deleter = delete
    ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
    ctypes.pythonapi.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name = None if case["name"] is None else case["name"].encode()
    capsule = ctypes.pythonapi.PyCapsule_New(ctypes.addressof(managed), name, None)

    model = aircc.load(library)
    other = numpy.ones((3, 4), numpy.float32)
    try:
        if case["as_result"]:
            model.add(other, other, out=capsule)
        else:
            result = model.add(capsule, other)
            assert (result == 2).all()
        print("taken")
        assert len(deleted) == case["has_deleter"], deleted
    except aircc.Error as error:
        sys.exit(f"error: {error}")
    finally:
        assert len(deleted) <= 1, deleted


main()
