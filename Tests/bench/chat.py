"""Measures the whole program end to end over HTTP, with real sessions and a real disk, beside matrix-synapse, and
prints tables with the bars: bin/bench --chat."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import chat_memory
import chat_pages
import chat_profile
import chat_sends
import chat_streams
import document
import synapse
from chat_data import World
from hubbub import BINARY, ROOT

CHAPTER = "## The chat from end to end"


def build_load(folder):
    """Builds the load generator with the compiler that comes with Swift."""
    program = pathlib.Path(folder) / "load"
    subprocess.run(
        ["clang", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-o", program, pathlib.Path(__file__).with_name("load.c")],
        check=True)
    return program


class Bench:
    """What all measurements share: folder, duration, and output."""

    def __init__(self, arguments, folder):
        self.folder, self.quick, self.rounds, self.seconds = pathlib.Path(folder), arguments.quick, arguments.rounds, arguments.seconds
        self.data, self.static = pathlib.Path(arguments.data), pathlib.Path(arguments.static)
        self.load = build_load(folder)
        self.lines, self.parts = [], arguments.only
        self.data.mkdir(parents=True, exist_ok=True)
        self.world = World.make(self.data / "world")
        self.peer = synapse.homeserver(self) if "peer" in self.parts else None

    def out(self, line=""):
        self.lines.append(line)
        print(line, flush=True)

    @staticmethod
    def say(text):
        print(text, file=sys.stderr, flush=True)

    def table(self, title, columns, rows):
        self.out(f"\n### {title}")
        for line in document.table(columns, rows):
            self.out(line)


def go_first():
    """Gives this process and its children priority over everything else on this machine."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))


def describe(bench, arguments):
    for line in document.head(CHAPTER, "bin/bench --chat " + " ".join(sys.argv[1:])):
        bench.out(line)
    bench.out(
        f"\nThe load and the server share the processors{', before all else that runs' if arguments.first else ''}. "
        f"{arguments.rounds} rounds in turn of {arguments.seconds:g} s a cell, Hubbub each round on a new copy of the same data, "
        "Synapse on what it has; medians of the rounds.")


def main():
    parser = argparse.ArgumentParser(prog="bin/bench --chat", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three minutes: one round, a million messages instead of ten")
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--only", type=lambda text: text.split(","), default=["sends", "streams", "pages", "memory", "profile", "peer"])
    parser.add_argument("--data", default=os.path.join(tempfile.gettempdir(), "hubbub-bench"),
                        help="where the filled databases stay for the next run")
    parser.add_argument("--static", default=str(ROOT / ".build/static/release/hubbub"), help="the statically linked program")
    parser.add_argument("--first", action="store_true", help="on a busy machine: run before all else (needs root), which waits")
    parser.add_argument("--write", type=pathlib.Path, help="a file whose chapter is to be replaced")
    arguments = parser.parse_args()
    arguments.seconds = arguments.seconds or (2 if arguments.quick else 4)
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 3)
    if not os.access(BINARY, os.X_OK):
        raise SystemExit(f"There is no {BINARY}.")
    if arguments.first:
        go_first()
    with tempfile.TemporaryDirectory(prefix="hubbub-chat-", dir=os.environ.get("HUBBUB_BENCH_DISK")) as folder:
        bench = Bench(arguments, folder)
        try:
            describe(bench, arguments)
            if "sends" in bench.parts:
                chat_sends.measure(bench)
            if "streams" in bench.parts:
                chat_streams.measure(bench)
            if "pages" in bench.parts:
                chat_pages.measure(bench)
            if "memory" in bench.parts:
                chat_memory.measure(bench)
            if "profile" in bench.parts:
                chat_profile.measure(bench)
        finally:
            if bench.peer:
                bench.peer.stop()
    document.put(arguments.write, CHAPTER, bench.lines)


if __name__ == "__main__":
    main()
