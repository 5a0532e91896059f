"""API.md, sentence by sentence: messages."""

import json
import random
import uuid

from api_checks import check_message, pair, seqs
from api_client import Client, in_parallel


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
