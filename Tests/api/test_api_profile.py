"""Profiles over real HTTP: pictures, email, password, privacy, registration, and the operator's commands."""

import http.client
import json
import subprocess
import time

import pytest

from api_client import BASE, PASSWORD, Client, in_parallel, read_answer
from serving import BINARY, ROOT, until

GIF = b"GIF89a\2\0\3\0\0\0\0,\0\0\0\0\2\0\3\0\0\2\1\x44\0;"


def png(width, height, size=34):
    """As much of a PNG as a server checks, padded to `size` bytes."""
    head = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\6\0\0\0\1\2\3\4"
    return head.ljust(size, b"\0")


def put_picture(client, data, media="image/png", **fields):
    return client.request("PUT", "/me/avatar", raw=data, fields={"Content-Type": media, **fields})


def sign_up(server, name, invitation=None):
    """The response to POST /accounts, and the client for the new account."""
    client = Client(server, name, account=False)
    body = {"email": client.email, "password": PASSWORD, "first_name": name}
    answer = client.request("POST", "/accounts", {**body, **({"invitation": invitation} if invitation else {})})
    if answer.status == 201:
        client.id = answer.data["id"]
        client.keep_cookie(answer)
    return answer, client


def codes(answer):
    """The errors' fields and codes."""
    return {error["field"]: error["code"] for error in answer.data.get("errors", [])}


def user(*arguments, stdin=""):
    """`hubbub user …`"""
    return subprocess.run(
        [BINARY, "user", *arguments], input=stdin, capture_output=True, text=True, timeout=60, cwd=ROOT)


@pytest.mark.shows("A4", "control 4")
def test_a_picture_is_announced_at_once_and_immutable(program):
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


@pytest.mark.shows("control 4")
def test_a_refused_picture_says_what_to_do(program):
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


@pytest.mark.shows("control 2")
def test_pages_on_other_sites_cannot_change_a_profile(program):
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


@pytest.mark.shows("R1", "control 6")
def test_who_decides_who_adds_them_is_invited_instead(program):
    ada, bob = Client(program, "Ada"), Client(program, "Bob")
    for wrong in ("friends", 1, ["nobody"]):
        assert bob.request("PATCH", "/me", {"settings": {"added_by": wrong}}).status == 422
    own = bob.request("PATCH", "/me", {"settings": {"added_by": "nobody"}})
    assert own.status == 200 and own.data["settings"]["added_by"] == "nobody"
    made = ada.request("POST", "/rooms", {"kind": "group", "name": "G", "member_ids": [bob.id]})
    assert made.status == 201 and made.data["members_count"] == 1 and made.data["not_added"] == [bob.id]
    room = f"/rooms/{made.data['id']}"
    refused = ada.request("PUT", f"{room}/members/{bob.id}", {})
    assert refused.status == 403 and codes(refused) == {"user": "invite"}
    assert bob.get("/rooms").data == [] and bob.get(room).status == 404
    token = ada.request("POST", f"{room}/invitations", {"max_uses": 1}).data["url"].rsplit("/", 1)[1]
    assert bob.request("POST", f"/invitations/{token}", {}).status == 200
    assert [one["id"] for one in bob.get("/rooms").data] == [made.data["id"]]


@pytest.mark.parametrize("way", ["password", "out", "one", "others"])
@pytest.mark.shows("A5", "control 9")
def test_ending_a_session_ends_its_streams_within_a_second(program, way):
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


@pytest.mark.shows("A3")
def test_by_invite_the_operator_invites_the_admin_and_the_admin_the_others(serve, tmp_path):
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
@pytest.mark.shows("A3")
def test_without_sign_up_no_invitation_creates_an_account(serve, mode, tmp_path):
    (tmp_path / "data").mkdir()
    token = user("invite", "--data", str(tmp_path / "data")).stdout.strip().rsplit("/", 1)[1]
    server = serve("--github", "demo", "--registration", mode)
    for invitation in (None, token):
        answer, _ = sign_up(server, "Eve", invitation)
        assert answer.status == 403 and answer.problem == "forbidden"


@pytest.mark.shows("A3", "A5")
def test_the_operators_commands_and_their_exit_codes(serve, tmp_path):
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


@pytest.mark.shows("control 6", "control 7")
def test_twenty_wrong_passwords_are_throttled_whatever_a_header_says(serve):
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
    # Signed-in people are unaffected.
    assert ada.get("/session").status == 200


@pytest.mark.shows("control 15")
def test_neither_passwords_nor_tokens_are_logged(serve):
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
    # Nor are they in the database, except what people chose to store.
    stored = b"".join(file.read_bytes() for file in server.folder.glob("hubbub.sqlite*"))
    for canary in (b"canary-", token.encode(), PASSWORD.encode(), secret.encode()):
        assert canary not in stored
