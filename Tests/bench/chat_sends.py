"""Durable sends: how many per second, how long each takes, and what each costs the server."""

import json
import subprocess

from chat_data import SENDERS
from figures import bar, medians
from hubbub import Hubbub, ask_database

CELLS = [(senders, apart) for senders in (1, 16, 64) for apart in (False, True)]
# Sends per second of 64 people, in one room and in rooms of their own; milliseconds of one person's send.
LEAST_RATE, LEAST_RATE_APART, MOST_P50 = 10_000, 9_000, 0.6
BODY = '{"client_id":"%u","text":"the build is green again after the merge, and nothing blocks the release today"}'
PEER_BODY = '{"msgtype":"m.text","body":"the build is green again after the merge, and nothing blocks the release today"}'


def plan(bench, name, lines):
    """A plan for the load generator: path, header line and body of each request."""
    path = bench.folder / name
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    return path


def ask(bench, server, method, status, lines, seconds, connections):
    """A run of the load; a refusal by the server is an error. Returns milliseconds, and the server's microseconds per
    request."""
    before = server.processor_seconds()
    run = subprocess.run(
        [bench.load, "ask", str(server.port), plan(bench, "ask.plan", lines), method, str(status), str(seconds), str(connections)],
        capture_output=True, text=True, check=True)
    used = server.processor_seconds() - before
    result = json.loads(run.stdout)
    if result["refused"]:
        raise RuntimeError(f"{result['refused']} of {result['answers']} answers were not {status}")
    return {"count": result["answers"], "per_second": result["answers"] / result["seconds"], "p50": result["p50"] / 1000,
            "p99": result["p99"] / 1000, "processor": 1e6 * used / result["answers"], "bytes": result["bytes"] / result["answers"]}


def sends(world, senders, apart, body=BODY):
    """The requests of each sender."""
    return [(f"/api/v1/rooms/{room}/messages", f"Cookie: {cookie}", body)
            for (_, cookie), room in zip(world.people, world.rooms(senders, apart))]


def send(bench, program, senders, apart, seconds):
    """A cell: the load's figures and its commits."""
    before = program.metrics()
    result = ask(bench, program, "POST", 201, sends(bench.world, senders, apart), seconds, senders)
    after = program.metrics()
    commits = after["hubbub_commit_writes_count"] - before["hubbub_commit_writes_count"]
    written = after["hubbub_commit_writes_sum"] - before["hubbub_commit_writes_sum"]
    spent = after["hubbub_commit_seconds_total"] - before["hubbub_commit_seconds_total"]
    return {**result, "commits": commits, "batch": written / max(1, commits), "commit_ms": 1000 * spent / max(1, commits)}


def one_round(bench, runs):
    with Hubbub(bench.world.copy(bench.folder / "sends")) as program:
        send(bench, program, 16, True, 0.5)
        stored = program.stored("SELECT count(*) FROM messages")[0][0]
        for cell in CELLS:
            runs.setdefault(cell, []).append(send(bench, program, *cell, bench.seconds))
            stored += runs[cell][-1]["count"]
        found = program.stored("SELECT count(*) FROM messages")[0][0]
        if found != stored:
            raise RuntimeError(f"{stored} messages were acknowledged, and {found} are stored")


def measure(bench):
    runs, theirs = {}, {}
    for _ in range(bench.rounds):
        one_round(bench, runs)
        if bench.peer:
            for cell in CELLS:
                theirs.setdefault(cell, []).append(peer_send(bench, *cell))
    ours = {cell: medians(found) for cell, found in runs.items()}
    print_table(bench, ours, {cell: medians(found) for cell, found in theirs.items()})
    log_growth(bench)


def peer_send(bench, senders, apart):
    peer = bench.peer
    lines = [(f"/_matrix/client/v3/rooms/{room}/send/m.room.message/%u", field, PEER_BODY)
             for field, room in zip(peer.fields, peer.rooms(senders, apart))]
    return ask(bench, peer, "PUT", 200, lines, bench.seconds, senders)


def print_table(bench, ours, theirs):
    columns = ["senders", "sends/s", "p50 ms", "p99 ms", "server µs a send", "commits/s", "sends a commit", "ms a commit"]
    if theirs:
        columns += ["synapse: sends/s", "p50 ms", "p99 ms", "ours / theirs", "per CPU-second"]
    rows = []
    for (senders, apart), result in ours.items():
        rate, p50 = f"{result['per_second']:,.0f}", f"{result['p50']:.2f}"
        if senders == 64:
            rate = bar(result["per_second"], LEAST_RATE_APART if apart else LEAST_RATE, is_least=True)
        if senders == 1:
            p50 = bar(result["p50"], MOST_P50)
        row = [f"{senders}, {'each in a room of their own' if apart else 'all in one room'}", rate, p50, f"{result['p99']:.2f}",
               f"{result['processor']:,.0f}", f"{result['commits'] * result['per_second'] / result['count']:,.0f}",
               f"{result['batch']:.1f}", f"{result['commit_ms']:.2f}"]
        if theirs:
            other = theirs[senders, apart]
            row += [f"{other['per_second']:,.0f}", f"{other['p50']:.1f}", f"{other['p99']:.1f}",
                    f"{result['per_second'] / other['per_second']:,.0f}", f"{other['processor'] / result['processor']:,.0f}"]
        rows.append(row)
    bench.table("Durable sends", columns, rows)
    bench.out("\nEvery answer was 201, and the database had as many messages more as there were answers. A send is on the disk "
              "before its answer (`synchronous = FULL`). 64 senders share the room with 36 more.")


SIZES = """SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN
  (SELECT name FROM sqlite_schema WHERE tbl_name = 'events')"""


def log_growth(bench):
    """The growth of the event log per send, while it may grow."""
    rows = []
    for apart in (False, True):
        folder = bench.world.copy(bench.folder / "log")
        with Hubbub(folder) as program:
            result = send(bench, program, SENDERS, apart, bench.seconds)
        size, all_of_it = (ask_database(folder / "hubbub.sqlite", question)[0][0] for question in (
            SIZES, "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE"))
        before = ask_database(bench.world.folder / "data/hubbub.sqlite", SIZES)[0][0]
        whole = ask_database(bench.world.folder / "data/hubbub.sqlite", "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE")[0][0]
        events = ask_database(folder / "hubbub.sqlite", "SELECT count(*) FROM events")[0][0]
        known = ask_database(bench.world.folder / "data/hubbub.sqlite", "SELECT count(*) FROM events")[0][0]
        rows.append([f"{SENDERS} senders, {'rooms of their own' if apart else 'one room'}", f"{(events - known) / result['count']:.2f}",
                     f"{(size - before) / result['count']:,.0f}", f"{(all_of_it - whole) / result['count']:,.0f}"])
    bench.table("What a send adds to the database", ["", "events", "bytes in the log and its indexes", "bytes in all"], rows)
