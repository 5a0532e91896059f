"""What the search finds in the real program, from one field, and where it leads."""

import re

import pytest
from playwright.sync_api import expect

from api_client import Client
from chat_list_page import friends, names, row, write
from serving import until
from test_search import field, results, section


def ask(page, text):
    field(page).fill(text)


def texts(page):
    return section(page, "Messages").locator(".snippet").all_inner_texts()


@pytest.mark.shows("Q1")
def test_messages_are_found_while_typing_by_words_code_numbers_and_in_any_script(stage):
    ada = stage.person("Ada", "Lovelace").sign_up()
    (bob, carl), (with_bob, with_carl) = friends(stage, ada, "Bob", "Carl")
    for text in ("the parser reads bytes where they are", "see src/parse/Head.swift and `parseHead()`",
                 "fixes #123 at last", "今日は良い天気ですね", "go ok", "nothing of note"):
        write(bob, with_bob, text)
    write(carl, with_carl, "another parser, from me")
    page = ada.page
    page.keyboard.press("/")
    for query, expected in [
        ("pars", ["another parser, from me", "see src/parse/Head.swift and parseHead()", "the parser reads bytes where they are"]),
        ('"parser reads"', ["the parser reads bytes where they are"]),
        ("Head.swift", ["see src/parse/Head.swift and parseHead()"]),
        ("#123", ["fixes #123 at last"]),
        ("天気", ["今日は良い天気ですね"]),
        ("go", ["go ok"]),
        ("parser has:code", []),
    ]:
        ask(page, query)
        until(lambda: texts(page) == expected, f"{query}: {expected}; not {texts(page)}")
    ask(page, "nothing of")
    section(page, "Messages").locator("mark").first.wait_for()
    assert "".join(section(page, "Messages").locator("mark").all_inner_texts()).startswith("nothing")
    assert ada.complaints == []


@pytest.mark.shows("Q1")
def test_filters_narrow_it_down_to_a_sender_or_a_chat(stage):
    ada = stage.person("Ada").sign_up()
    room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"})[1]["id"]
    (bob,), (with_bob,) = friends(stage, ada, "Bob")
    write(bob, with_bob, "tea at four, see https://example.com")
    assert ada.api("POST", f"/rooms/{room}/messages", {"text": "tea?"})[0] == 201
    until(lambda: ada.api("GET", f"/rooms/{room}")[1]["last_seq"] == 2, "the echo")
    page = ada.page
    page.goto(ada.base + "/search?q=tea")
    until(lambda: len(texts(page)) == 3, "all three")
    ask(page, "tea from:defunkt")
    until(lambda: len(texts(page)) == 1 and "tea?" in texts(page)[0], "the peer's")
    ask(page, "tea has:link")
    until(lambda: texts(page) == ["tea at four, see https://example.com"], "the one with a link")
    ask(page, "tea before:2020-01-01")
    results(page).get_by_text("Nothing found for “tea before:2020-01-01”").wait_for()
    ask(page, "before:yesterdayish")
    alert = results(page).get_by_role("alert").filter(visible=True)
    alert.wait_for()
    assert alert.get_by_role("button").filter(visible=True).count() == 0


@pytest.mark.shows("Q1", "C3")
def test_a_hit_far_up_opens_in_its_place_and_further_hits_page(stage):
    ada = stage.person("Ada").sign_up()
    (bob,), (room,) = friends(stage, ada, "Bob")
    for number in range(1, 361):
        write(bob, room, f"needle in line {number}" if number % 3 == 0 else f"line {number}")
    page = ada.page
    page.goto(ada.base + "/search?q=needle")
    found = section(page, "Messages").get_by_role("listitem")
    # As many as fill the pane, and never all at once: a page is 50, or as many as a busy machine finds within a search's
    # time limit, and further ones follow while there is room.
    until(lambda: found.count() > 0, "the first page")
    assert found.count() < 120
    body = page.locator(".search-view .list-body")
    until(lambda: body.evaluate("pane => { pane.scrollTop = pane.scrollHeight; }") or found.count() == 120, "all hits")
    found.filter(has_text=re.compile("needle in line 60$")).get_by_role("link").click()
    page.wait_for_url(f"**/chats/{room}?at=61&found=*")
    hit = ada.row("needle in line 60").first
    hit.wait_for()
    until(lambda: 0 < hit.bounding_box()["y"] < 700, "it to be in view")
    expect(found, "the results stay beside the chat").to_have_count(120)
    assert names(page) == [] or not row(page, "Bob").is_visible()
    page.evaluate("document.querySelector('.conversation').dataset.same = ''")
    found.filter(has_text=re.compile("needle in line 360$")).get_by_role("link").click()
    ada.row("needle in line 360").first.wait_for()
    page.go_back()
    until(lambda: ada.row("needle in line 60").count() >= 1, "the hit before")
    expect(page.locator(".conversation[data-same]"), "the open chat was not reopened").to_have_count(1)
    page.get_by_role("link", name="Chats").first.click()
    page.wait_for_url("**/chats")
    row(page, "Bob").wait_for()
    assert ada.complaints == [] or all("Failed to load" in c or "ERR_" in c for c in ada.complaints)


@pytest.mark.shows("Q1", "D6")
def test_people_open_a_chat_and_others_can_be_looked_for_on_github(stage):
    ada = stage.person("Ada").sign_up()
    grace = Client(stage.server, "Gracella", "Hopper")
    page = ada.page
    page.keyboard.press("Control+k")
    page.keyboard.type("gracel")
    section(page, "People").get_by_role("button", name="Gracella Hopper").click()
    page.wait_for_url(re.compile("/chats/[0-9a-f-]{36}$"))
    until(lambda: page.locator(".conversation h1").inner_text() == "Gracella Hopper", "the chat")
    ada.say("found you")
    until(lambda: len(grace.request("GET", "/rooms").data) == 1, "the chat at the other end")
    page.keyboard.press("Control+k")
    page.keyboard.type("defunkt")
    results(page).get_by_role("link", name="Search GitHub for “defunkt”").click()
    page.wait_for_url("**/people?q=defunkt")
    page.get_by_role("list", name="People").get_by_text("defunkt").first.wait_for()


@pytest.mark.shows("Q1", "L4")
def test_cleared_and_deleted_messages_are_not_found_and_leave_the_results(stage):
    ada = stage.person("Ada").sign_up()
    (bob, carl), (with_bob, with_carl) = friends(stage, ada, "Bob", "Carl")
    seq = write(bob, with_bob, "a secret kept")
    write(carl, with_carl, "a secret told")
    page = ada.page
    page.goto(ada.base + "/search?q=secret")
    until(lambda: len(texts(page)) == 2, "both")
    assert bob.request("DELETE", f"/rooms/{with_bob}/messages/{seq}").status == 204
    until(lambda: texts(page) == ["a secret told"], "the deleted one to go")
    assert ada.api("POST", f"/rooms/{with_carl}/clearing")[0] == 204
    until(lambda: texts(page) == [], "the cleared one to go")
    page.reload()
    results(page).get_by_text("Nothing found for “secret”").wait_for()
