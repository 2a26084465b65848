"""Writes the text of an MLIR program."""


class TextWriter:
    """Collects lines. Names are unique in the program, so that no region shadows another's names."""

    def __init__(self, depth):
        self.lines, self.depth, self.count = [], depth, 0

    def name(self, hint="v"):
        self.count += 1
        return f"%{hint}{self.count}"

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def open(self, text):
        self.line(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.line(text)

    def op(self, text, hint="v"):
        """Writes an op with one result, and returns the result's name."""
        name = self.name(hint)
        self.line(f"{name} = {text}")
        return name
