"""API.md, sentence by sentence: rooms, messages, receipts, and what an outsider sees of them."""

import json
import random
import time
import uuid

from api_client import TIME, Client, in_parallel

ROOM = {
    "id", "kind", "name", "topic", "peer", "members_count", "role", "muted", "pinned", "last_seq", "read_seq",
    "unread_count", "last_message", "draft", "created_at", "updated_at",
}
# What docs/api.md adds.
ROOM_MORE = {"public", "avatar_url", "hidden", "mention_level", "mention_count", "cleared_seq"}
MESSAGE_MORE = {"forwarded_from", "mentions", "reactions", "pinned_at"}
MESSAGE = {"room_id", "seq", "client_id", "sender", "text", "reply_to", "created_at", "edited_at", "deleted_at"}
RECEIPT = {"room_id", "user_id", "delivered_seq", "read_seq"}
WHOLE = ("members_count", "last_seq", "read_seq", "unread_count")


def check_message(message):
    assert set(message) - MESSAGE_MORE == MESSAGE, message
    assert type(message["seq"]) is int and str(uuid.UUID(message["client_id"])) == message["client_id"]
    assert isinstance(message["sender"]["id"], str) and isinstance(message["text"], str)
    assert TIME.fullmatch(message["created_at"])
    assert all(message[n] is None or TIME.fullmatch(message[n]) for n in ("edited_at", "deleted_at"))
    return message


def check_room(room):
    assert set(room) - ROOM_MORE == ROOM, room
    assert room["kind"] == "direct" and room["members_count"] == 2 and room["peer"]["name"] == room["name"]
    assert all(type(room[name]) is int for name in WHOLE)
    assert all(type(room[name]) is bool for name in ("muted", "pinned"))
    assert all(isinstance(room[name], str) for name in ("id", "name", "topic", "role", "draft"))
    assert TIME.fullmatch(room["created_at"]) and TIME.fullmatch(room["updated_at"])
    if room["last_message"] is not None:
        check_message(room["last_message"])
    return room


def pair(program, fresh=False):
    """Two people and their room, which is new. Signing up costs a fifth of a second of scrypt, so people are used again
    with others unless they must be `fresh`."""
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


def test_a_message_is_answered_as_it_is_stored(program):
    ada, bob, room = pair(program)
    chosen = str(uuid.uuid4())
    answer = ada.request("POST", f"/rooms/{room}/messages", {"text": "one", "client_id": chosen})
    assert answer.status == 201
    message = check_message(answer.data)
    assert (message["seq"], message["client_id"], message["text"], message["sender"]["id"]) == (1, chosen, "one", ada.id)
    assert (message["reply_to"], message["edited_at"], message["deleted_at"]) == (None, None, None)
    reply = bob.say(room, "two", reply_to=1)
    assert (reply["seq"], reply["reply_to"]) == (2, 1)
    assert bob.get(f"/rooms/{room}/messages").data == [message, reply] == ada.get(f"/rooms/{room}/messages").data
    assert ada.get(f"/rooms/{room}/messages/2").data == reply
    for member, wrong in (("reply_to", 3), ("reply_to", 0), ("reply_to", -1), ("client_id", "x"), ("client_id", "")):
        refused = ada.request("POST", f"/rooms/{room}/messages", {"text": "x", member: wrong})
        assert refused.status == 422 and refused.wrong_fields == {member}, (member, wrong)
    nulls = ada.request("POST", f"/rooms/{room}/messages", {"text": "three", "client_id": None, "reply_to": None})
    assert nulls.status == 201 and nulls.data["seq"] == 3
    upper = str(uuid.uuid4()).upper()
    assert ada.say(room, "four", client_id=upper)["client_id"] == upper.lower()
    assert ada.request("POST", f"/rooms/{room}/messages", {"text": "four", "client_id": upper.lower()}).status == 200


