"""A server and the people on it, each with a browser context."""

import json
import os
import pathlib
import re
import uuid

from api_client import PASSWORD
from serving import ROOT, until

# How long a wait may take, in ms: a test waits for a state, and a busy machine may need long to reach it.
PATIENCE = 30_000
ARTIFACTS = pathlib.Path(os.environ.get("HUBBUB_ARTIFACTS", ROOT / "artifacts"))

# Reports violations of the content security policy and of Trusted Types as console errors.
TELLS_REPORTS = """addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
  console.error(`policy report: ${effectiveDirective} ${blockedURI} ${sample}`))"""
POLICY = re.compile("policy report|Content.Security.Policy|TrustedHTML|TrustedScript|Trusted Type")


def rest(page):
    """Waits until nothing moves or fades any more, except endless animations."""
    until(lambda: page.evaluate("document.getAnimations().every(a => a.effect.getTiming().iterations === Infinity)"), "rest")


class Person:
    """A person with their own browser."""

    def __init__(self, stage, first, last="", viewport=None, base=None, cover=True, **context):
        self.stage, self.first, self.last = stage, first, last
        self.base = base or stage.server.url
        self.email = f"{first.lower()}-{uuid.uuid4().hex[:8]}@example.com"
        # A service worker fetches every file once for each new browser, and hides requests from `page.route`, so only
        # tests about it have one.
        context.setdefault("service_workers", "block")
        self.context = stage.browser.new_context(viewport=viewport or {"width": 1280, "height": 800}, **context)
        self.context.add_init_script(TELLS_REPORTS)
        self.page = self.new_page(cover)
        self.touches = context.get("has_touch", False)
        self.complaints = []

    def new_page(self, cover=True):
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda m: m.type == "error" and self.complaints.append(m.text))
        page.on("pageerror", lambda e: self.complaints.append(str(e)))
        if cover and self.stage.covers:
            session = self.context.new_cdp_session(page)
            session.send("Profiler.enable")
            session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
            self.stage.sessions.append(session)
        return page

    def sign_up(self):
        """Creates an account by API and opens the page of its chats; how most tests start."""
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
        """Signs in by API and opens the page of the chats."""
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
        """Opens the direct room with another person on this instance, by API, and its page."""
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
    """One server and the people on it. Measures what its pages run if `bin/test coverage` asks for it."""

    def __init__(self, browser, server, covers="HUBBUB_COVERAGE" in os.environ):
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
            except Exception:  # the page is closed already: its coverage is lost
                pass
        for person in self.people:
            person.context.close()
        # Whatever a test is about, no page may ever violate its own policy.
        reports = [text for person in self.people for text in person.complaints if POLICY.search(text)]
        assert reports == [], reports
