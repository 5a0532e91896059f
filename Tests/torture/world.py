"""The foundation of the torture: the program with the file layer, the load on it, and a ledger of what was
acknowledged, with which everything is compared afterwards."""

import collections
import http.client
import mmap
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time

from layer import Control
from visitors import Listener, Person, Writer, exchange

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("HUBBUB_BINARY", str(ROOT / ".build/release/hubbub"))


class Program:
    """`hubbub serve` on a folder, with or without the layer; the same port each time."""

    def __init__(self, folder, library=None, trace=None, limits=()):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.data.mkdir(parents=True, exist_ok=True)
        self.library, self.trace, self.limits = library, trace, limits
        page = self.folder / "control"
        page.write_bytes(bytes(4096))
        self.page = mmap.mmap(os.open(page, os.O_RDWR), 4096)
        self.control = Control.from_buffer(self.page)
        self.port, self.process, self.starts = 0, None, []

    def start(self, expect=True):
        """Starts the program. Returns the seconds from the start to the first response."""
        environment = {**os.environ, "HUBBUB_RATE_LIMIT": "off", "HUBBUB_CONNECTIONS_PER_ADDRESS": "4000",
                       "HUBBUB_STREAMS_PER_USER": "1000", "HUBBUB_GITHUB": "http://127.0.0.1:9", "HUBBUB_LOG_LEVEL": "warning"}
        if self.library:
            environment |= {"LD_PRELOAD": str(self.library), "HUBBUB_LAYER_FOLDER": str(self.data),
                            "HUBBUB_LAYER_CONTROL": str(self.folder / "control")}
        if self.trace:
            environment["HUBBUB_LAYER_TRACE"] = str(self.trace)
        began = time.monotonic()
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [*self.limits, BINARY, "serve", "--data", str(self.data), "--port", str(self.port)], cwd=ROOT,
            stdout=subprocess.PIPE, stderr=self.log, env=environment, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if not found:
            assert not expect, f"it did not start: {self.log_text()[-2000:]}"
            return None
        self.port = int(found[1])
        assert self.ask("GET", "/healthz", base="")[0] == 200
        self.starts.append(time.monotonic() - began)
        return self.starts[-1]

    def log_text(self):
        return (self.folder / "log").read_text(errors="replace")

    def kill(self):
        self.process.kill()
        self.process.wait(20)

    def stop(self):
        self.process.terminate()
        return self.process.wait(30)

    def ask(self, method, path, body=None, cookie=None, base="/api/v1", timeout=30):
        """One request on a new connection: status and parsed body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            return exchange(connection, method, base + path, body, cookie)[:2]
        finally:
            connection.close()

    def check(self):
        """The findings of `hubbub check`; empty if the data is sound."""
        ended = subprocess.run([BINARY, "check", "--data", str(self.data)], capture_output=True, text=True, timeout=120)
        return "" if ended.returncode == 0 else ended.stdout + ended.stderr


class Ledger:
    """The messages to be sent, and those acknowledged."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ids, self.rows = set(), []

    def wanted(self, client_id):
        with self.lock:
            self.ids.add(client_id)

    def acknowledged(self, *row):
        with self.lock:
            self.rows.append(row)

    def copy(self):
        with self.lock:
            return list(self.rows)


def history(program, person, room):
    """All messages of a room, page by page."""
    found, after = [], 0
    while True:
        status, page = program.ask("GET", f"/rooms/{room}/messages?after={after}&limit=200", cookie=person.cookie)
        assert status == 200, f"a room cannot be read any more: {page}"
        if not page:
            return found
        found += page
        after = page[-1]["seq"]


def hold(program, people, rooms, rows, wanted=None, listeners=()):
    """Compares the stored messages with the ledger. Returns the number of messages; fails with the differences."""
    stored = {}
    for room in rooms:
        messages = history(program, people[0], room)
        assert [m["seq"] for m in messages] == list(range(1, len(messages) + 1)), "a gap in the numbers"
        stored[room] = messages
    everything = [m for messages in stored.values() for m in messages]
    ids = [m["client_id"] for m in everything]
    assert len(ids) == len(set(ids)), "a message is there twice"
    if wanted is not None:
        assert set(ids) <= wanted, "a message that nobody sent"
    lost = [row for row in rows if len(stored[row[0]]) < row[1]
            or (lambda m: (m["client_id"], m["text"], m["sender"]["id"]) != row[2:])(stored[row[0]][row[1] - 1])]
    assert not lost, f"{len(lost)} acknowledged messages are lost or changed; the first: {lost[0][:3]}"
    order = collections.defaultdict(list)
    for room, seq, _, text, sender in rows:
        order[room, sender].append((int(text.split()[1]), seq))
    for sent in order.values():
        assert [seq for _, seq in sorted(sent)] == sorted(seq for _, seq in sent), "somebody's messages changed places"
    for listener in listeners:
        for room in rooms:
            heard = [seq for at, seq, _ in listener.events if at == room]
            assert heard == list(range(heard[0], heard[0] + len(heard))) if heard else True, "a stream has a gap or a repeat"
    return len(everything)


