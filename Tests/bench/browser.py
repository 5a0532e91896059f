"""Measures the browser app against its budgets and prints a table. See bin/bench --browser."""

import argparse
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/browser"), str(ROOT / "Tests/api")]

import browser_crowds as crowds  # noqa: E402
import browser_measures as measures  # noqa: E402
import document  # noqa: E402
from api_client import Client  # noqa: E402
from browser_markdown import markdown_room  # noqa: E402
from browser_world import World  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

CHAPTER = "## The browser app"
PARTS = {
    "load": measures.first_load,
    "return": measures.return_to_paint,
    "shift": measures.layout_shift,
    "room": crowds.long_room,
    "markdown": markdown_room,
    "catch-up": measures.catch_up,
    "chats": crowds.many_chats,
    "people": crowds.many_people,
    "axe": measures.accessibility,
    "console": measures.complaints,
}


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
        for line in document.head(CHAPTER, "bin/bench --browser " + " ".join(sys.argv[1:])):
            out(line)
        out(f"\nChromium {browser.version} (headless shell).\n")
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
    document.put(arguments.write, CHAPTER, lines)


if __name__ == "__main__":
    main()