def test_a_client_id_is_one_message_for_good_S2(program):
    ada, bob, room = pair(program)
    other_room = ada.direct(Client(program, "Eve"))
    body = {"text": "once", "client_id": str(uuid.uuid4())}
    answers = in_parallel(8, lambda _: ada.request("POST", f"/rooms/{room}/messages", body))
    assert sorted(a.status for a in answers) == [200] * 7 + [201]
    assert all(a.data == answers[0].data for a in answers)
    assert ada.request("POST", f"/rooms/{room}/messages", {**body, "text": "twice"}).problem == "conflict"
    elsewhere = ada.request("POST", f"/rooms/{other_room}/messages", body)
    assert (elsewhere.status, elsewhere.problem) == (409, "conflict")
    assert bob.request("POST", f"/rooms/{room}/messages", body).status == 201  # another sender's own id
    assert ada.request("PATCH", f"/rooms/{room}/messages/1", {"text": "edited"}).status == 200
    after_edit = ada.request("POST", f"/rooms/{room}/messages", body)
    assert after_edit.status == 200 and after_edit.data["text"] == "edited"
    assert ada.request("DELETE", f"/rooms/{room}/messages/1").status == 204
    after_delete = ada.request("POST", f"/rooms/{room}/messages", body)
    assert after_delete.status == 200 and after_delete.data["deleted_at"]
    assert seqs(ada.get(f"/rooms/{room}/messages")) == [1, 2]
    first, second = ada.say(room, "same"), ada.say(room, "same")
    assert first["client_id"] != second["client_id"] and second["seq"] == first["seq"] + 1


def test_numbers_have_no_gap_and_no_double_under_sixteen_senders(program):
    ada, bob, room = pair(program)
    people = [ada, bob, ada.again(), bob.again()]

    def send(index):
        client = people[index % len(people)]
        return [client.say(room, f"{index}-{n}")["seq"] for n in range(10)]

    numbers = in_parallel(16, send)
    assert sorted(n for own in numbers for n in own) == list(range(1, 161))
    assert all(own == sorted(own) for own in numbers)
    page = ada.get(f"/rooms/{room}/messages?limit=200").data
    assert [m["seq"] for m in page] == list(range(1, 161)) and len({m["client_id"] for m in page}) == 160
    for index, own in enumerate(numbers):
        assert [page[n - 1]["text"] for n in own] == [f"{index}-{i}" for i in range(10)]


def test_pages_of_messages_are_ranges(program):
    ada, bob, room = pair(program)
    path = f"/rooms/{room}/messages"
    empty = ada.get(path)
    assert empty.data == [] and empty.links == {}
    for query in ("before=5", "after=0", "around=3", "limit=1"):
        assert ada.get(f"{path}?{query}").data == [], query
    in_parallel(8, lambda i: [(ada, bob)[i % 2].say(room, str(n)) for n in range(30)])  # 240 messages
    last = 240

    def expect(query, first, until, links):
        page = ada.get(f"{path}?{query}")
        assert seqs(page) == list(range(first, until + 1)), query
        assert set(page.links) == links, (query, page.links)
        return page

    expect("", 191, 240, {"prev"})
    expect("limit=200", 41, 240, {"prev"})
    expect("limit=201", 41, 240, {"prev"})
    expect("limit=99999999999", 41, 240, {"prev"})
    expect("limit=1", 240, 240, {"prev"})
    expect("before=11&limit=4", 7, 10, {"prev", "next"})
    expect("before=5&limit=10", 1, 4, {"next"})
    expect("before=241&limit=3", 238, 240, {"prev"})
    expect("before=100000&limit=3", 238, 240, {"prev"})
    expect("before=1", 1, 0, {"next"})
    expect("after=0&limit=3", 1, 3, {"next"})
    expect("after=10&limit=4", 11, 14, {"prev", "next"})
    expect("after=238&limit=10", 239, 240, {"prev"})
    expect("after=240", 1, 0, {"prev"})
    expect("after=100000", 1, 0, {"prev"})
    for around, limit in ((120, 10), (120, 11), (1, 10), (240, 10), (3, 200), (100000, 5)):
        page = seqs(ada.get(f"{path}?around={around}&limit={limit}"))
        assert page == list(range(page[0], page[-1] + 1)) and len(page) == limit, (around, limit)
        assert min(around, last) in page, (around, limit)
        if limit < around < last - limit:
            assert abs((around - page[0]) - (page[-1] - around)) <= 1, page
    for query in ("before=x", "after=-1", "around=1.5", "limit=0", "limit=x", "before=5&after=2", "before="):
        answer = ada.get(f"{path}?{query}")
        assert answer.status == 422 and answer.wrong_fields <= {"before", "after", "around", "limit"}, query
    assert ada.get(f"{path}?before=99999999999999999999999").status in (200, 422)
    for start, relation in (("after=0&limit=70", "next"), ("limit=70", "prev")):
        found, page = [], ada.get(f"{path}?{start}")
        while True:
            found += seqs(page)
            assert page.data
            if relation not in page.links:
                break
            page = ada.follow(page.links[relation])
        assert sorted(found) == list(range(1, 241)), start


