"""An open chat: where it opens, how it scrolls through any history, how arrivals affect it."""

import datetime
import re
import time
import uuid

import pytest
from playwright.sync_api import expect

from browser_storage import kept, kept_texts
from history import write_history
from serving import until
from stage import rest

DAY = 86_400_000
NEW_YORK = datetime.timezone(datetime.timedelta(hours=-4))


def pair(stage, **options):
    ada, bob = stage.person("Ada", "Lovelace", **options).sign_up(), stage.person("Bob", "Kahn").sign_up()
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "user_id": bob.id})
    assert status == 201, room
    return ada, bob, room["id"]


def post(person, room, *texts):
    for text in texts:
        status, answer = person.api("POST", f"/rooms/{room}/messages", {"client_id": str(uuid.uuid4()), "text": text})
        assert status == 201, answer


def read_to(person, room, seq):
    assert person.api("PUT", f"/rooms/{room}/receipt", {"read_seq": seq})[0] in (200, 204)


# The log's position: the numbers of the first and last rows, how many there are, and the first visible one with its
# offset.
WHERE = """() => {
  const log = document.querySelector('.log-scroller'), top = log.getBoundingClientRect().top;
  const rows = [...log.querySelectorAll('[data-seq]')];
  const first = rows.find(row => row.getBoundingClientRect().bottom > top);
  return {first: +rows[0].dataset.seq, last: +rows.at(-1).dataset.seq, count: rows.length,
    reading: +first.dataset.seq, offset: first.getBoundingClientRect().top - top,
    toEnd: log.scrollHeight - log.clientHeight - log.scrollTop};
}"""
OFFSET = """seq => document.querySelector(`[data-seq="${seq}"]`).getBoundingClientRect().top
  - document.querySelector('.log-scroller').getBoundingClientRect().top"""


def where(person):
    return person.page.evaluate(WHERE)


def scroll_to(person, top):
    """Scrolls like a person, so that the page gets the event. Returns the log's position afterwards."""
    return person.page.evaluate(f"top => {{ document.querySelector('.log-scroller').scrollTop = top; return ({WHERE})(); }}", top)


@pytest.mark.shows("C1")
def test_opening_shows_the_first_unread_under_a_new_line(stage):
    ada, bob, room = pair(stage)
    post(ada, room, *(f"line {n}." for n in range(1, 131)))
    read_to(bob, room, 90)
    bob.open(room)
    line = bob.log.get_by_text("New", exact=True)
    line.wait_for()
    expect(line).to_have_count(1)
    under = bob.page.evaluate("""() => {
      const line = document.querySelector('.new-line'), log = document.querySelector('.log-scroller');
      const next = line.parentElement.querySelector('[data-seq]');
      const box = next.getBoundingClientRect(), frame = log.getBoundingClientRect();
      return {seq: next.dataset.seq, seen: box.top >= frame.top && box.bottom <= frame.bottom};
    }""")
    assert under == {"seq": "91", "seen": True}


@pytest.mark.shows("C1", "S4")
def test_many_unread_messages_open_at_the_first_and_only_visible_ones_are_read(stage):
    ada, bob, room = pair(stage)
    now = time.time() * 1000
    people = {"ada": ada.id, "bob": bob.id}
    write_history(stage.server, room, people, [("ada", f"old {n}.", now - DAY + n) for n in range(1, 21)])
    post(ada, room, *(f"line {n}." for n in range(1, 121)))
    bob.open(room)
    bob.row("line 1.").wait_for()
    until(lambda: bob.api("GET", f"/rooms/{room}")[1]["read_seq"] > 20, "what shows to be read")
    assert bob.api("GET", f"/rooms/{room}")[1]["read_seq"] < 80
    expect(bob.page.get_by_text("New", exact=True)).to_have_count(1)


@pytest.mark.shows("C1")
def test_stored_messages_show_at_once(stage):
    ada, bob, room = pair(stage)
    post(ada, room, "kept one", "kept two")
    bob.open(room)
    bob.row("kept two").wait_for()
    until(lambda: kept_texts(bob.page, room) == ["kept one", "kept two"], "the browser to have kept both")
    until(lambda: isinstance((kept(bob.page)["meta"].get("rooms") or {}).get("eventId"), int), "the browser to have kept up to which event that is true")
    held = []
    bob.page.route(re.compile(r"/messages\?"), lambda route: held.append(route))
    bob.page.reload()
    bob.row("kept two").wait_for()
    assert held, "shown before the server answered"
    post(ada, room, "new one")
    for route in held:
        route.continue_()
    bob.page.unroute_all(behavior="ignoreErrors")
    bob.row("new one").wait_for()
    assert [bob.row(text).count() for text in ("kept one", "kept two", "new one")] == [1, 1, 1]


