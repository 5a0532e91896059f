"""Lists of tens of thousands: the document and memory stay small, and the position is kept."""

import re

import pytest
from playwright.sync_api import expect

from directory_page import coloured, crowd, people, rows, scroller, seen
from serving import until

TOTAL = 30_000


def to_end(person, count):
    """Scrolls to the end again and again until there are this many people."""
    def more():
        return person.page.evaluate("""(count) => {
          const body = document.querySelector('.list-body');
          body.scrollTop = body.scrollHeight;
          return Number(document.querySelector('ul[aria-label=People] > li')?.getAttribute('aria-setsize')) >= count;
        }""", count)
    until(more, f"{count} people", 120)


@pytest.mark.shows("D1", "D2")
def test_thirty_thousand_followers_take_three_hundred_rows_and_little_memory(quiet_stage):
    ada = quiet_stage.person("Ada").sign_up()
    asked = []
    crowd(ada, TOTAL, asked)
    ada.page.route("**/api/v1/avatars/github-*", lambda route: route.fulfill(status=404))
    ada.page.goto(ada.base + "/people/big/followers")
    rows(ada).first.wait_for()
    session = ada.context.new_cdp_session(ada.page)

    def heap():
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6

    to_end(ada, 1000)
    before = heap()
    to_end(ada, TOTAL)
    ada.page.get_by_text("That is everybody.").wait_for()
    grown = heap() - before
    # Back in the middle, where rows were dropped: they return from the server's storage, and nothing has moved.
    asked.clear()
    ada.page.evaluate("document.querySelector('.list-body').scrollTop = 15000 * 60 + 17")
    until(lambda: [row["text"] for row in seen(ada)][:1] == ["person15001"], "the people in the middle")
    assert asked and all(stored for _, stored in asked), asked
    assert ada.page.evaluate("document.querySelector('.list-body').scrollTop") == 15000 * 60 + 17
    texts = [row["text"] for row in seen(ada)]
    assert texts == [f"person{15001 + n}" for n in range(len(texts))]
    most = ada.page.evaluate("document.querySelectorAll('ul[aria-label=People] > li').length")
    print(f"\nbudget: {TOTAL} followers: {most} rows in the document (bar 300), heap grown by {grown:.1f} MB (bar 10)")
    assert 200 <= most <= 300 and grown <= 10


@pytest.mark.shows("D1")
def test_back_and_forward_keep_the_place_in_a_long_list(stage):
    ada = stage.person("Ada").sign_up()
    crowd(ada, 1000)
    coloured(ada)
    ada.page.goto(ada.base + "/people")
    rows(ada).first.wait_for()
    ada.page.get_by_role("button", name="Followers").click()
    ada.page.get_by_role("textbox", name=re.compile("of whom|login|GitHub", re.I)).fill("big")
    ada.page.keyboard.press("Enter")
    people(ada).get_by_text("person1", exact=True).wait_for()
    to_end(ada, 600)
    scroller(ada).evaluate("body => { body.scrollTop = 400 * 60 + 5; }")
    until(lambda: [row["text"] for row in seen(ada)][:1] == ["person401"], "the place")
    ada.page.go_back()
    people(ada).get_by_text("mojombo").wait_for()
    assert scroller(ada).evaluate("body => body.scrollTop") == 0
    ada.page.go_forward()
    until(lambda: [row["text"] for row in seen(ada)][:1] == ["person401"], "the same people")
    assert scroller(ada).evaluate("body => body.scrollTop") == 400 * 60 + 5
    # And through a chat.
    ada.page.evaluate("document.querySelectorAll('nav a[href=\"/chats\"]')[0].click()")
    ada.page.wait_for_url("**/chats")
    ada.page.go_back()
    until(lambda: [row["text"] for row in seen(ada)][:1] == ["person401"], "the people after another page")
    assert ada.complaints == []


def test_arrow_keys_walk_a_long_list(stage):
    ada = stage.person("Ada").sign_up()
    crowd(ada, 500)
    ada.page.route("**/api/v1/avatars/github-*", lambda route: route.fulfill(status=200, content_type="image/svg+xml",
                   body='<svg xmlns="http://www.w3.org/2000/svg"/>'))
    ada.page.goto(ada.base + "/people/big/followers")
    rows(ada).first.wait_for()
    rows(ada).first.get_by_role("button").focus()
    for key, login in (("ArrowDown", "person2"), ("ArrowUp", "person1"), ("End", "person100"), ("Home", "person1")):
        ada.page.keyboard.press(key)
        focused = ada.page.evaluate("document.activeElement.querySelector('.name').textContent")
        assert focused == login or (key == "End" and re.fullmatch(r"person\d00", focused)), (key, focused)
    expect(rows(ada).first).to_have_attribute("aria-posinset", "1")
