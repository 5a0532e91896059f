"""What is built and installed is named by version, and listed."""

import json
import re
import subprocess

from serving import ROOT

MANIFESTS = ["Package.swift", "Tests/workbench/Package.swift", "Tests/bench/peer/Package.swift"]


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def requirements():
    """The requirements by name: version and number of hashes."""
    text = "".join(file.read_text() for file in (ROOT / "Tests/tools").glob("*.txt")).replace("\\\n", " ")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {words[0].split("==")[0]: (words[0].split("==")[1], len(words) - 1) for words in lines}


def test_each_dependency_has_one_version():
    for name in MANIFESTS:
        remote = re.findall(r"\.package\(url: [^)]*\)", (ROOT / name).read_text())
        assert remote and all(re.search(r'exact: "[\d.]+"\)', one) for one in remote), (name, remote)
    pinned = requirements()
    assert {"pytest", "playwright", "selenium", "marko"} <= set(pinned)
    assert all(hashes > 0 for _, hashes in pinned.values()), pinned
    setup = (ROOT / "bin/setup.sh").read_text()
    assert re.findall(r"pip (?:install|download).*", setup) and all("--require-hashes" in one for one in re.findall(r"pip (?:install|download).*", setup))


def test_the_list_is_valid_cyclonedx_and_has_all_that_is_built_and_installed():
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    printed = run("bin/sbom")
    assert printed.returncode == 0, printed.stderr
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(printed.stdout) is None
    components = json.loads(printed.stdout)["components"]
    swift = {one["name"]: one["version"] for one in components if one.get("purl", "").startswith("pkg:swift/")}
    named = re.findall(r'url: "https://github.com/[\w-]+/([\w.-]+)", exact: "([\d.]+)"', (ROOT / "Package.swift").read_text())
    assert len(named) >= 5 and dict(named).items() <= swift.items(), (named, swift)
    # What they depend on is linked as well.
    assert "swift-asn1" in swift
    python = {one["name"]: one["version"] for one in components if one.get("purl", "").startswith("pkg:pypi/")}
    assert python == {name: version for name, (version, _) in requirements().items()}
    assert {one["scope"] for one in components if one["name"] in python} == {"excluded"}
    assert {"SQLite", "zlib", "libcurl"} <= {one["name"] for one in components}


def test_with_no_install_a_command_stops_at_what_is_missing():
    script = "set -- --no-install rest; . bin/setup.sh; echo \"$*\"; need_packages 'for this test' hubbub-no-such-package"
    ended = run("bash", "-euc", script)
    assert ended.returncode == 1 and ended.stdout == "rest\n", ended
    assert "Missing: hubbub-no-such-package (for this test)" in ended.stderr, ended
