"""Messages where one line of them shows: the chat list, drafts, toasts, quotes, pins, search results; without the marks
of Markdown. And the marks of a search, and copying, in the rendered message."""

import re

import pytest
from playwright.sync_api import expect

from chat_list_page import PHONE, friends, row, write
from people import clean
from serving import until
from test_markdown import two_people
from test_message_actions import choose, message, post
from test_search import section
from test_toasts import toasts

PLAN = "# Release *plan*\n- [x] `make` it\n- [ ] [ship](https://example.org/it) **it**"
LINE = "Release plan make it ship it"


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
@pytest.mark.shows("K5", "L1", "L5", "K3")
def test_lists_toasts_and_drafts_show_a_plain_line(stage, options):
    ada = stage.person("Ada", **options).sign_up()
    (bob,), (room,) = friends(stage, ada, "Bob")
    page = ada.page
    page.goto(ada.base + "/settings")
    page.get_by_role("heading", name="Settings").wait_for()
    until(lambda: ada.connection == "online", "the stream")
    write(bob, room, PLAN)
    toast = toasts(page).filter(has_text="Bob")
    toast.wait_for()
    expect(toast.locator(".text")).to_have_text(LINE, use_inner_text=True)
    expect(page.locator("[aria-live=polite]")).to_contain_text(f"Bob: {LINE}", use_inner_text=True)
    page.goto(ada.base + "/chats")
    row(page, "Bob").wait_for()
    preview = lambda: row(page, "Bob").locator(".preview").inner_text()
    assert preview() == LINE
    page.goto(f"{ada.base}/chats/{room}")
    ada.message_box.fill("> [!NOTE]\n> **bold** idea, snake_case_kept")
    page.goto(ada.base + "/chats")
    row(page, "Bob").wait_for()
    until(lambda: "Draft:" in preview(), "the draft")
    assert preview().split(None, 1) == ["Draft:", "bold idea, snake_case_kept"]
    clean(ada)


@pytest.mark.shows("K5", "C7", "R3")
def test_quotes_pins_and_the_composer_show_a_plain_line(stage):
    ada, bob, room = two_people(stage)
    original = post(bob, room, PLAN)
    reply = post(bob, room, "an answer", reply_to=original)
    assert bob.api("PUT", f"/rooms/{room}/pins/{original}")[0] == 204
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    quote = message(ada, reply).locator(".quote .text")
    until(lambda: quote.inner_text() == LINE, "the quote")
    pins = page.get_by_role("region", name="Pinned message")
    until(lambda: f"Bob: {LINE}" in pins.inner_text(), "the pinned message")
    choose(ada, original, "Reply")
    banner = page.locator(".composer-banner, .banner").get_by_text(LINE)
    banner.wait_for()
    page.get_by_role("button", name="Cancel reply").click()
    own = post(ada, room, "my **own** words")
    choose(ada, own, "Edit")
    page.locator(".composer-banner, .banner").get_by_text("my own words").wait_for()
    expect(ada.message_box, "what is edited is the Markdown").to_have_value("my **own** words")
    clean(ada)


@pytest.mark.shows("Q1", "K5")
def test_search_hits_are_marked_across_formatting_and_snippets_are_plain(stage):
    ada = stage.person("Ada").sign_up()
    (bob,), (room,) = friends(stage, ada, "Bob")
    text = "- the **parser** reads `bytes` where\n- they are, **re**reads going\n\nCopy the parser"
    seq = write(bob, room, text)
    write(bob, room, "see [here](https://example.org/hidden)")
    page = ada.page
    found = lambda: section(page, "Messages").get_by_role("listitem")
    page.goto(ada.base + '/search?q="parser reads bytes where they"')
    until(lambda: found().count() == 1, "the message")
    expect(found().locator(".snippet")).to_have_text("the parser reads bytes where they are, rereads going Copy the parser", use_inner_text=True)
    assert found().locator("mark").all_inner_texts() == ["parser reads bytes where they"]
    found().get_by_role("link").click()
    marks = lambda: message(ada, seq).locator("mark").all_inner_texts()
    until(lambda: marks() == ["parser", " reads ", "bytes", " where", "they"], f"the phrase, in five elements; not {marks()}")
    until(lambda: message(ada, seq).get_attribute("data-found") is None and marks() == [], "the marks to go")
    body = message(ada, seq).locator(".rich")
    assert body.evaluate("node => [...node.querySelectorAll('li')].map(li => li.childNodes.length)") == [5, 3], "as before"
    # Whole words only, and none of the page's own.
    page.goto(f"{ada.base}/chats/{room}?at={seq}&found=reads&found=Copy&found=go&found=rereads")
    until(lambda: marks() == ["reads", "re", "reads", "Copy"], "whole words across formatting")
    # What only the address of a link has is shown as it is written.
    page.goto(ada.base + "/search?q=hidden")
    until(lambda: found().count() == 1, "the link")
    expect(found().locator(".snippet")).to_have_text("see [here](https://example.org/hidden)", use_inner_text=True)
    assert found().locator("mark").all_inner_texts() == ["hidden"]
    clean(ada)


