"""Invitations and public rooms: the ways to join a group."""

import re

import pytest

from api_client import PASSWORD
from group_page import info, make_link, member
from people import clean, group_of, people
from serving import until


@pytest.mark.shows("R1", "A3")
def test_an_invitation_brings_somebody_without_an_account_into_the_room(stage):
    (ada,) = people(stage, "Ada")
    room = group_of(ada, topic="One book a month")
    link = make_link(info(ada, room))
    dee = stage.person("Dee", "Tester")
    page = dee.page
    page.goto(link)
    page.get_by_role("heading", name="Reading circle").wait_for()
    assert "Ada Tester invites you to" in page.inner_text("main") and "One book a month" in page.inner_text("main")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_text("Ada Tester invites you to Reading circle.").wait_for()
    page.get_by_role("textbox", name="First name").fill("Dee")
    page.get_by_role("textbox", name="Last name").fill("Tester")
    page.get_by_role("textbox", name="Email").fill(dee.email)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url(f"**/chats/{room}")
    dee.message_box.wait_for()
    member(ada.page, dee).wait_for()
    clean(ada)


@pytest.mark.shows("R1", "control 14")
def test_an_invitation_is_accepted_after_signing_in_but_never_by_opening_its_link(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada)
    link = make_link(info(ada, room))
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Join Reading circle").wait_for()
    assert bob.api("GET", f"/rooms/{room}")[0] == 404, "looking is not joining"
    bob.api("DELETE", "/session")
    # The page is notified and navigates by itself; navigating elsewhere at that moment would conflict.
    bob.page.wait_for_url("**/sign-in?**")
    bob.page.goto(link)
    bob.page.get_by_role("link", name="Sign in").click()
    bob.page.get_by_role("textbox", name="Email").fill(bob.email)
    bob.page.get_by_role("textbox", name="Password").fill(PASSWORD)
    bob.page.get_by_role("button", name="Sign in").click()
    bob.page.wait_for_url(f"**/chats/{room}")
    bob.page.goto(link)
    bob.page.get_by_text("You are in this group already.").wait_for()
    bob.page.get_by_role("link", name="Open the chat").click()
    bob.page.wait_for_url(f"**/chats/{room}")


@pytest.mark.shows("R1")
def test_an_ended_or_unknown_invitation_says_so(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada)
    page = info(ada, room)
    link = make_link(page)
    page.get_by_role("button", name=re.compile("^End the link of")).click()
    page.get_by_text("The link does not work any more.").wait_for()
    nobody = stage.person("Nobody")
    for person in (bob, nobody):
        for address in (link, ada.base + "/invite/no-such-token"):
            person.page.goto(address)
            person.page.get_by_role("heading", name="This invitation does not work").wait_for()
    clean(ada, bob, nobody)


@pytest.mark.shows("R1")
def test_public_rooms_are_found_viewed_and_joined(stage):
    ada, bob = people(stage, "Ada", "Bob")
    page = bob.page
    page.get_by_role("button", name="New chat").click()
    page.get_by_role("menuitem", name="Find public rooms").click()
    page.get_by_text("No public rooms yet").wait_for()
    books = group_of(ada, name="Books", topic="All of them", public=True)
    group_of(ada, name="Films", public=True)
    group_of(ada, name="Secrets")
    page.goto(bob.base + "/rooms")
    rooms = page.get_by_role("list", name="Public rooms")
    until(lambda: rooms.get_by_role("heading").all_inner_texts() == ["Books", "Films"], "both public rooms, no other")
    page.get_by_role("searchbox", name="Search public rooms").fill("boo")
    until(lambda: rooms.get_by_role("heading").all_inner_texts() == ["Books"], "what was searched for")
    page.get_by_role("searchbox", name="Search public rooms").fill("zzz")
    page.get_by_text("No room is called “zzz”.").wait_for()
    page.goto(f"{bob.base}/chats/{books}/info")
    page.get_by_text("You are not in this group.").wait_for()
    assert page.get_by_role("list", name="Members").is_hidden()
    page.goto(bob.base + "/rooms")
    page.get_by_role("button", name="Join Books").click()
    page.wait_for_url(f"**/chats/{books}")
    bob.message_box.wait_for()
    bob.say("hello, readers")
    page.get_by_role("list", name="Chats").get_by_text("Books").wait_for()
    clean(ada, bob)


@pytest.mark.shows("D7")
def test_somebody_who_never_signed_in_gets_an_invite_link(stage):
    (ada,) = people(stage, "Ada")
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "mojombo"})
    assert status == 201
    person = {**room["peer"], "member": False, "online": False}
    for pattern, body in ((f"**/api/v1/rooms/{room['id']}", {**room, "peer": person}),
                          ("**/api/v1/rooms", [{**room, "peer": person}]), ("**/api/v1/presence**", [])):
        ada.context.route(pattern, lambda route, request, body=body: (
            route.fulfill(json=body, headers={"Hubbub-Event-Id": "999999"})
            if request.method == "GET" else route.continue_()))
    page = ada.page
    page.goto(f"{ada.base}/chats/{room['id']}/info")
    page.get_by_role("button", name="Copy invite link").last.click()
    link = page.get_by_role("textbox", name="Copy this link and give it to them:")
    link.wait_for()
    stranger = stage.person("Stranger")
    stranger.page.goto(link.input_value())
    stranger.page.get_by_text("Ada Tester invites you to").wait_for()
    clean(ada, stranger)
