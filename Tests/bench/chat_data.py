"""Data folders for bin/bench --chat: a hundred people in their rooms, and copies with a history of thousands or
millions of messages, written straight into the database."""

import json
import pathlib
import shutil
import sqlite3
import time

from hubbub import Hubbub

SENDERS, PEOPLE = 64, 100
TEXT = ("the build is green again after the merge of that branch and the review found nothing which would block the release "
        "today so let us tag it and write the notes before somebody finds another flaky test in the suite of the parser ")


class World:
    """People with sessions, a room with all of them, and a room of two for each sender."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        known = json.loads((self.folder / "world.json").read_text())
        self.people, self.together, self.own = known["people"], known["together"], known["own"]

    @staticmethod
    def make(folder):
        """Creates it through the API once; later runs reuse it."""
        folder = pathlib.Path(folder)
        if not (folder / "world.json").exists():
            shutil.rmtree(folder, ignore_errors=True)
            with Hubbub(folder / "data") as program:
                people = program.people(PEOPLE)
                own = [program.group(f"Own {n}", [people[n], people[(n + 1) % PEOPLE]]) for n in range(SENDERS)]
                known = {"people": people, "together": program.group("Together", people), "own": own}
            (folder / "world.json").write_text(json.dumps(known))
        bring_up_to_date(folder / "data")
        return World(folder)

    def copy(self, target):
        """Copies the data to a separate folder."""
        shutil.rmtree(target, ignore_errors=True)
        return shutil.copytree(self.folder / "data", target)

    def rooms(self, senders, apart):
        """The room that each of the senders writes to: one of their own, or the common one."""
        return [self.own[n] if apart else self.together for n in range(senders)]


def filled(world, folder, messages, events, say):
    """A folder whose common room has this many messages and whose log has this many events; created only if missing.
    The search index does not contain them: pages and start-up do not use it."""
    folder = pathlib.Path(folder)
    done = folder / f"filled-{messages}-{events}"
    if not done.exists():
        world.copy(folder)
        began = time.monotonic()
        fill(folder / "hubbub.sqlite", world.together, messages, events)
        done.touch()
        size = (folder / "hubbub.sqlite").stat().st_size
        say(f"Filled {messages:,} messages and {events:,} events in {time.monotonic() - began:.0f} s, {size / 1e6:,.0f} MB.")
    bring_up_to_date(folder)
    return folder


def bring_up_to_date(folder):
    """Migrates data of an older version before anything is measured."""
    with Hubbub(folder):
        pass
    for backup in folder.glob("*.before-upgrade-*"):
        backup.unlink()


def without_indexes(database, table, statement, values):
    """Runs a statement that adds rows to a table whose indexes are recreated afterwards, which is cheaper."""
    indexes = database.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql NOT NULL", [table]).fetchall()
    for name, _ in indexes:
        database.execute(f'DROP INDEX "{name}"')
    database.execute(statement, values)
    for _, sql in indexes:
        database.execute(sql)


def fill(path, room, messages, events):
    database = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -400000", "locking_mode = EXCLUSIVE"):
        database.execute(f"PRAGMA {pragma}")
    key, already = database.execute(
        "SELECT key, last_seq FROM rooms WHERE id = ?", [bytes.fromhex(room.replace("-", ""))]).fetchone()
    assert already == 0, "a room that is filled must be empty"
    first, count = database.execute("SELECT min(member), count(*) FROM memberships WHERE room = ?", [key]).fetchone()
    now = int(time.time() * 1000)
    without_indexes(database, "messages", """
        WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < :messages)
        INSERT INTO messages (room, seq, sender, client_id, text, created_at)
        SELECT :room, seq, :first + abs(random() % :count), randomblob(16),
          substr(:text, 1 + abs(random() % 80), 20 + abs(random() % 100)), :now - (:messages - seq) * 1000 FROM n
        """, {"messages": messages, "room": key, "first": first, "count": count, "text": TEXT * 2, "now": now})
    database.execute("UPDATE rooms SET last_seq = ?, updated_at = ? WHERE key = ?", [messages, now, key])
    database.execute("UPDATE memberships SET read_seq = ?1, delivered_seq = ?1 WHERE room = ?2", [messages, key])
    if events:
        without_indexes(database, "events", """
            WITH RECURSIVE n (seq) AS (SELECT max(1, :messages - :events + 1)
              UNION ALL SELECT seq + 1 FROM n WHERE seq < max(:messages, :events))
            INSERT INTO events (name, room, seq, data)
            SELECT 'message.created', :room, seq, json_object('room_id', :id, 'seq', seq, 'client_id', hex(randomblob(16)),
              'sender', json_object('id', :id, 'name', 'Somebody', 'avatar_url', '/avatars/' || hex(randomblob(32))),
              'text', substr(:text, 1, 20 + abs(random() % 100)), 'created_at', '2026-11-20T18:03:07.412Z') FROM n LIMIT :events
            """, {"messages": messages, "events": events, "room": key, "id": room, "text": TEXT})
    database.execute("PRAGMA locking_mode = NORMAL")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()
