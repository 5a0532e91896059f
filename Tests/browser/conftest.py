"""What the browser tests stand on: a real server on a free port, people with a browser of their own, a bad network.

Nothing here waits by sleeping: `until` asks again until the thing is so, or fails with what it saw last.
"""

import json
import os
import pathlib
import re
import subprocess
import threading
import time
import uuid

import pytest
from playwright.sync_api import sync_playwright

from api_client import PASSWORD, Client
from proxy import Proxy

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("HUBBUB_BINARY", str(ROOT / ".build/release/hubbub"))
ARTIFACTS = pathlib.Path(os.environ.get("HUBBUB_ARTIFACTS", ROOT / "artifacts"))


# Reports of the content security policy and of Trusted Types, as errors of the console.
TELLS_REPORTS = """addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
  console.error(`policy report: ${effectiveDirective} ${blockedURI} ${sample}`))"""
POLICY = re.compile("policy report|Content.Security.Policy|TrustedHTML|TrustedScript|Trusted Type")


def until(question, what, seconds=10):
    """Asks `question` until its answer is true, and returns that answer."""
    end = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < end, f"waited {seconds} s for {what}; last answer: {answer!r}"
        pause.wait(0.02)


class Server:
    """`hubbub serve` as a process of its own."""

    def __init__(self, folder, *options, environment=None, command=(BINARY, "serve")):
        self.folder = pathlib.Path(folder)
        self.command = command
        self.options = options
        self.environment = {**os.environ, "HUBBUB_LOG_LEVEL": "info", **(environment or {})}
        self.port = 0
        self.start()

    def start(self):
        command = [*self.command, "--data", str(self.folder), "--port", str(self.port), *self.options]
        self.began = time.monotonic()
        self.log = open(self.folder.parent / f"{self.folder.name}.log", "ab")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, env=self.environment, text=True, cwd=ROOT)
        line = self.process.stdout.readline()
        self.startup = time.monotonic() - self.began
        found = re.search(r"Hubbub is listening on (http://\S+:(\d+))$", line.strip())
        assert found, f"no listening line but {line!r}; log: {self.log_text()[-2000:]}"
        self.url, self.port = found[1], int(found[2])
        return self

    def log_text(self):
        return (self.folder.parent / f"{self.folder.name}.log").read_text(errors="replace")

    def stop(self):
        """SIGTERM; returns the exit code."""
        self.process.terminate()
        return self.process.wait(10)

    def kill(self):
        self.process.kill()
        self.process.wait(10)

    @property
    def demo_github(self):
        """Where the stand-in for GitHub listens, as the log tells."""
        return re.findall(r"address=(http://127\.0\.0\.1:\d+)", self.log_text())[-1]


