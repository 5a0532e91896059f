"""Where the time of a send goes: the server's CPU time by layer, from call stacks sampled by perf, and the wait for the
disk."""

import collections
import re
import shutil
import subprocess

from chat_sends import send
from hubbub import Hubbub

# A sample belongs to the first layer that contains a function on its stack.
LAYERS = [(name, re.compile(pattern)) for name, pattern in [
    ("the disk: fdatasync (processor time only)", r"fdatasync|do_fsync"),
    ("the disk: the WAL's pages, checkpoints", r"pwrite64|pread64|sqlite3WalFrames|sqlite3WalCheckpoint|ftruncate"),
    ("SQL statements, within SQLite", r"^sqlite3|sqlite3_(step|reset|prepare|bind|column|finalize|clear)"),
    ("session lookup", r"SQLiteStore\.session|Authentication\.|ReadCache"),
    ("search index: words of the text", r"SearchIndex|SearchTokenizer"),
    ("events: encoding and logging", r"WriteTransaction\.log"),
    ("core: the send's rules and rows, around the statements", r"WriteTransaction\.|StoredMessage|Membership"),
    ("group commit: batch and savepoints", r"GroupCommit\.(attempt|transact|nextBatch)"),
    ("publishing to streams", r"Broker"),
    ("handing back to the loops", r"GroupCommit|PendingWrite"),
    ("JSON, read", r"JSONParser|JSONInput|JSONValue|JSONBody"),
    ("socket: receive, send, epoll", r"__libc_(recv|send)|epoll_|SystemCall\.|OutputQueue|Connection\.(flush|settle)|^tcp_|sock_"),
    ("answer: JSON, head", r"Answer\.|JSONWriter|ResponseHead|HeadWriter|Connection\.complete"),
    ("controller, rules, handing to the writer", r"MessagesController|Messages\.|MessageRules|SQLiteStore\."),
    ("routing, middleware, tasks", r"Router|Middleware|Connection\.respond|RequestMeter|swift_task_(create|immediate)"),
    ("parsing the request", r"RequestParser|BodyDecoder|Connection\."),
    ("event loop and its jobs", r"EventLoop|runJob|swift_job"),
]]
OTHER = "the rest"


def demangled(symbols):
    """The Swift names of the symbols, in order."""
    run = subprocess.run(["swift", "demangle", "--simplified"], input="\n".join(symbols), capture_output=True, text=True, check=True)
    return run.stdout.split("\n")


def samples(text):
    """The stacks printed by `perf script -F comm,ip,sym`, each a list of symbols."""
    for block in text.split("\n\n"):
        lines = block.strip().splitlines()[1:]
        if lines:
            yield [line.split(None, 1)[1].removesuffix(" (inlined)") for line in lines if len(line.split(None, 1)) == 2]


def by_layer(stacks):
    """The share of each layer."""
    stacks = list(stacks)
    symbols = sorted({symbol for stack in stacks for symbol in stack})
    layer_of, count = {}, collections.Counter()
    for symbol, name in zip(symbols, demangled(symbols)):
        layer_of[symbol] = next((rank for rank, (_, pattern) in enumerate(LAYERS) if pattern.search(name)), len(LAYERS))
    for stack in stacks:
        count[min((layer_of[symbol] for symbol in stack), default=len(LAYERS))] += 1
    names = [name for name, _ in LAYERS] + [OTHER]
    return {names[rank]: found / len(stacks) for rank, found in count.items()}


def profile(bench, senders):
    """A run under perf: microseconds of a send by layer, after a run without perf that measures the total."""
    record = bench.folder / "perf.data"
    with Hubbub(bench.world.copy(bench.folder / "profile")) as program:
        send(bench, program, senders, True, 1)
        cost = send(bench, program, senders, True, bench.seconds)["processor"]
        perf = subprocess.Popen(
            ["perf", "record", "-q", "-e", "cpu-clock", "-F", "999", "--call-graph", "dwarf,16384", "-p", str(program.pid), "-o", record,
             "--", "sleep", str(bench.seconds)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        send(bench, program, senders, True, bench.seconds + 1)
        perf.wait()
    text = subprocess.run(["perf", "script", "-i", record, "-F", "comm,ip,sym"], capture_output=True, text=True).stdout
    return {name: share * cost for name, share in by_layer(samples(text)).items()}, cost


def disk_wait(bench, senders):
    """Milliseconds that the writer waits for each synchronisation, and the number of synchronisations per send."""
    record = bench.folder / "waits.data"
    with Hubbub(bench.world.copy(bench.folder / "profile")) as program:
        perf = subprocess.Popen(
            ["perf", "record", "-q", "-e", "syscalls:sys_enter_fdatasync,syscalls:sys_exit_fdatasync", "-p", str(program.pid), "-o",
             record, "--", "sleep", str(bench.seconds + 1)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rate = send(bench, program, senders, True, bench.seconds + 1)["per_second"]
        perf.wait()
    text = subprocess.run(["perf", "script", "-i", record, "-F", "tid,time,event"], capture_output=True, text=True).stdout
    began, waits, times = {}, [], []
    for thread, time, event in re.findall(r"(\d+) +([\d.]+): +syscalls:sys_(enter|exit)_fdatasync", text):
        times.append(float(time))
        if event == "enter":
            began[thread] = float(time)
        elif thread in began:
            waits.append(float(time) - began.pop(thread))
    if not waits:
        return 0, 0
    return 1000 * sum(waits) / len(waits), len(waits) / (rate * (max(times) - min(times)))


def measure(bench):
    if not shutil.which("perf"):
        bench.say("perf is not here: where the time of a send goes is left out (apt-get install linux-perf).")
        return
    counts = (1, 64)
    found = {senders: profile(bench, senders) for senders in counts}
    waits = {senders: disk_wait(bench, senders) for senders in counts}
    total = {senders: cost for senders, (_, cost) in found.items()}
    rows = [[name, *(cell for senders in counts for cell in (
        f"{found[senders][0].get(name, 0):.1f}", f"{100 * found[senders][0].get(name, 0) / total[senders]:.0f} %"))]
        for name in [name for name, _ in LAYERS] + [OTHER] if any(name in layers for layers, _ in found.values())]
    rows.append(["all", *(cell for senders in counts for cell in (f"{total[senders]:.0f}", ""))])
    bench.table("Where the time of one send goes, in µs of the server's processor", [
        "", "1 sender", "", "64 senders, each in a room of their own", ""], rows)
    bench.out("\nBesides, the writer waits for the disk: " + "; ".join(
        f"with {senders} sender{'s' if senders > 1 else ''} {each:.2f} ms an fdatasync, {1000 * each * often:,.0f} µs a send"
        for senders, (each, often) in waits.items()) + ". Times by perf's samples of the call stacks (999 a second); a sample belongs to "
        "the layer named first.")
