"""usage: lsp_session.py SCENARIO AIRCC FOLDER: prints what `aircc lsp` shows an editor of a program in FOLDER."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from lsp_client import Client

KERNEL = """\
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %c = arith.constant 2.0 : f32
    memref.store %c, %a[%i] : memref<64xf32>
    gpu.return
  }
}
"""
LAYOUT = """\
#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4],
                    element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#r = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16],
                    element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @m {
  gpu.func @k(%a: memref<16x16xf32>, %b: memref<16x16xf32>) kernel
      attributes {layout.scope = #layout.scope<workgroup>, known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %w = layout.to_layout %v to layout(#l) : vector<16x16xf32>
    %u = layout.to_layout %w to layout(#r) : vector<16x16xf32>
    vector.transfer_write %u, %b[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
"""


def place(range):
    start, end = range["start"], range["end"]
    return f"{start['line']}:{start['character']}-{end['line']}:{end['character']}"


def show(diagnostics):
    print(f"{len(diagnostics)} diagnostics")
    for diagnostic in diagnostics:
        print(f"{place(diagnostic['range'])} severity {diagnostic.get('severity')}: {diagnostic['message']}")
        for related in diagnostic.get("relatedInformation", ()):
            print(f"  {place(related['location']['range'])}: {related['message']}")


def make_range(text):
    return {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}


class Session:
    def __init__(self, aircc, folder, project=None):
        self.folder = pathlib.Path(folder).resolve()
        (self.folder / "sub").mkdir(parents=True, exist_ok=True)
        if project is not None:
            self.write_project(project)
        self.client = Client(aircc, ["--stdio"])
        self.uri = (self.folder / "sub" / "a b.mlir").as_uri()

    def write_project(self, project):
        text = project if isinstance(project, str) else json.dumps(project)
        (self.folder / "aircc.json").write_text(text)

    def open(self, text):
        self.client.open(self.uri, text)
        self.text = text

    def ask(self, method, **params):
        return self.client.request(method, textDocument={"uri": self.uri}, **params)["result"]

    def show_hints(self):
        for hint in self.ask("textDocument/inlayHint", range=make_range(self.text)):
            print(f"hint {hint['position']['line']}:{hint['position']['character']}: {hint['label']}")
            print("  " + hint["tooltip"].replace("\n", "\n  "))

    def show_actions(self):
        actions = self.ask("textDocument/codeAction", range=make_range(self.text), context={"diagnostics": []})
        for action in actions:
            (edits,) = action["edit"]["changes"].values()
            lines = self.text.split("\n")
            for edit in edits:
                start, end = edit["range"]["start"], edit["range"]["end"]
                assert start["line"] == end["line"]
                line = lines[start["line"]]
                changed = line[: start["character"]] + edit["newText"] + line[end["character"] :]
                print(f"action {action['title']}: {changed.strip()}")


def initialize(session):
    """The name, and what MLIR's server provides without an aircc.json."""
    result = session.client.initialize()
    print(json.dumps(result["serverInfo"]))
    print("inlay hints:", result["capabilities"]["inlayHintProvider"])
    session.open("func.func @f() {\n  air.herdd\n  return\n}")
    show(session.client.wait_for_diagnostics(session.uri))
    session.client.change(session.uri, [{"text": "func.func @f() {\n  return\n}"}], 2)
    show(session.client.wait_for_diagnostics(session.uri, 2))
    definition = session.ask("textDocument/definition", position={"line": 0, "character": 11})
    print("definition:", len(definition))


def passes(session):
    """Diagnostics of passes, with UTF-16 columns, notes, and edits of a part of the text."""
    session.write_project({"target": "gfx942"})
    session.client.initialize()
    session.open(
        'func.func @main() {\n  %c = arith.constant 1 : index\n  %x = "test.\U0001f600"() : () -> index\n  return\n}\n'
    )
    show(session.client.wait_for_diagnostics(session.uri))
    store = "    memref.store %c, %a[%i] : memref<64xf32>\n"
    through = store.replace("%a", "%m") + "    %v = memref.load %m[%i] : memref<64xf32>\n" + store.replace("%c", "%v")
    heap = KERNEL.replace(store, "    %m = memref.alloc() : memref<64xf32>\n" + through)
    session.client.change(session.uri, [{"text": heap}], 2)
    show(session.client.wait_for_diagnostics(session.uri, 2))
    start = {"line": 4, "character": 21}
    line = heap.split("\n")[4]
    edit = {"range": {"start": start, "end": {"line": 4, "character": len(line)}}, "text": "a() : memref<64xf32>"}
    session.client.change(session.uri, [edit], 3)
    show(session.client.wait_for_diagnostics(session.uri, 3))


def hints(session):
    """Layouts and resources of kernels."""
    session.write_project({"target": "gfx942"})
    session.client.initialize(capabilities={"workspace": {"inlayHint": {"refreshSupport": True}}})
    session.open(LAYOUT)
    show(session.client.wait_for_diagnostics(session.uri))
    refresh = session.client.wait_for(lambda m: m.get("method") == "workspace/inlayHint/refresh")
    session.client.send({"jsonrpc": "2.0", "id": refresh["id"], "result": None})
    session.show_hints()
    hover = session.ask("textDocument/hover", position={"line": 11, "character": 12})
    print(hover["contents"]["value"])


def actions(session):
    """Edits for the hints of messages."""
    session.write_project({"target": "gfx942"})
    session.client.initialize()
    texts = [
        "func.func @main() {\n  %c = arith.cnstant 1 : index\n  return\n}\n",
        "func.func @main(%a: memref<4xf32>) {\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n".replace(
            "{\n", "attributes {air.ofload} {\n", 1
        ),
        """\
func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
""",
    ]
    for version, text in enumerate(texts, 2):
        session.text = text
        if version == 2:
            session.client.open(session.uri, text, version)
        else:
            session.client.change(session.uri, [{"text": text}], version)
        show(session.client.wait_for_diagnostics(session.uri, version))
        session.show_actions()


def project(session):
    """Errors in aircc.json and in its options; it may change."""
    file = (session.folder / "aircc.json").as_uri()
    session.write_project('{"target": "gfx942",\n "optons": []}')
    session.client.initialize()
    session.open(KERNEL)
    show(session.client.wait_for_diagnostics(file))
    show(session.client.wait_for_diagnostics(session.uri))
    for options in (["--no-such-option"], ["--help"], ["b.mlir"], ["-o", "x.o", "--emit", "asm"]):
        session.write_project({"target": "gfx942", "options": options})
        session.client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": file, "type": 2}])
        session.client.wait_for_diagnostics(file)
        show(session.client.wait_for_diagnostics(session.uri))
    session.write_project({"target": "gfx00"})
    session.client.notify("textDocument/didSave", textDocument={"uri": session.uri})
    show(session.client.wait_for_diagnostics(session.uri))
    os.remove(session.folder / "aircc.json")
    session.client.notify("textDocument/didSave", textDocument={"uri": session.uri})
    show(session.client.wait_for_diagnostics(session.uri))


def crashes(session):
    """A compile that crashes, MLIR's server when it is killed, and messages that are none."""
    session.write_project({"target": "gfx942", "options": ["--crash-on-purpose"]})
    session.client.initialize()
    session.open(KERNEL)
    show(session.client.wait_for_diagnostics(session.uri))
    children = subprocess.run(
        ["pgrep", "-P", str(session.client.process.pid), "-f", "mlir-server"], capture_output=True, text=True
    )
    os.kill(int(children.stdout), signal.SIGKILL)
    time.sleep(0.2)
    print("without:", session.ask("textDocument/definition", position={"line": 2, "character": 5}))
    session.client.change(session.uri, [{"text": KERNEL}], 2)
    print("again:", len(session.ask("textDocument/definition", position={"line": 4, "character": 21})))
    for data in (
        b"Content-Length: 3\r\n\r\n{x}",
        b"Content-Length: 1\r\n\r\n5",
        b"Content-Length: two\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
    ):
        session.client.send_bytes(data)
        print(session.client.wait_for(lambda m: "error" in m)["error"]["message"])
        if b"999" in data:
            return


def parser_crash(session):
    """MLIR's parser crashes on the first text."""
    session.client.initialize()
    session.open('func.func @f() {\n  "x"() {a = array<index: 1>} : () -> ()\n  return\n}')
    show(session.client.wait_for_diagnostics(session.uri))
    session.client.change(session.uri, [{"text": "func.func @f() {\n  air.herdd\n  return\n}"}], 2)
    show(session.client.wait_for_diagnostics(session.uri, 2))


def documented(session):
    """The aircc.json that is in the folder."""
    session.client.initialize()
    session.open(KERNEL)
    show(session.client.wait_for_diagnostics((session.folder / "aircc.json").as_uri()))
    show(session.client.wait_for_diagnostics(session.uri))


def main():
    scenario, aircc, folder = sys.argv[1:]
    session = Session(aircc, folder)
    globals()[scenario](session)
    if scenario == "crashes":
        session.client.process.stdin.close()
        print("status", session.client.process.wait(timeout=60))
    else:
        print("status", session.client.end())


if __name__ == "__main__":
    main()