class Person:
    """Somebody with a browser of his own."""

    def __init__(self, stage, first, last="", viewport=None, base=None, cover=True, **context):
        self.stage, self.first, self.last = stage, first, last
        self.base = base or stage.server.url
        self.email = f"{first.lower()}-{uuid.uuid4().hex[:8]}@example.com"
        # A service worker fetches every file once for each new browser, and hides requests from `page.route`: only tests
        # that are about it have one.
        context.setdefault("service_workers", "block")
        self.context = stage.browser.new_context(viewport=viewport or {"width": 1280, "height": 800}, **context)
        self.context.add_init_script(TELLS_REPORTS)
        self.page = self.new_page(cover)
        self.touches = context.get("has_touch", False)
        self.complaints = []

    def new_page(self, cover=True):
        page = self.context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda m: m.type == "error" and self.complaints.append(m.text))
        page.on("pageerror", lambda e: self.complaints.append(str(e)))
        if cover and self.stage.covers:
            session = self.context.new_cdp_session(page)
            session.send("Profiler.enable")
            session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
            self.stage.sessions.append(session)
        return page

    def sign_up(self):
        """An account by the API, and the page of its chats: what most tests begin with."""
        status, body = self.api("POST", "/accounts", {
            "email": self.email, "password": PASSWORD, "first_name": self.first, "last_name": self.last})
        assert status == 201, body
        return self.at_chats()

    def sign_up_by_form(self):
        page = self.page
        page.goto(self.base + "/sign-up")
        page.get_by_role("textbox", name="First name").fill(self.first)
        page.get_by_role("textbox", name="Last name").fill(self.last)
        self.fill_credentials("Create account")
        page.wait_for_url("**/chats")
        page.get_by_role("link", name="Chats").first.wait_for()
        return self

    def sign_in(self):
        """Signed in by the API, at the page of the chats."""
        status, body = self.api("POST", "/session", {"email": self.email, "password": PASSWORD})
        assert status == 200, body
        return self.at_chats()

    def sign_in_by_form(self):
        self.page.goto(self.base + "/sign-in")
        self.fill_credentials("Sign in")
        self.page.wait_for_url("**/chats")
        return self

    def fill_credentials(self, button):
        self.page.get_by_role("textbox", name="Email").fill(self.email)
        self.page.get_by_role("textbox", name="Password").fill(PASSWORD)
        self.page.get_by_role("button", name=button).click()

    def at_chats(self):
        self.page.goto(self.base + "/chats")
        self.page.get_by_role("link", name="Chats").first.wait_for()
        return self

    def api(self, method, path, body=None):
        """A request with this person's cookie. Returns status and parsed body."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        data = json.dumps(body) if body is not None else None
        answer = self.context.request.fetch(self.base + "/api/v1" + path, method=method, data=data, headers=headers)
        text = answer.text()
        return answer.status, json.loads(text) if text else None

    @property
    def id(self):
        return self.api("GET", "/session")[1]["id"]

    def chat_with(self, other):
        """Opens the direct room with another person of this instance, by API, and its page."""
        status, room = self.api("POST", "/rooms", {"kind": "direct", "user_id": other.id})
        assert status in (200, 201), room
        self.open(room["id"])
        return room["id"]

    def open(self, room):
        self.page.goto(f"{self.base}/chats/{room}")
        self.message_box.wait_for()

    @property
    def message_box(self):
        return self.page.get_by_role("textbox", name="Message", exact=True)

    @property
    def log(self):
        return self.page.get_by_role("log", name="Messages")

    def row(self, text):
        return self.log.locator("[data-state]").filter(has_text=text)

    def say(self, text):
        self.message_box.fill(text)
        if self.touches:
            self.page.get_by_role("button", name="Send", exact=True).tap()
        else:
            self.message_box.press("Enter")

    def state(self, text):
        return self.row(text).first.get_attribute("data-state")

    def texts_in_order(self, pattern):
        """The matching parts of the log's rows, from top to bottom."""
        rows = self.log.locator("[data-state]").all_inner_texts()
        return [found[0] for row in rows for found in [re.search(pattern, row)] if found]

    @property
    def connection(self):
        return self.page.get_by_role("status", name="Connection").get_attribute("data-state")


class Stage:
    """One server and the people on it."""

    def __init__(self, browser, server, covers):
        self.browser, self.server, self.covers = browser, server, covers
        self.people, self.sessions = [], []

    def person(self, first, last="", **options):
        person = Person(self, first, last, **options)
        self.people.append(person)
        return person

    def close(self):
        folder = ARTIFACTS / "browser-coverage"
        folder.mkdir(parents=True, exist_ok=True)
        for session in self.sessions:
            try:
                result = session.send("Profiler.takePreciseCoverage")
                (folder / f"{uuid.uuid4().hex}.json").write_text(json.dumps(result))
            except Exception:  # the page is closed already: its lines were not counted
                pass
        for person in self.people:
            person.context.close()
        # Whatever a test is about: no page may ever break its own policy (SECURITY 3).
        reports = [text for person in self.people for text in person.complaints if POLICY.search(text)]
        assert reports == [], reports


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: waits for what takes many seconds by its nature")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", headless=True, chromium_sandbox=False)
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path):
    """Starts servers, each on its own folder, and ends those that still run."""
    servers = []

    def start(*options, name="data", **how):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        servers.append(Server(folder, *options, **how))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """One demo server without rate limits for all tests that need none of their own."""
    folder = tmp_path_factory.mktemp("program") / "data"
    folder.mkdir()
    server = Server(
        folder, "--github", "demo",
        environment={"HUBBUB_RATE_LIMIT": "off", "HUBBUB_CONNECTIONS_PER_ADDRESS": "2000"})
    yield server
    server.kill()


@pytest.fixture(scope="module")
def ada(program):
    return Client(program, "Ada", "Lovelace")


@pytest.fixture(scope="module")
def nobody(program):
    return Client(program, account=False)


@pytest.fixture
def stage(browser, serve):
    """A demo server, and people by `stage.person(…)`. Fails if a page complained on its console."""
    stage = Stage(browser, serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"}), covers=True)
    yield stage
    stage.close()


@pytest.fixture
def quiet_stage(browser, serve):
    """The same without coverage, for timings."""
    stage = Stage(browser, serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"}), covers=False)
    yield stage
    stage.close()


@pytest.fixture
def bad_network(stage):
    """A proxy before the server that can cut, refuse and swallow."""
    proxy = Proxy(stage.server.port)
    yield proxy
    proxy.close()
