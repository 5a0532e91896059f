"""One stream per browser: its leader closes, sleeps, or is buffered by a proxy; also in a browser without Web Locks."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import Error

from api_client import Client
from proxy import Proxy
from serving import Server, until
from stage import Stage

# Records the streams of a page, and lets a test advance its clock.
WATCH = """
  window.sources = [];
  const Source = window.EventSource;
  window.EventSource = class extends Source { constructor(...input) { super(...input); window.sources.push(this); } };
  window.skew = 0;
  const now = Date.now.bind(Date);
  Date.now = () => now() + window.skew;
"""
OPEN = "window.sources.filter((source) => source.readyState !== 2).length"


class World:
    """Ada behind a proxy, and Bob, who writes to her by API."""

    def __init__(self, stage, host="127.0.0.1"):
        self.proxy = Proxy(stage.server.port)
        self.ada = stage.person("Ada", base=f"http://{host}:{self.proxy.port}")
        self.ada.context.add_init_script(WATCH)
        # The test itself cannot resolve the second host name; the form can.
        self.ada.sign_up() if host == "127.0.0.1" else self.ada.sign_up_by_form()
        self.bob = Client(stage.server, "Bob")
        me = self.ada.page.evaluate("fetch('/api/v1/session').then((answer) => answer.json())")
        self.room = self.bob.direct(SimpleNamespace(id=me["id"]))
        self.ada.open(self.room)

    def tab(self):
        """Another tab with the same chat, once it is live."""
        page = self.ada.new_page()
        page.goto(f"{self.ada.base}/chats/{self.room}")
        page.get_by_role("log", name="Messages").wait_for()
        until(lambda: page.get_by_role("status", name="Connection").get_attribute("data-state") == "online", "online")
        return page

    def reaches(self, text, *pages):
        self.bob.say(self.room, text)
        for page in pages:
            shows(page, text)


def shows(page, text):
    page.get_by_role("log", name="Messages").locator("[data-state]").filter(has_text=text).first.wait_for()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams") / "data"
    folder.mkdir()
    server = Server(folder, environment={"HUBBUB_RATE_LIMIT": "off"})
    yield server
    server.kill()


@pytest.fixture
def world(browser, server):
    stage = Stage(browser, server)
    world = World(stage)
    yield world
    world.proxy.close()
    stage.close()


@pytest.fixture
def elsewhere(browser, server):
    """The same at an address that browsers consider insecure."""
    kind = browser.browser_type
    own = kind.launch(
        executable_path="/usr/bin/chromium-headless-shell", headless=True, chromium_sandbox=False,
        args=["--host-resolver-rules=MAP intranet 127.0.0.1"])
    stage = Stage(own, server)
    world = World(stage, host="intranet")
    yield world
    world.proxy.close()
    stage.close()
    own.close()


def take_over(world):
    """Three tabs share one stream; when the leader is closed another tab takes over, without gaps."""
    first = world.ada.page
    tabs = [first, world.tab(), world.tab()]
    world.reaches("to all", *tabs)
    assert [page.evaluate(OPEN) for page in tabs] == [1, 0, 0]
    first.close()
    left = tabs[1:]
    until(lambda: sum(page.evaluate(OPEN) for page in left) == 1, "one of the others to read the stream")
    world.reaches("after the leader went", *left)
    for page in left:
        texts = page.get_by_role("log", name="Messages").locator("[data-state]").all_inner_texts()
        assert sum("to all" in text for text in texts) == 1 and sum("leader went" in text for text in texts) == 1
    world.ada.page = left[0]


@pytest.mark.shows("S5")
def test_three_tabs_share_one_stream_and_another_tab_takes_over(world):
    take_over(world)


@pytest.mark.shows("S5", "O1")
def test_an_insecure_origin_has_a_working_chat_with_one_stream(elsewhere):
    ada, page = elsewhere.ada, elsewhere.ada.page
    assert page.evaluate("isSecureContext") is False
    assert page.evaluate("[navigator.locks, navigator.serviceWorker, crypto.randomUUID].every((it) => it === undefined)")
    take_over(elsewhere)
    ada.say("from an insecure place")
    until(lambda: ada.state("from an insecure place") not in ("unsent", None), "stored")
    assert [one["text"] for one in elsewhere.bob.get(f"/rooms/{elsewhere.room}/messages").data].count(
        "from an insecure place") == 1
    # The browser logs that it ignores a header field there; there is no other error.
    assert [one for one in ada.complaints if "Cross-Origin-Opener-Policy" not in one] == []


@pytest.mark.shows("S5")
def test_after_sleep_or_a_change_of_network_it_catches_up(world):
    ada, page = world.ada, world.ada.page
    world.reaches("before sleep", page)
    until(lambda: ada.connection == "online", "online")
    # While the machine slept, the connection died silently.
    world.proxy.deaden()
    world.bob.say(world.room, "while asleep")
    edited = world.bob.request("PATCH", f"/rooms/{world.room}/messages/1", {"text": "before sleep, mended"})
    assert edited.status == 200
    with pytest.raises(Error, match="Timeout"):
        page.get_by_text("while asleep").wait_for(timeout=300)
    page.evaluate("() => { window.skew = 3_600_000; document.dispatchEvent(new Event('visibilitychange')); }")
    for text in ("while asleep", "before sleep, mended"):
        shows(page, text)
    world.proxy.deaden()
    world.bob.say(world.room, "in the tunnel")
    page.evaluate("() => { window.skew += 60_000; dispatchEvent(new Event('online')); }")
    shows(page, "in the tunnel")
    assert page.evaluate(OPEN) == 1


@pytest.mark.shows("S5")
def test_a_stream_buffered_by_a_proxy_is_replaced_by_polls(world):
    page = world.ada.page
    world.proxy.collects = b"GET /api/v1/events"
    page.clock.install()
    page.goto(f"{world.ada.base}/chats/{world.room}")
    page.get_by_role("log", name="Messages").wait_for()
    until(lambda: page.evaluate("window.sources.length") == 1, "the stream to be tried")
    polls = []
    page.on("request", lambda request: "/sync?" in request.url and polls.append(request.url))
    # Nothing has arrived for twenty seconds, not even hello.
    page.clock.fast_forward(21_000)
    until(lambda: page.evaluate("1") and polls, "polls")
    world.reaches("by a poll", page)
    world.reaches("and another", page)
    until(lambda: world.ada.connection == "online", "to be told so")
    assert page.evaluate(OPEN) == 0