def test_the_length_of_a_text_is_counted_in_characters(program):
    ada, _, room = pair(program)

    def status(text):
        return ada.request("POST", f"/rooms/{room}/messages", {"text": text}).status

    for unit in ("x", "ü", "🦊", "語"):
        for ascii_only in (True, False):
            raw = json.dumps({"text": unit * 10_000}, ensure_ascii=ascii_only).encode()
            answer = ada.request("POST", f"/rooms/{room}/messages", raw=raw)
            assert answer.status == 201 and answer.data["text"] == unit * 10_000, (unit, ascii_only)
            raw = json.dumps({"text": unit * 10_001}, ensure_ascii=ascii_only).encode()
            answer = ada.request("POST", f"/rooms/{room}/messages", raw=raw)
            assert answer.status == 422 and answer.wrong_fields == {"text"}, (unit, ascii_only)
    for blank in ("", " ", "\n\t ", "\u2003"):
        assert status(blank) == 422, blank
    answer = ada.request("POST", f"/rooms/{room}/messages", {"text": "x" * 3_000_000})
    assert (answer.status, answer.problem) == (413, "too-large")


def test_a_text_comes_back_as_it_was_written(program):
    ada, bob, room = pair(program)
    texts = ["  indented\n\n", "tab\there", "\u202eright to left", "👩‍👩‍👧‍👦 é e\u0301", "<script>alert(1)</script>", "'; DROP TABLE x;--",
             "\\u0000 \\ \" /", "a\u2028b\u2029c", "\U0010ffff\ufeffx", "%00 %0d%0a", "{{mustache}}", "data: x\n\nevent: y\n"]
    stream = bob.open_stream()
    for seq, text in enumerate(texts, 1):
        assert ada.say(room, text)["text"] == text
        assert stream.wait("message.created", seq=seq).data["text"] == text
    assert [m["text"] for m in bob.get(f"/rooms/{room}/messages").data] == texts
    assert ada.say(room, "one\r\ntwo\rthree")["text"] == "one\ntwo\nthree"
    stream.close()


def test_bodies_that_no_client_would_send_are_refused_and_nothing_is_stored_SECURITY_13(program):
    ada, _, room = pair(program)
    for raw, statuses in (
        (b'{"text":"\xff\xfe"}', {400, 422}), (b'{"text":"\xc0\xaf"}', {400, 422}), (b'{"text":"\xed\xa0\x80"}', {400, 422}),
        (b'{"text":"\\ud800"}', {400, 422}), (b'{"text":"\\udc00\\ud800"}', {400, 422}),
        (b'{"text":"a\\u0000b"}', {422}), (b'{"text":"a\x00b"}', {400}), (b'{"text":"a\nb"}', {400}),
        (b'{"text":"a\\u001bb"}', {422}), (b"\x00", {400}), (b'\xef\xbb\xbf{"text":"x"}', {400}),
        (b"[" * 60_000, {400}), (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, {400}),
        (b'{"text":' + b"[" * 17 + b"]" * 17 + b"}", {400, 422}),
        (b'{"text":"x","reply_to":' + b"9" * 400 + b"}", {422}), (b'{"text":"x","reply_to":1e999}', {422, 400}),
        (b'{"text":"x","reply_to":9223372036854775807}', {422}), (b'{"text":"x","reply_to":-9223372036854775808}', {422}),
        (b'{"text":"x","reply_to":0x10}', {400}), (b'{"text":"x","reply_to":01}', {400}), (b'{"text":"x",}', {400}),
        (b'{"text":"x"}{}', {400}), (b'{"text":"\\x41"}', {400}), (b'{"text":"\\u12"}', {400}), (b'{text:"x"}', {400}),
        (b'{"text":"x" /* c */}', {400}), (b'{"text":True}', {400}), (b'{"text":"x"', {400}), (b'{"text":"x', {400}),
        (("{" + ",".join(f'"m{i}":{i}' for i in range(5_000)) + "}").encode(), {400, 413, 422}),
    ):
        answer = ada.request("POST", f"/rooms/{room}/messages", raw=raw)
        assert answer.status in statuses, (raw[:60], answer.status, answer.data)
    assert ada.get(f"/rooms/{room}/messages").data == []
    pairs = ada.request("POST", f"/rooms/{room}/messages", raw=b'{"text":"\\ud83e\\udd8a\\u00e9\\/\\b"}'.replace(b"\\b", b""))
    assert pairs.status == 201 and pairs.data["text"] == "🦊é/"
    spaced = ada.request("POST", f"/rooms/{room}/messages", raw=b' \r\n\t{ "text" : "x" , "reply_to" : 1.0 } \n')
    assert spaced.status == 201 and spaced.data["reply_to"] == 1


