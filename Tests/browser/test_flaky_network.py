"""Messages from two sides through a network that drops, delays and cuts: each arrives once, in order.

In bin/test 24 of them; HUBBUB_FLAKY_MESSAGES=500 for the long form."""

import os
import random
import threading
import time

import pytest

from proxy import Proxy
from serving import until

COUNT = int(os.environ.get("HUBBUB_FLAKY_MESSAGES", "24"))


class Weather:
    """Disturbs a proxy: data is delayed or lost with its connection, all connections are cut, the line goes down."""

    def __init__(self, proxy, seed):
        self.proxy, self.random = proxy, random.Random(seed)
        self.cuts = self.drops = self.delays = self.downs = 0
        self.over = threading.Event()
        proxy.disturb = self.piece
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def piece(self):
        chance = self.random.random()
        if chance < 0.03:
            self.drops += 1
            raise OSError("this piece is lost, and its connection with it")
        if chance < 0.3:
            self.delays += 1
            time.sleep(self.random.uniform(0.005, 0.08))

    def run(self):
        while not self.over.wait(self.random.uniform(0.3, 1.2)):
            if self.random.random() < 0.3:
                self.downs += 1
                self.proxy.go_down()
                self.over.wait(self.random.uniform(0.1, 0.8))
                self.proxy.come_back()
            else:
                self.cuts += 1
                self.proxy.cut()

    def end(self):
        self.over.set()
        self.thread.join()
        self.proxy.disturb = None
        self.proxy.come_back()


def shown(person):
    """All messages of the log by number, collected by scrolling from the end to the beginning."""
    seen, orders = {}, []
    box = person.log

    def look():
        rows = box.evaluate("""(log) => [...log.querySelectorAll('[data-seq]')].map((row) => [
          Number(row.dataset.seq), /(ada|bob) \\d+!/.exec(row.textContent)?.[0], row.dataset.state])""")
        seqs = [seq for seq, _, _ in rows]
        assert seqs == sorted(set(seqs)), "rows of one number, or out of order"
        for seq, text, _ in rows:
            assert seen.setdefault(seq, text) == text
        orders.append(seqs)
        return seqs[0] == 1

    def further():
        if look():
            return True
        box.evaluate("""(log) => { let scroller = log;
          while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
          scroller.scrollTop = 0; scroller.dispatchEvent(new Event('scroll')); }""")
        return False

    until(further, "the first message", 60)
    return [seen[seq] for seq in sorted(seen)]


@pytest.mark.shows("S2", "S5")
def test_messages_from_both_sides_survive_a_network_that_drops_delays_and_cuts(stage):
    lines = [Proxy(stage.server.port) for _ in range(2)]
    ada, bob = (stage.person(name, base=line.url).sign_up() for name, line in zip(("Ada", "Bob"), lines))
    room = ada.chat_with(bob)
    bob.open(room)
    until(lambda: ada.connection == bob.connection == "online", "both streams")
    weather = [Weather(line, seed) for seed, line in enumerate(lines)]
    began = time.monotonic()
    half = COUNT // 2
    for number in range(half):
        ada.say(f"ada {number}!")
        bob.say(f"bob {number}!")
    # Messages are sent during the disturbances: all arrive in the end.
    def stored():
        found, after = [], 0
        while True:
            page = stage.person_api(f"/rooms/{room}/messages?after={after}&limit=200")
            found += page
            if len(page) < 200:
                return found
            after = page[-1]["seq"]

    stage.person_api = lambda path: ada.context.request.get(stage.server.url + "/api/v1" + path, headers={
        "Cookie": "; ".join(f"{one['name']}={one['value']}" for one in ada.context.cookies())}).json()
    until(lambda: len(stored()) >= half, "half of them to be stored in bad weather", 600)
    for one in weather:
        one.end()
    until(lambda: len(stored()) >= 2 * half, "all to be stored", 120)
    took = time.monotonic() - began
    messages = stored()
    texts = [one["text"] for one in messages]
    assert len(texts) == len(set(texts)) == 2 * half
    for name in ("ada", "bob"):
        assert [text for text in texts if text.startswith(name)] == [f"{name} {number}!" for number in range(half)]
    for person in (ada, bob):
        until(lambda: person.connection == "online", "online", 60)
        until(lambda: person.log.locator("[data-state=unsent], [data-state=failed]").count() == 0, "nothing left", 60)
        last = messages[-1]["seq"]
        until(lambda: person.log.locator(f"[data-seq='{last}']").count() == 1, "the last one", 60)
        assert shown(person) == texts
    sums = [sum(getattr(one, name) for one in weather) for name in ("drops", "delays", "cuts", "downs")]
    print(f"\nflaky network: {2 * half} messages in {took:.1f} s; pieces dropped {sums[0]}, delayed {sums[1]}, "
          f"cuts {sums[2]}, outages {sums[3]}: each there once, in order, on both screens and on the server")
    # In a short run the line need not have gone down.
    assert sums[0] and sums[1] and sums[2] + sums[3]
    for line in lines:
        line.close()
