"""docs/api.md, sentence by sentence: groups, their members, invitations and pictures, over the wire."""

import uuid

import pytest

from api_checks import ROOM, ROOM_MORE
from api_client import Client, in_parallel

INVITATION = {"id", "inviter", "created_at", "expires_at", "max_uses", "uses"}


@pytest.fixture(scope="module")
def cast(program):
    """An owner, an admin, a member, and two outsiders."""
    return in_parallel(5, lambda i: Client(program, ("Owner", "Admin", "Member", "Outsider", "Other")[i]))


def group(cast, **more):
    """A group of the first three, with the roles their names say."""
    owner, admin, member = cast[:3]
    body = {"kind": "group", "name": f"Engine {uuid.uuid4().hex[:6]}", "member_ids": [admin.id, member.id], **more}
    made = owner.request("POST", "/rooms", body)
    assert made.status == 201, made
    room = made.data["id"]
    assert made.headers["Location"] == f"/api/v1/rooms/{room}"
    changed = owner.request("PUT", f"/rooms/{room}/members/{admin.id}", {"role": "admin"})
    assert changed.status == 200 and changed.data["role"] == "admin"
    return room


@pytest.mark.shows("R1")
def test_a_group_is_created_and_changed_and_its_members_are_notified(cast):
    owner, admin, member, outsider, _ = cast
    stream, other = member.open_stream(), outsider.open_stream()
    room = group(cast, topic="Steam")
    told = stream.wait("room.created", id=room).data
    assert set(told) - ROOM_MORE - {"event_id"} == ROOM and ROOM_MORE <= set(told)
    assert (told["kind"], told["role"], told["members_count"], told["topic"]) == ("group", "member", 3, "Steam")
    stream.wait("member.updated", room_id=room, role="admin", members_count=3)
    assert admin.request("PATCH", f"/rooms/{room}", {"name": "Engines", "muted": True}).status == 200
    heard = stream.wait_for(lambda e: e.name == "room.updated" and e.data["name"] == "Engines").data
    assert heard["muted"] is False and admin.get(f"/rooms/{room}").data["muted"] is True
    refused = member.request("PATCH", f"/rooms/{room}", {"name": "Mine"})
    assert (refused.status, refused.problem) == (403, "forbidden")
    wrong = owner.request("POST", "/rooms", {"kind": "group", "name": "x" * 81, "topic": "x" * 401})
    assert wrong.status == 422 and wrong.wrong_fields == {"name", "topic"}
    member.say(room, "done")
    stream.wait("message.created", room_id=room, text="done")
    assert not [event for event in other.seen if room in str(event.data)]
    stream.close(), other.close()


@pytest.mark.shows("control 9", "R1")
def test_removed_and_banned_members_get_nothing_more(cast):
    owner, admin, member, outsider, other = cast
    for ban in (False, True):
        room = group(cast, public=True)
        stream = member.open_stream()
        owner.say(room, "heard")
        stream.wait("message.created", room_id=room, text="heard")  # first proves that it is delivered
        before = stream.durable[-1].id
        what = "bans" if ban else "members"
        assert admin.request("PUT" if ban else "DELETE", f"/rooms/{room}/{what}/{member.id}").status == 204
        owner.say(room, "unheard")
        owner.request("POST", f"/rooms/{room}/typing", {"typing": True})
        owner.request("PATCH", f"/rooms/{room}", {"topic": "unheard"})
        chat = member.direct(owner)
        owner.say(chat, f"the end of {room}")
        stream.wait("message.created", text=f"the end of {room}")
        of_room = [e.name for e in stream.seen if room in (e.data.get("room_id"), e.data.get("id"))]
        assert of_room[-1] == "room.removed" and of_room.count("message.created") == 1, of_room
        stream.close()
        replayed = member.get(f"/sync?after={before}").data["events"]
        assert [e["event"] for e in replayed if room in (e["data"].get("room_id"), e["data"].get("id"))] == [
            "room.removed"]
        for path in ("/messages", "/members", "/receipts", "/pins"):
            assert member.get(f"/rooms/{room}{path}").status == 404
        again = member.request("PUT", f"/rooms/{room}/membership", {})
        if ban:
            assert (again.status, again.problem) == (403, "forbidden")
            assert [user["id"] for user in admin.get(f"/rooms/{room}/bans").data] == [member.id]
            assert member.get(f"/rooms/{room}/bans").status == 404
            assert admin.request("DELETE", f"/rooms/{room}/bans/{member.id}").status == 204
            again = member.request("PUT", f"/rooms/{room}/membership", {})
        assert again.status == 200 and again.data["role"] == "member" and again.data["unread_count"] == 0