def test_random_bytes_never_make_the_server_stumble(program):
    ada, _, room = pair(program)
    source = random.Random(20261121)
    right = json.dumps({"text": "x\u00e9\n", "client_id": str(uuid.uuid4()), "reply_to": None, "a": [1, {"b": True}]}).encode()
    for _ in range(300):
        raw = bytearray(right)
        for _ in range(source.randint(1, 6)):
            place = source.randrange(len(raw))
            source.choice((
                lambda: raw.__setitem__(place, source.randrange(256)), lambda: raw.insert(place, source.randrange(256)),
                lambda: raw.__delitem__(place), lambda: raw.extend(raw[place:place + 9])))()
        answer = ada.request("POST", f"/rooms/{room}/messages", raw=bytes(raw))
        assert answer.status in (200, 201, 400, 409, 422), (bytes(raw), answer)
        try:
            json.loads(bytes(raw).decode())
        except ValueError:
            assert answer.status == 400, bytes(raw)


def test_own_messages_can_be_edited_and_deleted_and_others_not_C7(program):
    ada, bob, room = pair(program)
    stream = bob.open_stream()
    sent = ada.say(room, "first")
    ada.say(room, "second", reply_to=1)
    edited = ada.request("PATCH", f"/rooms/{room}/messages/1", {"text": "better"})
    assert edited.status == 200 and check_message(edited.data)["text"] == "better"
    assert edited.data["edited_at"] and {**edited.data, "text": "first", "edited_at": None} == sent
    told = stream.wait("message.updated", seq=1)
    assert told.data == edited.data
    assert bob.get(f"/rooms/{room}/messages/1").data == edited.data
    for client, status in ((bob, 403), (Client(program, "Eve"), 404)):
        assert client.request("PATCH", f"/rooms/{room}/messages/1", {"text": "mine"}).status == status
        assert client.request("DELETE", f"/rooms/{room}/messages/1").status == status
    for body in ({"text": ""}, {"text": "x" * 10_001}, {}, {"text": None}, {"text": "a\u0000"}):
        assert ada.request("PATCH", f"/rooms/{room}/messages/1", body).wrong_fields == {"text"}, body
    for seq in ("3", "0", "-1", "x", "1.0", "99999999999999999999"):
        assert ada.request("PATCH", f"/rooms/{room}/messages/{seq}", {"text": "x"}).status == 404, seq
        assert ada.request("DELETE", f"/rooms/{room}/messages/{seq}").status == 404, seq
    gone = ada.request("DELETE", f"/rooms/{room}/messages/1")
    assert gone.status == 204 and gone.data is None
    told = stream.wait("message.deleted", seq=1)
    tombstone = check_message(told.data)
    assert tombstone["text"] == "" and tombstone["deleted_at"] and tombstone["seq"] == 1
    assert bob.get(f"/rooms/{room}/messages").data[0] == tombstone
    assert seqs(ada.get(f"/rooms/{room}/messages")) == [1, 2]
    assert ada.request("DELETE", f"/rooms/{room}/messages/1").status in (204, 404)
    assert ada.request("PATCH", f"/rooms/{room}/messages/1", {"text": "back"}).status in (404, 409)
    assert "better" not in json.dumps(bob.get("/sync?after=0").data)
    assert stream.names.count("message.deleted") == 1
    stream.close()


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
