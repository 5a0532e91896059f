"""A2–A5 and S6's switches over real HTTP: pictures, email, password, what people hide, who may sign up, and the operator's
commands."""

import http.client
import json
import subprocess
import time

import pytest

from api_client import BASE, PASSWORD, Client, in_parallel, read_answer
from conftest import BINARY, ROOT, until

GIF = b"GIF89a\2\0\3\0\0\0\0,\0\0\0\0\2\0\3\0\0\2\1\x44\0;"


def png(width, height, size=34):
    """As much of a PNG as a server looks at, filled up to `size` bytes."""
    head = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\6\0\0\0\1\2\3\4"
    return head.ljust(size, b"\0")


def put_picture(client, data, media="image/png", **fields):
    return client.request("PUT", "/me/avatar", raw=data, fields={"Content-Type": media, **fields})


def sign_up(server, name, invitation=None):
    """An answer to POST /accounts, and the client that it makes."""
    client = Client(server, name, account=False)
    body = {"email": client.email, "password": PASSWORD, "first_name": name}
    answer = client.request("POST", "/accounts", {**body, **({"invitation": invitation} if invitation else {})})
    if answer.status == 201:
        client.id = answer.data["id"]
        client.keep_cookie(answer)
    return answer, client


def codes(answer):
    """What is wrong with which field."""
    return {error["field"]: error["code"] for error in answer.data.get("errors", [])}


def user(*arguments, stdin=""):
    """`hubbub user …`"""
    return subprocess.run(
        [BINARY, "user", *arguments], input=stdin, capture_output=True, text=True, timeout=60, cwd=ROOT)


def test_a_picture_is_everywhere_at_once_and_kept_for_good_A4_SECURITY_4(program):
    ada, bob = Client(program, "Ada"), Client(program, "Bob")
    room, stream = ada.direct(bob), bob.open_stream()
    answer = put_picture(ada, png(512, 512))
    assert answer.status == 200 and answer.data["email"] == ada.email
    path = answer.data["avatar_url"]
    told = stream.wait("user.updated", 1, id=ada.id)
    assert told.data["avatar_url"] == path and "email" not in told.data
    assert bob.get(f"/rooms/{room}").data["peer"]["avatar_url"] == path
    image = bob.follow(path)
    assert image.status == 200 and image.data == png(512, 512)
    assert image.headers["Content-Type"] == "image/png"
    assert image.headers["Content-Disposition"] == "inline"
    assert "immutable" in image.headers["Cache-Control"]
    assert image.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in image.headers["Content-Security-Policy"]
    assert bob.request("GET", path, base="", fields={"If-None-Match": image.headers["ETag"]}).status == 304
    assert Client(program, account=False).follow(path).status == 401
    assert put_picture(ada, GIF, "image/gif").status == 200
    assert bob.follow(path).status == 404
    back = ada.request("DELETE", "/me/avatar")
    assert back.status == 200 and "/avatars/initials-" in back.data["avatar_url"]
    stream.close()


def test_a_picture_that_is_not_taken_says_what_to_do_SECURITY_4(program):
    ada = Client(program, "Ada")
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
    for data, media, status in (
        (svg, "image/svg+xml", 415), (svg, "image/png", 415), (b"", "image/png", 415), (GIF, "text/plain", 415),
        (png(4097, 1), "image/png", 422), (png(60000, 60000), "image/png", 422), (png(9, 9)[:20], "image/png", 422),
        (png(9, 9, (1 << 20) + 1), "image/png", 413), (png(9, 9, 3 << 20), "image/png", 413),
    ):
        answer = put_picture(ada, data, media)
        assert answer.status == status and answer.data["detail"], answer
    assert "initials" in ada.get("/session").data["avatar_url"]
    assert put_picture(ada, png(4096, 4096, 1 << 20)).status == 200


def test_pages_of_other_sites_change_no_profile_SECURITY_2(program):
    ada = Client(program, "Ada")
    for fields in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert put_picture(ada, GIF, "image/gif", **fields).status == 403
        for method, path, body in (
            ("PUT", "/me/email", {"email": "eve@example.com", "password": PASSWORD}),
            ("PUT", "/me/password", {"current": PASSWORD, "new": "another long phrase"}),
            ("PATCH", "/me", {"settings": {"last_seen": False}}), ("POST", "/invitations", {}),
            ("DELETE", "/me/avatar", None),
        ):
            assert ada.request(method, path, body, fields=dict(fields)).status == 403
    for media in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert put_picture(ada, GIF, media).status == 415
        body = json.dumps({"email": "eve@example.com", "password": PASSWORD})
        assert ada.request("PUT", "/me/email", raw=body, fields={"Content-Type": media}).status == 415
    own = ada.get("/session").data
    assert own["email"] == ada.email and own["settings"]["read_receipts"] and own["settings"]["last_seen"]


