"""From the start of a send to its arrival, on few and on thousands of streams."""

import json
import subprocess

from chat_data import PEOPLE
from chat_sends import plan
from figures import medians
from hubbub import Hubbub

# Streams, messages, and the milliseconds between two messages.
CELLS = [(1, 200, 15), (100, 150, 20), (5000, 30, 400)]
BODY = '{"client_id":"%u","text":"%n the build is green again after the merge"}'
PEER_BODY = '{"msgtype":"m.text","body":"%n the build is green again after the merge"}'


def hear(bench, server, method, status, send, streams, kind, count, interval):
    """A run: milliseconds, and the server's CPU time per arrival in microseconds."""
    before = server.processor_seconds()
    run = subprocess.run(
        [bench.load, "hear", str(server.port), plan(bench, "hear.plan", send), method, str(status),
         plan(bench, "streams.plan", streams), kind, str(count), str(interval)], capture_output=True, text=True, check=True)
    result = json.loads(run.stdout.splitlines()[-1])
    if result["heard"] < result["expected"] or result["refused"]:
        raise RuntimeError(f"not everything was heard: {result}")
    used = server.processor_seconds() - before
    return {name: result[name] / 1000 for name in ("p50", "p99", "last", "most", "answer")} | {"used": 1e6 * used / result["heard"]}


def ours(world, count):
    """Streams of all people in turn."""
    return [("/api/v1/events", f"Cookie: {world.people[n % PEOPLE][1]}") for n in range(count)]


def sender(world):
    return [(f"/api/v1/rooms/{world.together}/messages", f"Cookie: {world.people[0][1]}", BODY)]


def measure(bench):
    rows = []
    for streams, count, interval in CELLS:
        if bench.quick:
            count = max(10, count // 4)
        runs, theirs = [], []
        for _ in range(bench.rounds):
            with Hubbub(bench.world.copy(bench.folder / "streams")) as program:
                runs.append(hear(bench, program, "POST", 201, sender(bench.world), ours(bench.world, streams), "sse", count, interval))
            if bench.peer and streams <= PEOPLE:
                theirs.append(peer_hear(bench, streams, max(10, count // 5), 100))
        result = medians(runs)
        row = [f"{streams:,}", *(f"{result[name]:.2f}" for name in ("answer", "p50", "p99", "last", "most"))]
        if bench.peer:
            other = medians(theirs) if theirs else None
            row += [*(f"{other[name]:.1f}" for name in ("p50", "p99", "last")), f"{other['last'] / result['last']:.0f}"] if other \
                else ["", "", "", ""]
        rows.append(row)
    columns = ["streams", "answer p50 ms", "receipt p50 ms", "p99 ms", "last stream p50 ms", "last stream at most ms"]
    if bench.peer:
        columns += ["synapse: p50 ms", "p99 ms", "last p50 ms", "theirs / ours (last)"]
    bench.table("From send to receipt", columns, rows)
    bench.out("\nFrom the first byte of the POST to the event at the stream; `last` is the last of all streams that got a message, "
              "the median over the messages. The streams are read by the same single process that sends: at 5,000 its own reading "
              "is in the figures. " + ("Synapse's receivers wait by `/sync`. It is sent to at most ten times a second, "
              "Hubbub up to fifty; where Synapse does not keep up, its times are those of a queue." if bench.peer else ""))


def peer_hear(bench, streams, count, interval):
    peer = bench.peer
    room = peer.rooms(1, False)[0]
    waiting = [(f"/_matrix/client/v3/sync?timeout=30000&filter={peer.filter}", peer.fields[n % len(peer.fields)])
               for n in range(streams)]
    send = [(f"/_matrix/client/v3/rooms/{room}/send/m.room.message/%u", peer.fields[0], PEER_BODY)]
    return hear(bench, peer, "PUT", 200, send, waiting, "sync", count, interval)


def holding(bench, program, count):
    """Streams held open until the returned process is told to end through its standard input."""
    process = subprocess.Popen(
        [bench.load, "hear", str(program.port), plan(bench, "hold-send.plan", sender(bench.world)), "POST", "201",
         plan(bench, "hold.plan", ours(bench.world, count)), "sse", "0", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if process.stdout.readline().strip() != "ready":
        raise RuntimeError("the streams did not open")
    return process
