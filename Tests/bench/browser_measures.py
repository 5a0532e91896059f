"""What the budgets of the browser app are measured with. Each measure yields rows: what, bar, measured, whether it is met."""

import statistics
import time

from axe_playwright_python.sync_playwright import Axe

from browser_world import CHATS, MESSAGES, PEOPLE
from conftest import until
from proxy import Proxy
from test_accessibility import FORMS, TAGS, rest
from test_budgets import WATCH, percentile

# Slow 4G as Lighthouse has it: round trips of 150 ms, 1.6 Mbit/s down, 0.75 up.
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}

# Notes the largest paint, layout shifts without a cause by hand, how long events took until painted, and long tasks.
TIMES = """() => {
  window.times = {paint: 0, shift: 0, events: [], tasks: []};
  const watch = (type, each, more) =>
    new PerformanceObserver(list => list.getEntries().forEach(each)).observe({type, buffered: true, ...more});
  watch('largest-contentful-paint', e => { window.times.paint = e.startTime; });
  watch('layout-shift', e => { if (!e.hadRecentInput) window.times.shift += e.value; });
  watch('event', e => { if (e.name.startsWith('key') || e.name === 'input') window.times.events.push(e.duration); },
    {durationThreshold: 16});
  watch('longtask', e => window.times.tasks.push(e.duration));
}"""

# Goes so many pages back. Of each: how far the first row on the screen was moved, at worst, until the page stands; and
# the longest frame. In all: the most rows that were in the document.
PAGES_BACK = """async (pages) => {
  const log = document.querySelector('.log-scroller'), frame = () => new Promise(requestAnimationFrame);
  const rows = () => log.querySelectorAll('[data-seq]'), top = () => log.getBoundingClientRect().top;
  const found = {moved: 0, rows: 0, longest: 0, took: [], reached: 0};
  for (let page = 0; page < pages; page += 1) {
    const earliest = rows()[0].dataset.seq;
    if (earliest === '1') break;
    log.scrollTop = 300;
    const reading = [...rows()].find(row => row.getBoundingClientRect().bottom > top());
    const offset = reading.getBoundingClientRect().top - top();
    const began = performance.now();
    let last = began, still = 0;
    while (still < 4) {
      await frame();
      const now = performance.now();
      found.longest = Math.max(found.longest, now - last);
      last = now;
      found.moved = Math.max(found.moved, Math.abs(reading.getBoundingClientRect().top - top() - offset));
      found.rows = Math.max(found.rows, rows().length);
      if (rows()[0].dataset.seq !== earliest) { if (still === 0) found.took.push(now - began); still += 1; }
      if (now - began > 10000) throw new Error('no earlier page came');
    }
  }
  found.reached = +rows()[0].dataset.seq;
  return found;
}"""

# Follows the first row on the screen, frame by frame, until `window.enough` is set: how far it was moved, at worst.
HELD = """() => { window.held = 0; window.enough = false;
  const log = document.querySelector('.log-scroller'), top = () => log.getBoundingClientRect().top;
  const reading = [...log.querySelectorAll('[data-seq]')].find(row => row.getBoundingClientRect().bottom > top());
  const offset = reading.getBoundingClientRect().top - top();
  const look = () => { window.held = Math.max(window.held, Math.abs(reading.getBoundingClientRect().top - top() - offset));
    if (!window.enough) requestAnimationFrame(look); };
  look(); }"""

# Scrolls a list screen by screen, one a frame: the frames' times in ms.
SCREENS = """async ([selector, screens]) => {
  const body = document.querySelector(selector), frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let n = 0; n < screens; n += 1) {
    body.scrollTop += body.clientHeight;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return frames;
}"""

# From a click until what it leads to is painted, in ms.
CLICKED = """async ([selector, wanted]) => {
  const began = performance.now(), frame = () => new Promise(requestAnimationFrame);
  document.querySelector(selector).click();
  while (!document.querySelector(wanted)) { await frame(); if (performance.now() - began > 10000) throw new Error(wanted); }
  await frame();
  await new Promise(done => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
  return performance.now() - began;
}"""


class Row:
    """One line of the table."""

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
    """What the page's script holds, in MB."""
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


