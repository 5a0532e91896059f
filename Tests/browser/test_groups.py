"""Groups: creating one, members and roles, settings, with several people watching."""

import re

import pytest
from playwright.sync_api import expect

from group_page import act, choose, info, make_link, member
from people import check_all, clean, group_of, name_of, people, picture
from serving import until


@pytest.mark.shows("R1", "L1")
def test_a_group_is_created_with_members_and_appears_for_them_at_once(stage):
    ada, bob, cyd = people(stage, "Ada", "Bob", "Cyd")
    page = ada.page
    page.get_by_role("button", name="New chat").click()
    page.get_by_role("menuitem", name="New group").click()
    page.wait_for_url("**/rooms/new")
    page.get_by_role("textbox", name="Name").fill("Reading circle")
    page.get_by_role("textbox", name="Topic").fill("One book a month")
    page.get_by_role("radio", name="Public").check()
    choose(page, "Bob")
    choose(page, "Cyd")
    page.get_by_role("button", name="Do not add Cyd").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "circle.png", "mimeType": "image/png", "buffer": picture(300, 200)})
    page.get_by_alt_text("Preview of the new picture").wait_for()
    page.get_by_role("button", name="Create group").click()
    page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    room = page.url.rsplit("/", 1)[1]
    bob.page.get_by_role("list", name="Chats").get_by_text("Reading circle").wait_for()
    made = ada.api("GET", f"/rooms/{room}")[1]
    assert (made["public"], made["topic"], made["members_count"], made["role"]) == (True, "One book a month", 2, "owner")
    assert "initials-" not in made["avatar_url"]
    assert cyd.page.get_by_role("list", name="Chats").get_by_text("Reading circle").count() == 0
    ada.say("welcome")
    bob.open(room)
    bob.row("welcome").first.wait_for()
    clean(ada, bob, cyd)


