"""Small things that made people stumble in a trial, each shown once."""

import base64
import re

import pytest
from playwright.sync_api import expect

from api_client import PASSWORD, Client
from browser_storage import kept_texts
from group_page import info, make_link
from people import clean, group_of, people, picture
from serving import until
from test_keyboard import Keys

# Records whether a note was ever visible since the page was loaded.
TELLS_NOTE = """(() => { globalThis.noted = []; const look = () => { for (const node of document.querySelectorAll('.waiting'))
  if (node.checkVisibility?.() && node.textContent.includes('not on this Hubbub yet')) noted.push(node.textContent);
  requestAnimationFrame(look); }; look(); })()"""


@pytest.mark.shows("D6")
def test_after_a_reload_a_peer_who_answers_is_still_here(stage):
    ada = stage.person("Ada").sign_up()
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"})
    assert status == 201
    page = ada.page
    page.add_init_script(TELLS_NOTE)
    ada.open(room["id"])
    ada.say("are you here?")
    ada.log.locator('[data-state="received"]').first.wait_for()
    subtitle = page.locator(".conversation .subtitle")
    for reload in (page.reload, lambda: page.goto(ada.base + f"/chats/{room['id']}")):
        reload()
        ada.row("are you here?").first.wait_for()
        until(lambda: subtitle.inner_text() == "online", "the peer to be here")
        assert page.evaluate("noted") == []
    page.get_by_role("link", name="Chats").first.click()
    page.get_by_role("list", name="Chats").locator(".dot:visible").wait_for()
    clean(ada)


@pytest.mark.shows("R1", "A3")
def test_the_uses_of_an_invitation_follow_without_a_reload(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada)
    page = info(ada, room)
    used = lambda: "".join(page.locator(".open-links .preview").all_inner_texts()).split(" · ")[0]
    link = make_link(page)
    until(lambda: used() == "used 0 times", "no use")
    assert bob.api("POST", "/invitations/" + link.rsplit("/", 1)[1])[0] == 200
    until(lambda: used() == "used 1 time", "the first use")
    # An invitation to the whole Hubbub, which somebody signs up with.
    page.goto(f"{ada.base}/settings/sessions")
    link = make_link(page, "Invite people to this Hubbub")
    until(lambda: used() == "used 0 times", "no use")
    for count in ("used 1 time", "used 2 times"):
        Client(stage.server, account=False).request("POST", "/accounts", {
            "email": f"{count.replace(' ', '-')}@example.com", "password": PASSWORD, "first_name": "New",
            "invitation": link.rsplit("/", 1)[1]})
        until(lambda: used() == count, count)
    clean(ada)


def colours(person, shot):
    """The colours of a screenshot as lists of red, green and blue, read by a page without a policy."""
    page = person.context.new_page()
    found = page.evaluate("""async png => {
      const image = new Image(); image.src = 'data:image/png;base64,' + png; await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height); const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      return Array.from({ length: data.length / 4 }, (_, i) => [data[4 * i], data[4 * i + 1], data[4 * i + 2]]);
    }""", base64.b64encode(shot).decode())
    page.close()
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scale", [1, 1.5, 2])
@pytest.mark.shows("A4")
def test_a_loaded_picture_has_no_coloured_fringe(stage, scheme, scale):
    ada = stage.person("Ada", color_scheme=scheme, device_scale_factor=scale).sign_up()
    grey = picture(64, 64, (128, 128, 128), (128, 128, 128))
    # Somebody without a stream, whose picture has no green dot.
    bob = Client(stage.server, "Bob")
    assert bob.request("PUT", "/me/avatar", raw=grey, fields={"Content-Type": "image/png"}).status == 200
    status, _ = ada.api("POST", "/rooms", {"kind": "direct", "user_id": bob.id})
    assert status == 201
    ada.page.goto(ada.base + "/chats")
    face = ada.page.get_by_role("list", name="Chats").locator(".avatar")
    face.locator("img[data-loaded]").wait_for()
    seen = colours(ada, face.screenshot())
    assert [128, 128, 128] in seen, "the picture"
    worst = max(max(colour) - min(colour) for colour in seen)
    assert worst <= 12, f"a picture of greys has a colour of {worst}"


