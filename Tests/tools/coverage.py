"""Line coverage of Sources/ and of Public/js, printed by module; fails below the bar.

Swift: the figures of llvm-cov that `swift test` leaves. JavaScript: V8's block coverage of the node tests and of the
browser tests together, since views run only in a browser. A line counts if it has code; it is covered if some run
reached any of it.
"""

import collections
import json
import pathlib
import sys
import urllib.parse

BAR = 80.0
ROOT = pathlib.Path(__file__).resolve().parents[2]


def swift(path):
    modules = collections.defaultdict(lambda: [0, 0])
    if not pathlib.Path(path).is_file():
        print("No figures for Swift: the runner writes them only when every test has passed.")
        return modules
    data = json.loads(pathlib.Path(path).read_text())["data"][0]
    for file in data["files"]:
        name = pathlib.Path(file["filename"])
        if ROOT / "Sources" in name.parents:
            lines = file["summary"]["lines"]
            module = modules[name.relative_to(ROOT / "Sources").parts[0]]
            module[0] += lines["covered"]
            module[1] += lines["count"]
    return modules


def uncovered(functions, length):
    """The characters that no call reached: within a function the innermost range decides."""
    missed = bytearray(length)
    ranges = [(r["startOffset"], r["endOffset"], r["count"]) for f in functions for r in f["ranges"]]
    for start, end, count in sorted(ranges, key=lambda r: (r[0], -r[1])):
        missed[start:end] = bytes([0 if count else 1]) * (min(end, length) - start)
    return missed


def scripts(folder):
    for file in sorted(folder.glob("*-coverage/*.json")):
        for script in json.loads(file.read_text()).get("result", []):
            path = urllib.parse.unquote(urllib.parse.urlparse(script["url"]).path)
            _, found, rest = path.rpartition("/js/")
            if found and (ROOT / "Public/js" / rest).is_file():
                yield rest, script["functions"]


def is_code(line):
    text = line.strip()
    return bool(text) and not text.startswith(("//", "/*", "*")) and text not in ("}", "};", "});", ")", "]", "],", "},")


def javascript(folder):
    texts = {str(p.relative_to(ROOT / "Public/js")): p.read_text() for p in (ROOT / "Public/js").rglob("*.js")}
    reached = {name: bytearray(len(text)) for name, text in texts.items()}
    for name, functions in scripts(folder):
        missed = uncovered(functions, len(texts[name]))
        reached[name] = bytearray(a | (1 - b) for a, b in zip(reached[name], missed))
    modules = collections.defaultdict(lambda: [0, 0])
    for name, text in texts.items():
        offset = 0
        module = modules["js/" + (name.split("/")[0])]
        for line in text.splitlines(keepends=True):
            if is_code(line):
                begin = offset + len(line) - len(line.lstrip())
                module[1] += 1
                module[0] += 1 if any(reached[name][begin:offset + len(line.rstrip())]) else 0
            offset += len(line)
    return modules


def report(title, modules):
    for name, (covered, count) in sorted(modules.items()):
        print(f"  {name:<16} {100 * covered / max(1, count):5.1f} %  {covered}/{count}")
    covered, count = (sum(m[i] for m in modules.values()) for i in (0, 1))
    share = 100 * covered / max(1, count)
    print(f"{title}: {share:.1f} % of {count} lines (bar {BAR:.0f} %)")
    return share >= BAR and count > 0


def main():
    artifacts = pathlib.Path(sys.argv[1])
    good = report("Sources", swift(sys.argv[2]))
    good &= report("Public/js", javascript(artifacts))
    sys.exit(0 if good else 1)


main()
