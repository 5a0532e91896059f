"""Prints "passed failed" for one suite, from its runner's output, and appends the failed tests' names to the file
"failures". A run that fails without details counts at least one failure."""

import pathlib
import re
import sys
import xml.etree.ElementTree as xml


def swift(folder):
    text = (folder / "swift-test.log").read_text(errors="replace")
    good = len(set(re.findall(r"^✔ Test (?!run with|case)(.+?) passed after", text, re.M)))
    names = sorted(set(re.findall(r"^✘ Test (?!run with|case)(.+?) failed after", text, re.M)))
    total = re.findall(r"Test run with (\d+) tests?", text)
    if total:
        good = max(good, sum(map(int, total)) - len(names))
    return good, len(names), names


def node(folder):
    text = (folder / "node.log").read_text(errors="replace")
    figure = lambda word: sum(map(int, re.findall(rf"^(?:#|ℹ) {word} (\d+)", text, re.M)))
    names = re.findall(r"^ *not ok \d+ - (.+)", text, re.M)
    return figure("pass"), figure("fail") + figure("cancelled"), names


def unittests(log):
    text = log.read_text(errors="replace")
    total = sum(map(int, re.findall(r"^Ran (\d+) tests?", text, re.M)))
    bad = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", text)))
    return total - bad, bad, re.findall(r"^(?:FAIL|ERROR): (.+)", text, re.M)


def pytest(results):
    root = xml.parse(results).getroot()
    suite = root if root.tag == "testsuite" else root[0]
    wrong = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    names = [
        f"{case.get('classname')}.{case.get('name')}: {(result.get('message') or '').splitlines()[:1]}"
        for case in suite.iter("testcase") for result in case if result.tag in ("failure", "error")
    ]
    return int(suite.get("tests", 0)) - wrong - int(suite.get("skipped", 0)), wrong, names


def main():
    suites = {
        "swift": swift, "node": node,
        "server": lambda folder: unittests(folder / "server.log"),
        "torture": lambda folder: unittests(folder / "torture.log"),
    }
    suite, folder, status = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    try:
        good, bad, names = suites[suite](folder) if suite in suites else pytest(folder / f"{suite}.xml")
    except (OSError, xml.ParseError) as error:
        good, bad, names = 0, 1, [str(error)]
    if good == 0 or (status != 0 and bad == 0):
        bad += 1
        names.append(f"the run ended with status {status}")
    with open(folder / "failures", "a") as file:
        file.writelines(f"failed in {suite}: {name}\n" for name in names)
    print(good, bad)


main()
