"""constants_damage.py FOLDER: files of constants that are missing, truncated, damaged or of another program. Each call
of a function fails with a message, until the file is right."""

import json
import os
import struct
import sys

import numpy as np

import aircc
import tensor_files

SOURCE = """
func.func @first(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
  %c = arith.constant dense_resource<w> : tensor<4x8xf32>
  %r = arith.addf %x, %c : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}}
func.func @second(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
  %c = arith.constant dense_resource<v> : tensor<4x8xf32>
  %r = arith.addf %x, %c : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}}
{{-# dialect_resources: {{builtin: {{w: "0x04000000{w}", v: "0x04000000{v}"}}}} #-}}
"""


def compile_program(folder, name, w, v):
    text = SOURCE.format(w=w.tobytes().hex(), v=v.tobytes().hex())
    file = f"{folder}/{name}.safetensors"
    options = ["--constants-out", file, "--constants-threshold", "64"]
    return aircc.compile(text, output=f"{folder}/lib{name}.so", options=options), file


def write(path, contents):
    # A new file, which has another time or inode than the last one.
    temporary = path + ".new"
    with open(temporary, "wb") as file:
        file.write(contents)
    os.rename(temporary, path)


def main():
    folder = sys.argv[1]
    w, v = (np.arange(32, dtype=np.float32).reshape(4, 8) + k for k in (0, 100))
    model, path = compile_program(folder, "model", w, v)
    _, other = compile_program(folder, "other", v, w)
    with open(path, "rb") as file:
        right = file.read()
    (length,) = struct.unpack_from("<Q", right)
    header, data = right[8 : 8 + length], right[8 + length :]
    x = np.ones((4, 8), np.float32)

    def report(what):
        try:
            model.first(x)
            print(f"{what}: no error")
        except aircc.Error as error:
            print(f"{what}: {type(error).__name__}: {str(error).replace(folder, 'FOLDER')}")

    def make(text, length=None):
        return struct.pack("<Q", len(text) if length is None else length) + text + data

    os.remove(path)
    report("missing")
    os.environ["AIRCC_CONSTANTS_PATH"] = f"{folder}/none::{folder}/empty"
    os.mkdir(f"{folder}/empty")
    report("missing, with a path")
    os.mkdir(f"{folder}/empty/model.safetensors")
    report("a folder")
    os.rmdir(f"{folder}/empty/model.safetensors")
    for what, contents in [
        ("empty", b""),
        ("no header", right[:7]),
        ("short header", right[:20]),
        ("truncated", right[:-1]),
        ("longer", right + b"x"),
        ("length", make(header, 1 << 62)),
        ("no JSON", make(b"[" + header)),
        ("deep", make(b"[" * 100000)),
        ("twice", make(header.replace(b'"v"', b'"w"'))),
        ("no tensor", make(header.replace(b'"w"', b'"u"'))),
        ("negative", make(header.replace(b"[0,128]", b"[-1,128]"))),
        ("overlap", make(header.replace(b"[128,256]", b"[0,128]"))),
        ("shape", make(header.replace(b"[4,8]", b"[4,9]"))),
        ("large shape", make(header.replace(b"[4,8]", b"[4294967296,4294967296]"))),
        ("exchanged", make(header.replace(b'"w"', b'"u"').replace(b'"v"', b'"w"'))),
        ("one bit", right[:-1] + bytes([right[-1] ^ 1])),
        ("other program", open(other, "rb").read()),
    ]:
        write(path, contents)
        report(what)

    # The right file, in a folder of the path, in which the space after the header differs. Writing the tensors again in
    # another order is fine as well.
    os.remove(path)
    tensors = {name: tensor_files.read(other)[name] for name in ("v", "w")}
    tensors["v"], tensors["w"] = tensors["w"], tensors["v"]
    tensor_files.write(f"{folder}/empty/model.safetensors", tensors, padding=3)
    assert json.loads(header).keys() == tensors.keys()
    for _ in range(2):
        print(np.array_equal(model.first(x), x + w), np.array_equal(model.second(x), x + v))
    # It is not read again.
    os.remove(f"{folder}/empty/model.safetensors")
    print(np.array_equal(model.first(x), x + w), np.array_equal(model.second(x), x + v))


main()