class Beginning:
    """Data with sixteen people in three rooms, from which each scenario starts, because hashing passwords takes time.
    """

    def __init__(self, folder):
        program = Program(folder)
        program.start()
        self.people = [Person(program, f"P{number}") for number in range(16)]
        body = {"kind": "group", "name": "Torture", "member_ids": [person.id for person in self.people[1:]]}
        self.rooms = []
        for _ in range(3):
            status, room = program.ask("POST", "/rooms", body, self.people[0].cookie)
            assert status == 201, room
            self.rooms.append(room["id"])
        program.stop()
        self.data = program.data


class World:
    """A program on a copy of the initial data, and the load on it."""

    def __init__(self, beginning, folder, listeners=8, seed=1, **how):
        self.program = Program(folder, **how)
        shutil.copytree(beginning.data, self.program.data, dirs_exist_ok=True)
        self.seed, self.counts = seed, (8, listeners)
        self.people, self.rooms = beginning.people, beginning.rooms
        self.ledger = Ledger()
        self.writers, self.listeners = [], []

    def begin(self):
        writers, listeners = self.counts
        self.listeners = [Listener(self.program, person) for person in self.people[writers:writers + listeners]]
        for listener in self.listeners:
            listener.start()
        for listener in self.listeners:
            assert listener.began.wait(20)
        self.writers = [Writer(self.program, person, self.rooms, self.ledger, f"{self.seed}-{number}")
                        for number, person in enumerate(self.people[:writers])]
        for writer in self.writers:
            writer.start()

    def wait_for(self, count, seconds=30):
        """Waits until `count` more messages are acknowledged."""
        target, end = len(self.ledger.rows) + count, time.monotonic() + seconds
        while len(self.ledger.rows) < target:
            assert time.monotonic() < end, f"nothing is acknowledged any more; refusals {self.refusals()}"
            assert all(writer.is_alive() for writer in self.writers), "a writer met an answer that should not be"
            time.sleep(0.005)

    def refusals(self):
        return sum((writer.refused for writer in self.writers), collections.Counter())

    def rest(self):
        """Every writer finishes its current message, and every listener receives the last one."""
        for writer in self.writers:
            writer.ends.set()
        for writer in self.writers:
            writer.join(60)
            assert not writer.is_alive(), "a message is never answered"
        last = self.program.ask("GET", "/sync", cookie=self.people[0].cookie)[1]["last_event_id"]
        end = time.monotonic() + 30
        # Others' receipts and the like do not go to everyone; the last message does.
        newest = {room: max([row[1] for row in self.ledger.rows if row[0] == room], default=0) for room in self.rooms}
        for listener in self.listeners:
            while {room: max([s for at, s, _ in listener.events if at == room], default=0) for room in self.rooms} != newest:
                assert time.monotonic() < end, f"a stream is behind: {listener.last} of {last}"
                time.sleep(0.02)

    def hold(self):
        """Compares everything, at the end of a scenario."""
        self.rest()
        assert set(self.ledger.ids) == {row[2] for row in self.ledger.rows}
        count = hold(self.program, self.people, self.rooms, self.ledger.rows, self.ledger.ids, self.listeners)
        assert count == len(self.ledger.ids), f"{count} stored, {len(self.ledger.ids)} sent"
        assert not any(listener.resets for listener in self.listeners), "a stream had to start over"
        finding = self.program.check()
        assert not finding, finding
        return count

    def end(self):
        for thread in [*self.writers, *self.listeners]:
            thread.ends.set()
        if self.program.process and self.program.process.poll() is None:
            self.program.kill()
        shutil.rmtree(self.program.folder, ignore_errors=True)
