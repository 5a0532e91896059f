"""What people look for in a messenger and find here, each shown once: company, a place for a message, people, settings."""

import pytest
from playwright.sync_api import expect

from chat_list_page import PHONE
from people import check, clean, group_of, people, picture
from serving import until
from test_as_good_as_the_best import box
from test_message_actions import choose, post
from test_stumbles import direct


@pytest.mark.shows("R1")
def test_a_new_group_of_one_offers_people_and_a_link(stage):
    ada, bob = people(stage, "Ada", "Bob")
    page = ada.page
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{ada.base}/rooms/new")
    page.get_by_role("textbox", name="Name", exact=True).fill("Solo")
    page.get_by_role("button", name="Create").click()
    page.get_by_text("Nobody else is here yet").wait_for()
    check(page, "a group of one")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("link", name="Add people").click()
    page.wait_for_url("**/info")
    page.get_by_role("combobox").first.wait_for()
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Solo").click()
    bob.page.wait_for_url("**/chats/*")
    page.go_back()
    page.locator(".empty").get_by_text("No messages yet").wait_for()
    assert page.get_by_text("Nobody else is here yet").count() == 0, "two are company"
    clean(ada, bob)


@pytest.mark.shows("C7")
def test_a_message_is_forwarded_to_several_with_a_comment(stage):
    ada, bob, carl = people(stage, "Ada", "Bob", "Carl")
    room, other = direct(ada, bob), direct(ada, carl)
    seq = post(bob, room, "the original")
    post(carl, other, "hello")
    group = group_of(ada, bob, carl)
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    choose(ada, seq, "Forward…")
    dialog = page.get_by_role("dialog", name="Forward message to…")
    send = dialog.get_by_role("button", name="Forward", exact=True)
    expect(send).to_have_attribute("aria-disabled", "true")
    for name in ("Carl Tester", "Reading circle"):
        dialog.get_by_role("button", name=name).click()
        expect(dialog.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    check(page, "forwarding to several")
    dialog.get_by_role("textbox", name="Comment").fill("have a look")
    dialog.get_by_role("button", name="Forward to 2 chats").click()
    page.get_by_text("Forwarded to Carl Tester and Reading circle").wait_for()
    for where in (other, group):
        texts = [one["text"] for one in ada.api("GET", f"/rooms/{where}/messages")[1]]
        assert texts[-2:] == ["have a look", "the original"], where
    clean(ada)


@pytest.mark.shows("D6")
def test_people_stay_where_they_are_while_chats_open_beside_them(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page
    page.goto(f"{ada.base}/people")
    rows = page.get_by_role("list", name="People", exact=True).locator("li[data-github-id]")
    rows.nth(20).scroll_into_view_if_needed()
    body = "document.querySelector('.list-pane .list-body').scrollTop"
    left = page.evaluate(body)
    assert left > 0
    names = []
    for index in (18, 19):
        names.append(rows.nth(index).locator(".name").inner_text())
        rows.nth(index).get_by_role("button").click()
        page.get_by_role("heading", name=names[-1]).wait_for()
        assert "/chats/" in page.url and abs(page.evaluate(body) - left) < 2
        expect(page.get_by_role("link", name="People").first).to_have_attribute("aria-current", "page")
    # About the chat and back, and after a reload, the list is still there.
    page.get_by_role("heading", name=names[-1]).get_by_role("link").click()
    page.wait_for_url("**/info")
    page.go_back()
    page.get_by_role("heading", name=names[-1]).wait_for()
    expect(rows.first).to_be_visible()
    page.reload()
    page.get_by_role("heading", name=names[-1]).wait_for()
    rows.first.wait_for()
    page.go_back()
    page.get_by_role("heading", name=names[0]).wait_for()
    page.get_by_role("link", name="Chats").first.click()
    page.get_by_role("list", name="Chats", exact=True).wait_for()
    clean(ada)


@pytest.mark.shows("D6")
def test_who_signs_up_appears_in_people_that_stay_open(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page
    page.clock.install()
    page.goto(f"{ada.base}/people")
    rows = page.get_by_role("list", name="People", exact=True).locator("li[data-github-id]")
    rows.first.wait_for()
    new = stage.person("Newly", "Arrived").sign_up()
    row = page.get_by_role("list", name="People", exact=True).get_by_role("button", name="Newly Arrived")
    page.clock.fast_forward(60_000)
    row.first.wait_for()
    clean(ada, new)


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "phone"])
@pytest.mark.shows("A4")
def test_settings_have_sections_with_addresses_and_a_list_of_them(stage, size):
    ada = stage.person("Ada", **size).sign_up()
    page = ada.page
    page.goto(f"{ada.base}/settings/privacy")
    sections = page.get_by_role("navigation", name="Sections of the settings")
    heading = lambda name: page.get_by_role("heading", name=name, exact=True)
    current = lambda: sections.locator("[aria-current]").inner_text()
    seen = lambda name: 0 <= box(heading(name))["y"] < 400
    until(lambda: seen("Privacy") and current() == "Privacy", "the section of the address")
    check(page, "settings with a list")
    page.evaluate("document.querySelector('.settings-page').dataset.same = ''")
    sections.get_by_role("link", name="Account").click()
    page.wait_for_url("**/settings/account")
    until(lambda: seen("GitHub"), "the account")
    until(lambda: current() == "Account", "it to be the current one")
    page.go_back()
    until(lambda: seen("Privacy") and current() == "Privacy", "the section before")
    expect(page.locator(".settings-page[data-same]"), "the page was not made anew").to_have_count(1)
    page.go_forward()
    until(lambda: seen("GitHub") and page.title() == "Account · Hubbub", "the section after it, and its title")
    page.reload()
    until(lambda: seen("GitHub") and current() == "Account", "the same after a reload")
    # How they were addressed before.
    page.goto(f"{ada.base}/settings?section=privacy")
    page.wait_for_url("**/settings/privacy")
    until(lambda: seen("Privacy") and current() == "Privacy", "what the old address names")
    page.goto(f"{ada.base}/settings/nothing")
    until(lambda: seen("Settings") and page.title() == "Settings · Hubbub", "the settings from their beginning")
    # The list follows the reader, to the end, too.
    page.locator(".settings-page").evaluate("page => { page.scrollTop = 0; }")
    until(lambda: current() == "Profile", "the first section")
    sections.get_by_role("link", name="This device").click()
    until(lambda: current() == "This device", "the last section")
    assert page.evaluate("document.activeElement.localName") == "h2"
    clean(ada)


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "phone"])
@pytest.mark.shows("A4")
def test_the_section_of_an_address_is_gone_to_until_the_page_is_full(stage, size):
    ada = stage.person("Ada", **size).sign_up()
    page, held = ada.page, []
    page.route("**/api/v1/github/quota", lambda route: held.append(route))
    page.goto(f"{ada.base}/settings/device")
    page.get_by_role("heading", name="Requests to GitHub").wait_for()
    current = page.locator(".settings-list [aria-current]")
    until(lambda: current.inner_text() == "This device" and held, "the section of the address")
    place = lambda: page.locator(".settings-page").evaluate(
        "page => [page.scrollTop, page.scrollHeight - page.clientHeight - page.scrollTop]")
    held[0].fulfill(json=[
        {"resource": name, "limit": 30, "remaining": 29, "used": 1, "reset_at": "2030-01-01T00:00:00.000Z"}
        for name in ("core", "search")])
    page.get_by_text("requests left").first.wait_for()
    offline = page.get_by_role("heading", name="Offline")
    until(lambda: current.inner_text() == "This device" and (box(offline)["y"] < 150 or place()[1] < 2),
          "the section, as far up as the page goes")
    # Once the reader has moved, they are left where they are.
    offline.click()
    page.locator(".settings-page").evaluate("page => { page.scrollTop = 0; }")
    offline.evaluate("heading => { heading.style.fontSize = '40px'; }")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert place()[0] == 0
    clean(ada)


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "phone"])
@pytest.mark.shows("T1", "A4")
def test_a_first_visit_invites_once(stage, size):
    ada = stage.person("Ada", **size).sign_up()
    page = ada.page
    card = page.get_by_role("region", name="Make yourself at home")
    card.wait_for()
    check(page, "the invitation")
    expect(card.get_by_role("link", name="Link your GitHub")).to_have_count(1)
    card.get_by_role("link", name="Add a picture").click()
    page.wait_for_url("**/settings/profile")
    assert ada.context.request.fetch(
        f"{ada.base}/api/v1/me/avatar", method="PUT", data=picture(64, 64), headers={"Content-Type": "image/png"}).ok
    page.get_by_role("link", name="Chats").first.click()
    card.wait_for()
    until(lambda: card.get_by_role("link", name="Add a picture").count() == 0, "what is done to go")
    card.get_by_role("button", name="Dismiss").click()
    until(lambda: card.count() == 0, "it to go")
    with page.expect_response("**/views/toasts.js*"):
        page.reload()
    page.wait_for_load_state("networkidle")
    assert card.count() == 0, "it comes once"
    clean(ada)
