"""Actions on messages in an open chat, visible to the other without a reload: edit, delete, hide, reply, forward,
react, pin, select; by pointer, by touch and by keyboard."""

import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from serving import until
from stage import rest


def pair(stage, **options):
    ada, bob = stage.person("Ada", "Lovelace", **options).sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    return ada, bob, room


def post(person, room, text, **more):
    status, message = person.api("POST", f"/rooms/{room}/messages", {"text": text, **more})
    assert status == 201, message
    return message["seq"]


def message(person, seq):
    return person.log.locator(f'[data-seq="{seq}"]')


def open_menu(person, seq):
    message(person, seq).locator(".bubble").click(button="right", position={"x": 12, "y": 12})
    menu = person.page.get_by_role("menu")
    menu.wait_for()
    return menu


def choose(person, seq, name):
    open_menu(person, seq).get_by_role("menuitem", name=name, exact=True).click()


def focused_seq(person):
    return person.page.evaluate("document.activeElement.dataset.seq")


# Records which rows of the log the document changes from now on.
WATCH = """() => { window.touched = new Set(); new MutationObserver(list => { for (const m of list) {
  const node = m.target.nodeType === 1 ? m.target : m.target.parentElement;
  const row = node && node.closest('[data-seq]'); if (row) window.touched.add(row.dataset.seq); } })
  .observe(document.querySelector('[role=log]'), {subtree: true, childList: true, characterData: true}); }"""


@pytest.mark.shows("C7", "K4")
def test_an_edit_shows_on_both_sides_with_its_mark_and_the_draft_returns(stage):
    ada, bob, room = pair(stage)
    seq = post(ada, room, "teh first")
    ada.message_box.fill("half a thought")
    choose(ada, seq, "Edit")
    expect(ada.message_box).to_have_value("teh first")
    ada.message_box.fill("the first")
    ada.message_box.press("Enter")
    for person in (ada, bob):
        until(lambda: "the first" in message(person, seq).inner_text(), "the new text")
        assert message(person, seq).get_by_text("edited", exact=True).get_attribute("title").startswith("Edited ")
    expect(ada.message_box).to_have_value("half a thought")
    ada.message_box.fill("")
    ada.message_box.press("ArrowUp")
    expect(ada.message_box, "the arrow edits my last message").to_have_value("the first")
    ada.message_box.fill("something else")
    ada.message_box.press("Escape")
    expect(ada.message_box).to_have_value("")
    assert len(ada.api("GET", f"/rooms/{room}/messages")[1]) == 1, "nothing was sent"
    assert ada.api("GET", f"/rooms/{room}/messages")[1][0]["text"] == "the first"
    assert ada.complaints == [] and bob.complaints == []


@pytest.mark.shows("C7")
def test_deleting_for_everyone_leaves_a_tombstone_and_for_me_nothing(stage):
    ada, bob, room = pair(stage)
    mine, theirs, kept = post(ada, room, "mine, for all"), post(bob, room, "theirs, for me"), post(bob, room, "kept")
    message(ada, kept).wait_for()
    choose(ada, mine, "Delete…")
    ada.page.get_by_role("dialog").get_by_role("button", name="Delete for everyone").click()
    for person in (ada, bob):
        until(lambda: "This message was deleted" in message(person, mine).inner_text(), "the tombstone")
    choose(ada, theirs, "Delete…")
    dialog = ada.page.get_by_role("dialog")
    assert dialog.get_by_role("button", name="Delete for everyone").count() == 0, "not mine to delete for all"
    second = ada.new_page()
    second.goto(f"{ada.base}/chats/{room}")
    there = second.get_by_role("log", name="Messages").get_by_text("theirs, for me")
    there.wait_for()
    ada.page.bring_to_front()
    dialog.get_by_role("button", name="Delete for me").click()
    until(lambda: message(ada, theirs).count() == 0, "it to go")
    until(lambda: there.count() == 0, "it to go from my other tab")
    expect(message(bob, theirs).get_by_text("theirs, for me")).to_be_visible()
    ada.page.reload()
    message(ada, kept).wait_for()
    assert message(ada, theirs).count() == 0


