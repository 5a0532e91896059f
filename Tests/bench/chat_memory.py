"""Start-up time, memory and what it consists of, and that the event log is trimmed."""

import os
import statistics
import subprocess
import time

from chat_data import SENDERS, filled
from chat_sends import send, sends, plan
from chat_streams import holding
from figures import bar
from hubbub import BINARY, Hubbub

MOST_START, MOST_MEMORY = 50, 24
KEPT_EVENTS = 1_000_000
STARTS = 10


def programs(bench):
    """The program as built by bin/serve, and the statically linked one if there is one."""
    found = {"as `bin/serve` builds it": BINARY}
    if os.access(bench.static, os.X_OK):
        found["static"] = str(bench.static)
    else:
        bench.say(f"There is no {pathlib.Path(bench.static).name} for a static build: swift build -c release --static-swift-stdlib --scratch-path .build/static")
    return found


def start_ups(bench):
    million = filled(bench.world, bench.data / "room-1000000-log", 1_000_000, KEPT_EVENTS, bench.say)
    folders = {"a new folder": None, "a hundred people": bench.world.folder / "data", "a million messages and as many events": million}
    large = bench.data / "room-10000000"
    if large.exists():
        folders["ten million messages"] = large
    rows = []
    for name, binary in programs(bench).items():
        for title, folder in folders.items():
            taken = []
            for number in range(STARTS):
                with Hubbub(folder or bench.folder / f"new-{os.path.basename(binary)}-{number}", binary=binary) as program:
                    taken.append(1000 * program.started)
            middle = statistics.median(taken)
            told = bar(middle, MOST_START) if folder == million else f"{middle:.0f}"
            rows.append([f"{title}, {name}", told, f"{min(taken):.0f}", f"{max(taken):.0f}"])
    bench.table("From the start to the line that says it listens", ["", "median ms", "least", "most"], rows)
    bench.out(f"\n{STARTS} starts each, the process's making included; the database is in the system's page cache.")


def settled(program, seconds=1.5):
    """Its memory in MB after start-up work has settled."""
    time.sleep(seconds)
    return {name: kib / 1024 for name, kib in program.memory().items()}


def measure_memory(bench):
    rows = []
    for name, binary in programs(bench).items():
        with Hubbub(bench.world.copy(bench.folder / "memory"), binary=binary) as program:
            idle = settled(program)
            threads = program.threads()
            streams = holding(bench, program, 100)
            load = subprocess.Popen(
                [bench.load, "ask", str(program.port), plan(bench, "memory.plan", sends(bench.world, SENDERS, False)), "POST", "201",
                 str(bench.seconds * 2), str(SENDERS)], stdout=subprocess.PIPE)
            highest = {"pss": 0, "anonymous": 0}
            while load.poll() is None:
                time.sleep(0.1)  # the polling interval
                highest = {key: max(value, program.memory()[key] / 1024) for key, value in highest.items()}
            # The server closes streams whose reader is too slow; the row's label then says so.
            cut = "" if streams.poll() is None else ", whose reader fell behind and was cut"
            load.communicate()
            if load.returncode:
                raise RuntimeError("the senders did not come to their end")
            streams.communicate("")
            after = settled(program, 3)
        rows.append([name + cut, *(f"{size:.1f}" for size in (idle["anonymous"], idle["pss"])), str(threads),
                     *(f"{size:.1f}" for size in (highest["anonymous"], highest["pss"])), bar(after["anonymous"], MOST_MEMORY),
                     f"{after['pss']:.1f}"])
    bench.table(f"Memory in MiB, idle and with {SENDERS} senders and 100 streams: own (anonymous) and proportional", [
        "", "idle: own", "proportional", "threads", "load: own", "proportional", "3 s after it: own", "proportional"], rows)


def trimming(bench):
    """A full log stays the same size, and sends cost the same as before."""
    folder = filled(bench.world, bench.data / "room-1000000-log", 1_000_000, KEPT_EVENTS, bench.say)
    copy = bench.folder / "trim"
    subprocess.run(["cp", "-r", "--reflink=auto", folder, copy], check=True)
    with Hubbub(copy) as program:
        size = program.stored("PRAGMA page_count")[0][0]
        first, results, counts = program.stored("SELECT count(*) FROM events")[0][0], [], []
        for _ in range(max(2, bench.rounds)):
            results.append(send(bench, program, SENDERS, True, bench.seconds))
            counts.append(program.stored("SELECT count(*) FROM events")[0][0])
        grown = program.stored("PRAGMA page_count")[0][0] - size
    sent = sum(result["count"] for result in results)
    bench.out(f"\n### A log that is full\n\n{sent:,} sends of {SENDERS} senders to their own rooms, on a million messages and a log of "
              f"{first:,} events: {statistics.median(result['per_second'] for result in results):,.0f} sends/s, "
              f"{statistics.median(result['processor'] for result in results):.0f} µs of the server's processor each. The log had "
              f"{', '.join(f'{count:,}' for count in counts)} events after each part, of which {KEPT_EVENTS:,} are to be kept, and the "
              f"database grew by {4096 * grown / sent:,.0f} bytes a send.")
    if counts[-1] > KEPT_EVENTS + 2000:
        raise RuntimeError("the log grows")


def measure(bench):
    start_ups(bench)
    measure_memory(bench)
    trimming(bench)
