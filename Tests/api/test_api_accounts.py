"""docs/api.md, sentence by sentence: accounts, sessions and people."""

import json
import os
import re
import statistics
import time
import uuid

import pytest

from api_checks import check_user
from api_client import PASSWORD, Client

UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def test_signing_up_returns_the_person_and_a_session(program):
    eve = Client(program, "Eve", "Example")
    user = eve.account.data
    check_user(user, {"email", "settings", "has_password"} | ({"admin"} & set(user)))
    assert user["has_password"] is True
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


@pytest.mark.shows("control 7")
def test_signing_in_never_reveals_which_of_the_two_was_wrong(program, ada, nobody):
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


@pytest.mark.skipif("HUBBUB_TIMES" not in os.environ, reason="a measurement: set HUBBUB_TIMES=1")
@pytest.mark.shows("control 7")
def test_nor_does_the_time_it_takes(program, ada, nobody):
    """The medians of 300 alternating requests each differ by at most 5 %."""
    def times(guess):
        began = time.perf_counter()
        assert nobody.request("POST", "/session", guess()).status == 401
        return time.perf_counter() - began

    known = lambda: {"email": ada.email, "password": "not " + PASSWORD}
    unknown = lambda: {"email": f"{uuid.uuid4().hex}@example.com", "password": "not " + PASSWORD}
    pairs = [(times(known), times(unknown)) for _ in range(300)]
    medians = [statistics.median(values) for values in zip(*pairs)]
    print(f"budget: a wrong password {medians[0] * 1000:.2f} ms, an unknown address {medians[1] * 1000:.2f} ms")
    assert abs(medians[0] / medians[1] - 1) <= 0.05


@pytest.mark.shows("control 1")
def test_signing_in_again_ends_the_session_it_replaces(program):
    eve = Client(program, "Eve")
    old = eve.cookie
    answer = eve.request("POST", "/session", {"email": eve.email, "password": PASSWORD})
    eve.keep_cookie(answer)
    assert eve.cookie != old and eve.get("/session").status == 200
    assert eve.get("/session", fields={"Cookie": old}).status == 401


def test_only_the_session_contains_ones_own_email(program):
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


@pytest.mark.shows("D9", "D6")
def test_people_can_be_listed_by_who_is_online(program):
    family = f"Quill{uuid.uuid4().hex[:6]}"
    ada, bob, carl = (Client(program, name, family) for name in ("Ada", "Bob", "Carl"))
    streams = [client.open_stream() for client in (carl, bob)]
    for stream in streams:
        stream.wait("hello")
    names = lambda query: [user["first_name"] for user in ada.get(f"/users?query={family}{query}").data]
    assert names("") == ["Ada", "Bob", "Carl"]
    assert names("&online=1") == ["Bob", "Carl"]
    first = ada.get(f"/users?query={family}&online=1&limit=1")
    assert [user["id"] for user in first.data] == [bob.id] and first.data[0]["online"] is True
    second = ada.follow(first.links["next"])
    assert [user["id"] for user in second.data] == [carl.id] and "next" not in second.links
    assert carl.request("PATCH", "/me", {"settings": {"last_seen": False}}).status == 200
    assert names("&online=1") == ["Bob"], "who hides is not told of"
    assert names("") == ["Ada", "Bob", "Carl"]
    assert ada.get("/users?online=yes").wrong_fields == {"online"}
    for stream in streams:
        stream.close()


@pytest.mark.shows("L6", "A4")
def test_a_handle_stays_until_its_person_changes_it(program):
    unique = uuid.uuid4().hex[:8]
    ada, bob = Client(program, "Ada", f"K{unique}"), Client(program, "Ada", f"K{unique}")
    handle = lambda client: client.get("/session").data["handle"]
    assert [handle(ada), handle(bob)] == [f"AdaK{unique}", f"AdaK{unique}2"]
    assert ada.request("PATCH", "/me", {"first_name": "Augusta"}).data["handle"] == f"AdaK{unique}"
    group = bob.request("POST", "/rooms", {"kind": "group", "name": "G", "member_ids": [ada.id]}).data["id"]
    mentions = lambda text: bob.say(group, text)["mentions"]
    assert mentions(f"@AdaK{unique} hi") == [ada.id]
    changed = ada.request("PATCH", "/me", {"handle": f"@countess_{unique}"})
    assert (changed.status, changed.data["handle"]) == (200, f"countess_{unique}")
    assert mentions(f"@COUNTESS_{unique} and @adak{unique}") == [ada.id], "both are theirs, and they are one"
    taken = bob.request("PATCH", "/me", {"handle": f"adak{unique}"})
    assert (taken.status, taken.problem, taken.data["errors"][0]["code"]) == (409, "conflict", "taken")
    assert bob.request("PATCH", "/me", {"handle": f"countess_{unique}"}).status == 409
    for wrong in ("", "a b", "-a", "a-", "@", "x" * 51, "a/b"):
        assert bob.request("PATCH", "/me", {"handle": wrong}).wrong_fields == {"handle"}, wrong
    assert bob.request("PATCH", "/me", {"handle": 5}).wrong_fields == {"handle"}
    assert handle(bob) == f"AdaK{unique}2"
    assert ada.request("PATCH", "/me", {"handle": f"AdaK{unique}"}).data["handle"] == f"AdaK{unique}", "one's own again"