@pytest.mark.parametrize("size", [(1280, 800), (1279, 719), (360, 740), (640, 361)])
def test_no_page_can_be_scrolled_by_a_pixel(stage, size):
    ada, bob = people(stage, "Ada", "Bob", viewport={"width": size[0], "height": size[1]})
    room = ada.chat_with(bob)
    group = group_of(ada, bob)
    page = ada.page
    for path in ("/chats", f"/chats/{room}", f"/chats/{group}/info", "/people", "/people/mojombo", "/news",
                 "/settings", "/rooms", "/rooms/new", "/search?q=a"):
        page.goto(ada.base + path)
        page.locator("h1:visible").first.wait_for()
        page.wait_for_load_state("networkidle")
        moved = page.evaluate("""() => {
          const nodes = [document.documentElement, document.body];
          for (const node of nodes) { node.scrollTop = 50; node.scrollLeft = 50; }
          scrollBy(50, 50);
          return [scrollX, scrollY, ...nodes.flatMap(node => [node.scrollTop, node.scrollLeft])].filter(Boolean);
        }""")
        assert moved == [], (path, moved)


@pytest.mark.shows("H4")
def test_the_help_promises_only_what_works(stage):
    ada, bob = people(stage, "Ada", "Bob")
    direct, group = ada.chat_with(bob), group_of(ada, bob)
    for text in ("see https://example.com", "two"):
        assert bob.api("POST", f"/rooms/{direct}/messages", {"text": text})[0] == 201
    assert bob.api("POST", f"/rooms/{group}/messages", {"text": "in the group"})[0] == 201
    keys, page = Keys(ada), ada.page
    page.goto(ada.base + "/people")
    page.get_by_role("list", name="People").get_by_text("Bob Tester").wait_for()
    keys.until_focused("^h1|^$|body")
    keys.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    dialog.wait_for()
    lines = dialog.locator("tbody tr:has(td)").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim().replaceAll(/\\s+/g, ' ')))")
    promised = {(does, way) for way_of, does in lines for way in re.split(" or ", way_of)}
    keys.press("Escape")
    dialog.wait_for(state="detached")
    kept = set()

    def shows(does, *ways):
        """What these keys are promised to do has been seen."""
        kept.update((does, way) for way in ways)

    def closes(locator):
        locator.wait_for()
        keys.press("Escape")
        locator.wait_for(state="detached")

    menu, box = page.get_by_role("menu"), ada.message_box
    # Everywhere
    for key, way in (("?", "?"), ("Control+/", "Ctrl + /")):
        keys.press(key)
        closes(dialog)
        shows("Show these shortcuts", way)
    for letter, does, place in (
            ("c", "Go to the chats", "chats"), ("n", "Go to the news", "news"), ("p", "Go to people", "people"),
            ("s", "Go to the settings", "settings")):
        keys.press("g", letter)
        page.wait_for_url(f"**/{place}")
        shows(does, f"g then {letter}")
    for key, way in (("/", "/"), ("Control+k", "Ctrl + K")):
        keys.press("g", "c")
        page.wait_for_url("**/chats")
        keys.until_focused("^h1")
        keys.press(key)
        keys.until_focused("Search")
        keys.type("tester")
        page.get_by_role("region", name="Results").get_by_role("button").first.wait_for()
        keys.press("Escape")
        page.wait_for_url("**/chats")
        keys.until_focused("^h1")
        shows("Search people, chats and messages", way)
    keys.press("g", "n")
    keys.until_focused("^h1 News")
    keys.press("n")
    page.wait_for_url("**/people")
    keys.press("g", "c")
    page.wait_for_url("**/chats")
    keys.until_focused("^h1")
    keys.press("n")
    closes(menu)
    shows("New chat or group", "n")
    # In lists
    focused_row = lambda: page.evaluate(
        "[...document.querySelectorAll('.chat-rows a')].indexOf(document.activeElement)")
    page.get_by_role("list", name="Chats").get_by_role("link").first.focus()
    for key, way, index in (("ArrowDown", "↓", 1), ("ArrowUp", "↑", 0), ("End", "End", 1), ("Home", "Home", 0)):
        keys.press(key)
        until(lambda: focused_row() == index, way)
        shows("Up and down, to the first or last", way)
    keys.press("Shift+F10")
    closes(menu)
    shows("Menu of what is chosen", "Shift + F10")
    until(lambda: focused_row() == 0, "the row to have the focus again")
    keys.press("Enter")
    page.wait_for_url(f"**/chats/{group}")
    shows("Open", "Return")
    box.wait_for()
    for key, way, room in (("Alt+ArrowDown", "Alt + ↓", direct), ("Alt+ArrowUp", "Alt + ↑", group)):
        keys.press(key)
        page.wait_for_url(f"**/chats/{room}")
        shows("Next or previous chat", way)
    ada.open(direct)
    ada.row("two").wait_for()
    until(lambda: page.evaluate("document.activeElement.matches('.composer textarea')"), "the field to have the focus")
    # In the messages
    keys.press("Shift+Tab")
    keys.until_focused("two")
    keys.press("ArrowUp")
    keys.until_focused("see https")
    keys.press("ArrowDown")
    keys.until_focused("two")
    keys.press("Home")
    keys.until_focused("see https")
    keys.press("End")
    keys.until_focused("two")
    shows("From the field to the messages, and through them", "Shift + Tab", "↑", "↓", "Home", "End")
    keys.press("ArrowUp")
    keys.until_focused("^article see|^div see|see https")
    inside = lambda: page.evaluate("document.activeElement.matches('.message a, .message button')")
    keys.press("ArrowRight")
    until(inside, "a link or button inside")
    shows("To links and buttons in a message", "→")
    first = keys.focused
    keys.press("ArrowRight")
    until(lambda: keys.focused != first, "the next one")
    keys.press("ArrowLeft")
    until(lambda: keys.focused == first, "the one before")
    shows("To links and buttons in a message", "←")
    keys.press("Escape")
    keys.until_focused("see https")
    keys.press("Escape")
    keys.until_focused("Message")
    shows("Back to the field", "Escape")
    keys.to_message("two")
    for key, way in (("Enter", "Return"), ("Shift+F10", "Shift + F10")):
        keys.press(key)
        closes(menu)
        keys.until_focused("two")
        shows("Menu of the message: reply, react, edit, delete …", way)
    keys.press("Enter")
    menu.wait_for()
    keys.choose("Select")
    checked = lambda: page.locator(".message .check:checked").count()
    until(lambda: checked() == 1, "one to be selected")
    ada.row("see https").focus()
    keys.press("Space")
    until(lambda: checked() == 2, "two to be selected")
    shows("Select, while several are selected", "Space")
    keys.press("Escape")
    until(lambda: page.locator("[data-selecting]").count() == 0, "the end of selecting")
    # While writing
    box.focus()
    keys.type("one line")
    keys.press("Shift+Enter")
    keys.type("another")
    expect(box).to_have_value("one line\nanother")
    box.fill("- one line")
    keys.press("Shift+Enter")
    keys.type("another")
    # The tools of writing load at the first text; keys wait for them.
    until(lambda: box.input_value() == "- one line\n- another", "the list to go on")
    shows("New line, which goes on with a list or quote", "Shift + Return")
    keys.press("Tab")
    expect(box).to_have_value("- one line\n  - another")
    shows("Further in or out, in a list or a block of code", "Tab")
    keys.press("Shift+Tab")
    expect(box).to_have_value("- one line\n- another")
    shows("Further in or out, in a list or a block of code", "Shift + Tab")
    keys.press("Escape")
    keys.press("Tab")
    keys.until_focused("Preview")
    shows("From a list or a block of code to the next button", "Escape then Tab")
    box.focus()
    for letter, does, marked in (
            ("B", "Bold", "**word**"), ("I", "Italic", "_word_"), ("E", "Code; several lines become a block", "`word`"),
            ("K", "Link, around selected text", "[word](url)")):
        box.fill("word")
        keys.press("Control+a")
        keys.press(f"Control+{letter.lower()}")
        expect(box).to_have_value(marked)
        shows(does, f"Ctrl + {letter}")
    for state in "visible", "detached":
        keys.press("Control+Shift+P")
        page.get_by_role("region", name="Preview").wait_for(state=state)
    shows("Preview", "Ctrl + Shift + P")
    box.fill("```\nopen")
    keys.press("Control+Enter")
    ada.row("open").wait_for()
    expect(box).to_have_value("")
    shows("Send, also from a block of code, where Return breaks the line", "Ctrl + Return")
    keys.type("another")
    keys.press("Enter")
    ada.row("another").wait_for()
    expect(box).to_have_value("")
    shows("Send", "Return")
    until(lambda: ada.state("another") in ("sent", "delivered", "read"), "it to be stored")
    keys.press("ArrowUp")
    page.get_by_role("button", name="Cancel editing").wait_for()
    shows("Edit the last message, in an empty field", "↑")
    keys.press("Escape")
    page.get_by_role("button", name="Cancel editing").wait_for(state="detached")
    shows("End a reply or an edit", "Escape")
    keys.press("Escape")
    keys.until_focused("Bob Tester")
    shows("Back: close what is open, or go to the list", "Escape")
    box.focus()
    for typed, way, key, accepted in (("@bob", "@", "Enter", "Return"), (":rocket", ":", "Tab", "Tab")):
        keys.type(typed)
        page.get_by_role("option").first.wait_for()
        keys.press(key)
        page.get_by_role("option").first.wait_for(state="detached")
        assert box.input_value() in ("@BobTester ", "🚀", "🚀 ")
        shows("People, emoji", way)
        shows("Take the suggestion", accepted)
        box.fill("")
    assert promised == kept, promised ^ kept
    clean(ada, bob)


