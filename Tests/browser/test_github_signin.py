"""GitHub sign-in as people see it: the sign-in page, the redirects, linking, waiting chats."""

import re

import pytest
from playwright.sync_api import expect

from api_client import PASSWORD
from github import CanaryGitHub, flip
from serving import until
from stage import Stage

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
FAILURES = ("denied", "expired", "unverified", "misconfigured", "unavailable", "closed", "invite", "state")


def come_in(person, login="octocat"):
    """Signs in as this login on the stand-in's own page."""
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


@pytest.mark.shows("A1")
def test_continue_with_github_comes_first_and_signs_in_again_and_again(stage):
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


@pytest.mark.shows("A1")
def test_a_refusal_is_explained_on_the_sign_in_page_and_can_be_retried(stage):
    person = stage.person("Octo")
    page = person.page
    page.goto(person.base + "/sign-in?return_to=%2Fnews")
    page.get_by_role("link", name="Continue with GitHub").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("alert").filter(has_text="You said no at GitHub").wait_for()
    come_in(person)
    page.wait_for_url("**/news")


@pytest.mark.shows("A1", "A6")
def test_each_failure_is_explained_on_the_sign_in_page_and_in_the_settings(stage):
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


@pytest.mark.shows("D7")
def test_waiting_messages_are_found_and_every_open_page_is_notified(stage):
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


@pytest.mark.shows("D7")
def test_people_who_have_not_joined_can_be_written_to_and_invited(browser, serve):
    github = CanaryGitHub()
    server = serve(environment={**github.environment, "HUBBUB_RATE_LIMIT": "off"})
    stage = Stage(browser, server)
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
    # Renamed since, and not requested again: the id is the same.
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
    expect(row).to_contain_text("waiting for you", use_inner_text=True)
    expect(row).to_contain_text("1", use_inner_text=True)
    ada.page.get_by_text("@phoenix").or_(ada.page.get_by_text("online", exact=True)).first.wait_for()
    stage.close()
    github.close()


@pytest.mark.shows("A6")
def test_linking_and_unlinking_in_the_settings(stage):
    ada = stage.person("Ada", "Lovelace").sign_up()
    page = ada.page
    page.goto(ada.base + "/settings")
    page.get_by_role("button", name="Link GitHub account").click()
    page.wait_for_url("**/login/oauth/authorize?**")
    page.get_by_role("radio", name=re.compile("octocat")).check()
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url("**/settings/account")
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


@pytest.mark.shows("A6", "D7")
def test_linking_brings_the_waiting_chat_to_every_open_page(stage):
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
    # Ada's other page shows the waiting chat; Bob is redirected from the chat that is gone to the remaining one.
    ada.row("waited").first.wait_for()
    bob.page.wait_for_url(f"**/chats/{room}")
    bob.row("waited").first.wait_for()
    assert bob.texts_in_order(r"waited waited|waited|hello") == ["hello", "waited", "waited waited"]
    rows = bob.page.get_by_role("list", name="Chats").get_by_role("link")
    until(lambda: rows.count() == 1, "one chat with Ada")
    assert not ada.complaints
    # A request for the chat that is gone may be on its way when Bob's page is notified of the merge.
    assert [c for c in bob.complaints if "404" not in c] == []


@pytest.mark.shows("A6")
def test_github_only_accounts_set_an_address_and_a_password_before_unlinking(stage):
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


@pytest.mark.shows("A6")
def test_an_old_sign_in_has_to_be_repeated(stage):
    octo = visitor(stage, "Octo", "octocat")
    # After a restart nobody counts as recently signed in.
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
        stages.append(Stage(browser, server))
        return stages[-1]

    yield start
    for stage in stages:
        stage.close()


@pytest.mark.shows("A3", "A1")
def test_by_github_the_sign_in_page_offers_it_and_email_for_existing_accounts(staged):
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


@pytest.mark.shows("A3", "R1", "A1")
def test_an_invitation_is_carried_through_github_into_its_room(staged):
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


@pytest.mark.shows("A1")
def test_without_an_application_only_the_admin_gets_a_hint(browser, serve):
    stage = Stage(browser, serve(environment={"HUBBUB_RATE_LIMIT": "off", "HUBBUB_GITHUB": "http://127.0.0.1:9"}))
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    nobody = stage.person("Nobody")
    nobody.page.goto(nobody.base + "/sign-in")
    nobody.page.get_by_role("button", name="Sign in").wait_for()
    assert "GitHub" not in nobody.page.inner_text("form") and nobody.page.locator("a[href^='/auth']").count() == 0
    for person, is_told in ((ada, True), (bob, False)):
        person.page.goto(person.base + "/settings")
        person.page.get_by_role("heading", name="Privacy").wait_for()
        assert person.page.get_by_text("there is no OAuth application").is_visible() == is_told
    # The account's section begins with what is left of it.
    bob.page.goto(bob.base + "/settings/account")
    email = bob.page.get_by_role("heading", name="Email address")
    until(lambda: (email.bounding_box() or {"y": 999})["y"] < 100, "the section of the address")
    bob.page.get_by_role("navigation", name="Sections of the settings").get_by_role("link", name="Profile").click()
    until(lambda: bob.page.evaluate("document.activeElement.textContent") == "Your profile", "the profile")
    bob.page.go_back()
    until(lambda: bob.page.evaluate("document.activeElement.textContent") == "Email address", "the account again")
    stage.close()


@pytest.mark.shows("A1", "A6")
def test_on_a_phone_it_works_by_touch_and_fits(stage):
    octo = visitor(stage, "Octo", "octocat", **PHONE)
    page = octo.page
    page.goto(octo.base + "/settings")
    page.get_by_text("Linked to @octocat").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    nobody = stage.person("Nobody", **PHONE)
    nobody.page.goto(nobody.base + "/sign-in?github=misconfigured")
    nobody.page.get_by_role("link", name="Continue with GitHub").wait_for()
    assert nobody.page.evaluate("document.documentElement.scrollWidth") <= 360
