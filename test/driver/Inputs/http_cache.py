"""An HTTP server like that of a remote cache: GET and PUT of files below /ac/. It starts a command with
AIRCC_CACHE_REMOTE set to its address, and stops when the command ends. Arguments: the folder of the files, a mode (ok,
refuse, corrupt), and the command."""

import http.server
import os
import pathlib
import subprocess
import sys
import threading

folder, mode = pathlib.Path(sys.argv[1]), sys.argv[2]
folder.mkdir(exist_ok=True)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def get_file(self):
        assert self.path.startswith("/cache/ac/"), self.path
        return folder / self.path.split("/")[-1]

    def do_GET(self):
        if mode == "refuse":
            return self.answer(500)
        path = self.get_file()
        if not path.exists():
            return self.answer(404)
        body = path.read_bytes()
        self.answer(200, body[:-1] + bytes([body[-1] ^ 1]) if mode == "corrupt" else body)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.get_file().write_bytes(body)
        self.answer(201)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/cache/"
sys.exit(subprocess.run(sys.argv[3:], env={**os.environ, "AIRCC_CACHE_REMOTE": address, "NO_PROXY": "*"}).returncode)
