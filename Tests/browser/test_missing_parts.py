"""A lazily loaded part of the app fails to load: the page says so, and it can be retried without reloading the page."""

import re

import pytest

from serving import until
from stage import Stage


class Gaps:
    """Files of the app that fail to load while listed."""

    def __init__(self, page):
        self.page, self.missing, self.count = page, None, 0
        page.route(re.compile("/assets/.*"), self.answer)

    def answer(self, route):
        if self.missing and self.missing in route.request.url:
            self.count += 1
            route.fulfill(status=503, body="")
        else:
            route.continue_()

    def asked(self):
        """The number of requests for it. Querying the page lets pending responses arrive."""
        return self.page.evaluate("0") + self.count

    def lose(self, name):
        self.missing, self.count = name, 0

    def give(self):
        assert self.count > 0, f"{self.missing} was not asked for"
        self.missing = None


@pytest.fixture(scope="module")
def world(browser, tmp_path_factory):
    """Ada at her chats, with one of Bob's in it."""
    from serving import Server
    folder = tmp_path_factory.mktemp("missing") / "data"
    folder.mkdir()
    server = Server(folder, "--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    stage = Stage(browser, server)
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = bob.api("POST", "/rooms", {"kind": "direct", "user_id": ada.id})[1]["id"]
    assert bob.api("POST", f"/rooms/{room}/messages", {"text": "hello"})[0] == 201
    yield stage, ada, Gaps(ada.page)
    stage.close()
    server.kill()


def failed(page):
    """The page that reports that another one failed to load, and where the focus is."""
    heading = page.get_by_role("heading", name="This page did not arrive")
    heading.wait_for()
    until(lambda: heading.evaluate("n => n === document.activeElement"), "its heading to be told, by the focus")


@pytest.mark.parametrize("section, part, heading", [
    ("Settings", "js/views/settingsView.js", "Settings"), ("People", "js/views/personRow.js", "People"),
    ("News", "css/later/news.css", "News"), ("chat", "js/models/messageRows.js", "Bob Kahn")])
@pytest.mark.shows("O1", "S3")
def test_a_page_with_a_part_that_failed_to_load_has_a_retry_that_works(world, section, part, heading):
    _, ada, gaps = world
    page = ada.at_chats().page
    page.evaluate("window.isTheSame = true")
    gaps.lose(part)
    if section == "chat":
        page.get_by_role("list", name="Chats").get_by_role("link", name="Bob Kahn").click()
    else:
        page.get_by_role("navigation").get_by_role("link", name=section, exact=True).click()
    failed(page)
    # It still fails: the page says so again.
    again = page.get_by_role("button", name="Retry")
    before = gaps.count
    page.evaluate("document.activeElement.blur()")
    page.route("**/js/app.js*", lambda route: route.fulfill(status=503, body=""))
    again.click()
    until(lambda: gaps.asked() > before, "it to be asked for again")
    failed(page)
    page.unroute("**/js/app.js*")
    gaps.give()
    again.click()
    page.get_by_role("heading", name=heading, exact=True).first.wait_for()
    assert page.evaluate("window.isTheSame"), "without reloading the page"


@pytest.mark.shows("S3")
def test_a_failed_load_after_a_click_is_shown_and_retried_by_the_next_click(world):
    _, ada, gaps = world
    page = ada.at_chats().page
    page.get_by_role("list", name="Chats").get_by_role("link", name="Bob Kahn").click()
    ada.row("hello").wait_for()
    gaps.lose("js/views/chat/controls.js")
    # The module that reports it is loaded before it is needed.
    until(lambda: page.evaluate("performance.getEntriesByType('resource').some(e => e.name.endsWith('/toasts.js'))"), "hints")
    ada.row("hello").click(button="right")
    page.get_by_text("Hubbub cannot be reached. Check your connection.").first.wait_for()
    gaps.give()
    ada.row("hello").click(button="right")
    page.get_by_role("menuitem").first.wait_for()
    page.keyboard.press("Escape")


@pytest.mark.shows("O1")
def test_background_loads_resume_when_the_network_is_back(world):
    stage, ada, _ = world
    # The service worker's request shows that it was loaded.
    bob = stage.person("Bob", service_workers="allow")
    gaps = Gaps(bob.page)
    gaps.lose("js/services/mirror.js")
    bob.sign_up()
    page = bob.page
    until(lambda: gaps.asked() == 1, "it to be asked for")
    registered = "navigator.serviceWorker.getRegistration().then(r => r !== undefined)"
    assert not page.evaluate(registered)
    gaps.give()
    page.evaluate("dispatchEvent(new Event('online'))")
    until(lambda: page.evaluate(registered), "the rest of the app")
