"""API.md, Events: the stream, its replay, typing, presence, and the same by long polls."""

import threading
import time

import pytest

from api_client import TIME, Client, in_parallel
from api_checks import check_message, check_room, pair


def settled(client):
    """The id of the last event, for a stream to begin after."""
    return client.get("/sync").data["last_event_id"]


def test_a_new_stream_starts_at_now_and_begins_with_hello(program):
    ada, bob, room = pair(program)
    ada.say(room, "before")
    stream = bob.open_stream()
    assert stream.headers["Content-Type"].split(";")[0] == "text/event-stream"
    assert stream.headers["Cache-Control"] == "no-store" and len(stream.headers.get_all("X-Request-Id")) == 1
    assert stream.seen[0] is stream.hello and stream.hello.id is None
    assert set(stream.hello.data) == {"last_event_id", "server_time", "retry_ms"}
    assert type(stream.hello.data["last_event_id"]) is int and type(stream.hello.data["retry_ms"]) is int
    assert TIME.fullmatch(stream.hello.data["server_time"])
    ada.say(room, "after")
    told = stream.wait("message.created")
    assert told.data["text"] == "after" and told.id > stream.hello.data["last_event_id"]
    check_message(told.data)
    stream.close()


def test_every_durable_event_has_an_id_that_only_grows_and_its_shape(program):
    ada, bob = Client(program, "Ada"), Client(program, "Bob")
    stream = bob.open_stream()
    room = ada.direct(bob)
    ada.say(room, "1")
    bob.request("PUT", f"/rooms/{room}/receipt", {"read_seq": 1})
    ada.request("PATCH", f"/rooms/{room}/messages/1", {"text": "2"})
    ada.request("DELETE", f"/rooms/{room}/messages/1")
    bob.request("PATCH", f"/rooms/{room}", {"draft": "x"})
    ada.request("PATCH", "/me", {"first_name": "Eda"})
    stream.wait("user.updated", id=ada.id)
    ours = [e for e in stream.durable if e.name != "user.updated" or e.data["id"] == ada.id]
    assert [e.name for e in ours] == [
        "room.created", "message.created", "receipt.updated", "message.updated", "message.deleted", "draft.updated",
        "user.updated"]
    ids = [e.id for e in stream.durable]
    assert ids == sorted(set(ids))
    made = check_room(ours[0].data)
    assert made["peer"]["id"] == ada.id and made["id"] == room, "the room as its reader sees it"
    assert all(e.id is None for e in stream.seen if e.name in ("hello", "ping", "reset", "typing", "presence"))
    stream.close()


@pytest.mark.parametrize("how", ["last_event_id", "after"])
def test_what_was_missed_is_replayed_to_the_byte_and_then_it_is_live(program, how):
    ada, bob, room = pair(program)
    stream = bob.open_stream()
    sent = in_parallel(4, lambda i: [ada.say(room, f"{i}.{n}") for n in range(75)])  # more than one page of the log
    assert len(sent) == 4
    stream.wait("message.created", seq=300)
    whole = [e[:3] for e in stream.durable]
    assert [e[2]["seq"] for e in whole if e[1] == "message.created"] == list(range(1, 301))
    for cut in (0, 1, 150, 299, 300):
        position = whole[cut - 1][0] if cut else stream.hello.data["last_event_id"]
        again = bob.open_stream(**{how: position})
        marker = ada.say(room, f"live {cut}")
        again.wait("message.created", seq=marker["seq"])
        replayed = [e[:3] for e in again.durable]
        stream.wait("message.created", seq=marker["seq"])
        assert replayed == [e[:3] for e in stream.durable if e.id > position], cut
        assert "reset" not in again.names
        again.close()
    stream.close()


def test_the_browsers_last_id_counts_more_than_the_address(program):
    ada, bob, room = pair(program)
    start = settled(bob)
    ada.say(room, "1")
    first = bob.get(f"/sync?after={start}").data["events"][-1]["id"]
    ada.say(room, "2")
    stream = bob.open_stream(last_event_id=first, after=start)
    stream.wait("message.created", seq=2)
    assert [e.data["seq"] for e in stream.durable if e.name == "message.created"] == [2]
    stream.close()


