"""What a screen reader is told: the order of landmarks, headings and names, and what is announced or not."""

import json
import re
import urllib.parse

import pytest

from serving import until

LANDMARKS = {"navigation", "main", "complementary", "search", "region", "form", "banner", "log", "list", "heading"}
# Records announcements: live regions of the page, and everything added to them.
LISTENS = """(() => { window.said = []; new MutationObserver((changes) => { for (const change of changes) {
    const at = change.target.nodeType === 1 ? change.target : change.target.parentElement;
    const live = at?.closest('[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]');
    if (!live || live.closest('[aria-live=off]')) continue;
    const text = change.type === 'childList' ? [...change.addedNodes].map(n => n.textContent).join(' ') : change.target.textContent;
    if (text.trim()) window.said.push(text.trim()); } })
  .observe(document, { subtree: true, childList: true, characterData: true }); })()"""

# Stricter, from the page's start: a region announces changes of its text while it is in the page and visible; a region
# inserted with its text announces it only if it is an alert. A single announcement is one entry.
HEARS = """(() => { window.heard = []; let known = new Set();
  const live = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]';
  const text = (nodes) => [...nodes].map((n) => n.textContent).join(' ').trim();
  new MutationObserver((changes) => {
    const said = new Map();
    for (const { type, target, addedNodes } of changes) {
      const at = (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
      if (!at || type === 'attributes' || !known.has(at) || !at.checkVisibility() || at.closest('[aria-live=off]')) continue;
      const words = type === 'childList' ? text(addedNodes) : target.textContent.trim();
      if (words) said.set(at, [...new Set([...(said.get(at) ?? []), words])]);
    }
    const shown = new Set([...document.querySelectorAll(live)].filter((n) => n.checkVisibility()));
    for (const region of shown) if (!known.has(region) && region.role === 'alert' && region.textContent.trim()) {
      said.set(region, [region.textContent.trim()]); }
    known = shown;
    for (const words of said.values()) window.heard.push(words.join(' '));
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['hidden'] });
})()"""


def heard(page, words):
    """The number of times something was announced."""
    return sum(words in text for text in page.evaluate("window.heard"))


def hears_once(page, words, seconds=10):
    """Waits until something is announced, and checks that it is announced only once; then forgets it."""
    until(lambda: heard(page, words), f"{words!r} to be said", seconds)
    # Other events on the page must not repeat it.
    page.evaluate("""() => { for (const type of ['online', 'focus', 'resize', 'visibilitychange']) dispatchEvent(new Event(type));
      return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))); }""")
    assert heard(page, words) == 1, page.evaluate("window.heard")
    page.evaluate("window.heard = []")


def problem(status, name):
    body = json.dumps({"type": f"/problems/{name}", "title": name, "status": status, "detail": "No."})
    return {"status": status, "content_type": "application/problem+json", "body": body}


def refuse(page, method, address, answer):
    """Makes requests get this response, until `page.unroute(…)` of the result."""
    pattern = re.compile(address)
    page.route(pattern, lambda route: route.fulfill(**answer) if route.request.method == method else route.continue_())
    return pattern