@pytest.mark.shows("C2")
def test_days_sides_grouping_and_full_times(stage):
    ada, bob, room = pair(stage, timezone_id="America/New_York")
    then = datetime.datetime(2026, 3, 14, 14, 3, 7, tzinfo=NEW_YORK).timestamp() * 1000
    now = time.time() * 1000
    write_history(stage.server, room, {"ada": ada.id, "bob": bob.id}, [
        ("bob", "pi day", then), ("bob", "3.14159", then + 60_000), ("ada", "2653589", then + 120_000),
        ("bob", "a day ago", now - DAY), ("ada", "just now", now - 1000),
    ])
    ada.open(room)
    ada.row("just now").wait_for()
    headings = ada.log.get_by_role("heading").all_inner_texts()
    assert headings[0] == "14 March 2026" and headings[1:] == ["Yesterday", "Today"]
    time_of = ada.row("pi day").locator("time")
    expect(time_of).to_have_text("14:03", use_inner_text=True)
    expect(time_of).to_have_attribute("title", "Saturday, 14 March 2026, 14:03")
    box = lambda text: ada.row(text).locator(".bubble").bounding_box()
    assert box("2653589")["x"] > box("pi day")["x"] + box("pi day")["width"], "own ones on the other side"
    gap = lambda one, other: box(other)["y"] - box(one)["y"] - box(one)["height"]
    assert gap("pi day", "3.14159") <= 3 < gap("3.14159", "2653589"), "one sender's are joined"
    expect(ada.log.locator(".avatar"), "one face a group of another's messages").to_have_count(2)