@pytest.mark.shows("C7")
def test_a_reply_quotes_its_original_links_to_it_and_says_when_it_is_deleted(stage):
    ada, bob, room = pair(stage)
    original = post(bob, room, "which note first?")
    hidden = post(bob, room, "hide me")
    for number in range(60):
        post(bob, room, f"filler {number}.")
    message(ada, original + 61).wait_for()
    ada.page.goto(f"{ada.base}/chats/{room}?at={original}")
    until(lambda: message(ada, original).get_attribute("data-found") is not None, "the linked message to glow")
    choose(ada, original, "Reply")
    banner = ada.page.get_by_role("button", name=re.compile("Reply to Bob Kahn"))
    banner.wait_for()
    ada.page.reload()
    banner.wait_for()
    expect(ada.page.get_by_role("button", name="Cancel reply"), "the reply is kept with its draft").to_be_visible()
    ada.say("Note G")
    until(lambda: ada.state("Note G") not in (None, "unsent"), "stored")
    assert banner.count() == 0
    reply = bob.row("Note G")
    reply.wait_for()
    assert "Bob Kahn\nwhich note first?" in reply.inner_text()
    bob.page.reload()
    until(lambda: "which note first?" in reply.inner_text(), "the original, though it is not in the window")
    reply.locator(".quote").click()
    until(lambda: message(bob, original).get_attribute("data-found") is not None, "the original to glow")
    expect(message(bob, original)).to_be_visible()
    assert bob.api("DELETE", f"/rooms/{room}/messages/{hidden}?for=me")[0] == 204
    gone = post(ada, room, "about that", reply_to=hidden)
    bob.page.get_by_role("button", name=re.compile("new$")).filter(visible=True).click()
    until(lambda: "not available any more" in message(bob, gone).inner_text(), "the missing original to say so")


@pytest.mark.shows("R3", "C4")
def test_reactions_toggle_show_at_once_on_both_sides_and_change_only_their_row(stage):
    ada, bob, room = pair(stage)
    seqs = [post(ada, room, f"line {n}") for n in range(3)]
    seq = seqs[1]
    message(bob, seqs[2]).wait_for()
    message(ada, seqs[2]).wait_for()
    bob.page.evaluate(WATCH)
    open_menu(ada, seq).get_by_role("menuitemcheckbox", name="React with 👍").click()
    pill = lambda person: message(person, seq).get_by_role("button", name=re.compile("^👍"))
    pill(bob).wait_for()
    expect(pill(ada)).to_have_attribute("aria-pressed", "true")
    expect(pill(bob)).to_have_attribute("aria-pressed", "false")
    assert bob.page.evaluate("[...window.touched]") == [str(seq)]
    pill(bob).click()
    until(lambda: pill(ada).inner_text().split() == ["👍", "2"], "two of them")
    pill(ada).hover()
    until(lambda: pill(ada).get_attribute("title") == "You and Bob Kahn", "who reacted, in the tooltip")
    choose(ada, seq, "Who reacted")
    ada.page.get_by_role("dialog", name="Who reacted").get_by_text("Bob Kahn").wait_for()
    ada.page.keyboard.press("Escape")
    pill(ada).click()
    until(lambda: pill(bob).inner_text().split() == ["👍", "1"], "mine to go")
    expect(pill(ada)).to_have_attribute("aria-pressed", "false")
    pill(bob).click()
    until(lambda: pill(ada).count() == 0, "none to be left")
    open_menu(bob, seq).get_by_role("menuitem", name="More emoji").click()
    picker = bob.page.get_by_role("dialog", name="Choose an emoji")
    picker.get_by_role("searchbox").fill("rocket")
    picker.get_by_role("button", name="rocket").click()
    message(ada, seq).get_by_role("button", name=re.compile("🚀")).wait_for()
    assert ada.complaints == [] and bob.complaints == []


@pytest.mark.shows("R3")
def test_a_refused_reaction_is_reverted_with_a_reason_and_offline_is_explained(stage):
    ada, bob, room = pair(stage)
    seq = post(bob, room, "react to me")
    assert bob.api("PUT", f"/rooms/{room}/messages/{seq}/reactions/{urllib.parse.quote('🎉')}")[0] == 204
    pill = message(ada, seq).get_by_role("button", name=re.compile("🎉"))
    pill.wait_for()
    ada.page.route(re.compile("/reactions/"), lambda route: route.fulfill(
        status=500, content_type="application/problem+json", body='{"type": "/problems/internal", "status": 500}'))
    pill.click()
    ada.page.get_by_text("Your reaction is not saved.").first.wait_for()
    assert pill.inner_text().split() == ["🎉", "1"]
    expect(pill).to_have_attribute("aria-pressed", "false")


