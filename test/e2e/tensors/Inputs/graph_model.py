"""Random tensor graphs: what they consist of.

A graph has arguments, nodes in program order, and results. A node has a kind, operands, attributes and results;
graph_interpreter.py computes it with numpy, and graph_text.py writes it as MLIR.
"""

from dataclasses import dataclass, field
from typing import Dict, List, Optional

import numpy as np


@dataclass(eq=False)
class Value:
    name: str
    element: str
    shape: tuple
    dynamic: tuple  # Whether each dimension has the size ?.
    # Whether a value may differ from the interpreter's by a rounding, so that no comparison may depend on it.
    inexact: bool = False

    @property
    def type(self):
        sizes = ["?" if unknown else str(size) for size, unknown in zip(self.shape, self.dynamic)]
        return f"tensor<{'x'.join([*sizes, self.element])}>"


@dataclass(eq=False)
class Node:
    kind: str
    operands: List[Value]
    results: List[Value]
    attributes: Dict[str, object] = field(default_factory=dict)


@dataclass(eq=False)
class Argument:
    """A tensor with its contents, or, without a value, the number `size` as an index."""

    name: str
    value: Optional[Value]
    data: Optional[np.ndarray] = None
    size: int = 0


@dataclass(eq=False)
class Graph:
    name: str
    seed: int
    arguments: List[Argument] = field(default_factory=list)
    nodes: List[Node] = field(default_factory=list)
    results: List[Value] = field(default_factory=list)
