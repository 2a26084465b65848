#!/usr/bin/env python3
"""usage: generate_op_docs.py TBLGEN MLIR-INCLUDE OUTPUT

Writes the documentation of the ops of aircc's dialects, and of those of MLIR that programs use, as one Markdown file
with a section for each op. The language server shows the sections (driver/lsp/OpDocumentation.h)."""

import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[1]
OWN = ["dialects/air/AIROps.td", "dialects/kernel/Kernel.td", "dialects/layout/LayoutOps.td"]
UPSTREAM = """
    Affine/IR/AffineOps Arith/IR/ArithOps Bufferization/IR/BufferizationOps ControlFlow/IR/ControlFlowOps
    Func/IR/FuncOps GPU/IR/GPUOps Linalg/IR/LinalgOps Linalg/IR/LinalgRelayoutOps Linalg/IR/LinalgStructuredOps
    Math/IR/MathOps MemRef/IR/MemRefOps SCF/IR/SCFOps Tensor/IR/TensorOps Tosa/IR/TosaOps Vector/IR/VectorOps
    XeGPU/IR/XeGPUOps AMDGPU/IR/AMDGPU AMDGPU/IR/AMDGPUOps LLVMIR/ROCDLOps LLVMIR/XeVMOps LLVMIR/LLVMOps
""".split()


def main():
    tblgen, include, output = sys.argv[1:]
    files = [SOURCE / name for name in OWN]
    files += [pathlib.Path(include) / "mlir/IR/BuiltinOps.td"]
    files += [pathlib.Path(include) / f"mlir/Dialect/{name}.td" for name in UPSTREAM]
    sections = []
    # Releases of MLIR have different files.
    for file in filter(pathlib.Path.exists, files):
        command = [tblgen, "-gen-op-doc", "-I", SOURCE, "-I", include, file]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        start = text.find("\n### `")
        if start >= 0:
            sections.append(text[start:].rstrip())
    if not sections:
        sys.exit("error: mlir-tblgen wrote no sections")
    pathlib.Path(output).write_text("\n".join(sections) + "\n")


if __name__ == "__main__":
    main()
