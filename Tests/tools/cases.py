"""Which test shows which case: writes docs/cases.md, or with --check says whether it is true.

Cases are numbered in the specification (D1 … H4) and among the security controls (SECURITY 1 … 23). A test names those it
shows in its title: in Swift in @Test("…"), in JavaScript in test('…'), in Python at the end of the function's name
(test_…_L3_S4, test_…_SECURITY_8) or in its docstring. A case that is listed below and that no test names is an error.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "cases.md"
# What must be shown by now, in a few words; cases of later work join when they are built.
CASES = {
    "D1": "lists of GitHub people", "D2": "loading them", "D3": "the rate limit", "D4": "other failures of GitHub",
    "D5": "lists from storage", "D6": "a row opens the chat", "D7": "somebody who is not here yet", "D8": "avatars",
    "A1": "signing in with GitHub", "A2": "sign up and in", "A3": "registration, the first account", "A4": "profile", "A5": "sessions and signing out", "A6": "linking a GitHub account",
    "L1": "a row of the list", "L2": "names, pictures and counts live", "L3": "the row's menu",
    "L4": "clearing and deleting a chat", "L5": "hints for other chats",
    "C1": "opening a chat", "C2": "days and senders", "C3": "paging and jumping", "C4": "live, without flicker",
    "C5": "staying where one reads", "C6": "the empty chat", "C7": "edit, delete, reply, forward, select",
    "S1": "unsent, sent, delivered, read", "S2": "never twice, never lost", "S3": "failures with a way out",
    "S4": "what counts as read", "S5": "connection and catching up", "S6": "typing, online, last seen",
    "K1": "Return and line breaks", "K2": "the on-screen keyboard", "K3": "drafts", "K4": "completion and up-arrow",
    "R1": "groups", "R3": "mentions, pins, reactions", "R4": "receipts by whom",
    "N1": "the feed", "N2": "a fast scroll", "N3": "what items lead to", "N4": "news without GitHub", "Q1": "search",
    "O1": "without a network", "O2": "only what changed",
    "T1": "notifications and Web Push", "T2": "sounds, do-not-disturb, mute",
    "X1": "one command, one file, migrations", "X2": "demo", "X3": "logs", "H1": "HTTP/1.1", "H2": "event streams",
    "H3": "what was acknowledged is kept", "H4": "usable by everybody",
}
CONTROLS = {
    1: "session cookies", 2: "requests of other sites", 3: "what every answer says to browsers", 4: "uploads",
    5: "passwords", 6: "throttling", 7: "nothing told by a failed sign-in", 8: "every route × who may not", 9: "removal ends streams",
    10: "no text becomes HTML; linear time", 11: "what other servers are asked", 13: "JSON is bounded; no value ends its line", 14: "redirects stay here",
    16: "files for their owner alone", 17: "WAL, synchronised", 18: "kills", 19: "full and failing disks", 20: "clocks that jump",
    15: "logs and data without secrets",
    21: "clients that mean no good", 22: "damage, and migrations that are killed", 23: "an hour's soak",
}
LETTERS = "DALCSKRNTQOPXH"


def named(text):
    """The cases and controls that a title names; A2-A5 and A2–A5 are all of A2 to A5."""
    cases, controls = set(), set()
    for letter, first, last in re.findall(rf"\b([{LETTERS}])(\d)(?:\s*[-–]\s*(?:\1)?(\d))?(?![\w])", text):
        cases.update(f"{letter}{number}" for number in range(int(first), int(last or first) + 1))
    for numbers in re.findall(r"SECURITY[ _](\d+(?:(?:, | and |–|-|_)(?:SECURITY[ _])?\d+)*)", text):
        controls.update(int(number) for number in re.findall(r"\d+", numbers))
    return cases, controls


def titles():
    """Each test with its file: (path, title, what it names)."""
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        text = path.read_text()
        for match in re.finditer(r'@(Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"', text):
            yield path, match[2], named(match[2])
    for path in sorted((ROOT / "Tests" / "js").rglob("*.test.js")):
        for match in re.finditer(r"\b(?:test|describe|it)\(\s*(['\"`])((?:(?!\1)[^\\]|\\.)*)\1", path.read_text()):
            yield path, match[2], named(match[2])
    for path in sorted([*(ROOT / "Tests" / "browser").glob("test_*.py"), *(ROOT / "Tests" / "server").glob("test_*.py"),
                        *(ROOT / "Tests" / "torture").glob("*.py")]):
        text = path.read_text()
        for match in re.finditer(r'^ *def (test_\w+)\([^)]*\):\n(?:\s+"""(.*?)""")?', text, re.M | re.S):
            name, document = match[1], match[2] or ""
            spaced = re.sub(rf"_(?=(?:[{LETTERS}]\d|SECURITY_\d)(?:_|$))", " ", name).replace("SECURITY_", "SECURITY ")
            spaced = re.sub(r"(?<=\d)_(?=\d)", ", ", spaced)
            yield path, name.removeprefix("test_").replace("_", " "), named(spaced + " " + document)


def page():
    """The text of docs/cases.md, and the cases that no test names."""
    cases, controls = collections.defaultdict(list), collections.defaultdict(list)
    for path, title, (some, others) in titles():
        entry = f"- {path.relative_to(ROOT)}: {title}"
        for case in some:
            cases[case].append(entry)
        for control in others:
            controls[control].append(entry)
    lines = ["# Cases and the tests that show them", "",
             "Written by `python3 Tests/tools/cases.py` from the tests' own titles; `bin/test lint` fails where it is stale, or"
             " where a case has no test.", ""]
    for case, title in CASES.items():
        lines += [f"## {case} {title}", "", *cases[case], ""]
    for control, title in CONTROLS.items():
        lines += [f"## SECURITY {control} {title}", "", *controls[control], ""]
    missing = [case for case in CASES if not cases[case]]
    missing += [f"SECURITY {control}" for control in CONTROLS if not controls[control]]
    return "\n".join(lines), missing


text, missing = page()
if missing:
    sys.exit(f"No test names {', '.join(missing)}.")
if "--check" in sys.argv:
    if not PAGE.exists() or PAGE.read_text() != text:
        sys.exit("docs/cases.md is not what the tests say. Run: python3 Tests/tools/cases.py")
else:
    PAGE.write_text(text)
