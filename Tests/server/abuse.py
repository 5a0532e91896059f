"""Attackers at full speed, and bystanders who only want to write."""

import collections
import json
import multiprocessing
import selectors
import socket
import sys
import time

from program import Program, prefer

sys.path.append(str(__import__("pathlib").Path(__file__).resolve().parents[1] / "api"))
from api_client import BASE, PASSWORD, Client  # noqa: E402

# The delay after a bystander's message before the next one, in seconds.
PAUSE = 0.025


def request(method, path, cookie=None, body=None, base=BASE, fields=()):
    """A request as bytes."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {base}{path} HTTP/1.1", "Host: localhost", *fields]
    if cookie:
        lines.append(f"Cookie: {cookie}")
    if method != "GET":
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode() + data


def join(server, name, address):
    """Somebody with an account; `address` is where they come from."""
    person = Client(server, name, account=False)
    person.email = f"{name.lower()}@example.com"
    body = {"email": person.email, "password": PASSWORD, "first_name": name}
    person.account = person.request("POST", "/accounts", body, fields={"X-Forwarded-For": address})
    assert person.account.status == 201, person.account
    person.id = person.account.data["id"]
    person.keep_cookie(person.account)
    return person


class Exchange:
    """A connection that sends the next request as soon as it has a response."""

    def __init__(self, port, requests):
        self.port, self.requests, self.received = port, requests, b""
        self.connect()

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(30)
        self.send()

    def send(self):
        self.received = b""
        self.socket.sendall(next(self.requests))

    def receive(self):
        """Reads available bytes; returns the status of a complete response, or 0 if the server has closed the
        connection."""
        try:
            part = self.socket.recv(1 << 18)
        except OSError:
            part = b""
        self.received += part
        if not part:
            return 0
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            return None
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return int(head[9:12]) if len(body) >= length else None


def _flood(port, lists, seconds, pipe):
    exchanges = [Exchange(port, iter(requests())) for requests in lists]
    selector = selectors.DefaultSelector()
    for exchange in exchanges:
        selector.register(exchange.socket, selectors.EVENT_READ, exchange)
    statuses, end = collections.Counter(), time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for key, _ in selector.select(left):
            status = key.data.receive()
            if status is None:
                continue
            statuses[status] += 1
            if status == 0:
                selector.unregister(key.fileobj)
                key.data.connect()
                selector.register(key.data.socket, selectors.EVENT_READ, key.data)
            else:
                key.data.send()
    pipe.send(dict(statuses))


class Flood:
    """Attackers in a separate process, one for each of `lists`, which are functions that return endless requests as
    bytes. After the block, `got` has the counts of the responses' statuses."""

    def __init__(self, program, lists, seconds):
        self.pipe, child = multiprocessing.Pipe()
        # Forked, because the lists are nested functions.
        self.process = multiprocessing.get_context("fork").Process(
            target=_flood, args=(program.port, lists, seconds, child))

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.got = self.pipe.recv() if self.pipe.poll(60) else {}
        self.process.join(10)


def _write(port, senders, seconds, pipe):
    clients = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in senders]
    for client in clients:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pipe.send("ready")
    times, statuses, turn, end = [], collections.Counter(), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        room, cookie = senders[turn % len(senders)]
        client, turn = clients[turn % len(senders)], turn + 1
        began = time.monotonic()
        client.sendall(request("POST", f"/rooms/{room}/messages", cookie, {"text": f"hello {turn}"}))
        answer = b""
        while not (b"\r\n\r\n" in answer and answer.endswith(b"}")):
            answer += client.recv(65536)
        times.append(time.monotonic() - began)
        statuses[int(answer[9:12])] += 1
        # A pace, not a wait for something.
        time.sleep(PAUSE)
    pipe.send((times, dict(statuses)))


class Writers:
    """Bystanders in a separate process who take turns writing, each as fast as a person may."""

    def __init__(self, program, senders, seconds):
        self.pipe, child = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_write, args=(program.port, senders, seconds, child))

    def __enter__(self):
        self.process.start()
        assert self.pipe.recv() == "ready"
        prefer(self.process.pid)
        return self

    def __exit__(self, *_):
        times, self.statuses = self.pipe.recv() if self.pipe.poll(60) else ([60.0], {})
        self.process.join(10)
        times.sort()
        self.count, self.worst = len(times), times[-1]
        self.p99 = times[min(len(times) - 1, int(len(times) * 0.99))]


__all__ = ["BASE", "Client", "Flood", "PASSWORD", "Program", "Writers", "join", "request"]