@pytest.mark.shows("C7", "K5")
def test_copying_a_message_gives_its_markdown_and_a_selection_the_text_seen(stage):
    ada, bob, room = two_people(stage, permissions=["clipboard-read", "clipboard-write"])
    seq = post(bob, room, PLAN)
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    message(ada, seq).wait_for()
    clipboard = lambda: page.evaluate("navigator.clipboard.readText()")
    choose(ada, seq, "Copy text")
    until(lambda: clipboard() == PLAN, "the Markdown, as it was written")
    page.evaluate("""seq => {
      const body = document.querySelector(`[data-seq="${seq}"] .rich`);
      const range = document.createRange();
      range.setStart(body.querySelector('h3'), 0);
      range.setEndAfter(body.querySelector('li code'));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    }""", seq)
    page.keyboard.press("Control+c")
    until(lambda: re.split(r"\s*\n+\s*", clipboard()) == ["Release plan", "make"], f"what was seen; not {clipboard()!r}")
    page.evaluate("getSelection().removeAllRanges()")
    # Several messages are copied whole: each with its sender, as Markdown.
    other = post(bob, room, "and **more**")
    message(ada, other).wait_for()
    choose(ada, seq, "Select")
    message(ada, other).click()
    page.get_by_role("group", name="Selected messages").get_by_role("button", name="Copy").click()
    until(lambda: PLAN in clipboard() and clipboard().endswith("and **more**") and clipboard().startswith("Bob"), "both")
    clean(ada)


STRUCTURE = """## Plan
1. first
   - inner
2. second

- [x] done

> quoted

> [!WARNING]
> careful

| name | size |
| --- | --- |
| a | 1 |

```swift
let answer = 42
```

# Top"""


@pytest.mark.shows("H4", "K5")
def test_a_screen_reader_hears_the_structure_of_a_message(stage):
    ada, bob, room = two_people(stage)
    seq = post(bob, room, STRUCTURE)
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    message(ada, seq).wait_for()
    heard = message(ada, seq).locator(".rich").aria_snapshot()
    parts = [line.strip() for line in heard.split("\n")]
    expected = [
        '- heading "Plan" [level=4]', "- list:", "- listitem:", "- list:", "- listitem: inner", "- listitem: second", "- list:",
        '- checkbox "Done" [checked] [disabled]', "- blockquote:", "- note:", '- table:',
        '- columnheader "name"', '- columnheader "size"', '- cell "a"', '- cell "1"', '- heading "Top" [level=3]',
    ]
    place = -1
    for part in expected:
        later = [index for index, line in enumerate(parts) if index > place and line.startswith(part)]
        assert later, f"{part} after {parts[:place + 1]}; heard:\n{heard}"
        place = later[0]
    # Code is a block with a name, read as code, and its buttons come before it.
    assert "- code: let answer = 42" in heard or re.search(r"code.*let answer = 42", heard), heard
    assert re.search(r'(group|region|figure) "Code, Swift"', heard), heard
    assert parts.index('- button "Copy"') < next(i for i, line in enumerate(parts) if "let answer" in line)
    # The chat's name is the heading above all of it: no message has one at its level.
    levels = page.locator(".log").get_by_role("heading").evaluate_all("nodes => nodes.map(node => Number(node.localName[1]))")
    assert min(levels) >= 2
    expect(page.get_by_role("heading", level=1).filter(has_text="Bob")).to_have_count(1)
    clean(ada)
