"""Search over real HTTP: people, rooms and messages from one field, and what an outsider finds."""

import urllib.parse

import pytest

from api_client import Client, in_parallel


def search(person, q=None, **parameters):
    """The response to a search; `in_` and `from_` are spelled so because of Python's keywords."""
    query = {name.rstrip("_"): value for name, value in parameters.items()}
    if q is not None:
        query["q"] = q
    return person.get("/search?" + urllib.parse.urlencode(query))


def seqs(answer):
    assert answer.status == 200, answer
    assert set(answer.data) == {"users", "rooms", "messages"}
    return [message["seq"] for message in answer.data["messages"]]


def shown(message):
    """The snippet as one text, hits in brackets."""
    return "".join(f"[{piece['text']}]" if piece["hit"] else piece["text"] for piece in message["snippet"])


def room_of(server, last_name=None):
    ada, bob = in_parallel(2, lambda i: Client(server, ("Ada", "Bob")[i], last_name))
    return ada, bob, ada.direct(bob)


@pytest.mark.shows("Q1")
def test_all_scripts_code_paths_and_numbers_are_found(program):
    ada, bob, room = room_of(program)
    texts = [
        "Hello world, the CI is red", "see Sources/Chat/Room.swift", "let fooBar = foo_baz(HTTPServer)", "fixes #123",
        "commit 3f2a9c1d7e8b4a60f1e2d3c4b5a697887766f5e4", "我们修复了搜索问题", "サーバーのテスト", "한국어 검색", "go 👍 on",
        "Grüße aus Łódź", "see #1234 hello",
    ]
    for text in texts:
        ada.say(room, text)
    cases = {
        "hello": [11, 1], "HEL": [11, 1], '"the ci"': [1], '"ci the"': [], "CI": [1], "Sources/Chat/Room.swift": [2],
        "room.sw": [2], "foobar": [3], "bar ": [3], "ttpserv": [3], "#123": [4], "#1234": [11], "3f2a9c1": [5], "搜": [6],
        "搜索": [6], "テスト": [7], "검색": [8], "go": [9], "👍": [9], "lodz": [10], "gruse": [], "grusse": [10], "nowhere": [],
        "?!": [],
    }
    for q, expected in cases.items():
        assert seqs(search(bob, q)) == expected, q
    message = search(bob, "chat/room").data["messages"][0]
    assert shown(message) == "see Sources/[Chat/Room].swift"
    assert message["room"] == {"id": room, "name": "Ada", "kind": "direct"} and message["room_id"] == room
    assert {"text", "sender", "client_id", "created_at", "mentions"} <= set(message)


@pytest.mark.shows("Q1", "control 10")
def test_a_snippet_is_text_and_never_markup(program):
    ada, bob, room = room_of(program)
    ada.say(room, "x " * 200 + "<script>alert('needle')</script> " + "y " * 200)
    message = search(bob, "needle").data["messages"][0]
    assert "<script>alert('[needle]')</script>" in shown(message) and len(shown(message)) < 180
    assert all(set(piece) == {"text", "hit"} for piece in message["snippet"])


@pytest.mark.shows("Q1", "control 8")
def test_nobody_finds_what_they_may_not_see(program):
    ada, bob, room = room_of(program)
    eve = Client(program, "Eve")
    ada.say(room, "the canary sings")
    ada.say(room, "another canary")
    ada.say(room, "third canary")
    # First proves that she is an outsider and that there is something to find.
    assert eve.get(f"/rooms/{room}").status == 404 and seqs(search(bob, "canary")) == [3, 2, 1]
    for q in ["canary", "anar", '"the canary"', "from:ada", "has:link"]:
        assert seqs(search(eve, q)) == [], q
    assert search(eve, in_=room).status == 422
    # An edit and a deletion take effect at once; so does hiding or clearing for oneself.
    assert ada.request("PATCH", f"/rooms/{room}/messages/1", {"text": "the parrot sings"}).status == 200
    assert (seqs(search(bob, "canary")), seqs(search(bob, "parrot"))) == ([3, 2], [1])
    assert ada.request("DELETE", f"/rooms/{room}/messages/2").status == 204
    assert (seqs(search(bob, "canary")), seqs(search(bob, "anothe"))) == ([3], [])
    assert bob.request("DELETE", f"/rooms/{room}/messages/3?for=me").status == 204
    assert (seqs(search(bob, "canary")), seqs(search(ada, "canary"))) == ([], [3])
    assert bob.request("POST", f"/rooms/{room}/clearing").status == 204
    assert (seqs(search(bob, "parrot")), seqs(search(ada, "parrot"))) == ([], [1])
    nobody = Client(program, account=False)
    assert search(nobody, "canary").status == 401
