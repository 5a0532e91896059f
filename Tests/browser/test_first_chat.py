"""The path of the README: sign up, find somebody on GitHub, press, write, be answered. Its pictures are in docs/."""

import os
import pathlib
import re

import pytest

from conftest import ROOT, until

PICTURES = ROOT / "docs" / "screenshots"


def picture(page, name):
    """Takes the README's pictures anew when asked to (HUBBUB_PICTURES=1), else only proves that they can be taken."""
    image = page.screenshot()
    assert len(image) > 5_000
    if os.environ.get("HUBBUB_PICTURES"):
        PICTURES.mkdir(parents=True, exist_ok=True)
        (PICTURES / f"{name}.png").write_bytes(image)


def first_chat(person, name):
    page = person.page
    person.sign_up()
    page.get_by_role("link", name="People").first.click()
    page.wait_for_url("**/people")
    people = page.get_by_role("list", name="People")
    people.get_by_text("mojombo").first.wait_for()
    assert people.get_by_role("listitem").count() >= 20
    picture(page, f"{name}-people")
    people.get_by_text("defunkt").first.click()
    page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    person.say("hello from the browser")
    person.row("hello from the browser").first.wait_for()
    until(lambda: person.state("hello from the browser") in ("sent", "delivered", "read"), "the message to be stored")
    answer = person.log.locator('[data-state="received"]').filter(has_text="hello from the browser hello from the browser")
    answer.first.wait_for()
    until(lambda: person.log.locator('[data-state="read"]').count() == 1, "the peer's reading to show")
    picture(page, f"{name}-conversation")
    return person


@pytest.mark.parametrize("name, options", [
    ("wide-light", {"color_scheme": "light"}),
    ("wide-dark", {"color_scheme": "dark"}),
    ("phone-light", {"viewport": {"width": 360, "height": 740}, "color_scheme": "light", "has_touch": True}),
    ("phone-dark", {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "has_touch": True}),
])
def test_a_newcomer_is_led_to_a_first_chat_with_answer_D6_A2_S1_S3_X2(stage, name, options):
    person = first_chat(stage.person("Ada", "Lovelace", **options), name)
    assert person.complaints == []


def test_the_waiting_page_lists_the_chat_with_preview_and_time_L1(stage):
    person = first_chat(stage.person("Grace", "Hopper"), "list")
    person.page.get_by_role("link", name="Chats").first.click()
    row = person.page.get_by_role("list", name="Chats").get_by_role("listitem").first
    until(lambda: "hello from the browser hello from the browser" in row.inner_text(), "the preview")
    assert "defunkt" in row.inner_text().lower() or "Chris" in row.inner_text()
    assert re.search(r"\d{1,2}:\d\d", row.inner_text())
