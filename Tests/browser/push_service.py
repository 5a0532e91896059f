"""A push service for browser tests: accepts Hubbub's pushes and records them. Like any such service it cannot decrypt
them."""

import http.server
import threading


class PushService:
    def __init__(self):
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fields = {name.lower(): value for name, value in self.headers.items()}
                service.pushes.append((self.path, fields, body))
                self.send_response(service.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.pushes = []
        self.status = 201
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
