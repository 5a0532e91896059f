"""Pages of a room with ten thousand and with ten million messages, seen by a client and inside the server."""

import random
import re

from chat_data import filled
from chat_sends import ask
from figures import bucket_quantile, medians
from hubbub import Hubbub

MOST_INSIDE = 0.001
ROUTE = "/api/v1/rooms/:room/messages"
KINDS = ["the newest page", "a page in the middle (`before`)", "around a message (`around`)"]
NAME = re.compile(r'hubbub_http_request_duration_seconds_bucket\{route="([^"]+)",le="([^"]+)"\}')


def paths(room, count, kind, source):
    """A few thousand pages of one kind at different positions."""
    base = f"/api/v1/rooms/{room}/messages"
    if kind == KINDS[0]:
        return [base]
    name = "before" if kind == KINDS[1] else "around"
    return [f"{base}?{name}={source.randint(count // 10, count)}" for _ in range(3000)]


def buckets(program):
    """The route's histogram: bounds in seconds, and cumulative counts."""
    found = {}
    for name, value in program.metrics().items():
        match = NAME.match(name)
        if match and match[1].endswith("/messages") and match[1].count("/") == ROUTE.count("/"):
            found[float(match[2].replace("+Inf", "inf"))] = value
    return found


def cell(bench, program, kind, count, seconds):
    lines = [(path, f"Cookie: {bench.world.people[0][1]}", "")
             for path in paths(bench.world.together, count, kind, random.Random(count))]
    before = buckets(program)
    result = ask(bench, program, "GET", 200, lines, seconds, 1)
    after = buckets(program)
    bounds = sorted(after)
    up_to = [after[bound] - before.get(bound, 0) for bound in bounds]
    counts = [here - there for here, there in zip(up_to, [0, *up_to])]
    if sum(counts) < result["count"]:
        raise RuntimeError(f"{result['count']} pages were asked for, and the histogram has {sum(counts)}")
    return result, bounds[:-1], counts


def warm(path):
    """Brings a file into the system's page cache."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 22):
            pass


def measure(bench):
    rows = []
    sizes = (10_000, 1_000_000) if bench.quick else (10_000, 10_000_000)
    for count in sizes:
        folder = filled(bench.world, bench.data / f"room-{count}", count, 0, bench.say)
        warm(folder / "hubbub.sqlite")
        runs = {kind: [] for kind in KINDS}
        with Hubbub(folder) as program:
            for kind in KINDS:
                cell(bench, program, kind, count, 0.5)
            for _ in range(bench.rounds):
                for kind in KINDS:
                    runs[kind].append(cell(bench, program, kind, count, bench.seconds / 2))
        for kind, found in runs.items():
            result = medians([run for run, _, _ in found])
            bounds, counts = found[0][1], [sum(column) for column in zip(*(run[2] for run in found))]
            within = 100 * sum(counts[:bounds.index(MOST_INSIDE) + 1]) / sum(counts)
            rows.append([
                f"{kind}, {count:,} messages", f"{result['p50']:.2f}", f"{result['p99']:.2f}",
                f"{1000 * bucket_quantile(bounds, counts, 0.5):.2f}", f"{1000 * bucket_quantile(bounds, counts, 0.99):.2f}",
                f"{within:.2f} %{'' if within >= 99 else ' (missed)'}", f"{result['processor']:.0f}"])
        if bench.peer and count == sizes[0]:
            rows.append(peer_page(bench))
    bench.table("A page of 50 messages", [
        "", "p50 ms", "p99 ms", "inside p50 ms", "inside p99 ms", "inside ≤ 1 ms (bar 99 %)", "server µs a page"], rows)
    bench.out("\nOne client asks for one page after the other, the pages of a kind anywhere in the last nine tenths of the room, "
              "in which a hundred people write. Inside is from the request being read to its answer being made, by the histogram of "
              "`/metrics`: how many are within 1 ms is exact, the quantiles lie straight between its bounds. The database is in the "
              "system's page cache; these rooms are not in the search index.")


def peer_page(bench):
    """The newest 50 of Synapse's common room."""
    peer, runs = bench.peer, []
    line = (f"/_matrix/client/v3/rooms/{peer.rooms(1, False)[0]}/messages?dir=b&limit=50", peer.fields[0], "")
    for _ in range(bench.rounds):
        runs.append(ask(bench, peer, "GET", 200, [line], bench.seconds / 2, 1))
    result = medians(runs)
    return ["synapse: the newest page", f"{result['p50']:.1f}", f"{result['p99']:.1f}", "", "", "", f"{result['processor']:,.0f}"]
