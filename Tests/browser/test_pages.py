"""What a page loads: its own script and modules, no more; and the page for an unknown address."""

import re

from playwright.sync_api import expect

from serving import until


def modules(html):
    """The paths of the modules that a page preloads."""
    return {found for found in re.findall(r'<link rel="modulepreload" href="/assets/[0-9a-f]+/(js/[^"]+)"', html)}


def script(html):
    return re.search(r'<script type="module" src="/assets/[0-9a-f]+/([^"]+)"', html)[1]


def test_each_kind_of_page_loads_its_own_modules(stage):
    ada = stage.person("Ada")
    page = lambda path: ada.context.request.get(ada.base + path).text()
    door = page("/sign-in")
    assert script(door) == "js/signedOut.js" and script(page("/sign-up")) == "js/signedOut.js"
    assert "js/views/session.js" in modules(door)
    assert not modules(door) & {"js/app.js", "js/views/shell.js", "js/services/sync.js"}
    ada.sign_up_by_form()
    chats, chat = page("/chats"), page("/chats/0197a3b2-0000-7000-8000-000000000000")
    assert script(chats) == script(chat) == "js/app.js"
    conversation = {"js/views/conversationView.js", "js/viewmodels/conversationViewModel.js", "js/views/composer.js"}
    assert not modules(chats) & conversation
    assert conversation < modules(chat) and modules(chats) < modules(chat)


# When the first message appeared on the page, by the page's own clock.
FIRST_ROW = """new MutationObserver((_, observer) => {
  if (!document.querySelector('[data-seq]')) return;
  window.firstRow = performance.now();
  observer.disconnect();
}).observe(document, {subtree: true, childList: true})"""
MODULES = """() => performance.getEntriesByType('resource').filter(entry => /\\/assets\\/[0-9a-f]+\\/js\\//.test(entry.name))
  .map(entry => [entry.name.replace(/.*\\/assets\\/[0-9a-f]+\\//, ''), entry.startTime < window.firstRow])"""


def test_an_open_chat_shows_before_it_loads_any_module_that_was_not_preloaded(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    assert bob.api("POST", f"/rooms/{room}/messages", {"text": "the first paint"})[0] == 201
    ada.page.add_init_script(FIRST_ROW)
    ada.open(room)
    ada.row("the first paint").wait_for()
    later = "js/pages/chatPageLater.js"
    fetched = until(lambda: (lambda m: m if later in m else None)(dict(ada.page.evaluate(MODULES))), "the rest")
    named = modules(ada.context.request.get(f"{ada.base}/chats/{room}").text())
    before = {name for name, early in fetched.items() if early}
    assert before <= named, "found only while running: one more round trip"
    assert not fetched[later] and later not in named
    assert len(named) <= 60


def test_an_unknown_address_is_styled_like_the_app_and_links_back(stage):
    ada = stage.person("Ada").sign_up()
    answer = ada.page.goto(ada.base + "/nowhere")
    assert answer.status == 404
    expect(ada.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    assert ada.page.evaluate("getComputedStyle(document.querySelector('h1')).textAlign") == "center"
    ada.page.get_by_role("link", name="To your chats").click()
    ada.page.wait_for_url("**/chats")
    assert [c for c in ada.complaints if "404" not in c] == []


def test_the_page_itself_cannot_be_scrolled(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    for path in ("/chats", f"/chats/{room}", "/settings"):
        ada.page.goto(ada.base + path)
        ada.page.locator("h1").first.wait_for()
        moved = ada.page.evaluate("""() => {
          for (const node of [document.documentElement, document.body]) node.scrollTop = 50;
          return [scrollY, document.documentElement.scrollTop, document.body.scrollTop];
        }""")
        assert moved == [0, 0, 0], (path, moved)


def test_a_list_of_people_and_a_page_from_github_are_the_documents_title(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page
    for path in (
            "/people/mojombo/followers", "/people/mojombo/following", "/people?q=tom", "/orgs/github", "/people/mojombo",
            "/github/mojombo/grit", "/github/mojombo/grit/issues/54"):
        page.goto(ada.base + path)
        heading = page.locator("h1:visible").first
        until(lambda: heading.inner_text() and page.title() == f"{heading.inner_text()} · Hubbub",
              f"the title of {path}")
    for path, title in (("/rooms", "Public rooms"), ("/rooms/new", "New group"), ("/news", "News")):
        page.goto(ada.base + path)
        until(lambda: page.title() == f"{title} · Hubbub", f"the title of {path}")


def test_the_list_is_resized_by_keys_and_by_dragging_and_keeps_its_width(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page
    handle = page.get_by_role("separator", name="Width of the list")
    width = lambda: int(handle.get_attribute("aria-valuenow"))
    start = width()
    handle.focus()
    # What moves it is loaded a moment after the page can be used.
    until(lambda: page.keyboard.press("ArrowRight") or width() > start, "an arrow key to widen it")
    while width() < 380:
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert width() == 380, "at most"
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 35, y)
    page.mouse.up()
    assert width() == 345 and handle.get_attribute("data-dragging") is None
    page.reload()
    handle.wait_for()
    assert width() == 345
    assert round(page.locator(".list-pane").bounding_box()["width"]) == 345
