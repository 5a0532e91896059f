"""The texts of issues, pull requests, releases and commits: drawn as GitHub draws them."""

import json

import pytest
from playwright.sync_api import expect

from people import clean
from serving import until
from test_accessibility import SIZES, check_all

FENCE = "```"
TEXT = f"""# What happens
It is *slow*, see #3, octo/other#4, `#5`, @grace and 0123456789abcdef0123456789abcdef01234567.
[Read this](docs/guide.md) first :tada:

- [x] reproduced
- [ ] explained

> [!NOTE]
> Only on Linux.

| before | after |
| ------ | ----: |
| 1 s    | 2 s   |

![A chart](https://example.org/chart.png)

{FENCE}swift
let answer = 42
{FENCE}
"""


def thing(kind, **values):
    path = {"issue": "issues/12", "pull": "pulls/12", "release": "releases/v1", "commit": "commits/" + 40 * "a"}[kind]
    number = {"number": 12} if kind in ("issue", "pull") else {"ref": path.split("/")[1]}
    return path, {
        "kind": kind, "repo": {"name": "octo/mill"}, "title": f"A slow {kind}", "text": TEXT, "author": None,
        "labels": [], "topics": [], "counts": {}, "notes": {}, "created_at": "2026-01-02T03:04:05.000Z",
        "path": f"/github/octo/mill/{path}", "url": "https://github.com/octo/mill/issues/12", **number, **values}


def open_thing(person, kind, **values):
    path, body = thing(kind, **values)
    person.page.route(f"**/api/v1/github/repos/octo/mill/{path}", lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps(body)))
    person.page.goto(f"{person.base}/github/octo/mill/{path}")
    return person.page.locator(".thing .rich")


COMMENTS = [
    {"author": {"github_id": 7, "login": "grace", "type": "User", "avatar_url": "", "user_id": None, "member": False,
                "online": False}, "text": "It *is*, see #3.\n\n- [x] again", "created_at": "2026-01-03T03:04:05.000Z",
     "url": "https://github.com/octo/mill/issues/12#issuecomment-1"},
    {"author": None, "text": "<img src=x onerror=alert(1)>", "url": "javascript:alert(1)"},
]


@pytest.mark.shows("N3", "K5")
@pytest.mark.parametrize("kind", ["issue", "pull", "commit"])
def test_the_first_comments_follow_with_the_way_to_the_others(stage, kind):
    ada = stage.person("Ada").sign_up()
    place = f"commits/{40 * 'a'}" if kind == "commit" else "issues/12"
    answers = [{"status": 503, "content_type": "application/problem+json",
                "body": json.dumps({"type": "/problems/github-unavailable", "title": "GitHub cannot be reached."})}]
    ada.page.route(f"**/api/v1/github/repos/octo/mill/{place}/comments", lambda route: route.fulfill(
        **(answers.pop() if answers else {"content_type": "application/json", "body": json.dumps(COMMENTS)})))
    open_thing(ada, kind, counts={"comments": 40}).first.wait_for()
    section = ada.page.get_by_role("region", name="Comments")
    # The thing stays, and the comments can be asked for again.
    section.get_by_role("button", name="Retry").click()
    first = section.get_by_role("article", name="Comment by grace")
    expect(first.get_by_role("listitem")).to_have_text("again")
    expect(first.get_by_role("link", name="#3")).to_have_attribute("href", "https://github.com/octo/mill/issues/3")
    expect(first.get_by_role("link", name="grace")).to_have_attribute("href", "/people/grace")
    second = section.get_by_role("article", name="Comment by A deleted account")
    expect(second).to_contain_text("<img src=x onerror=alert(1)>")
    expect(second.get_by_role("link")).to_have_count(0)
    expect(section.get_by_role("link", name="38 more comments on GitHub")).to_be_visible()
    check_all(ada.page, "desk", f"the comments on a {kind}")


@pytest.mark.shows("N3")
def test_comments_come_from_the_demo(stage):
    ada = stage.person("Ada").sign_up()
    issues = ada.api("GET", "/github/repos/octocat/Hello-World/issues?limit=50")[1]
    number, count = next((issue["number"], issue["counts"]["comments"]) for issue in issues
                         if issue["counts"]["comments"] > 2)
    ada.page.goto(f"{ada.base}/github/octocat/Hello-World/issues/{number}")
    section = ada.page.get_by_role("region", name="Comments")
    expect(section.get_by_role("article")).to_have_count(count)
    clean(ada)


@pytest.mark.shows("N3", "K5")
@pytest.mark.parametrize("kind", ["issue", "pull", "release", "commit"])
def test_texts_are_drawn_as_github_draws_them(stage, kind):
    ada = stage.person("Ada").sign_up()
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url))
    text = open_thing(ada, kind)
    expect(text.get_by_role("heading", level=2)).to_have_text("What happens", use_inner_text=True)
    links = {node.inner_text(): node.get_attribute("href") for node in text.get_by_role("link").all()}
    assert links == {
        "#3": "https://github.com/octo/mill/issues/3", "octo/other#4": "https://github.com/octo/other/issues/4",
        "@grace": "https://github.com/grace", "0123456": f"https://github.com/octo/mill/commit/{'0123456789abcdef' * 2}01234567",
        "Read this": "https://github.com/octo/mill/issues/docs/guide.md", "A chart": "https://example.org/chart.png"}
    boxes = text.get_by_role("checkbox")
    assert [boxes.nth(n).is_checked() for n in range(2)] == [True, False]
    expect(boxes.nth(1)).to_be_disabled()
    assert text.get_by_role("note").inner_text().split() == ["Note", "Only", "on", "Linux."]
    assert text.get_by_role("columnheader").all_inner_texts() == ["before", "after"]
    expect(text.locator("pre")).to_have_text("let answer = 42", use_inner_text=True)
    until(lambda: "🎉" in text.inner_text(), "the emoji")
    assert not [url for url in asked if "example.org" in url or "github.com" in url], "nothing is fetched from elsewhere"
    clean(ada)


@pytest.mark.shows("N3", "H4")
@pytest.mark.parametrize("size,options", SIZES, ids=[size for size, _ in SIZES])
def test_texts_are_usable_everywhere(stage, size, options):
    ada = stage.person("Ada", **options).sign_up()
    open_thing(ada, "issue", text=TEXT + f"\n{FENCE}\n{'wide ' * 100}\n{FENCE}\n\n{'long' * 100}\n").wait_for()
    check_all(ada.page, size, "a text of GitHub")
    assert not ada.page.evaluate("document.documentElement.scrollWidth > innerWidth"), "the page keeps still"
    clean(ada)


@pytest.mark.shows("N3")
def test_a_description_of_a_repository_is_no_markdown(stage):
    ada = stage.person("Ada").sign_up()
    body = {**thing("issue")[1], "kind": "repository", "text": "Mills *everything* #1"}
    ada.page.route("**/api/v1/github/repos/octo/mill", lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps(body)))
    ada.page.goto(f"{ada.base}/github/octo/mill")
    ada.page.locator(".thing").get_by_text("Mills *everything* #1").wait_for()
