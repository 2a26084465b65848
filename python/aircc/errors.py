"""The exceptions of the package."""

from dataclasses import dataclass, field
from typing import List, Optional


class Error(Exception):
    """An error of aircc."""


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler. `file`, `line` and `column` are None if the location is unknown."""

    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    notes: List["Diagnostic"] = field(default_factory=list)

    @staticmethod
    def from_json(value):
        return Diagnostic(
            severity=value.get("severity", "error"),
            message=value.get("message", ""),
            file=value.get("file"),
            line=value.get("line"),
            column=value.get("column"),
            notes=[Diagnostic.from_json(note) for note in value.get("notes", [])],
        )

    def __str__(self):
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        text = f"{place}: " if place else ""
        text += f"{self.severity}: {self.message}"
        return "\n".join([text, *map(str, self.notes)])


class DeviceError(Error):
    """There is no device, or a call to its driver failed."""


class CompileError(Error):
    """The compiler rejected a program. `diagnostics` lists its messages, `status` is its exit code."""

    def __init__(self, diagnostics, status):
        super().__init__("\n".join(map(str, diagnostics)) or f"aircc ended with exit code {status}")
        self.diagnostics = diagnostics
        self.status = status
