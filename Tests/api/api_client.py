"""A client that knows only Hubbub's API. Every response that passes here is checked against the API's general
conventions."""

import http.client
import json
import re
import socket
import threading
import time
import typing
import uuid

PASSWORD = "a long and private phrase"
BASE = "/api/v1"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
PROBLEMS = {
    "invalid", "unauthenticated", "forbidden", "not-found", "conflict", "too-large", "unsupported-media-type",
    "rate-limited", "github-rate-limited", "github-unavailable", "unavailable", "internal",
}
# The fields that every response has exactly once.
ONCE = (
    "X-Request-Id", "X-Content-Type-Options", "Content-Security-Policy", "Referrer-Policy",
    "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Cache-Control", "Date",
)


class Answer(typing.NamedTuple):
    """A response's status, body (parsed if it is JSON) and fields."""

    status: int
    data: object
    headers: http.client.HTTPMessage

    @property
    def problem(self):
        """The problem's name."""
        return self.data["type"].removeprefix("/problems/")

    @property
    def wrong_fields(self):
        return {error["field"] for error in self.data.get("errors", [])}

    @property
    def links(self):
        """The targets of Link by relation."""
        found = re.findall(r'<([^>]*)>; rel="(\w+)"', self.headers.get("Link", ""))
        return {relation: target for target, relation in found}


def check_conventions(answer, method="GET"):
    """Checks what docs/api.md says about all responses."""
    for name in ONCE:
        assert len(answer.headers.get_all(name, [])) == 1, (name, str(answer.headers))
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    if answer.status >= 400 and method != "HEAD":
        problem = answer.data
        assert answer.headers["Content-Type"] == "application/problem+json", str(answer.headers)
        assert set(problem) >= {"type", "title", "status", "detail", "request_id"}, problem
        assert problem["type"].startswith("/problems/") and answer.problem in PROBLEMS, problem
        assert problem["status"] == answer.status
        assert problem["request_id"] == answer.headers["X-Request-Id"]
        assert all(isinstance(problem[name], str) and problem[name] for name in ("title", "detail"))
        if answer.status == 422:
            assert problem["errors"], problem
            for error in problem["errors"]:
                assert set(error) == {"field", "code", "detail"}, problem
                assert all(isinstance(value, str) for value in error.values())
        if answer.status == 405:
            assert answer.headers["Allow"]
        if answer.problem == "rate-limited":
            assert int(answer.headers["Retry-After"]) > 0
    return answer


def read_answer(response, method):
    """An `Answer` from a response whose head http.client has read."""
    raw = response.read()
    media = response.headers.get("Content-Type", "")
    data = json.loads(raw) if raw and "json" in media else raw or None
    return check_conventions(Answer(response.status, data, response.headers), method)


class Client:
    """A person without a browser. A new one signs up."""

    def __init__(self, server, name="Ada", last_name=None, account=True):
        self.server, self.cookie = server, None
        self.email = f"{name.lower() if name.isascii() and name.isalpha() else 'x'}-{uuid.uuid4().hex[:8]}@example.com"
        if account:
            body = {"email": self.email, "password": PASSWORD, "first_name": name}
            if last_name is not None:
                body["last_name"] = last_name
            self.account = self.request("POST", "/accounts", body)
            assert self.account.status == 201, self.account
            self.id = self.account.data["id"]
            self.keep_cookie(self.account)

    def keep_cookie(self, answer):
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def again(self):
        """The same person on another device."""
        other = Client(self.server, account=False)
        other.email, other.id = self.email, self.id
        answer = other.request("POST", "/session", {"email": self.email, "password": PASSWORD})
        assert answer.status == 200, answer
        other.keep_cookie(answer)
        return other

    def fields(self, fields=None):
        return {**({"Cookie": self.cookie} if self.cookie else {}), **(fields or {})}

    def request(self, method, path, body=None, fields=None, base=BASE, raw=None):
        """Sends a request with this person's cookie on a new connection. `raw` is a body sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        try:
            return self.ask(connection, method, path, body, fields, base, raw)
        finally:
            connection.close()

    def ask(self, connection, method, path, body=None, fields=None, base=BASE, raw=None):
        """The same on an existing connection."""
        fields = self.fields(fields)
        data = raw
        if body is not None:
            data = json.dumps(body)
        if data is not None:
            fields.setdefault("Content-Type", "application/json")
        connection.request(method, base + path, data, fields)
        return read_answer(connection.getresponse(), method)

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def follow(self, target):
        """Requests the target of a Link."""
        return self.request("GET", target, base="")

    def direct(self, other):
        """The id of the direct room with another client."""
        answer = self.request("POST", "/rooms", {"kind": "direct", "user_id": other.id})
        assert answer.status in (200, 201), answer
        return answer.data["id"]

    def say(self, room, text, **members):
        """Sends, and returns the message."""
        answer = self.request("POST", f"/rooms/{room}/messages", {"text": text, **members})
        assert answer.status == 201, answer
        return answer.data

    def open_stream(self, last_event_id=None, after=None, **more):
        """A stream read by its own thread; see `Stream`."""
        return Stream(self, last_event_id, after, **more)

    def stream(self, last_event_id=None):
        """The events of a stream as (id, name, data), one by one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        fields = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
        connection.request(
            "GET", BASE + "/events", headers=self.fields({"Accept": "text/event-stream", **fields}))
        answer = connection.getresponse()
        assert answer.status == 200
        return events(answer)


