"""Messages in a group of three: ticks when at least one has read, who has read on request, who may delete and pin."""

import re

import pytest
from playwright.sync_api import expect

from serving import until
from test_message_actions import choose, message, open_menu, post


def trio(stage):
    ada, bob = stage.person("Ada", "Lovelace").sign_up(), stage.person("Bob", "Kahn").sign_up()
    carl = stage.person("Carl", "Gauss").sign_up()
    carl.page.goto("about:blank")
    status, room = ada.api("POST", "/rooms", {"kind": "group", "name": "Engine", "member_ids": [bob.id, carl.id]})
    assert status == 201, room
    for person in (ada, bob):
        person.open(room["id"])
    return ada, bob, carl, room["id"]


@pytest.mark.shows("R4", "S1")
def test_a_tick_means_at_least_one_reader_and_lists_them_on_demand(stage):
    ada, bob, carl, room = trio(stage)
    ada.say("who reads this?")
    until(lambda: ada.state("who reads this?") == "read", "read by Bob")
    seq = int(ada.row("who reads this?").get_attribute("data-seq"))
    choose(ada, seq, "Who has read it")
    dialog = ada.page.get_by_role("dialog", name="Who has read it")
    until(lambda: "Read by 1 of 2" in dialog.inner_text(), "the list")
    lines = [line for line in dialog.inner_text().splitlines() if line in
             ("Read by 1 of 2", "Bob Kahn", "Carl Gauss", "Not delivered yet")]
    assert lines == ["Read by 1 of 2", "Bob Kahn", "Not delivered yet", "Carl Gauss"]
    ada.page.keyboard.press("Escape")
    carl.open(room)
    carl.row("who reads this?").wait_for()
    hue = lambda part: carl.row("who reads this?").locator(part).first.get_attribute("data-colour")
    assert hue(".sender") == hue(".avatar") is not None, "a name has the hue of its face"
    until(lambda: carl.api("GET", f"/rooms/{room}")[1]["read_seq"] >= seq, "Carl to read")
    choose(ada, seq, "Who has read it")
    until(lambda: "Read by 2 of 2" in dialog.inner_text(), "both")


@pytest.mark.shows("R3", "C7")
def test_the_owner_deletes_and_pins_what_members_may_not(stage):
    ada, bob, carl, room = trio(stage)
    seq = post(bob, room, "by Bob, for @AdaLovelace")
    mine = post(ada, room, "by Ada")
    message(ada, mine).wait_for()
    expect(message(ada, seq).locator("strong.mention")).to_have_text("@AdaLovelace", use_inner_text=True)
    menu = open_menu(bob, mine)
    offered = [item.inner_text() for item in menu.get_by_role("menuitem").all()]
    assert "Pin" not in offered and "Reply" in offered and "Who has read it" not in offered
    bob.page.keyboard.press("Escape")
    choose(ada, seq, "Pin")
    bob.page.get_by_role("region", name="Pinned message").get_by_text("by Bob").wait_for()
    choose(ada, seq, "Delete…")
    ada.page.get_by_role("dialog").get_by_role("button", name="Delete for everyone").click()
    until(lambda: "This message was deleted" in message(bob, seq).inner_text(), "the tombstone")
    until(lambda: bob.page.get_by_role("region", name="Pinned message").count() == 0, "its pin to go")
    choose(bob, mine, "Delete…")
    dialog = bob.page.get_by_role("dialog")
    dialog.wait_for()
    assert dialog.get_by_role("button", name=re.compile("Delete for")).all_inner_texts() == ["Delete for me"]
