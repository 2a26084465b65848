"""Compact programs: one op or a few of them each, many of which are functions of one library.

The text of a program names its arguments %a, %b, ... and its results %r, %s, .... In it, $a stands for the type of %a,
$r for the type of %r, and $$ for the element type of %a.
"""

import re

import numpy as np

from programs import Program

TYPES = {
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "bool": "i1",
    "uint8": "i8",
    "uint16": "bf16",
    "uint32": "i32",
    "uint64": "i64",
}

FORMS = []
ARGUMENTS = "abcdefghijk"
RESULTS = "rstuvw"


def get_type(value, dynamic, element):
    """The MLIR type of an array or a number."""
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "index"
    if not isinstance(value, np.ndarray):
        return TYPES[value.dtype.name]
    sizes = ["?" if dynamic else str(size) for size in value.shape]
    return f"tensor<{'x'.join([*sizes, element or TYPES[value.dtype.name]])}>"


def form(name, arguments, body, expected, tolerance=1e-5, dynamic=False, types=None, elements=None, helpers=""):
    """Adds a program. `types` replaces whole types by name, `elements` element types; `dynamic` is True, or names."""
    results = expected(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    results = [np.asarray(result) for result in results]
    named = {}
    for letter, value in [*zip(ARGUMENTS, arguments), *zip(RESULTS, results)]:
        is_dynamic = dynamic is True or bool(dynamic) and letter in dynamic
        named[letter] = (types or {}).get(letter) or get_type(value, is_dynamic, (elements or {}).get(letter))

    def substitute(match):
        letter = match.group(1)
        return named["a"].strip(">").split("x")[-1].replace("tensor<", "") if letter == "$" else named[letter]

    body = re.sub(r"\$([a-z$])(?![A-Za-z0-9_])", substitute, body.strip())
    inputs = ", ".join(f"%{letter}: {named[letter]}" for letter, _ in zip(ARGUMENTS, arguments))
    letters = RESULTS[: len(results)]
    outputs = ", ".join(named[letter] for letter in letters)
    values = ", ".join("%" + letter for letter in letters)
    text = f"func.func @forward({inputs}) -> ({outputs}) {{\n{body}\nreturn {values} : {outputs}\n}}\n"
    FORMS.append(Program(name, helpers + text, arguments, expected, [r.shape for r in results], tolerance))


def raw(name, text, arguments, expected, tolerance=1e-5):
    """Adds a program of which the text is given."""
    results = expected(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    FORMS.append(Program(name, text, arguments, expected, [np.shape(r) for r in results], tolerance))
