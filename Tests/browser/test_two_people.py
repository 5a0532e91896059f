"""Two people in two browsers."""

import re

from conftest import until


def pair(stage):
    ada, bob = stage.person("Ada", "Lovelace").sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    return ada, bob, room


def test_messages_go_both_ways_live_C4_S1(stage):
    ada, bob, _ = pair(stage)
    ada.say("hello Bob")
    bob.row("hello Bob").first.wait_for()
    assert bob.state("hello Bob") == "received"
    bob.say("hello Ada")
    ada.row("hello Ada").first.wait_for()
    assert ada.texts_in_order(r"hello \w+") == ["hello Bob", "hello Ada"]
    assert ada.complaints == [] and bob.complaints == []


def test_ticks_go_from_sent_to_delivered_to_read_S1_S4(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    bob.page.goto(bob.base + "/people")
    bob.page.get_by_role("list", name="People").wait_for()
    ada.say("are you there?")
    until(lambda: ada.state("are you there?") == "delivered", "delivered: one of Bob's devices has it")
    bob.open(room)
    until(lambda: ada.state("are you there?") == "read", "read: it was on Bob's screen")


def test_typing_shows_within_a_second_and_ends_S6(stage):
    ada, bob, _ = pair(stage)
    bob.message_box.press_sequentially("let me think")
    ada.page.get_by_text(re.compile("typing", re.I)).first.wait_for(timeout=2000)
    bob.message_box.press("Enter")
    until(lambda: ada.page.get_by_text(re.compile(r"typing", re.I)).filter(visible=True).count() == 0, "typing to end", 8)


def test_a_message_elsewhere_shows_a_hint_a_count_and_a_title_L1_L2_L5(stage):
    ada, bob, room = pair(stage)
    ada.page.get_by_role("link", name="People").first.click()
    # What shows people is fetched only now; until then the chat is still open, and reads.
    ada.page.get_by_role("list", name="People").wait_for()
    bob.say("look here")
    ada.page.get_by_text("look here").first.wait_for()
    until(lambda: ada.page.title().startswith("(1)"), "the count in the title")
    ada.page.get_by_role("link", name="Chats").first.click()
    row = ada.page.get_by_role("list", name="Chats").get_by_role("listitem").first
    until(lambda: "1" in row.inner_text() and "look here" in row.inner_text(), "the row with its count")
    row.click()
    until(lambda: not ada.page.title().startswith("("), "the count to go once read")


def test_a_new_name_shows_at_once_everywhere_L2_A4(stage):
    ada, bob, _ = pair(stage)
    assert ada.api("PATCH", "/me", {"first_name": "Augusta", "last_name": "King"})[0] == 200
    bob.page.get_by_text("Augusta King").first.wait_for()


def test_edits_and_deletions_arrive_live_and_touch_only_their_row_C4(stage):
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


def test_all_tabs_of_a_person_agree_S4(stage):
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


def test_sign_in_again_elsewhere_shows_the_same_chats_A2(stage):
    ada, bob, _ = pair(stage)
    ada.say("remember me")
    until(lambda: ada.state("remember me") != "unsent", "stored")
    other = stage.person("Ada")
    other.email = ada.email
    other.sign_in()
    other.page.get_by_role("list", name="Chats").get_by_text("remember me").first.wait_for()


def test_wrong_sign_in_is_told_without_saying_which_A2(stage):
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


def test_wrong_fields_are_told_at_the_field_before_and_after_the_server_A2(stage):
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
