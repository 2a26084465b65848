"""The programs that named.py runs.

An argument is `name vector 16x16xf16` (filled with small numbers), `name memory
32x32xf16` (a memref, which is compared as well) or `name scalar index 3`.
A line of the text that begins with `kernel: ` or `host: ` is only for that side.
A result is a vector's or a scalar's name and type, `<f32>` a vector of rank 0.

situations_memory.py, situations_reductions.py and situations_products.py define them.
"""

from values import Dim, Layout


class Situation:
    """`wave`: the wave size that the layouts require; None for any."""

    def __init__(self, name, waves, layouts, args, text, results, wave=None):
        self.name, self.waves, self.layouts, self.args = name, waves, layouts, args
        self.text, self.results, self.wave = text, results, wave


def nested(**lists):
    """A layout from lists of tiles and strides; omitted tiles are 1, omitted strides 0."""
    rank = max(len(v) for v in lists.values()) if lists else 0
    rows = [{key: values[i] for key, values in lists.items()} for i in range(rank)]
    return Layout(Dim(**row) for row in rows)


SITUATIONS = []


def situation(name, text, results=(), waves=1, args=(), wave=None, **layouts):
    SITUATIONS.append(Situation(name, waves, layouts, args, text, results, wave))