def return_to_paint(world, rounds=100):
    dora, emil = world.clients["Dora"], world.clients["Emil"]
    room = world.room(dora, emil)
    with world.visitor("Dora") as ada, world.visitor("Emil") as bob:
        ada.open(room)
        bob.open(room)
        ada.say("warm up")
        bob.row("warm up").first.wait_for()
        for person in (ada, bob):
            person.page.evaluate(WATCH)
        for n in range(rounds):
            ada.message_box.fill(f"ping {n}.")
            ada.message_box.press("Enter")
            for person in (ada, bob):
                until(lambda: person.page.evaluate(f"window.painted['ping {n}'] || 0"), "the paint")
        pressed = ada.page.evaluate("window.pressed")
        own, other = ada.page.evaluate("window.painted"), bob.page.evaluate("window.painted")
    yield middle_and_tail("Return to own bubble painted", [own[f"ping {n}"] - pressed[n] for n in range(rounds)], 16, 50)
    yield middle_and_tail(
        "sender's Return to receiver's paint", [other[f"ping {n}"] - pressed[n] for n in range(rounds)], 40, 100)


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
    """Types as a hand does; returns how long the slowest key took until it was painted, in ms (8 ms is one step)."""
    person.page.evaluate(TIMES)
    person.page.evaluate("window.times.events.length = 0")
    person.page.keyboard.type(text, delay=pause)
    person.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
    return max(person.page.evaluate("window.times.events"), default=8)


def long_room(world):
    room = world.long
    newest = f"{MESSAGES}: {'short'}"
    with world.visitor("Ada") as ada:
        page, bob = ada.page, world.clients["Bob"]
        ada.page.goto(ada.base + "/chats")
        page.locator(f'a[href="/chats/{room}"]').wait_for()
        interactive(page)
        ada.page.evaluate("() => import(document.querySelector('link[rel=modulepreload]')?.href ?? 'data:text/javascript,')")
        opened = []
        for _ in range(5):
            opened.append(page.evaluate(CLICKED, [f'a[href="/chats/{room}"]', f'.log [data-seq="{MESSAGES}"]']))
            page.goto(ada.base + "/chats")
            page.locator(f'a[href="/chats/{room}"]').wait_for()
        yield at_most(f"{MESSAGES:,} messages: click on the chat to its newest page painted", statistics.median(opened), 200, " ms")
        ada.open(room)
        ada.row(newest).wait_for()
        session = slow_processor(ada)
        ada.message_box.focus()
        slowest = typed(ada, "the quick brown fox jumps over the lazy dog ")
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        yield at_most(f"slowest key in a room of {MESSAGES:,} messages, 4× slower CPU", slowest, 50, " ms")
        ada.message_box.fill("")
        page.evaluate("() => { document.querySelector('.log-scroller').scrollTop -= 1500; }")
        page.get_by_role("button", name="Jump to the newest message").wait_for()
        page.evaluate(HELD)
        for n in range(10):
            assert bob.request("POST", f"/rooms/{room}/messages", {"text": f"while you read {n}"}).status == 201
        page.get_by_role("button", name="10 new").wait_for()
        page.evaluate("window.enough = true")
        held = page.evaluate("window.held")
        page.get_by_role("button", name="10 new").click()
        ada.row("while you read 9").wait_for()
        before = heap(session)
        back = page.evaluate(PAGES_BACK, 30)
        yield at_most("reader moved by 10 arrivals", held, 1, " px")
        yield at_most("reader moved by 30 earlier pages", back["moved"], 1, " px")
        yield at_most("rows in the document while going 30 pages back", back["rows"], 320)
        held = heap(session)
        yield at_most(f"heap after 30 pages back ({before:.1f} MB before)", held, 10, " MB")
        yield at_most("an earlier page: from the scroll to its paint (median of 30)", statistics.median(back["took"]), 100, " ms")
        yield at_most("longest frame while going 30 pages back", back["longest"], 50, " ms")
        half = MESSAGES // 2
        page.goto(f"{ada.base}/chats/{room}?at={half}")
        ada.row(f"{half}: short").wait_for()
        page.goto(f"{ada.base}/chats/{room}")
        ada.row("while you read 9").wait_for()
        # A link to a message, as one finds it in a chat.
        page.evaluate("""address => { const link = document.createElement('a'); link.className = 'link jump'; link.href = address;
          link.textContent = 'there'; document.querySelector('.log').firstElementChild.append(link); }""",
                      f"/chats/{room}?at={half}")
        jumped = page.evaluate(CLICKED, ["a.jump", f'.log [data-seq="{half}"]'])
        yield at_most(f"jump to the middle of {MESSAGES:,} messages, click to paint", jumped, 200, " ms")


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


