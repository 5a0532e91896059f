"""Phones: the on-screen keyboard, rotation, notches, small screens, touch targets."""

import re
import time

import pytest

from serving import until
from test_conversation import OFFSET, pair, post, read_to, where

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

# Clickable elements less than 24 px in size, counting anything that extends them (a label, a larger invisible part).
# Not hidden ones, nor links within a text (WCAG 2.5.8).
SMALL = """() => {
  const takes = (node, x, y) => { const hit = document.elementFromPoint(x, y);
    return hit !== null && (node.contains(hit) || [...node.labels ?? []].some(label => label.contains(hit))
      || hit.closest('label')?.control === node || hit.contains(node) && hit.matches('a, button, label')); };
  return [...document.querySelectorAll(
      'a[href], button, input, textarea, select, summary, [role=button], [role=tab], [role=menuitem], [tabindex="0"]')]
    .filter(node => node.checkVisibility({visibilityProperty: true, opacityProperty: true}))
    .filter(node => !(getComputedStyle(node).display === 'inline' && node.closest('p, .body, dd')))
    .filter(node => {
      node.scrollIntoView({block: 'center', behavior: 'instant'});
      const box = node.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1 || (box.width >= 24 && box.height >= 24)) return false;
      const x = box.x + box.width / 2, y = box.y + box.height / 2;
      const reach = (dx, dy) => { let n = 0; while (n < 24 && takes(node, x + dx * (n + 1), y + dy * (n + 1))) n += 1; return n; };
      return reach(-1, 0) + reach(1, 0) < 23 || reach(0, -1) + reach(0, 1) < 23;
    })
    .map(node => `${node.tagName} ${node.className} ${node.getAttribute('aria-label') ?? node.textContent.slice(0, 30)}: `
      + `${node.offsetWidth} × ${node.offsetHeight}`);
}"""

# Elements wider than the screen: the page, and each scrolling pane.
WIDE = """() => [document.documentElement, ...document.querySelectorAll('body, .pane, .scroller, .bar, .composer')]
  .filter(node => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
  .map(node => `${node.tagName} ${node.className}: ${node.scrollWidth} in ${node.clientWidth}`)"""

# A keyboard that covers the page, as in one engine: the visible part shrinks, the page does not.
COVERING = """() => {
  const viewport = new EventTarget();
  Object.assign(viewport, {height: innerHeight, offsetTop: 0, scale: 1});
  Object.defineProperty(window, 'visualViewport', {value: viewport, configurable: true});
  window.cover = (height, offsetTop = 0, scale = 1) => {
    Object.assign(viewport, {height: document.documentElement.clientHeight - height, offsetTop, scale});
    viewport.dispatchEvent(new Event('resize')); };
}"""


def protocol(person):
    return person.context.new_cdp_session(person.page)


def resize(person, width, height):
    person.page.set_viewport_size({"width": width, "height": height})


def focused(person):
    return person.page.evaluate("document.activeElement.getAttribute('aria-label')")


@pytest.mark.shows("K2", "H4")
def test_pages_fit_a_small_screen_and_all_targets_fit_a_finger(stage):
    ada = stage.person("Ada", "Lovelace", **PHONE)
    page, found = ada.page, []

    def look(where):
        page.locator("h1:visible").first.wait_for()
        for width, questions in ((320, (WIDE,)), (360, (WIDE, SMALL))):
            resize(ada, width, 640)
            # Lazily loaded styles may arrive a moment after their rows.
            end = time.monotonic() + 3
            while (wrong := [one for question in questions for one in page.evaluate(question)]) and time.monotonic() < end:
                pass
            found.extend(f"{where} at {width} px: {what}" for what in wrong)
            # A page wider than the screen would be laid out wider.
            assert page.evaluate("innerWidth") == width, where

    for path in ("/sign-in", "/sign-up"):
        page.goto(ada.base + path)
        look(path)
    content = page.locator('meta[name="viewport"]').get_attribute("content")
    assert not re.search("user-scalable|maximum-scale|minimum-scale", content), "pages can be zoomed"
    ada.sign_up()
    look("/chats, empty")
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"})
    assert status == 201, room
    group = ada.api("POST", "/rooms", {"kind": "group", "name": "A group with a rather long name", "member_ids": []})[1]
    for text in ("hello", "a-word-without-any-place-to-break-it-" * 8, "see https://example.com/" + "long/" * 30):
        assert ada.api("POST", f"/rooms/{room['id']}/messages", {"text": text})[0] == 201
    paths = ["/chats", f"/chats/{room['id']}", f"/chats/{group['id']}/info", "/people", "/people/defunkt", "/news", "/settings",
             "/rooms", "/rooms/new", "/search?q=hello", "/nowhere"]
    for path in paths:
        page.goto(ada.base + path)
        if path == "/people":
            page.get_by_role("list", name="People").get_by_role("listitem").first.wait_for()
        if path == paths[1]:
            ada.row("hello").first.wait_for()
        look(re.sub("[0-9a-f-]{36}", "…", path))
    assert not found, "\n".join(found)


