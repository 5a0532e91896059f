"""docs/api.md, sentence by sentence: groups, their people, invitations and pictures, over the wire."""

import struct
import uuid
import zlib

import pytest

from api_checks import ROOM, ROOM_MORE
from api_client import TIME, Client, in_parallel

INVITATION = {"id", "inviter", "created_at", "expires_at", "max_uses", "uses"}


@pytest.fixture(scope="module")
def cast(program):
    """An owner, an admin, a member, and two who are outside."""
    return in_parallel(5, lambda i: Client(program, ("Owner", "Admin", "Member", "Outsider", "Other")[i]))


def group(cast, **more):
    """A group of the first three, as their names say."""
    owner, admin, member = cast[:3]
    body = {"kind": "group", "name": f"Engine {uuid.uuid4().hex[:6]}", "member_ids": [admin.id, member.id], **more}
    made = owner.request("POST", "/rooms", body)
    assert made.status == 201, made
    room = made.data["id"]
    assert made.headers["Location"] == f"/api/v1/rooms/{room}"
    changed = owner.request("PUT", f"/rooms/{room}/members/{admin.id}", {"role": "admin"})
    assert changed.status == 200 and changed.data["role"] == "admin"
    return room


def roles(client, room):
    answer = client.get(f"/rooms/{room}/members")
    assert answer.status == 200, answer
    return [(user["id"], user["role"]) for user in answer.data]


def invite(client, room, **limits):
    """The id and the token of a new invitation."""
    made = client.request("POST", f"/rooms/{room}/invitations", limits)
    assert made.status == 201 and set(made.data) == INVITATION | {"url"}, made
    assert TIME.fullmatch(made.data["created_at"])
    path, _, token = made.data["url"].rpartition("/")
    assert path.endswith("/invite") and len(token) >= 22
    return made.data["id"], token


def png(width, height):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + b"\x40\x80\xc0" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_a_group_is_made_changed_and_told_to_its_members_R1(cast):
    owner, admin, member, outsider, _ = cast
    stream, other = member.open_stream(), outsider.open_stream()
    room = group(cast, topic="Steam")
    told = stream.wait("room.created", id=room).data
    assert set(told) - ROOM_MORE == ROOM and ROOM_MORE <= set(told)
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


def test_roles_and_who_takes_over_R1(cast):
    owner, admin, member, outsider, other = cast
    room = group(cast)
    path = f"/rooms/{room}/members"
    assert roles(member, room) == [(owner.id, "owner"), (admin.id, "admin"), (member.id, "member")]
    assert admin.request("PUT", f"{path}/{other.id}", {"role": "admin"}).status == 403
    added = admin.request("PUT", f"{path}/{other.id}", {})
    assert (added.status, added.data["role"]) == (201, "member")
    assert admin.request("PUT", f"{path}/{other.id}", {}).status == 200
    assert admin.request("DELETE", f"{path}/{owner.id}").status == 403
    assert owner.request("PUT", f"{path}/{owner.id}", {"role": "member"}).status == 409
    assert owner.request("PUT", f"{path}/{member.id}", {"role": "king"}).wrong_fields == {"role"}
    assert outsider.request("PUT", f"{path}/{outsider.id}", {}).status == 404
    pages, page = [], member.get(path + "?limit=2")
    while True:
        pages.append([user["id"] for user in page.data])
        if "next" not in page.links:
            break
        page = member.follow(page.links["next"])
    assert [len(ids) for ids in pages] == [2, 2] and sum(pages, []) == [user for user, _ in roles(member, room)]
    assert owner.request("DELETE", f"/rooms/{room}/membership").status == 204
    assert dict(roles(member, room)).get(admin.id) == "owner"
    assert admin.request("PUT", f"{path}/{member.id}", {"role": "owner"}).status == 200
    assert dict(roles(member, room)) == {member.id: "owner", admin.id: "admin", other.id: "member"}
    direct = owner.direct(other)
    assert owner.request("DELETE", f"/rooms/{direct}/membership").problem == "conflict"


def test_who_is_removed_or_banned_hears_nothing_more_SECURITY_9_R1(cast):
    owner, admin, member, outsider, other = cast
    for ban in (False, True):
        room = group(cast, public=True)
        stream = member.open_stream()
        owner.say(room, "heard")
        stream.wait("message.created", room_id=room, text="heard")  # first: it is told
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


