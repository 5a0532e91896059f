# Sourced by the other commands: finds what they need, installs what is missing, and says what and why before it does.
# A bare Debian 12 with Swift is enough. With --no-install as the first argument (or HUBBUB_NO_INSTALL=1) nothing is
# installed: the command stops at what is missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

if [ "${1:-}" = --no-install ]; then
  export HUBBUB_NO_INSTALL=1
  shift
fi

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
stop() { printf '%s\n' "$*" >&2; exit 1; }

# announce WHAT REASON: says what is installed now, and why; stops where nothing may be.
announce() {
  [ -z "${HUBBUB_NO_INSTALL:-}" ] || stop "Missing: $1 ($2). Install it, or leave out --no-install."
  say "Installing $1: $2."
}

need_swift() {
  command -v swift >/dev/null 2>&1 || stop "Hubbub is written in Swift 6.2 or newer, and no 'swift' is on the PATH.
Install it from https://www.swift.org/install/linux/ and run this command again."
  [ -e Package.resolved ] || announce "the Swift packages of Package.swift" "the program is built with them"
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else stop "Installing packages needs root, and there is no sudo here. As root, run: $*"
  fi
}

# need_packages REASON PACKAGE…: installs the Debian packages that are missing.
need_packages() {
  local reason=$1 package missing=()
  shift
  command -v dpkg-query >/dev/null 2>&1 || return 0
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  announce "${missing[*]}" "$reason"
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -qq -y \
    --no-install-recommends "${missing[@]}" >/dev/null
}

need_libraries() {
  need_packages "SQLite holds the data, zlib compresses responses, libcurl sends requests; the program links all three" \
    libsqlite3-dev zlib1g-dev libcurl4-openssl-dev
}

# Python packages for the tests, each by its hash, in .tools/ so that the system's Python stays as it is.
need_test_python() {
  local wanted=Tests/tools/requirements.txt installed=.tools/python/requirements.txt
  need_packages "API and browser tests are Python" python3 python3-venv
  cmp -s "$wanted" "$installed" && return
  announce "the packages of $wanted into .tools/" "pytest runs the tests, Playwright and selenium steer browsers"
  python3 -m venv .tools/python
  .tools/python/bin/pip install --quiet --disable-pip-version-check --require-hashes -r "$wanted"
  cp "$wanted" "$installed"
}

need_browser_tools() {
  need_test_python
  need_packages "the browser tests drive a real Chromium" chromium-headless-shell fonts-noto-color-emoji
}

# Two more browser engines; installing takes about 20 s.
need_engines() {
  need_packages "the app is tried in Firefox and in WebKitGTK, too" firefox-esr webkit2gtk-driver xvfb
}

need_types() {
  need_packages "the browser's code is type-checked" node-typescript
}

need_node() {
  need_packages "the browser's view models are tested under Node" nodejs
}

# The specifications of CommonMark and of GitHub Flavored Markdown, whose examples the Markdown parser is checked against.
# A Python package has both in its source archive; pip wants that package's build system before it hands the archive out.
need_specifications() {
  local wanted=Tests/tools/specifications.txt folder=.tools/specifications
  cmp -s "$wanted" "$folder/specifications.txt" && return
  need_packages "the specifications of Markdown come by pip" python3 python3-venv
  announce "the specifications of Markdown into $folder/" "each of their examples is a test"
  rm -rf "$folder"
  python3 -m venv "$folder/python"
  "$folder"/python/bin/pip install --quiet --disable-pip-version-check --require-hashes \
    -r Tests/tools/specifications-build.txt
  "$folder"/python/bin/pip download --quiet --disable-pip-version-check --require-hashes --no-deps --no-binary :all: \
    --no-build-isolation -d "$folder" -r "$wanted"
  tar -xzf "$folder"/marko-*.tar.gz -C "$folder" --strip-components 3 --wildcards '*/tests/spec/*.txt'
  [ -s "$folder/commonmark.txt" ] && [ -s "$folder/gfm.txt" ] || stop "The specifications of Markdown were not in $folder."
  cp "$wanted" "$folder/specifications.txt"
}

# The fuzz target and the program that is compared with llhttp, each with its own flags.
build_fuzz() {
  HUBBUB_FUZZ=1 swift build --package-path Tests/workbench --scratch-path .build/workbench-fuzz -c release \
    --sanitize fuzzer --product Fuzz
}
build_outcomes() {
  swift build --package-path Tests/workbench --scratch-path .build/workbench -c release --product Outcomes
}
