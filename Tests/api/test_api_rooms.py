"""docs/api.md, sentence by sentence: rooms, receipts, and what outsiders can see."""

import json
import uuid

import pytest

from api_checks import check_room, pair
from api_client import Client, in_parallel


def test_a_direct_room_is_created_once_whoever_is_first(program):
    ada, bob = Client(program, "Ada"), Client(program, "Bob")
    answers = in_parallel(6, lambda i: (ada, bob)[i % 2].request(
        "POST", "/rooms", {"kind": "direct", "user_id": (bob, ada)[i % 2].id}))
    assert sorted(a.status for a in answers) == [200] * 5 + [201]
    assert len({a.data["id"] for a in answers}) == 1
    for index, answer in enumerate(answers):
        room = check_room(answer.data)
        assert room["peer"]["id"] == (bob, ada)[index % 2].id
        assert (room["last_seq"], room["read_seq"], room["unread_count"], room["last_message"]) == (0, 0, 0, None)
    room = answers[0].data["id"]
    assert check_room(ada.get(f"/rooms/{room}").data)["id"] == room
    assert [r["id"] for r in ada.get("/rooms").data] == [room]


@pytest.mark.shows("control 8")
def test_an_outsider_sees_nothing_at_all(program):
    ada, bob, room = pair(program)
    eve = Client(program, "Eve")
    stream = eve.open_stream()
    position = eve.get("/sync").data["last_event_id"]
    ada.say(room, "secret")
    for path in (f"/rooms/{room}", "/rooms/x"):
        for method, rest, body in (
            ("GET", "", None), ("PATCH", "", {"draft": "x"}), ("PATCH", "", {"draft": 5}), ("GET", "/members", None),
            ("GET", "/messages", None), ("GET", "/messages?before=x", None), ("GET", "/messages/1", None),
            ("POST", "/messages", {"text": "x"}), ("PATCH", "/messages/1", {"text": "x"}), ("DELETE", "/messages/1", None),
            ("DELETE", "/messages/1?for=me", None), ("PUT", "/receipt", {"read_seq": 1}), ("GET", "/receipts", None),
            ("PUT", "/receipt", {"unread_from": 1}), ("POST", "/typing", {"typing": True}),
            ("POST", "/typing", {"typing": False}),
        ):
            answer = eve.request(method, path + rest, body)
            missing = eve.request(method, f"/rooms/{uuid.uuid4()}" + rest, body)
            assert answer.status in ({404} if "=x" not in rest else {404, 422}), (method, path, rest)
            assert {**answer.data, "request_id": ""} == {**missing.data, "request_id": ""}, (method, path, rest)
    bob.request("POST", f"/rooms/{room}/typing", {"typing": True})
    bob.request("PUT", f"/rooms/{room}/receipt", {"read_seq": 1})
    ada.request("PATCH", f"/rooms/{room}/messages/1", {"text": "more secret"})
    eve.say(eve.direct(Client(program, "Fay")), "own")
    stream.wait("message.created")
    assert {e.data.get("room_id") for e in stream.seen} & {room} == set()
    assert all("secret" not in json.dumps(e.data) for e in stream.seen)
    synced = eve.get(f"/sync?after={position}")
    assert room not in json.dumps(synced.data) and "secret" not in json.dumps(synced.data)
    assert all(r["id"] != room for r in eve.get("/rooms").data)
    stream.close()


@pytest.mark.shows("S4")
def test_sending_moves_the_pointer_only_where_nothing_of_others_lies_between(program):
    ada, bob, room = pair(program)
    position = bob.get("/sync").data["last_event_id"]

    def where():
        seen = ada.get(f"/rooms/{room}").data
        told = next(r for r in bob.get(f"/rooms/{room}/receipts").data if r["user_id"] == ada.id)
        assert told["read_seq"] == seen["read_seq"]
        return seen["read_seq"], seen["unread_count"]

    ada.say(room, "alone")
    assert where() == (1, 0)
    bob.say(room, "one")
    bob.say(room, "two")
    ada.say(room, "an answer")
    forwarded = ada.request("POST", f"/rooms/{room}/messages", {"forward": {"room_id": room, "seq": 2}})
    assert (forwarded.status, forwarded.data["seq"]) == (201, 5)
    assert where() == (1, 2), "own messages are not unread, and read nothing"
    receipts = [e["data"] for e in bob.get(f"/sync?after={position}").data["events"] if e["event"] == "receipt.updated"]
    assert [r for r in receipts if r["user_id"] == ada.id and r["read_seq"] > 1] == []
    bob.request("DELETE", f"/rooms/{room}/messages/3")
    assert where() == (1, 1)
    ada.request("PUT", f"/rooms/{room}/receipt", {"read_seq": 2})
    assert where() == (2, 0)
    ada.say(room, "all is read")
    assert where() == (6, 0), "nothing of others lies between"
    last = [e["data"] for e in bob.get(f"/sync?after={position}").data["events"] if e["event"] == "receipt.updated"][-1]
    assert (last["user_id"], last["read_seq"]) == (ada.id, 6)


@pytest.mark.shows("L6")
def test_a_direct_chat_comes_to_the_peer_with_its_first_message(program):
    name = f"Zenobia{uuid.uuid4().hex[:6]}"
    ada, bob = Client(program, name), Client(program, "Bob")
    position = bob.get("/sync").data["last_event_id"]
    room = ada.direct(bob)
    assert [r["id"] for r in ada.get("/rooms").data] == [room]
    group = ada.request("POST", "/rooms", {"kind": "group", "name": "Of one", "member_ids": []}).data["id"]
    assert {r["id"] for r in ada.get("/rooms").data} == {room, group}
    assert bob.get("/rooms").data == []
    assert bob.get(f"/search?q={name}").data["rooms"] == []
    assert bob.get(f"/sync?after={position}").data["events"] == []
    ada.say(room, "the first")
    told = [e for e in bob.get(f"/sync?after={position}").data["events"] if e["event"] != "user.updated"]
    assert [e["event"] for e in told] == ["room.created", "message.created"]
    assert told[0]["data"]["id"] == room and told[0]["data"]["hidden"] is False
    assert [(r["id"], r["unread_count"]) for r in bob.get("/rooms").data] == [(room, 1)]
    # Whoever opens it too has it at once, and it is the same.
    eve = Client(program, "Eve")
    waiting = ada.direct(eve)
    answer = eve.request("POST", "/rooms", {"kind": "direct", "user_id": ada.id})
    assert (answer.status, answer.data["id"]) == (200, waiting)
    assert [r["id"] for r in eve.get("/rooms").data] == [waiting]


@pytest.mark.shows("K5")
def test_a_chats_repository_is_the_same_for_both_people(program):
    ada, bob, room = pair(program)
    ada.say(room, "Look at #1")
    stream = bob.open_stream()
    answer = ada.request("PATCH", f"/rooms/{room}", {"repository": "octocat/Hello-World"})
    assert (answer.status, check_room(answer.data)["repository"]) == (200, "octocat/Hello-World")
    assert stream.wait("room.updated", id=room).data["repository"] == "octocat/Hello-World"
    stream.close()
    refused = bob.request("PATCH", f"/rooms/{room}", {"repository": "no repository"})
    assert refused.status == 422 and refused.data["errors"][0]["field"] == "repository"
    assert "owner/name" in refused.data["errors"][0]["detail"]
    assert bob.request("PATCH", f"/rooms/{room}", {"repository": None}).data["repository"] is None
    assert ada.get(f"/rooms/{room}").data["repository"] is None
