"""`hubbub serve` as a process that is measured: its processor time, its memory, its own counts, and people in it."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("HUBBUB_BINARY", str(ROOT / ".build/release/hubbub"))
PASSWORD = "a long and private phrase"
# All that is kept from strangers and would stop a load test, and no GitHub.
OPEN = {"HUBBUB_RATE_LIMIT": "off", "HUBBUB_STREAMS_PER_USER": "20000", "HUBBUB_CONNECTIONS_PER_ADDRESS": "20000",
        "HUBBUB_CONNECTIONS": "20000", "HUBBUB_LIMITS": "requests_per_connection=1000000000",
        "HUBBUB_GITHUB": "http://127.0.0.1:9"}


def exchange(connection, method, path, body=None, fields=None):
    """One request: status, parsed body, header."""
    fields, data = dict(fields or {}), None
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body)
        fields.setdefault("Content-Type", "application/json")
    connection.request(method, path, data, fields)
    answer = connection.getresponse()
    raw = answer.read()
    is_json = "json" in answer.headers.get("Content-Type", "")
    return answer.status, json.loads(raw) if raw and is_json else raw, answer.headers


class Measured:
    """A process, and what the kernel knows of it."""

    def __init__(self, process):
        self.process, self.pid = process, process.pid

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident, proportional and own memory in KiB; the first is what the bars are about."""
        text = pathlib.Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        size = {name: int(kib) for name, kib in re.findall(r"^(\w+):\s+(\d+) kB", text, re.MULTILINE)}
        return {"rss": size["Rss"], "pss": size["Pss"], "anonymous": size["Anonymous"]}

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def stop(self):
        """Ends it; returns its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Hubbub(Measured):
    """The program on a data folder. `started` is how long it took until it listened, in seconds."""

    def __init__(self, data, binary=BINARY, before=(), **settings):
        environment = {**os.environ, **OPEN, **{f"HUBBUB_{name.upper()}": value for name, value in settings.items()}}
        self.data = pathlib.Path(data)
        began = time.monotonic()
        process = subprocess.Popen(
            [*before, binary, "serve", "--port", "0", "--data", str(data), "--log-level", "error"],
            stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
        line = process.stdout.readline()
        self.started = time.monotonic() - began
        found = re.search(r":(\d+)$", line.strip())
        if not found:
            raise RuntimeError(f"Hubbub did not listen but said {line!r}")
        self.port = int(found[1])
        super().__init__(process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self.process.stdout.close()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, method, path, body=None, cookie=None):
        """One request on a connection of its own; anything but success is an error."""
        connection = self.connect()
        try:
            status, answer, fields = exchange(connection, method, path, body, {"Cookie": cookie} if cookie else {})
        finally:
            connection.close()
        if not 200 <= status < 300:
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer, fields

    def metrics(self):
        """What `/metrics` says, by name and labels."""
        text = self.ask("GET", "/metrics")[0].decode()
        return {name: float(value) for name, value in re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE)}

    def people(self, count):
        """Accounts with a session each: [(id, cookie)]."""
        def make(number):
            answer, fields = self.ask("POST", "/api/v1/accounts", {
                "email": f"person{number}@example.com", "password": PASSWORD, "first_name": f"Person{number}"})
            return answer["id"], fields["Set-Cookie"].split(";")[0]

        with concurrent.futures.ThreadPoolExecutor(4) as workers:
            return list(workers.map(make, range(count)))

    def group(self, name, members):
        """A group of some of the people; its id."""
        body = {"kind": "group", "name": name, "member_ids": [person for person, _ in members[1:]]}
        return self.ask("POST", "/api/v1/rooms", body, members[0][1])[0]["id"]

    def stored(self, question, *values):
        """What the database answers, asked from outside."""
        return ask_database(self.data / "hubbub.sqlite", question, *values)


def ask_database(path, question, *values):
    import sqlite3
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
    try:
        return database.execute(question, values).fetchall()
    finally:
        database.close()
