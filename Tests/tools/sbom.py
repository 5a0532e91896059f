"""Prints a CycloneDX 1.6 list of what Hubbub is made of (bin/sbom).

Swift packages: as Package.resolved has them, which SwiftPM writes from the exact versions of Package.swift. System libraries:
as Debian's package database has them, where there is one. Python packages of the tests: as the lists in this folder pin
them, with scope `excluded`, since the program does not contain them.
"""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = {"libsqlite3-0": "SQLite", "zlib1g": "zlib", "libcurl4": "libcurl"}


def swift_packages():
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        url, state = pin["location"].removesuffix(".git"), pin["state"]
        purl = f"pkg:swift/{url.removeprefix('https://')}@{state['version']}"
        yield {"type": "library", "bom-ref": purl, "name": url.rsplit("/", 1)[1], "version": state["version"],
               "scope": "required", "purl": purl,
               "externalReferences": [{"type": "vcs", "url": f"{url}#{state['revision']}"}]}


def libraries():
    for package, name in LIBRARIES.items():
        try:
            query = ["dpkg-query", "-W", "-f", "${Version} ${Architecture}", package]
            shown = subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()
        except (OSError, subprocess.CalledProcessError):
            # Which version is linked is the machine's that runs the program.
            yield {"type": "library", "bom-ref": f"system:{name}", "name": name, "scope": "required"}
            continue
        version, architecture = shown
        purl = f"pkg:deb/debian/{package}@{version}?arch={architecture}"
        yield {"type": "library", "bom-ref": purl, "name": name, "version": version, "scope": "required", "purl": purl}


def python_packages():
    text = "".join(file.read_text() for file in sorted((ROOT / "Tests/tools").glob("*.txt"))).replace("\\\n", " ")
    for name, version, rest in re.findall(r"^([\w.-]+)==(\S+)(.*)$", text, re.MULTILINE):
        purl = f"pkg:pypi/{name.lower()}@{version}"
        hashes = [{"alg": "SHA-256", "content": digest} for digest in re.findall(r"sha256:([0-9a-f]{64})", rest)]
        yield {"type": "library", "bom-ref": purl, "name": name, "version": version, "scope": "excluded", "purl": purl,
               "externalReferences": [{"type": "distribution", "url": f"https://pypi.org/project/{name}/{version}/",
                                       "hashes": hashes}]}


def main():
    linked = [*swift_packages(), *libraries()]
    revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    program = {"type": "application", "bom-ref": "hubbub", "name": "hubbub"}
    print(json.dumps({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**program, **({"version": revision} if revision else {})}},
        "components": [*linked, *python_packages()],
        "dependencies": [{"ref": "hubbub", "dependsOn": [part["bom-ref"] for part in linked]}],
    }, indent=2))


main()
