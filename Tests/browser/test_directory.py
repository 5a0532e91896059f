"""The GitHub directory: lists, their storage, and the messages shown if GitHub is not available."""

import json
import re
import urllib.request

import pytest

from serving import until


def fault(stage, mode, **options):
    body = json.dumps({"mode": mode, **options}).encode()
    request = urllib.request.Request(
        stage.server.demo_github + "/_faults", body, {"Content-Type": "application/json", "User-Agent": "test"}, method="POST")
    urllib.request.urlopen(request).close()


def people(person):
    return person.page.get_by_role("list", name="People")


@pytest.mark.shows("D1", "D2")
def test_lists_have_addresses_and_page_as_the_end_comes_near(stage):
    ada = stage.person("Ada").sign_up()
    ada.page.goto(ada.base + "/people")
    people(ada).get_by_role("listitem").first.wait_for()
    first = people(ada).get_by_role("listitem").count()
    people(ada).get_by_role("listitem").last.scroll_into_view_if_needed()
    until(lambda: people(ada).get_by_role("listitem").count() > first, "the second page")
    for path in ("/people/rtyler/followers", "/people/rtyler/following", "/orgs/github", "/people?q=tom"):
        ada.page.goto(ada.base + path)
        people(ada).get_by_role("listitem").first.wait_for()
        assert ada.page.url.endswith(path)
    assert ada.complaints == []


@pytest.mark.shows("D3")
def test_rate_limit_is_an_alert_with_countdown_and_the_list_retries_by_itself(stage):
    ada = stage.person("Ada").sign_up()
    fault(stage, "rate-limit", reset_in_s=4)
    ada.page.goto(ada.base + "/people/mojombo/followers")
    alert = ada.page.get_by_role("alert").filter(has_text=re.compile("limit", re.I))
    alert.first.wait_for()
    shown = alert.first.inner_text()
    until(lambda: alert.count() == 0 or alert.first.inner_text() != shown, "the countdown to move")
    fault(stage, "none")
    people(ada).get_by_role("listitem").first.wait_for()
    until(lambda: alert.filter(visible=True).count() == 0, "the alert to go")


@pytest.mark.shows("D4")
def test_another_failure_has_a_debug_line_and_retry(stage):
    ada = stage.person("Ada").sign_up()
    fault(stage, "server-error")
    ada.page.goto(ada.base + "/people/defunkt/followers")
    alert = ada.page.get_by_role("alert").filter(has_text="50")
    alert.first.wait_for()
    said = alert.first.inner_text()
    assert "<" not in said
    assert re.search(r"status 50\d · request \S+ · \S+", said), said
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    alert.get_by_role("button", name="Copy").click()
    alert.get_by_role("button", name="Copied").wait_for()
    assert ada.page.evaluate("navigator.clipboard.readText()") in said
    fault(stage, "none")
    ada.page.get_by_role("button", name=re.compile("Retry")).first.click()
    people(ada).get_by_role("listitem").first.wait_for()


@pytest.mark.shows("D5")
def test_a_stored_list_shows_while_github_is_down(stage):
    ada = stage.person("Ada").sign_up()
    ada.page.goto(ada.base + "/people")
    people(ada).get_by_text("mojombo").first.wait_for()
    fault(stage, "outage")
    ada.page.goto(ada.base + "/chats")
    ada.page.goto(ada.base + "/people")
    people(ada).get_by_text("mojombo").first.wait_for()


@pytest.mark.shows("D6")
def test_pressing_somebody_twice_leads_to_the_same_chat(stage):
    ada = stage.person("Ada").sign_up()
    rooms = []
    for _ in range(2):
        ada.page.goto(ada.base + "/people")
        people(ada).get_by_text("wycats").first.click()
        ada.page.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
        rooms.append(ada.page.url)
    assert rooms[0] == rooms[1]


@pytest.mark.shows("D8")
def test_after_a_fast_scroll_every_row_shows_its_own_picture(stage):
    ada = stage.person("Ada").sign_up()
    fault(stage, "slow", delay_ms=30)
    ada.page.goto(ada.base + "/people")
    people(ada).get_by_role("listitem").first.wait_for()
    for _ in range(12):
        people(ada).get_by_role("listitem").last.scroll_into_view_if_needed()
    def pictures():
        return ada.page.evaluate("""() => [...document.querySelectorAll('[role=list][aria-label=People] [role=listitem],'
          + 'ul[aria-label=People] > li')].map(row => [row.dataset.githubId,
            [...row.querySelectorAll('img')].map(i => i.getAttribute('src') || '')]).filter(([, s]) => s.some(Boolean))""")
    shown = until(pictures, "some pictures")
    for github_id, sources in shown:
        for source in filter(lambda s: "/avatars/" in s, sources):
            assert re.search(rf"/avatars/github-{github_id}\b", source), (github_id, source)