def events(answer):
    """The events of a stream as (id, name, data), as they arrive."""
    event = {}
    for line in answer:
        text = line.decode().rstrip("\n")
        if text:
            name, _, value = text.partition(": ")
            event[name] = value
        elif "event" in event:
            yield int(event["id"]) if "id" in event else None, event["event"], json.loads(event["data"])
            event = {}


def durable(stream, count):
    """The next `count` events with an id."""
    found = []
    for number, name, data in stream:
        if number is not None:
            found.append((number, name, data))
        if len(found) == count:
            return found


class Event(typing.NamedTuple):
    """An event as received, and its time on the monotonic clock."""

    id: int | None
    name: str
    data: dict
    at: float


class Stream:
    """An event stream read by a thread; tests wait for events by name and members."""

    def __init__(self, client, last_event_id=None, after=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", client.server.port, timeout=60)
        fields = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
        path = BASE + "/events" + ("" if after is None else f"?after={after}")
        self.connection.request("GET", path, headers=client.fields({"Accept": "text/event-stream", **fields}))
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        self.status, self.headers = self.response.status, self.response.headers
        self.seen, self.ended, self.news = [], False, threading.Condition()
        if self.status == 200:
            self.reader = threading.Thread(target=self._read, daemon=True)
            self.reader.start()
            self.hello = self.wait("hello")
        else:
            self.answer = read_answer(self.response, "GET")

    def _read(self):
        try:
            for number, name, data in events(self.response):
                with self.news:
                    self.seen.append(Event(number, name, data, time.monotonic()))
                    self.news.notify_all()
        except (OSError, ValueError, http.client.HTTPException):
            pass  # closed during the read, by the client or the server
        with self.news:
            self.ended = True
            self.news.notify_all()

    def wait(self, name, /, seconds=5, **members):
        """The first event with this name and these members in its data, received already or still to come."""
        return self.wait_for(
            lambda e: e.name == name and all(e.data.get(k) == v for k, v in members.items()), seconds, name)

    def wait_for(self, question, seconds=5, what="event"):
        end = time.monotonic() + seconds
        with self.news:
            while True:
                for event in self.seen:
                    if question(event):
                        return event
                left = end - time.monotonic()
                assert left > 0 and not self.ended, f"no {what} within {seconds} s; came: {self.seen}"
                self.news.wait(left)

    def wait_end(self, seconds=5):
        """Waits until the server has closed the stream."""
        with self.news:
            assert self.news.wait_for(lambda: self.ended, seconds), f"still open; came: {self.seen}"

    @property
    def names(self):
        with self.news:
            return [event.name for event in self.seen]

    @property
    def durable(self):
        """The events with an id."""
        with self.news:
            return [event for event in self.seen if event.id is not None]

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # closed already
        self.socket.close()


def in_parallel(count, act):
    """The results of `act(0)` … `act(count - 1)`, started together on separate threads."""
    results, barrier = [None] * count, threading.Barrier(count)

    def run(index):
        barrier.wait()
        try:
            results[index] = act(index)
        except BaseException as error:  # reported by the test's own thread
            results[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results