def test_public_groups_are_found_and_private_ones_are_not_there_R1_SECURITY_8(cast):
    owner, _, _, outsider, _ = cast
    name = f"Pub {uuid.uuid4().hex[:8]}"
    public, private = group(cast, name=name, public=True), group(cast, name=name)
    owner.say(public, "inside")
    found = outsider.get(f"/public_rooms?query={name.upper().replace(' ', '%20')}").data
    assert [(room["id"], room["role"], room["last_message"]) for room in found] == [(public, None, None)]
    assert outsider.get(f"/rooms/{public}").data["role"] is None
    assert outsider.get(f"/rooms/{public}/messages").status == 404
    for path in ("", "/messages", "/members"):
        assert outsider.get(f"/rooms/{private}{path}").status == 404
    assert outsider.request("PUT", f"/rooms/{private}/membership", {}).status == 404
    assert outsider.request("PUT", f"/rooms/{public}/membership", {}).status == 200
    assert [m["text"] for m in outsider.get(f"/rooms/{public}/messages").data] == ["inside"]


def test_an_invitation_lets_in_and_says_why_it_does_not_R1(cast):
    owner, admin, member, outsider, other = cast
    room = group(cast)
    number, token = invite(admin, room, max_uses=1, expires_in=3600)
    assert member.request("POST", f"/rooms/{room}/invitations", {}).status == 403
    listed = owner.get(f"/rooms/{room}/invitations").data
    assert [set(each) for each in listed] == [INVITATION] and listed[0]["id"] == number
    nobody = Client(owner.server, account=False)
    shown = nobody.get(f"/invitations/{token}").data
    assert shown["room"]["id"] == room and shown["room"]["members_count"] == 3
    assert shown["inviter"]["id"] == admin.id
    assert nobody.request("POST", f"/invitations/{token}", {}).status == 401
    assert owner.get(f"/rooms/{room}/invitations").data[0]["uses"] == 0  # to look is not to accept
    assert outsider.request("POST", f"/invitations/{token}", {}).data["id"] == room

    def why(token):
        answers = [nobody.get(f"/invitations/{token}"), other.request("POST", f"/invitations/{token}", {})]
        assert [(a.status, a.problem) for a in answers] == [(404, "not-found")] * 2
        codes = {error["code"] for answer in answers for error in answer.data.get("errors", [])}
        account = {"email": f"{uuid.uuid4().hex}@example.com", "password": "a long and private phrase",
                   "first_name": "Late", "invitation": token}
        refused = nobody.request("POST", "/accounts", account)
        assert refused.status == 422 and refused.wrong_fields == {"invitation"}
        return codes

    assert why(token) == {"used"} and why("0" * 43) == set()
    number, token = invite(owner, room)
    assert admin.request("DELETE", f"/rooms/{room}/invitations/{number}").status == 204
    assert why(token) == {"ended"}
    _, token = invite(admin, room)
    assert owner.request("PUT", f"/rooms/{room}/members/{admin.id}", {"role": "member"}).status == 200
    assert why(token) == {"ended"}
    wrong = owner.request("POST", f"/rooms/{room}/invitations", {"expires_in": 1, "max_uses": 0})
    assert wrong.status == 422 and wrong.wrong_fields == {"expires_in", "max_uses"}


def test_a_groups_picture_R1_SECURITY_4(cast):
    owner, admin, member, outsider, _ = cast
    room = group(cast)
    path, kind = f"/rooms/{room}/avatar", {"Content-Type": "image/png"}
    set_ = admin.request("PUT", path, raw=png(64, 32), fields=dict(kind))
    assert set_.status == 200 and "/avatars/picture-" in set_.data["avatar_url"]
    image = member.request("GET", set_.data["avatar_url"], base="")
    assert image.status == 200 and image.data == png(64, 32) and image.headers["Content-Type"] == "image/png"
    assert member.request("PUT", path, raw=png(8, 8), fields=dict(kind)).status == 403
    assert outsider.request("PUT", path, raw=png(8, 8), fields=dict(kind)).status == 404
    assert admin.request("PUT", path, raw=b"<svg/>", fields={"Content-Type": "image/svg+xml"}).status == 415
    assert admin.request("PUT", path, raw=png(4097, 1), fields=dict(kind)).wrong_fields == {"picture"}
    assert admin.request("PUT", path, raw=png(8, 8) + bytes(1 << 20), fields=dict(kind)).status == 413
    assert "/avatars/initials-" in owner.request("DELETE", path).data["avatar_url"]
    assert member.request("GET", set_.data["avatar_url"], base="").status == 404
