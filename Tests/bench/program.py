"""Measures `hubbub serve`: CPU time per request as a multiple of nginx `return 200`, and the fan-out of a message
beside nchan. Prints one table with its bars: bin/bench."""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import document
import peers
from hubbub import BINARY, Hubbub

CHAPTER = "## The whole program"
PEOPLE, ROOMS, MESSAGES, STREAMS = 10, 20, 60, 4000
MOST_MEMORY = 24
TEXT = "the build is green again after the merge of that branch, and the review found nothing that blocks the release"
# The messages for the streams: %u is a new UUID for each, %n a mark that the streams look for.
MESSAGE = json.dumps({"client_id": "%u", "text": f"%n {TEXT}"})
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
FAN_OUT = "fan-out of `message.created` to 4,000 streams of one person, deliveries per processor second × nchan"
# The requests, each with its maximum cost in multiples of nginx `return 200`. {room} is a room's id.
REQUESTS = {
    "healthz": ("`/healthz`", "/healthz", 1.0),
    "page": ("`/sign-in` (page, compressed)", "/sign-in", 1.2),
    "session": ("`GET /session`", "/api/v1/session", 2.5),
    "room": ("`GET /rooms/{id}`", "/api/v1/rooms/{room}", 5),
    "rooms": (f"`GET /rooms`, {ROOMS} rooms", "/api/v1/rooms", 25),
    "messages": ("50 messages", "/api/v1/rooms/{room}/messages", 18),
    "github": ("`GET /github/users`, 50", "/api/v1/github/users", 16),
    "search": ("search, 50 hits", "/api/v1/search?q=review", 90),
}
LISTS = {"rooms": ROOMS, "messages": 50, "github": 50, "search": 50}
LEAST_FAN_OUT = 1.3
STREAMING = {"fanout"}


class Program:
    """`hubbub serve` with its demo directory and people, rooms and messages, on one processor."""

    def __init__(self, name, binary, folder, processor):
        # Pinned to one processor from the start, it creates one loop, like nginx with one worker.
        self.name = name
        self.server = Hubbub(folder, binary=binary, before=("taskset", "-c", str(processor)), github="demo")
        try:
            self.people = self.server.people(PEOPLE)
            self.rooms = [self.server.group(f"Room {n}", self.people[:3 + n % 5]) for n in range(ROOMS)]
            for room in self.rooms:
                self.write(room, 2)
            # The room to read: ten people, with replies and reactions.
            self.room = self.server.group("Together", self.people)
            self.write(self.room, MESSAGES)
            self.port = self.server.port
        except BaseException:
            self.server.stop()
            raise

    @property
    def cookie(self):
        return f"Cookie: {self.people[0][1]}"

    def write(self, room, count):
        members = self.people if count == MESSAGES else self.people[:3]
        for n in range(count):
            body = {"client_id": f"{n:08x}-0000-4000-8000-{self.rooms.index(room) if room in self.rooms else 99:012x}",
                    "text": f"{n}: {TEXT}"}
            if n % 10 == 9:
                body["reply_to"] = n - 4
            cookie = members[n % len(members)][1]
            seq = self.server.ask("POST", f"/api/v1/rooms/{room}/messages", body, cookie)[0]["seq"]
            if n % 10 == 5:
                self.server.ask("PUT", f"/api/v1/rooms/{room}/messages/{seq}/reactions/%F0%9F%91%8D", cookie=members[0][1])

    def path(self, case):
        return REQUESTS[case][1].format(room=self.room)

    def plan(self, case):
        """Path, header line and body of the request, for the load generator. Checks that the response is the expected
        one."""
        path, cookie = self.path(case), self.people[0][1]
        if case in LISTS:
            answer = self.server.ask("GET", path, cookie=cookie)[0]
            count = len(answer["messages"] if isinstance(answer, dict) else answer)
            if count < LISTS[case]:
                raise RuntimeError(f"{path} has {count} entries instead of {LISTS[case]}")
        return path, "Accept-Encoding: gzip, deflate, br" if case == "page" else self.cookie, ""

    def event(self):
        """The data of a `message.created` as received by a stream."""
        connection = self.server.connect()
        connection.request("GET", "/api/v1/events", headers={"Cookie": self.people[0][1]})
        stream = connection.getresponse()
        try:
            self.server.ask("POST", f"/api/v1/rooms/{self.room}/messages", json.loads(MESSAGE.replace("%u", UUID)),
                            self.people[1][1])
            while line := stream.fp.readline():
                if line.startswith(b"data:") and UUID.encode() in line:
                    return line.removeprefix(b"data:").strip().decode().replace(UUID, "%u")
        finally:
            connection.close()
        raise RuntimeError("the stream ended before the message came")