@pytest.mark.shows("C3")
def test_a_hundred_thousand_messages_page_by_page_without_moving_the_reader(stage):
    ada, bob, room = pair(stage)
    count, now = 100_000, time.time() * 1000
    words = ("short", "a somewhat longer line that goes on for a while, as people do", "two\nlines", "ok")
    started = datetime.datetime.fromtimestamp(now / 1000) - datetime.timedelta(days=400)
    step = 400 * DAY / count
    write_history(stage.server, room, {"ada": ada.id, "bob": bob.id}, [
        (("ada", "bob")[n // 3 % 2], f"{n}: {words[n % 4]}", now - (count - n) * step) for n in range(1, count + 1)])
    ada.open(room)
    ada.row("100000: short").wait_for()
    for _ in range(12):
        before = scroll_to(ada, 300)
        until(lambda: where(ada)["first"] < before["first"], "earlier messages")
        moved = abs(ada.page.evaluate(OFFSET, before["reading"]) - before["offset"])
        assert moved <= 1, f"the reader was moved by {moved} px"
        assert where(ada)["count"] <= 320
    reading = where(ada)
    until(lambda: where(ada)["count"] <= 250, "the far end to be let go")
    assert abs(ada.page.evaluate(OFFSET, reading["reading"]) - reading["offset"]) <= 1

    day = started + datetime.timedelta(days=100)
    # A heading that the next one has reached is covered.
    rest(ada.page)
    ada.log.locator(".day:not([data-covered])").get_by_role("button").first.click()
    dialog = ada.page.get_by_role("dialog", name="Jump to a date")
    dialog.get_by_label("Jump to a date").fill(day.strftime("%Y-%m-%d"))
    dialog.get_by_role("button", name="Go").click()
    heading = f"{day.day} {day.strftime('%B %Y')}"
    ada.log.get_by_role("heading", name=heading).wait_for()
    place = until(lambda: (lambda w: w if 20_000 < w["reading"] < 30_000 else None)(where(ada)), "that day")
    later = scroll_to(ada, 10**7)
    until(lambda: where(ada)["last"] > later["last"], "later messages, too")
    assert abs(ada.page.evaluate(OFFSET, later["reading"]) - later["offset"]) <= 1
    assert place["count"] <= 320 and where(ada)["count"] <= 320
    ada.page.get_by_role("button", name="Jump to the newest message").click()
    ada.row("100000: short").wait_for()
    until(lambda: where(ada)["toEnd"] <= 1, "the end")
    # The errors are expected while the server was stopped.
    assert [c for c in ada.complaints if "CONNECTION_REFUSED" not in c] == []


@pytest.mark.shows("C4")
def test_response_stream_and_replay_result_in_one_unchanged_row(stage, bad_network):
    ada, bob = stage.person("Ada", base=bad_network.url).sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    held = []
    ada.page.route(re.compile(r"/messages$"), lambda route: held.append((route, route.fetch())))
    ada.page.evaluate("""() => { window.rows = new Set(); new MutationObserver(() => {
      for (const row of document.querySelectorAll('[data-client-id]')) window.rows.add(row); })
      .observe(document.querySelector('[role=log]'), {subtree: true, childList: true}); }""")
    ada.say("only once")
    until(lambda: ada.state("only once") not in ("unsent", None), "the stream to bring it before the answer does")
    for route, answer in held:
        route.fulfill(response=answer)
    ada.page.unroute_all(behavior="ignoreErrors")
    bad_network.go_down()
    until(lambda: ada.connection in ("connecting", "offline"), "the page to notice")
    bob.api("POST", f"/rooms/{room}/messages", {"text": "meanwhile"})
    bad_network.come_back()
    ada.row("meanwhile").wait_for()
    expect(ada.row("only once")).to_have_count(1)
    expect(ada.row("meanwhile")).to_have_count(1)
    assert ada.page.evaluate("window.rows.size") == 1, "one node, from unsent to stored"


@pytest.mark.shows("C5")
def test_a_reader_of_older_messages_stays_and_is_notified_and_the_bottom_follows(stage):
    ada, bob, room = pair(stage)
    post(ada, room, *(f"line {n}." for n in range(1, 61)))
    read_to(bob, room, 60)
    bob.open(room)
    bob.row("line 60.").wait_for()
    until(lambda: where(bob)["toEnd"] <= 1, "the bottom")
    scroll_to(bob, 900)
    bob.page.get_by_role("button", name="Jump to the newest message").wait_for()
    stands = where(bob)
    post(ada, room, "one", "two", "three")
    button = bob.page.get_by_role("button", name="3 new")
    button.wait_for()
    assert abs(bob.page.evaluate(OFFSET, stands["reading"]) - stands["offset"]) <= 1
    button.click()
    until(lambda: where(bob)["toEnd"] <= 1, "the bottom")
    until(lambda: not button.is_visible(), "the button to go")
    post(ada, room, "followed")
    bob.row("followed").wait_for()
    until(lambda: where(bob)["toEnd"] <= 1, "the bottom again")
    assert not bob.page.get_by_role("button", name=re.compile(r"\d new")).is_visible()


@pytest.mark.shows("C6", "K2")
def test_an_empty_chat_says_so_and_its_first_message_shows_above_the_keyboard(stage):
    ada, bob, room = pair(stage, viewport={"width": 360, "height": 740}, has_touch=True)
    ada.open(room)
    said = ada.page.get_by_text("No messages yet")
    said.filter(visible=True).wait_for()
    ada.message_box.tap()
    ada.page.set_viewport_size({"width": 360, "height": 400})  # an on-screen keyboard takes the rest
    ada.say("first of all")
    row = ada.row("first of all")
    row.wait_for()
    box, composer = row.bounding_box(), ada.message_box.bounding_box()
    assert 0 <= box["y"] and box["y"] + box["height"] <= composer["y"]
    assert composer["y"] + composer["height"] <= 400
    until(lambda: said.filter(visible=True).count() == 0, "the notice to go")


@pytest.mark.shows("S4")
def test_only_a_visible_and_focused_window_reads(stage):
    ada, bob, room = pair(stage)
    bob.open(room)
    ada.open(room)
    away = {
        "hasFocus": "document.hasFocus = () => false",
        "visibilityState": "Object.defineProperty(document, 'visibilityState', {get: () => 'hidden', configurable: true})",
    }
    for name, look_away in away.items():
        bob.page.evaluate(look_away + "; dispatchEvent(new Event('blur'))")
        ada.say(f"unseen for {name}")
        bob.row(f"unseen for {name}").wait_for()
        until(lambda: ada.state(f"unseen for {name}") == "delivered", "delivered")
        # Bob's own message takes the same path afterwards: a read would have been reported by now.
        bob.api("POST", f"/rooms/{room}/typing", {"typing": True})
        ada.page.get_by_text(re.compile("typing")).first.wait_for()
        assert ada.state(f"unseen for {name}") == "delivered"
        bob.page.evaluate("delete document.hasFocus; delete document.visibilityState; dispatchEvent(new Event('focus'))")
        until(lambda: ada.state(f"unseen for {name}") == "read", "read, once looked at")
        bob.api("POST", f"/rooms/{room}/typing", {"typing": False})
