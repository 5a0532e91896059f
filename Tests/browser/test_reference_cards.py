"""Cards of references: on hover, focus and press, below a message that is one reference, and with GitHub away."""

import re

import pytest
from playwright.sync_api import expect

from directory_page import fault
from people import check, clean, group_of, people
from serving import until
from stage import rest

ISSUE = "octocat/Hello-World#2"
# A commit of the stand-in's world, which is the same at any time; its events are not.
FILES = "https://github.com/hub4j/mailer/blob/69be7abc8ef56dd98d6f713d759a21fc624cfdc0"
# What has moved on the page: which node, from where to where.
SHIFTS = """window.shifts = []; new PerformanceObserver(list => { for (const entry of list.getEntries())
  window.shifts.push(...entry.sources.map(({node, previousRect: a, currentRect: b}) =>
    `${Math.round(entry.startTime)} ${(node?.outerHTML ?? node?.data ?? '').slice(0, 120)}: ` +
    [a, b].map(r => `${r.x} ${r.y} ${r.width} ${r.height}`).join(' to '))); })
  .observe({type: 'layout-shift', buffered: true})"""
ASKED = re.compile(r"/api/v1/github/cards\?")


def link(person, text):
    return person.log.get_by_role("link", name=text, exact=True)


def hover_card(person):
    return person.page.get_by_role("tooltip")


def asked(person):
    """The requests for cards that the page sends from now on."""
    requests = []
    person.page.on("request", lambda request: ASKED.search(request.url) and requests.append(request.url))
    return requests


def room_with(owner, *texts, **options):
    room = group_of(owner, **options)
    for text in texts:
        assert owner.api("POST", f"/rooms/{room}/messages", {"text": text})[0] == 201
    owner.open(room)
    return room


def truth(person, reference):
    """What the API says."""
    return person.api("GET", f"/github/cards?refs={reference.replace('#', '%23')}")[1][0]["thing"]


@pytest.mark.shows("K5")
def test_hover_shows_a_card_that_stays_reachable_and_escape_closes_it(stage):
    [ada] = people(stage, "Ada")
    room_with(ada, f"look at {ISSUE} and octocat/none#7, then at @octocat")
    requests = asked(ada)
    link(ada, ISSUE).hover()
    card = hover_card(ada)
    card.wait_for()
    thing = truth(ada, ISSUE)
    expect(card).to_contain_text(thing["title"], use_inner_text=True)
    expect(card).to_contain_text("octocat/Hello-World#2", use_inner_text=True)
    box, beside = card.bounding_box(), link(ada, ISSUE).bounding_box()
    assert abs(box["x"] - beside["x"]) <= 8 and box["x"] + box["width"] <= 1280, (box, beside)
    assert min(abs(box["y"] - beside["y"] - beside["height"]), abs(beside["y"] - box["y"] - box["height"])) < 12
    described = link(ada, ISSUE).get_attribute("aria-describedby")
    assert described == card.get_attribute("id")
    # The pointer may go onto the card (WCAG 1.4.13).
    card.hover()
    expect(card).to_be_visible()
    ada.page.keyboard.press("Escape")
    card.wait_for(state="detached")
    assert link(ada, ISSUE).get_attribute("aria-describedby") is None
    link(ada, ISSUE).hover(position={"x": 2, "y": 2})
    ada.page.mouse.move(5, 5)
    card.wait_for(state="detached")
    assert len(requests) == 1, "kept for the visit"
    # A person: their name and bio.
    link(ada, "@octocat").hover()
    card.filter(has_text="The Octocat").wait_for()
    check(ada.page, "a card beside a link")
    # What does not exist is a link and nothing else.
    with ada.page.expect_response(ASKED):
        link(ada, "octocat/none#7").hover()
    card.wait_for(state="detached")
    clean(ada)


@pytest.mark.shows("K5")
@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_a_permalink_shows_its_lines_at_a_reserved_height(quiet_stage, size):
    ada = quiet_stage.person("Ada", viewport={"width": size[0], "height": size[1]}).sign_up()
    few, many = f"{FILES}/src/add.swift#L6-L8", f"{FILES}/src/add.py#L2-L61"
    ada.page.add_init_script(SHIFTS)
    room_with(ada, few, many, "the end")
    cards = ada.log.locator(".lone-card .reference-card")
    expect(cards).to_have_count(2)
    expect(cards.nth(0)).to_contain_text("Lines 6 to 8")
    expect(cards.nth(0).locator("code")).to_have_text("/// Adds 2 to a value.\nfunc add2(_ value: Int) -> Int {\n  value + 2")
    expect(cards.nth(1).locator("code")).to_contain_text("Adds 1 to a value.")
    until(lambda: ada.page.evaluate("CSS.highlights.size") > 0, "the colours")
    box = cards.nth(1).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] and box["height"] < 320, box
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    rest(ada.page)
    assert ada.page.evaluate("window.shifts") == []
    check(ada.page, "cards of lines")
    clean(ada)


