"""Messages written in Markdown: drawn as elements, code with its tools, and nothing that a text says ever runs."""

import re

import pytest
from playwright.sync_api import expect

from people import clean
from serving import until
from test_accessibility import SIZES, check_all
from test_message_actions import message, post
from test_stumbles import direct

FENCE = "```"
EVERYTHING = f"""# A heading
Words that are *slanted*, **strong**, ~~gone~~ and `code`,
on two lines[^1], with [a link](https://example.org/a "A title"), https://example.org/b and octo/repo#12.

- one
  1. inner
- [x] done
- [ ] not done

> A quote
> > in a quote

> [!WARNING]
> Mind the gap.

| left | right |
| :--- | ----: |
| a    | **b** |
| c    |

![A picture](https://example.org/picture.png)

<b onclick="alert(1)">raw</b>

---

{FENCE}swift
// Adds one.
let answer = "forty" + two(1)
{FENCE}

[^1]: A footnote.
"""


def two_people(stage, **options):
    ada, bob = stage.person("Ada", "Tester", **options).sign_up(), stage.person("Bob").sign_up()
    return ada, bob, direct(ada, bob)


def open_with(ada, bob, room, *texts):
    """Posts texts as Bob and opens the chat; the messages, as locators."""
    seqs = [post(bob, room, text) for text in texts]
    ada.page.goto(f"{ada.base}/chats/{room}")
    found = [message(ada, seq) for seq in seqs]
    found[-1].wait_for()
    return found


@pytest.mark.shows("K5")
def test_a_message_is_drawn_as_its_markdown_says(stage):
    ada, bob, room = two_people(stage)
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url))
    (row,) = open_with(ada, bob, room, EVERYTHING)
    body = row.locator(".body > .rich")
    expect(body.get_by_role("heading", level=3)).to_have_text("A heading", use_inner_text=True)
    texts = {name: body.locator(name).first.inner_text() for name in ("em", "strong", "del", "p > code", "sup")}
    assert texts == {"em": "slanted", "strong": "strong", "del": "gone", "p > code": "code", "sup": "1"}
    link = body.get_by_role("link", name="a link")
    attributes = [link.get_attribute(name) for name in ("href", "title", "target", "rel")]
    assert attributes == ["https://example.org/a", "A title", "_blank", "noopener noreferrer"]
    expect(body.get_by_role("link", name="https://example.org/b")).to_have_count(1)
    reference = body.get_by_role("link", name="octo/repo#12")
    expect(reference).to_have_attribute("href", "https://github.com/octo/repo/issues/12")
    expect(body.locator("ul > li")).to_have_count(3)
    expect(body.locator("ul ol > li")).to_have_text("inner", use_inner_text=True)
    boxes = body.get_by_role("checkbox")
    assert [boxes.nth(index).is_checked() for index in range(2)] == [True, False]
    expect(boxes.first).to_be_disabled()
    expect(body.locator("blockquote blockquote")).to_have_text("in a quote", use_inner_text=True)
    assert body.get_by_role("note").inner_text().split() == ["Warning", "Mind", "the", "gap."]
    assert body.get_by_role("columnheader").all_inner_texts() == ["left", "right"]
    assert body.locator("td").all_inner_texts() == ["a", "b", "c", ""]
    picture = body.get_by_role("link", name="A picture")
    expect(picture).to_have_attribute("href", "https://example.org/picture.png")
    assert body.locator("img").count() == 0
    expect(body).to_contain_text('<b onclick="alert(1)">raw</b>', use_inner_text=True)
    assert body.locator("b").count() == 0
    expect(body.get_by_role("separator")).to_have_count(1)
    expect(body.locator(".footnotes li")).to_have_text("A footnote.", use_inner_text=True)
    assert not [url for url in asked if "example.org" in url or "github.com" in url], "nothing is fetched from elsewhere"
    clean(ada)


@pytest.mark.shows("K5")
def test_code_is_copied_wrapped_unfolded_and_coloured(stage):
    ada, bob, room = two_people(stage, permissions=["clipboard-read", "clipboard-write"])
    lines = [f"let line{number} = {number}" for number in range(1, 143)]
    long = f"{FENCE}swift\n" + "\n".join(lines) + f"\n{FENCE}"
    wide = f"{FENCE}\n{'wide ' * 200}\n{FENCE}"
    folded, wider = open_with(ada, bob, room, long, wide)
    page = ada.page
    folded.scroll_into_view_if_needed()
    expect(folded.locator(".language")).to_have_text("Swift", use_inner_text=True)
    assert folded.locator("pre").inner_text().split() == " ".join(lines[:30]).split()
    coloured = "kind => CSS.highlights.has(kind) ? [...CSS.highlights.get(kind)].map(String) : []"
    until(lambda: "let" in page.evaluate(coloured, "code-keyword"), "the colours")
    folded.get_by_role("button", name="Copy").click()
    until(lambda: page.evaluate("navigator.clipboard.readText()") == "\n".join(lines), "the whole code")
    folded.get_by_role("button", name="Show 112 more").click()
    assert folded.locator("pre").inner_text().split("\n") == lines
    scrolls = "node => node.scrollWidth > node.clientWidth"
    wider.scroll_into_view_if_needed()
    assert wider.locator("pre").evaluate(scrolls)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "the page keeps still"
    wrap = wider.get_by_role("button", name="Wrap")
    wrap.click()
    expect(wrap).to_have_attribute("aria-pressed", "true")
    assert not wider.locator("pre").evaluate(scrolls)
    # In forced colours each coloured word would look selected.
    page.emulate_media(forced_colors="active")
    page.reload()
    folded.scroll_into_view_if_needed()
    loaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('codeColours.js'))"
    until(lambda: page.evaluate(loaded), "what colours code")
    page.evaluate("new Promise(done => requestIdleCallback(done))")
    assert page.evaluate("CSS.highlights.size") == 0
    clean(ada)


