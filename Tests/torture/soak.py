"""An hour, or as long as is said, of moderate use: people write, read, search, sign in and out and change pictures, streams
come and go. Fails where memory, descriptors or threads grow, or an answer is not what it should be.

    bin/torture --soak 60 [--rate 20] [--streams 30] [--record FILE]
"""

import argparse
import collections
import json
import pathlib
import random
import selectors
import socket
import struct
import subprocess
import sys
import tempfile
import time
import uuid
import zlib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
from figures import growth, quantile, slope  # noqa: E402
from hubbub import BINARY, PASSWORD, Hubbub, ask_database, exchange  # noqa: E402

# The permitted growth between the first and the last third, after the warm-up: memory in KiB (what an allocator keeps,
# and the pages of a growing database), descriptors, threads; and the maximum size of the WAL in bytes.
ALLOWANCE = {"pss": 3072, "anonymous": 3072, "descriptors": 4, "threads": 2}
MOST_WAL = 80 << 20
WORDS = "the build is green again after merge of branch and review found nothing that would block release today".split()


def picture(source):
    """A small PNG in one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + bytes(source.randrange(256) for _ in range(3)) * 32
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * 32)) + chunk(b"IEND", b""))


class Streams:
    """Event streams that come and go; their events are counted, not parsed."""

    def __init__(self, program, people, count, source):
        self.program, self.people, self.random = program, people, source
        self.selector = selectors.DefaultSelector()
        self.opened = self.bytes = 0
        for _ in range(count):
            self.open()

    def open(self):
        stream = socket.create_connection(("127.0.0.1", self.program.port), timeout=30)
        after = "" if self.random.random() < 0.5 else f"?after={max(0, self.program.last_event - 50)}"
        cookie = self.random.choice(self.people)[1]
        stream.sendall(f"GET /api/v1/events{after} HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n".encode())
        stream.setblocking(False)
        self.selector.register(stream, selectors.EVENT_READ, time.monotonic() + self.random.uniform(10, 120))
        self.opened += 1

    def turn(self, seconds):
        """Reads what is available for up to this long; replaces streams whose time is over."""
        for key, _ in self.selector.select(seconds):
            part = key.fileobj.recv(1 << 16)
            self.bytes += len(part)
            assert part, "the program ended a stream"
        for key in list(self.selector.get_map().values()):
            if key.data < time.monotonic():
                self.selector.unregister(key.fileobj)
                key.fileobj.close()
                self.open()


class Users:
    """People's actions, each at its own pace, on connections that are kept for a while."""

    def __init__(self, program, people, rooms, rate, source):
        self.program, self.people, self.rooms, self.random = program, people, rooms, source
        self.sent, self.newest, self.took, self.counts = 0, collections.Counter(), [], collections.Counter()
        self.connection = program.connect()
        # The actions, and the number of seconds between two.
        self.paces = [(self.send, 1 / rate), (self.page, 0.5), (self.search, 2), (self.sync, 1), (self.receipt, 2),
                      (self.edit, 5), (self.react, 3), (self.avatar, 2), (self.new_picture, 30), (self.sign_in, 20),
                      (self.typing, 4), (self.asset, 5), (self.chats, 3), (self.directory, 10), (self.reconnect, 30)]
        self.due = [time.monotonic() + source.random() for _ in self.paces]

    def turn(self):
        """Performs the due actions; returns the time until the next."""
        for index, (act, pace) in enumerate(self.paces):
            if time.monotonic() >= self.due[index]:
                act()
                self.counts[act.__name__] += 1
                self.due[index] = max(self.due[index] + pace, time.monotonic())
        return max(0.0, min(self.due) - time.monotonic())

    def ask(self, method, path, body=None, person=None, wanted=(200, 201, 204), **fields):
        cookie = (person or self.random.choice(self.people))[1]
        status, answer, _ = exchange(self.connection, method, path, body, {"Cookie": cookie, **fields})
        assert status in wanted, f"{method} {path}: {status} {answer}"
        return answer

    def place(self):
        room = self.random.choice(self.rooms)
        return room, self.random.randint(1, max(1, self.newest[room]))

    def send(self):
        room = self.random.choice(self.rooms)
        text = " ".join(self.random.choices(WORDS, k=self.random.choice((3, 8, 20, 200))))
        began = time.monotonic()
        answer = self.ask("POST", f"/api/v1/rooms/{room}/messages", {"client_id": str(uuid.uuid4()), "text": text}, wanted=(201,))
        self.took.append(time.monotonic() - began)
        self.sent += 1
        self.newest[room] = answer["seq"]

    def page(self):
        room, seq = self.place()
        self.ask("GET", f"/api/v1/rooms/{room}/messages" + self.random.choice(("", f"?before={seq}", f"?around={seq}")))

    def search(self):
        self.ask("GET", "/api/v1/search?q=" + "+".join(self.random.choices(WORDS, k=self.random.choice((1, 2)))))

    def sync(self):
        self.program.last_event = self.ask("GET", f"/api/v1/sync?after={self.program.last_event}")["last_event_id"]

    def receipt(self):
        room, _ = self.place()
        self.ask("PUT", f"/api/v1/rooms/{room}/receipt", {"read_seq": self.newest[room]})

    def edit(self):
        person, room = self.random.choice(self.people), self.random.choice(self.rooms)
        path = f"/api/v1/rooms/{room}/messages"
        seq = self.ask("POST", path, {"text": "to be changed"}, person, wanted=(201,))["seq"]
        self.sent, self.newest[room] = self.sent + 1, seq
        self.ask("PATCH", f"{path}/{seq}", {"text": "changed"}, person)
        if self.random.random() < 0.5:
            self.ask("DELETE", f"{path}/{seq}", None, person)

    def react(self):
        room, seq = self.place()
        self.ask("PUT", f"/api/v1/rooms/{room}/messages/{seq}/reactions/%F0%9F%91%8D", wanted=(204, 404, 409))

    def avatar(self):
        user = self.random.choice(self.people)[0]
        self.ask("GET", self.ask("GET", f"/api/v1/users/{user}")["avatar_url"])

    def new_picture(self):
        self.ask("PUT", "/api/v1/me/avatar", picture(self.random), **{"Content-Type": "image/png"})

    def sign_in(self):
        body = {"email": f"person{self.random.randrange(len(self.people))}@example.com", "password": PASSWORD}
        status, _, fields = exchange(self.connection, "POST", "/api/v1/session", body)
        assert status == 200, status
        self.ask("DELETE", "/api/v1/session", None, ("", fields["Set-Cookie"].split(";")[0]))

    def typing(self):
        self.ask("POST", f"/api/v1/rooms/{self.random.choice(self.rooms)}/typing", {"typing": True})

    def asset(self):
        self.ask("GET", "/assets/js/app.js", **{"Accept-Encoding": "gzip"})

    def chats(self):
        self.ask("GET", "/api/v1/rooms")

    def directory(self):
        self.ask("GET", "/api/v1/github/users")

    def reconnect(self):
        self.connection.close()
        self.connection = self.program.connect()