class Bench:
    """What the measurements share: folder, load, processors and the output."""

    def __init__(self, folder, quick):
        self.folder = pathlib.Path(folder)
        self.seconds, self.rounds, self.fan_outs = (0.5, 5, 2) if quick else (1.5, 9, 5)
        self.sends = 20 if quick else 40
        self.processor, *others = sorted(os.sched_getaffinity(0))
        self.other = (others or [self.processor])[0]
        self.load = self.folder / "load"
        source = pathlib.Path(__file__).with_name("load.c")
        subprocess.run(["clang", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-o", self.load, source], check=True)

    def file(self, name, lines):
        path = self.folder / name
        path.write_text("".join("\t".join(line) + "\n" for line in lines))
        return path

    def ask(self, server, port, line, seconds):
        """Microseconds of the server's CPU time per request. Load and server share a processor, so that each turn of
        the server finds everything that is waiting, whatever else runs here."""
        before = server.processor_seconds()
        run = subprocess.run(
            ["taskset", "-c", str(self.processor), self.load, "ask", str(port), self.file("ask.plan", [line]), "GET", "200",
             str(seconds), "64"], capture_output=True, text=True, check=True)
        used = server.processor_seconds() - before
        result = json.loads(run.stdout)
        if result["refused"]:
            raise RuntimeError(f"{line[0]}: {result['refused']} of {result['answers']} answers were not 200")
        return 1e6 * used / result["answers"]

    def fan_out(self, server, port, line, status, stream, kind):
        """Deliveries per second of the server's CPU time, from the moment that all streams are open."""
        streams = self.file("streams.plan", [stream] * STREAMS)
        load = subprocess.Popen(
            ["taskset", "-c", str(self.other), self.load, "hear", str(port), self.file("send.plan", [line]), "POST", str(status),
             streams, kind, str(self.sends), "100"], stdout=subprocess.PIPE, text=True)
        if load.stdout.readline().strip() != "ready":
            raise RuntimeError("the streams did not open")
        before = server.processor_seconds()
        result = json.loads(load.stdout.readline())
        used = server.processor_seconds() - before
        load.wait()
        if result["heard"] < result["expected"] or result["refused"]:
            raise RuntimeError(f"not everything was heard: {result}")
        return result["heard"] / used


def requests(bench, programs, baseline, bare, cases):
    """Alternating rounds: {(server's name, case): [multiples of nginx]}, and nginx's own microseconds."""
    found, nginx = {}, []
    plans = {(program.name, case): program.plan(case) for program in programs for case in cases}
    small = ("/", "Accept: */*", "")
    for number in range(bench.rounds + 1):
        # The first round is a warm-up and not counted.
        seconds = bench.seconds if number else min(0.3, bench.seconds)
        unit = bench.ask(baseline, baseline.port, small, seconds)
        costs = {("bare", "healthz"): bench.ask(bare, bare.port, small, seconds)} if bare else {}
        for case in cases:
            for program in programs:
                costs[program.name, case] = bench.ask(program.server, program.port, plans[program.name, case], seconds)
        # nginx before and after, so that changes on the machine affect both.
        unit = (unit + bench.ask(baseline, baseline.port, small, seconds)) / 2
        if number:
            nginx.append(unit)
            for key, cost in costs.items():
                found.setdefault(key, []).append(cost / unit)
    return found, nginx


def fan_outs(bench, programs, bare, nchan):
    """{server's name: [deliveries per CPU second × nchan]}."""
    found = {}
    data = programs[0].event()
    plain = ("/events", "Accept: text/event-stream", "")
    for _ in range(bench.fan_outs):
        peer = bench.fan_out(nchan, nchan.port, ("/publish", "Accept: */*", data), 201, plain, "plain")
        if bare:
            found.setdefault("bare", []).append(
                bench.fan_out(bare, bare.port, ("/publish", "Accept: */*", data), 202, plain, "plain") / peer)
        for program in programs:
            line = (f"/api/v1/rooms/{program.room}/messages", f"Cookie: {program.people[1][1]}", MESSAGE)
            found.setdefault(program.name, []).append(bench.fan_out(
                program.server, program.port, line, 201, ("/api/v1/events", program.cookie, ""), "sse") / peer)
    return found


def number(values):
    value = statistics.median(values)
    return f"{value:,.{0 if value >= 20 else 1 if value >= 10 else 2}f}"


def row(title, key, found, programs, limit, is_least=False):
    cells = [number(found[program.name, key]) if (program.name, key) in found else "" for program in programs]
    value = statistics.median(found[programs[-1].name, key])
    met = value >= limit if is_least else value <= limit
    return [title, *cells, f"{limit:g}{'' if met else ' (missed)'}"]


def main():
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs and few rounds: at most three minutes")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[*REQUESTS, *STREAMING],
                        help=f"some of {', '.join([*REQUESTS, *STREAMING])}")
    parser.add_argument("--before", type=pathlib.Path, help="another build of hubbub, measured in the same run as `before`")
    parser.add_argument("--write", type=pathlib.Path, help="a document whose chapter on the program the table replaces")
    arguments = parser.parse_args()
    if unknown := set(arguments.only) - set(REQUESTS) - STREAMING:
        parser.error(f"--only: there is no {', '.join(sorted(unknown))}")
    cases = [case for case in REQUESTS if case in arguments.only]
    lines = document.head(CHAPTER, "bin/bench " + " ".join(sys.argv[1:]))

    with tempfile.TemporaryDirectory(prefix="hubbub-bench-") as name, contextlib.ExitStack() as stack:
        bench = Bench(name, arguments.quick)
        bench.folder.chmod(0o755)
        (bench.folder / "files").mkdir()

        def started(peer):
            stack.callback(peer.stop)
            peer.pin(bench.processor)
            return peer

        programs = []
        for title, binary in [("before", arguments.before), ("now", BINARY)]:
            if binary:
                programs.append(Program(title, str(binary), bench.folder / title, bench.processor))
                stack.callback(programs[-1].server.stop)
        bare = started(peers.server(bench.folder, peers.free_port())) if (peers.WORKBENCH / "BenchServer").exists() else None
        table(bench, programs, bare, cases, started, "fanout" in arguments.only, lines)
    document.put(arguments.write, CHAPTER, lines)


def table(bench, programs, bare, cases, started, has_fan_out, lines):
    found, nginx, memory = {}, [], []
    if cases:
        baseline = started(peers.nginx(bench.folder, peers.free_port()))
        found, nginx = requests(bench, programs, baseline, bare, cases)
    if has_fan_out:
        nchan = started(peers.nginx(bench.folder, peers.free_port(), peers.NCHAN_MODULE))
        for name, values in fan_outs(bench, programs, bare, nchan).items():
            found[name, "fanout"] = values
    memory = [program.server.memory() for program in programs]

    titles = [program.name for program in programs]
    rows = [row(REQUESTS[case][0], case, found, programs, REQUESTS[case][2]) for case in cases]
    if has_fan_out:
        rows.append(row(FAN_OUT, "fanout", found, programs, LEAST_FAN_OUT, is_least=True))
    own = [size["anonymous"] / 1024 for size in memory]
    rows.append(["own memory after that load, MiB (anonymous)", *(f"{size:.1f}" for size in own),
                 f"{MOST_MEMORY}{'' if own[-1] <= MOST_MEMORY else ' (missed)'}"])
    rows.append(["proportional memory, MiB", *(f"{size['pss'] / 1024:.1f}" for size in memory), ""])
    if bare:
        blank = [""] * (len(programs) - 1)
        if cases:
            rows.append(["the bare server, a small answer", *blank, number(found["bare", "healthz"]), ""])
        if has_fan_out:
            rows.append(["the bare server, fan-out × nchan", *blank, number(found["bare", "fanout"]), ""])
    lines += document.table(["request", *titles, "bar"], rows)
    if nginx:
        lines += ["", f"nginx `return 200`: {statistics.median(nginx):.2f} µs."]
    lines += ["", "Processor time, user and system, per request, as a multiple of nginx' in the same round; medians of "
              f"{bench.rounds} rounds of {bench.seconds:g} s, {bench.fan_outs} of the fan-out. 64 connections; load and server "
              "share a processor, in the fan-out each has its own."]
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
