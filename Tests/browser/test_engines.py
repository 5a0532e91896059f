"""A person in an engine other than Chromium, from signing up to a network that fails and returns: bin/test engines."""

import re
import uuid

import pytest

from api_client import PASSWORD, Client
from engines import ENGINES
from proxy import Proxy
from serving import until

FIELD = '[aria-label="Message"]'
STATES = """return [...document.querySelectorAll('[role=log] [data-state]')].map((row) =>
  [row.querySelector('.body > span').textContent, row.dataset.state]);"""


def states(page):
    """Text and state of each message, from top to bottom."""
    return [tuple(row) for row in page.run(STATES)]


def there(page, selector):
    return page.run("return document.querySelectorAll(arguments[0]).length > 0;", selector)


def label(page, name):
    """A selector for the field with this label."""
    until(lambda: page.run("return [...document.querySelectorAll('label')].some(l => l.textContent.trim().startsWith(arguments[0]));",
                           name), f"the field {name}")
    return "#" + page.run("""const label = [...document.querySelectorAll('label')].find(l => l.textContent.trim().startsWith(arguments[0]));
      return label.control.id;""", name)


def say(page, text):
    page.fill(FIELD, text)
    page.press(FIELD, "Enter")


def connection(page):
    return page.run("return document.querySelector('[role=status][aria-label=Connection]')?.dataset.state ?? null;")


@pytest.mark.parametrize("engine", list(ENGINES))
def test_a_person_signs_up_finds_somebody_writes_edits_and_survives_the_network_in_another_engine(serve, engine):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    proxy = Proxy(server.port)
    bob = Client(server, "Bob", "Kahn")
    try:
        with ENGINES[engine]() as new_page:
            flow(new_page(), proxy, bob)
    finally:
        proxy.close()


@pytest.mark.shows("O1", "S3")
def test_modules_that_firefox_remembers_as_failed_can_still_be_loaded(serve):
    server = serve(environment={"HUBBUB_RATE_LIMIT": "off"})
    missing = {"js/services/mirror.js", "js/views/settingsView.js"}
    asked = []

    def answer(route):
        name = next((name for name in missing if name in route.request.url), None)
        asked.append(name)
        route.fulfill(status=503, body="") if name else route.continue_()

    with ENGINES["firefox"]() as new_page:
        # A service worker would have everything already.
        page = new_page().page.context.browser.new_context(service_workers="block").new_page()
        address = f"ada-{uuid.uuid4().hex[:8]}@example.com"
        body = {"email": address, "password": PASSWORD, "first_name": "Ada"}
        assert page.context.request.post(server.url + "/api/v1/accounts", data=body).status == 201
        page.route(re.compile("/assets/.*"), answer)
        loads = []
        page.on("domcontentloaded", lambda page: loads.append(page.url))
        page.goto(server.url + "/chats")
        counts = lambda name: page.evaluate("0") + asked.count(name)
        # A failed load without anyone waiting is not remembered: it is retried when the network is back, on the same
        # page.
        until(lambda: counts("js/services/mirror.js") == 1, "it to be asked for")
        missing.remove("js/services/mirror.js")
        page.evaluate("dispatchEvent(new Event('online'))")
        until(lambda: page.evaluate("""() => import(document.querySelector('script[src*="app.js"]').src.replace('app.js', 'pages/later.js'))
          .then(() => true, () => false)"""), "what imports it")
        # With somebody waiting it is: if a retry fails although the network is up, the whole page is loaded again.
        page.locator('nav a[href="/settings"]').first.click()
        page.get_by_role("heading", name="This page did not arrive").wait_for()
        missing.clear()
        assert len(loads) == 1
        page.get_by_role("button", name="Retry").click()
        page.get_by_role("heading", name="Settings", exact=True).first.wait_for()
        assert len(loads) <= 2, "once at the most"


def flow(page, proxy, bob):
    page.open(proxy.url + "/sign-up")
    for name, text in (("First name", "Ada"), ("Email", f"ada-{uuid.uuid4().hex[:8]}@example.com"), ("Password", PASSWORD)):
        page.fill(label(page, name), text)
    page.click("form button.primary")
    until(lambda: page.run("return location.pathname;") == "/chats", "the chats")

    # GitHub's people; selecting one opens the chat.
    until(lambda: there(page, 'nav a[href="/people"]'), "the navigation")
    page.click('nav a[href="/people"]')
    until(lambda: there(page, 'ul[aria-label="People"] > li .name'), "people")
    page.click('ul[aria-label="People"] > li button')
    until(lambda: re.fullmatch("/chats/[0-9a-f-]{36}", page.run("return location.pathname;")), "a chat")
    until(lambda: there(page, FIELD), "the composer")

    # A person here: live in both directions, each message once.
    me = page.run("""const answer = new XMLHttpRequest(); answer.open('GET', '/api/v1/session', false); answer.send();
      return JSON.parse(answer.responseText).id;""")
    room = bob.request("POST", "/rooms", {"kind": "direct", "user_id": me}).data["id"]
    write = lambda text: bob.request("POST", f"/rooms/{room}/messages", {"text": text}).status
    assert write("hello from Bob") == 201
    until(lambda: there(page, f'.chat-rows a[href="/chats/{room}"]') or page.click('nav a[href="/chats"]'), "Bob's row")
    page.click(f'.chat-rows a[href="/chats/{room}"]')
    until(lambda: states(page) == [("hello from Bob", "received")], "his message")
    say(page, "hello Bob")
    until(lambda: ("hello Bob", "sent") in states(page), "mine, stored")
    assert [m["text"] for m in bob.get(f"/rooms/{room}/messages").data] == ["hello from Bob", "hello Bob"]
    assert write("and live") == 201
    until(lambda: states(page)[-1] == ("and live", "received"), "his, live")

    # Arrow-up edits the last own message.
    page.press(FIELD, "ArrowUp")
    until(lambda: page.run("return document.querySelector(arguments[0]).value;", FIELD) == "hello Bob", "the text to edit")
    say(page, "hello Bob, mended")
    until(lambda: "hello Bob, mended" in [text for text, _ in states(page)], "the edit")
    page.point_and_press_second_button(".message.own .bubble")
    until(lambda: there(page, "[role=menu] [role=menuitem]"), "the menu of a message")
    page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));")
    until(lambda: not there(page, "[role=menu]"), "the menu to go")

    # Without a network, messages wait, even across a reload once it is back; nothing is sent twice.
    proxy.go_down()
    until(lambda: connection(page) in ("connecting", "offline"), "the word for no connection")
    say(page, "written without a network")
    until(lambda: states(page)[-1] == ("written without a network", "unsent"), "the message that waits")
    assert write("meanwhile") == 201
    proxy.come_back()
    until(lambda: connection(page) == "online", "the connection")
    until(lambda: {text for text, _ in states(page)} >= {"written without a network", "meanwhile"}
          and "unsent" not in [state for _, state in states(page)], "both")
    page.reload()
    texts = ["hello from Bob", "hello Bob, mended", "and live", "meanwhile", "written without a network"]
    until(lambda: sorted(text for text, _ in states(page)) == sorted(texts), "all after a reload")
    assert sorted(m["text"] for m in bob.get(f"/rooms/{room}/messages").data) == sorted(texts)
    assert page.complaints == []
