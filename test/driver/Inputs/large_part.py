"""Writes a program with a constant of 1 MiB whose address is part of another constant. Argument: the file."""

import sys

with open(sys.argv[1], "w") as file:
    file.write(
        f"""llvm.mlir.global private constant @w(dense_resource<w> : tensor<1048576xi8>) : !llvm.array<1048576 x i8>
llvm.mlir.global constant @address() : !llvm.ptr {{
  %w = llvm.mlir.addressof @w : !llvm.ptr
  llvm.return %w : !llvm.ptr
}}
{{-# dialect_resources: {{builtin: {{w: "0x01000000{'5a' * 1048576}"}}}} #-}}
"""
    )
