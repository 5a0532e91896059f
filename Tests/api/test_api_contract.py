"""docs/api.md, sentence by sentence: the conventions of all responses, and health."""

import json
import uuid

import pytest

from api_client import PASSWORD, Client

# Every API route that requires a session, with a valid body.
SIGNED_IN = [
    ("GET", "/session", None), ("DELETE", "/session", None), ("GET", "/sessions", None), ("DELETE", "/sessions", None),
    ("DELETE", "/sessions/{id}", None), ("GET", "/users", None), ("GET", "/users/{id}", None),
    ("PUT", "/me/avatar", {}), ("DELETE", "/me/avatar", None), ("PUT", "/me/email", {"email": "x", "password": "x"}),
    ("PUT", "/me/password", {"current": "x", "new": "x"}), ("POST", "/invitations", {}), ("GET", "/invitations", None),
    ("DELETE", "/invitations/{id}", None),
    ("PATCH", "/me", {"first_name": "Eve"}), ("GET", "/github/users", None),
    ("GET", "/github/users/defunkt/followers", None), ("GET", "/github/users/defunkt/following", None),
    ("GET", "/github/orgs/github/members", None), ("GET", "/github/search/users?q=a", None),
    ("GET", "/github/cards?refs=a/b", None),
    ("GET", "/avatars/github-1", None), ("GET", "/rooms", None),
    ("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"}), ("GET", "/rooms/{id}", None),
    ("PATCH", "/rooms/{id}", {"draft": "x"}), ("GET", "/rooms/{id}/members", None),
    ("GET", "/rooms/{id}/messages", None), ("POST", "/rooms/{id}/messages", {"text": "x"}),
    ("GET", "/rooms/{id}/messages/1", None), ("PATCH", "/rooms/{id}/messages/1", {"text": "x"}),
    ("DELETE", "/rooms/{id}/messages/1", None), ("PUT", "/rooms/{id}/receipt", {"read_seq": 1}),
    ("GET", "/rooms/{id}/receipts", None), ("POST", "/rooms/{id}/typing", {"typing": True}),
    ("GET", "/events", None), ("GET", "/sync", None),
]


def test_without_a_session_every_route_is_401(nobody):
    for method, path, body in SIGNED_IN:
        answer = nobody.request(method, path.replace("{id}", str(uuid.uuid4())), body)
        assert (answer.status, answer.problem) == (401, "unauthenticated"), (method, path)
    nobody.request("GET", "/session", fields={"Cookie": "hubbub_session=" + "0" * 64})


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


def test_the_type_of_a_problem_links_to_its_description(nobody):
    problem = nobody.get("/session").data
    assert problem["type"] == "/problems/unauthenticated"
    answer = nobody.request("GET", problem["type"], base="")
    assert answer.status == 200 and answer.data.decode() == problem["title"] + ".\n"
    # Not a JSON problem but a page, as for any address that a person may type.
    assert nobody.request("HEAD", "/problems/nonsense", base="").status == 404


@pytest.mark.shows("control 2")
def test_state_changing_requests_from_other_sites_are_refused(ada):
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