def test_an_unknown_id_is_reset_and_a_senseless_one_refused(program):
    ada, bob, room = pair(program)
    for unknown in (10**12, 2**62):
        stream = bob.open_stream(last_event_id=unknown)
        reset = stream.wait("reset")
        assert reset.id is None and isinstance(reset.data["reason"], str) and reset.data["reason"]
        marker = ada.say(room, "after reset")
        stream.wait("message.created", seq=marker["seq"])
        assert stream.names.count("reset") == 1
        stream.close()
        answer = bob.get(f"/sync?after={unknown}").data
        assert answer["reset"] is True and answer["events"] == [] and answer["last_event_id"] < unknown
    for wrong in ("x", "-1", "1.5", "99999999999999999999999999"):
        refused = bob.open_stream(after=wrong)
        assert refused.status in (200, 422), wrong
        if refused.status == 422:
            assert refused.answer.wrong_fields == {"after"}
        else:
            refused.wait("reset")
        refused.close()
    assert bob.get("/sync?after=x").wrong_fields == {"after"} and bob.get("/sync?wait=x").wrong_fields == {"wait"}


def test_live_and_replayed_are_without_a_gap_or_a_repeat_however_often_the_stream_is_cut(program):
    ada, bob, room = pair(program)
    position, seen = settled(bob), []
    writer = threading.Thread(target=lambda: [ada.say(room, str(n)) for n in range(150)])
    writer.start()
    while len(seen) < 150:
        stream = bob.open_stream(last_event_id=position)
        size = len(seen)
        try:
            stream.wait_for(lambda e: e.name == "message.created" and e.data["seq"] >= min(150, size + 11))
        finally:
            stream.close()
            stream.reader.join(5)
        seen += [(e.id, e.data) for e in stream.durable if e.name == "message.created" and e.data["room_id"] == room]
        position = stream.durable[-1].id
    writer.join()
    assert [data["seq"] for _, data in seen] == list(range(1, 151))
    assert [number for number, _ in seen] == sorted({number for number, _ in seen})


def test_both_streams_of_one_person_hear_the_same(program):
    ada, bob, room = pair(program)
    streams = [bob.open_stream(), bob.again().open_stream(), ada.open_stream()]
    for n in range(20):
        (ada, bob)[n % 2].say(room, str(n))
    for stream in streams:
        stream.wait("message.created", seq=20)
    heard = [[e[:3] for e in s.durable if e.data.get("room_id") == room] for s in streams]
    assert heard[0] == heard[1] == heard[2]
    for stream in streams:
        stream.close()


def test_typing_shows_within_a_second_and_ends_by_itself_after_six_S6(program):
    ada, bob, room = pair(program)
    hers, his, other = ada.open_stream(), bob.open_stream(), Client(program, "Eve").open_stream()
    began = time.monotonic()
    answer = bob.request("POST", f"/rooms/{room}/typing", {"typing": True})
    assert answer.status == 204 and answer.data is None
    told = hers.wait("typing")
    assert told.id is None and told.data == {"room_id": room, "user_id": bob.id, "typing": True}
    assert told.at - began < 1
    over = hers.wait("typing", 8, typing=False)
    assert 5.5 < over.at - began < 7.5
    bob.request("POST", f"/rooms/{room}/typing", {"typing": True})
    bob.request("POST", f"/rooms/{room}/typing", {"typing": False})
    ada.say(room, "end")
    for stream in (hers, his):
        stream.wait("message.created")
    assert [e.data["typing"] for e in hers.seen if e.name == "typing"] == [True, False, True, False]
    assert "typing" not in his.names and "typing" not in other.names
    for stream in (hers, his, other):
        stream.close()


def test_people_come_online_with_their_first_stream_and_go_with_the_last_S6(program):
    ada, bob, room = pair(program, fresh=True)
    watching = ada.open_stream()
    assert ada.get(f"/users/{bob.id}").data["online"] is False
    first, second = bob.open_stream(), bob.open_stream()
    came = watching.wait("presence", user_id=bob.id, online=True)
    assert came.id is None and set(came.data) == {"user_id", "online", "last_seen_at"}
    assert ada.get(f"/users/{bob.id}").data["online"] is True
    assert ada.get(f"/rooms/{room}").data["peer"]["online"] is True
    first.close()
    second.close()
    gone = watching.wait("presence", 15, user_id=bob.id, online=False)
    assert TIME.fullmatch(gone.data["last_seen_at"])
    user = ada.get(f"/users/{bob.id}").data
    assert user["online"] is False
    assert [e.data["online"] for e in watching.seen if e.name == "presence" and e.data["user_id"] == bob.id] == [True, False]
    watching.close()


