"""API.md, sentence by sentence: conventions, accounts, sessions, people, the GitHub directory, pictures, health."""

import email.utils
import json
import re
import sqlite3
import time
import urllib.request
import uuid

import pytest

from api_client import BASE, PASSWORD, TIME, Client, in_parallel

USER = {"id", "first_name", "last_name", "name", "avatar_url", "member", "online"}
USER_OPTIONAL = {"login", "github_id", "last_seen_at", "handle"}
UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
# Every route of the API that only those who are signed in may use, with a body that fits.
SIGNED_IN = [
    ("GET", "/session", None), ("DELETE", "/session", None), ("GET", "/sessions", None), ("DELETE", "/sessions", None),
    ("DELETE", "/sessions/{id}", None), ("GET", "/users", None), ("GET", "/users/{id}", None),
    ("PUT", "/me/avatar", {}), ("DELETE", "/me/avatar", None), ("PUT", "/me/email", {"email": "x", "password": "x"}),
    ("PUT", "/me/password", {"current": "x", "new": "x"}), ("POST", "/invitations", {}), ("GET", "/invitations", None),
    ("DELETE", "/invitations/{id}", None),
    ("PATCH", "/me", {"first_name": "Eve"}), ("GET", "/github/users", None),
    ("GET", "/github/users/defunkt/followers", None), ("GET", "/github/users/defunkt/following", None),
    ("GET", "/github/orgs/github/members", None), ("GET", "/github/search/users?q=a", None),
    ("GET", "/avatars/github-1", None), ("GET", "/rooms", None),
    ("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"}), ("GET", "/rooms/{id}", None),
    ("PATCH", "/rooms/{id}", {"draft": "x"}), ("GET", "/rooms/{id}/members", None),
    ("GET", "/rooms/{id}/messages", None), ("POST", "/rooms/{id}/messages", {"text": "x"}),
    ("GET", "/rooms/{id}/messages/1", None), ("PATCH", "/rooms/{id}/messages/1", {"text": "x"}),
    ("DELETE", "/rooms/{id}/messages/1", None), ("PUT", "/rooms/{id}/receipt", {"read_seq": 1}),
    ("GET", "/rooms/{id}/receipts", None), ("POST", "/rooms/{id}/typing", {"typing": True}),
    ("GET", "/events", None), ("GET", "/sync", None),
]


def check_user(user, more=frozenset()):
    assert USER | set(more) <= set(user) <= USER | USER_OPTIONAL | set(more), user
    assert isinstance(user["id"], str) and user["avatar_url"].startswith("/") and user["avatar_url"][1] != "/"
    assert user["member"] in (True, False) and user["online"] in (True, False)
    assert user["name"] == f'{user["first_name"]} {user["last_name"]}'.strip()
    assert "last_seen_at" not in user or TIME.fullmatch(user["last_seen_at"])
    assert "github_id" not in user or isinstance(user["github_id"], int)


@pytest.fixture(scope="module")
def ada(program):
    return Client(program, "Ada", "Lovelace")


@pytest.fixture(scope="module")
def nobody(program):
    return Client(program, account=False)


# Conventions

def test_whoever_is_not_signed_in_gets_401_on_every_route(nobody):
    for method, path, body in SIGNED_IN:
        answer = nobody.request(method, path.replace("{id}", str(uuid.uuid4())), body)
        assert (answer.status, answer.problem) == (401, "unauthenticated"), (method, path)
    nobody.request("GET", "/session", fields={"Cookie": "hubbub_session=" + "0" * 64})


def test_unknown_addresses_are_404_and_wrong_methods_405_with_allow(ada):
    for path in ("/nothing", "/rooms/", "/users/1/2/3", "/session/x", "//session"):
        assert ada.get(path).status == 404, path
    for path in ("/rooms/%00", "/%2e%2e/session"):
        assert ada.get(path).status in (400, 404), path
    for method, path, allowed in (
        ("PUT", "/session", {"GET", "POST", "DELETE"}), ("POST", "/users", {"GET"}), ("GET", "/accounts", {"POST"}),
        ("PATCH", "/sessions", {"GET", "DELETE"}), ("POST", f"/rooms/{uuid.uuid4()}/receipt", {"PUT"}),
        ("DELETE", "/events", {"GET"}), ("GET", "/me", {"PATCH"}),
    ):
        answer = ada.request(method, path)
        assert answer.status == 405, (method, path)
        assert set(re.split(", *", answer.headers["Allow"])) - {"HEAD", "OPTIONS", "PUT"} == allowed - {"PUT"}
    options = ada.request("OPTIONS", "/session")
    assert options.status in (200, 204) and "POST" in options.headers["Allow"]
    assert ada.request("BREW", "/session").status in (405, 501)


