"""usage: lsp_runner.py AIRCC SESSION check|end: sends a session (lsp_inputs.py) to `aircc lsp`.

With `check`, the server must answer a last request. The server must then exit by itself, with status 0 or 1."""

import base64
import json
import pathlib
import queue
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "driver" / "Inputs"))
from lsp_client import Client  # noqa: E402


def fail(message):
    print("error: " + message, file=sys.stderr)
    sys.exit(70)


def main():
    aircc, session, mode = sys.argv[1:]
    client = Client(aircc)
    uri = (pathlib.Path.cwd() / "a.mlir").as_uri().encode()
    try:
        for chunk in json.loads(pathlib.Path(session).read_text()):
            header, separator, body = base64.b64decode(chunk).partition(b"\r\n\r\n")
            replaced = body.replace(b'"a.mlir"', b'"' + uri + b'"')
            length = b"Content-Length: %d" % len(body)
            if header == length:
                header = b"Content-Length: %d" % len(replaced)
            client.send_bytes(header + separator + replaced)
        if pathlib.Path("aircc.json").exists():
            time.sleep(1)  # A compile has begun.
        if mode == "check":
            last = {"jsonrpc": "2.0", "id": "last", "method": "textDocument/hover"}
            client.send({**last, "params": {"textDocument": {"uri": "file:///none"}, "position": {}}})
            client.wait_for(lambda m: m.get("id") == "last", seconds=60)
        client.process.stdin.close()
    except (BrokenPipeError, EOFError):
        if mode == "check":  # No session has an `exit`.
            fail(f"the server ended early, with the status {client.process.wait(timeout=60)}")
    except queue.Empty:
        client.process.kill()
        fail("the server did not answer")
    status = client.process.wait(timeout=60)
    if status not in (0, 1):
        fail(f"the server ended with the status {status}")


if __name__ == "__main__":
    main()
