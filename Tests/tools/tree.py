"""Looks at the tree as a reader would: who imports whom, how long files are, what must not be there."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The house: each module and what it may import of the others. Everything may import less.
HOUSE = {
    "EventLoop": {"CLinux"},
    "HTTP": {"CZlib"},
    "HTTPServer": {"EventLoop", "HTTP"},
    "Chat": set(),
    "ChatSQLite": {"Chat"},
    "Outbound": {"Chat"},
    "GitHub": {"Chat", "Outbound"},
    "WebPush": {"Chat", "Outbound"},
    "FakeGitHub": {"HTTPServer", "HTTP", "EventLoop"},
    "Web": {"HTTPServer", "HTTP", "EventLoop", "Chat"},
}
MODULES = set(HOUSE) | {"CLinux", "CZlib", "hubbub"}
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
    print("\n".join(found) or f"{len(sources)} files, nothing found")
    sys.exit(1 if found else 0)


main()
