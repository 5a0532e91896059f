"""docs/api.md, sentence by sentence: messages."""

import json
import random
import uuid

import pytest

from api_checks import check_message, pair


def test_a_message_is_returned_as_stored(program):
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


def test_a_text_is_returned_as_written(program):
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


@pytest.mark.shows("control 13")
def test_bodies_that_no_client_would_send_are_refused_and_nothing_is_stored(program):
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


def test_random_bytes_never_break_the_server(program):
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
