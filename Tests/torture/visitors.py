"""The program's users during the torture: writers who retry, and listeners who resume."""

import collections
import http.client
import json
import random
import threading
import time
import uuid

PASSWORD = "a long and private phrase"
GONE = (OSError, http.client.HTTPException, json.JSONDecodeError)


def exchange(connection, method, path, body=None, cookie=None):
    fields = {"Cookie": cookie} if cookie else {}
    data = None
    if body is not None:
        data = json.dumps(body)
        fields["Content-Type"] = "application/json"
    connection.request(method, path, data, fields)
    answer = connection.getresponse()
    raw = answer.read()
    return answer.status, json.loads(raw) if raw else None, answer.headers


class Person:
    """An account with a session."""

    def __init__(self, program, name):
        connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=60)
        body = {"email": f"{name}-{uuid.uuid4().hex[:8]}@example.com", "password": PASSWORD, "first_name": name}
        status, account, fields = exchange(connection, "POST", "/api/v1/accounts", body)
        assert status == 201, account
        connection.close()
        self.id, self.cookie = account["id"], fields["Set-Cookie"].split(";")[0]


class Writer(threading.Thread):
    """Sends one message after the other; an unacknowledged one is sent again with the same id until it is acknowledged,
    or they give up."""

    def __init__(self, program, person, rooms, ledger, seed):
        super().__init__(daemon=True)
        self.program, self.person, self.rooms, self.ledger = program, person, rooms, ledger
        self.random = random.Random(seed)
        self.ends = threading.Event()
        self.gives_up = False
        self.refused = collections.Counter()

    def run(self):
        connection, number = None, 0
        while not self.ends.is_set():
            number += 1
            room = self.random.choice(self.rooms)
            body = {"client_id": str(uuid.UUID(int=self.random.getrandbits(128), version=4)),
                    "text": f"{self.name} {number} " + "x" * self.random.choice((1, 40, 400, 4000))}
            self.ledger.wanted(body["client_id"])
            while True:
                try:
                    connection = connection or http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=30)
                    status, answer, _ = exchange(
                        connection, "POST", f"/api/v1/rooms/{room}/messages", body, self.person.cookie)
                except GONE:
                    if connection:
                        connection.close()
                    connection = None
                    if self.gives_up:
                        return
                    time.sleep(0.01)  # the program is down: the pace of retries, not a wait for something
                    continue
                if status in (200, 201):
                    self.ledger.acknowledged(room, answer["seq"], body["client_id"], body["text"], self.person.id)
                    break
                self.refused[status] += 1
                assert status in (503, 507), answer
                time.sleep(0.01)


class Listener(threading.Thread):
    """Holds an event stream, resumes it by its last id, and records its events."""

    def __init__(self, program, person):
        super().__init__(daemon=True)
        self.program, self.person = program, person
        self.last, self.events, self.resets = None, [], 0
        self.ends = threading.Event()
        self.opened = 0.0
        self.began = threading.Event()

    def run(self):
        while not self.ends.is_set():
            try:
                self.listen()
            except GONE:
                time.sleep(0.01)  # the pace of retries, too

    def listen(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=20)
        fields = {"Cookie": self.person.cookie, "Accept": "text/event-stream"}
        if self.last is not None:
            fields["Last-Event-ID"] = str(self.last)
        connection.request("GET", "/api/v1/events", headers=fields)
        answer = connection.getresponse()
        if answer.status != 200:
            raise OSError(answer.status)
        event = {}
        for line in answer:
            text = line.decode().rstrip("\n")
            if text:
                key, _, value = text.partition(": ")
                event[key] = value
                continue
            if "event" in event:
                self.take(event)
            event = {}
            if self.ends.is_set():
                return

    def take(self, event):
        data = json.loads(event["data"])
        if event["event"] == "hello":
            self.opened = time.monotonic()
            self.last = self.last if self.last is not None else data["last_event_id"]
            self.began.set()
        self.resets += event["event"] == "reset"
        if "id" in event:
            number = int(event["id"])
            assert number > self.last, f"event {number} after {self.last}"
            self.last = number
            if event["event"] == "message.created":
                self.events.append((data["room_id"], data["seq"], data["client_id"]))
