"""Runs the compiler."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from .errors import CompileError, Diagnostic, Error
from .library import load


def find_compiler():
    """Returns the path of `aircc`: $AIRCC, otherwise that of this installation, otherwise the first one on PATH."""
    chosen = os.environ.get("AIRCC")
    if chosen:
        return chosen
    folder = pathlib.Path(__file__).resolve().parent
    for candidate in (folder.parents[1] / "build" / "bin" / "aircc", folder.parents[2] / "bin" / "aircc"):
        if candidate.is_file():
            return str(candidate)
    found = shutil.which("aircc")
    if found:
        return found
    raise Error("the program aircc was not found; set AIRCC to its path, or add its folder to PATH")


def _read_source(source):
    """Returns the path of a source, or its contents as bytes."""
    if isinstance(source, os.PathLike):
        return os.fspath(source), None
    if isinstance(source, (bytes, bytearray)):
        return None, bytes(source)
    if isinstance(source, str) and "\n" not in source and os.path.exists(source):
        return source, None
    text = str(source)
    if isinstance(source, str) and "\n" not in source and text.endswith((".mlir", ".mlirbc")):
        raise Error(f"there is no file {text!r}")
    return None, text.encode()


def _parse_diagnostics(text):
    diagnostics = []
    for line in text.splitlines():
        try:
            diagnostics.append(Diagnostic.from_json(json.loads(line)))
        except (ValueError, AttributeError):
            if line.strip():
                diagnostics.append(Diagnostic("error", line))
    return diagnostics


def compile(source, target="gfx942", output=None, options=()):
    """Compiles a program to a shared library, and loads the library.

    `source` is a path, MLIR as text or bytecode, or any object whose str() is MLIR. `target` is a target's name, the
    path of a profile, or a list of these. `output` is the path of the library; without it, the library is temporary.
    `options` are additional options for the `aircc` command. Raises CompileError if the compiler rejects the program.
    """
    path, contents = _read_source(source)
    folder = None
    if output is None or path is None:
        folder = tempfile.TemporaryDirectory(prefix="aircc-")
    if path is None:
        path = os.path.join(folder.name, "source.mlir")
        with open(path, "wb") as file:
            file.write(contents)
    library = os.fspath(output) if output is not None else os.path.join(folder.name, "library.so")
    command = [find_compiler(), path, "--emit", "shared", "-o", library, "--diagnostics-format=json"]
    for name in [target] if isinstance(target, (str, os.PathLike)) else target:
        command += ["--target", os.fspath(name)]
    command += list(options)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise CompileError(_parse_diagnostics(done.stderr), done.returncode)
    return load(library)
