"""Checks the structure of the tree: imports between modules, the length of files, and forbidden constructs."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The modules, and what each may import of the others. Everything may import less.
HOUSE = {
    "Base": set(),
    "EventLoop": {"Base", "CLinux"},
    "HTTP": {"Base", "CZlib"},
    "HTTPServer": {"Base", "EventLoop", "HTTP"},
    "Chat": {"Base"},
    "ChatSQLite": {"Base", "Chat"},
    "Outbound": {"Base", "CCurl", "EventLoop", "HTTP"},
    "GitHub": {"Base", "Chat", "HTTP", "Outbound"},
    "WebPush": {"Chat", "HTTP", "Outbound"},
    "FakeGitHub": {"Base", "HTTPServer", "HTTP", "EventLoop"},
    "Web": {"Base", "HTTPServer", "HTTP", "EventLoop", "Chat"},
}
MODULES = set(HOUSE) | {"CCurl", "CLinux", "CZlib", "hubbub"}
LONGEST = 500


def tracked(*patterns):
    names = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in names.stdout.split("\0") if name and (ROOT / name).is_file()]


def main():
    found = []
    sources = tracked("*.swift", "*.js", "*.css", "*.py", "*.c", "*.h")
    for file in sources:
        name = file.relative_to(ROOT)
        lines = file.read_text().splitlines()
        if len(lines) > LONGEST:
            found.append(f"{name}: {len(lines)} lines; {LONGEST} is the end")
        module = name.parts[1] if name.parts[0] == "Sources" else None
        for number, line in enumerate(lines, 1):
            imported = re.match(r"\s*(?:public |internal |@testable )?import (?:struct |class |enum |func )?(\w+)", line)
            if module in HOUSE and imported and imported[1] in MODULES - HOUSE[module] - {module}:
                found.append(f"{name}:{number}: {module} may not import {imported[1]}")
            if module and re.search(r"\btry!|\bas! ", line):
                found.append(f"{name}:{number}: forced, where an error could be told")
            if name.parts[0] == "Public" and re.search(r"innerHTML|insertAdjacentHTML|document\.write|outerHTML *=", line):
                found.append(f"{name}:{number}: HTML from a string")
            if re.search(r"\b(TODO|FIXME|XXX)\b", line) and name.parts[:2] != ("Tests", "tools"):
                found.append(f"{name}:{number}: left for later")
    for name in re.findall(r"^\| .* \| `([\w/+.]+)` \|$", (ROOT / "docs" / "architecture.md").read_text(), re.M):
        if not (ROOT / name).is_file():
            found.append(f"docs/architecture.md: there is no {name}")
    print("\n".join(found) or f"{len(sources)} files, nothing found")
    sys.exit(1 if found else 0)


main()
