"""Checks that every case of docs/spec.md and every control of docs/security.md has a test, and that every tag names one.

A test names what it shows in a tag: `.shows("S6", "control 13")` in Swift, `{ shows: ['S6'] }` among the options in
JavaScript, `@pytest.mark.shows("S6")` or `@shows("S6")` in Python. With a folder as argument, cases.md is written there.
"""

import ast
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests"
TEXT = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)"""


def texts(source):
    return [text[1:-1] for text in re.findall(TEXT, source)]


def wanted():
    """Each case and control with its title, and whether it is implemented."""
    found = {}
    for page, prefix in (("spec.md", ""), ("security.md", "control ")):
        for code, title, later in re.findall(
            r"^- \*\*(\w+) (.+?)( \(not built yet\))?\.\*\*", (ROOT / "docs" / page).read_text(), re.M
        ):
            found[prefix + code] = (title, not later)
    return found


def swift(source):
    for title, tags in re.findall(rf'@(?:Test|Suite)\(\s*(?:({TEXT}),\s*)?(?:\.[\w.]+(?:\([^()]*\))?,\s*)*?\.shows\(([^)]*)\)', source):
        yield title[1:-1], texts(tags)


def javascript(source):
    for title, options in re.findall(rf"\b(?:test|describe|it)\(\s*({TEXT}),\s*\{{([^}}]*)\}}", source):
        tags = re.search(r"\bshows: \[([^\]]*)\]", options)
        yield title[1:-1], texts(tags[1]) if tags else []


def python(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for call in node.decorator_list:
                name = getattr(call, "func", call)
                if getattr(name, "attr", getattr(name, "id", "")) == "shows":
                    yield node.name.removeprefix("test_").replace("_", " "), [tag.value for tag in call.args]


def tagged():
    """Each tagged test: (path, title, tags)."""
    for path in sorted(TESTS.rglob("*")):
        # Tests/workbench has symbolic links to files that are read already.
        if not path.is_file() or TESTS / "workbench" in path.parents or path.parent.name == "tools":
            continue
        read = {".swift": swift, ".js": javascript, ".mjs": javascript, ".py": python}.get(path.suffix)
        for title, tags in read(path.read_text()) if read else ():
            yield path.relative_to(ROOT), title, tags


def main():
    cases, problems, shown = wanted(), [], collections.defaultdict(list)
    for path, title, tags in tagged():
        for tag in tags:
            if tag not in cases:
                problems.append(f"{path}: {title}: {tag} is neither in docs/spec.md nor in docs/security.md")
            shown[tag].append(f"- {path}: {title}")
    problems += [f"No test shows {case} {title}" for case, (title, built) in cases.items() if built and not shown[case]]
    names = {line.partition(": ")[2] for lines in shown.values() for line in lines}
    for row in (ROOT / "docs" / "security.md").read_text().splitlines():
        if row.startswith("| ") and (name := re.search(r"`([^`]+)` \|$", row)) and name[1] not in names:
            problems.append(f"docs/security.md: no tagged test is called {name[1]!r}")
    if len(sys.argv) > 1:
        lines = ["# Cases and the tests that show them", ""]
        for case, (title, built) in cases.items():
            lines += [f"## {case} {title}", "", *(shown[case] or ["Not built yet."]), ""]
        (pathlib.Path(sys.argv[1]) / "cases.md").write_text("\n".join(lines))
    print("\n".join(problems) or f"{len(cases)} cases and controls, {sum(map(len, shown.values()))} tags")
    sys.exit(1 if problems else 0)


main()