@pytest.mark.shows("K5", "H4")
def test_focus_shows_it_at_once_and_describes_the_link(stage):
    [ada] = people(stage, "Ada")
    room_with(ada, f"look at {ISSUE} please")
    link(ada, ISSUE).focus()
    ada.page.keyboard.press("Shift+Tab")
    ada.page.keyboard.press("Tab")
    card = hover_card(ada)
    card.wait_for()
    until(lambda: link(ada, ISSUE).get_attribute("aria-describedby") == card.get_attribute("id"), "the description")
    assert link(ada, ISSUE).evaluate("node => document.activeElement === node")
    ada.page.keyboard.press("Escape")
    card.wait_for(state="detached")
    assert link(ada, ISSUE).evaluate("node => document.activeElement === node"), "the focus stays"
    clean(ada)


@pytest.mark.shows("K5")
@pytest.mark.parametrize("locale", ["en", "ar"])
def test_a_finger_opens_a_sheet_that_leads_on(stage, locale):
    ada = stage.person("Ada", "Tester", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True).sign_up()
    room_with(ada, f"look at {ISSUE} please", "@octocat knows")
    if locale == "ar":
        ada.page.evaluate("document.documentElement.dir = 'rtl'")
    link(ada, ISSUE).tap()
    thing = truth(ada, ISSUE)
    sheet = ada.page.get_by_role("dialog", name=thing["title"])
    sheet.wait_for()

    def risen():
        box = sheet.bounding_box()
        return box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["y"] + box["height"] <= 741

    until(risen, "the sheet within the screen")
    outside = sheet.get_by_role("link", name="on GitHub")
    assert outside.get_attribute("href") == thing["url"]
    expect(outside).to_have_attribute("target", "_blank")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360
    check(ada.page, "the sheet of a reference")
    sheet.get_by_role("link", name="Open", exact=True).tap()
    ada.page.wait_for_url("**" + thing["path"])
    ada.page.go_back()
    ada.message_box.wait_for()
    link(ada, "@octocat").tap()
    ada.page.get_by_role("dialog", name="The Octocat").wait_for()
    clean(ada)


@pytest.mark.shows("K5", "L6")
def test_a_press_on_a_person_opens_the_card_of_a_person_who_can_be_written_to(stage):
    [ada] = people(stage, "Ada")
    room = room_with(ada, "ask @octocat")
    link(ada, "@octocat").click()
    card = ada.page.get_by_role("dialog", name="The Octocat")
    card.wait_for()
    expect(card.get_by_role("link", name="GitHub")).to_have_attribute("href", "https://github.com/octocat")
    card.get_by_role("button", name="Write").click()
    ada.page.wait_for_url(lambda url: "/chats/" in url and room not in url)
    ada.page.get_by_role("heading", name="The Octocat").first.wait_for()
    clean(ada)


@pytest.mark.shows("K5")
def test_a_message_that_is_one_reference_has_its_card_below_and_nothing_jumps(quiet_stage):
    [ada] = people(quiet_stage, "Ada")
    texts = [f"line {number}" for number in range(25)] + [ISSUE, "https://github.com/octocat/Hello-World", "the end"]
    requests = asked(ada)
    ada.page.add_init_script(SHIFTS)
    room = room_with(ada, *texts)
    cards = ada.log.locator(".lone-card > a")
    until(lambda: cards.count() == 2, "both cards")
    thing = truth(ada, ISSUE)
    expect(cards.first).to_contain_text(thing["title"], use_inner_text=True)
    assert cards.first.get_attribute("href") == thing["path"]
    assert [card.bounding_box()["height"] for card in cards.all()] == [80, 80]
    assert len(requests) == 1, "one request for both"
    assert ada.page.evaluate("window.shifts") == []
    expect(ada.log.locator(".lone-card")).to_have_count(2)
    # One that arrives has its place from the start.
    assert ada.api("POST", f"/rooms/{room}/messages", {"text": "octocat/Hello-World#3"})[0] == 201
    until(lambda: cards.count() == 3, "the card of what arrived")
    assert ada.page.evaluate("window.shifts") == []
    # Edited, it is that of the new reference, or of none.
    seq = ada.row("octocat/Hello-World#3").first.get_attribute("data-seq")
    assert ada.api("PATCH", f"/rooms/{room}/messages/{seq}", {"text": "octocat/Hello-World#4"})[0] == 200
    cards.filter(has_text="octocat/Hello-World#4").wait_for()
    assert ada.api("PATCH", f"/rooms/{room}/messages/{seq}", {"text": "never mind"})[0] == 200
    until(lambda: cards.count() == 2, "no third card")
    cards.first.click()
    ada.page.wait_for_url("**" + thing["path"])
    clean(ada)