def test_a_session_that_ends_ends_its_streams_within_a_second_SECURITY_9(program):
    ada, bob, room = pair(program, fresh=True)
    other = bob.again()
    listed = {s["current"]: s["id"] for s in other.get("/sessions").data}
    for end in (lambda: bob.request("DELETE", f"/sessions/{listed[True]}"), lambda: other.request("DELETE", "/session"),
                lambda: bob.request("DELETE", "/sessions")):
        staying, leaving, polls = bob.open_stream(), other.open_stream(), []
        poll = threading.Thread(target=lambda o=other: polls.append(o.get(f"/sync?after={settled(o)}&wait=10")))
        poll.start()
        leaving.wait("hello")
        time.sleep(0.2)  # the poll is on its way; nothing tells when it has arrived
        began = time.monotonic()
        assert end().status == 204
        over = leaving.wait("session.ended")
        assert over.data == {} and over.at - began < 1
        leaving.wait_end(1)
        poll.join(3)
        assert not poll.is_alive() and polls[0].status == 401
        assert leaving.names[-1] == "session.ended"
        marker = ada.say(room, "still here?")
        staying.wait("message.created", seq=marker["seq"])
        assert "session.ended" not in staying.names
        staying.close()
        assert Client.open_stream(other).status == 401
        other = bob.again()


def test_streams_of_one_person_are_limited_and_free_again_when_one_closes(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off", "HUBBUB_STREAMS_PER_USER": "3"})
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    streams = [ada.open_stream() for _ in range(3)]
    refused = ada.open_stream()
    assert refused.status == 429 and refused.answer.problem == "rate-limited"
    assert bob.open_stream().status == 200
    streams.pop().close()
    end = time.monotonic() + 5
    while (again := ada.open_stream()).status != 200:
        assert time.monotonic() < end
    assert server.stop() == 0


def test_sync_answers_what_the_stream_tells(program):
    ada, bob, room = pair(program)
    start = settled(bob)
    now = bob.get("/sync").data
    assert now == {"last_event_id": start, "events": [], "reset": False}
    stream = bob.open_stream(after=start)
    for n in range(3):
        ada.say(room, str(n))
    stream.wait("message.created", seq=3)
    answer = bob.get(f"/sync?after={start}")
    assert answer.status == 200 and set(answer.data) == {"last_event_id", "events", "reset"}
    assert all(set(e) == {"id", "event", "data"} for e in answer.data["events"])
    assert [(e["id"], e["event"], e["data"]) for e in answer.data["events"]] == [tuple(e[:3]) for e in stream.durable]
    assert answer.data["last_event_id"] >= answer.data["events"][-1]["id"] and answer.data["reset"] is False
    stream.close()
    in_parallel(4, lambda i: [ada.say(room, "x") for _ in range(100)])
    numbers, position = [], start
    while True:
        page = bob.get(f"/sync?after={position}").data
        if not page["events"]:
            break
        numbers += [e["data"]["seq"] for e in page["events"] if e["event"] == "message.created"]
        assert page["last_event_id"] > position
        position = page["last_event_id"]
    assert numbers == list(range(1, 404))


def test_sync_waits_for_the_first_event_and_no_longer(program):
    ada, bob, room = pair(program)
    position = settled(bob)
    began = time.monotonic()
    empty = bob.get(f"/sync?after={position}&wait=1").data
    # Others' lives go on meanwhile: a name of somebody may be told.
    assert 0.9 < time.monotonic() - began < 3 or empty["events"]
    found = []
    waiter = threading.Thread(
        target=lambda: found.append((bob.get(f"/sync?after={position}&wait=25").data, time.monotonic())))
    waiter.start()
    time.sleep(0.3)  # the request is on its way; nothing tells when it has arrived
    assert not found
    sent = time.monotonic()
    ada.say(room, "wake up")
    waiter.join(5)
    answer, at = found[0]
    assert at - sent < 1 and [e["data"]["text"] for e in answer["events"]] == ["wake up"]
    assert bob.get(f"/sync?after={position}&wait=25").data["events"], "what is there already needs no waiting"


def test_a_stop_tells_streams_and_polls_at_once(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    ada, bob, room = pair(server)
    stream, polls = ada.open_stream(), []

    def poll():
        try:
            polls.append(bob.get(f"/sync?after={settled(bob)}&wait=25").status)
        except OSError as error:
            polls.append(error)

    waiter = threading.Thread(target=poll)
    waiter.start()
    time.sleep(0.3)  # the poll is on its way; nothing tells when it has arrived
    began = time.monotonic()
    assert server.stop() == 0 and time.monotonic() - began < 5
    stream.wait_end(2)
    waiter.join(3)
    assert polls == [200] or polls == [503], polls
    assert "session.ended" not in stream.names


@pytest.mark.slow
def test_a_quiet_stream_is_pinged_every_fifteen_seconds_SLOW(program):
    stream = Client(program, "Ada").open_stream()
    first = stream.wait("ping", 17)
    assert first.id is None and set(first.data) == {"server_time"} and TIME.fullmatch(first.data["server_time"])
    assert 13 < first.at - stream.hello.at < 17
    stream.close()