def sample(program, began, users):
    files = [path for path in program.data.iterdir() if path.name.startswith("hubbub.sqlite")]
    sizes = {path.name: path.stat().st_size for path in files}
    return {"seconds": time.monotonic() - began, **program.memory(), "descriptors": program.descriptors(),
            "threads": program.threads(), "processor": program.processor_seconds(), "sent": users.sent,
            "database": sizes["hubbub.sqlite"], "wal": sizes.get("hubbub.sqlite-wal", 0)}


def verdict(samples, warm_up):
    """The figures that grew more than allowed; empty if all are flat. Prints the figures."""
    rest = [entry for entry in samples if entry["seconds"] >= warm_up]
    times, findings = [entry["seconds"] for entry in rest], []
    print("| | at the start | after the warm-up | at the end | highest | last third over first | slope an hour |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in [*ALLOWANCE, "wal", "database"]:
        values = [entry[name] for entry in rest]
        more = growth(times, values)
        print(f"| {name} | {samples[0][name]:,} | {values[0]:,} | {values[-1]:,} | {max(values):,} | {more:+,.0f} | "
              f"{slope(times, values) * 3600:+,.0f} |")
        if name in ALLOWANCE and more > ALLOWANCE[name]:
            findings.append(f"{name} grew by {more:,.0f}, which is more than {ALLOWANCE[name]:,}")
    if max(entry["wal"] for entry in samples) > MOST_WAL:
        findings.append("the WAL is not kept small")
    return findings


def soak(arguments, folder, record):
    source = random.Random(arguments.seed)
    with Hubbub(pathlib.Path(folder) / "data", github="demo") as program:
        people = program.people(24)
        rooms = [program.group(f"Soak {number}", people) for number in range(8)]
        program.last_event = program.ask("GET", "/api/v1/sync", cookie=people[0][1])[0]["last_event_id"]
        users = Users(program, people, rooms, arguments.rate, source)
        streams = Streams(program, people, arguments.streams, source)
        began, samples = time.monotonic(), []
        while time.monotonic() - began < arguments.minutes * 60:
            if not samples or time.monotonic() - began >= samples[-1]["seconds"] + arguments.every:
                samples.append(sample(program, began, users))
                record.write(json.dumps(samples[-1]) + "\n")
                record.flush()
            streams.turn(min(users.turn(), 0.05))
        stored = program.stored("SELECT count(*) FROM messages")[0][0]
        exit_code = program.stop()
    findings = verdict(samples, arguments.minutes * 60 / 6)
    check = subprocess.run([BINARY, "check", "--data", str(program.data)], capture_output=True, text=True)
    events = ask_database(program.data / "hubbub.sqlite", "SELECT count(*) FROM events")[0][0]
    print(f"\n{users.sent:,} messages sent and {stored:,} stored, {events:,} events logged, {streams.opened:,} streams opened "
          f"that got {streams.bytes / 1e6:,.0f} MB; a send took {1000 * quantile(users.took, 0.5):.1f} ms (p50), "
          f"{1000 * quantile(users.took, 0.99):.1f} ms (p99); {100 * samples[-1]['processor'] / samples[-1]['seconds']:.1f} % "
          f"of a processor.\nDone: {dict(users.counts)}")
    findings += [f"{users.sent} messages were acknowledged and {stored} are stored"] if stored != users.sent else []
    findings += [f"it ended with {exit_code}"] if exit_code else []
    findings += [check.stdout + check.stderr] if check.returncode else []
    return findings


def main():
    parser = argparse.ArgumentParser(prog="bin/torture --soak", description=__doc__.split("\n\n")[0])
    parser.add_argument("minutes", type=float, nargs="?", default=60)
    parser.add_argument("--rate", type=float, default=20, help="messages a second")
    parser.add_argument("--streams", type=int, default=30, help="streams open at a time")
    parser.add_argument("--every", type=float, default=10, help="seconds between samples")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", default="", help="where the samples go, a line of JSON each")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hubbub-soak-") as folder:
        with open(arguments.record or pathlib.Path(folder) / "samples", "w") as record:
            findings = soak(arguments, folder, record)
    for finding in findings:
        print(f"FAILED: {finding}")
    if not findings:
        print("Flat.")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
