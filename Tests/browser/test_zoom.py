"""Zoomed, right to left, in German, with more contrast and less motion: everything is there, nothing is cut off."""

import os

import pytest

from api_client import PASSWORD
from serving import until
from stage import Stage, rest
from test_accessibility import check
from test_chat_list_accessibility import picture, sticks_out

RTL = """new MutationObserver(() => { const root = document.documentElement;
  if (root && root.dir !== 'rtl') root.dir = 'rtl'; }).observe(document, { childList: true, subtree: true, attributes: true })"""
TEXT = """new MutationObserver(() => { const root = document.documentElement;
  if (root && root.style.fontSize !== '200%') root.style.fontSize = '200%'; }).observe(document, { childList: true })"""

# A window of 1280 pixels zoomed to 200 and 400 %; text only at 200 %; and the rest. Forms checked elsewhere, or in
# another size, are for visual inspection only (HUBBUB_LOOK=1).
MODES = [
    ("400 %, German", {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4, "locale": "de-DE"}, None),
    ("text 200 % phone", {"viewport": {"width": 360, "height": 740}, "has_touch": True}, TEXT),
    ("right to left, contrast, reduced motion", {"contrast": "more", "reduced_motion": "reduce"}, RTL),
] + ([
    ("200 %", {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}, None),
    ("text 200 %", {}, TEXT),
    ("right to left phone", {"viewport": {"width": 360, "height": 740}, "has_touch": True}, RTL),
    ("German, dark, 360", {"viewport": {"width": 360, "height": 740}, "locale": "de-DE", "color_scheme": "dark"}, None),
] if os.environ.get("HUBBUB_LOOK") else [])
# The pages that axe checks too; in other forms it checks all pages (test_accessibility.py).
LOOKED_AT = {"/sign-in", "/people", "/settings", "chat", "help"}
PATHS = ["/chats", "/people", "/people/octocat", "/news", "/settings", "/rooms", "/rooms/new", "/search?q=hello"]


def cut(page):
    """Headings, buttons, labels and tabs whose text is cut off. Names and user text may be, with an ellipsis."""
    return page.evaluate("""() => [...document.querySelectorAll(
        'h1, h2, button:not(.row-button), .button, .tab, label, .field-hint, .what, .how, .item, th, kbd')]
      .filter(n => n.checkVisibility() && !n.closest('.visually-hidden, .skip, [dir=auto], .row, .face') && !n.querySelector('[dir=auto]')
        && getComputedStyle(n).overflowX !== 'visible' && !n.matches('[dir=auto]') && n.scrollWidth > n.clientWidth + 1)
      .map(n => n.outerHTML.slice(0, 100))""")


def scrolls_sideways(page):
    """What can be scrolled sideways: the page, or a pane, except what has to be (code)."""
    return page.evaluate("""() => [document.scrollingElement, ...document.querySelectorAll('.scroller, .pane, .rows, main')]
      .filter(n => n.scrollWidth > n.clientWidth + 1 && (n === document.scrollingElement
        || /auto|scroll/.test(getComputedStyle(n).overflowX))).map(n => `${n.className} ${n.scrollWidth} > ${n.clientWidth}`)""")


@pytest.fixture(scope="module")
def crowd(browser, program):
    """Two people with content; every mode reuses their sessions."""
    stage = Stage(browser, program, covers=False)
    ada, bob = stage.person("Ada", "Lovelace"), stage.person("Bob", "Kahn")
    for person in (ada, bob):
        body = {"email": person.email, "password": PASSWORD, "first_name": person.first, "last_name": person.last}
        assert person.api("POST", "/accounts", body)[0] == 201
    room = ada.api("POST", "/rooms", {"kind": "direct", "user_id": bob.id})[1]["id"]
    group = ada.api("POST", "/rooms", {"kind": "group", "name": "Engine", "topic": "All of it", "member_ids": [bob.id]})[1]["id"]
    say = lambda person, text, **more: person.api("POST", f"/rooms/{room}/messages", {"text": text, **more})[1]["seq"]
    first = say(bob, "hello @AdaLovelace, مرحبا https://example.org/a/long/way/to/go/that/nobody/would/break/by/hand")
    own = say(ada, "an answer, (42)!", reply_to=first)
    say(ada, "שלום, מה שלומך?")
    assert bob.api("PUT", f"/rooms/{room}/messages/{own}/reactions/%F0%9F%91%8D")[0] == 204
    say(bob, "```\nlet wide = \"a line of code that is longer than any phone is wide, whatever one does\"\n```")
    cookies = ada.context.cookies()
    yield stage, cookies, room, group, first
    stage.close()


