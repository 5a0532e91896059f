"""Measures the browser app against its budgets and prints a table. See bin/bench --browser."""

import argparse
import datetime
import os
import pathlib
import platform
import re
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/browser"))

import browser_crowds as crowds  # noqa: E402
import browser_measures as measures  # noqa: E402
from api_client import Client  # noqa: E402
from browser_world import World  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

CHAPTER = "## The browser app"
PARTS = {
    "load": measures.first_load,
    "return": measures.return_to_paint,
    "shift": measures.layout_shift,
    "room": crowds.long_room,
    "catch-up": measures.catch_up,
    "chats": crowds.many_chats,
    "people": crowds.many_people,
    "axe": measures.accessibility,
    "console": measures.complaints,
}


def replace_chapter(document, text):
    """Puts the chapter in its place in the document, or at its end."""
    old = document.read_text() if document.exists() else "# Benchmarks\n"
    before, found, rest = old.partition(CHAPTER + "\n")
    after = re.search(r"^## .*", rest, re.M | re.S) if found else None
    document.write_text(before.rstrip() + "\n\n" + text + (f"\n{after[0]}" if after else ""))


def main():
    parser = argparse.ArgumentParser(prog="bin/bench --browser", description=__doc__)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS), help=", ".join(PARTS))
    parser.add_argument("--write", type=pathlib.Path, help="a document whose chapter on the browser app the table replaces")
    arguments = parser.parse_args()
    lines = []

    def out(line):
        print(line, flush=True)
        lines.append(line)

    began = time.monotonic()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="hubbub-bench-") as folder:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", headless=True, chromium_sandbox=False)
        processor = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
        out(f"{CHAPTER}\n")
        out(f"{datetime.date.today()}, Linux {platform.release()}, {len(os.sched_getaffinity(0))} processors"
            f" ({processor[1] if processor else platform.machine()}), load {os.getloadavg()[0]:.1f} at the start;"
            f" Chromium {browser.version} (headless shell). Command: `bin/bench --browser`.\n")
        world = World(browser, pathlib.Path(folder))
        try:
            world.fill()
            for name in ("Dora", "Emil"):
                world.clients[name] = Client(world.server, name, "Tester")
            out("| what | bar | measured | met |")
            out("| --- | --- | --- | --- |")
            for part in arguments.only:
                for row in PARTS[part](world):
                    out(str(row))
        finally:
            world.end()
        browser.close()
    print(f"\nTook {time.monotonic() - began:.0f} s.")
    if arguments.write:
        replace_chapter(arguments.write, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
