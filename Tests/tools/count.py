"""Prints "passed failed" for one suite, from what its runner wrote. A run that ended badly counts at least one failure."""

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


def run(results):
    """What passed and failed in one run of pytest."""
    root = xml.parse(results).getroot()
    suite = root if root.tag == "testsuite" else root[0]
    wrong = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    return int(suite.get("tests", 0)) - wrong - int(suite.get("skipped", 0)), wrong


def browser(folder):
    """Over the run of two files at a time, that of what failed once more alone, and that of what is measured."""
    good, bad = run(folder / "browser.xml")
    if (folder / "browser-again.xml").exists():
        again, still = run(folder / "browser-again.xml")
        # What was to be tried again and was not has failed.
        good, bad = good + again, max(still, bad - again)
    measured = run(folder / "browser-budgets.xml")
    return good + measured[0], bad + measured[1]


def main():
    suites = {
        "swift": swift, "node": node, "browser": browser,
        "engines": lambda folder: run(folder / "engines.xml"),
        "server": lambda folder: unittests(folder / "server.log"),
        "torture": lambda folder: unittests(folder / "torture.log"),
    }
    suite, folder, status = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    try:
        good, bad = suites[suite](folder)
    except (OSError, xml.ParseError):
        good, bad = 0, 1
    if good == 0 or (status != 0 and bad == 0):
        bad += 1
    print(good, bad)


main()
