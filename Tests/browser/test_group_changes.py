"""Who came and went and what was changed, as lines of a group's log."""

import pytest
from playwright.sync_api import expect

from browser_storage import kept
from people import check, clean, group_of, people
from proxy import Proxy
from serving import until


def lines(person):
    """What the log says, in its order: messages' texts, and lines in brackets."""
    return person.log.evaluate("""log => [...log.querySelectorAll('.message .body > span:first-child, .change-line')]
        .map(node => node.matches('.change-line') ? `[${node.textContent}]` : node.textContent)""")


def shows(person, expected):
    until(lambda: lines(person) == expected, f"{expected} in the log, not {lines(person)}")


@pytest.mark.shows("R5", "C4")
def test_changes_show_live_in_order_and_stay_after_a_reload_and_without_a_network(stage):
    proxy = Proxy(stage.server.port)
    ada = stage.person("Ada", "Tester", base=proxy.url, service_workers="allow").sign_up()
    bob, cyd = people(stage, "Bob", "Cyd")
    room = group_of(ada, bob)
    for person in (ada, bob):
        person.open(room)
    ada.say("first")
    bob.row("first").first.wait_for()
    assert ada.api("PUT", f"/rooms/{room}/members/{cyd.id}")[0] == 201
    assert ada.api("PATCH", f"/rooms/{room}", {"name": "Engines"})[0] == 200
    for person, who, whom in ((ada, "You", "Cyd Tester"), (bob, "Ada Tester", "Cyd Tester")):
        shows(person, ["first", f"[{who} added {whom}]", f"[{who} renamed the group to “Engines”]"])
    bob.say("second")
    ada.row("second").first.wait_for()
    assert ada.api("PUT", f"/rooms/{room}/pins/1")[0] == 204
    assert cyd.api("DELETE", f"/rooms/{room}/membership")[0] == 204
    all_of = {
        who: ["first", f"[{who} added Cyd Tester]", f"[{who} renamed the group to “Engines”]", "second",
              f"[{who} pinned a message]", "[Cyd Tester left]"] for who in ("You", "Ada Tester")}
    shows(ada, all_of["You"])
    shows(bob, all_of["Ada Tester"])
    # Lines are no messages: nothing is unread by them, and they have no number.
    expect(bob.log.locator("[data-seq]")).to_have_count(2)
    expect(bob.log.get_by_role("article")).to_have_count(2)
    assert bob.api("GET", f"/rooms/{room}")[1]["unread_count"] == 0
    bob.log.get_by_role("link", name="Ada Tester pinned a message").click()
    bob.log.locator("[data-found]").get_by_text("first").wait_for()
    bob.page.reload()
    shows(bob, all_of["Ada Tester"])
    page = ada.page
    until(lambda: page.evaluate("caches.match('/chats').then(Boolean)"), "the pages to be kept", 60)
    until(lambda: [len(one.get("changes") or []) for one in kept(page)["messages"].values()] == [4], "kept lines", 60)
    last = ada.api("GET", "/sync")[1]["last_event_id"]
    until(lambda: (kept(page)["meta"].get("rooms") or {}).get("eventId", 0) >= last, "the list to be kept", 60)
    proxy.go_down()
    page.reload()
    shows(ada, all_of["You"])
    proxy.come_back()
    until(lambda: ada.connection == "online", "to be online again", 60)
    shows(ada, all_of["You"])
    check(bob.page, "a group with changes")
    clean(bob, cyd)
    proxy.close()


@pytest.mark.shows("R5", "H4")
def test_lines_are_in_german_where_the_page_is(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada, bob, name="Lesekreis")
    assert bob.api("PATCH", "/me", {"settings": {"language": "de"}})[0] == 200
    assert ada.api("PATCH", f"/rooms/{room}", {"name": "Bücher"})[0] == 200
    bob.page.goto(f"{bob.base}/chats/{room}")
    line = "Ada Tester hat die Gruppe in „Bücher“ umbenannt"
    bob.page.locator(".change-line").get_by_text(line).wait_for()
    # What was there is not read out; what comes is.
    announcer = bob.page.get_by_role("complementary").get_by_text(line)
    assert announcer.count() == 0
    # A line alone leaves the group empty, which it says.
    bob.page.locator(".log-frame").get_by_text("Noch keine Nachrichten").wait_for()
    clean(ada, bob)


@pytest.mark.shows("R5", "C6")
@pytest.mark.parametrize("height", [800, 420])
def test_an_empty_group_says_so_in_the_middle_of_what_its_lines_leave(stage, height):
    ada, bob = people(stage, "Ada", "Bob", viewport={"width": 360, "height": height})
    room = group_of(ada, bob)
    for name in ("Engines", "Looms", "Mills"):
        assert ada.api("PATCH", f"/rooms/{room}", {"name": name})[0] == 200
    ada.page.goto(f"{ada.base}/chats/{room}")
    said = ada.page.locator(".log-frame > .empty > .what")
    said.wait_for()
    until(lambda: ada.page.locator(".change-line").count() == 3, "three lines")
    frame, first = (ada.page.locator(at).first.bounding_box() for at in (".log-frame", ".change-line"))
    how = ada.page.locator(".log-frame > .empty > .how").bounding_box()
    above = said.bounding_box()["y"] - frame["y"]
    below = first["y"] - (how["y"] + how["height"])
    assert above > 0 and below > 0 and max(above, below) < 3 * min(above, below), (above, below)