def test_head_is_get_without_the_body(ada):
    for path in ("/session", "/users", "/rooms", "/github/users"):
        get, head = ada.get(path), ada.request("HEAD", path)
        assert head.status == 200 and head.data is None
        for name in ("ETag", "Content-Type", "Content-Length", "Link"):
            assert get.headers[name] == head.headers[name], (path, name)
    assert ada.request("HEAD", "/nothing").status == 404


def test_entities_have_an_etag_that_spares_the_body(ada):
    room = ada.direct(Client(ada.server, "Bob"))
    ada.say(room, "hello")
    for path in ("/session", "/sessions", "/users", f"/users/{ada.id}", "/rooms", f"/rooms/{room}", "/github/users",
                 f"/rooms/{room}/members", f"/rooms/{room}/messages", f"/rooms/{room}/messages/1",
                 f"/rooms/{room}/receipts", ada.account.data["avatar_url"].removeprefix(BASE)):
        first = ada.get(path)
        etag = first.headers["ETag"]
        assert first.status == 200 and re.fullmatch(r'(W/)?"[^"]+"', etag), (path, etag)
        for condition in (etag, "*", f'"x", {etag}', "W/" + etag.removeprefix("W/")):
            second = ada.get(path, fields={"If-None-Match": condition})
            assert second.status == 304 and second.data is None, (path, condition)
            assert second.headers["ETag"] == etag
        assert ada.get(path, fields={"If-None-Match": '"other"'}).data == first.data
    before = ada.get(f"/rooms/{room}/messages")
    ada.say(room, "more")
    after = ada.get(f"/rooms/{room}/messages", fields={"If-None-Match": before.headers["ETag"]})
    assert after.status == 200 and len(after.data) == 2


def test_request_ids_differ_and_cannot_be_chosen_badly(ada):
    found = {ada.get("/session").headers["X-Request-Id"] for _ in range(20)}
    assert len(found) == 20
    answer = ada.get("/session", fields={"X-Request-Id": 'a"b\\ <x>' + "y" * 3000})
    assert answer.headers["X-Request-Id"] and len(answer.headers["X-Request-Id"]) <= 200
    assert "<" not in answer.headers["X-Request-Id"]


def test_unknown_members_are_ignored_and_wrong_types_422_by_field(program, ada):
    ok = Client(program, account=False).request("POST", "/accounts", {
        "email": f"{uuid.uuid4().hex}@example.com", "password": PASSWORD, "first_name": "Eve", "shoe_size": {"eu": [43]}})
    assert ok.status == 201
    room = ada.direct(Client(program, "Bob"))
    for method, path, right, fields in (
        ("POST", "/accounts", {"email": "x@example.com", "password": PASSWORD, "first_name": "X", "last_name": "Y"},
         ("email", "password", "first_name", "last_name")),
        ("POST", "/session", {"email": "x@example.com", "password": PASSWORD}, ("email", "password")),
        ("PATCH", "/me", {"first_name": "Ada", "last_name": "Lovelace"}, ("first_name", "last_name")),
        ("POST", "/rooms", {"kind": "direct", "user_id": ada.id}, ("kind", "user_id")),
        ("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"}, ("github_login",)),
        ("POST", f"/rooms/{room}/messages", {"text": "x", "client_id": str(uuid.uuid4()), "reply_to": 1},
         ("text", "client_id", "reply_to")),
        ("PUT", f"/rooms/{room}/receipt", {"read_seq": 1, "delivered_seq": 1}, ("read_seq", "delivered_seq")),
        ("PUT", f"/rooms/{room}/receipt", {"unread_from": 1}, ("unread_from",)),
        ("POST", f"/rooms/{room}/typing", {"typing": True}, ("typing",)),
        ("PATCH", f"/rooms/{room}", {"draft": ""}, ("draft",)),
    ):
        for field in fields:
            for wrong in ([], {}, [1], 1.5, "maybe" if type(right[field]) is not str else 7):
                answer = ada.request(method, path, {**right, field: wrong})
                assert answer.status == 422 and answer.problem == "invalid", (method, path, field, wrong, answer.data)
                assert answer.wrong_fields == {field}, (method, path, field, wrong, answer.data)
    both = ada.request("PATCH", "/me", {"first_name": 1, "last_name": []})
    assert both.wrong_fields == {"first_name", "last_name"}
    for body in ([], "text", 1, None, True):
        answer = ada.request("POST", "/rooms", raw=json.dumps(body))
        assert answer.status == 422, body
    assert ada.request("POST", "/rooms", {}).wrong_fields == {"kind"}