@pytest.mark.shows("K5", "N4")
@pytest.mark.parametrize("mode", ["outage", "server-error"])
def test_with_github_away_a_reference_is_a_link_and_says_nothing_else(stage, mode):
    [ada] = people(stage, "Ada")
    fault(stage, mode)
    room = group_of(ada)
    for text in (f"look at {ISSUE} please", ISSUE):
        assert ada.api("POST", f"/rooms/{room}/messages", {"text": text})[0] == 201
    with ada.page.expect_response(ASKED) as response:
        ada.open(room)
    assert response.value.status == 200 and response.value.headers["hubbub-stale"] == "1"
    first = link(ada, ISSUE).first
    first.hover()
    assert ada.log.locator(".lone-card > *").count() == 0
    assert hover_card(ada).count() == 0
    assert ada.page.get_by_role("alert").filter(has_text="GitHub").count() == 0
    ada.context.route("https://github.com/**", lambda route: route.fulfill(body="GitHub"))
    with ada.context.expect_page() as opened:
        first.click()
    until(lambda: opened.value.url == "https://github.com/octocat/Hello-World/issues/2", "the link")
    opened.value.close()
    # Back again, it is asked for when the chat is opened next.
    fault(stage, "none")
    until(lambda: truth(ada, ISSUE), "GitHub's answer", 40)
    ada.open(room)
    until(lambda: ada.log.locator(".lone-card > a").count() == 1, "the card")
    clean(ada)


@pytest.mark.shows("K5")
def test_a_place_without_a_card_closes_and_keeps_the_messages_on_screen(quiet_stage):
    [ada] = people(quiet_stage, "Ada")
    missing, lines = "octocat/none#7", [f"line {number}." for number in range(45)]
    room = room_with(ada, *lines[:4], missing, *lines[4:])
    place, held = ada.log.locator(".lone-card"), []
    ada.page.route(ASKED, lambda route: held.append(route))
    # Its place is above the screen, and near enough to be asked for.
    ada.page.goto(f"{ada.base}/chats/{room}?at=10")
    ada.row("line 20.").wait_for()
    until(lambda: ada.page.evaluate("1") and held, "the request")
    rest(ada.page)
    top = lambda: ada.row("line 20.").bounding_box()["y"]
    before = top()
    assert place.bounding_box()["height"] == 80 and place.bounding_box()["y"] < 0
    held[0].continue_()
    expect(place).to_be_hidden()
    assert abs(top() - before) <= 1, "what is read stays"
    clean(ada)


@pytest.mark.shows("K5", "H4")
@pytest.mark.parametrize("width", [360, 1280])
def test_cards_are_accessible_in_both_themes_and_fit(stage, width):
    ada = stage.person("Ada", "Tester", viewport={"width": width, "height": 740}).sign_up()
    bob = stage.person("Bob", "Tester").sign_up()
    room = group_of(ada, bob)
    for person in (ada, bob):
        assert person.api("POST", f"/rooms/{room}/messages", {"text": ISSUE})[0] == 201
    ada.open(room)
    until(lambda: ada.log.locator(".lone-card > a").count() == 2, "the cards")
    for theme in ("light", "dark"):
        ada.page.emulate_media(color_scheme=theme)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
        link(ada, ISSUE).last.hover()
        hover_card(ada).wait_for()
        check(ada.page, f"cards at {width} px in {theme}")
        ada.page.keyboard.press("Escape")
        ada.page.mouse.move(5, 5)
    clean(ada)