@pytest.mark.shows("K2", "C6")
def test_the_newest_message_stays_above_the_keyboard_and_a_tap_on_the_log_closes_it(stage):
    ada, bob, room = pair(stage, **PHONE)
    post(bob, room, *(f"line {n}." for n in range(1, 41)))
    read_to(ada, room, 40)
    ada.open(room)
    ada.row("line 40.").wait_for()
    ada.message_box.tap()
    assert focused(ada) == "Message"
    # For browsers that shrink the page for the keyboard.
    resize(ada, 360, 400)
    until(lambda: where(ada)["toEnd"] <= 1, "the newest message to be in view")
    post(bob, room, "while you type")
    ada.row("while you type").wait_for()
    until(lambda: where(ada)["toEnd"] <= 1, "the log to follow")
    row, composer = ada.row("while you type").bounding_box(), ada.message_box.bounding_box()
    assert row["y"] + row["height"] <= composer["y"] and composer["y"] + composer["height"] <= 400
    ada.say("from under a finger")
    ada.row("from under a finger").wait_for()
    assert focused(ada) == "Message", "the button does not close the keyboard"
    ada.row("while you type").tap()
    until(lambda: focused(ada) != "Message", "the keyboard to close")
    resize(ada, 360, 740)
    until(lambda: where(ada)["toEnd"] <= 1, "the end, still")
    assert ada.complaints == []


@pytest.mark.shows("K2")
def test_the_page_makes_room_for_a_keyboard_that_covers_it(stage):
    ada, bob, room = pair(stage, **PHONE)
    post(bob, room, *(f"line {n}." for n in range(1, 41)))
    read_to(ada, room, 40)
    ada.page.add_init_script(f"({COVERING})()")
    ada.open(room)
    ada.row("line 40.").wait_for()
    bottom = lambda: (lambda box: box["y"] + box["height"])(ada.message_box.bounding_box())
    until(lambda: ada.page.evaluate("cover(300)") or bottom() <= 740 - 300, "the composer above the keyboard")
    until(lambda: where(ada)["toEnd"] <= 1, "the newest message to be in view")
    ada.page.evaluate("cover(300, 120)")
    # The visible part is 120 px further down by then: that is where the composer is.
    until(lambda: 740 - 300 + 60 < bottom() <= 740 - 300 + 120, "the page to come along")
    ada.page.evaluate("cover(300, 0, 2)")
    until(lambda: bottom() > 700, "no room to be made where one has zoomed in")
    ada.page.evaluate("cover(300)")
    until(lambda: bottom() <= 440, "the keyboard again")
    ada.page.evaluate("cover(0)")
    until(lambda: bottom() > 700, "the whole page again")
    assert ada.complaints == []


@pytest.mark.shows("K2")
def test_rotation_keeps_the_place_and_notches_cover_nothing(stage):
    ada, bob, room = pair(stage, **PHONE)
    post(bob, room, *(f"line {n}, which is long enough to need more than one line on a narrow screen." for n in range(1, 41)))
    read_to(ada, room, 40)
    ada.open(room)
    ada.row("line 40,").wait_for()
    until(lambda: where(ada)["toEnd"] <= 1, "the end")
    # A scroll event between a growth of the log and the next frame is not the reader's.
    ada.page.evaluate("""() => { const scroller = document.querySelector('.log-scroller');
      const more = document.createElement('li'); more.style.blockSize = '112px';
      scroller.lastElementChild.append(more); scroller.dispatchEvent(new Event('scroll')); }""")
    until(lambda: where(ada)["toEnd"] <= 1, "the end of a log that grew")
    resize(ada, 740, 360)
    until(lambda: where(ada)["toEnd"] <= 1, "the end after turning")
    resize(ada, 360, 740)
    until(lambda: where(ada)["toEnd"] <= 1, "the end after turning back")
    ada.page.evaluate("document.querySelector('.log-scroller').scrollTop -= 1500")
    until(lambda: where(ada)["toEnd"] > 1000, "an earlier place")
    ada.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    stands = where(ada)
    for width, height in ((740, 360), (360, 740)):
        resize(ada, width, height)
        ada.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        offset = ada.page.evaluate(OFFSET, stands["reading"])
        assert -200 < offset < height / 2, f"line {stands['reading']} went to {offset} at {width} × {height}"
    assert where(ada)["reading"] == stands["reading"]

    insets = {"top": 30, "left": 44, "right": 44, "bottom": 21}
    protocol(ada).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    resize(ada, 740, 360)
    # The list of the settings' sections scrolls sideways, from one edge to the other.
    covered = """([side, least]) => [...document.querySelectorAll('a[href], button, textarea, .bubble, h1')]
      .filter(node => node.checkVisibility() && !node.closest('.log-scroller .visually-hidden, .settings-list'))
      .filter(node => { const box = node.getBoundingClientRect(); return box.width > 1 && box.bottom > 0 && box.top < innerHeight && (
        side === 'left' ? box.left < least : side === 'right' ? box.right > innerWidth - least
        : side === 'top' ? box.top < least && !node.closest('.log') : box.bottom > innerHeight - least && !node.closest('.log')); })
      .map(node => node.className || node.tagName)"""
    for path in (f"/chats/{room}", "/chats", "/settings", "/people"):
        ada.page.goto(ada.base + path)
        ada.page.locator("h1:visible").first.wait_for()
        for side, least in insets.items():
            scrolls = path != f"/chats/{room}" and side == "bottom"
            found = [] if scrolls else ada.page.evaluate(covered, [side, least])
            assert found == [], f"{path}: under the {side} edge"


# The person goes back before the next transition begins.
LATE = """() => {
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (show) => {
    document.startViewTransition = start;
    const done = new Promise((resolve) => { addEventListener('popstate', () => resolve(show()), { once: true }); });
    history.back();
    return { ready: done, updateCallbackDone: done };
  };
}"""


@pytest.mark.shows("H4", "L2")
def test_who_goes_back_before_a_page_has_come_is_in_the_chat_again(stage):
    ada, bob = stage.person("Ada", **PHONE).sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    ada.page.evaluate(LATE)
    ada.page.get_by_role("link", name=re.compile("Bob")).first.tap()
    ada.page.wait_for_url(f"**/chats/{room}")
    ada.message_box.wait_for()
    ada.say("still here")
    bob.open(room)
    bob.row("still here").wait_for()
