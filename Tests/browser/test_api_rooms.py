"""API.md, sentence by sentence: rooms, receipts, and what an outsider sees of them."""

import json
import random
import time
import uuid

from api_checks import RECEIPT, check_room, pair
from api_client import Client, in_parallel


def test_a_direct_room_is_made_once_by_whoever_comes_first(program):
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


def test_a_room_with_a_github_account_is_the_same_for_any_case_of_the_login_D7(program):
    ada = Client(program, "Ada")
    first = ada.request("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"})
    again = ada.request("POST", "/rooms", {"kind": "direct", "github_login": "DefUnkt"})
    by_id = ada.request("POST", "/rooms", {"kind": "direct", "user_id": first.data["peer"]["id"]})
    assert (first.status, again.status, by_id.status) == (201, 200, 200)
    assert first.data["id"] == again.data["id"] == by_id.data["id"]
    assert first.data["peer"]["github_id"] == 2 and first.data["peer"]["member"] is False
    other = Client(program, "Bob").request("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"})
    assert other.data["id"] != first.data["id"] and other.data["peer"]["id"] == first.data["peer"]["id"]


def test_rooms_cannot_be_made_of_what_is_not_there(program):
    ada, bob, _ = pair(program, fresh=True)
    for body, status in (
        ({"kind": "direct", "user_id": str(uuid.uuid4())}, {404}), ({"kind": "direct", "user_id": "x"}, {404, 422}),
        ({"kind": "direct", "github_login": "no-such-login-here"}, {404}), ({"kind": "nothing"}, {422}),
        ({"kind": "direct", "github_login": ""}, {404, 422}), ({"kind": "direct"}, {422}),
        ({"kind": "direct", "github_login": "../../x"}, {404, 422}), ({"user_id": bob.id}, {422}),
        ({"kind": "direct", "user_id": bob.id, "github_login": "defunkt"}, {422}),
    ):
        assert ada.request("POST", "/rooms", body).status in status, body
    assert len(ada.get("/rooms").data) == 1


def test_chats_are_listed_newest_first_page_after_page_L1(program):
    ada = Client(program, "Ada")
    others = in_parallel(5, lambda i: Client(program, f"Peer{'abcde'[i]}"))
    rooms = [ada.direct(other) for other in others]
    random.Random(7).shuffle(rooms)
    for room in rooms:
        ada.say(room, "hello")
        time.sleep(0.002)  # times have milliseconds; within one, the order is that of the ids
    newest_first = rooms[::-1]
    assert [r["id"] for r in ada.get("/rooms").data] == newest_first
    for limit in (1, 2, 5, 6):
        found, page = [], ada.get(f"/rooms?limit={limit}")
        while True:
            found += [check_room(r)["id"] for r in page.data]
            assert page.data and len(page.data) <= limit
            if "next" not in page.links:
                break
            page = ada.follow(page.links["next"])
        assert found == newest_first, limit
    for query in ("limit=0", "limit=x", "cursor=x"):
        assert ada.get("/rooms?" + query).status == 422, query


def test_unread_counts_others_messages_after_the_pointer_that_are_not_deleted(program):
    ada, bob, room = pair(program, fresh=True)

    def state(client):
        seen = client.get(f"/rooms/{room}").data
        assert [check_room(r) for r in client.get("/rooms").data] == [seen]
        return seen["last_seq"], seen["read_seq"], seen["unread_count"]

    for text in ("1", "2", "3", "4"):
        ada.say(room, text)
    assert state(ada) == (4, 4, 0) and state(bob) == (4, 0, 4)
    ada.request("DELETE", f"/rooms/{room}/messages/2")
    assert state(bob) == (4, 0, 3)
    bob.request("PUT", f"/rooms/{room}/receipt", {"read_seq": 1})
    assert state(bob) == (4, 1, 2)
    bob.request("PUT", f"/rooms/{room}/receipt", {"read_seq": 4})
    assert state(bob) == (4, 4, 0)
    bob.request("PUT", f"/rooms/{room}/receipt", {"unread_from": 3})
    assert state(bob) == (4, 2, 2)
    ada.request("DELETE", f"/rooms/{room}/messages/4")
    assert state(bob) == (4, 2, 1)
    assert bob.get(f"/rooms/{room}").data["last_message"]["deleted_at"]
    bob.say(room, "5")
    assert state(ada) == (5, 4, 1)
    ada.request("PUT", f"/rooms/{room}/receipt", {"unread_from": 1})
    assert state(ada) == (5, 0, 1)  # one's own are never unread


