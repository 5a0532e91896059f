"""The list of chats with touch: swipes, long presses, scrolling."""

import re

import pytest
from playwright.sync_api import expect

from chat_list_page import PHONE, friends, left_edge, menu, middle, names, row, start_edge, touch_ready
from fingers import Finger
from serving import until


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.shows("L3")
def test_a_swipe_follows_the_finger_and_shows_actions(stage, direction):
    ada = stage.person("Ada", **PHONE).sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    touch_ready(page)
    page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    sign = -1 if direction == "ltr" else 1
    finger, bob = Finger(page), row(page, "Bob")
    start = start_edge(bob, direction)
    finger.down(*middle(bob))
    finger.move(sign * 40, 2)
    until(lambda: abs(start_edge(bob, direction) - start - sign * 40) < 3, "the row to follow the finger")
    finger.move(sign * 90, 0)
    finger.up()
    until(lambda: abs(start_edge(bob, direction) - start - sign * 52) < 2, "it stays open")
    actions = bob.get_by_role("group").get_by_role("button")
    assert actions.all_inner_texts() == ["Read", "Mute", "Pin", "More"]
    assert page.url.endswith("/chats"), "no chat was opened"
    bob.get_by_role("button", name="Mute").tap()
    bob.get_by_role("img", name="Muted").wait_for()
    until(lambda: abs(start_edge(bob, direction) - start) < 1 and actions.count() == 0, "it closes")
    finger.down(*middle(bob))
    finger.move(sign * 60, 0, steps=20)
    finger.move(-sign * 30, 0)
    finger.up()
    until(lambda: abs(start_edge(bob, direction) - start) < 1, "a short one falls back")
    bob.tap()
    page.wait_for_url(re.compile("/chats/.+"))
    assert ada.complaints == []


@pytest.mark.shows("L3")
def test_scrolling_is_not_a_swipe_and_a_long_press_opens_the_menu(stage):
    ada = stage.person("Ada", **PHONE).sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    touch_ready(page)
    finger, bob = Finger(page), row(page, "Bob")
    start = left_edge(bob)
    finger.down(*middle(bob))
    finger.move(-6, 60)
    finger.move(-120, 10)
    assert left_edge(bob) == start and bob.get_by_role("group").count() == 0
    finger.up()
    finger.down(*middle(bob))
    menu(page).wait_for()
    finger.up()
    expect(menu(page), "lifting the finger does nothing more").to_be_visible()
    assert page.url.endswith("/chats"), "lifting the finger does nothing more"
    menu(page).get_by_role("menuitem", name="Pin").tap()
    bob.get_by_role("img", name="Pinned").wait_for()
    bob.tap()
    page.wait_for_url(re.compile("/chats/.+"))


@pytest.mark.shows("L3", "L4")
def test_the_more_of_a_swipe_leads_to_the_rest_of_the_menu(stage):
    ada = stage.person("Ada", **PHONE).sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    touch_ready(page)
    finger = Finger(page)
    finger.down(*middle(row(page, "Bob")))
    finger.move(-150, 0)
    finger.up()
    row(page, "Bob").get_by_role("button", name="More").tap()
    menu(page).get_by_role("menuitem", name="Delete chat").tap()
    page.get_by_role("dialog").get_by_role("button", name="Delete chat").tap()
    until(lambda: names(page) == ["Carl"], "the row to go")
