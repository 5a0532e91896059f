"""Signing in with GitHub as people see it: the door, the way there and back, linking, what waited (A1, A6, D7, A3)."""

import re

import pytest

from conftest import PASSWORD, Stage, until
from github import CanaryGitHub, flip

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
FAILURES = ("denied", "expired", "unverified", "misconfigured", "unavailable", "closed", "invite", "state")


def come_in(person, login="octocat"):
    """By the stand-in's own page, as that login."""
    page = person.page
    page.get_by_role("link", name="Continue with GitHub").click()
    page.wait_for_url("**/login/oauth/authorize?**")
    page.get_by_role("radio", name=re.compile(login)).check()
    page.get_by_role("button", name="Authorize").click()


def visitor(stage, name, login, **options):
    person = stage.person(name, **options)
    person.page.goto(person.base + "/sign-in")
    come_in(person, login)
    person.page.wait_for_url("**/chats")
    person.page.get_by_role("link", name="Chats").first.wait_for()
    return person


def test_continue_with_github_comes_first_and_leads_in_and_in_again_A1(stage):
    person = stage.person("Octo")
    page = person.page
    page.goto(person.base + "/people")
    page.wait_for_url("**/sign-in?return_to=%2Fpeople")
    order = page.locator("a[href^='/auth/github'], input[name=email]").evaluate_all("all => all.map(n => n.localName)")
    assert order == ["a", "input"], "GitHub comes first"
    come_in(person)
    page.wait_for_url("**/people")
    me = person.api("GET", "/session")[1]
    assert me["login"] == "octocat" and me["member"] is True
    page.goto(person.base + "/settings")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in**")
    come_in(person)
    page.wait_for_url("**/chats")
    assert person.api("GET", "/session")[1]["id"] == me["id"]
    assert not person.complaints, person.complaints


def test_saying_no_is_told_at_the_door_with_what_to_do_and_the_way_goes_on_A1(stage):
    person = stage.person("Octo")
    page = person.page
    page.goto(person.base + "/sign-in?return_to=%2Fnews")
    page.get_by_role("link", name="Continue with GitHub").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("alert").filter(has_text="You said no at GitHub").wait_for()
    come_in(person)
    page.wait_for_url("**/news")


def test_each_failure_has_its_words_at_the_door_and_in_the_settings_A1_A6(stage):
    person = stage.person("Ada")
    page = person.page
    said = set()
    for name in FAILURES:
        page.goto(f"{person.base}/sign-in?github={name}")
        alert = page.get_by_role("alert").filter(visible=True)
        alert.wait_for()
        said.add(alert.inner_text())
    assert len(said) == len(FAILURES)
    page.goto(person.base + "/sign-in?github=%3Cb%3Eevil")
    page.get_by_role("button", name="Sign in").wait_for()
    assert page.get_by_role("alert").filter(visible=True).count() == 0 and "evil" not in page.inner_text("body")
    person.sign_up()
    for name in ("taken", "linked", "denied", "state"):
        page.goto(f"{person.base}/settings?github={name}")
        alert = page.get_by_role("alert").filter(visible=True).filter(has_text=re.compile(r"\w"))
        alert.first.wait_for()
        assert page.url.endswith("/settings"), "it is told once"
        said.add(alert.first.inner_text())
    assert len(said) == len(FAILURES) + 2
    assert not person.complaints, person.complaints


def test_messages_wait_are_found_and_every_open_page_hears_of_it_D7(stage):
    flip(stage.server, "_sign_in")
    ada = stage.person("Ada").sign_up()
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "octocat"})
    assert status == 201
    ada.open(room["id"])
    ada.say("are you there?")
    ada.row("are you there?").first.wait_for()
    octo = visitor(stage, "Octo", "octocat")
    octo.page.get_by_role("list", name="Chats").get_by_role("link").first.click()
    octo.row("are you there?").first.wait_for()
    octo.say("I am now")
    ada.row("I am now").first.wait_for()
    assert not ada.complaints + octo.complaints