def tree(page):
    """Role, name and (for headings) level of everything exposed, in reading order."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    by_id = {node["nodeId"]: node for node in nodes}
    found = []

    def walk(node):
        role = node.get("role", {}).get("value", "")
        if not node.get("ignored"):
            level = next((p["value"]["value"] for p in node.get("properties", []) if p["name"] == "level"), None)
            found.append((role, node.get("name", {}).get("value", ""), level and int(level)))
        for child in node.get("childIds", []):
            walk(by_id[child])

    walk(nodes[0])
    return found


def outline(page):
    return [(role, name) for role, name, _ in tree(page) if role in LANDMARKS]


@pytest.mark.shows("H4")
def test_landmarks_headings_and_names_are_in_reading_order(stage):
    ada, bob = stage.person("Ada", "Lovelace").sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    bob.say("hello")
    ada.row("hello").wait_for()
    page = ada.page
    seen = outline(page)
    expected = [("navigation", "Main"), ("main", ""), ("heading", "Chats"), ("search", ""), ("list", "Chats"),
                ("heading", "Bob Kahn"), ("log", "Messages"), ("complementary", "Notifications")]
    places = [seen.index(item) for item in expected]
    assert places == sorted(places), seen
    nodes = tree(page)
    # The list, then the chat: its name, its messages, the field, the button.
    order = [nodes.index(next(n for n in nodes if n[:2] == wanted)) for wanted in (
        ("list", "Chats"), ("log", "Messages"), ("textbox", "Message"), ("button", "Send"))]
    assert order == sorted(order)
    for path in ("/chats", "/people", "/news", "/settings", "/rooms", "/rooms/new", "/search?q=x"):
        page.goto(ada.base + path)
        page.locator("h1:visible").first.wait_for()
        nodes = tree(page)
        levels = [level for role, _, level in nodes if role == "heading"]
        assert levels and levels[0] == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), (path, levels)
        assert [role for role, _, _ in nodes].count("main") == 1
        nameless = [(role, name) for role, name, _ in nodes
                    if role in ("button", "link", "textbox", "searchbox", "switch", "radio", "checkbox", "menuitem", "img",
                                "log", "dialog", "combobox", "navigation", "complementary") and not name.strip()]
        assert nameless == [], (path, nameless)


@pytest.mark.shows("H4", "S5")
def test_new_content_is_announced_and_existing_content_is_not(stage, bad_network):
    ada = stage.person("Ada", "Lovelace", base=bad_network.url).sign_up()
    bob = stage.person("Bob", "Kahn").sign_up()
    room = bob.api("POST", "/rooms", {"kind": "direct", "user_id": ada.id})[1]["id"]
    for number in range(120):
        assert bob.api("POST", f"/rooms/{room}/messages", {"text": f"old {number}"})[0] == 201
    page = ada.page
    ada.open(room)
    ada.row("old 119").wait_for()
    page.evaluate(LISTENS)
    said = lambda: page.evaluate("window.said")
    # Earlier messages are loaded, and not announced.
    first = lambda: int(ada.log.locator("[data-seq]").first.get_attribute("data-seq"))
    before = first()
    page.locator(".log-scroller").evaluate("n => n.scrollTop = 0")
    until(lambda: first() < before, "earlier messages")
    assert said() == []
    # A new one is.
    assert bob.api("POST", f"/rooms/{room}/messages", {"text": "brand new"})[0] == 201
    until(lambda: any("brand new" in text and "Bob Kahn" in text for text in said()), "the message to be said")
    assert not any("old" in text for text in said())
    # A message elsewhere, by its toast.
    group = bob.api("POST", "/rooms", {"kind": "group", "name": "Engine", "member_ids": [ada.id]})[1]["id"]
    assert bob.api("POST", f"/rooms/{group}/messages", {"text": "over here"})[0] == 201
    until(lambda: any("over here" in text for text in said()), "the toast to be said")
    # A search's result, by its number.
    page.keyboard.press("Control+K")
    page.keyboard.type("brand")
    until(lambda: any("result" in text for text in said()), "the number of results to be said")
    # The connection, when it is lost and when it is back.
    bad_network.go_down()
    until(lambda: any("Offline" in text or "Connecting" in text for text in said()), "the connection's loss to be said")
    bad_network.come_back()
    until(lambda: ada.connection == "online", "to be back")


@pytest.mark.shows("H4", "S3", "S5")
def test_failures_are_announced_once_each(stage, bad_network):
    ada = stage.person("Ada", "Lovelace", base=bad_network.url)
    bob = stage.person("Bob", "Kahn").sign_up()
    page = ada.page
    page.add_init_script(HEARS)
    ada.sign_up()
    room = bob.api("POST", "/rooms", {"kind": "direct", "user_id": ada.id})[1]["id"]
    say = lambda text, to=room: bob.api("POST", f"/rooms/{to}/messages", {"text": text})[0] == 201
    assert say("first")

    # The messages of a chat cannot be loaded: announced, and again when a retry fails, but not when anything else
    # arrives.
    broken = refuse(page, "GET", rf"/rooms/{room}/messages", problem(500, "internal"))
    page.get_by_role("list", name="Chats").get_by_role("link", name="Bob Kahn").click()
    hears_once(page, "Something went wrong on the server.")
    page.get_by_role("button", name="Retry").click()
    hears_once(page, "Something went wrong on the server.")
    assert bob.api("PATCH", "/me", {"first_name": "Robert"})[0] == 200
    page.get_by_text("Robert").first.wait_for()
    assert heard(page, "Something went wrong") == 0
    page.unroute(broken)
    page.get_by_role("button", name="Retry").click()
    ada.row("first").wait_for()

    # A message is refused, and so is the retry; other arrivals do not repeat it.
    broken = refuse(page, "POST", r"/messages$", problem(413, "too-large"))
    ada.say("much too long")
    hears_once(page, "Not sent: much too long.")
    assert say("second")
    ada.row("second").wait_for()
    assert heard(page, "Not sent") == 0
    ada.row("much too long").get_by_role("button", name=re.compile("Retry")).click()
    hears_once(page, "Not sent: much too long.")
    page.unroute(broken)

    # A reaction is refused: the first announcement of its kind has its region ready.
    assert bob.api("PUT", f"/rooms/{room}/messages/1/reactions/" + urllib.parse.quote("🎉"))[0] == 204
    page.evaluate("window.heard = []")
    broken = refuse(page, "PUT", "/reactions/", problem(500, "internal"))
    ada.row("first").get_by_role("button", name="🎉").click()
    hears_once(page, "Your reaction is not saved.")
    page.unroute(broken)

    # The connection is lost, and is back.
    bad_network.go_down()
    until(lambda: ada.connection == "offline", "the page to notice")
    hears_once(page, "Offline")
    bad_network.come_back()
    hears_once(page, "Connected again", 30)

    # Somebody is removed from the chat they are looking at.
    group = bob.api("POST", "/rooms", {"kind": "group", "name": "Engine", "member_ids": [ada.id]})[1]["id"]
    ada.open(group)
    assert bob.api("DELETE", f"/rooms/{group}/members/{ada.id}")[0] == 204
    hears_once(page, "removed you from “Engine”")


@pytest.mark.shows("H4")
def test_errors_in_a_form_are_announced_by_focus_or_alert_each_time(stage):
    ada = stage.person("Ada", "Lovelace")
    page = ada.page
    page.add_init_script(HEARS)
    ada.sign_up()
    described = """() => { const field = document.activeElement;
      return field.getAttribute('aria-invalid') && document.getElementById(field.getAttribute('aria-describedby'))?.textContent; }"""
    # A field's own error is read with the field, which gets the focus.
    page.goto(ada.base + "/settings")
    page.get_by_role("textbox", name="First name").fill(" ")
    page.get_by_role("button", name="Save").first.click()
    until(lambda: page.evaluate(described), "the field with its error to have the focus")
    # Names cannot be stored for another reason.
    broken = refuse(page, "PATCH", r"/me$", problem(500, "internal"))
    page.get_by_role("textbox", name="First name").fill("Ada A.")
    for _ in range(2):
        page.get_by_role("button", name="Save").first.click()
        hears_once(page, "Something went wrong on the server.")
    page.unroute(broken)
    # The list of chats cannot be loaded.
    refuse(page, "GET", r"/api/v1/rooms(\?|$)", problem(500, "internal"))
    page.goto(ada.base + "/chats")
    hears_once(page, "Something went wrong on the server.")
    # A wrong password, twice the same.
    ada.context.clear_cookies()
    page.goto(ada.base + "/sign-in")
    page.get_by_role("textbox", name="Email").fill(ada.email)
    for number in range(2):
        page.get_by_role("textbox", name="Password").fill("not the password")
        page.get_by_role("button", name="Sign in").click()
        hears_once(page, "password")
    assert page.evaluate("document.activeElement.name") == "password"
