"""API.md, sentence by sentence: the GitHub directory and pictures."""

import json
import sqlite3
import urllib.request

from api_checks import check_user
from api_client import BASE, TIME, Client


def faults(server, mode, **more):
    body = json.dumps({"mode": mode, **more}).encode()
    urllib.request.urlopen(server.demo_github + "/_faults", body, timeout=5).read()


def test_the_directory_has_pages_and_says_when_they_were_fetched_D1(ada):
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
    for path in ("/github/users/no-such-login-anywhere/followers", "/github/users/..%2f../followers",
                 "/github/orgs/%00/members", "/github/users/a%0d%0ab/following"):
        assert ada.get(path).status in (400, 404), path


def test_a_directory_entry_says_who_is_here(program):
    eve = Client(program, "Eve")
    room = eve.request("POST", "/rooms", {"kind": "direct", "github_login": "mojombo"}).data
    entry = next(u for u in eve.get("/github/users").data if u["login"] == "mojombo")
    assert entry["user_id"] == room["peer"]["id"] and entry["github_id"] == room["peer"]["github_id"] == 1
    check_user(room["peer"])
    assert room["peer"]["login"] == "mojombo" and room["peer"]["avatar_url"] == entry["avatar_url"]


def test_failures_of_github_are_told_apart_and_stored_lists_stay_D3_D4_D5(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    eve = Client(server, "Eve")
    stored = eve.get("/github/users").data
    faults(server, "rate-limit", reset_in_s=300)
    limited = eve.get("/github/users/defunkt/followers")
    assert (limited.status, limited.problem) == (429, "github-rate-limited"), limited
    assert TIME.fullmatch(limited.data["reset_at"])
    assert 200 < int(limited.headers["Retry-After"]) <= 301
    # A minute later, as the database sees it.
    assert server.stop() == 0
    with sqlite3.connect(server.folder / "hubbub.sqlite") as database:
        database.execute("UPDATE directory_pages SET fetched_at = fetched_at - 3600000")
    database.close()
    server.start()
    for mode in ("rate-limit", "server-error", "outage", "malformed"):
        faults(server, mode)
        again = eve.get("/github/users")
        assert again.status == 200 and again.data == stored and again.headers["Hubbub-Stale"] == "1", mode
        assert TIME.fullmatch(again.headers["Hubbub-Fetched-At"])
        if mode != "rate-limit":
            answer = eve.get(f"/github/users/defunkt/{'followers' if mode != 'outage' else 'following'}")
            assert answer.problem in ("github-unavailable", "github-rate-limited") and answer.status >= 429
        server.stop()
        server.start()
    faults(server, "outage")
    for path in ("/github/users/defunkt/followers", "/github/search/users?q=de"):
        answer = eve.get(path)
        assert answer.problem == "github-unavailable" and answer.status in (502, 503), answer
        assert "<" not in json.dumps(answer.data)
    opened = eve.request("POST", "/rooms", {"kind": "direct", "github_login": "torvalds"})
    assert opened.problem == "github-unavailable"


def test_every_avatar_url_is_a_path_here_that_answers_200_D8(program, ada):
    urls = {ada.account.data["avatar_url"]}
    urls |= {u["avatar_url"] for path in ("/users", "/github/users", "/github/users/defunkt/followers")
             for u in ada.get(path).data[:8]}
    names = ["Ω", "李", "🦊", "<b>", "é" * 50, "a&b"]
    urls |= {Client(program, name).account.data["avatar_url"] for name in names}
    for url in urls:
        assert url.startswith("/") and not url.startswith("//"), url
        answer = ada.request("GET", url, base="")
        assert answer.status == 200 and answer.headers["Content-Type"].startswith("image/"), url
        if "svg" in answer.headers["Content-Type"]:
            assert "script" not in answer.data.decode() and "sandbox" in answer.headers["Content-Security-Policy"]
    for size in ("16", "80", "512", "100000", "0"):
        assert ada.get(f"/avatars/github-1?s={size}").status == 200, size
    assert ada.get("/avatars/github-1?s=x").status == 422
    for key in ("github-0", "github-99999999", "nothing", "initials-99-A", "..%2f..%2fhubbub.sqlite", "github-1%20"):
        assert ada.get("/avatars/" + key).status in (400, 404), key
