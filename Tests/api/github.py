"""The GitHub stand-in's sign-in for a client without a browser, and the stand-in's controls."""

import http.client
import http.server
import json
import threading
import urllib.parse

from api_client import Answer, Client


def flip(server, switch, **values):
    """Sets one of the stand-in's controls: `_sign_in`, `_faults`, `_clock`."""
    address = urllib.parse.urlsplit(server.demo_github)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
    connection.request("POST", f"/{switch}", json.dumps(values), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    connection.close()


def visit(address):
    """The target of a GitHub page's redirect."""
    parts = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.headers["Location"]


class Visitor(Client):
    """Somebody without a browser who stores cookies and follows redirects one step at a time."""

    def __init__(self, server, known=None):
        super().__init__(server, account=False)
        self.jar = {}
        if known:
            self.take(known.cookie)

    def take(self, pair):
        name, _, value = pair.partition("=")
        self.jar[name] = value

    def fields(self, fields=None):
        cookie = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        return {**({"Cookie": cookie} if cookie else {}), **(fields or {})}

    def ask(self, *arguments, **more):
        answer: Answer = super().ask(*arguments, **more)
        for line in answer.headers.get_all("Set-Cookie", []):
            pair = line.split(";")[0]
            if "Max-Age=0" in line:
                self.jar.pop(pair.partition("=")[0], None)
            else:
                self.take(pair)
        return answer

    @property
    def flows(self):
        return [name for name in self.jar if "hubbub_github_" in name]

    def page(self, path):
        return self.request("GET", path, base="")

    def go(self, path):
        """The target of a redirect from one of our pages."""
        answer = self.page(path)
        assert answer.status == 303, answer
        return answer.headers["Location"]

    def come_back(self, address):
        """Follows GitHub's redirect to us."""
        parts = urllib.parse.urlsplit(address)
        return self.go(f"{parts.path}?{parts.query}")

    def sign_in(self, login=None, query="", error=None):
        """Signs in as `login`; returns the final address."""
        flip(self.server, "_sign_in", **({"login": login} if login else {"error": error}))
        return self.come_back(visit(self.go(f"/auth/github{query}")))

    def link(self, login):
        flip(self.server, "_sign_in", login=login)
        answer = self.request("POST", "/me/github", {})
        assert answer.status == 200, answer
        return self.come_back(visit(answer.data["url"]))

    @property
    def me(self):
        return self.get("/session").data


class CanaryGitHub:
    """A GitHub with one person, whose code and token are distinctive strings that can be searched for."""

    CODE, TOKEN, SECRET = "canarycode0815", "gho_canarytoken0815", "canarysecret0815"
    login = "canary"

    def __init__(self):
        stand_in = self
        self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                stand_in.asked.append((self.path, dict(urllib.parse.parse_qsl(text)), self.headers["Authorization"]))
                if self.path.endswith("/device/code"):
                    self.answer({"device_code": "device", "user_code": "ABCD-EFGH", "expires_in": 900, "interval": 1,
                                 "verification_uri": stand_in.address + "/login/device"})
                else:
                    self.answer({"access_token": stand_in.TOKEN, "token_type": "bearer", "scope": ""})

            def do_GET(self):
                stand_in.asked.append((self.path, {}, self.headers["Authorization"]))
                self.answer({"id": 815, "login": stand_in.login, "type": "User", "name": "Canary Bird",
                             "avatar_url": stand_in.address + "/a.png"})

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def environment(self):
        return {
            "HUBBUB_GITHUB": self.address, "HUBBUB_GITHUB_WEB": self.address, "HUBBUB_GITHUB_CLIENT_ID": "canary-id",
            "HUBBUB_GITHUB_CLIENT_SECRET": self.SECRET,
        }

    def close(self):
        self.server.shutdown()
        self.server.server_close()
