"""Avatars: a fast scroll with slow pictures never shows a wrong face, and requests no more than is visible."""

import re

import pytest
from playwright.sync_api import expect

from directory_page import colour_of, crowd, fault, png, rows, scroller, seen
from serving import until


def slow_pictures(person, seconds):
    """Delays pictures, each in its own thread; returns the requested and the aborted ones."""
    asked, dropped = [], []
    person.page.on("requestfailed", lambda r: "/avatars/github-" in r.url and dropped.append(r.url))

    def answer(route):
        number = int(re.search(r"github-(\d+)", route.request.url)[1])
        asked.append(number)
        # Released one by one below, since Playwright's own thread must not wait.
        waiting.append((route, number))

    waiting = []
    person.page.route("**/api/v1/avatars/github-*", answer)
    return asked, dropped, waiting


def give(waiting):
    """Responds to the waiting requests for pictures, the last one first."""
    while waiting:
        route, number = waiting.pop()
        try:
            route.fulfill(status=200, content_type="image/png", body=png(colour_of(number)))
        except Exception:  # the browser has aborted it meanwhile
            pass


def check_faces(person):
    """Each visible row shows its own account's picture or none."""
    shown = seen(person)
    for row in shown:
        if row["source"] is None:
            continue
        assert f"/github-{row['id']}?" in row["source"], row
        assert row["colour"] == list(colour_of(row["id"])), row
    return shown


@pytest.mark.shows("D8")
def test_a_fast_scroll_with_slow_pictures_never_shows_a_wrong_face(stage):
    ada = stage.person("Ada").sign_up()
    crowd(ada, 900)
    asked, dropped, waiting = slow_pictures(ada, 1)
    ada.page.goto(ada.base + "/people/big/followers")
    rows(ada).first.wait_for()
    ada.page.evaluate("""() => { window.shifts = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value; })
      .observe({ type: 'layout-shift' }); }""")
    box = scroller(ada).bounding_box()
    ada.page.mouse.move(box["x"] + 50, box["y"] + 200)
    for turn in range(60):
        ada.page.mouse.wheel(0, 900 if turn < 40 else -700)
        ada.page.evaluate("() => new Promise(requestAnimationFrame)")
        # Some responses arrive in the middle of the scroll, for rows that are gone by then.
        if turn % 4 == 3:
            give(waiting)
        check_faces(ada)

    def settled():
        give(waiting)
        shown = check_faces(ada)
        return len(shown) > 5 and all(row["source"] for row in shown)

    until(settled, "every visible row's own picture")
    assert ada.page.evaluate("window.shifts") == 0
    passed = 40 * 900 // 60
    print(f"\nfast scroll past {passed} rows: {len(asked)} pictures asked for, {len(dropped)} given up")
    assert len(asked) < passed * 0.8, "rows that fly by are not asked for"
    assert [c for c in ada.complaints if "Failed to load resource" not in c] == []


@pytest.mark.shows("D8")
def test_fetches_for_rows_scrolled_away_are_aborted(stage):
    ada = stage.person("Ada").sign_up()
    crowd(ada, 300)
    asked, dropped, waiting = slow_pictures(ada, 1)
    ada.page.goto(ada.base + "/people/big/followers")
    rows(ada).first.wait_for()
    until(lambda: len(asked) == 3 or (ada.page.evaluate("0"), False)[1], "the first three")
    first = set(asked)
    for _ in range(3):
        scroller(ada).evaluate("body => { body.scrollTop += 3000; }")
        ada.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    until(lambda: len(dropped) >= 3 or (ada.page.evaluate("0"), False)[1], "the first three to be given up")
    assert {int(re.search(r"github-(\d+)", url)[1]) for url in dropped} >= first
    # Their places are reused; rows that were skipped were never requested.
    until(lambda: len(asked) > 3 or (ada.page.evaluate("0"), False)[1], "pictures of the present rows")
    assert len(asked) <= 15, asked


@pytest.mark.shows("D8")
def test_until_a_picture_arrives_there_is_a_placeholder_and_without_one_initials(stage):
    ada = stage.person("Ada").sign_up()
    crowd(ada, 20)
    asked, _, waiting = slow_pictures(ada, 1)
    ada.page.goto(ada.base + "/people/big/followers")
    rows(ada).first.wait_for()
    until(lambda: len(waiting) == 3 or (ada.page.evaluate("0"), False)[1], "pictures on their way")
    face = rows(ada).first.locator(".avatar")
    expect(face).to_have_attribute("data-awaits", "")
    before = face.bounding_box()
    colour = face.evaluate("node => getComputedStyle(node).color")
    assert colour == "rgba(0, 0, 0, 0)", "initials only where there is no picture"
    for route, number in sorted(waiting, key=lambda pair: pair[1]):
        if number == 1:
            route.fulfill(status=404, content_type="application/problem+json", body="{}")
        else:
            route.fulfill(status=200, content_type="image/png", body=png(colour_of(number)))
    waiting.clear()
    until(lambda: face.get_attribute("data-awaits") is None, "the initials")
    expect(face).to_have_text("P", use_inner_text=True)
    assert face.bounding_box() == before
    second = rows(ada).nth(1).locator(".avatar")
    second.locator("img[data-loaded]").wait_for(state="attached")
    assert second.get_attribute("data-awaits") is None


@pytest.mark.shows("D8")
def test_the_server_does_not_fetch_what_browsers_have_aborted(stage):
    """The same with the stand-in: while it is slow, a scroll through hundreds of rows leads to few fetches."""
    ada = stage.person("Ada").sign_up()
    ada.page.goto(ada.base + "/people/rtyler/followers")
    rows(ada).first.wait_for()
    fault(stage, "slow", delay_ms=1500, path="/u/")
    # The server creates the folder with the first picture.
    kept = lambda: len(list((stage.server.folder / "avatars").glob("*")))
    known = kept()
    for _ in range(12):
        scroller(ada).evaluate("body => { body.scrollTop += 1500; }")
        ada.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    fault(stage, "none")

    def all_shown():
        shown = seen(ada)
        return len(shown) > 5 and all(row["source"] and f"github-{row['id']}?" in row["source"] for row in shown)

    until(all_shown, "the present rows' pictures")
    fetched = kept() - known
    print(f"\nscrolled past 300 rows under slow pictures: {fetched} fetched by the server")
    assert fetched < 80
