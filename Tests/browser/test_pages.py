"""What a page brings along: its own script and modules, no more; and the page for an address that leads nowhere."""

import re

from conftest import until


def modules(html):
    """The paths of the modules that a page fetches early."""
    return {found for found in re.findall(r'<link rel="modulepreload" href="/assets/[0-9a-f]+/(js/[^"]+)"', html)}


def script(html):
    return re.search(r'<script type="module" src="/assets/[0-9a-f]+/([^"]+)"', html)[1]


def test_each_kind_of_page_fetches_its_own_modules(stage):
    ada = stage.person("Ada")
    page = lambda path: ada.context.request.get(ada.base + path).text()
    door = page("/sign-in")
    assert script(door) == "js/signedOut.js" and script(page("/sign-up")) == "js/signedOut.js"
    assert "js/views/session.js" in modules(door)
    assert not modules(door) & {"js/app.js", "js/views/shell.js", "js/services/sync.js"}
    ada.sign_up_by_form()
    chats, chat = page("/chats"), page("/chats/0197a3b2-0000-7000-8000-000000000000")
    assert script(chats) == script(chat) == "js/app.js"
    conversation = {"js/views/conversation.js", "js/viewmodels/conversationViewModel.js", "js/views/composer.js"}
    assert not modules(chats) & conversation
    assert conversation < modules(chat) and modules(chats) < modules(chat)


# When the first message stood on the page, by the page's own clock.
FIRST_ROW = """new MutationObserver((_, observer) => {
  if (!document.querySelector('[data-seq]')) return;
  window.firstRow = performance.now();
  observer.disconnect();
}).observe(document, {subtree: true, childList: true})"""
MODULES = """() => performance.getEntriesByType('resource').filter(entry => /\\/assets\\/[0-9a-f]+\\/js\\//.test(entry.name))
  .map(entry => [entry.name.replace(/.*\\/assets\\/[0-9a-f]+\\//, ''), entry.startTime < window.firstRow])"""


def test_an_open_chat_shows_before_it_fetches_a_module_that_its_page_did_not_name(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    assert bob.api("POST", f"/rooms/{room}/messages", {"text": "the first paint"})[0] == 201
    ada.page.add_init_script(FIRST_ROW)
    ada.open(room)
    ada.row("the first paint").wait_for()
    later = "js/conversationLater.js"
    fetched = until(lambda: (lambda m: m if later in m else None)(dict(ada.page.evaluate(MODULES))), "the rest")
    named = modules(ada.context.request.get(f"{ada.base}/chats/{room}").text())
    before = {name for name, early in fetched.items() if early}
    assert before <= named, "found only while running: one more round trip"
    assert not fetched[later] and later not in named
    assert len(named) <= 45


def test_an_address_that_leads_nowhere_looks_like_the_rest_and_leads_back(stage):
    ada = stage.person("Ada").sign_up()
    answer = ada.page.goto(ada.base + "/nowhere")
    assert answer.status == 404
    assert ada.page.get_by_role("heading", name="There is nothing here").is_visible()
    assert ada.page.evaluate("getComputedStyle(document.querySelector('h1')).textAlign") == "center"
    ada.page.get_by_role("link", name="To your chats").click()
    ada.page.wait_for_url("**/chats")
    assert [c for c in ada.complaints if "404" not in c] == []
