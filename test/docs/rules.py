"""The blocks and commands of the documents that cannot run exactly as they are written: for each document, patterns of
the first line of a block or of a command, and the treatment of those that match. The first matching pattern decides."""

import dataclasses


@dataclasses.dataclass
class File:
    """The contents of a file that later commands read."""

    pattern: str
    name: str


@dataclasses.dataclass
class Output:
    """What the command before it prints."""

    pattern: str


@dataclasses.dataclass
class Text:
    """No command, or one that cannot run here."""

    pattern: str
    reason: str


@dataclasses.dataclass
class Synopsis:
    """A form with placeholders: its options are looked up in the help text."""

    pattern: str


@dataclasses.dataclass
class Fails:
    """A command that shows an error."""

    pattern: str
    status: int


@dataclasses.dataclass
class Needs:
    """A command of a program that a machine may lack."""

    pattern: str
    tool: str


@dataclasses.dataclass
class Instead:
    """A command that needs something that the tests lack, and one that does the same."""

    pattern: str
    command: str


MANY_MINUTES = "builds, or runs for many minutes; `./run test` is what runs this test"
FORM = "shows a form, with names that the reader fills in"
MESSAGE = "a message with addresses, process numbers or times of one run; the tests of the messages check it"
PROGRAM = "part of a program, explained by the text around it"

EVERYWHERE = [
    Text(r"^\./run (demo|test|build|install|package|bench|fuzz-sim|fuzz-inputs|format|tidy|docs|site)\b", MANY_MINUTES),
    Needs(r"\bmpirun\b|--nodes\b", "mpirun"),
]