def test_who_is_not_here_yet_is_waited_for_and_can_be_invited_D7(browser, serve):
    github = CanaryGitHub()
    server = serve(environment={**github.environment, "HUBBUB_RATE_LIMIT": "off"})
    stage = Stage(browser, server, covers=True)
    ada = stage.person("Ada").sign_up()
    # GitHub's people are found by their login there.
    github.login = "canary"
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "canary"})
    assert status == 201, room
    ada.open(room["id"])
    banner = ada.page.get_by_text("Canary Bird is not on this Hubbub yet. Your messages wait for them.")
    banner.wait_for()
    ada.say("waiting for you")
    ada.row("waiting for you").first.wait_for()
    ada.page.get_by_role("button", name="Copy invite link").click()
    said = ada.page.locator(".waiting button")
    until(lambda: said.inner_text() in ("Copied", "Copying failed"), "the link to be copied, or shown")
    link = ada.page.locator(".waiting .invite-link")
    assert said.inner_text() == "Copied" or "/invite/" in link.inner_text()
    # Renamed since, and not asked again: the number is the same.
    github.login = "phoenix"
    bird = stage.person("Bird")
    bird.page.goto(server.url + "/sign-in")
    begun = bird.page.get_by_role("link", name="Continue with GitHub").get_attribute("href")
    location = bird.context.request.get(server.url + begun, max_redirects=0).headers["location"]
    state = re.search(r"state=(\w+)", location)[1]
    bird.page.goto(f"{server.url}/auth/github/callback?code={github.CODE}&state={state}")
    bird.page.wait_for_url("**/chats")
    banner.wait_for(state="hidden")
    row = bird.page.get_by_role("list", name="Chats").get_by_role("link").first
    row.wait_for()
    assert "waiting for you" in row.inner_text() and "1" in row.inner_text()
    ada.page.get_by_text("@phoenix").or_(ada.page.get_by_text("online", exact=True)).first.wait_for()
    stage.close()
    github.close()


def test_linking_and_unlinking_in_the_settings_A6(stage):
    ada = stage.person("Ada", "Lovelace").sign_up()
    page = ada.page
    page.goto(ada.base + "/settings")
    page.get_by_role("button", name="Link GitHub account").click()
    page.wait_for_url("**/login/oauth/authorize?**")
    page.get_by_role("radio", name=re.compile("octocat")).check()
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url("**/settings")
    page.get_by_text("Linked to @octocat").wait_for()
    assert ada.api("GET", "/session")[1]["name"] == "Ada Lovelace"
    page.get_by_role("button", name="Unlink").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Unlink").click()
    page.get_by_role("dialog").get_by_role("button", name="Unlink").click()
    page.get_by_text("Your GitHub account is unlinked.").wait_for()
    page.get_by_role("button", name="Link GitHub account").wait_for()
    assert "login" not in ada.api("GET", "/session")[1]
    assert not ada.complaints, ada.complaints