def test_the_email_changes_with_the_password_and_the_failure_says_which_A4(program):
    ada, bob = Client(program, "Ada"), Client(program, "Bob")
    device = ada.again()
    stream, other = device.open_stream(), bob.open_stream()

    def change(email, password):
        return ada.request("PUT", "/me/email", {"email": email, "password": password})

    assert codes(change("x@example.com", "wrong words")) == {"password": "wrong"}
    assert codes(change(bob.email, PASSWORD)) == {"email": "taken"}
    assert codes(change(bob.email, "wrong words")) == {"password": "wrong"}
    assert codes(change("nowhere", PASSWORD)) == {"email": "invalid"}
    new = "new-" + ada.email
    answer = change(new, PASSWORD)
    assert answer.status == 200 and answer.data["email"] == new
    assert stream.wait("me.updated", 1).data["email"] == new
    assert "me.updated" not in other.names
    assert ada.request("POST", "/session", {"email": ada.email, "password": PASSWORD}).status == 401
    assert Client(program, account=False).request("POST", "/session", {"email": new, "password": PASSWORD}).status == 200
    stream.close()
    other.close()


@pytest.mark.parametrize("way", ["password", "out", "one", "others"])
def test_what_ends_a_session_ends_its_streams_within_a_second_A5_SECURITY_9(program, way):
    ada = Client(program, "Ada")
    other = ada.again()
    stream, kept = other.open_stream(), ada.open_stream()
    current = [session["id"] for session in other.get("/sessions").data if session["current"]]
    began = time.monotonic()
    if way == "password":
        wrong = ada.request("PUT", "/me/password", {"current": "wrong words", "new": "another phrase"})
        weak = ada.request("PUT", "/me/password", {"current": PASSWORD, "new": "short"})
        assert codes(wrong) == {"current": "wrong"} and codes(weak) == {"new": "too_short"}
        began = time.monotonic()
        answer = ada.request("PUT", "/me/password", {"current": PASSWORD, "new": "another long phrase"})
    elif way == "out":
        answer = other.request("DELETE", "/session")
    elif way == "one":
        answer = ada.request("DELETE", f"/sessions/{current[0]}")
    else:
        answer = ada.request("DELETE", "/sessions")
    answered = time.monotonic()
    assert answer.status == 204, answer
    ended = stream.wait("session.ended")
    stream.wait_end()
    assert ended.at - answered < 1 and answered >= began
    assert other.get("/session").status == 401
    assert ada.get("/session").status == 200 and not kept.ended
    assert ada.get("/sessions").data[0]["last_used_at"]
    kept.close()


def test_last_seen_turned_off_is_hidden_both_ways_S6(program):
    ada, bob = Client(program, "Ada"), Client(program, "Bob")
    room = ada.direct(bob)
    ada_stream, bob_stream = ada.open_stream(), bob.open_stream()
    assert bob.get(f"/users/{ada.id}").data["online"] and ada.get(f"/users/{bob.id}").data["online"]
    answer = ada.request("PATCH", "/me", {"settings": {"last_seen": False}})
    assert (answer.data["settings"]["read_receipts"], answer.data["settings"]["last_seen"]) == (True, False)
    gone = bob_stream.wait("presence", user_id=ada.id, online=False)
    assert gone.data["last_seen_at"] is None
    for viewer, subject in ((ada, bob), (bob, ada)):
        seen = [viewer.get(f"/users/{subject.id}").data, viewer.get(f"/rooms/{room}").data["peer"]]
        seen += [member for member in viewer.get(f"/rooms/{room}/members").data if member["id"] == subject.id]
        assert len(seen) == 3
        assert all(not user["online"] and "last_seen_at" not in user for user in seen), seen
    third = Client(program, "Cleo").open_stream()
    assert bob_stream.wait_for(lambda event: event.name == "presence" and event.data["online"] and event.data["user_id"] not in (ada.id, bob.id))
    bob.say(room, "hello")
    message = ada_stream.wait("message.created", text="hello")
    assert not message.data["sender"]["online"] and "last_seen_at" not in message.data["sender"]
    before = [event for event in ada_stream.seen if event.name == "presence"]
    # What comes in order after the message, so no presence was on its way before it.
    assert all(event.data["user_id"] in (ada.id, bob.id) for event in before), before
    replayed = ada.get("/sync?after=0").data["events"]
    senders = [event["data"]["sender"] for event in replayed if event["event"] == "message.created"]
    assert senders and not any(sender["online"] for sender in senders if sender["id"] != ada.id)
    ada.request("PATCH", "/me", {"settings": {"last_seen": True}})
    assert bob_stream.wait("presence", user_id=ada.id, online=True)
    for stream in (ada_stream, bob_stream, third):
        stream.close()