def test_bodies_must_be_json_in_name_and_in_fact(ada):
    right = json.dumps({"kind": "direct", "github_login": "defunkt"})
    for media in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
                  "application/jsonp", "application/json; charset=utf-16"):
        answer = ada.request("POST", "/rooms", raw=right, fields={"Content-Type": media})
        assert (answer.status, answer.problem) == (415, "unsupported-media-type"), media
    for media in ("application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"'):
        assert ada.request("POST", "/rooms", raw=right, fields={"Content-Type": media}).status in (200, 201), media
    for raw in ("", "{", "nonsense", '{"kind":"direct",}', "{'kind':'direct'}", right + "x", '{"a":NaN}'):
        answer = ada.request("POST", "/rooms", raw=raw)
        assert (answer.status, answer.problem) == (400, "invalid"), raw


def test_requests_of_other_sites_that_change_something_are_refused_SECURITY_2(ada):
    host = f"http://127.0.0.1:{ada.server.port}"
    for fields in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                   {"Sec-Fetch-Site": "same-site"}, {"Origin": host, "Sec-Fetch-Site": "cross-site"},
                   {"Origin": f"http://127.0.0.1:{ada.server.port}.evil.example"}):
        for method, path, body in SIGNED_IN:
            if method != "GET":
                answer = ada.request(method, path.replace("{id}", str(uuid.uuid4())), body, fields=fields)
                assert (answer.status, answer.problem) == (403, "forbidden"), (fields, method, path)
    assert ada.get("/session").status == 200
    for fields in ({"Origin": host}, {"Sec-Fetch-Site": "same-origin"}, {"Origin": host, "Sec-Fetch-Site": "same-origin"}):
        assert ada.request("PATCH", "/me", {"first_name": "Ada"}, fields=fields).status == 200


# Accounts and sessions

def test_signing_up_answers_the_own_user_and_a_session(program):
    eve = Client(program, "Eve", "Example")
    user = eve.account.data
    check_user(user, {"email", "settings"} | ({"admin"} & set(user)))
    assert UUID7.fullmatch(user["id"]) and user["email"] == eve.email and user["member"] is True
    assert (user["first_name"], user["last_name"], user["name"]) == ("Eve", "Example", "Eve Example")
    cookie = eve.account.headers["Set-Cookie"]
    name, _, value = eve.cookie.partition("=")
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert name == "hubbub_session" and len(value) >= 32
    assert {"httponly", "samesite=lax", "path=/"} <= attributes and "secure" not in attributes
    assert not any(part.startswith("domain") for part in attributes)
    session = eve.get("/session")
    assert session.status == 200 and session.data == user
    assert Client(program, "Cher").account.data["last_name"] == ""


def test_behind_https_the_cookie_is_secure(serve):
    server = serve("--github", "demo", environment={"HUBBUB_PUBLIC_URL": "https://chat.example"})
    eve = Client(server, "Eve")
    assert "secure" in eve.account.headers["Set-Cookie"].lower()
    assert eve.cookie.startswith("__Host-hubbub_session=")
    assert eve.get("/session").status == 200
    own = {"Origin": "https://chat.example"}
    assert eve.request("PATCH", "/me", {"first_name": "Eva"}, fields=own).status == 200
    assert eve.get("/session").headers["Strict-Transport-Security"]


def test_wrong_input_at_signing_up_is_told_at_the_field_A2(nobody):
    def wrong(**members):
        right = {"email": f"{uuid.uuid4().hex}@example.com", "password": PASSWORD, "first_name": "Eve"}
        answer = nobody.request("POST", "/accounts", {**right, **members})
        return answer.status, answer.wrong_fields

    for address in ("", " ", "eve", "@example.com", "eve@", "eve@@example.com", "e ve@example.com", "eve@a..b",
                    "eve\u0000@example.com", "x" * 300 + "@example.com"):
        assert wrong(email=address) == (422, {"email"}), address
    for password in ("", "short67", "x" * 257, "password", "12345678"):
        assert wrong(password=password) == (422, {"password"}), password
    for name in ("", "   ", "x" * 300, "a\u0007b", "a\u202eb"):
        assert wrong(first_name=name) == (422, {"first_name"}), name
    assert wrong(email="x", password="y", first_name="") == (422, {"email", "password", "first_name"})
    assert nobody.request("POST", "/accounts", {}).wrong_fields == {"email", "password", "first_name"}


