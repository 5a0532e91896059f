"""Prints the tables, and writes them into sections of a document."""

import datetime
import os
import pathlib
import platform
import re


def head(chapter, command):
    """The section's title, and where and how its figures were measured."""
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return [chapter, "", f"{datetime.date.today()}, Linux {platform.release()}, {len(os.sched_getaffinity(0))} processors "
            f"({model[1] if model else platform.machine()}), load {os.getloadavg()[0]:.1f} at the start. "
            f"Command: `{command.strip()}`."]


def table(columns, rows):
    """A table in Markdown; the first column is text, the others numbers."""
    lines = ["", "| " + " | ".join(columns) + " |", "| --- |" + " ---: |" * (len(columns) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def put(path, chapter, lines):
    """Replaces the section in the document, or appends it; without a path, does nothing."""
    if not path:
        return
    old = path.read_text() if path.exists() else "# Benchmarks\n"
    before, found, rest = old.partition(chapter + "\n")
    after = re.search(r"^## .*", rest, re.M | re.S) if found else None
    path.write_text(before.rstrip() + "\n\n" + "\n".join(lines) + "\n" + (f"\n{after[0]}" if after else ""))
