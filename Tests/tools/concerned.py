"""Prints the tests that a change concerns, one a line: "swift TARGET" or "node FILE".

The change is what is not committed, and the commits since origin/main, or the last one where there are none. A test target
is concerned if the change is in it, or in a module that Package.swift lists among its dependencies; a node test if the
change is in it, or in a module that it imports, directly or not.
"""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")


def changed():
    base = git("merge-base", "HEAD", "origin/main")[0]
    if not base or base == git("rev-parse", "HEAD")[0]:
        base = "HEAD~1"
    names = git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")
    return {name for name in names if name}


def swift(change):
    described = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=ROOT, capture_output=True, text=True, check=True)
    targets = json.loads(described.stdout)["targets"]
    touched = {target["name"] for target in targets if any(name.startswith(target["path"] + "/") for name in change)}
    everything = bool(change & {"Package.swift"})
    for target in targets:
        names = {target["name"], *target.get("target_dependencies", [])}
        if target["type"] == "test" and (everything or names & touched):
            yield target["name"]


def imports(file, seen):
    """The file and the modules it imports, as paths."""
    if file in seen or not file.is_file():
        return seen
    seen.add(file)
    for path in re.findall(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", file.read_text()):
        imports((file.parent / path).resolve(), seen)
    return seen


def node(change):
    files = {(ROOT / name).resolve() for name in change if name.endswith(".js")}
    for test in sorted((ROOT / "Tests/js").glob("*.test.js")):
        if files and imports(test, set()) & files:
            yield test.relative_to(ROOT)


def main():
    change = changed()
    for target in swift(change):
        print("swift", target)
    for test in node(change):
        print("node", test)


main()
