"""Measures of the browser app with a lot of data: a room of 100,000 messages, 5,000 chats, 50,000 people."""

import statistics
import time

from browser_measures import at_most, heap, interactive, middle_and_tail, protocol, slow_processor, typed
from browser_scripts import CLICKED, HELD, PAGES_BACK, SCROLL, TIMES
from browser_world import CHATS, MESSAGES, PEOPLE
from serving import until


def long_room(world):
    room = world.long
    newest = f"{MESSAGES}: short"
    with world.visitor("Ada") as ada:
        page, bob = ada.page, world.clients["Bob"]
        ada.page.goto(ada.base + "/chats")
        page.locator(f'a[href="/chats/{room}"]').wait_for()
        interactive(page)
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
        slowest = statistics.median(typed(ada, "the quick brown fox jumps ") for _ in range(3))
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        yield at_most(f"slowest of 26 keys in a room of {MESSAGES:,} messages, 4× slower CPU (median of 3)", slowest, 50, " ms")
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
        yield at_most(f"heap after 30 pages back ({before:.1f} MB before)", heap(session), 10, " MB")
        yield at_most("an earlier page: from the scroll to its paint (median of 30)", statistics.median(back["took"]), 100, " ms")
        yield at_most("an earlier page: its longest frame (median of 30)", statistics.median(back["longest"]), 50, " ms")
        half = MESSAGES // 2
        page.goto(f"{ada.base}/chats/{room}?at={half}")
        ada.row(f"{half}: short").wait_for()
        page.goto(f"{ada.base}/chats/{room}")
        ada.row("while you read 9").wait_for()
        # A link to a message, as in a chat.
        page.evaluate("""address => { const link = document.createElement('a'); link.className = 'link jump'; link.href = address;
          link.textContent = 'there'; document.querySelector('.log').firstElementChild.append(link); }""",
                      f"/chats/{room}?at={half}")
        jumped = page.evaluate(CLICKED, ["a.jump", f'.log [data-seq="{half}"]'])
        yield at_most(f"jump to the middle of {MESSAGES:,} messages, click to paint", jumped, 200, " ms")


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
        frames = page.evaluate(SCROLL, [".list-body", 0, 120])
        yield middle_and_tail(f"{CHATS:,} chats: frames while scrolling 120 screens", frames, 17, 34)
        page.evaluate("document.querySelector('.list-body').scrollTop = 0")
        friend = page.locator(".chat-rows > li a").first.get_attribute("href").rpartition("/")[2]
        # CPU time only, so that other load on the machine does not count.
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        busy = lambda: {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
        page.evaluate(TIMES)
        costs = []
        for n in range(20):
            before = busy()
            assert carol.request("POST", f"/rooms/{friend}/messages", {"text": f"arrived {n}"}).status == 201
            page.locator(".chat-rows > li").filter(has_text=f"arrived {n}").wait_for()
            costs.append((busy() - before) * 1000)
        yield at_most(f"{CHATS:,} chats: an arrival's whole cost on the page's thread (median of 20)", statistics.median(costs), 50, " ms")
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
        # As fast as the pages arrive, to the end.
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
        frames = page.evaluate(SCROLL, [".list-body", 0, 120])
        yield middle_and_tail(f"{PEOPLE:,} people: frames while scrolling 120 screens", frames, 17, 34)
        moment = page.evaluate("""async () => { const began = performance.now();
          document.querySelector('.list-body').scrollTop = 25000 * 60;
          const there = () => [...document.querySelectorAll('ul[aria-label=People] .name')].some(n => n.textContent === 'person25005');
          while (!there()) { await new Promise(requestAnimationFrame); if (performance.now() - began > 10000) throw new Error(); }
          return performance.now() - began; }""")
        yield at_most(f"{PEOPLE:,} people: jump to the middle, to its faces shown", moment, 500, " ms")
