"""`hubbub serve` as a measured process: its CPU time, its memory, its own counters, and people on it."""

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
# Disables all rate limits, which would stop a load test, and GitHub.
OPEN = {"HUBBUB_RATE_LIMIT": "off", "HUBBUB_STREAMS_PER_USER": "20000", "HUBBUB_CONNECTIONS_PER_ADDRESS": "20000",
        "HUBBUB_CONNECTIONS": "20000", "HUBBUB_LIMITS": "requests_per_connection=1000000000",
        "HUBBUB_GITHUB": "http://127.0.0.1:9"}


def exchange(connection, method, path, body=None, fields=None):
    """One request: status, parsed body, header fields."""
    fields, data = dict(fields or {}), None
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body)
        fields.setdefault("Content-Type", "application/json")
    connection.request(method, path, data, fields)
    answer = connection.getresponse()
    raw = answer.read()
    is_json = "json" in answer.headers.get("Content-Type", "")
    return answer.status, json.loads(raw) if raw and is_json else raw, answer.headers


def processor_seconds(pid):
    """CPU time of a process, user and system, from its CPU clock (clock_getcpuclockid(3)), in seconds with nanosecond
    resolution."""
    return time.clock_gettime(~int(pid) << 3 | 2)


def pin(pid, processor):
    """Keeps all threads of a process on one processor."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        os.sched_setaffinity(int(thread), {processor})


class Measured:
    """A process, and the kernel's figures about it."""

    def __init__(self, process):
        self.process, self.pid = process, process.pid

    def processor_seconds(self):
        return processor_seconds(self.pid)

    def pin(self, processor):
        pin(self.pid, processor)

    def memory(self):
        """Proportional and own (anonymous) memory in KiB; the bars apply to the latter."""
        text = pathlib.Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        size = {name: int(kib) for name, kib in re.findall(r"^(\w+):\s+(\d+) kB", text, re.MULTILINE)}
        return {"pss": size["Pss"], "anonymous": size["Anonymous"]}

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def stop(self):
        """Ends the process; returns its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Hubbub(Measured):
    """The program on a data folder. `started` is the number of seconds until it listened."""

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
        """One request on a new connection; anything but success is an error."""
        connection = self.connect()
        try:
            status, answer, fields = exchange(connection, method, path, body, {"Cookie": cookie} if cookie else {})
        finally:
            connection.close()
        if not 200 <= status < 300:
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer, fields

    def metrics(self):
        """The metrics of `/metrics`, by name and labels."""
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
        """A group with some of the people; its id."""
        body = {"kind": "group", "name": name, "member_ids": [person for person, _ in members[1:]]}
        return self.ask("POST", "/api/v1/rooms", body, members[0][1])[0]["id"]

    def stored(self, question, *values):
        """The result of a query on the database, from outside the program."""
        return ask_database(self.data / "hubbub.sqlite", question, *values)


def ask_database(path, question, *values):
    import sqlite3
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
    try:
        return database.execute(question, values).fetchall()
    finally:
        database.close()
