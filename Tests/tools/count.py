"""Prints "passed failed" for one suite, from its runner's output. A run that fails without details counts at least one
failure."""

import pathlib
import re
import sys
import xml.etree.ElementTree as xml


def swift(folder):
    text = (folder / "swift-test.log").read_text(errors="replace")
    good = len(set(re.findall(r"^✔ Test (?!run with|case)(.+?) passed after", text, re.M)))
    bad = len(set(re.findall(r"^✘ Test (?!run with|case)(.+?) failed after", text, re.M)))
    total = re.findall(r"Test run with (\d+) tests?", text)
    if total:
        good = max(good, sum(map(int, total)) - bad)
    return good, bad


def node(folder):
    text = (folder / "node.log").read_text(errors="replace")
    figure = lambda word: sum(map(int, re.findall(rf"^(?:#|ℹ) {word} (\d+)", text, re.M)))
    return figure("pass"), figure("fail") + figure("cancelled")


def unittests(log):
    text = log.read_text(errors="replace")
    total = sum(map(int, re.findall(r"^Ran (\d+) tests?", text, re.M)))
    bad = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", text)))
    return total - bad, bad


def pytest(results):
    root = xml.parse(results).getroot()
    suite = root if root.tag == "testsuite" else root[0]
    wrong = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    return int(suite.get("tests", 0)) - wrong - int(suite.get("skipped", 0)), wrong


def main():
    suites = {
        "swift": swift, "node": node,
        "server": lambda folder: unittests(folder / "server.log"),
        "torture": lambda folder: unittests(folder / "torture.log"),
    }
    suite, folder, status = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    try:
        good, bad = suites[suite](folder) if suite in suites else pytest(folder / f"{suite}.xml")
    except (OSError, xml.ParseError):
        good, bad = 0, 1
    if good == 0 or (status != 0 and bad == 0):
        bad += 1
    print(good, bad)


main()
