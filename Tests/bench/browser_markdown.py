"""Measures of the browser app in a room full of Markdown: long code, tables, lists, quotes, references."""

import statistics

from browser_measures import at_most, interactive, middle_and_tail, return_to_paint
from browser_scripts import CLICKED, SCROLL, TIMES
from serving import until
from stage import rest

COUNT = 100
CODE = {
    "swift": "  /// Adds {n} to a value.\n  func add{n}(_ value: Int) -> Int {{ value + {n} }}  // \"{n}\"",
    "python": "def add_{n}(value: int = {n}) -> int:\n    return value + {n}  # '{n}'",
    "json": '  "key {n}": [{n}, true, null, "value {n}"],\n  "other {n}": {{"a": {n}e3}},',
}
PARTS = (
    "**Status {n}:** the build of `main` is _green_ again, see #{n} and octo/mill#{n}.\n\n- [x] tests\n- [ ] notes for @octocat\n  - and a"
    " [link](https://example.com/{n})",
    "> What about ~~the~~ `cache_{n}`?\n\nIt went with 1234567{n}. :tada:\n\n1. first\n2. second\n\n> [!NOTE]\n> Restart it.",
    "| name | {n} | time |\n| :-- | --: | :-: |\n" + "\n".join(f"| `case {row}` | {row} | **{row * 3} ms** |" for row in range(8)),
)
# Goes back to the first message, page by page.
BACK = """() => { const log = document.querySelector('.log-scroller'); log.scrollTop = 0;
  return log.querySelector('[data-seq]').dataset.seq; }"""


def text(number):
    """One of four kinds of message, in turn; every fourth has a block of code."""
    if number % 4:
        return PARTS[number % 4 - 1].format(n=number)
    return f"This fails in line {number}:\n{block(list(CODE)[number // 4 % len(CODE)])}"


def block(language):
    """A block of 60 lines of code."""
    lines = "\n".join(CODE[language].format(n=line) for line in range(30))
    return f"\n```{language}\n{lines}\n```\n"


def markdown_room(world):
    dora, emil = world.clients["Dora"], world.clients["Emil"]
    room = world.room(dora, emil)
    for number in range(1, COUNT + 1):
        last = dora.request("POST", f"/rooms/{room}/messages", {"text": text(number)})
        assert last.status == 201, last
    # Who has read everything comes to the end.
    assert emil.request("PUT", f"/rooms/{room}/receipt", {"read_seq": last.data["seq"]}).status in (200, 204)
    newest = f'.log [data-seq="{last.data["seq"]}"]'
    with world.visitor("Emil") as bob:
        page, opened, shifts = bob.page, [], []
        for _ in range(7):
            page.goto(bob.base + "/chats")
            page.locator(f'a[href="/chats/{room}"]').wait_for()
            interactive(page)
            page.evaluate(TIMES)
            opened.append(page.evaluate(CLICKED, [f'a[href="/chats/{room}"]', newest]))
            # The colours come after the paint.
            until(lambda: page.evaluate("CSS.highlights.size"), "the colours")
            rest(page)
            shifts.append(page.evaluate("window.times.shift"))
        yield at_most(f"{COUNT} messages of Markdown: click on the chat to its newest page painted",
                      statistics.median(opened), 200, " ms")
        yield at_most(f"{COUNT} messages of Markdown: layout shift until all is coloured", max(shifts), 0)
        until(lambda: page.evaluate(BACK) == "1", "the first message")
        frames = page.evaluate(SCROLL, [".log-scroller", 40, 180])
        yield middle_and_tail(f"{COUNT} messages of Markdown: frames while scrolling 7,200 px", frames, 17, 34)
    yield from return_to_paint(world, 30, block("swift"), " (60 lines of code)")
