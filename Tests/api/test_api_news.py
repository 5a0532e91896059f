"""News and GitHub objects by API, through the GitHub stand-in."""


import pytest

from api_client import BASE, TIME


def check_item(item):
    assert {"id", "type", "actor", "repo", "org", "subject", "url", "created_at"} <= set(item), item
    assert isinstance(item["id"], str) and TIME.fullmatch(item["created_at"]), item
    assert item["actor"]["avatar_url"] == f"{BASE}/avatars/github-{item['actor']['github_id']}"
    assert item["url"].startswith("http") and item["subject"]["kind"] in (
        "repository", "issue", "pull", "release", "commit", "person", "branch", "tag", "page", "other"), item
    assert item["subject"].get("path", "/github/").startswith(("/github/", "/people/")), item


@pytest.mark.shows("N1")
def test_news_are_paged_newest_first_each_once(ada):
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


@pytest.mark.shows("N3")
def test_the_targets_of_news_items_exist(ada):
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


@pytest.mark.shows("K4")
def test_issues_are_found_by_number_and_by_words_from_storage_first(ada):
    path = "/github/repos/octocat/Hello-World/issues"
    assert ada.get("/github/repos/defunkt/none/issues?stored=1").data == []
    answer = ada.get(f"{path}?limit=50")
    assert answer.status == 200 and TIME.fullmatch(answer.headers["Hubbub-Fetched-At"])
    assert "Hubbub-Stale" not in answer.headers
    found = answer.data
    assert len(found) == 50 and {thing["kind"] for thing in found} == {"issue", "pull"}
    assert {"open", "closed", "merged"} <= {thing["state"] for thing in found}
    for thing in found:
        assert {"repo", "title", "text", "author", "labels", "topics", "counts", "notes", "path"} <= set(thing)
        assert thing["text"] == "" and thing["path"].endswith(f"s/{thing['number']}"), thing
    times = [thing["updated_at"] for thing in found]
    assert times == sorted(times, reverse=True)
    assert ada.get(path).data == found[:10] and len(ada.get(f"{path}?limit=200").data) == 50
    assert ada.get(f"{path}?stored=1&limit=50").data == found
    for query in ("5", "%235"):
        numbers = [thing["number"] for thing in ada.get(f"{path}?q={query}&limit=50").data]
        assert numbers[0] == 5 and set(numbers) == {5, *range(50, 60)}
    titles = [thing["title"] for thing in ada.get(f"{path}?q=LIST%20cra&limit=50").data]
    assert titles and set(titles) == {"Crash when the list is empty"}
    assert ada.get(f"{path}?q=rash").data == []
    missing = ada.get("/github/repos/octocat/none/issues")
    assert missing.status == 404 and "no public repository" in missing.data["detail"]
    assert ada.get(f"{path}?limit=0").wrong_fields == {"limit"} and ada.get(f"{path}?limit=x").wrong_fields == {"limit"}