def test_the_shortest_and_the_longest_password_are_taken(program):
    for password in ("8 chars!", "x1" * 128, "ключ·密码🔑x"):
        eve = Client(program, account=False)
        body = {"email": eve.email, "password": password, "first_name": "Eve"}
        assert eve.request("POST", "/accounts", body).status == 201, password
        assert eve.request("POST", "/session", body).status == 200
        assert eve.request("POST", "/session", {**body, "password": password + " "}).status == 401


def test_an_address_is_taken_once_whatever_its_case(program, ada, nobody):
    answer = nobody.request("POST", "/accounts", {
        "email": " " + ada.email.upper(), "password": PASSWORD, "first_name": "Eve"})
    assert answer.status in (409, 422), answer
    if answer.status == 422:
        assert answer.wrong_fields == {"email"}
    address = f"{uuid.uuid4().hex}@example.com"
    statuses = in_parallel(4, lambda _: nobody.request("POST", "/accounts", {
        "email": address, "password": PASSWORD, "first_name": "Eve"}).status)
    assert sorted(statuses) == [201, answer.status, answer.status, answer.status]


def test_signing_in_never_tells_which_of_the_two_was_wrong_SECURITY_7(program, ada, nobody):
    answers = [nobody.request("POST", "/session", body) for body in (
        {"email": ada.email, "password": "not " + PASSWORD},
        {"email": f"{uuid.uuid4().hex}@example.com", "password": PASSWORD},
        {"email": "not an address", "password": PASSWORD}, {"email": ada.email, "password": ""}, {})]
    told = [{k: v for k, v in a.data.items() if k != "request_id"} for a in answers]
    assert {a.status for a in answers[:2]} == {401} and told[0] == told[1]
    assert all(a.status in (401, 422) for a in answers[2:]), told
    assert all("Set-Cookie" not in a.headers for a in answers)
    right = nobody.request("POST", "/session", {"email": ada.email.upper(), "password": PASSWORD})
    assert right.status == 200 and right.data["id"] == ada.id


def test_many_wrong_passwords_are_slowed_SECURITY_6(serve):
    server = serve("--github", "demo")
    eve = Client(server, "Eve")
    answers = [a for batch in range(6) for a in in_parallel(4, lambda i, b=batch: eve.request(
        "POST", "/session", {"email": eve.email, "password": f"wrong {b} {i} wrong"},
        fields={"X-Forwarded-For": f"192.0.2.{b * 4 + i}"}))]
    statuses = [a.status for a in answers]
    assert statuses.count(401) in range(18, 22) and statuses.count(429) >= 2, statuses
    assert all(a.problem == "rate-limited" for a in answers if a.status == 429)
    assert eve.get("/session").status == 200


def test_sessions_are_listed_and_end_one_or_all_A5(program):
    first = Client(program, "Eve")
    second, third = first.again(), first.again()
    listed = first.get("/sessions").data
    assert len(listed) == 3 and [s["current"] for s in listed].count(True) == 1
    assert all(isinstance(s["id"], str) and TIME.fullmatch(s["created_at"]) for s in listed)
    own = {c: next(s["id"] for s in c.get("/sessions").data if s["current"]) for c in (first, second, third)}
    assert len(set(own.values())) == 3
    stranger = Client(program, "Mallory")
    assert stranger.request("DELETE", f"/sessions/{own[second]}").status == 404
    assert first.request("DELETE", f"/sessions/{own[second]}").status == 204
    assert first.request("DELETE", f"/sessions/{own[second]}").status == 404
    assert [c.get("/session").status for c in (first, second, third)] == [200, 401, 200]
    fourth = first.again()
    assert first.request("DELETE", "/sessions").status == 204
    assert [c.get("/session").status for c in (first, third, fourth)] == [200, 401, 401]
    ended = first.request("DELETE", "/session")
    assert ended.status == 204 and ended.data is None
    assert "max-age=0" in ended.headers["Set-Cookie"].lower()
    assert first.get("/session").status == 401
    assert first.request("DELETE", "/session").status == 401