@pytest.mark.parametrize("count", [1, 9, 20])
@pytest.mark.shows("C7", "O1")
def test_pinned_messages_come_back_with_the_network_after_a_reload_without_it(stage, count):
    ada, bob = people(stage, "Ada", "Bob")
    room = ada.chat_with(bob)
    for text in ("to be kept in sight", *(f"line {number}." for number in range(count))):
        assert bob.api("POST", f"/rooms/{room}/messages", {"text": text})[0] == 201
    assert bob.api("PUT", f"/rooms/{room}/pins/1")[0] == 204
    bar = ada.page.locator(".pins")
    bar.get_by_text("to be kept in sight").wait_for()
    until(lambda: len(kept_texts(ada.page, room)) == count + 1, "the messages to be kept")
    below = lambda: ada.page.locator(".log-scroller").evaluate("log => log.scrollHeight - log.clientHeight - log.scrollTop")
    until(lambda: below() < 2, "the end of the log")
    ada.page.route("**/api/v1/**", lambda route: route.abort())
    with ada.page.expect_request("**/pins"):
        ada.page.reload()
    ada.row(f"line {count - 1}.").wait_for()
    ada.page.unroute_all(behavior="ignoreErrors")
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    bar.get_by_text("to be kept in sight").wait_for()
    until(lambda: below() < 2, "the end of the log, above which the bar now stands")


