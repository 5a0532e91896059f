"""Completing issues and pull requests behind `#` in a chat with a repository."""

import re

import pytest
from playwright.sync_api import expect

from axe import violations
from people import clean, people
from serving import until

REPOSITORY = "octocat/Hello-World"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def room_of(stage, *names, repository=REPOSITORY, **options):
    ada, bob = people(stage, *(names or ("Ada", "Bob")), **options)
    room = ada.chat_with(bob)
    if repository:
        assert ada.api("PATCH", f"/rooms/{room}", {"repository": repository})[0] == 200
    return ada, bob, room


def issues(person):
    """The list of suggestions."""
    return person.page.get_by_role("listbox", name="Issues and pull requests")


def options(person):
    return issues(person).get_by_role("option").all_inner_texts()


def write(person, text):
    person.message_box.click()
    person.page.keyboard.type(text)


def known(person, query=""):
    status, found = person.api("GET", f"/github/repos/{REPOSITORY}/issues?limit=50&q={query}")
    assert status == 200
    return found


@pytest.mark.shows("K4")
def test_by_number_and_by_words_with_return_tab_and_escape(stage):
    ada, bob, room = room_of(stage)
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url))
    wanted = known(bob)[0]
    write(ada, "see #")
    issues(ada).wait_for()
    first = issues(ada).get_by_role("option").first
    until(lambda: first.get_attribute("aria-selected") == "true", "the first one active")
    assert ada.message_box.get_attribute("aria-activedescendant") == first.get_attribute("id")
    name = re.compile(rf"^#{wanted['number']}\s*{re.escape(wanted['title'])}\s*(Issue|Pull request), \w+")
    issues(ada).get_by_role("option", name=name).wait_for()
    assert violations(ada.page) == []
    ada.page.keyboard.type(str(wanted["number"]))
    until(lambda: all(f"#{wanted['number']}" in one for one in options(ada)), "only this number's")
    ada.page.keyboard.press("Enter")
    issues(ada).wait_for(state="hidden")
    expect(ada.message_box).to_have_value(f"see #{wanted['number']} ")
    word = re.findall(r"[A-Za-z]{4,}", wanted["title"])[-1]
    ada.page.keyboard.type(f"and #{word.upper()}")
    issues(ada).wait_for()
    until(lambda: options(ada) and all(word.lower() in one.lower() for one in options(ada)), "by word")
    second = issues(ada).get_by_role("option").nth(1)
    ada.page.keyboard.press("ArrowDown")
    until(lambda: second.get_attribute("aria-selected") == "true", "the second one active")
    number = re.search(r"#\d+", second.inner_text())[0]
    ada.page.keyboard.press("Tab")
    expect(ada.message_box).to_have_value(f"see #{wanted['number']} and {number} ")
    ada.page.keyboard.type("#")
    issues(ada).wait_for()
    ada.page.keyboard.press("Escape")
    issues(ada).wait_for(state="hidden")
    ada.page.keyboard.type("1")
    ada.page.keyboard.press("Enter")
    until(lambda: ada.message_box.input_value() == "", "sent, since the list is closed")
    ada.row(f"see #{wanted['number']} and {number} #1").wait_for()
    plain = [url for url in asked if "/issues?" in url and "stored=1" not in url]
    assert len(plain) == 1, "what may go to GitHub is asked once"
    clean(ada, bob)


@pytest.mark.shows("K4")
def test_in_an_edit_and_by_touch(stage):
    ada, bob, room = room_of(stage, "Ada", "Bob", **PHONE)
    ada.say("look at ")
    until(lambda: ada.state("look at") not in (None, "unsent"), "stored")
    ada.message_box.press("ArrowUp")
    until(lambda: ada.message_box.input_value() == "look at", "the edit")
    ada.page.keyboard.type(" #")
    option = issues(ada).get_by_role("option").nth(2)
    option.wait_for()
    box = issues(ada).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert min(one["height"] for one in (node.bounding_box() for node in issues(ada).get_by_role("option").all())) >= 40
    number = re.search(r"#\d+", option.inner_text())[0]
    option.tap()
    issues(ada).wait_for(state="hidden")
    expect(ada.message_box).to_have_value(f"look at {number} ")
    assert ada.page.evaluate("document.activeElement.tagName") == "TEXTAREA", "the keyboard stays open"
    clean(ada, bob)


@pytest.mark.shows("K4")
def test_nothing_without_a_repository_in_code_for_headings_and_offline(stage):
    ada, bob, room = room_of(stage, repository=None)
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url))
    write(ada, "see #1")
    ada.page.keyboard.press("Enter")
    until(lambda: ada.message_box.input_value() == "", "sent by Return, since there is no list")
    assert not [url for url in asked if "issue" in url.lower()]
    assert ada.api("PATCH", f"/rooms/{room}", {"repository": REPOSITORY})[0] == 200
    until(lambda: ada.page.evaluate("navigator.onLine"), "online")
    write(ada, "#")
    issues(ada).wait_for()
    ada.page.keyboard.type(" Heading")
    issues(ada).wait_for(state="hidden")
    ada.message_box.fill("")
    write(ada, "`#1")
    until(lambda: ada.message_box.input_value() == "`#1", "typed")
    assert issues(ada).count() == 0
    ada.page.keyboard.type("` #1")
    issues(ada).wait_for()
    ada.message_box.fill("")
    issues(ada).wait_for(state="hidden")
    ada.context.set_offline(True)
    ada.page.get_by_role("status", name="Connection").and_(ada.page.locator('[data-state="offline"]')).wait_for()
    write(ada, "offline #1")
    until(lambda: ada.message_box.input_value() == "offline #1", "typed")
    assert issues(ada).count() == 0
    ada.context.set_offline(False)
