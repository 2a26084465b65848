"""Safetensors files: the length of the header, the header in JSON, the bytes of the tensors."""

import json
import struct


def read(path):
    """Returns {name: (type, shape, bytes)}, after checking that the tensors cover the data without gaps."""
    with open(path, "rb") as file:
        contents = file.read()
    (length,) = struct.unpack_from("<Q", contents)
    header = json.loads(contents[8 : 8 + length])
    data = contents[8 + length :]
    end = 0
    for entry in sorted(header.values(), key=lambda entry: entry["data_offsets"]):
        assert entry["data_offsets"][0] == end, header
        end = entry["data_offsets"][1]
    assert end == len(data), header
    return {name: (e["dtype"], e["shape"], data[slice(*e["data_offsets"])]) for name, e in header.items()}


def write(path, tensors, padding=0):
    """Writes {name: (type, shape, bytes)}; `padding` spaces follow the header."""
    header, data = {"__metadata__": {"format": "np"}}, b""
    for name, (kind, shape, values) in tensors.items():
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode() + b" " * padding
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
