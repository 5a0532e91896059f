"""Toasts for messages in other chats, anywhere in the app."""


import pytest
from playwright.sync_api import expect

from chat_list_page import again, choose, friends, names, row, write
from serving import until


def toasts(page):
    return page.get_by_role("complementary", name="Notifications").get_by_role("listitem")


@pytest.mark.shows("L5")
def test_a_toast_shows_sender_and_text_anywhere_and_links_to_the_message(stage):
    ada = stage.person("Ada").sign_up()
    (bob,), (room,) = friends(stage, ada, "Bob")
    for section in ("/settings", "/people", "/news"):
        ada.page.goto(ada.base + section)
        ada.page.get_by_role("link", name="Chats").first.wait_for()
        until(lambda: ada.connection == "online", "the stream")
        write(bob, room, f"seen on {section}")
        toast = toasts(ada.page).filter(has_text=f"seen on {section}")
        toast.wait_for()
        assert toast.inner_text().startswith("B\nBob")
    seq = write(bob, room, "press me")
    toasts(ada.page).filter(has_text="press me").get_by_role("link").click()
    ada.page.wait_for_url(f"**/chats/{room}?at={seq}")
    ada.row("press me").first.wait_for()
    assert toasts(ada.page).count() == 0
    assert ada.complaints == []


@pytest.mark.shows("L5", "H4")
def test_at_most_three_toasts_one_per_chat_the_newest_announced_politely(stage):
    ada = stage.person("Ada").sign_up()
    people, rooms = friends(stage, ada, "Bob", "Carl", "Dora", "Emil")
    ada.page.goto(ada.base + "/news")
    until(lambda: ada.connection == "online", "the stream")
    for person, room, name in zip(people, rooms, ("Bob", "Carl", "Dora", "Emil")):
        write(person, room, f"from {name}")
        toasts(ada.page).filter(has_text=f"from {name}").wait_for()
    expect(toasts(ada.page)).to_have_count(3)
    assert "Bob" not in "".join(toasts(ada.page).all_inner_texts())
    live = ada.page.locator("[aria-live=polite]")
    expect(live).to_contain_text("Emil: from Emil", use_inner_text=True)
    write(people[3], rooms[3], "and more")
    toasts(ada.page).filter(has_text="and more").wait_for()
    expect(toasts(ada.page), "one a chat").to_have_count(3)
    ada.page.keyboard.press("Escape")
    until(lambda: toasts(ada.page).count() == 2, "Escape takes the newest away")
    toasts(ada.page).first.get_by_role("button", name="Dismiss").click()
    until(lambda: toasts(ada.page).count() == 1, "and the button its own")


@pytest.mark.shows("L5")
def test_a_toast_disappears_when_its_message_is_read_or_deleted_elsewhere(stage):
    ada = stage.person("Ada").sign_up()
    (bob, carl), (with_bob, with_carl) = friends(stage, ada, "Bob", "Carl")
    other = again(stage, ada)
    ada.page.goto(ada.base + "/news")
    until(lambda: ada.connection == "online", "the stream")
    ada.page.clock.install()
    write(bob, with_bob, "read elsewhere")
    seq = write(carl, with_carl, "taken back")
    until(lambda: toasts(ada.page).count() == 2, "both toasts")
    other.open(with_bob)
    until(lambda: toasts(ada.page).filter(has_text="read elsewhere").count() == 0, "the one that was read to go")
    assert carl.request("DELETE", f"/rooms/{with_carl}/messages/{seq}").status == 204
    until(lambda: toasts(ada.page).count() == 0, "the one that was deleted to go")


@pytest.mark.shows("L5", "T2")
def test_no_toast_for_the_open_chat_nor_for_muted_ones(stage):
    ada = stage.person("Ada").sign_up()
    (bob, carl, dora), (with_bob, with_carl, with_dora) = friends(stage, ada, "Bob", "Carl", "Dora")
    choose(ada.page, "Bob", "Mute")
    row(ada.page, "Bob").get_by_role("img", name="Muted").wait_for()
    ada.open(with_carl)
    until(lambda: ada.connection == "online", "the stream")
    write(bob, with_bob, "muted")
    write(carl, with_carl, "open")
    write(dora, with_dora, "heard")
    toasts(ada.page).filter(has_text="heard").wait_for()
    expect(toasts(ada.page)).to_have_count(1)


@pytest.mark.shows("L5", "Q1")
def test_beside_a_search_the_open_chat_stays_open_and_needs_no_toast(stage):
    ada = stage.person("Ada").sign_up()
    (bob,), (room,) = friends(stage, ada, "Bob")
    ada.open(room)
    ada.message_box.fill("half a thought")
    ada.page.keyboard.press("Control+k")
    ada.page.keyboard.type("bo")
    ada.page.wait_for_url("**/search?q=bo")
    write(bob, room, "still here")
    ada.row("still here").first.wait_for()
    assert toasts(ada.page).count() == 0
    expect(ada.message_box).to_have_value("half a thought")
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_url(f"**/chats/{room}")
    expect(ada.message_box).to_have_value("half a thought")
    assert names(ada.page) == ["Bob"]
