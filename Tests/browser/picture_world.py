"""The content of the screenshots: people, chats and groups of a demo server, and some days of conversation."""

import sqlite3
import time
import uuid

from api_client import Client
from history import write_history
from serving import until

MINUTE = 60_000

# Days ago, hour and minute, who, and what.
TALK = [
    (4, 9, 12, "Grace", "Morning! Did the nightly build go through?"),
    (4, 9, 14, "Ada", "It did: 214 tests, no failures 🎉"),
    (4, 9, 14, "Ada", "And the parser is twice as fast now"),
    (4, 9, 20, "Grace", "Oh, nice. What did it?"),
    (4, 9, 23, "Ada", "No more copying: it reads the bytes where they are. The numbers are at "
                      "https://example.com/builds/214"),
    (2, 16, 2, "Grace", "Lovely. Then I shall take that moth out of the relay after all"),
    (2, 16, 3, "Ada", "Tape it into the logbook 😄"),
    (1, 11, 40, "Grace", "For the record: a room tells by itself whether it is open now"),
    (1, 11, 42, "Ada", "That is new to me"),
    (1, 11, 45, "Grace", "Since Tuesday"),
    (1, 11, 46, "Grace", "It says whether anybody may still write there, and it is false for a chat whose other end "
                         "has gone. I would not have needed it, but the tests read so much better with it."),
]
GROUP_TALK = [
    (1, 10, 5, "Alan", "The valves of frame three run hot again"),
    (1, 10, 7, "Grace", "Since when?"),
    (1, 10, 8, "Alan", "Since the night shift, I think"),
    (1, 10, 30, "Ada", "I can look at them this afternoon"),
]


def moment(days, hour, minute):
    """Milliseconds since 1970 for a time of day some days ago, in the screenshots' time zone."""
    day = time.localtime(time.time() - days * 86_400)
    return int(time.mktime((day.tm_year, day.tm_mon, day.tm_mday, hour, minute, 0, 0, 0, -1)) * 1000)


class World:
    """A demo server with people and their conversations."""

    def __init__(self, server):
        self.server = server
        self.ada, self.grace, self.alan = (
            Client(server, *name) for name in (("Ada", "Lovelace"), ("Grace", "Hopper"), ("Alan", "Turing")))
        self.long = Client(server, "Maximiliane-Charlotte", "Freifrau von Wolfeschlegelsteinhausen")
        self.new = Client(server, "Mary", "Somerville")
        people = {"Ada": self.ada.id, "Grace": self.grace.id, "Alan": self.alan.id}
        self.room = self.ada.direct(self.grace)
        self.group = self.ask(self.ada, "POST", "/rooms", {
            "kind": "group", "name": "Engine room", "topic": "What turns, what sticks, and who has the oil can",
            "public": True, "member_ids": [self.grace.id, self.alan.id, self.long.id]})["id"]
        write_history(server, self.room, people, [(who, text, moment(*at)) for *at, who, text in TALK])
        write_history(server, self.group, people, [(who, text, moment(*at)) for *at, who, text in GROUP_TALK])
        self.write_others()
        self.write_group()
        self.write_direct()
        self.spread()

    def ask(self, person, method, path, body=None):
        answer = person.request(method, path, body)
        assert answer.status < 300, answer
        return answer.data

    def react(self, person, room, seq, emoji):
        self.ask(person, "PUT", f"/rooms/{room}/messages/{seq}/reactions/{emoji}")

    def write_direct(self):
        ada, grace, room = self.ada, self.grace, self.room
        self.react(grace, room, 2, "%F0%9F%8E%89")
        self.react(ada, room, 6, "%F0%9F%98%84")
        self.react(grace, room, 6, "%F0%9F%98%84")
        self.react(ada, room, 6, "%F0%9F%91%8D")
        self.ask(ada, "PUT", f"/rooms/{room}/pins/5")
        answer = ada.say(room, "That is what the logbook is for, then 🙂", reply_to=11)["seq"]
        self.react(grace, room, answer, "%E2%9D%A4%EF%B8%8F")
        gone = grace.say(room, "wrong chat, sorry")["seq"]
        self.ask(grace, "DELETE", f"/rooms/{room}/messages/{gone}")
        edited = ada.say(room, "Shall we look at it together at for?")["seq"]
        self.ask(ada, "PATCH", f"/rooms/{room}/messages/{edited}", {"text": "Shall we look at it together at four?"})
        self.last = grace.say(room, "Four is fine. I bring the magnifying glass, @AdaLovelace brings the tea")["seq"]
        for person in (ada, grace):
            self.ask(person, "PUT", f"/rooms/{room}/receipt", {"read_seq": self.last})
        self.ask(ada, "PATCH", f"/rooms/{room}", {"pinned": True})

    def write_group(self):
        group = self.group
        self.ask(self.ada, "PUT", f"/rooms/{group}/members/{self.grace.id}", {"role": "admin"})
        asked = self.alan.say(group, "Frame three is cold now. Who did that?")["seq"]
        self.grace.say(group, "Not me. @AdaLovelace?", reply_to=asked)
        # Lines of the log that are not messages.
        mary = f"/rooms/{group}/members/{self.new.id}"
        self.ask(self.grace, "PUT", mary)
        self.ask(self.grace, "PUT", f"/rooms/{group}/pins/{asked}")
        self.ask(self.grace, "DELETE", mary)
        self.react(self.grace, group, asked, "%F0%9F%91%80")
        self.long.say(
            group, "I only brought the oil can, and left it beside the second relay, where it has always been")

    def write_others(self):
        ada = self.ada
        self.rooms, self.by_login = {}, {}
        for minutes, login, text in ((8200, "wycats", "Is there an echo in here?"), (5400, "mojombo", "Tea at four?"),
                                     (2900, "pjhyett", "Ha!")):
            room = self.ask(ada, "POST", "/rooms", {"kind": "direct", "github_login": login})["id"]
            ada.say(room, text)
            until(lambda: ada.get(f"/rooms/{room}").data["last_seq"] == 2, f"{login}'s answer")
            self.rooms[room] = minutes
            self.by_login[login] = room
        self.ask(ada, "PATCH", f"/rooms/{room}", {"draft": "Well, that was"})
        for minutes, person, lines in (
                (1500, self.long, ["Thank you very much for the invitation; I would be delighted to come"]),
                (9, self.alan, ["Tea?", "At the usual place", "In ten minutes"])):
            room = person.direct(ada)
            for line in lines:
                person.say(room, line)
            self.rooms[room] = minutes
        self.ask(ada, "PATCH", f"/rooms/{self.long.direct(ada)}", {"muted": True})

    def spread(self):
        """Backdates the messages just sent, each chat by its own minutes."""
        assert self.server.stop() == 0
        with sqlite3.connect(self.server.folder / "hubbub.sqlite") as data:
            for room, minutes in {self.group: 3, **self.rooms}.items():
                id, earlier = uuid.UUID(room).bytes, minutes * MINUTE
                data.execute("UPDATE messages SET created_at = created_at - ? WHERE created_at > ? AND room = "
                             "(SELECT key FROM rooms WHERE id = ?)", (earlier, (time.time() - 600) * 1000, id))
                data.execute("UPDATE rooms SET updated_at = updated_at - ? WHERE id = ?", (earlier, id))
        data.close()
        self.server.start()
