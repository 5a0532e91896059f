"""A chat's repository: the field, and references in the log."""

import re

import pytest
from playwright.sync_api import expect

from people import clean, group_of, people
from serving import until


def field(person):
    return person.page.get_by_role("textbox", name="Repository on GitHub")


def to_info(person, room):
    person.page.goto(f"{person.base}/chats/{room}/info")
    person.page.get_by_role("heading", name="For you alone").wait_for()


@pytest.mark.shows("K5")
def test_owners_set_a_groups_repository_which_members_see_at_once(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada, bob)
    assert ada.api("POST", f"/rooms/{room}/messages", {"text": "look at #1 and `#1`"})[0] == 201
    to_info(bob, room)
    assert field(bob).count() == 0, "members see it only"
    to_info(ada, room)
    field(ada).fill("no repository")
    field(ada).press("Enter")
    ada.page.get_by_text("Enter a repository as owner/name").wait_for()
    expect(field(ada)).to_have_attribute("aria-invalid", "true")
    assert ada.log.locator("a[data-reference]").count() == 0
    field(ada).fill("octocat/Hello-World")
    field(ada).press("Enter")
    ada.page.get_by_text("Saved", exact=True).wait_for()
    bob.page.get_by_role("link", name="octocat/Hello-World").wait_for()
    assert ada.api("GET", f"/rooms/{room}")[1]["repository"] == "octocat/Hello-World"
    ada.open(room)
    reference = ada.log.locator("a[data-reference]")
    reference.wait_for()
    assert reference.all_inner_texts() == ["#1"], "not in code"
    assert re.search("/octocat/Hello-World/issues/1$", reference.get_attribute("href"), re.I)
    clean(ada, bob)


@pytest.mark.shows("K5")
def test_in_a_direct_chat_both_name_one(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = ada.chat_with(bob)
    ada.say("see #1")
    until(lambda: ada.state("see #1") not in (None, "unsent"), "stored")
    to_info(bob, room)
    field(bob).fill("https://github.com/octocat/Hello-World")
    bob.page.get_by_role("button", name="Save").click()
    bob.page.get_by_text("Saved", exact=True).wait_for()
    ada.log.locator("a[data-reference]", has_text="#1").wait_for()
    clean(ada, bob)
