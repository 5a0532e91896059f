# Sourced by the commands beside it: finds what they need, installs what is missing, says what and why.
# A bare Debian 12 with Swift is enough to start from.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
stop() { printf '%s\n' "$*" >&2; exit 1; }

need_swift() {
  command -v swift >/dev/null 2>&1 || stop "Hubbub is written in Swift 6.2 or newer, and no 'swift' is on the PATH.
Install it from https://www.swift.org/install/linux/ and run this command again."
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else stop "Installing packages needs root, and there is no sudo here. As root, run: $*"
  fi
}

# need_packages REASON PACKAGE…: installs those of the Debian packages that are missing.
need_packages() {
  local reason=$1 package missing=()
  shift
  command -v dpkg-query >/dev/null 2>&1 || return 0
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "Installing ${missing[*]}: $reason."
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -qq -y \
    --no-install-recommends "${missing[@]}" >/dev/null
}

need_libraries() {
  need_packages "SQLite holds the data, zlib compresses answers; both are linked into the program" \
    libsqlite3-dev zlib1g-dev
}

# A Python of our own for the browser tests, in .tools/ so that the system's stays as it is.
need_browser_tools() {
  need_packages "the browser tests drive a real Chromium" \
    chromium-headless-shell fonts-noto-color-emoji python3 python3-venv
  if [ ! -x .tools/python/bin/pytest ] || ! .tools/python/bin/python -c 'import playwright, axe_playwright_python, xdist, pytest_timeout' 2>/dev/null; then
    say "Installing Playwright, axe and pytest into .tools/: they steer the browser and check accessibility."
    python3 -m venv .tools/python
    .tools/python/bin/pip install --quiet playwright==1.64.1 axe-playwright-python==0.1.8 \
      'pytest<9' 'pytest-xdist<4' 'pytest-timeout<3'
  fi
}

# What a smoke flow in two more engines needs: some 20 s of installing.
need_engines() {
  need_packages "the app is tried in Firefox and in WebKitGTK, too" firefox-esr webkit2gtk-driver xvfb
  .tools/python/bin/python -c 'import selenium' 2>/dev/null || .tools/python/bin/pip install --quiet selenium==4.51.0
}

need_node() {
  need_packages "the browser's view models are tested under Node" nodejs
}
