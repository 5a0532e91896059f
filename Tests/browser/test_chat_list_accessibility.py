"""axe on everything that opens over the chat list, and narrow screens that nothing may overflow."""

import os
import re

import pytest

from chat_list_page import choose, friends, menu, middle, no_toasts, row, touch_ready, write
from fingers import Finger
from serving import until
from stage import ARTIFACTS, rest
from test_accessibility import SIZES, check, colours
from test_search import answers, field, hit, section

NAMES = ["Grace", "Maximiliana Alexandrina von Hohenstein-Wittelsbach", "عائشة", "Bob 🎉"]


def picture(page, name):
    """Screenshots for visual inspection, if wanted (HUBBUB_LOOK=1)."""
    if os.environ.get("HUBBUB_LOOK"):
        (ARTIFACTS / "look").mkdir(parents=True, exist_ok=True)
        page.screenshot(path=ARTIFACTS / "look" / f"{name}.png")


def sticks_out(page):
    """Elements that extend beyond the window's edges."""
    return page.evaluate("""() => {
      const cuts = node => getComputedStyle(node).overflowX !== 'visible';
      const isCut = node => { for (let n = node.parentElement; n && n !== document.body; n = n.parentElement)
        if (cuts(n) && n.getBoundingClientRect().right <= innerWidth + 1 && n.getBoundingClientRect().left >= -1) return true; };
      return [...document.querySelectorAll('body *')].filter(n => n.checkVisibility()).filter(n => {
        const b = n.getBoundingClientRect(); return b.width > 0 && (b.left < -1 || b.right > innerWidth + 1) && !isCut(n); })
        .map(n => n.outerHTML.slice(0, 80)); }""")


@pytest.mark.parametrize("size, options", SIZES)
@pytest.mark.shows("H4")
def test_rows_menu_swipe_question_search_and_toasts_have_no_violation(stage, size, options):
    ada = stage.person("Ada", "Lovelace", **options)
    ada.sign_up()
    page = ada.page
    people, rooms = friends(stage, ada, *NAMES)
    for body in ({"muted": True}, {"pinned": True}):
        assert ada.api("PATCH", f"/rooms/{rooms[0]}", body)[0] == 200
    assert ada.api("PATCH", f"/rooms/{rooms[2]}", {"draft": "مسودة"})[0] == 200
    row(page, "Grace").get_by_role("img", name="Pinned").wait_for()

    def see(what):
        for form in colours(page, size):
            rest(page)
            picture(page, f"{form}-{what}")
            check(page, f"{form} {what}")
            assert sticks_out(page) == []

    no_toasts(page)
    see("list")
    if options.get("has_touch"):
        touch_ready(page)
        finger = Finger(page)
        finger.down(*middle(row(page, "Bob")))
        finger.move(-200, 0)
        finger.up()
        row(page, "Bob").get_by_role("button", name="Mute").wait_for()
        see("swipe")
        page.get_by_role("heading", name="Chats").tap()
        until(lambda: row(page, "Bob").get_by_role("group").count() == 0, "it to close")
    row(page, "Bob").click(button="right")
    menu(page).wait_for()
    see("menu")
    menu(page).get_by_role("menuitem", name="Delete chat").click()
    page.get_by_role("dialog").wait_for()
    see("question")
    page.keyboard.press("Escape")
    page.goto(ada.base + "/search")
    page.get_by_text("Search everything").wait_for()
    see("search-empty")
    long = "a log " + "that goes on and on and never seems to end at all, " * 4
    answers(page, lambda q: [hit("the log of it", 1), hit(long, 2, "team", "log", "group", "Build, release and everything else"),
                             hit("سجل log المحادثة", 3, word="log")] if q == "log" else [])
    field(page).fill("log")
    section(page, "Messages").get_by_text("the log of it").wait_for()
    see("search")
    field(page).fill("nothing like this")
    page.get_by_text("Nothing found for “nothing like this”").wait_for()
    see("search-nothing")
    page.route(re.compile(r"/api/v1/rooms/[0-9a-f-]+$"), lambda route: route.abort() if route.request.method == "PATCH"
               else route.continue_())
    page.goto(ada.base + "/chats")
    choose(page, "Bob", "Mute")
    page.locator(".toast.failed").wait_for()
    write(people[1], rooms[1], "a message of some length, which needs the two lines that a toast has to offer, and more")
    until(lambda: page.locator(".toast").count() == 2, "both toasts")
    see("toasts")
    assert [c for c in ada.complaints if "ERR_FAILED" not in c] == []


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.shows("H4")
def test_nothing_overflows_at_320_pixels_in_either_direction(stage, direction):
    ada = stage.person("Ada", viewport={"width": 320, "height": 640}, has_touch=True).sign_up()
    page = ada.page
    friends(stage, ada, *NAMES)
    no_toasts(page)
    page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    rest(page)
    assert sticks_out(page) == []
    picture(page, f"320-{direction}-list")
    box = row(page, "Grace").locator(".avatar").bounding_box()
    assert (box["x"] < 160) == (direction == "ltr")
    row(page, "Bob").click(button="right")
    menu(page).wait_for()
    rest(page)
    assert sticks_out(page) == []
    picture(page, f"320-{direction}-menu")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.shows("L1")
def test_the_wide_page_looks_right(stage, scheme):
    """Inspected as screenshots: list, hover, menu, question, search beside an open chat, toasts."""
    ada = stage.person("Ada", "Lovelace", color_scheme=scheme).sign_up()
    page = ada.page
    people, rooms = friends(stage, ada, *NAMES)
    for room, body in ((rooms[0], {"pinned": True}), (rooms[3], {"pinned": True, "muted": True}), (rooms[2], {"draft": "مسودة"})):
        assert ada.api("PATCH", f"/rooms/{room}", body)[0] == 200
    row(page, "Bob").get_by_role("img", name="Muted").wait_for()
    row(page, "Grace").click()
    ada.row("hello from Grace").first.wait_for()
    row(page, "Maximiliana").hover()
    rest(page)
    picture(page, f"wide-{scheme}-list")
    row(page, "Maximiliana").click(button="right")
    menu(page).wait_for()
    rest(page)
    picture(page, f"wide-{scheme}-menu")
    menu(page).get_by_role("menuitem", name="Clear history").click()
    page.get_by_role("dialog").wait_for()
    rest(page)
    picture(page, f"wide-{scheme}-question")
    page.keyboard.press("Escape")
    answers(page, lambda q: [hit("hello from Grace", 1, rooms[0], "hello"), hit("and hello again", 2, rooms[3], "hello")])
    page.keyboard.press("Control+k")
    page.keyboard.type("hello")
    section(page, "Messages").get_by_text("again").wait_for()
    write(people[1], rooms[1], "a message of some length, which needs the two lines that a toast has to offer, and more")
    write(people[2], rooms[2], "مرحبا")
    until(lambda: page.locator(".toast").count() == 2, "both toasts")
    rest(page)
    picture(page, f"wide-{scheme}-search")
    assert sticks_out(page) == [] and ada.complaints == []
