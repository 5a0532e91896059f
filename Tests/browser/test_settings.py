"""Settings: the person's name, the theme, and signing out, which leaves nothing behind."""

import pytest
from playwright.sync_api import expect

from browser_storage import kept
from serving import until


@pytest.mark.shows("A4", "A2")
def test_a_new_name_is_saved_and_shows_on_other_screens_at_once(stage):
    ada, bob = stage.person("Ada", "Lovelace").sign_up(), stage.person("Bob").sign_up()
    room = bob.chat_with(ada)
    ada.page.get_by_role("link", name="Settings").first.click()
    ada.page.wait_for_url("**/settings")
    first, last = (ada.page.get_by_role("textbox", name=name) for name in ("First name", "Last name"))
    assert (first.input_value(), last.input_value()) == ("Ada", "Lovelace")
    first.fill(" ")
    ada.page.get_by_role("button", name="Save").click()
    until(lambda: first.get_attribute("aria-invalid") == "true", "the field to be marked")
    first.fill("Augusta")
    last.fill("King")
    ada.page.get_by_role("button", name="Save").click()
    ada.page.get_by_text("Saved", exact=True).wait_for()
    bob.page.get_by_role("heading", name="Augusta King").wait_for()
    assert ada.api("GET", "/session")[1]["name"] == "Augusta King"


def test_the_theme_is_chosen_and_kept(stage):
    ada = stage.person("Ada", color_scheme="light").sign_up()
    ground = lambda: ada.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    ada.page.goto(ada.base + "/settings")
    ada.page.get_by_role("radio", name="Dark").wait_for()
    light = ground()
    ada.page.get_by_role("radio", name="Dark").check()
    until(lambda: ground() != light, "the dark")
    ada.page.reload()
    ada.page.get_by_role("radio", name="Dark").wait_for()
    assert ground() != light
    expect(ada.page.get_by_role("radio", name="Dark")).to_be_checked()


@pytest.mark.shows("A5")
def test_signing_out_ends_the_session_and_wipes_what_the_browser_kept(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    ada.say("kept here")
    until(lambda: ada.state("kept here") not in ("unsent", None), "stored")
    ada.message_box.fill("a draft")
    assert ada.page.evaluate("localStorage.length") > 0
    until(lambda: any(kept(ada.page).values()), "something to be kept")
    ada.page.get_by_role("link", name="Settings").first.click()
    ada.page.get_by_role("radio", name="Dark").check()
    ada.page.get_by_role("button", name="Sign out").click()
    ada.page.wait_for_url("**/sign-in*")
    assert not any(kept(ada.page).values())
    assert ada.page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert ada.api("GET", "/session")[0] == 401
    ada.page.goto(f"{ada.base}/chats/{room}")
    ada.page.wait_for_url("**/sign-in*")
    assert ada.page.get_by_text("kept here").count() == 0
