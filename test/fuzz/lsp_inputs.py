"""Sessions of an editor with `aircc lsp`: damaged messages, positions outside of texts, mutated programs."""

import base64
import json
import pathlib

import text_mutations as text_changes
from harness import Case
from mlir_inputs import MlirInputs

METHODS = ["textDocument/hover", "textDocument/definition", "textDocument/references", "textDocument/completion",
           "textDocument/documentSymbol", "textDocument/codeAction", "textDocument/inlayHint", "mlir/convertToBytecode",
           "workspace/symbol", "shutdown", "initialize", "$/cancelRequest", "", "no/such"]  # fmt: skip
URIS = ["file:///tmp/a.mlir", "untitled:Untitled-1", "file:///%zz", "file://host/a.mlir", "", "test:///a.mlir",
        "file:///a%00b.mlir"]  # fmt: skip
VALUES = [None, True, 0, -1, 1 << 31, 1 << 63, -(1 << 63), 1.5, "", "x", [], {}, [[]], {"a": {}}]


class LspInputs:
    name = "lsp"
    weight = 5

    def __init__(self, environment):
        self.programs = MlirInputs(environment)
        self.runner = str(pathlib.Path(__file__).resolve().parent / "lsp_runner.py")
        self.aircc = environment.aircc

    def make(self, rng):
        case = self.programs.make(rng)
        text = next(iter(case.files.values())).decode("utf-8", "replace")
        uri = rng.choice(["a.mlir", *URIS]) if rng.random() < 0.2 else "a.mlir"
        messages = [{"id": 1, "method": "initialize", "params": {"capabilities": {}, "rootUri": None}}]
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        messages.append({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        for number in range(2, rng.randrange(3, 9)):
            messages.append(self.make_message(rng, uri, text, number))
        chunks = []
        for message in messages:
            message["jsonrpc"] = "2.0"
            if rng.random() < 0.15:
                self.change_value(rng, message)
            body = json.dumps(message, ensure_ascii=False)
            if rng.random() < 0.1:
                body = rng.choice([text_changes.change_character, text_changes.cut_off, self.nest])(rng, body)
            body = body.encode("utf-8", "replace")
            chunks.append(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        is_framed = rng.random() < 0.9
        if not is_framed:
            self.change_header(rng, chunks)
        files = {"session.json": json.dumps([base64.b64encode(c).decode() for c in chunks]).encode()}
        if rng.random() < 0.5:
            files["aircc.json"] = self.make_project(rng)
        check = "check" if is_framed else "end"
        return Case([self.runner, self.aircc, "session.json", check], files, case.origin, program="/usr/bin/python3")

    @staticmethod
    def make_position(rng, text):
        lines = text.count("\n") + 1
        line = rng.choice([rng.randrange(lines), rng.randrange(lines), lines, lines + 5])
        return {"line": line, "character": rng.choice([rng.randrange(80), 0, 10000])}

    def make_message(self, rng, uri, text, number):
        start, end = self.make_position(rng, text), self.make_position(rng, text)
        if rng.random() < 0.4:
            piece = rng.choice(["", "}", "\n", "\U0001f600", '"', "air.herd", text[: rng.randrange(len(text) + 1)]])
            change = {"text": piece, "range": {"start": start, "end": end}}
            document = {"uri": uri, "version": number}
            params = {"textDocument": document, "contentChanges": [change]}
            return {"method": "textDocument/didChange", "params": params}
        params = {"textDocument": {"uri": uri}, "position": start, "range": {"start": start, "end": end}}
        params["context"] = {"diagnostics": [], "includeDeclaration": True}
        return {"id": number, "method": rng.choice(METHODS), "params": params}

    def change_value(self, rng, value):
        """Replaces a value somewhere in a JSON object."""
        key = rng.choice(sorted(value) if isinstance(value, dict) else range(len(value)))
        if isinstance(value[key], (dict, list)) and value[key] and rng.random() < 0.7:
            self.change_value(rng, value[key])
        else:
            value[key] = rng.choice(VALUES)

    @staticmethod
    def nest(rng, text):
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice(["[", '{"a":']) * rng.choice([70, 200000]) + text[at:]

    @staticmethod
    def change_header(rng, chunks):
        at = rng.randrange(len(chunks))
        header, body = chunks[at].split(b"\r\n\r\n", 1)
        lengths = [b"-1", b"0", b"x", b"99999999999999999999", b"%d" % (len(body) + 1), b"%d" % (len(body) // 2)]
        header = rng.choice(
            [
                b"Content-Length: " + rng.choice(lengths),
                b"",
                b"x" * 9000,
                b"Content-Type: text\r\n" + header,
                b"\0" * 40,
            ]
        )
        chunks[at] = header + rng.choice([b"\r\n\r\n", b"\n\n", b""]) + body

    @staticmethod
    def make_project(rng):
        options = rng.choice([[], ["-Rlayout"], ["-O0"], ["--no-such"], ["-"], ["--help"], ["--emit", "asm"], [""]])
        text = json.dumps({"target": rng.choice(["gfx942", "gfx1100", "bmg", "x", ""]), "options": options})
        if rng.random() < 0.2:
            text = text_changes.change_character(rng, text)
        return text.encode("utf-8", "surrogatepass")
