"""Compiles random functions on tensors together, and compares the results of each with expected ones."""

import numpy as np

import aircc


def count_wrong(cases, target, seed):
    """Prints the cases whose compiled function computes something else, and returns their number."""
    library = aircc.compile("".join(case.get_text() for case in cases), target=target)
    generator = np.random.default_rng(seed)
    wrong = [case for case in cases if not case.is_right(library, generator)]
    for case in wrong:
        print(f"{target}: wrong:\n{case.get_text()}")
    return len(wrong)
