"""A server with a lot of data for the measures of the browser: a room of 100,000 messages, somebody with 5,000 chats,
and a GitHub of 50,000 people. Large numbers are written straight into the database."""

import contextlib
import hashlib
import http.server
import json
import os
import sqlite3
import threading
import time
import urllib.parse
import uuid

from api_client import Client
from directory_page import png
from history import write_history
from serving import Server
from stage import Stage

MESSAGES, CHATS, PEOPLE = 100_000, 5_000, 50_000
DAY = 86_400_000
WORDS = ("short", "a somewhat longer line that goes on for a while, as people do", "two\nlines", "ok")
PIXEL = png((120, 90, 200), 1)
# Violations of the content security policy are reported on the console, where they are counted.
REPORTS = """addEventListener('securitypolicyviolation',
  (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));"""


class Crowd:
    """A GitHub with this many accounts: `GET /users`, a hundred per page, a one-pixel picture for each, and no news."""

    def __init__(self, total):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                address = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(address.query))
                since = int(query.get("since", 0))
                known = address.path == "/users"
                last = min(since + 100, total)
                if address.path == "/events":
                    return self.tell(200, "application/json; charset=utf-8", b"[]")
                if address.path.startswith("/a/"):
                    return self.tell(200, "image/png", PIXEL)
                people = [{"id": n, "login": f"person{n}", "type": "User",
                           "avatar_url": f"http://{self.headers['Host']}/a/{n}"} for n in range(since + 1, last + 1)]
                body = json.dumps(people if known else {"message": "Not Found"}).encode()
                following = f'<http://{self.headers["Host"]}/users?since={last}&per_page=100>; rel="next"'
                self.tell(200 if known else 404, "application/json; charset=utf-8", body,
                          following if known and last < total else None)

            def tell(self, status, media, body, link=None):
                self.send_response(status)
                self.send_header("Content-Type", media)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()[:16]}"')
                if link:
                    self.send_header("Link", link)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            # A fast scroll requests many pictures at once.
            request_queue_size = 256
            daemon_threads = True

            def handle_error(self, *_):
                """The client that requested a picture may have disconnected meanwhile."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def write_chats(server, owner, count):
    """Gives somebody `count` direct chats with one message each, the last ones the newest."""
    assert server.stop() == 0
    now = int(time.time() * 1000)
    data = sqlite3.connect(server.folder / "hubbub.sqlite")
    with data:
        own = data.execute("SELECT key FROM users WHERE id = ?", (uuid.UUID(owner).bytes,)).fetchone()[0]
        next_key = lambda table: data.execute(f"SELECT coalesce(max(key), 0) + 1 FROM {table}").fetchone()[0]
        user, room = next_key("users"), next_key("rooms")
        event = data.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()[0]
        chats = [(user + n, room + n, f"Friend {n + 1:04d}", event + n, now - (count - n) * 60_000) for n in range(count)]
        data.executemany(
            "INSERT INTO users (key, id, first_name, last_name, name_key, handle, handle_key)"
            " VALUES (?, ?, ?, 'Of', ?, ?, ?)",
            [(key, os.urandom(16), name, f"{name} of".lower(), handle, handle.lower())
             for key, _, name, _, _ in chats for handle in [name.replace(" ", "") + "Of"]])
        data.executemany("INSERT INTO accounts (person, is_admin, created_at) VALUES (?, 0, ?)",
                         [(key, at) for key, _, _, _, at in chats])
        data.executemany(
            "INSERT INTO rooms (key, id, kind, name, topic, last_seq, created_at, updated_at, position)"
            " VALUES (?, ?, 'direct', '', '', 1, ?, ?, ?)",
            [(key, os.urandom(16), at, at, place) for _, key, _, place, at in chats])
        data.executemany("INSERT INTO direct_rooms (low, high, room) VALUES (?, ?, ?)",
                         [(own, friend, key) for friend, key, _, _, _ in chats])
        data.executemany(
            "INSERT INTO memberships (room, member, role, read_seq, delivered_seq) VALUES (?, ?, 'member', 1, 1)",
            [(key, member) for friend, key, _, _, _ in chats for member in (own, friend)])
        data.executemany(
            "INSERT INTO messages (room, seq, sender, client_id, text, created_at) VALUES (?, 1, ?, ?, ?, ?)",
            [(key, friend, os.urandom(16), f"hello from {name}", at) for friend, key, name, _, at in chats])
        # Positions in the list are event numbers, and the next event's must be greater than all of them.
        data.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events'", (event + count,))
    data.close()
    server.start()


class World(Stage):
    """The server with its data, and the people on it. `complaints` are all errors on pages' consoles."""

    def __init__(self, browser, folder):
        self.crowd = Crowd(PEOPLE)
        (folder / "data").mkdir()
        server = Server(folder / "data", "--github", self.crowd.address,
                        environment={"HUBBUB_RATE_LIMIT": "off", "HUBBUB_CONNECTIONS_PER_ADDRESS": "2000",
                                     "HUBBUB_LOG_LEVEL": "warning"})
        super().__init__(browser, server, covers=False)
        self.expected = ()

    def fill(self):
        ada, bob, carol = (Client(self.server, name, "Tester") for name in ("Ada", "Bob", "Carol"))
        self.clients = {"Ada": ada, "Bob": bob, "Carol": carol}
        self.long = self.room(ada, bob)
        now = time.time() * 1000
        step = 400 * DAY / MESSAGES
        write_history(self.server, self.long, {"ada": ada.id, "bob": bob.id}, [
            (("ada", "bob")[n // 3 % 2], f"{n}: {WORDS[n % 4]}", now - (MESSAGES - n) * step)
            for n in range(1, MESSAGES + 1)])
        write_chats(self.server, carol.id, CHATS)

    def room(self, one, other):
        answer = one.request("POST", "/rooms", {"kind": "direct", "user_id": other.id})
        assert answer.status in (200, 201), answer
        return answer.data["id"]

    @contextlib.contextmanager
    def visitor(self, name, base=None, **options):
        """One of the three in a separate browser, signed in by API."""
        person = self.person(name, "Tester", base=base, cover=False, **options)
        person.context.add_init_script(REPORTS)
        cookie, _, value = self.clients[name].cookie.partition("=")
        person.context.add_cookies([{"name": cookie, "value": value, "url": person.base, "httpOnly": True}])
        try:
            yield person
        finally:
            person.context.close()

    @property
    def complaints(self):
        return [text for person in self.people for text in person.complaints
                if not any(word in text for word in person.expected)]

    def person(self, *arguments, **options):
        person = super().person(*arguments, **options)
        person.expected = self.expected
        return person

    def end(self):
        self.server.kill()
        self.crowd.close()