def test_read_receipts_turned_off_are_hidden_both_ways_S6(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    room = ada.direct(bob)
    for number in range(3):
        ada.say(room, f"message {number}")
    device = bob.again()
    bob.request("PATCH", "/me", {"settings": {"read_receipts": False}})
    ada_stream, bob_stream = ada.open_stream(), device.open_stream()
    bob.request("PUT", f"/rooms/{room}/receipt", {"delivered_seq": 2})
    bob.request("PUT", f"/rooms/{room}/receipt", {"read_seq": 2})
    bob.request("PUT", f"/rooms/{room}/receipt", {"read_seq": 3})
    bob_stream.wait("receipt.updated", user_id=bob.id, read_seq=3)
    ada_stream.wait("receipt.updated", user_id=bob.id, delivered_seq=3)

    def pairs(stream):
        receipts = [e.data for e in stream.seen if e.name == "receipt.updated" and e.data["user_id"] == bob.id]
        return [(receipt["delivered_seq"], receipt["read_seq"]) for receipt in receipts]

    assert pairs(ada_stream) == [(2, 0), (3, 0)]
    assert pairs(bob_stream) == [(2, 0), (2, 2), (3, 3)]

    def receipts(viewer):
        return {r["user_id"]: r["read_seq"] for r in viewer.get(f"/rooms/{room}/receipts").data}

    assert receipts(ada) == {ada.id: 3, bob.id: 0} and receipts(bob) == {ada.id: 0, bob.id: 3}
    # It is still off after a restart, in answers and in what is replayed.
    ada_stream.close()
    bob_stream.close()
    assert server.stop() == 0
    server.start()
    assert receipts(ada) == {ada.id: 3, bob.id: 0}
    replayed = ada.get("/sync?after=0").data["events"]
    assert all(e["data"]["read_seq"] == 0 for e in replayed if e["event"] == "receipt.updated" and e["data"]["user_id"] == bob.id)
    assert not ada.get(f"/users/{bob.id}").data["online"]


def test_by_invite_the_operator_lets_the_admin_in_and_the_admin_the_others_A3(serve, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    printed = user("invite", "--data", str(folder), "--public-url", "https://chat.example.org/")
    assert printed.returncode == 0, printed
    link = printed.stdout.strip()
    assert link.startswith("https://chat.example.org/invite/") and not printed.stderr
    server = serve("--github", "demo", "--registration", "invite", "--public-url", "http://chat.example.org")
    refused, _ = sign_up(server, "Eve")
    assert refused.status == 403
    token = link.rsplit("/", 1)[1]
    shown = Client(server, account=False).get(f"/invitations/{token}")
    assert shown.status == 200 and shown.data == {"room": None, "inviter": None, "makes_accounts": True}
    first, admin = sign_up(server, "Ada", token)
    assert first.status == 201 and first.data["admin"] is True
    again, _ = sign_up(server, "Eve", token)
    assert again.status == 422 and codes(again) == {"invitation": "used"}
    made = admin.request("POST", "/invitations", {"max_uses": 5})
    assert made.status == 201 and made.data["url"].startswith("http://chat.example.org/invite/")
    token = made.data["url"].rsplit("/", 1)[1]
    answers = in_parallel(8, lambda index: sign_up(server, f"P{index}", token)[0])
    assert sorted(answer.status for answer in answers) == [201] * 5 + [422] * 3
    second, bob = sign_up(server, "Bob", token)
    assert second.status == 422
    assert bob.get("/invitations").status == 401
    assert admin.get("/invitations").data == []


@pytest.mark.parametrize("mode", ["github", "closed"])
def test_where_accounts_are_not_made_by_signing_up_nothing_lets_in_A3(serve, mode, tmp_path):
    (tmp_path / "data").mkdir()
    token = user("invite", "--data", str(tmp_path / "data")).stdout.strip().rsplit("/", 1)[1]
    server = serve("--github", "demo", "--registration", mode)
    for invitation in (None, token):
        answer, _ = sign_up(server, "Eve", invitation)
        assert answer.status == 403 and answer.problem == "forbidden"


def test_the_operators_commands_and_their_exit_codes_A3_A5(serve, tmp_path):
    nowhere = user("list", "--data", str(tmp_path / "none"))
    assert nowhere.returncode == 73 and "--data" in nowhere.stderr
    server = serve("--github", "demo")
    folder = str(server.folder)
    ada, bob = Client(server, "Ada", "Lovelace"), Client(server, "Bob")
    for arguments in (["list"], ["invite"], ["password", ada.email]):
        held = user(*arguments, "--data", folder, stdin="another long phrase\n")
        assert held.returncode == 73 and "Stop" in held.stderr and "\n" not in held.stderr.strip(), held
    assert server.stop() == 0
    listed = user("list", "--data", folder)
    assert listed.returncode == 0
    rows = [line.split("\t") for line in listed.stdout.splitlines()]
    assert rows == [[ada.email, "Ada Lovelace", "admin", ada.id], [bob.email, "Bob", "member", bob.id]]
    for arguments, stdin, code in (
        (["password", ada.email], "", 65), (["password", ada.email], "short\n", 65),
        (["password", "nobody@example.com"], "another long phrase\n", 67), (["password"], "", 64),
        (["invite", "--uses", "0"], "", 64), (["nonsense"], "", 64),
    ):
        ended = user(*arguments, "--data", folder, stdin=stdin)
        assert ended.returncode == code and ended.stderr.strip() and not ended.stdout, (arguments, ended)
    assert user("password", ada.email, "--data", folder, stdin="another long phrase\n").returncode == 0
    server.start()
    assert ada.get("/session").status == 401 and bob.get("/session").status == 200
    assert ada.request("POST", "/session", {"email": ada.email, "password": PASSWORD}).status == 401
    assert ada.request("POST", "/session", {"email": ada.email, "password": "another long phrase"}).status == 200


def test_twenty_wrong_passwords_are_slowed_whatever_a_header_says_SECURITY_6_7(serve):
    server = serve("--github", "demo")
    ada = Client(server, "Ada")
    nobody = Client(server, account=False)
    bodies = set()

    def attempt(index):
        fields = {"X-Forwarded-For": f"198.51.100.{index}", "Forwarded": f"for=198.51.100.{index}", "X-Real-IP": f"203.0.113.{index}"}
        email = ada.email if index % 2 else f"nobody{index}@example.com"
        return nobody.request("POST", "/session", {"email": email, "password": "wrong words"}, fields=fields)

    for index in range(20):
        answer = attempt(index)
        assert answer.status == 401
        bodies.add(json.dumps({**answer.data, "request_id": ""}))
    assert len(bodies) == 1, "an unknown address and a wrong password are told apart"
    limited = attempt(20)
    assert limited.status == 429 and limited.problem == "rate-limited" and 0 < int(limited.headers["Retry-After"]) <= 60
    # Whoever is signed in goes on.
    assert ada.get("/session").status == 200


def test_neither_passwords_nor_tokens_are_logged_SECURITY_15(serve):
    server = serve("--github", "demo", environment={"HUBBUB_LOG_LEVEL": "trace"})
    ada = Client(server, "Ada")
    token = ada.request("POST", "/invitations", {}).data["url"].rsplit("/", 1)[1]
    assert ada.get(f"/invitations/{token}").status == 200
    assert ada.request("PUT", "/me/password", {"current": "canary-one", "new": "canary-two"}).status == 422
    assert ada.request("PUT", "/me/password", {"current": PASSWORD, "new": "canary-three"}).status == 204
    assert ada.request("PUT", "/me/email", {"email": ada.email, "password": "canary-four"}).status == 422
    assert ada.request("PUT", "/me/email", raw="canary-five").status == 400
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("PUT", BASE + "/me/email", "canary-six", ada.fields({"Content-Type": "text/canary-seven"}))
    assert read_answer(connection.getresponse(), "PUT").status == 415
    connection.close()
    secret = ada.cookie.split("=", 1)[1]
    assert server.stop() == 0
    log = until(lambda: server.log_text(), "something in the log")
    for canary in ("canary", token, PASSWORD, secret):
        assert canary not in log
    # Nor are they in the database, but for what was chosen to be stored.
    stored = b"".join(file.read_bytes() for file in server.folder.glob("hubbub.sqlite*"))
    for canary in (b"canary-", token.encode(), PASSWORD.encode(), secret.encode()):
        assert canary not in stored