def test_signing_in_again_ends_the_session_it_replaces_SECURITY_1(program):
    eve = Client(program, "Eve")
    old = eve.cookie
    answer = eve.request("POST", "/session", {"email": eve.email, "password": PASSWORD})
    eve.keep_cookie(answer)
    assert eve.cookie != old and eve.get("/session").status == 200
    assert eve.get("/session", fields={"Cookie": old}).status == 401


# People

def test_people_are_listed_by_name_page_after_page(program, ada):
    mark = uuid.uuid4().hex[:6]
    in_parallel(5, lambda i: Client(program, f"Zed{mark}", "abcde"[4 - i]))
    for limit in (2, 5, 7):
        names, page = [], ada.get(f"/users?query=zed{mark}&sort=name&limit={limit}")
        while True:
            assert page.status == 200 and len(page.data) <= limit
            for user in page.data:
                check_user(user)
            names += [user["last_name"] for user in page.data]
            if "next" not in page.links:
                break
            page = ada.follow(page.links["next"])
            assert page.data, "a link that leads to nothing"
        assert names == ["a", "b", "c", "d", "e"]
    assert ada.get("/users?query=zed" + mark + "x").data == []
    for query in ("limit=0", "limit=-1", "limit=x", "limit=1.5", "limit=", "sort=age", "cursor=x", "cursor=."):
        assert ada.get("/users?" + query).status == 422, query
    assert len(ada.get("/users?limit=201").data) <= 200
    for strange in ("%25", "_", "%27%22", "%00", "%F0%9F%91%8D", "a" * 3000, "%ff"):
        assert ada.get("/users?query=" + strange).status in (200, 400, 422), strange


def test_one_person_is_found_by_id_and_strange_ids_are_404(program, ada):
    bob = Client(program, "Bob")
    answer = ada.get(f"/users/{bob.id}")
    check_user(answer.data)
    assert answer.data["id"] == bob.id
    for strange in (uuid.uuid4(), "1", "x", bob.id + "0", bob.id[:-1], bob.id + "%20"):
        assert ada.get(f"/users/{strange}").status == 404, strange


def test_the_own_email_shows_in_the_session_alone(program):
    eve, bob = Client(program, "Eve"), Client(program, "Bob")
    room = eve.direct(bob)
    stream = bob.open_stream()
    eve.say(room, "hello")
    eve.request("PATCH", "/me", {"first_name": "Eva"})
    stream.wait("user.updated", id=eve.id)
    seen = [bob.get(path).data for path in (
        "/users", f"/users/{eve.id}", "/rooms", f"/rooms/{room}", f"/rooms/{room}/members", f"/rooms/{room}/messages",
        "/sync?after=0")]
    assert eve.email not in json.dumps(seen) + json.dumps([e.data for e in stream.seen])
    assert eve.email not in json.dumps([eve.get(p).data for p in ("/users", f"/users/{eve.id}", "/rooms")])
    stream.close()


def test_a_new_name_is_answered_stored_and_told_A4(program):
    eve, bob = Client(program, "Eve", "Old"), Client(program, "Bob")
    room = bob.direct(eve)
    stream = bob.open_stream()
    answer = eve.request("PATCH", "/me", {"first_name": " Eva ", "settings": {}})
    assert answer.status == 200 and answer.data["name"] == "Eva Old"
    assert stream.wait("user.updated", id=eve.id).data["name"] == "Eva Old"
    assert bob.get(f"/rooms/{room}").data["name"] == "Eva Old"
    assert eve.request("PATCH", "/me", {"last_name": ""}).data["name"] == "Eva"
    assert eve.request("PATCH", "/me", {}).data["name"] == "Eva"
    for body in ({"first_name": ""}, {"first_name": "x" * 300}, {"first_name": "a\u0000b"}):
        assert eve.request("PATCH", "/me", body).wrong_fields == {"first_name"}, body
    stream.close()


# GitHub

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


# Pictures

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


# Health

def test_health_and_readiness_need_no_session(nobody):
    for path in ("/healthz", "/readyz"):
        answer = nobody.request("GET", path, base="")
        assert answer.status == 200
        assert abs(email.utils.mktime_tz(email.utils.parsedate_tz(answer.headers["Date"])) - time.time()) < 5
    assert nobody.request("POST", "/healthz", {}, base="").status == 405
