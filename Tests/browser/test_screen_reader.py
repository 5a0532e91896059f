"""What a screen reader is told: the order of landmarks, headings and names, and what is announced, and what is not (H4)."""

from conftest import until

LANDMARKS = {"navigation", "main", "complementary", "search", "region", "form", "banner", "log", "list", "heading"}
# What speaks by itself, with what it said since: live regions of the page, and whatever is added to them.
LISTENS = """(() => { window.said = []; new MutationObserver((changes) => { for (const change of changes) {
    const at = change.target.nodeType === 1 ? change.target : change.target.parentElement;
    const live = at?.closest('[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]');
    if (!live || live.closest('[aria-live=off]')) continue;
    const text = change.type === 'childList' ? [...change.addedNodes].map(n => n.textContent).join(' ') : change.target.textContent;
    if (text.trim()) window.said.push(text.trim()); } })
  .observe(document, { subtree: true, childList: true, characterData: true }); })()"""


def tree(page):
    """Role, name and (of headings) level of all that is told, in the order in which it is read."""
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


def test_landmarks_headings_and_names_stand_in_the_order_of_reading_H4(stage):
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


def test_news_are_announced_and_what_was_there_before_is_not_H4_S5(stage, bad_network):
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
    # Earlier messages come, and nobody reads them out.
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
    # What a search found, by its number.
    page.keyboard.press("Control+K")
    page.keyboard.type("brand")
    until(lambda: any("result" in text for text in said()), "the number of results to be said")
    # The connection, when it goes and when it is back.
    bad_network.go_down()
    until(lambda: any("Offline" in text or "Connecting" in text for text in said()), "the connection's loss to be said", 20)
    bad_network.come_back()
    until(lambda: ada.connection == "online", "to be back", 30)
