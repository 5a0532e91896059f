"""Writing: keys, growth, drafts, and the whole flow without a mouse."""

import re

import pytest
from playwright.sync_api import expect

from api_client import PASSWORD
from serving import until


def open_chat(stage, **options):
    ada, bob = stage.person("Ada", **options).sign_up(), stage.person("Bob").sign_up()
    return ada, bob, ada.chat_with(bob)


@pytest.mark.shows("K1")
def test_return_sends_shift_return_breaks_and_composing_keeps_return(stage):
    ada, bob, room = open_chat(stage)
    box = ada.message_box
    box.fill("first line")
    box.press("Shift+Enter")
    box.press_sequentially("second line")
    expect(box).to_have_value("first line\nsecond line")
    for composing in ("isComposing: true", "keyCode: 229"):
        taken = box.evaluate("field => !field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, "
                             "cancelable: true, " + composing + "}))")
        assert not taken, "Return belongs to the input method"
    assert ada.log.locator("[data-state]").count() == 0
    expect(box).to_have_value("first line\nsecond line")
    box.press("Enter")
    until(lambda: ada.state("second line") in ("sent", "delivered", "read"), "stored")
    assert ada.api("GET", f"/rooms/{room}/messages")[1][0]["text"] == "first line\nsecond line"
    expect(box).to_have_value("")
    box.press("Enter")
    box.fill("   ")
    box.press("Enter")
    expect(ada.log.locator("[data-state]"), "nothing empty is sent").to_have_count(1)


@pytest.mark.shows("K1")
def test_the_field_grows_to_a_third_of_the_screen_then_scrolls(stage):
    ada, _, _ = open_chat(stage)
    box, send = ada.message_box, ada.page.get_by_role("button", name="Send", exact=True)
    heights, place = [], send.bounding_box()
    for lines in (1, 3, 40):
        box.fill("\n".join(f"line {n}" for n in range(lines)))
        heights.append(box.bounding_box()["height"])
    assert heights[0] < 48 and heights[0] < heights[1] < heights[2]
    assert heights[2] <= 800 / 3 + 1
    assert box.evaluate("field => field.scrollHeight > field.clientHeight")
    after = send.bounding_box()
    assert (after["x"], after["y"]) == (place["x"], place["y"]), "the button's place never moves"


@pytest.mark.shows("K3")
def test_a_draft_survives_reload_and_change_of_chat_and_is_sent_nowhere_else(stage):
    ada, bob, with_bob = open_chat(stage)
    carl = stage.person("Carl").sign_up()
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "user_id": carl.id})
    assert status == 201
    bob.api("POST", f"/rooms/{with_bob}/messages", {"text": "hello from Bob"})
    carl.api("POST", f"/rooms/{room['id']}/messages", {"text": "hello from Carl"})
    ada.message_box.fill("for Bob alone")
    chats = ada.page.get_by_role("list", name="Chats")
    chats.get_by_role("link").filter(has_text="Carl").click()
    ada.page.wait_for_url(f"**/chats/{room['id']}")
    ada.row("hello from Carl").wait_for()
    expect(ada.message_box).to_have_value("")
    ada.say("for Carl")
    until(lambda: ada.state("for Carl") not in ("unsent", None), "stored")
    ada.page.reload()
    ada.row("for Carl").wait_for()
    expect(ada.message_box).to_have_value("")
    chats.get_by_role("link").filter(has_text="Bob").click()
    ada.row("hello from Bob").wait_for()
    expect(ada.message_box).to_have_value("for Bob alone")
    ada.message_box.press("Enter")
    until(lambda: ada.state("for Bob alone") not in ("unsent", None), "stored")
    texts = lambda id: [m["text"] for m in ada.api("GET", f"/rooms/{id}/messages")[1]]
    assert texts(room["id"]) == ["hello from Carl", "for Carl"]
    assert texts(with_bob) == ["hello from Bob", "for Bob alone"]
    ada.page.reload()
    ada.row("for Bob alone").wait_for()
    expect(ada.message_box).to_have_value("")


FOCUSED = """() => { const e = document.activeElement;
  return e.getAttribute('aria-label') || e.labels?.[0]?.innerText || e.innerText || ''; }"""


def tab_to(page, name):
    """Presses Tab until the focused element has this name."""
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        if re.search(name, seen[-1]):
            return
    raise AssertionError(f"Tab never came to {name!r}, only to {seen}")


@pytest.mark.shows("H4")
def test_from_sign_in_to_a_sent_message_by_keyboard_alone(stage):
    email = stage.person("Ada", "Lovelace").sign_up().email
    ada = stage.person("Ada", "Lovelace")
    page, keys = ada.page, ada.page.keyboard
    page.goto(ada.base + "/sign-in")
    page.get_by_role("textbox", name="Email").wait_for()
    if page.evaluate(FOCUSED) != "Email":
        tab_to(page, "^Email")
    keys.type(email)
    tab_to(page, "^Password")
    keys.type(PASSWORD)
    keys.press("Enter")
    page.wait_for_url("**/chats")
    page.get_by_role("link", name="People").first.wait_for()
    tab_to(page, "^People$")
    keys.press("Enter")
    people = page.get_by_role("list", name="People")
    people.get_by_text("mojombo").first.wait_for()
    tab_to(page, "mojombo")
    keys.press("ArrowDown")
    until(lambda: "defunkt" in page.evaluate(FOCUSED), "the next person")
    keys.press("Enter")
    page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    until(lambda: page.evaluate(FOCUSED) == "Message", "the field to have the focus")
    keys.type("without a mouse")
    keys.press("Enter")
    until(lambda: ada.state("without a mouse") in ("sent", "delivered", "read"), "stored")
    assert page.evaluate(FOCUSED) == "Message"
    assert ada.complaints == []


INSIDE = """field => {
  const [box, emoji] = [field, document.querySelector('.emoji-button')].map((node) => node.getBoundingClientRect());
  const { paddingLeft, paddingRight } = getComputedStyle(field);
  return emoji.left >= box.right - parseFloat(paddingRight) || emoji.right <= box.left + parseFloat(paddingLeft);
}"""


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 360, "height": 740}, "has_touch": True}])
@pytest.mark.shows("H4")
def test_the_emoji_button_covers_no_text_in_either_direction(stage, direction, options):
    ada, _, _ = open_chat(stage, **options)
    ada.page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    for text in ("", "from left to right", "\u05de\u05d9\u05de\u05d9\u05df \u05dc\u05e9\u05de\u05d0\u05dc"):
        ada.message_box.fill(text)
        assert ada.message_box.evaluate(INSIDE), (direction, text)
        if not text:
            assert ada.message_box.evaluate("(field, direction) => field.matches(`:dir(${direction})`)", direction)
