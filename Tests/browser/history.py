"""Long histories, written straight into the database while the server is stopped."""

import os
import sqlite3
import uuid


def write_history(server, room, people, messages):
    """
    Adds messages to a room. `people`: ids by the name that `messages` call them; `messages`: name, text and time in
    milliseconds since 1970, in order. Everybody has read everything afterwards.
    """
    assert server.stop() == 0
    with sqlite3.connect(server.folder / "hubbub.sqlite") as data:
        key = lambda table, id: data.execute(f"SELECT key FROM {table} WHERE id = ?", (uuid.UUID(id).bytes,)).fetchone()[0]
        room_key = key("rooms", room)
        senders = {name: key("users", id) for name, id in people.items()}
        last = data.execute("SELECT last_seq FROM rooms WHERE key = ?", (room_key,)).fetchone()[0]
        rows = [(room_key, last + number, senders[name], os.urandom(16), text, int(time))
                for number, (name, text, time) in enumerate(messages, 1)]
        data.executemany(
            "INSERT INTO messages (room, seq, sender, client_id, text, created_at) VALUES (?, ?, ?, ?, ?, ?)", rows)
        last += len(rows)
        data.execute("UPDATE rooms SET last_seq = ?, updated_at = ? WHERE key = ?", (last, rows[-1][-1], room_key))
        data.execute("UPDATE memberships SET delivered_seq = ?, read_seq = ? WHERE room = ?", (last, last, room_key))
        # The log says nothing of these messages. It begins after them, so that pages do not go on from an older state.
        data.execute("DELETE FROM events")
        data.execute("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'events'")
    data.close()
    server.start()
    return last
