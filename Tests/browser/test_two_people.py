"""Two people in two browsers."""

import re

import pytest

from serving import until


def pair(stage):
    ada, bob = stage.person("Ada", "Lovelace").sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    return ada, bob, room


@pytest.mark.shows("C4", "S1")
def test_messages_go_both_ways_live(stage):
    ada, bob, _ = pair(stage)
    ada.say("hello Bob")
    bob.row("hello Bob").first.wait_for()
    assert bob.state("hello Bob") == "received"
    bob.say("hello Ada")
    ada.row("hello Ada").first.wait_for()
    assert ada.texts_in_order(r"hello \w+") == ["hello Bob", "hello Ada"]
    assert ada.complaints == [] and bob.complaints == []


@pytest.mark.shows("S1", "S4")
def test_ticks_go_from_sent_to_delivered_to_read(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    bob.page.goto(bob.base + "/people")
    bob.page.get_by_role("list", name="People").wait_for()
    ada.say("are you there?")
    until(lambda: ada.state("are you there?") == "delivered", "delivered: one of Bob's devices has it")
    bob.open(room)
    until(lambda: ada.state("are you there?") == "read", "read: it was on Bob's screen")


@pytest.mark.shows("S6")
def test_typing_shows_and_ends(stage):
    ada, bob, _ = pair(stage)
    bob.message_box.press_sequentially("let me think")
    ada.page.get_by_text(re.compile("typing", re.I)).first.wait_for()
    bob.message_box.press("Enter")
    until(lambda: ada.page.get_by_text(re.compile(r"typing", re.I)).filter(visible=True).count() == 0, "typing to end")


@pytest.mark.shows("L1", "L2", "L5")
def test_a_message_elsewhere_shows_a_hint_a_count_and_a_title(stage):
    ada, bob, room = pair(stage)
    ada.page.get_by_role("link", name="People").first.click()
    # The module that shows people is loaded only now; until then the chat is still open, and marks as read.
    ada.page.get_by_role("list", name="People").wait_for()
    bob.say("look here")
    ada.page.get_by_text("look here").first.wait_for()
    until(lambda: ada.page.title().startswith("(1)"), "the count in the title")
    ada.page.get_by_role("link", name="Chats").first.click()
    row = ada.page.get_by_role("list", name="Chats").get_by_role("listitem").first
    until(lambda: "1" in row.inner_text() and "look here" in row.inner_text(), "the row with its count")
    row.click()
    until(lambda: not ada.page.title().startswith("("), "the count to go once read")


@pytest.mark.shows("L2", "A4")
def test_a_new_name_shows_at_once_everywhere(stage):
    ada, bob, _ = pair(stage)
    assert ada.api("PATCH", "/me", {"first_name": "Augusta", "last_name": "King"})[0] == 200
    bob.page.locator(".conversation h1").filter(has_text="Augusta King").wait_for()


@pytest.mark.parametrize("renamed", ["before the list", "after the list"])
@pytest.mark.shows("L2", "A4")
def test_a_new_name_shows_in_an_open_chat_that_is_not_on_the_list(stage, renamed):
    ada, bob = stage.person("Ada", "Lovelace").sign_up(), stage.person("Bob", "Kahn").sign_up()
    # Nothing was written in it, so Bob's list lacks the chat.
    room = ada.chat_with(bob)
    lists = []
    bob.page.route(re.compile(r"/api/v1/rooms\?"), lambda route: lists.append(route))
    bob.open(room)
    title = bob.page.locator(".conversation h1")
    title.filter(has_text="Ada Lovelace").wait_for()
    rename = {"first_name": "Augusta", "last_name": "King"}
    if renamed == "before the list":
        assert ada.api("PATCH", "/me", rename)[0] == 200
    lists[0].continue_()
    until(lambda: bob.connection == "online", "the stream")
    if renamed == "after the list":
        assert ada.api("PATCH", "/me", rename)[0] == 200
    title.filter(has_text="Augusta King").wait_for()


@pytest.mark.shows("C4")
def test_edits_and_deletions_arrive_live_and_touch_only_their_row(stage):
    ada, bob, room = pair(stage)
    for text in ("first", "second", "third"):
        ada.say(text)
    until(lambda: bob.texts_in_order("first|second|third") == ["first", "second", "third"], "three messages")
    bob.page.evaluate("""() => {
      window.touched = new Set();
      new MutationObserver(list => { for (const m of list) {
        const node = m.target.nodeType === 1 ? m.target : m.target.parentElement;
        const row = node && node.closest('[data-seq]');
        if (row) window.touched.add(row.dataset.seq);
      } }).observe(document.querySelector('[role=log]'), {subtree: true, childList: true, characterData: true});
    }""")
    assert ada.api("PATCH", f"/rooms/{room}/messages/2", {"text": "second, mended"})[0] == 200
    bob.row("second, mended").first.wait_for()
    assert bob.page.evaluate("[...window.touched]") == ["2"]
    assert ada.api("DELETE", f"/rooms/{room}/messages/1")[0] == 204
    until(lambda: bob.row("first").count() == 0, "the deleted text to go")
    assert set(bob.page.evaluate("[...window.touched]")) <= {"1", "2"}


@pytest.mark.shows("S4")
def test_all_tabs_of_a_person_agree(stage):
    ada, bob, room = pair(stage)
    second = ada.new_page()
    second.goto(ada.base + "/chats")
    ada.page.goto(ada.base + "/people")
    bob.say("on both, please")
    row = second.get_by_role("list", name="Chats").get_by_role("listitem").first
    until(lambda: "on both, please" in row.inner_text(), "the second tab's row")
    until(lambda: second.title().startswith("(1)"), "the second tab's count")
    ada.page.bring_to_front()
    ada.open(room)
    until(lambda: not second.title().startswith("("), "reading in one tab to show in the other")


@pytest.mark.shows("A2")
def test_signing_in_on_another_device_shows_the_same_chats(stage):
    ada, bob, _ = pair(stage)
    ada.say("remember me")
    until(lambda: ada.state("remember me") != "unsent", "stored")
    other = stage.person("Ada")
    other.email = ada.email
    other.sign_in()
    other.page.get_by_role("list", name="Chats").get_by_text("remember me").first.wait_for()


@pytest.mark.shows("A2")
def test_a_failed_sign_in_does_not_say_which_part_was_wrong(stage):
    ada = stage.person("Ada").sign_up()
    stranger = stage.person("Eve")
    page = stranger.page
    page.goto(stranger.base + "/sign-in")
    told = []
    for email, password in ((ada.email, "not the password"), ("nobody@example.com", "not the password")):
        page.get_by_role("textbox", name="Email").fill(email)
        page.get_by_role("textbox", name="Password").fill(password)
        page.get_by_role("button", name="Sign in").click()
        alert = page.get_by_role("alert").filter(has_text=re.compile(r"\w"))
        alert.first.wait_for()
        told.append(alert.first.inner_text())
    assert told[0] == told[1]


@pytest.mark.shows("A2")
def test_errors_show_at_their_fields_before_and_after_the_server(stage):
    ada = stage.person("Ada").sign_up()
    page = stage.person("Eve").page
    page.goto(ada.base + "/sign-up")
    page.get_by_role("textbox", name="First name").fill("Eve")
    page.get_by_role("textbox", name="Email").fill("not an address")
    page.get_by_role("textbox", name="Password").fill("short")
    page.get_by_role("button", name="Create account").click()
    for name in ("Email", "Password"):
        until(lambda: page.get_by_role("textbox", name=name).get_attribute("aria-invalid") == "true", f"{name} marked")
    page.get_by_role("textbox", name="Email").fill(ada.email)
    page.get_by_role("textbox", name="Password").fill("a long and private phrase")
    page.get_by_role("button", name="Create account").click()
    until(lambda: page.get_by_role("textbox", name="Email").get_attribute("aria-invalid") == "true", "taken is told")
    assert "/sign-up" in page.url
