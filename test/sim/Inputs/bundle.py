"""bundle.py [--compress] OUT ID=FILE…: a bundle as clang-offload-bundler makes."""

import struct
import sys
import zlib

arguments = sys.argv[1:]
compress = arguments[0] == "--compress"
out, *entries = arguments[compress:]

table, codes = b"", b""
pairs = [entry.rsplit("=", 1) for entry in entries]
header = 24 + 8 + sum(24 + len(name) for name, _ in pairs)
start = -(-header // 4096) * 4096
for name, path in pairs:
    code = open(path, "rb").read()
    table += struct.pack("<QQQ", start + len(codes), len(code), len(name)) + name.encode()
    codes += code + b"\0" * (-len(code) % 4096)
bundle = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(pairs)) + table
bundle = bundle.ljust(start, b"\0") + codes
if compress:
    # Version 2, method 0 is zlib: total size, uncompressed size, a hash.
    packed = zlib.compress(bundle)
    bundle = b"CCOB" + struct.pack("<HHIIQ", 2, 0, 24 + len(packed), len(bundle), 0) + packed
with open(out, "wb") as file:
    file.write(bundle)
