"""What the composer knows about people, emoji and the person's other devices."""

import re

import pytest
from playwright.sync_api import expect

from serving import until


def pair(stage, **options):
    ada, bob = stage.person("Ada", "Lovelace", **options).sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = ada.chat_with(bob)
    return ada, bob, room


def second_device(stage, person, room):
    other = stage.person(person.first, person.last)
    other.email = person.email
    other.sign_in()
    other.open(room)
    return other


@pytest.mark.shows("K3")
def test_a_draft_follows_me_to_my_other_device_and_sending_clears_it_there(stage):
    ada, bob, room = pair(stage)
    phone = second_device(stage, ada, room)
    ada.message_box.press_sequentially("begun at the desk")
    until(lambda: phone.message_box.input_value() == "begun at the desk", "the draft on the other device")
    phone.message_box.focus()
    phone.page.keyboard.press("End")
    phone.page.keyboard.type(", ended on the go")
    until(lambda: ada.message_box.input_value() == "begun at the desk, ended on the go", "the way back")
    phone.message_box.press("Enter")
    until(lambda: ada.message_box.input_value() == "", "sending to clear it everywhere")
    ada.row("begun at the desk, ended on the go").wait_for()
    assert ada.api("GET", f"/rooms/{room}")[1]["draft"] == ""
    ada.message_box.fill("left behind")
    ada.page.get_by_role("link", name="People").first.click()
    until(lambda: ada.api("GET", f"/rooms/{room}")[1]["draft"] == "left behind", "leaving the chat to tell it")
    assert ada.complaints == [] and phone.complaints == []


@pytest.mark.shows("K3")
def test_nothing_typed_for_one_chat_is_sent_to_another_while_answering_or_editing(stage):
    ada, bob, room = pair(stage)
    carl = stage.person("Carl", "Gauss").sign_up()
    status, other = ada.api("POST", "/rooms", {"kind": "direct", "user_id": carl.id})
    assert status == 201
    for person, where, text in ((bob, room, "from Bob"), (carl, other["id"], "from Carl"), (ada, room, "by me")):
        assert person.api("POST", f"/rooms/{where}/messages", {"text": text})[0] == 201
    go = lambda name: ada.page.get_by_role("list", name="Chats").get_by_role("link").filter(has_text=name).click()
    choose = lambda text, item: (
        ada.row(text).locator(".bubble").click(button="right"),
        ada.page.get_by_role("menuitem", name=item, exact=True).click())
    ada.row("from Bob").wait_for()
    choose("from Bob", "Reply")
    ada.message_box.fill("an answer to Bob")
    go("Carl")
    ada.row("from Carl").wait_for()
    expect(ada.message_box).to_have_value("")
    assert ada.page.get_by_role("button", name="Cancel reply").count() == 0
    ada.say("for Carl")
    until(lambda: ada.state("for Carl") not in (None, "unsent"), "stored")
    go("Bob")
    ada.row("from Bob").wait_for()
    expect(ada.message_box).to_have_value("an answer to Bob")
    expect(ada.page.get_by_role("button", name="Cancel reply")).to_be_visible()
    choose("by me", "Edit")
    ada.message_box.fill("by me, mended")
    go("Carl")
    ada.row("from Carl").wait_for()
    expect(ada.message_box).to_have_value("")
    texts = lambda where: [m["text"] for m in ada.api("GET", f"/rooms/{where}/messages")[1]]
    assert texts(room) == ["from Bob", "by me"] and texts(other["id"]) == ["from Carl", "for Carl"]
    assert [m["reply_to"] for m in ada.api("GET", f"/rooms/{other['id']}/messages")[1]] == [None, None]


@pytest.mark.shows("K4", "R3")
def test_at_completes_people_and_a_mention_stands_out(stage):
    ada, bob, room = pair(stage)
    bob.open(room)
    box = ada.message_box
    box.press_sequentially("ask @bo")
    listbox = ada.page.get_by_role("listbox", name="People")
    option = listbox.get_by_role("option", name=re.compile("Bob Kahn"))
    option.wait_for()
    assert box.get_attribute("aria-controls") == listbox.get_attribute("id")
    assert box.get_attribute("aria-activedescendant") == option.get_attribute("id")
    expect(option).to_have_attribute("aria-selected", "true")
    box.press("Tab")
    expect(box).to_have_value("ask @BobKahn ")
    until(lambda: not listbox.is_visible(), "the list to close")
    box.press_sequentially("about <b>@BobKahn</b>")
    box.press("Enter")
    mention = bob.log.locator("strong.mention").first
    mention.wait_for()
    expect(mention).to_have_text("@BobKahn", use_inner_text=True)
    assert ada.log.locator("strong.mention").count() == 0
    expect(ada.log.locator("span.mention"), "mine are stronger for who is meant").to_have_count(2)
    assert bob.log.locator("b").count() == 0, "text, never markup"


@pytest.mark.shows("K4", "K1")
def test_colon_completes_emoji_by_keys_and_leaves_input_methods_alone(stage):
    ada, _, room = pair(stage)
    box = ada.message_box
    box.press_sequentially("well :tad")
    listbox = ada.page.get_by_role("listbox", name="Emoji")
    listbox.wait_for()
    taken = box.evaluate("field => !field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, "
                         "cancelable: true, isComposing: true}))")
    assert not taken, "Return belongs to the input method"
    expect(listbox, "Return belongs to the input method").to_be_visible()
    box.press("Escape")
    until(lambda: not listbox.is_visible(), "Escape to close it")
    expect(box).to_have_value("well :tad")
    box.press("Backspace")
    box.press_sequentially("d")
    assert not listbox.is_visible(), "not again for this word"
    box.fill("")
    box.press_sequentially(":hear")
    listbox.get_by_role("option", name=":hear_no_evil:").wait_for()
    box.press("ArrowDown")
    until(lambda: box.get_attribute("aria-activedescendant") == "completion-1", "the next one to be chosen")
    box.press("ArrowUp")
    box.press("Enter")
    expect(box).to_have_value("❤️ ")
    box.press_sequentially("and :tada:")
    until(lambda: box.input_value() == "❤️ and 🎉", "the closed shortcode to become its emoji")
    box.press("Enter")
    until(lambda: ada.state("❤️ and 🎉") not in (None, "unsent"), "stored")
    assert ada.api("GET", f"/rooms/{room}/messages")[1][-1]["text"] == "❤️ and 🎉"
    assert ada.complaints == []
