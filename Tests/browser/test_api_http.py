"""The API as bytes on connections: what clients, proxies and strangers send, many at once, and a stop in the middle."""

import http.client
import json
import signal
import socket
import threading
import time
import uuid

import pytest

from api_client import BASE, Client, in_parallel, read_answer
from api_checks import pair


class Wire:
    """A connection to which bytes are written as they are. Stands in for a socket where http.client reads."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def send(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode())
        return self

    def makefile(self, *_):
        return Borrowed(self.file)

    def answer(self, method="GET"):
        response = http.client.HTTPResponse(self, method=method)
        response.begin()
        answer = read_answer(response, method)
        self.version = response.version
        return answer

    def is_closed(self):
        """Whether the server has closed, without a byte more."""
        return self.file.read(1) == b""


class Borrowed:
    """A file that its reader cannot close, since the next answer is read from it as well."""

    def __init__(self, file):
        self.file = file

    def __getattr__(self, name):
        return getattr(self.file, name)

    def close(self):
        pass


def head(method, path, client=None, *lines, version="1.1"):
    fields = ["Host: 127.0.0.1"] + ([f"Cookie: {client.cookie}"] if client and client.cookie else []) + list(lines)
    return f"{method} {BASE}{path} HTTP/{version}\r\n" + "".join(line + "\r\n" for line in fields) + "\r\n"


def post(path, client, body, *lines):
    data = json.dumps(body)
    return head("POST", path, client, "Content-Type: application/json", f"Content-Length: {len(data)}", *lines) + data


@pytest.fixture(scope="module")
def chat(program):
    return pair(program)


def test_a_connection_stays_open_and_closes_when_asked(program, chat):
    ada, _, room = chat
    with Wire(program) as wire:
        for _ in range(50):
            assert wire.send(head("GET", "/session", ada)).answer().status == 200
        assert wire.send(head("GET", "/nothing", ada)).answer().status == 404
        assert wire.send(head("POST", "/rooms", ada, "Content-Type: text/plain", "Content-Length: 3") + "abc").answer().status == 415
        last = wire.send(head("GET", "/session", ada, "Connection: close")).answer()
        assert last.status == 200 and wire.is_closed()


def test_http_1_0_is_answered_and_closed(program, chat):
    with Wire(program) as wire:
        assert wire.send(f"GET {BASE}/session HTTP/1.0\r\nCookie: {chat[0].cookie}\r\n\r\n").answer().status == 200
        assert wire.is_closed()
    with Wire(program) as wire:
        wire.send(head("GET", "/session", chat[0], "Connection: keep-alive", version="1.0"))
        assert wire.answer().status == 200


def test_pipelined_requests_are_answered_in_their_order(program, chat):
    ada, _, room = chat
    first = ada.say(room, "before the pipeline")["seq"]
    requests = ""
    for n in range(20):
        requests += post(f"/rooms/{room}/messages", ada, {"text": f"pipelined {n}"})
        requests += head("GET", f"/rooms/{room}/messages?limit=1", ada) + head("HEAD", "/session", ada)
    with Wire(program) as wire:
        wire.send(requests)
        for n in range(20):
            sent, listed = wire.answer("POST"), wire.answer()
            assert sent.status == 201 and sent.data["seq"] == first + n + 1
            assert listed.data == [sent.data]
            assert wire.answer("HEAD").status == 200


def test_a_head_may_come_byte_by_byte(program, chat):
    with Wire(program) as wire:
        for byte in post(f"/rooms/{chat[2]}/messages", chat[0], {"text": "slow"}).encode():
            wire.send(bytes([byte]))
        assert wire.answer("POST").data["text"] == "slow"


def test_bodies_may_come_in_chunks(program, chat):
    ada, _, room = chat
    data = json.dumps({"text": "in chunks"}).encode()
    fields = ("Content-Type: application/json", "Transfer-Encoding: chunked")
    with Wire(program) as wire:
        for size in (1, 5, 1000):
            wire.send(head("POST", f"/rooms/{room}/messages", ada, *fields))
            for start in range(0, len(data), size):
                piece = data[start:start + size]
                wire.send(f"{len(piece):X};ext=1\r\n".encode() + piece + b"\r\n")
            answer = wire.send(b"0\r\nTrailer: x\r\n\r\n").answer("POST")
            assert answer.status == 201 and answer.data["text"] == "in chunks", size
        wire.send(head("POST", f"/rooms/{room}/messages", ada, *fields) + "20000\r\n" + "x" * 0x20000 + "\r\n0\r\n\r\n")
        assert wire.answer("POST").status in (400, 413)


def test_expect_100_continue_asks_before_the_body_is_sent(program, chat):
    ada, _, room = chat
    data = json.dumps({"text": "after 100"})
    fields = ("Content-Type: application/json", f"Content-Length: {len(data)}", "Expect: 100-continue")
    with Wire(program) as wire:
        wire.send(head("POST", f"/rooms/{room}/messages", ada, *fields))
        assert wire.file.readline() == b"HTTP/1.1 100 Continue\r\n"
        while wire.file.readline() != b"\r\n":
            pass
        assert wire.send(data).answer("POST").status == 201
    with Wire(program) as wire:
        wire.send(head("POST", f"/rooms/{room}/messages", ada, "Content-Type: application/json",
                       "Content-Length: 99999999", "Expect: 100-continue"))
        assert wire.answer("POST").status == 413
    with Wire(program) as wire:
        wire.send(head("POST", f"/rooms/{room}/messages", ada, "Content-Length: 2", "Expect: a-miracle"))
        assert wire.answer("POST").status == 417


def test_requests_that_are_none_are_refused_and_the_connection_closed(program, chat):
    ada = chat[0]
    cookie = f"Cookie: {ada.cookie}\r\n"
    for request, statuses in (
        (f"GET {BASE}/session HTTP/1.1\r\n{cookie}\r\n", {400}),  # no Host
        (f"GET {BASE}/session HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", {400}),
        (f"GET {BASE}/session HTTP/2.0\r\nHost: a\r\n\r\n", {505, 400}),
        (f"GET {BASE}/session HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n", {400}),
        (f"GET {BASE}/session HTTP/1.1\r\nHost : a\r\n\r\n", {400}),
        (f"GET  {BASE}/session HTTP/1.1\r\nHost: a\r\n\r\n", {400}),
        ("nonsense\r\n\r\n", {400}), ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", {400}),
        (f"GET {BASE}/session HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n", {400}),
        (f"GET {BASE}/{'x' * 9000} HTTP/1.1\r\nHost: a\r\n\r\n", {414}),
        (f"GET {BASE}/session HTTP/1.1\r\nHost: a\r\nX: {'x' * 20000}\r\n\r\n", {431}),
        (f"GET {BASE}/session HTTP/1.1\r\nHost: a\r\n{''.join(f'X{i}: y' + chr(13) + chr(10) for i in range(200))}\r\n", {431}),
        (head("POST", "/rooms", ada, "Content-Length: 2", "Transfer-Encoding: chunked") + "0\r\n\r\n", {400}),
        (head("POST", "/rooms", ada, "Content-Length: 2", "Content-Length: 3") + "{}", {400}),
        (head("POST", "/rooms", ada, "Content-Length: -1"), {400}), (head("POST", "/rooms", ada, "Content-Length: x"), {400}),
        (head("POST", "/rooms", ada, "Transfer-Encoding: gzip, chunked") + "0\r\n\r\n", {400, 501}),
        (head("POST", "/rooms", ada, "Transfer-Encoding: chunked") + "zz\r\n\r\n", {400}),
        (head("POST", f"/rooms/{chat[2]}/messages", ada, "Content-Type: application/json", "Content-Length: 9999999"), {413}),
    ):
        with Wire(program) as wire:
            answer = wire.send(request).answer()
            assert answer.status in statuses, (request[:80], answer)
            assert wire.is_closed(), request[:80]
    with Wire(program) as wire:
        answer = wire.send("BREW /api/v1/session HTTP/1.1\r\nHost: a\r\n\r\n").answer()
        assert answer.status in (405, 501)
    assert ada.get("/session").status == 200


def test_pages_and_assets_have_the_same_fields_once(program):
    nobody = Client(program, account=False)
    for path in ("/", "/sign-in", "/sign-up", "/no-such-page", "/assets/nothing.js", "/chats", "/people"):
        connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=10)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        for name in ("X-Request-Id", "X-Content-Type-Options", "Content-Security-Policy", "Referrer-Policy",
                     "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"):
            assert len(answer.headers.get_all(name, [])) == 1, (path, name)
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert nobody.request("GET", "/api", base="").status == 404
    assert nobody.request("GET", "/api/v2/session", base="").status == 404


def test_a_slow_reader_and_a_half_request_cost_nobody_else_anything(program, chat):
    ada, _, room = chat
    stuck = [Wire(program).send(f"POST {BASE}/session HTTP/1.1\r\nHost: a\r\nContent-Le") for _ in range(50)]
    greedy = Wire(program).send(head("GET", f"/rooms/{room}/messages", ada) * 400)
    slowest = 0
    for _ in range(30):
        began = time.monotonic()
        assert ada.get("/session").status == 200
        slowest = max(slowest, time.monotonic() - began)
    assert slowest < 0.5
    assert greedy.answer().status == 200
    for wire in [*stuck, greedy]:
        wire.socket.close()


def test_two_hundred_connections_at_once_lose_and_double_nothing(program):
    ada, bob, room = pair(program)
    stream = bob.open_stream()

    def send(index):
        client, numbers = (ada, bob)[index % 2], []
        connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=30)
        for n in range(5):
            body = {"text": f"{index}.{n}", "client_id": str(uuid.uuid4())}
            answer = client.ask(connection, "POST", f"/rooms/{room}/messages", body)
            assert answer.status == 201, answer
            numbers.append(answer.data["seq"])
            assert client.ask(connection, "POST", f"/rooms/{room}/messages", body).data["seq"] == numbers[-1]
        connection.close()
        return numbers

    numbers = in_parallel(200, send)
    assert sorted(n for own in numbers for n in own) == list(range(1, 1001))
    assert all(own == sorted(own) for own in numbers)
    stream.wait("message.created", 20, seq=1000)
    assert [e.data["seq"] for e in stream.seen if e.name == "message.created"] == list(range(1, 1001))
    assert ada.get(f"/rooms/{room}").data["last_seq"] == 1000
    stream.close()


def test_a_stop_lets_requests_finish_and_loses_nothing_that_was_answered(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    ada, bob, room = pair(server)
    acknowledged, strange, begun = [], [], threading.Event()

    def send(index):
        client = (ada, bob)[index % 2]
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        for n in range(10_000):
            text = f"{index}.{n}"
            try:
                answer = client.ask(connection, "POST", f"/rooms/{room}/messages", {"text": text})
            except (OSError, http.client.HTTPException):
                return
            if answer.status == 201:
                acknowledged.append(text)
                if len(acknowledged) > 200:
                    begun.set()
            elif answer.status != 503:
                strange.append(answer)
                return

    senders = [threading.Thread(target=send, args=(index,)) for index in range(8)]
    for sender in senders:
        sender.start()
    assert begun.wait(20)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(10) == 0
    for sender in senders:
        sender.join(10)
    server.start()
    stored, page = [], ada.get(f"/rooms/{room}/messages?after=0&limit=200")
    while True:
        stored += [m["text"] for m in page.data]
        if "next" not in page.links:
            break
        page = ada.follow(page.links["next"])
    assert not strange
    assert set(acknowledged) <= set(stored) and len(stored) == len(set(stored))