@pytest.mark.parametrize("mode, options, script", MODES, ids=[mode for mode, _, _ in MODES])
@pytest.mark.shows("H4")
def test_every_page_is_complete(crowd, mode, options, script):
    stage, cookies, room, group, first = crowd
    ada = stage.person("Ada", "Lovelace", **options)
    page = ada.page
    if script:
        ada.context.add_init_script(script)

    def see(where):
        rest(page)
        picture(page, f"{mode}-{where.strip('/').replace('/', '-') or 'home'}")
        assert sticks_out(page) == [], f"{mode} {where}"
        assert scrolls_sideways(page) == [], f"{mode} {where}"
        # Letters twice as large leave a title no room beside its button; it then ends in an ellipsis.
        assert [node for node in cut(page) if script != TEXT or not node.startswith("<h1")] == [], f"{mode} {where}"
        if where in LOOKED_AT:
            check(page, f"{mode} {where}")

    for path in ("/sign-in", "/sign-up"):
        page.goto(ada.base + path)
        page.locator("input[type=email]").wait_for()
        see(path)
    ada.context.add_cookies(cookies)
    for path in PATHS:
        page.goto(ada.base + path)
        page.locator("h1:visible").first.wait_for()
        until(lambda: page.locator("[role=progressbar]:visible").count() == 0, f"{path} to be there")
        see(path)
    page.goto(f"{ada.base}/chats/{group}/info")
    page.locator(".info h2:visible").first.wait_for()
    see("info")
    page.goto(f"{ada.base}/chats/{room}")
    page.locator(f'[role=log] [data-seq="{first}"]').wait_for()
    see("chat")
    # The keyboard's way to a menu: at any size all of it can be reached.
    page.locator("[role=log] .message").last.focus()
    page.keyboard.press("Shift+F10")
    page.get_by_role("menu").wait_for()
    last = page.get_by_role("menuitem").last
    last.focus()
    size = page.viewport_size
    ends = lambda: (last.bounding_box()["y"], last.bounding_box()["y"] + last.bounding_box()["height"])
    until(lambda: 0 <= ends()[0] and ends()[1] <= size["height"] + 1, f"{mode}: the last item to be in view")
    see("menu")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+/")
    page.get_by_role("dialog").wait_for()
    see("help")
    if "motion" in mode:
        moving = page.evaluate("document.getAnimations().map(a => a.animationName ?? a.transitionProperty)")
        assert moving == []
    # The browser logs the missing page.
    assert [c for c in ada.complaints if "404" not in c] == []


@pytest.mark.shows("H4")
def test_states_are_distinguishable_in_forced_colours(crowd):
    """Ticks, the selected row, unread counts, the online dot, focus, switches: distinguished by shape or the system's
    own colours."""
    stage, cookies, room, group, first = crowd
    ada = stage.person("Ada", "Lovelace", forced_colors="active")
    page = ada.page
    ada.context.add_cookies(cookies)
    ada.open(room)
    rest(page)
    picture(page, "forced-chat")
    style = lambda selector, *names: page.locator(selector).first.evaluate(
        "(n, names) => names.map(name => getComputedStyle(n)[name])", list(names))
    assert style(".row[aria-current=page]", "outlineStyle") != style(".row:not([aria-current])", "outlineStyle")
    own, other = style(".message.own .bubble", "borderTopColor", "borderTopStyle"), style(
        ".message:not(.own) .bubble", "borderTopColor", "borderTopStyle")
    assert own[1] == other[1] == "solid"
    ticks = page.locator(".message.own svg.state").first
    assert ticks.evaluate("n => getComputedStyle(n).color") != page.locator(".message.own .bubble").first.evaluate(
        "n => getComputedStyle(n).backgroundColor")
    page.keyboard.press("Tab")
    assert style(":focus-visible", "outlineStyle") != ["none"]
    page.goto(ada.base + "/settings")
    switch = page.get_by_role("switch", name="Read receipts")
    switch.wait_for()
    until(lambda: switch.is_enabled(), "the settings")
    look = lambda: switch.evaluate("""n => [getComputedStyle(n).backgroundColor, getComputedStyle(n, '::before').transform,
      getComputedStyle(n, '::before').translate, getComputedStyle(n, '::before').insetInlineStart,
      getComputedStyle(n, '::before').marginInlineStart, getComputedStyle(n, '::after').translate,
      getComputedStyle(n).appearance, n.matches(':checked')].slice(0, 7).join()""")
    before = look()
    switch.press("Space")
    rest(page)
    changed = look()
    switch.press("Space")
    assert before != changed, before
    picture(page, "forced-settings")
