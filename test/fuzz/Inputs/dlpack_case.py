"""Calls a function with a DLPack tensor that a file describes: dlpack_case.py PACKAGE LIBRARY FILE.json. The fields of
the structures are those of the file; memory is larger than any valid tensor of it. The exit code is 1 if the call is
refused, with a message."""

import ctypes
import json
import sys

import numpy

RANK = 70


def main():
    package, library, path = sys.argv[1:4]
    sys.path.insert(0, package)
    import aircc
    from aircc.dlpack import DELETER, ManagedTensor, VersionedTensor

    with open(path, encoding="utf-8") as file:
        case = json.load(file)
    data = numpy.ones(1 << 20, numpy.float32)
    # As large as either structure.
    memory = ctypes.create_string_buffer(256)
    kind = VersionedTensor if case["versioned"] else ManagedTensor
    managed = kind.from_buffer(memory)
    numbers = ctypes.c_int64 * RANK
    shape, strides = (numbers(*(case[name] + [1] * (RANK - len(case[name])))) for name in ("shape", "strides"))
    deleted = []
    delete = DELETER(lambda pointer: deleted.append(pointer))
    tensor = managed.tensor
    tensor.data = data.ctypes.data if case["has_data"] else None
    for name, values in (("shape", shape), ("strides", strides)):
        if case[f"has_{name}"]:
            setattr(tensor, name, ctypes.cast(values, ctypes.POINTER(ctypes.c_int64)))
    tensor.device.type, tensor.device.id = case["device_type"], case["device_id"]
    for name in ("code", "bits", "lanes"):
        setattr(tensor.dtype, name, case[name])
    tensor.ndim, tensor.byte_offset = case["ndim"], case["byte_offset"]
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
