"""docs/api.md, Events: the stream, its replay, typing, presence, and the same by long polls."""

import threading


from api_checks import check_room, pair
from api_client import Client, in_parallel


def settled(client):
    """The id of the last event, for a stream to begin after."""
    return client.get("/sync").data["last_event_id"]


def test_durable_events_have_increasing_ids_and_the_documented_shape(program):
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


def test_sync_returns_what_the_stream_delivers(program):
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


def test_a_stop_ends_streams_and_polls_at_once(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    ada, bob, room = pair(server)
    after = settled(ada)
    stream, polls = ada.open_stream(), []

    def poll():
        try:
            polls.append(bob.get(f"/sync?after={after}&wait=25").status)
        except OSError as error:
            polls.append(error)

    waiter = threading.Thread(target=poll)
    waiter.start()
    stream.wait("presence", user_id=bob.id, online=True)  # Bob's poll has arrived
    assert server.stop() == 0
    stream.wait_end(2)
    waiter.join(3)
    assert polls == [200] or polls == [503], polls
    assert "session.ended" not in stream.names