@pytest.mark.shows("R3")
def test_pins_show_in_a_bar_for_both_can_be_walked_and_removed(stage):
    ada, bob, room = pair(stage)
    first = post(bob, room, "the first to be pinned")
    for number in range(40):
        post(ada, room, f"filler {number}.")
    second = post(bob, room, "the second to be pinned")
    message(ada, second).wait_for()
    choose(ada, second, "Pin")
    bar = bob.page.get_by_role("region", name="Pinned message")
    bar.get_by_text("the second to be pinned").wait_for()
    assert bob.api("PUT", f"/rooms/{room}/pins/{first}")[0] == 204
    for person in (ada, bob):
        until(lambda: "the first to be pinned" in person.page.get_by_role("region", name="Pinned message").inner_text(),
              "the newest pin")
    bar.get_by_role("button", name=re.compile("the first to be pinned")).click()
    until(lambda: message(bob, first).get_attribute("data-found") is not None, "to go there")
    expect(bar).to_contain_text("Pinned message 2 of 2", use_inner_text=True)
    expect(bar).to_contain_text("the second", use_inner_text=True)
    bar.get_by_role("button", name="All pinned messages").click()
    bob.page.get_by_role("dialog", name="2 pinned messages").get_by_role("button", name=re.compile("the second")).click()
    until(lambda: message(bob, second).get_attribute("data-found") is not None, "to go there from the list")
    choose(bob, second, "Unpin")
    assert ada.api("DELETE", f"/rooms/{room}/messages/{first}")[0] in (403, 404, 204)
    bob.api("DELETE", f"/rooms/{room}/pins/{first}")
    for person in (ada, bob):
        until(lambda: person.page.get_by_role("region", name="Pinned message").count() == 0, "the bar to go")


@pytest.mark.shows("C7")
def test_selected_messages_are_copied_forwarded_in_order_and_deleted(stage):
    ada, bob, room = pair(stage, permissions=["clipboard-read", "clipboard-write"])
    carl = stage.person("Carl", "Gauss").sign_up()
    status, other = ada.api("POST", "/rooms", {"kind": "direct", "user_id": carl.id})
    assert status == 201
    carl.open(other["id"])
    seqs = [post(bob, room, f"part {n}") for n in range(1, 5)]
    message(ada, seqs[3]).wait_for()
    choose(ada, seqs[2], "Select")
    bar = ada.page.get_by_role("group", name="Selected messages")
    message(ada, seqs[0]).click()
    message(ada, seqs[1]).click()
    until(lambda: "3 selected" in bar.inner_text(), "three")
    message(ada, seqs[1]).click()
    until(lambda: "2 selected" in bar.inner_text(), "two")
    bar.get_by_role("button", name="Forward").click()
    dialog = ada.page.get_by_role("dialog", name="Forward 2 messages to…")
    dialog.get_by_role("searchbox").fill("gau")
    until(lambda: dialog.get_by_role("listitem").count() == 1, "one chat to be left")
    dialog.get_by_role("searchbox").press("Enter")
    dialog.get_by_role("searchbox").press("Enter")
    until(lambda: carl.texts_in_order(r"part \d") == ["part 1", "part 3"], "both, in their order")
    expect(carl.row("part 1")).to_contain_text("Forwarded from Bob Kahn", use_inner_text=True)
    ada.page.get_by_text("Forwarded to Carl Gauss").wait_for()
    assert bar.count() == 0
    expect(ada.message_box).to_be_visible()
    choose(ada, seqs[0], "Select")
    message(ada, seqs[3]).click()
    bar.get_by_role("button", name="Copy").click()
    ada.page.get_by_text("Text copied").wait_for()
    until(lambda: bar.count() == 0, "selecting to end")
    choose(ada, seqs[0], "Select")
    message(ada, seqs[3]).click()
    bar.get_by_role("button", name="Delete").click()
    ada.page.get_by_role("dialog", name="Delete 2 messages?").get_by_role("button", name="Delete for me").click()
    until(lambda: ada.texts_in_order(r"part \d") == ["part 2", "part 3"], "two to be left")
    assert bob.texts_in_order(r"part \d") == ["part 1", "part 2", "part 3", "part 4"]


@pytest.mark.shows("C7", "H4")
def test_escape_ends_a_selection_that_a_pointer_began(stage):
    ada, bob, room = pair(stage)
    seq = post(bob, room, "to be selected")
    message(ada, seq).wait_for()
    ada.message_box.click()
    choose(ada, seq, "Select")
    bar = ada.page.get_by_role("group", name="Selected messages")
    bar.wait_for()
    ada.page.keyboard.press("Escape")
    ada.message_box.wait_for()
    assert bar.count() == 0


