"""docs/api.md, sentence by sentence: the GitHub directory and pictures."""

import urllib.parse

import pytest

from api_client import BASE, TIME


@pytest.mark.shows("D1")
def test_the_directory_has_pages_and_says_when_they_were_fetched(ada):
    page = ada.get("/github/users")
    ids = []
    for _ in range(3):
        assert page.status == 200 and TIME.fullmatch(page.headers["Hubbub-Fetched-At"])
        assert "Hubbub-Stale" not in page.headers
        for user in page.data:
            assert {"github_id", "login", "type", "avatar_url", "user_id"} <= set(user), user
            assert isinstance(user["github_id"], int) and user["avatar_url"].startswith(BASE + "/avatars/")
            assert user["user_id"] is None or isinstance(user["user_id"], str)
        ids += [user["github_id"] for user in page.data]
        page = ada.follow(page.links["next"])
    assert ids == sorted(set(ids))
    since = ada.get(f"/github/users?since={ids[4]}")
    assert since.data[0]["github_id"] == ids[5]
    for query in ("since=x", "since=-1"):
        assert ada.get("/github/users?" + query).status == 422, query
    for path in ("/github/users/defunkt/followers", "/github/users/defunkt/following", "/github/orgs/github/members",
                 "/github/search/users?q=de"):
        answer = ada.get(path)
        assert answer.status == 200 and isinstance(answer.data, list), path
        assert TIME.fullmatch(answer.headers["Hubbub-Fetched-At"]), path
    assert ada.get("/github/search/users").wrong_fields == {"q"}
    for path in ("users/defunkt/followers", "users/defunkt/following", "orgs/github/members"):
        answer = ada.get(f"/github/{path}?cursor=abc")
        assert answer.status == 422 and answer.wrong_fields == {"cursor"}, path
    assert ada.get("/github/repos/octocat/Hello-World/commits/abc1234").status == 404
    for path in ("/github/users/no-such-login-anywhere/followers", "/github/users/..%2f../followers",
                 "/github/orgs/%00/members", "/github/users/a%0d%0ab/following"):
        assert ada.get(path).status in (400, 404), path


@pytest.mark.shows("K5")
def test_cards_are_told_by_reference_in_the_order_asked(ada):
    references = ["octocat/Hello-World#2", "@octocat", "octocat/none", "octocat/Hello-World", "what is this",
                  "https://github.com/octocat/Hello-World/issues/2"]
    answer = ada.get("/github/cards?refs=" + urllib.parse.quote(",".join(references)))
    assert answer.status == 200 and "Hubbub-Stale" not in answer.headers
    assert [card["ref"] for card in answer.data] == references
    issue, person, missing, repository, nonsense, address = (card["thing"] for card in answer.data)
    assert issue["kind"] in ("issue", "pull") and issue["number"] == 2 and issue == address
    assert {"title", "text", "state", "author", "labels", "counts", "path", "url"} <= set(issue)
    assert (person["kind"], person["login"], person["path"]) == ("person", "octocat", "/people/octocat")
    assert repository["kind"] == "repository" and missing is None and nonsense is None
    assert "RateLimit" in answer.headers or "RateLimit-Policy" not in answer.headers
    for query in ("", "?refs=", "?refs=" + ",".join(["octocat/Hello-World"] * 51)):
        assert ada.get("/github/cards" + query).wrong_fields == {"refs"}, query
