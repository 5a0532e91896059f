"""The measures for the budgets of the browser app. Each yields rows: name, bar, measured value, whether it is met."""

import statistics
import time

from axe import violations
from browser_scripts import TIMES
from proxy import Proxy
from serving import until
from stage import rest
from test_accessibility import FORMS
from test_budgets import WATCH, percentile

# Slow 4G as defined by Lighthouse: round trips of 150 ms, 1.6 Mbit/s down, 0.75 up.
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}

class Row:
    """A row of the table."""

    def __init__(self, what, bar, measured, met):
        self.what, self.bar, self.measured, self.met = what, bar, measured, met

    def __str__(self):
        met = "–" if self.met is None else "yes" if self.met else "**no**"
        return f"| {self.what} | {self.bar} | {self.measured} | {met} |"


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}"


def at_most(what, value, bar, unit=""):
    return Row(what, f"≤ {number(bar).removesuffix('.0')}{unit}", f"{number(value)}{unit}", value <= bar)


def middle_and_tail(what, values, median, p95):
    """A row for times in ms."""
    found = statistics.median(values), percentile(values, 0.95)
    return Row(what, f"median ≤ {median} ms, p95 ≤ {p95} ms", f"{found[0]:.1f} ms, {found[1]:.1f} ms",
               found[0] <= median and found[1] <= p95)


def protocol(person):
    return person.context.new_cdp_session(person.page)


def slow_processor(person, rate=4):
    session = protocol(person)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    return session


def heap(session):
    """The page's script heap in MB."""
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6


def interactive(page):
    question = "performance.getEntriesByName('interactive')[0]?.startTime ?? 0"
    return until(lambda: page.evaluate(question), "interactive")


def first_load(world):
    with world.visitor("Ada") as ada:
        session, heads, loaded = protocol(ada), {}, {}
        session.on("Network.responseReceived", lambda e: heads.update({e["requestId"]: e["response"]}))
        session.on("Network.loadingFinished", lambda e: loaded.update({e["requestId"]: e["encodedDataLength"]}))
        session.send("Network.enable")
        ada.page.goto(ada.base + "/chats")
        interactive(ada.page)
        # The event stream does not end.
        until(lambda: ada.page.evaluate("0") or all(
            key in loaded or r["mimeType"] == "text/event-stream" for key, r in heads.items()), "all loads")
        size = sum(loaded[key] - heads[key]["encodedDataLength"] for key in loaded if key in heads)
        yield at_most("first load, everything, compressed", size / 1024, 60, " KiB")
        yield at_most("first load, requests", len(heads), 30)
    paints, ready = [], []
    for _ in range(5):
        with world.visitor("Ada") as ada:
            session = slow_processor(ada)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", SLOW_4G)
            ada.page.goto(ada.base + "/chats")
            ready.append(interactive(ada.page) / 1000)
            ada.page.evaluate(TIMES)
            paints.append(until(lambda: ada.page.evaluate("window.times.paint"), "the largest paint") / 1000)
    yield at_most("largest paint, slow 4G and 4× slower CPU (median of 5)", statistics.median(paints), 1.5, " s")
    yield at_most("interactive, slow 4G and 4× slower CPU (median of 5)", statistics.median(ready), 1.5, " s")


def return_to_paint(world, rounds=100, more="", named=""):
    """`more` follows each message's first line, and `named` says so in the table."""
    dora, emil = world.clients["Dora"], world.clients["Emil"]
    room = world.room(dora, emil)
    with world.visitor("Dora") as ada, world.visitor("Emil") as bob:
        ada.open(room)
        bob.open(room)
        ada.say("warm up" + more)
        bob.row("warm up").first.wait_for()
        for person in (ada, bob):
            person.page.evaluate(WATCH)
        for n in range(rounds):
            ada.message_box.fill(f"ping {n}." + more)
            ada.message_box.press("Enter")
            for person in (ada, bob):
                until(lambda: person.page.evaluate(f"window.painted['ping {n}'] || 0"), "the paint")
        pressed = ada.page.evaluate("window.pressed")
        own, other = ada.page.evaluate("window.painted"), bob.page.evaluate("window.painted")
    yield middle_and_tail(f"Return to own bubble painted{named}", [own[f"ping {n}"] - pressed[n] for n in range(rounds)], 16, 50)
    yield middle_and_tail(f"sender's Return to receiver's paint{named}",
                          [other[f"ping {n}"] - pressed[n] for n in range(rounds)], 40, 100)


def layout_shift(world):
    dora, emil = world.clients["Dora"], world.clients["Emil"]
    room = world.room(dora, emil)
    with world.visitor("Emil") as bob:
        bob.open(room)
        bob.page.evaluate(TIMES)
        for n in range(50):
            text = f"arrival {n}." + " and more of it" * (n % 7 * 4)
            assert dora.request("POST", f"/rooms/{room}/messages", {"text": text}).status == 201
            bob.row(f"arrival {n}.").wait_for()
        yield at_most("layout shift, load and 50 arrivals", bob.page.evaluate("window.times.shift"), 0)


def typed(person, text, pause=60):
    """Types like a person; returns the longest time from a key press until it was painted, in ms (with a resolution of
    8 ms)."""
    person.page.evaluate(TIMES)
    person.page.evaluate("window.times.events.length = 0")
    person.page.keyboard.type(text, delay=pause)
    person.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
    return max(person.page.evaluate("window.times.events"), default=8)


def catch_up(world):
    dora, emil = world.clients["Dora"], world.clients["Emil"]
    room = world.room(dora, emil)
    proxy, times = Proxy(world.server.port), []
    world.expected = ("ERR_", "Failed to load resource")
    with world.visitor("Emil", base=proxy.url) as bob:
        bob.open(room)
        until(lambda: bob.connection == "online", "the stream")
        for n in range(5):
            proxy.cut()
            began = time.monotonic()
            assert dora.request("POST", f"/rooms/{room}/messages", {"text": f"after the cut {n}"}).status == 201
            bob.row(f"after the cut {n}").wait_for()
            times.append(time.monotonic() - began)
            until(lambda: bob.connection == "online", "the stream")
    world.expected = ()
    proxy.close()
    yield at_most("catch-up after the stream dropped (worst of 5)", max(times), 1, " s")


def accessibility(world):
    found = []
    for form, options in FORMS:
        with world.visitor("Dora", **options) as dora:
            pages = ["/chats", "/people", "/news", "/settings", f"/chats/{world.room(world.clients['Dora'], world.clients['Emil'])}"]
            for path in pages:
                dora.page.goto(dora.base + path)
                dora.page.locator("h1:visible").first.wait_for()
                rest(dora.page)
                found += [(form, path, one["id"]) for one in violations(dora.page)]
    yield Row("axe, WCAG 2.2 AA and best practice: light, dark, phone, 320 px, forced colours", "0 violations",
              f"{len(found)}" + "".join(f"; {one}" for one in found[:5]), not found)


def complaints(world):
    told = world.complaints
    yield Row("console errors and policy reports in all of this", "0", f"{len(told)}" + "".join(f"; {t[:80]}" for t in told[:5]),
              not told)
