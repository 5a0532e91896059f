"""API.md, sentence by sentence: the conventions of all answers, and health."""

import email.utils
import json
import re
import time
import uuid

from api_client import BASE, PASSWORD, Client

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


def test_health_and_readiness_need_no_session(nobody):
    for path in ("/healthz", "/readyz"):
        answer = nobody.request("GET", path, base="")
        assert answer.status == 200
        assert abs(email.utils.mktime_tz(email.utils.parsedate_tz(answer.headers["Date"])) - time.time()) < 5
    assert nobody.request("POST", "/healthz", {}, base="").status == 405