def test_pointers_move_forward_alone_but_for_unread_from_S1(program):
    ada, bob, room = pair(program)
    path = f"/rooms/{room}/receipt"
    for text in "12345":
        ada.say(room, text)
    stream = ada.open_stream()

    def put(body):
        answer = bob.request("PUT", path, body)
        assert answer.status == 200 and set(answer.data) == RECEIPT, answer
        assert answer.data["room_id"] == room and answer.data["user_id"] == bob.id
        return answer.data["delivered_seq"], answer.data["read_seq"]

    assert put({"delivered_seq": 3}) == (3, 0)
    assert stream.wait("receipt.updated").data == {"room_id": room, "user_id": bob.id, "delivered_seq": 3, "read_seq": 0}
    assert put({"read_seq": 4}) == (4, 4)  # what is read was delivered
    assert put({"read_seq": 2}) == (4, 4) and put({"delivered_seq": 1, "read_seq": 1}) == (4, 4)
    assert put({"unread_from": 3}) == (4, 2)
    assert put({"unread_from": 5}) == (4, 2)  # already unread
    assert put({"read_seq": 5, "delivered_seq": 5}) == (5, 5)
    for body in ({"read_seq": 10**6}, {"delivered_seq": 10**15}):
        answer = bob.request("PUT", path, body)
        assert answer.status == 422 or (answer.status == 200 and answer.data["read_seq"] == 5), answer
    for body in ({"read_seq": -1}, {"delivered_seq": -5}):
        assert bob.request("PUT", path, body).status in (200, 422), body
    assert put({"read_seq": 5}) == (5, 5)
    listed = ada.get(f"/rooms/{room}/receipts")
    assert listed.status == 200 and all(set(r) == RECEIPT for r in listed.data)
    assert {r["user_id"]: (r["delivered_seq"], r["read_seq"]) for r in listed.data} == {ada.id: (5, 5), bob.id: (5, 5)}
    end = stream.wait_for(lambda e: e.name == "receipt.updated" and e.data["read_seq"] == 5)
    told = [(e.data["delivered_seq"], e.data["read_seq"]) for e in stream.seen if e.name == "receipt.updated"]
    assert told == [(3, 0), (4, 4), (4, 2), (5, 5)] and end.id, "only what moved is told"
    stream.close()


def test_who_answers_has_read_and_the_other_is_told(program):
    ada, bob, room = pair(program)
    stream = ada.open_stream()
    ada.say(room, "a question")
    bob.say(room, "an answer")
    told = stream.wait("receipt.updated", user_id=bob.id)
    assert told.data["read_seq"] >= 1
    stream.close()


def test_members_and_drafts(program):
    ada, bob, room = pair(program)
    members = ada.get(f"/rooms/{room}/members")
    assert {m["id"] for m in members.data} == {ada.id, bob.id} and all(m["role"] for m in members.data)
    ours, theirs = ada.again().open_stream(), bob.open_stream()
    answer = ada.request("PATCH", f"/rooms/{room}", {"draft": "half a thou"})
    assert answer.status == 200 and check_room(answer.data)["draft"] == "half a thou"
    assert ours.wait("draft.updated").data == {"room_id": room, "draft": "half a thou"}
    assert ada.get(f"/rooms/{room}").data["draft"] == "half a thou" and bob.get(f"/rooms/{room}").data["draft"] == ""
    assert ada.request("PATCH", f"/rooms/{room}", {"draft": ""}).data["draft"] == ""
    assert ada.request("PATCH", f"/rooms/{room}", {"draft": "x" * 10_001}).wrong_fields == {"draft"}
    bob.say(room, "hello")
    theirs.wait("message.created")
    assert "draft.updated" not in theirs.names
    ours.close()
    theirs.close()


def test_an_outsider_sees_nothing_at_all_SECURITY_8(program):
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