def many_chats(world):
    carol = world.clients["Carol"]
    with world.visitor("Carol") as person:
        page = person.page
        whole = f'.chat-rows > li[aria-setsize="{CHATS}"]'
        first, all_of_them = [], []
        for _ in range(3):
            page.goto(person.base + "/chats")
            page.locator(".chat-rows > li").first.wait_for()
            page.locator(whole).first.wait_for(timeout=30_000)
            page.evaluate(TIMES)
            first.append(until(lambda: page.evaluate("window.times.paint"), "a paint"))
            all_of_them.append(page.evaluate("performance.now()") / 1000)
        yield at_most(f"{CHATS:,} chats: load to the first rows painted", statistics.median(first), 500, " ms")
        yield at_most(f"{CHATS:,} chats: load to all of them known", statistics.median(all_of_them), 3, " s")
        yield at_most(f"{CHATS:,} chats: rows in the document", page.locator(".chat-rows > li").count(), 320)
        session = protocol(person)
        yield at_most(f"{CHATS:,} chats: heap", heap(session), 20, " MB")
        frames = page.evaluate(SCREENS, [".list-body", 120])
        yield at_most(f"{CHATS:,} chats: longest frame while scrolling 120 screens", max(frames), 50, " ms")
        page.evaluate("document.querySelector('.list-body').scrollTop = 0")
        friend = page.locator(".chat-rows > li a").first.get_attribute("href").rpartition("/")[2]
        session.send("Performance.enable")
        busy = lambda: {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
        page.evaluate(TIMES)
        costs = []
        for n in range(20):
            before = busy()
            assert carol.request("POST", f"/rooms/{friend}/messages", {"text": f"arrived {n}"}).status == 201
            page.locator(".chat-rows > li").filter(has_text=f"arrived {n}").wait_for()
            costs.append((busy() - before) * 1000)
        yield at_most(f"{CHATS:,} chats: an arrival's whole cost (median of 20)", statistics.median(costs), 50, " ms")
        slow_processor(person)
        box = page.get_by_role("searchbox", name="Search")
        box.click()
        slowest = typed(person, "friend 4321")
        yield at_most(f"{CHATS:,} chats: slowest key in the search, 4× slower CPU", slowest, 100, " ms")
        page.get_by_text("Friend 4321").first.wait_for()


def many_people(world):
    with world.visitor("Ada") as ada:
        page = ada.page
        page.goto(ada.base + "/people")
        page.locator("ul[aria-label=People] > li").first.wait_for()
        session = protocol(ada)
        before = heap(session)
        began, page_rows = time.monotonic(), 0
        # As fast as the pages come, to the end.
        more = """total => { const body = document.querySelector('.list-body'); body.scrollTop = body.scrollHeight;
          const row = document.querySelector('ul[aria-label=People] > li');
          return [Number(row?.getAttribute('aria-setsize')) >= total, row?.parentElement.childElementCount ?? 0]; }"""

        def at_end():
            nonlocal page_rows
            done, shown = page.evaluate(more, PEOPLE)
            page_rows = max(page_rows, shown)
            return done

        until(at_end, f"{PEOPLE} people", 240)
        took = time.monotonic() - began
        yield at_most(f"{PEOPLE:,} people: a page of 100, from GitHub to the screen (mean of {PEOPLE // 100})",
                      took * 1000 / (PEOPLE / 100), 100, " ms")
        yield at_most(f"{PEOPLE:,} people: rows in the document", page_rows, 320)
        yield at_most(f"{PEOPLE:,} people: heap grown", heap(session) - before, 10, " MB")
        page.evaluate("document.querySelector('.list-body').scrollTop = 0")
        page.get_by_text("person1", exact=True).wait_for()
        frames = page.evaluate(SCREENS, [".list-body", 120])
        yield at_most(f"{PEOPLE:,} people: longest frame while scrolling 120 screens", max(frames), 50, " ms")
        moment = page.evaluate("""async () => { const began = performance.now();
          document.querySelector('.list-body').scrollTop = 25000 * 60;
          const there = () => [...document.querySelectorAll('ul[aria-label=People] .name')].some(n => n.textContent === 'person25005');
          while (!there()) { await new Promise(requestAnimationFrame); if (performance.now() - began > 10000) throw new Error(); }
          return performance.now() - began; }""")
        yield at_most(f"{PEOPLE:,} people: jump to the middle, to its faces shown", moment, 500, " ms")


def accessibility(world):
    found = []
    for form, options in FORMS:
        with world.visitor("Dora", **options) as dora:
            pages = ["/chats", "/people", "/news", "/settings", f"/chats/{world.room(world.clients['Dora'], world.clients['Emil'])}"]
            for path in pages:
                dora.page.goto(dora.base + path)
                dora.page.locator("h1:visible").first.wait_for()
                rest(dora.page)
                rules = {"runOnly": {"type": "tag", "values": TAGS}}
                found += [(form, path, v["id"]) for v in Axe().run(dora.page, options=rules).response["violations"]]
    yield Row("axe, WCAG 2.2 AA and best practice: light, dark, phone, 320 px, forced colours", "0 violations",
              f"{len(found)}" + "".join(f"; {one}" for one in found[:5]), not found)


def complaints(world):
    told = world.complaints
    yield Row("console errors and policy reports in all of this", "0", f"{len(told)}" + "".join(f"; {t[:80]}" for t in told[:5]),
              not told)
