"""The API as bytes on connections: requests of clients, proxies and strangers, concurrency, and interruptions."""

import http.client
import json
import signal
import socket
import threading
import uuid

import pytest

from api_checks import pair
from api_client import BASE, in_parallel, read_answer


class Wire:
    """A connection for raw bytes. Acts as the socket for http.client."""

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
        """Whether the server has closed the connection without sending another byte."""
        return self.file.read(1) == b""


class Borrowed:
    """A file that its reader cannot close, because the next response is read from it too."""

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


def test_two_hundred_connections_at_once_lose_and_duplicate_nothing(program):
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


def test_a_stop_lets_requests_finish_and_loses_nothing_acknowledged(serve):
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
