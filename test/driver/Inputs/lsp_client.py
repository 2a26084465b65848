"""An editor for tests of `aircc lsp`: speaks the language server protocol with it."""

import json
import pathlib
import queue
import subprocess
import threading


class Client:
    def __init__(self, aircc, arguments=(), **options):
        command = [*aircc.split(), "lsp", *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        self.messages = queue.Queue()
        self.backlog = []
        self.next_id = 1
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline().strip()) or length is None:
                if not line:
                    self.messages.put(None)  # The end of the stream.
                    return
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            self.messages.put(json.loads(stream.read(length)))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        text = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(text) + text)

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def wait_for(self, accepts, seconds=60):
        """Returns the first message that `accepts` returns true for, also of those that arrived before."""
        for message in self.backlog:
            if accepts(message):
                self.backlog.remove(message)
                return message
        while True:
            message = self.messages.get(timeout=seconds)
            if message is None:
                raise EOFError("the server has ended")
            if accepts(message):
                return message
            self.backlog.append(message)

    def request(self, method, **params):
        """Returns the response, without `jsonrpc` and `id`."""
        number = self.next_id
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        response = self.wait_for(lambda m: m.get("id") == number and "method" not in m)
        return {key: value for key, value in response.items() if key not in ("jsonrpc", "id")}

    def initialize(self, root=None, capabilities=None):
        uri = pathlib.Path(root).as_uri() if root else None
        response = self.request("initialize", processId=None, rootUri=uri, capabilities=capabilities or {})
        self.notify("initialized")
        return response["result"]

    def open(self, uri, text, version=1):
        self.notify(
            "textDocument/didOpen", textDocument={"uri": uri, "languageId": "mlir", "version": version, "text": text}
        )

    def change(self, uri, changes, version):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=changes)

    def wait_for_diagnostics(self, uri, version=None):
        def accepts(message):
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and version in (None, params.get("version"))
            )

        return self.wait_for(accepts)["params"]["diagnostics"]

    def end(self):
        """Ends the server as an editor does; returns its exit status."""
        self.request("shutdown")
        self.send({"jsonrpc": "2.0", "method": "exit"})
        return self.process.wait(timeout=60)