@pytest.mark.shows("R1")
def test_who_is_taken_out_is_told_by_whom(program):
    ada, bob, carl = (Client(program, name) for name in ("Ada", "Bob", "Carl"))
    group = ada.request("POST", "/rooms", {"kind": "group", "name": "Engines", "member_ids": [bob.id, carl.id]}).data["id"]
    told = {}
    for client, method, path in ((bob, "DELETE", "members"), (carl, "PUT", "bans")):
        stream = client.open_stream()
        stream.wait("hello")
        assert ada.request(method, f"/rooms/{group}/{path}/{client.id}").status == 204
        told[path] = stream.wait("room.removed", id=group).data
        stream.close()
    assert all(event["removed_by"]["id"] == ada.id and event["name"] == "Engines" for event in told.values())
    assert (told["members"]["banned"], told["bans"]["banned"]) == (False, True)
    dan = Client(program, "Dan")
    assert ada.request("PUT", f"/rooms/{group}/members/{dan.id}", {}).status == 201
    stream = dan.open_stream()
    stream.wait("hello")
    assert dan.request("DELETE", f"/rooms/{group}/membership").status == 204
    assert "removed_by" not in stream.wait("room.removed", id=group).data
    stream.close()


CHANGE = {"id", "room_id", "at", "kind", "by"}


@pytest.mark.shows("R5")
def test_who_came_and_went_and_what_was_changed_is_told_and_listed_and_never_unread(cast):
    owner, admin, member, outsider, _ = cast
    room = group(cast, public=True)
    stream = member.open_stream()
    owner.say(room, "hello")
    assert owner.request("PATCH", f"/rooms/{room}", {"name": "Engines"}).status == 200
    assert outsider.get(f"/rooms/{room}/changes").status == 404
    assert outsider.request("PUT", f"/rooms/{room}/membership").status == 200
    assert admin.request("PUT", f"/rooms/{room}/pins/1").status == 204
    assert owner.request("DELETE", f"/rooms/{room}/members/{outsider.id}").status == 204
    stream.wait("room.changed", kind="removed")
    told = [event for event in stream.seen if event.name == "room.changed"]
    answer = member.get(f"/rooms/{room}/changes")
    kinds = ["renamed", "joined", "pinned", "removed"]
    assert answer.data[-4:] == [event.data for event in told] and [one["kind"] for one in answer.data[-4:]] == kinds
    renamed, joined, pinned, removed = answer.data[-4:]
    assert set(renamed) == CHANGE | {"text"} and (renamed["text"], renamed["by"]["id"]) == ("Engines", owner.id)
    assert set(joined) == CHANGE and joined["by"]["id"] == outsider.id
    assert set(pinned) == CHANGE | {"message_seq"} and (pinned["message_seq"], pinned["by"]["id"]) == (1, admin.id)
    assert set(removed) == CHANGE | {"user"} and removed["user"]["id"] == outsider.id
    assert all(one["room_id"] == room and "online" not in one["by"] for one in answer.data)
    assert [event.id for event in told] == [one["id"] for one in answer.data[-4:]]
    replayed = member.get(f"/sync?after={told[0].id - 1}").data["events"]
    assert [e["data"] for e in replayed if e["event"] == "room.changed"] == [event.data for event in told]
    seen = member.get(f"/rooms/{room}").data
    assert (seen["unread_count"], seen["last_seq"], seen["last_message"]["seq"]) == (1, 1, 1)
    page = member.get(f"/rooms/{room}/changes?limit=1")
    assert [one["kind"] for one in page.data] == ["removed"]
    before = member.follow(page.links["prev"])
    assert [one["kind"] for one in before.data] == ["pinned"] and set(before.links) == {"prev", "next"}
    assert member.get(f"/rooms/{room}/changes?after={joined['at']}&limit=9").data[-1] == removed
    wrong = member.get(f"/rooms/{room}/changes?before=1&after=2")
    assert (wrong.status, wrong.wrong_fields) == (422, {"before", "after"})
    # Cleared for oneself, and for nobody else.
    assert member.request("POST", f"/rooms/{room}/clearing").status == 204
    assert member.get(f"/rooms/{room}/changes").data == []
    assert member.get(f"/rooms/{room}").data["cleared_change"] == removed["id"]
    assert admin.get(f"/rooms/{room}/changes").data == answer.data
    stream.close()
