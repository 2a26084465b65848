"""Runs a program of programs.py or forms.py and compares its results with numpy's."""

import numpy as np


def find_error(program, function):
    """The error of a program, or "" if its results are right."""
    given = [np.copy(value) if isinstance(value, np.ndarray) else value for value in program.arguments]
    results = function(*given)
    results = results if isinstance(results, tuple) else (results,)
    with np.errstate(all="ignore"):
        expected = program.expected(*program.arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for number, (have, want) in enumerate(zip(results, expected)):
        want = np.asarray(want)
        if have.shape != want.shape:
            return f"result {number} has the shape {have.shape}; {want.shape} is expected"
        if not np.allclose(have, want, rtol=program.tolerance, atol=program.tolerance, equal_nan=True):
            with np.errstate(all="ignore"):
                error = np.abs(have.astype(np.float64) - want.astype(np.float64)).max()
            return f"result {number} is wrong by {error}:\n{have}\nexpected:\n{want}"
    for before, after in zip(program.arguments, given):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=before.dtype.kind == "f"):
            return "an argument was modified"
    return ""
