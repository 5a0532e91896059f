"""Usability problems found in a trial, each shown once: two people on one server, and a group where it takes one."""

import re

import pytest
from playwright.sync_api import expect

from api_client import Client
from browser_storage import kept, kept_texts
from people import group_of, people
from serving import until


def direct(person, other):
    """A chat of two, created by API: no page shows it."""
    status, room = person.api("POST", "/rooms", {"kind": "direct", "user_id": other.id})
    assert status == 201, room
    return room["id"]


def field(person):
    return person.page.get_by_role("textbox", name="Message")


@pytest.mark.shows("H4", "K1")
def test_typing_outside_the_field_goes_into_it(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    bob.api("POST", f"/rooms/{room}/messages", {"text": "typed beside"})
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    ada.row("typed beside").wait_for()
    until(lambda: page.evaluate("document.activeElement.matches('.composer textarea')"), "the field to have the focus")
    places = {
        "log": lambda: page.locator(".log-scroller").focus(),
        "message": lambda: ada.row("typed beside").locator(".body").click(),
        "list": lambda: page.get_by_role("list", name="Chats").get_by_role("link").first.focus(),
        "nothing": lambda: page.evaluate("document.activeElement.blur()"),
    }
    for name, go in places.items():
        go()
        page.keyboard.type("gs logs ok? /n")
        expect(field(ada), name).to_have_value("gs logs ok? /n")
        assert page.url.endswith(f"/chats/{room}"), name
        field(ada).fill("")
    # After a reaction with the pointer, the field has the focus again.
    ada.api("PUT", f"/rooms/{room}/messages/1/reactions/%F0%9F%91%8D")
    page.locator(".pill").click()
    assert page.evaluate("document.activeElement.matches('.composer textarea')")
    # Without an open chat, letters are shortcuts.
    page.get_by_role("link", name="People").first.click()
    until(lambda: page.evaluate("document.activeElement.localName") == "h1", "the people to show")
    page.keyboard.type("gs")
    page.wait_for_url("**/settings")
    assert ada.complaints == []


@pytest.mark.shows("L6", "O1")
def test_a_new_name_stays_after_a_reload(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    bob.api("POST", f"/rooms/{room}/messages", {"text": "from Bob"})
    page = ada.page
    row = page.get_by_role("list", name="Chats").get_by_role("listitem")
    row.filter(has_text="Bob Tester").wait_for()
    assert bob.api("PATCH", "/me", {"first_name": "Robert"})[0] == 200
    row.filter(has_text="Robert Tester").wait_for()
    kept = """async () => (await new Promise((done) => { const r = indexedDB.open('hubbub'); r.onsuccess = () => {
      const get = r.result.transaction('meta').objectStore('meta').get('rooms'); get.onsuccess = () => { r.result.close();
      done(get.result); }; } }))?.people?.some(({ name }) => name === 'Robert Tester') ?? false"""
    until(lambda: page.evaluate(kept), "the name to be kept")
    # Only stored data: the server does not respond.
    page.route("**/api/v1/**", lambda route: route.abort())
    page.reload()
    row.filter(has_text="Robert Tester").wait_for()
    assert row.filter(has_text="Bob Tester").count() == 0


@pytest.mark.shows("H4")
def test_a_list_is_one_tab_stop_and_the_navigation_can_be_skipped(stage):
    ada, bob = people(stage, "Ada", "Bob")
    rooms = [direct(ada, bob), group_of(ada, bob, name="Readers"), group_of(ada, bob, name="Writers")]
    page = ada.page
    page.goto(f"{ada.base}/chats/{rooms[0]}")
    links = page.get_by_role("list", name="Chats").get_by_role("link")
    until(lambda: links.count() == 3, "three chats")
    stops = lambda: page.evaluate("[...document.querySelectorAll('.chat-rows a')].filter((n) => n.tabIndex === 0).length")
    until(lambda: stops() == 1, "one stop")
    links.first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement === document.querySelectorAll('.chat-rows a')[1]")
    assert stops() == 1
    # From the top of the page to the field by the skip link; from there to the messages.
    bob.api("POST", f"/rooms/{rooms[0]}/messages", {"text": "one"})
    bob.api("POST", f"/rooms/{rooms[0]}/messages", {"text": "two"})
    ada.row("two").wait_for()
    page.get_by_role("link", name="Skip the navigation").focus()
    page.keyboard.press("Enter")
    focused = lambda: page.evaluate("document.activeElement.textContent + document.activeElement.localName")
    assert focused().endswith("textarea")
    page.keyboard.press("Shift+Tab")
    assert "two" in focused()
    page.keyboard.press("ArrowUp")
    until(lambda: "one" in focused(), "the message above")
    page.keyboard.press("ArrowDown")
    until(lambda: "two" in focused(), "the message below")


def unread(person, room):
    return person.api("GET", f"/rooms/{room}")[1]["unread_count"]


def said(person, room, *texts):
    for text in texts:
        status, message = person.api("POST", f"/rooms/{room}/messages", {"text": text})
        assert status == 201, message


@pytest.mark.shows("S4")
def test_sending_reads_nothing_that_was_not_seen(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    said(bob, room, "seen")
    ada.open(room)
    until(lambda: unread(ada, room) == 0, "the first to be read")
    ada.page.goto(f"{ada.base}/people")
    said(bob, room, *(f"line {n}." for n in range(1, 81)))
    bob.open(room)
    ada.open(room)
    ada.row("line 1.").wait_for()
    ada.say("an answer")
    until(lambda: ada.state("an answer") in ("sent", "delivered", "read"), "the answer to be sent")
    bob.row("an answer").wait_for()
    # A receipt after it: whatever the answer had read, Bob's browser would know by now.
    assert ada.api("PUT", f"/rooms/{room}/receipt", {"delivered_seq": 82})[0] == 200
    until(lambda: bob.state("line 80.") in ("delivered", "read"), "Bob to hear that they came")
    assert bob.state("line 80.") == "delivered"
    assert 0 < unread(ada, room) < 80
    expect(ada.page.get_by_text("New", exact=True)).to_have_count(1)


@pytest.mark.shows("S4", "O1")
def test_what_came_while_the_page_was_closed_is_read_as_far_as_it_is_seen(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    said(bob, room, "seen")
    ada.open(room)
    # Twice: with a stored list of chats that knows nothing of them, then with stored messages, too.
    for part in ("morning", "evening"):
        until(lambda: unread(ada, room) == 0, "all to be read")
        until(lambda: kept_texts(ada.page, room), "messages to be stored")
        ada.page.goto("about:blank")
        said(bob, room, *(f"{part} {n}." for n in range(1, 41)))
        ada.page.goto(f"{ada.base}/chats/{room}")
        button = ada.page.get_by_role("button", name=re.compile(r"\d+ new"))
        button.wait_for()
        expect(ada.row(f"{part} 1.")).to_be_in_viewport()
        until(lambda: unread(ada, room) < 40, "the first ones to be read")
        assert unread(ada, room) > 10
        button.click()


@pytest.mark.shows("S4", "S2")
def test_a_queued_message_going_out_reads_nothing(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    said(bob, room, "seen")
    ada.open(room)
    until(lambda: unread(ada, room) == 0, "the first to be read")
    ada.page.route("**/api/v1/rooms/*/messages", lambda route: route.abort())
    ada.say("written without a network")
    ada.page.get_by_role("link", name="People").first.click()
    ada.log.wait_for(state="detached")
    said(bob, room, "unseen 1", "unseen 2")
    bob.open(room)
    until(lambda: "(2)" in ada.page.title(), "two unread")
    ada.page.unroute_all()
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    bob.row("written without a network").wait_for()
    assert "(2)" in ada.page.title()
    assert unread(ada, room) == 2
    # Ada's browser has them, and says so: a receipt that comes after the one that would say "read".
    until(lambda: bob.state("unseen 2") in ("delivered", "read"), "Bob to hear that they came")
    assert bob.state("unseen 2") == "delivered"


@pytest.mark.shows("D9", "D6")
def test_people_begins_with_who_is_here(stage):
    ada, bob = people(stage, "Ada", "Bob")
    Client(stage.server, "Aaron", "Tester")
    until(lambda: bob.connection == "online", "Bob to be online")
    page = ada.page
    page.goto(f"{ada.base}/people")
    rows = page.get_by_role("list", name="People").get_by_role("listitem")
    page.get_by_role("heading", name="On this Hubbub").wait_for()
    names = lambda: rows.locator(".name").all_inner_texts()[:2]
    until(lambda: names() == ["Bob Tester", "Aaron Tester"], "who is online, then the others by name")
    until(lambda: rows.count() > 10, "GitHub's people behind them")
    expect(page.get_by_text("On GitHub", exact=True)).to_have_count(1)
    rows.nth(1).get_by_role("button").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('li').dataset.githubId") is not None, "past the line"
    # Its search looks here first.
    page.get_by_role("searchbox", name="Search").fill("aar")
    until(lambda: names()[:1] == ["Aaron Tester"], "who is signed up to be found")
    rows.first.get_by_role("button").click()
    ada.message_box.wait_for()
    assert page.get_by_role("heading", name="Aaron Tester").count() >= 1
    assert ada.complaints == []


@pytest.mark.shows("L6")
def test_pressing_somebody_puts_no_empty_chat_into_their_list(stage):
    ada, bob = people(stage, "Ada", "Bob")
    ada.page.goto(f"{ada.base}/people")
    ada.page.get_by_role("list", name="People").get_by_role("button").filter(has_text="Bob Tester").click()
    ada.message_box.wait_for()
    ada.message_box.type("h")
    # What comes later is there: so is everything that Bob was told before.
    group_of(ada, bob, name="A group of two")
    chats = bob.page.get_by_role("list", name="Chats").get_by_role("listitem")
    chats.filter(has_text="A group of two").wait_for()
    expect(chats).to_have_count(1)
    bob.page.reload()
    chats.filter(has_text="A group of two").wait_for()
    expect(chats).to_have_count(1)
    assert len(bob.api("GET", "/rooms")[1]) == 1
    ada.say("hello Bob")
    chats.filter(has_text="hello Bob").wait_for()
    until(lambda: "(1)" in bob.page.title(), "one unread")
    expect(chats).to_have_count(2)


@pytest.mark.shows("R1", "R5")
def test_whoever_is_taken_out_while_looking_reads_by_whom(stage):
    ada, bob, carl = people(stage, "Ada", "Bob", "Carl")
    room = group_of(ada, bob, carl, name="Reading circle")
    for person, method, path, said in (
        (bob, "DELETE", "members", "Ada Tester removed you from “Reading circle”"),
        (carl, "PUT", "bans", "Ada Tester banned you from “Reading circle”"),
    ):
        person.open(room)
        until(lambda: person.page.get_by_role("heading", name="Reading circle").count() > 0, "the group")
        until(lambda: person.page.evaluate("document.activeElement.localName") == "textarea", "the field to have the focus")
        assert ada.api(method, f"/rooms/{room}/{path}/{person.id}")[0] == 204
        person.page.get_by_role("heading", name=said).wait_for()
        # Whoever was writing goes on from there by keyboard.
        until(lambda: person.page.evaluate("document.activeElement.localName") == "h1", "the words to have the focus")
        # Nothing else of the group is left on the page.
        assert person.page.get_by_role("heading", name="Reading circle", exact=True).count() == 0
        assert person.message_box.count() == 0
        assert person.page.get_by_role("list", name="Chats").get_by_role("listitem").count() == 0


@pytest.mark.shows("S1", "O1", "S5")
def test_what_was_read_is_read_after_a_reload_without_a_network(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    ada.open(room)
    ada.say("have you seen this")
    until(lambda: ada.state("have you seen this") == "delivered", "Bob's browser to have it")
    bob.open(room)
    until(lambda: ada.state("have you seen this") == "read", "Bob to read")
    until(lambda: kept_texts(ada.page, room) == ["have you seen this"], "the message to be kept")
    receipts = lambda: (kept(ada.page)["meta"].get("rooms") or {}).get("receipts") or []
    until(lambda: any(receipt["read_seq"] == 1 for receipt in receipts()), "the receipt to be kept")
    ada.page.route("**/api/v1/**", lambda route: route.abort())
    ada.page.reload()
    ada.row("have you seen this").wait_for()
    assert ada.state("have you seen this") == "read"
    until(lambda: ada.connection == "offline", "the page to know")
    ada.page.unroute_all(behavior="ignoreErrors")
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    until(lambda: ada.connection == "online", "the page to be back")
    assert ada.state("have you seen this") == "read"


@pytest.mark.shows("L6", "K4", "A4")
def test_a_mention_is_of_a_person_whatever_their_name(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada, bob)
    ada.open(room)
    said(ada, room, "@BobTester look")
    mark = lambda text: ada.row(text).locator(".mention")
    mark("look").wait_for()
    assert bob.api("PATCH", "/me", {"first_name": "Robert"})[0] == 200
    ada.page.reload()
    mark("look").wait_for()
    # The handle stays what it was, and finds them.
    ada.message_box.press_sequentially("@bobt")
    ada.page.get_by_role("option").filter(has_text="Robert Tester").wait_for()
    ada.message_box.press("Enter")
    expect(ada.message_box).to_have_value("@BobTester ")
    ada.message_box.fill("")
    # In the settings it can be changed; what it was still leads to them.
    page = bob.page
    page.goto(f"{bob.base}/settings")
    field = page.get_by_role("textbox", name="Handle")
    until(lambda: field.input_value() == "BobTester", "the handle")
    form = page.locator("form").filter(has=field)
    field.fill("AdaTester")
    form.get_by_role("button", name="Save").click()
    page.get_by_text("Somebody else has this handle.").wait_for()
    field.fill("bobby")
    form.get_by_role("button", name="Save").click()
    until(lambda: bob.api("GET", "/session")[1]["handle"] == "bobby", "the new handle")
    said(ada, room, "@BobTester once more", "@bobby too")
    for text in ("look", "once more", "too"):
        mark(text).wait_for()
    messages = ada.api("GET", f"/rooms/{room}/messages")[1]
    assert [message["mentions"] for message in messages] == [[bob.id]] * 3
