"""News and single things by the API, over the stand-in for GitHub (N1, N3, N4)."""

import json
import sqlite3
import urllib.request

from api_client import BASE, TIME, Client


def faults(server, mode, **more):
    body = json.dumps({"mode": mode, **more}).encode()
    urllib.request.urlopen(server.demo_github + "/_faults", body, timeout=5).read()


def age(server, seconds):
    """Restarts the server with everything of GitHub's so many seconds older."""
    assert server.stop() == 0
    with sqlite3.connect(server.folder / "hubbub.sqlite") as database:
        for table in ("news_feeds", "github_things"):
            database.execute(f"UPDATE {table} SET fetched_at = fetched_at - ?", (seconds * 1000,))
    database.close()
    server.start()


def check_item(item):
    assert {"id", "type", "actor", "repo", "org", "subject", "url", "created_at"} <= set(item), item
    assert isinstance(item["id"], str) and TIME.fullmatch(item["created_at"]), item
    assert item["actor"]["avatar_url"] == f"{BASE}/avatars/github-{item['actor']['github_id']}"
    assert item["url"].startswith("http") and item["subject"]["kind"] in (
        "repository", "issue", "pull", "release", "commit", "person", "branch", "tag", "page", "other"), item
    assert item["subject"].get("path", "/github/").startswith(("/github/", "/people/")), item


def test_news_are_paged_newest_first_each_once_N1(ada):
    answer = ada.get("/news?limit=40")
    assert answer.status == 200 and TIME.fullmatch(answer.headers["Hubbub-Fetched-At"])
    assert answer.headers["Hubbub-Feed"] == "public" and int(answer.headers["Hubbub-Poll-Interval"]) >= 60
    assert "Hubbub-Stale" not in answer.headers
    items = list(answer.data)
    while "next" in answer.links:
        answer = ada.follow(answer.links["next"])
        items += answer.data
        assert len(items) <= 300
    for item in items:
        check_item(item)
    assert len(items) > 100 and len({item["id"] for item in items}) == len(items)
    times = [item["created_at"] for item in items]
    assert times == sorted(times, reverse=True)
    kinds = {item["type"] for item in items}
    assert {"PushEvent", "PullRequestEvent", "IssuesEvent", "IssueCommentEvent", "WatchEvent"} <= kinds, kinds
    stored = ada.get("/news?limit=40&stored=1")
    assert [item["id"] for item in stored.data] == [item["id"] for item in items[:40]]
    assert ada.get("/news?page=0").wrong_fields == {"page"} and ada.get("/news?limit=x").wrong_fields == {"limit"}


def test_a_feed_is_asked_for_once_in_its_interval_whoever_looks_N1(program):
    one, other = Client(program, "One"), Client(program, "Other")
    first = one.get("/news")
    again = other.get("/news")
    assert again.headers["Hubbub-Fetched-At"] == first.headers["Hubbub-Fetched-At"]
    assert [item["id"] for item in again.data] == [item["id"] for item in first.data]


def test_what_news_lead_to_is_there_N3(ada):
    seen = {}
    answer = ada.get("/news?limit=200")
    for item in answer.data:
        if path := item["subject"].get("path"):
            kind = path.split("/")[4] if path.count("/") > 3 else path.split("/")[1]
            seen.setdefault(kind, path)
    assert {"github", "issues", "pulls", "commits"} <= set(seen), seen
    for path in seen.values():
        address = path.replace("/github/", "/github/repos/").replace("/people/", "/github/users/")
        thing = ada.get(address)
        assert thing.status == 200 and TIME.fullmatch(thing.headers["Hubbub-Fetched-At"]), path
        assert thing.data["url"].startswith("http")
        if "kind" in thing.data:
            assert {"repo", "title", "text", "author", "labels", "topics", "counts", "notes", "path"} <= set(thing.data)
    person = ada.get("/github/users/octocat").data
    assert person["login"] == "octocat" and person["followers"] > 0 and person["blog"].startswith("https://")


def test_what_is_private_or_missing_is_not_found_N3(ada):
    for path in ("/github/repos/no-such/thing", "/github/repos/octocat/no-such-repository/issues/1",
                 "/github/users/no-such-login-anywhere", "/github/repos/a%2f../b", "/github/repos/o/r/commits/main"):
        assert ada.get(path).status in (400, 404), path


def test_news_and_things_stay_with_their_age_while_github_is_down_N4(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    eve = Client(server, "Eve")
    faults(server, "rate-limit", reset_in_s=300)
    limited = eve.get("/news")
    assert (limited.status, limited.problem) == (429, "github-rate-limited") and TIME.fullmatch(limited.data["reset_at"])
    age(server, 0)
    eve.get("/news")
    thing = "/github/repos/octocat/Hello-World"
    person = "/github/users/octocat"
    before = {path: eve.get(path) for path in ("/news", thing, person)}
    assert all(answer.status == 200 for answer in before.values()), before
    for mode, reason in (("outage", "github-unavailable"), ("server-error", "github-unavailable"),
                         ("malformed", "github-unavailable"), ("rate-limit", "github-rate-limited")):
        age(server, 7200)
        faults(server, mode)
        for path, known in before.items():
            stale = eve.get(path)
            assert stale.status == 200 and stale.data == known.data, (mode, path)
            assert stale.headers["Hubbub-Stale"] == "1" and stale.headers["Hubbub-Stale-Reason"] == reason, (mode, path)
            assert stale.headers["Hubbub-Fetched-At"] < known.headers["Hubbub-Fetched-At"]
    assert "Hubbub-Reset-At" in eve.get("/news").headers
    age(server, 7200)
    assert "Hubbub-Stale" not in eve.get("/news").headers