@pytest.mark.shows("R1")
def test_errors_in_a_new_group_show_at_their_fields_and_nothing_is_lost(stage):
    (ada,) = people(stage, "Ada")
    page = ada.page
    page.goto(ada.base + "/rooms/new")
    name, topic = page.get_by_role("textbox", name="Name"), page.get_by_role("textbox", name="Topic")
    topic.fill("t" * 401)
    page.get_by_role("button", name="Create group").click()
    page.get_by_text("Give the group a name.").wait_for()
    page.get_by_text("1 character too long").wait_for()
    until(lambda: name.evaluate("field => field === document.activeElement"), "the focus on the first wrong field")
    assert name.get_attribute("aria-invalid") == topic.get_attribute("aria-invalid") == "true"
    name.fill("n" * 81)
    topic.fill("fine")
    page.get_by_role("button", name="Create group").click()
    page.get_by_text("At most 80 characters.").wait_for()
    name.fill("Readers")
    ada.context.route("**/api/v1/rooms", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.get_by_role("button", name="Create group").click()
    page.get_by_text("Hubbub cannot be reached").wait_for()
    assert (name.input_value(), topic.input_value()) == ("Readers", "fine")
    ada.context.unroute("**/api/v1/rooms")
    page.get_by_role("button", name="Create group").click()
    page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    clean(ada)


@pytest.mark.shows("H4", "R1")
def test_a_group_is_created_and_its_page_used_by_keyboard_only(stage):
    ada, bob = people(stage, "Ada", "Bob")
    page, keys = ada.page, ada.page.keyboard
    page.get_by_role("button", name="New chat").focus()
    keys.press("Enter")
    page.get_by_role("menuitem", name="Write to somebody").wait_for()
    keys.press("ArrowDown")
    keys.press("Enter")
    page.wait_for_url("**/rooms/new")
    page.get_by_role("textbox", name="Name").focus()
    keys.type("Readers")
    for _ in range(3):
        keys.press("Tab")
    field = page.get_by_role("combobox")
    until(lambda: field.evaluate("field => field === document.activeElement"), "the field for people by Tab")
    keys.type("Bob")
    page.get_by_role("option", name=re.compile("Bob")).wait_for()
    keys.press("ArrowDown")
    keys.press("Enter")
    page.get_by_role("list", name="Chosen people").get_by_text("Bob").wait_for()
    keys.press("Backspace")
    page.get_by_role("list", name="Chosen people").wait_for(state="hidden")
    keys.type("Bob")
    page.get_by_role("option", name=re.compile("Bob")).wait_for()
    keys.press("ArrowDown")
    keys.press("Enter")
    page.get_by_role("button", name="Create group").focus()
    keys.press("Enter")
    page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    page.get_by_role("heading", name="Readers").get_by_role("link").focus()
    keys.press("Enter")
    page.get_by_role("heading", name="Group info").wait_for()
    more = page.get_by_role("button", name="What to do with Bob Tester")
    more.focus()
    keys.press("Enter")
    page.get_by_role("menuitem", name="Write a message").wait_for()
    keys.press("Escape")
    until(lambda: more.evaluate("button => button === document.activeElement"), "the focus back on the button")
    keys.press("Enter")
    page.get_by_role("menuitem", name="Write a message").wait_for()
    keys.press("R")
    keys.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    keys.press("Escape")
    dialog.wait_for(state="detached")
    expect(member(page, bob)).to_be_visible()
    page.get_by_role("heading", name="Group info").focus()
    keys.press("Escape")
    page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    clean(ada)


@pytest.mark.shows("R1")
def test_roles_are_granted_and_revoked_and_take_effect_at_once(stage):
    ada, bob, cyd = people(stage, "Ada", "Bob", "Cyd")
    room = group_of(ada, bob, cyd)
    mine, his = info(ada, room), info(bob, room)
    edit = his.get_by_role("button", name="Edit name and topic")
    member(his, cyd).wait_for()
    assert edit.is_hidden() and his.get_by_role("button", name="Add people").is_hidden()
    act(mine, bob, "Make admin")
    edit.wait_for()
    edit.click()
    his.get_by_role("textbox", name="Name").fill("Writing circle")
    his.get_by_role("button", name="Save").click()
    mine.get_by_text("Writing circle").first.wait_for()
    mine.get_by_role("list", name="Chats").get_by_text("Writing circle").wait_for()
    his.get_by_role("button", name=f"What to do with {name_of(ada)}").click()
    assert his.get_by_role("menuitem").all_inner_texts() == ["Write a message"]
    his.keyboard.press("Escape")
    act(mine, bob, "Make member")
    edit.wait_for(state="hidden")
    act(mine, cyd, "Hand over ownership", sure="Hand over")
    until(lambda: "Owner" in member(his, cyd).inner_text(), "the new owner")
    until(lambda: ada.api("GET", f"/rooms/{room}")[1]["role"] == "admin", "the old owner to be an admin")
    clean(ada, bob, cyd)


@pytest.mark.shows("R1")
def test_who_is_added_by_nobody_is_invited_in_the_chat_instead(stage):
    ada, bob = people(stage, "Ada", "Bob")
    page = bob.page
    page.goto(f"{bob.base}/settings")
    page.get_by_role("radio", name="Nobody").check()
    page.get_by_text("You come by invitation").wait_for()
    until(lambda: bob.api("GET", "/session")[1]["settings"]["added_by"] == "nobody", "stored")
    room = group_of(ada)
    # The page of a group of one offers people at once.
    mine = info(ada, room)
    choose(mine, "Bob")
    mine.get_by_role("button", name="Add 1 person").click()
    mine.get_by_text("invited in your chat instead").wait_for()
    assert bob.api("GET", f"/rooms/{room}")[0] == 404
    page.goto(f"{bob.base}/chats")
    page.get_by_role("list", name="Chats").get_by_text("You are invited to “Reading circle”").click()
    link = page.locator("a[href*='/invite/']").first
    link.wait_for()
    page.goto(link.get_attribute("href"))
    page.get_by_role("button", name="Join Reading circle").click()
    until(lambda: bob.api("GET", f"/rooms/{room}")[0] == 200, "that Bob is in")
    clean(ada, bob)


@pytest.mark.shows("R1")
def test_people_are_added_and_removed_and_watchers_see_it(stage):
    ada, bob, cyd = people(stage, "Ada", "Bob", "Cyd")
    room = group_of(ada, bob)
    mine, his = info(ada, room), info(bob, room)
    mine.get_by_role("button", name="Add people").click()
    choose(mine, "Cyd")
    mine.get_by_role("button", name="Add 1 person").click()
    member(mine, cyd).wait_for()
    member(his, cyd).wait_for()
    his.get_by_text("3 members").first.wait_for()
    cyd.page.get_by_role("list", name="Chats").get_by_text("Reading circle").wait_for()
    act(mine, bob, "Remove from group", sure="Remove from group")
    his.get_by_role("alert").filter(has_text="Ada Tester removed you from “Reading circle”").wait_for()
    his.get_by_role("list", name="Chats").get_by_text("Reading circle").wait_for(state="detached")
    member(mine, bob).wait_for(state="detached")
    assert bob.api("GET", f"/rooms/{room}")[0] == 404
    his.get_by_role("link", name="To your chats").click()
    his.wait_for_url("**/chats")
    clean(ada, bob, cyd)


@pytest.mark.shows("R1")
def test_a_leaving_owner_is_told_the_successor_who_then_takes_over(stage):
    ada, bob, cyd = people(stage, "Ada", "Bob", "Cyd")
    room = group_of(ada, bob, cyd)
    assert ada.api("PUT", f"/rooms/{room}/members/{cyd.id}", {"role": "admin"})[0] == 200
    mine, hers = info(ada, room), info(cyd, room)
    mine.get_by_role("button", name="Leave group").click()
    dialog = mine.get_by_role("dialog")
    expect(dialog).to_contain_text("the admin who has been in it longest takes over", use_inner_text=True)
    dialog.get_by_role("button", name="Cancel").click()
    assert ada.api("GET", f"/rooms/{room}")[1]["role"] == "owner"
    mine.get_by_role("button", name="Leave group").click()
    mine.get_by_role("dialog").get_by_role("button", name="Leave").click()
    mine.wait_for_url("**/chats")
    mine.get_by_role("list", name="Chats").get_by_text("Reading circle").wait_for(state="detached")
    assert mine.get_by_text("not in this group any more").count() == 0
    until(lambda: "Owner" in member(hers, cyd).inner_text(), "the new owner")
    clean(ada, bob, cyd)


@pytest.mark.shows("R1")
def test_a_banned_person_cannot_return_until_the_ban_is_lifted(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada, bob, public=True)
    page = info(ada, room)
    link = make_link(page)
    act(page, bob, "Ban", sure="Ban")
    page.get_by_text(f"{name_of(bob)} is banned.").wait_for()
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Join Reading circle").click()
    bob.page.get_by_text("You are banned from this group").wait_for()
    bob.page.goto(bob.base + "/rooms")
    bob.page.get_by_role("button", name="Join Reading circle").click()
    bob.page.get_by_text("You are banned from this room").wait_for()
    page.locator("summary").filter(has_text="Banned").click()
    page.get_by_role("button", name=f"Lift the ban on {name_of(bob)}").click()
    page.get_by_role("dialog").get_by_role("button", name="Lift").click()
    page.get_by_text("may come back").wait_for()
    bob.page.get_by_role("button", name="Join Reading circle").click()
    bob.page.wait_for_url(f"**/chats/{room}")
    member(page, bob).wait_for()
    clean(ada, bob)


@pytest.mark.shows("R3", "L3")
def test_mute_pin_and_mention_level_are_kept(stage):
    (ada,) = people(stage, "Ada")
    room = group_of(ada)
    page = info(ada, room)
    page.get_by_role("switch", name="Mute").check()
    page.get_by_role("switch", name="Pin to the top").check()
    page.get_by_role("radio", name="Mentions").check()
    page.get_by_text("Only messages that mention you.").wait_for()
    kept = lambda: [ada.api("GET", f"/rooms/{room}")[1][name] for name in ("muted", "pinned", "mention_level")]
    until(lambda: kept() == [True, True, "mentions"], "all three to be stored")
    page.reload()
    until(lambda: page.get_by_role("switch", name="Mute").is_checked(), "the switch after a reload")
    expect(page.get_by_role("radio", name="Mentions")).to_be_checked()
    clean(ada)


@pytest.mark.shows("L4", "S6")
def test_a_direct_chat_shows_its_person_and_is_cleared_and_deleted(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = ada.chat_with(bob)
    ada.say("hello Bob")
    until(lambda: ada.state("hello Bob") not in ("unsent", None), "stored")
    page = ada.page
    page.get_by_role("heading", name="Bob Tester").get_by_role("link").click()
    page.wait_for_url(f"**/chats/{room}/info")
    page.get_by_role("heading", name="About this person").wait_for()
    page.get_by_text("online").first.wait_for()
    page.get_by_role("button", name="Clear history").click()
    page.get_by_role("dialog").get_by_role("button", name="Clear history").click()
    page.get_by_text("The history is cleared.").wait_for()
    assert ada.api("GET", f"/rooms/{room}/messages")[1] == []
    assert [m["text"] for m in bob.api("GET", f"/rooms/{room}/messages")[1]] == ["hello Bob"]
    page.get_by_role("button", name="Delete chat").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete chat").click()
    page.wait_for_url("**/chats")
    page.get_by_role("list", name="Chats").get_by_text("Bob Tester").wait_for(state="detached")
    clean(ada)


SIZES = [("desk", {"viewport": {"width": 1440, "height": 900}}), ("phone", {"viewport": {"width": 360, "height": 740}, "has_touch": True})]


@pytest.mark.parametrize("size, options", SIZES)
@pytest.mark.shows("H4")
def test_no_page_of_groups_has_a_violation(stage, size, options):
    ada, bob = people(stage, "Ada", "Bob", **options)
    room = group_of(ada, bob, topic="One book a month", public=True)
    page = ada.page
    page.goto(ada.base + "/rooms/new")
    page.get_by_role("button", name="Create group").click()
    page.get_by_text("Give the group a name.").wait_for()
    page.get_by_role("combobox").fill("Bo")
    page.get_by_role("option").first.wait_for()
    page.get_by_role("combobox").press("ArrowDown")
    check_all(page, size, "new group")
    page.goto(ada.base + "/rooms")
    page.get_by_role("link", name="Open Reading circle").wait_for()
    check_all(page, size, "public rooms")
    info(ada, room)
    link = make_link(page)
    for heading in ("Banned", "Who may do what"):
        page.locator("summary").filter(has_text=heading).click()
    page.get_by_text("Nobody is banned.").wait_for()
    page.get_by_role("button", name="Add people").click()
    check_all(page, size, "info")
    page.get_by_role("button", name="Edit name and topic").click()
    check_all(page, size, "editing")
    page.get_by_role("button", name=f"What to do with {name_of(bob)}").click()
    page.get_by_role("menu").wait_for()
    check_all(page, size, "menu")
    page.get_by_role("menuitem", name="Ban").click()
    page.get_by_role("dialog").wait_for()
    check_all(page, size, "question")
    page.goto(ada.base + "/chats")
    page.get_by_role("button", name="New chat").click()
    page.get_by_role("menu").wait_for()
    check_all(page, size, "new chat")
    page.goto(link)
    page.get_by_text("You are in this group already.").wait_for()
    check_all(page, size, "invitation, signed in")
    direct = ada.chat_with(bob)
    page.goto(f"{ada.base}/chats/{direct}/info")
    page.get_by_role("heading", name="About this person").wait_for()
    check_all(page, size, "person")
    nobody = stage.person("Nobody", **options)
    nobody.page.goto(link)
    nobody.page.get_by_role("heading", name="Reading circle").wait_for()
    check_all(nobody.page, size, "invitation, signed out")
    nobody.page.goto(ada.base + "/invite/none")
    nobody.page.get_by_role("heading", name="This invitation does not work").wait_for()
    check_all(nobody.page, size, "invitation that does not work")
    clean(ada, nobody)