def test_linking_brings_the_chat_that_waited_to_every_open_page_A6_D7(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    waiting = bob.api("POST", "/rooms", {"kind": "direct", "github_login": "octocat"})[1]["id"]
    bob.open(waiting)
    bob.say("waited")
    bob.row("waited waited").first.wait_for()
    room = ada.chat_with(bob)
    ada.say("hello")
    ada.row("hello").first.wait_for()
    flip(stage.server, "_sign_in", login="octocat")
    other = ada.new_page()
    other.goto(ada.base + "/settings")
    other.get_by_role("button", name="Link GitHub account").click()
    other.get_by_text("Linked to @octocat").wait_for()
    # Ada's other page has what waited; Bob is led from the chat that is gone to the one that there is.
    ada.row("waited").first.wait_for()
    bob.page.wait_for_url(f"**/chats/{room}")
    bob.row("waited").first.wait_for()
    assert bob.texts_in_order(r"waited waited|waited|hello") == ["hello", "waited", "waited waited"]
    rows = bob.page.get_by_role("list", name="Chats").get_by_role("link")
    until(lambda: rows.count() == 1, "one chat with Ada")
    assert not ada.complaints + bob.complaints


def test_who_came_by_github_alone_sets_an_address_and_a_password_before_unlinking_A6(stage):
    octo = visitor(stage, "Octo", "octocat")
    page = octo.page
    page.goto(octo.base + "/settings")
    page.get_by_text("GitHub is your only way in").wait_for()
    assert page.get_by_role("button", name="Unlink").count() == 0
    page.get_by_role("button", name="Set email").click()
    page.get_by_role("textbox", name="New email address").fill(octo.email)
    page.get_by_role("button", name="Set email").filter(visible=True).click()
    page.get_by_text(f"Your address is {octo.email} now.").wait_for()
    page.get_by_role("button", name="Set a password").click()
    page.get_by_role("textbox", name="New password").fill(PASSWORD)
    page.get_by_role("button", name="Set a password").filter(visible=True).click()
    page.get_by_text("Your password is set.").wait_for()
    page.get_by_role("button", name="Unlink").click()
    page.get_by_role("dialog").get_by_role("button", name="Unlink").click()
    page.get_by_text("Your GitHub account is unlinked.").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in**")
    octo.sign_in_by_form()
    assert not octo.complaints, octo.complaints


def test_a_sign_in_of_long_ago_is_asked_for_once_more_A6(stage):
    octo = visitor(stage, "Octo", "octocat")
    # After a restart nobody has signed in just now.
    stage.server.stop()
    stage.server.start()
    page = octo.page
    page.goto(octo.base + "/settings")
    page.get_by_role("button", name="Set email").click()
    page.get_by_role("textbox", name="New email address").fill(octo.email)
    page.get_by_role("button", name="Set email").filter(visible=True).click()
    page.get_by_text("sign in with GitHub once more").wait_for()
    page.get_by_role("link", name="Sign in with GitHub again").click()
    page.wait_for_url("**/login/oauth/authorize?**")
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url("**/settings")
    page.get_by_role("button", name="Set email").click()
    page.get_by_role("textbox", name="New email address").fill(octo.email)
    page.get_by_role("button", name="Set email").filter(visible=True).click()
    page.get_by_text(f"Your address is {octo.email} now.").wait_for()


@pytest.fixture
def staged(browser, serve):
    stages = []

    def start(**environment):
        server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off", **environment})
        stages.append(Stage(browser, server, covers=True))
        return stages[-1]

    yield start
    for stage in stages:
        stage.close()


def test_by_github_alone_the_door_offers_it_and_email_for_who_has_it_A3_A1(staged):
    stage = staged(HUBBUB_REGISTRATION="github")
    person = stage.person("Octo")
    person.page.goto(person.base + "/sign-up")
    person.page.get_by_text("Accounts here come from GitHub").wait_for()
    assert person.page.get_by_role("textbox").count() == 0
    come_in(person)
    person.page.wait_for_url("**/chats")
    door = stage.person("Door")
    door.page.goto(door.base + "/sign-in")
    door.page.get_by_role("textbox", name="Email").wait_for()


def test_an_invitation_is_carried_through_github_into_its_room_A3_R1_A1(staged):
    stage = staged()
    ada = stage.person("Ada").sign_up()
    room = ada.api("POST", "/rooms", {"kind": "group", "name": "Engine"})[1]["id"]
    link = ada.api("POST", f"/rooms/{room}/invitations", {"max_uses": 1})[1]["url"]
    octo = stage.person("Octo")
    octo.page.goto(octo.base + link)
    octo.page.get_by_role("link", name="Create an account").click()
    octo.page.get_by_text("Ada invites you to Engine.").wait_for()
    come_in(octo)
    octo.page.wait_for_url(f"**/chats/{room}")
    octo.message_box.wait_for()


def test_without_an_application_only_the_admin_is_told_A1(browser, serve):
    stage = Stage(browser, serve(environment={"HUBBUB_RATE_LIMIT": "off", "HUBBUB_GITHUB": "http://127.0.0.1:9"}), covers=True)
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    nobody = stage.person("Nobody")
    nobody.page.goto(nobody.base + "/sign-in")
    nobody.page.get_by_role("button", name="Sign in").wait_for()
    assert "GitHub" not in nobody.page.inner_text("form") and nobody.page.locator("a[href^='/auth']").count() == 0
    for person, is_told in ((ada, True), (bob, False)):
        person.page.goto(person.base + "/settings")
        person.page.get_by_role("heading", name="Privacy").wait_for()
        assert person.page.get_by_text("there is no OAuth application").is_visible() == is_told
    stage.close()


def test_on_a_phone_it_works_by_touch_and_fits_A1_A6(stage):
    octo = visitor(stage, "Octo", "octocat", **PHONE)
    page = octo.page
    page.goto(octo.base + "/settings")
    page.get_by_text("Linked to @octocat").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    nobody = stage.person("Nobody", **PHONE)
    nobody.page.goto(nobody.base + "/sign-in?github=misconfigured")
    nobody.page.get_by_role("link", name="Continue with GitHub").wait_for()
    assert nobody.page.evaluate("document.documentElement.scrollWidth") <= 360
