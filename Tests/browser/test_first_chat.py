"""The README's path: sign up, find somebody on GitHub, select them, write, get a reply. Its screenshots are in docs/.
"""

import os
import re

import pytest
from playwright.sync_api import expect

from serving import ROOT, until
from stage import Stage

PICTURES = ROOT / "docs" / "screenshots"
WANTED = bool(os.environ.get("HUBBUB_PICTURES"))


def no_hints(page):
    """If screenshots are wanted, waits until no toast from another chat covers anything."""
    if WANTED:
        until(lambda: page.locator(".toast").count() == 0, "the hints to go")


def picture(page, name):
    """Takes the README's screenshots if asked to (HUBBUB_PICTURES=1), otherwise only proves that they can be taken."""
    no_hints(page)
    image = page.screenshot()
    assert len(image) > 5_000
    if WANTED:
        PICTURES.mkdir(parents=True, exist_ok=True)
        (PICTURES / f"{name}.png").write_bytes(image)


def first_chat(person, name=None):
    """A newcomer's whole path. With a name, takes its screenshots."""
    page = person.page
    page.goto(person.base + "/")
    page.get_by_role("button", name="Sign in").wait_for()
    if name:
        picture(page, f"{name}-sign-in")
    person.sign_up_by_form()
    page.get_by_role("link", name="People").first.click()
    page.wait_for_url("**/people")
    people = page.get_by_role("list", name="People")
    people.get_by_text("mojombo").first.wait_for()
    assert people.get_by_role("listitem").count() >= 20
    people.get_by_text("defunkt").first.click()
    page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    person.say("hello from the browser")
    person.row("hello from the browser").first.wait_for()
    until(lambda: person.state("hello from the browser") in ("sent", "delivered", "read"), "the message to be stored")
    answer = person.log.locator('[data-state="received"]').filter(has_text="hello from the browser hello from the browser")
    answer.first.wait_for()
    until(lambda: person.log.locator('[data-state="read"]').count() == 1, "the peer's reading to show")
    assert not page.get_by_text("is not on this Hubbub yet").is_visible(), "who answers is not waited for"
    expect(page.locator(".subtitle")).to_have_text("online", use_inner_text=True)
    return person


def write_to_some(person, lines):
    """Writes to GitHub users and waits for their replies."""
    for login, text in lines.items():
        status, room = person.api("POST", "/rooms", {"kind": "direct", "github_login": login})
        assert status in (200, 201), room
        assert person.api("POST", f"/rooms/{room['id']}/messages", {"text": text})[0] == 201
        until(lambda: person.api("GET", f"/rooms/{room['id']}")[1]["last_seq"] == 2, f"{login}'s answer")


TALK = [
    ("Grace", "Morning! Did the nightly build go through?"),
    ("Ada", "It did: 214 tests, no failures 🎉"),
    ("Ada", "And the parser is twice as fast now"),
    ("Grace", "Oh, nice. What did it?"),
    ("Ada", "No more copying: it reads the bytes where they are. The numbers are at https://example.com/builds/214"),
    ("Grace", "Lovely. Then I shall take that moth out of the relay after all"),
    ("Ada", "Tape it into the logbook 😄"),
]


def talk(ada, grace):
    """Two people talk, each in a browser; at the end one of them is typing."""
    room = ada.chat_with(grace)
    grace.open(room)
    for speaker, text in TALK:
        one, other = (ada, grace) if speaker == "Ada" else (grace, ada)
        one.say(text)
        other.row(text).wait_for()
    until(lambda: ada.log.locator('[data-state="read"]').count() == 4, "Grace's reading to show")
    no_hints(ada.page)
    grace.message_box.press_sequentially("Do")
    ada.page.locator(".subtitle", has_text="typing").wait_for()


@pytest.mark.parametrize("name, options", [
    ("wide-light", {"color_scheme": "light"}),
    ("wide-dark", {"color_scheme": "dark"}),
    ("phone-light", {"viewport": {"width": 360, "height": 740}, "color_scheme": "light", "has_touch": True}),
    ("phone-dark", {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "has_touch": True}),
])
@pytest.mark.shows("D6", "A2", "S1", "S3", "X2")
def test_a_newcomer_is_led_to_a_first_chat_with_a_reply(stage, name, options):
    ada = first_chat(stage.person("Ada", "Lovelace", **options), name)
    write_to_some(ada, {"wycats": "Is there an echo in here?", "pjhyett": "Ha!", "mojombo": "Tea at four?"})
    talk(ada, stage.person("Grace", "Hopper").sign_up())
    pictures_of_people(ada.page)
    picture(ada.page, f"{name}-conversation")
    for section in ("Chats", "People"):
        ada.page.goto(f"{ada.base}/{section.lower()}")
        rows = ada.page.get_by_role("list", name=section)
        rows.get_by_text(re.compile("wycats|Yehuda")).first.wait_for()
        pictures_of_people(ada.page)
        picture(ada.page, f"{name}-{section.lower()}")
    assert ada.complaints == []


def pictures_of_people(page):
    """Waits for every avatar that is loading."""
    until(lambda: page.locator(".avatar img:not([data-loaded])").filter(visible=True).count() == 0, "all faces")


@pytest.mark.shows("L1")
def test_the_waiting_page_lists_the_chat_with_preview_and_time(stage):
    person = first_chat(stage.person("Grace", "Hopper"))
    person.page.get_by_role("link", name="Chats").first.click()
    row = person.page.get_by_role("list", name="Chats").get_by_role("listitem").first
    until(lambda: "hello from the browser hello from the browser" in row.inner_text(), "the preview")
    assert "defunkt" in row.inner_text().lower() or "Chris" in row.inner_text()
    assert re.search(r"\d{1,2}:\d\d", row.inner_text())


def test_the_readmes_command_leads_to_a_chat(browser, serve):
    """`bin/serve --github demo`, as in the README; the browser reconnects after the server was stopped and started."""
    server = serve("--github", "demo", command=(str(ROOT / "bin" / "serve"),))
    stage = Stage(browser, server, covers=False)
    person = first_chat(stage.person("Ada"))
    assert server.stop() == 0
    server.start()
    person.page.reload()
    until(lambda: person.texts_in_order(r"hello from the browser( hello from the browser)?")
          == ["hello from the browser", "hello from the browser hello from the browser"], "everything to be there")
    stage.close()