RULES = {
    "README.md": [
        Text(r"^ program\.mlir", "the figure of the pipeline"),
        File(r"^func\.func @scale\(", "scale.mlir"),
    ],
    "docs/architecture.md": [
        Text(r"^ *INPUT\.mlir: AIR", "the figure of the pipeline"),
    ],
    "docs/command-line.md": [
        Synopsis(
            r"^aircc (opt |opt-llvm |lsp|sim |(report|tune) INPUT|INPUT|run |layout |targets |cache |doctor|--version)"
        ),
        Text(r"^matmul: matmul\.mlir", "a rule of a makefile; test/driver/dependencies.test runs make with it"),
        Text(r'^\{"severity":"error"', "the form of a message; test/driver/json.test checks it"),
    ],
    "docs/comparison.md": [
        File(r"^func\.func @transpose\(", "transpose.mlir"),
    ],
    "docs/development.md": [
        Text(r"^(ninja|cmake|lit|build/test/unit/|bench/|python3 test/)", MANY_MINUTES),
    ],
    "docs/editor.md": [
        Text(r'^\{"target"', "an aircc.json; test/docs/editor.test uses it"),
        Text(r"^(return \{|vim\.|\(with-eval)", "set-up of an editor that the tests have not"),
    ],
    "docs/install.md": [
        Text(r"^cmake_minimum_required", "a project; test/driver/cmake-package.test builds one like it"),
        Text(r'^#include "model\.h"', "its program; test/driver/cmake-package.test builds one like it"),
    ],
    "docs/layouts.md": [
        Text(r"^#layout\.nested<", PROGRAM),
        Text(r"^%[aw] = ", PROGRAM),
    ],
    "docs/matmul.md": [
        File("#lhs = affine_map", "scaled.mlir"),
        Text(r"^air\.launch \(\)", PROGRAM),
        Text(r"^func\.func @multiply", PROGRAM),
    ],
    "docs/multi-gpu.md": [
        Text(r"^aircc runtime: error: ", MESSAGE),
    ],
    "docs/profiles.md": [
        File(r"^\{$", "mi300a.json"),
        File(r"^cat wrong\.json", "wrong.json"),
        Fails(r"--target \./wrong\.json", 2),
        Text(r'^"a": \{', PROGRAM),
    ],
    "docs/runtime.md": [
        Text(r"^runtime-stubs/$", "a list of folders"),
        Text(r"^aircc runtime: error: ", MESSAGE),
    ],
    "docs/tour.md": [
        File(r"^func\.func @scale\(", "scale.mlir"),
        Output(r"^\t\.\.\.$"),
        File(r'^#include "scale\.h"', "main.c"),
        Text(r"^lds\.mlir:8:13: error", "the message of a program that is not shown; test/pipeline/hierarchy has it"),
    ],
    "docs/troubleshooting.md": [
        Fails(r"^aircc samples/matmul\.mlir -o matmul", 2),
        Fails(r"--target gfx941 ", 2),
        Fails(r"^aircc samples/simulator/scale\.mlir --target gfx942$", 1),
        File(r"^func\.func @f\(%x: memref<4xf32>", "mystery.mlir"),
        Fails(r"^aircc mystery\.mlir", 1),
        File(r"^func\.func @f\(%x: memref<64xf32>", "large.mlir"),
        Fails(r"^aircc large\.mlir", 1),
        Fails(r"^AIRCC_SIM_CHIP=gfx1100 ", 1),
        Fails(r"^AIRCC_DEVICE=gpu ", 1),
        Fails(r"^aircc sim scale\.hsaco", 2),
    ],
    "docs/tutorials/first-kernel.md": [
        File(r"^func\.func @saxpy\(", "saxpy.mlir"),
        Fails(r"^aircc run broken\.mlir", 1),
        Fails(r"^aircc outside\.mlir", 1),
        File(r"^func\.func @smooth\(", "smooth.mlir"),
    ],
    "docs/tutorials/pytorch-export.md": [
        Text(r"^import torch$", "PyTorch, which the tests have not; the program that it exports is in the page"),
        File(r"^#map = affine_map", "net.mlir"),
        File(r"^import numpy as np$", "use.py"),
        Fails(r"^python3 -c 'import aircc", 1),
        File(r'^#include "net\.h"', "main.cpp"),
        File(r"^func\.func @forward", "unlowered.mlir"),
        Fails(r"^aircc unlowered\.mlir", 1),
    ],
    "docs/tutorials/slow-kernel.md": [
        File(r"^func\.func @transpose\(", "transpose.mlir"),
    ],
    "docs/tensors.md": [
        Text(r"^aircc model\.mlir --target gfx942 --emit shared -o", FORM),
        File(r"^func\.func @forward\(", "model.mlir"),
        File(r'^#include "model\.h"', "main.c"),
        File(r"^func\.func @update\(", "update.mlir"),
        Text(r"^forward: argument 1", MESSAGE),
        Text(r"^(import numpy|source = |stream = )", "a Python program; test/e2e/tensors calls the package"),
        Text(r'^\{"arguments"', PROGRAM),
    ],
    "docs/simulator-internals.md": [
        Text(r"^ *program, aircc sim: Simulator\.h", "the figure of the layers"),
    ],
    "docs/simulator.md": [
        Synopsis(r"^aircc sim IMAGE"),
        File(r"^cat scale\.hip", "scale.hip"),
        Instead(
            r"^hipcc ",
            # Without HIP's headers.
            r"""printf '%s\n' '#define __global__ __attribute__((global))' 'struct Dim { unsigned x; };' \
            '#define blockIdx (Dim{__builtin_amdgcn_workgroup_id_x()})' \
            '#define blockDim (Dim{__builtin_amdgcn_workgroup_size_x()})' \
            '#define threadIdx (Dim{__builtin_amdgcn_workitem_id_x()})' > hip.h
            clang -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=gfx942 -nogpulib -nogpuinc -O3 \
            -include hip.h scale.hip -o scale.hsaco""",
        ),
        Text(r"^aircc sim gemm\.co", FORM),
        Text(r"^data race in LDS", MESSAGE),
        Text(r"^kernel 'spin'", MESSAGE),
    ],
}
