"""Helpers shared by the API tests: checks of the API's entities, and people with a room."""

import uuid

from api_client import TIME, Client, in_parallel

USER = {"id", "first_name", "last_name", "name", "avatar_url", "member", "online"}
USER_OPTIONAL = {"login", "github_id", "last_seen_at", "handle"}
ROOM = {
    "id", "kind", "name", "topic", "peer", "members_count", "role", "muted", "pinned", "last_seq", "read_seq",
    "unread_count", "last_message", "draft", "created_at", "updated_at",
}
# The members that docs/api.md adds.
ROOM_MORE = {"public", "avatar_url", "hidden", "mention_level", "mention_count", "cleared_seq", "cleared_change",
             "repository"}
MESSAGE_MORE = {"forwarded_from", "mentions", "reactions", "pinned_at"}
MESSAGE = {"room_id", "seq", "client_id", "sender", "text", "reply_to", "created_at", "edited_at", "deleted_at"}
RECEIPT = {"room_id", "user_id", "delivered_seq", "read_seq"}
WHOLE = ("members_count", "last_seq", "read_seq", "unread_count")


def check_face(face):
    """A person as part of something else: without presence."""
    assert {"id", "handle", "name", "avatar_url", "member"} <= set(face) <= {"id", "login", "handle", "name", "avatar_url", "member"}, face


def check_peer(user):
    assert "online" not in user and "last_seen_at" not in user, user
    check_user({**user, "online": False})


def check_user(user, more=frozenset()):
    assert USER | set(more) <= set(user) <= USER | USER_OPTIONAL | set(more), user
    assert isinstance(user["id"], str) and user["avatar_url"].startswith("/") and user["avatar_url"][1] != "/"
    assert user["member"] in (True, False) and user["online"] in (True, False)
    assert user["name"] == f'{user["first_name"]} {user["last_name"]}'.strip()
    assert "last_seen_at" not in user or TIME.fullmatch(user["last_seen_at"])
    assert "github_id" not in user or isinstance(user["github_id"], int)


def check_message(message):
    assert set(message) - MESSAGE_MORE == MESSAGE, message
    assert type(message["seq"]) is int and str(uuid.UUID(message["client_id"])) == message["client_id"]
    check_face(message["sender"])
    assert isinstance(message["text"], str)
    assert TIME.fullmatch(message["created_at"])
    assert all(message[n] is None or TIME.fullmatch(message[n]) for n in ("edited_at", "deleted_at"))
    return message


def check_room(room):
    assert set(room) - ROOM_MORE == ROOM, room
    assert room["kind"] == "direct" and room["members_count"] == 2 and room["peer"]["name"] == room["name"]
    check_peer(room["peer"])
    assert all(type(room[name]) is int for name in WHOLE)
    assert all(type(room[name]) is bool for name in ("muted", "pinned"))
    assert all(isinstance(room[name], str) for name in ("id", "name", "topic", "role", "draft"))
    assert TIME.fullmatch(room["created_at"]) and TIME.fullmatch(room["updated_at"])
    if room["last_message"] is not None:
        check_message(room["last_message"])
    return room


def pair(program, fresh=False):
    """Two people and their new room. Signing up costs a fifth of a second of scrypt, so people are reused in other
    pairs unless they must be `fresh`."""
    known = program.__dict__.setdefault("acquaintances", {})  # by pair of indices
    people = program.__dict__.setdefault("people", [])
    free = [(i, j) for j in range(len(people)) for i in range(j) if (i, j) not in known]
    if fresh or not free:
        first = len(people)
        count = 2 if fresh or not people else 1
        people += in_parallel(count, lambda i: Client(program, ("Ada", "Bob")[i]))
        free = [(first, first + 1)] if count == 2 else [(0, first)]
    ada, bob = (people[index] for index in free[0])
    room = known[free[0]] = ada.direct(bob)
    return ada, bob, room


def seqs(answer):
    assert answer.status == 200, answer
    return [message["seq"] for message in answer.data]