@pytest.mark.shows("D6", "R1")
def test_no_page_displaces_what_another_shows(stage):
    """The styles of a page stay once it was open: those of a group's page moved "Online" in People."""
    ada, bob = people(stage, "Ada", "Bob")
    group_of(ada, bob)
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "mojombo"})
    assert status == 201
    ada.open(room["id"])
    ada.say("hello")
    ada.log.locator('[data-state="received"]').first.wait_for()
    page = ada.page
    rows = page.get_by_role("list", name="People", exact=True).get_by_role("listitem")
    row = rows.filter(has_text="mojombo").first

    def places():
        """Where the parts of the row stand in it."""
        row.get_by_text("Online").wait_for()
        page.wait_for_load_state("networkidle")
        return row.evaluate("""row => { const { left, top } = row.getBoundingClientRect();
          return [...row.querySelectorAll('*')].map(node => { const { x, y, width, height } = node.getBoundingClientRect();
            return [x - left, y - top, width, height].map(Math.round).join(' '); }); }""")

    page.goto(ada.base + "/people")
    before = places()
    page.get_by_role("link", name="Chats").first.click()
    page.get_by_role("list", name="Chats").get_by_role("link", name=re.compile("Reading circle")).click()
    page.get_by_role("heading", name="Reading circle").get_by_role("link").click()
    page.get_by_role("list", name="Members").get_by_text("Bob Tester").wait_for()
    page.get_by_role("link", name="Settings").first.click()
    page.get_by_role("heading", name="Privacy").wait_for()
    page.get_by_role("link", name="People").first.click()
    assert places() == before
    clean(ada)


@pytest.mark.shows("D6")
def test_pressing_a_face_twice_opens_one_card(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = group_of(ada, bob)
    bob.api("POST", f"/rooms/{room}/messages", {"text": "hello"})
    ada.open(room)
    face = ada.row("hello").locator(".avatar")
    until(lambda: face.get_attribute("aria-label") == "Profile of Bob Tester", "the face to be a button")
    # Both presses come before the styles of the card.
    face.evaluate("face => { face.click(); face.click(); }")
    cards = ada.page.locator("dialog[open]")
    cards.first.wait_for()
    ada.page.wait_for_load_state("networkidle")
    assert cards.count() == 1
    ada.page.keyboard.press("Escape")
    until(lambda: cards.count() == 0, "the card to close")
    clean(ada)


@pytest.mark.shows("C7")
def test_the_actions_of_an_own_message_have_a_name_of_their_own(stage):
    ada = stage.person("Ada").sign_up()
    room = group_of(ada)
    ada.api("POST", f"/rooms/{room}/messages", {"text": "mine"})
    ada.open(room)
    ada.row("mine").locator(".bubble").hover()
    ada.page.get_by_role("button", name="Actions for your message", exact=True).click()
    ada.page.get_by_role("menu", name="Actions for your message", exact=True).wait_for()
    clean(ada)