@pytest.mark.shows("C7", "H4")
def test_all_message_actions_by_keyboard_only(stage):
    ada, bob, room = pair(stage)
    seqs = [post(bob, room, f"line {n}") for n in range(3)]
    message(ada, seqs[2]).wait_for()
    page, keys = ada.page, ada.page.keyboard
    ada.message_box.focus()
    keys.press("Shift+Tab")
    for _ in range(4):
        if page.evaluate("document.activeElement.classList.contains('log-scroller')"):
            break
        keys.press("Shift+Tab")
    keys.press("ArrowUp")
    until(lambda: focused_seq(ada) == str(seqs[2]), "the newest message to have the focus")
    keys.press("ArrowUp")
    assert focused_seq(ada) == str(seqs[1])
    keys.press("Enter")
    menu = page.get_by_role("menu", name="Actions for the message of Bob Kahn")
    menu.wait_for()
    keys.press("Escape")
    assert menu.count() == 0 and focused_seq(ada) == str(seqs[1]), "the focus is given back"
    keys.press("Shift+F10")
    menu.wait_for()
    keys.press("ArrowUp")
    keys.press("ArrowRight")
    keys.press("Enter")
    message(bob, seqs[1]).get_by_role("button", name=re.compile("❤️")).wait_for()
    assert focused_seq(ada) == str(seqs[1])
    keys.press("Enter")
    menu.wait_for()
    keys.press("d")
    keys.press("Enter")
    dialog = page.get_by_role("dialog", name="Delete this message?")
    dialog.wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Cancel", "Return alone deletes nothing"
    keys.press("Enter")
    assert dialog.count() == 0 and focused_seq(ada) == str(seqs[1])
    keys.press("Enter")
    menu.get_by_role("menuitem", name="Reply").wait_for()
    keys.press("Enter")
    until(lambda: page.evaluate("document.activeElement.getAttribute('aria-label')") == "Message", "the field")
    keys.type("answered by keys")
    keys.press("Enter")
    bob.row("answered by keys").wait_for()
    expect(bob.row("answered by keys").locator(".quote")).to_have_count(1)
    assert ada.complaints == []


@pytest.mark.shows("C7", "K2")
def test_a_long_press_opens_a_sheet_and_a_tap_does_not(stage):
    ada, bob, room = pair(stage, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    seq = post(bob, room, "press me long")
    bubble = message(ada, seq).locator(".bubble")
    bubble.wait_for()
    rest(ada.page)
    box = bubble.bounding_box()
    at = {"x": box["x"] + 30, "y": box["y"] + 15}
    session = ada.context.new_cdp_session(ada.page)
    finger = lambda kind, points: session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    menu = ada.page.get_by_role("menu")
    finger("touchStart", [at])
    finger("touchEnd", [])
    finger("touchStart", [at])
    menu.wait_for()
    finger("touchEnd", [])
    expect(menu, "the finger that goes does not close it").to_be_visible()
    rest(ada.page)
    place = menu.bounding_box()
    assert (place["x"], place["width"]) == (0, 360) and abs(place["y"] + place["height"] - 740) <= 1, "a sheet"
    for item in menu.get_by_role("menuitem").all():
        assert item.bounding_box()["height"] >= 44
    menu.get_by_role("menuitemcheckbox", name="React with 🎉").tap()
    message(bob, seq).get_by_role("button", name=re.compile("🎉")).wait_for()
    until(lambda: menu.count() == 0, "the sheet to go")
    rest(ada.page)
    finger("touchStart", [at])
    menu.wait_for()
    finger("touchEnd", [])
    ada.page.touchscreen.tap(180, 30)
    until(lambda: menu.count() == 0, "a tap beside it to close it")
    assert ada.page.url.endswith(room), "and to do nothing else"
    expect(ada.message_box, "and to do nothing else").to_be_visible()
    # Selecting moves bubbles aside, but does not rewrap any line.
    rows = [message(ada, post(person, room, "more words than fit on a line " * 4)) for person in (bob, ada)]
    boxes = lambda: [row.locator(".bubble").bounding_box() for row in rows]
    # In whole pixels, since compositing changes sizes by fractions of one.
    sizes = lambda: [(round(box["width"]), round(box["height"])) for box in boxes()]
    rows[1].wait_for()
    before = sizes()
    choose(ada, seq, "Select")
    ada.page.get_by_role("group", name="Selected messages").wait_for()
    assert sizes() == before


@pytest.mark.shows("S5", "C7")
def test_offline_changes_are_refused_with_a_reason_and_the_input_stays(stage, bad_network):
    ada, bob = stage.person("Ada", base=bad_network.url).sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    seq = post(ada, room, "as it was")
    message(ada, seq).wait_for()
    choose(ada, seq, "Edit")
    bad_network.go_down()
    until(lambda: ada.connection == "offline", "the page to notice")
    ada.message_box.fill("as it should be")
    ada.message_box.press("Enter")
    ada.page.get_by_text("You are offline. Your change is kept here").wait_for()
    expect(ada.message_box).to_have_value("as it should be")
    open_menu(ada, seq).get_by_role("menuitemcheckbox", name="React with 👍").click()
    ada.page.get_by_text("You are offline. Try again when you are connected.").first.wait_for()
    bad_network.come_back()
    until(lambda: ada.connection == "online", "the connection")
    ada.message_box.press("Enter")
    until(lambda: "as it should be" in message(ada, seq).inner_text(), "the edit")