@pytest.mark.shows("K5")
def test_names_that_need_a_table_are_drawn_when_it_is_there(stage):
    ada, bob, room = two_people(stage)
    first, second = open_with(ada, bob, room, "all done :tada: :no_such:", "&NotSquareSubset; here")
    until(lambda: "all done 🎉 :no_such:" in first.inner_text(), "the emoji")
    until(lambda: "⊏̸ here" in second.inner_text(), "the entity")


@pytest.mark.shows("K5")
def test_a_mention_stays_one_beside_markdown(stage):
    ada, bob, room = two_people(stage)
    rows = open_with(ada, bob, room, "**ask @AdaTester**, `@AdaTester`", "# @AdaTester\nfirst", "[a]: /b")
    assert rows[0].locator(".mention.me").all_inner_texts() == ["@AdaTester"]
    expect(rows[1].locator("h3 .mention.me")).to_have_count(1)
    expect(rows[2].locator(".body > span").first, "a text of definitions only shows itself").to_have_text("[a]: /b", use_inner_text=True)


@pytest.mark.shows("K5", "control 10")
def test_texts_deeper_than_a_page_can_be_are_drawn(stage):
    ada, bob, room = two_people(stage)
    deep = ["> " * 2000 + "down", "- " * 2000 + "down", "*a **a " * 500 + "down" + " a** a*" * 500, "[" * 4000 + "down",
            "|a" * 300 + "\n" + "|-" * 300 + "\n" + "down\n" * 300, "".join(f"[^{n}]: [^{n + 1}]\n" for n in range(300)) + "[^0] down"]
    rows = open_with(ada, bob, room, *deep)
    for row in rows:
        expect(row).to_contain_text("down", use_inner_text=True)
    clean(ada)


VECTORS = [
    "[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](javascript&colon;alert(1))", "[a](java&Tab;script:alert(1))",
    "[a](&#106;avascript:alert(1))", "[a](&#1;javascript:alert(1))", "[a](\u202ejavascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)", "[a](vbscript:msgbox(1))", "![a](javascript:alert(1))",
    "<javascript:alert(1)>", "[a]\n\n[a]: javascript:alert(1)", "[a](<javascript:alert(1)>)", "[a](file:///etc/passwd)",
    "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<script>alert(1)</script>", "<iframe srcdoc='<script>'>",
    '<a href="javascript:alert(1)">a</a>', "<details open ontoggle=alert(1)>", "<math><mtext></p><img src=x onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>", '[a](https://example.org" onmouseover="alert(1))',
    '![" onerror="alert(1)](https://example.org/x)', "`<img src=x onerror=alert(1)>`", '```"><img src=x onerror=alert(1)>\na\n```',
    "|<img src=x onerror=alert(1)>|\n|-|", "[^<img src=x onerror=alert(1)>]\n\n[^<img src=x onerror=alert(1)>]: a",
    "http://example.org/<script>alert(1)</script>", "[a](https://example.org 'x\" onclick=\"alert(1)')", "@<b>AdaTester",
    ":<b>tada</b>:", "&lt;img src=x onerror=alert(1)&gt;", "&#60;script&#62;alert(1)&#60;/script&#62;",
]


@pytest.mark.shows("K5", "control 10")
def test_nothing_that_a_text_says_ever_runs(stage):
    ada, bob, room = two_people(stage)
    ada.page.add_init_script("window.ran = []; window.alert = text => window.ran.push(text);")
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url))
    rows = open_with(ada, bob, room, *VECTORS)
    allowed = ("https://example.org", "http://example.org", f"{ada.base}/")
    for vector, row in zip(VECTORS, rows):
        found = row.evaluate("""row => {
          const body = row.querySelector('.body');
          const nodes = [...body.querySelectorAll('*')];
          return {
            links: nodes.filter(node => node.matches('a')).map(node => node.href),
            handlers: nodes.flatMap(node => [...node.attributes]).filter(({name}) => name.startsWith('on')).length,
            foreign: nodes.filter(node => node.matches('img, script, iframe, svg:not(.state), details, math, noscript')).length,
          };
        }""")
        assert all(link.startswith(allowed) for link in found["links"]), (vector, found)
        assert found["handlers"] == 0 and found["foreign"] == 0, (vector, found)
        for link in row.locator(".body a").all():
            link.hover()
    assert ada.page.evaluate("window.ran") == []
    assert not [url for url in asked if "example.org" in url]
    clean(ada)


@pytest.mark.parametrize("size, options", SIZES)
@pytest.mark.shows("K5", "H4")
def test_a_rendered_message_has_no_violation(stage, size, options):
    ada, bob, room = two_people(stage, **options)
    (row,) = open_with(ada, bob, room, EVERYTHING)
    own = post(ada, room, EVERYTHING)
    message(ada, own).wait_for()
    check_all(ada.page, size, "a message of everything")
    width = ada.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], width
