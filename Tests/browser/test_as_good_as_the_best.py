"""What people know from other messengers and expect here, each shown once: on a phone, at the door."""

import pytest
from playwright.sync_api import expect

from browser_storage import kept
from chat_list_page import PHONE, friends, middle, row, touch_ready
from fingers import Finger
from history import write_history
from people import check, clean, group_of, people
from serving import until
from test_message_actions import choose, message, post
from test_stumbles import direct


def box(locator):
    found = locator.bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("where", ["last", "first"])
@pytest.mark.shows("C7")
def test_the_action_sheet_of_a_phone_leaves_its_message_in_view(stage, where):
    ada = stage.person("Ada", **PHONE).sign_up()
    bob = stage.person("Bob").sign_up()
    room = direct(ada, bob)
    seqs = [post(bob, room, f"line {number}.") for number in range(9)]
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    target = message(ada, seqs[-1 if where == "last" else 0])
    target.wait_for()
    page.wait_for_load_state("networkidle")
    finger = Finger(page)
    place = box(target.locator(".bubble"))
    finger.down(*middle(target.locator(".bubble")))
    sheet = page.get_by_role("menu")
    sheet.wait_for()
    finger.up()
    bar = box(page.locator(".conversation > .bar"))
    bubble = target.locator(".bubble")
    until(lambda: box(bubble)["y"] + box(bubble)["height"] <= box(sheet)["y"], "the message above the sheet")
    assert box(bubble)["y"] >= bar["y"] + bar["height"], "and below the title"
    page.touchscreen.tap(180, 20)
    until(lambda: abs(box(bubble)["y"] - place["y"]) < 1, "it to be where it was")
    clean(ada)


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.shows("L3")
def test_a_swiped_row_keeps_its_name(stage, direction):
    ada = stage.person("Ada", **PHONE).sign_up()
    friends(stage, ada, "Bartholomew")
    page = ada.page
    touch_ready(page)
    page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    finger, swiped = Finger(page), row(page, "Bartholomew")
    finger.down(*middle(swiped))
    finger.move(-200 if direction == "ltr" else 200, 0)
    finger.up()
    actions = swiped.get_by_role("group")
    until(lambda: swiped.get_attribute("data-swiped") == "settling", "it to stay open")
    name = swiped.locator(".name")

    def seen():
        """How much of the name is on the screen and not under the actions."""
        one, other = box(name), box(actions)
        if direction == "ltr":
            return min(one["x"] + one["width"], other["x"]) - max(0, one["x"])
        return min(360, one["x"] + one["width"]) - max(one["x"], other["x"] + other["width"])

    until(lambda: abs(seen() - box(name)["width"]) < 2 and seen() > 80, "the whole name beside the actions")
    clean(ada)


@pytest.mark.shows("A2")
def test_an_address_typed_at_sign_in_is_kept_for_sign_up_and_back(stage):
    page = stage.person("Ada").page
    base = stage.server.url
    email = lambda: page.get_by_role("textbox", name="Email").input_value()
    page.goto(f"{base}/sign-in")
    page.get_by_role("textbox", name="Email").fill("ada@example.com")
    page.get_by_role("link", name="Create an account").click()
    page.wait_for_url("**/sign-up")
    until(lambda: email() == "ada@example.com", "the address")
    assert "ada" not in page.url, "it is in no address"
    page.get_by_role("textbox", name="Email").fill("ada.lovelace@example.com")
    page.get_by_role("link", name="Sign in instead").click()
    page.wait_for_url("**/sign-in")
    until(lambda: email() == "ada.lovelace@example.com", "the other address")
    page.get_by_role("textbox", name="Email").fill("countess@example.com")
    page.go_back()
    page.wait_for_url("**/sign-up")
    until(lambda: email() == "countess@example.com", "the last address")
    assert page.evaluate("Object.keys(sessionStorage).length") == 0, "nothing of it is kept"


@pytest.mark.shows("D6", "L6")
def test_faces_names_and_mentions_open_the_card_of_their_person(stage):
    ada, bob, carl = people(stage, "Ada", "Bob", "Carl")
    group = group_of(ada, bob, carl)
    post(bob, group, "ask @CarlTester about it")
    # Waits for the server, because Bob's page shows "online" before his stream is open.
    until(lambda: ada.api("GET", f"/users/{bob.id}")[1]["online"], "Bob to be here")
    page = ada.page
    page.goto(f"{ada.base}/chats/{group}")
    row = ada.row("ask @CarlTester")
    card = lambda name: page.get_by_role("dialog", name=name, exact=True)
    face = row.locator(".avatar")
    until(lambda: face.get_attribute("aria-label") == "Profile of Bob Tester", "the face to be a button")
    face.click()
    bobs = card("Bob Tester")
    bobs.get_by_text("online").wait_for()
    near, anchor = box(bobs), box(face)
    assert abs(near["x"] - anchor["x"]) < 60 or abs(near["y"] - anchor["y"]) < 60, "it stands beside the face"
    check(page, "the card")
    page.keyboard.press("Escape")
    until(lambda: bobs.count() == 0, "it to close")
    # By its name, and by the keyboard: the mention says who is meant by an id, not by a spelling.
    row.locator(".sender").click()
    bobs.get_by_role("button", name="Mention").click()
    until(lambda: ada.message_box.input_value() == "@BobTester ", "the mention in the field")
    ada.message_box.fill("")
    assert carl.api("PATCH", "/me", {"first_name": "Karl", "last_name": "Gauss"})[0] == 200
    row.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.classList.contains('mention')"):
            break
    page.keyboard.press("Enter")
    karls = card("Karl Gauss")
    karls.wait_for()
    karls.get_by_role("button", name="Write").click()
    page.wait_for_url(lambda address: not address.endswith(group))
    page.get_by_role("heading", name="Karl Gauss").wait_for()
    assert karls.count() == 0
    clean(ada)


@pytest.mark.shows("D6")
def test_a_card_shows_githubs_data_and_links_there(stage):
    ada = stage.person("Ada", **PHONE).sign_up()
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "mojombo"})
    assert status == 201
    ada.api("POST", f"/rooms/{room['id']}/messages", {"text": "hello"})
    until(lambda: ada.api("GET", f"/rooms/{room['id']}")[1]["last_seq"] > 1, "an answer")
    page = ada.page
    page.goto(f"{ada.base}/chats/{room['id']}")
    face = page.locator(".message > .avatar").last
    face.tap()
    card = page.get_by_role("dialog")
    link = card.get_by_role("link", name="GitHub")
    link.wait_for()
    expect(link).to_have_attribute("href", "https://github.com/mojombo")
    until(lambda: abs(box(card)["y"] + box(card)["height"] - 740) < 1, "a sheet at the bottom")
    check(page, "the card on a phone")


@pytest.mark.shows("C7")
def test_the_bar_at_a_message_reacts_replies_and_leads_to_the_menu(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    first, second = post(bob, room, "first thing"), post(bob, room, "second thing")
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    bubble = lambda seq: message(ada, seq).locator(".bubble")
    bubble(first).hover()
    bar = page.get_by_role("group", name="Message actions")
    bar.wait_for()
    names = lambda: [one.get_attribute("aria-label") for one in bar.get_by_role("button").all()]
    offered = ["React with 👍", "React with ❤️", "React with 😂", "Reply", "Actions for the message of Bob Tester"]
    assert names() == offered
    bar.get_by_role("button", name="React with 😂").click()
    message(ada, first).locator(".pill").wait_for()
    until(lambda: bar.get_by_role("button", name="React with 😂").get_attribute("aria-pressed") == "true", "mine")
    assert page.evaluate("document.activeElement.matches('.composer textarea')"), "typing goes on"
    bubble(second).hover()
    until(lambda: names()[0] == "React with 😂", "what was used last comes first")
    bar.get_by_role("button", name="Reply").click()
    page.get_by_role("button", name="Cancel reply").click()
    bubble(first).hover()
    bar.get_by_role("button", name="Actions for").click()
    page.get_by_role("menu").wait_for()
    page.keyboard.press("Escape")
    # Twice with the mouse replies, and selects no word.
    bubble(second).locator(".body").dblclick()
    page.get_by_role("button", name="Reply to Bob Tester").wait_for()
    assert page.evaluate("getSelection().toString()") == ""
    clean(ada)


@pytest.mark.shows("C7")
def test_the_bar_comes_to_a_pointer_that_was_there_before_it(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    seq = post(bob, room, "early")
    page, held = ada.page, []
    page.route("**/chatPageLater*", lambda route: held.append(route))
    page.goto(f"{ada.base}/chats/{room}")
    message(ada, seq).locator(".bubble").hover()
    until(lambda: page.evaluate("document.querySelector('.message:hover') !== null") and held, "the pointer, no tools")
    for route in held:
        route.continue_()
    page.get_by_role("group", name="Message actions").wait_for()
    clean(ada)


@pytest.mark.shows("C7")
def test_shift_selects_a_range_by_pointer_and_by_keys(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = direct(ada, bob)
    seqs = [post(bob, room, f"line {number}.") for number in range(6)]
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    message(ada, seqs[5]).wait_for()
    selected = lambda: [seq for seq in seqs if message(ada, seq).locator(".check:checked").count() == 1]
    choose(ada, seqs[1], "Select")
    message(ada, seqs[4]).click(modifiers=["Shift"])
    until(lambda: selected() == seqs[1:5], "all between")
    page.get_by_role("group", name="Selected messages").get_by_text("4 selected").wait_for()
    page.keyboard.press("Escape")
    until(lambda: page.locator("[data-selecting]").count() == 0, "the end of selecting")
    message(ada, seqs[2]).focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    until(lambda: selected() == seqs[2:5], "as far as the keys went")
    page.keyboard.press("Shift+ArrowUp")
    until(lambda: selected() == seqs[2:4], "and back")
    clean(ada)


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.shows("C7", "K2")
def test_a_swipe_over_a_message_replies(stage, direction):
    ada = stage.person("Ada", **PHONE).sign_up()
    bob = stage.person("Bob").sign_up()
    room = direct(ada, bob)
    seq = post(bob, room, "swipe me")
    page = ada.page
    with page.expect_response("**/swipeReply.js*"):
        page.goto(f"{ada.base}/chats/{room}")
    page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    row = message(ada, seq)
    start, sense = box(row)["x"], -1 if direction == "ltr" else 1
    finger = Finger(page)
    banner = page.get_by_role("button", name="Reply to Bob")

    def draw(by):
        finger.down(*middle(row.locator(".bubble")))
        finger.move(sense * by, 1)

    # What the module hears is only sure once a row has moved.
    until(lambda: (draw(30), abs(box(row)["x"] - start - sense * 30) < 3)[1] or (finger.up(), False)[1], "it to follow")
    finger.up()
    until(lambda: abs(box(row)["x"] - start) < 1, "a short one falls back")
    assert banner.count() == 0
    draw(90)
    finger.up()
    banner.wait_for()
    until(lambda: abs(box(row)["x"] - start) < 1, "the message to be back in its place")
    assert page.evaluate("document.querySelector('.log-scroller').scrollWidth <= innerWidth")
    clean(ada)


@pytest.mark.shows("K4")
def test_an_emoji_is_chosen_in_the_composer(stage):
    ada, bob = people(stage, "Ada", "Bob")
    ada.chat_with(bob)
    page = ada.page
    ada.message_box.fill("well done !")
    ada.message_box.press("ArrowLeft")
    page.get_by_role("button", name="Choose an emoji").click()
    dialog = page.get_by_role("dialog", name="Choose an emoji")
    dialog.get_by_role("searchbox").fill("rocket")
    dialog.get_by_role("button", name="rocket").click()
    until(lambda: ada.message_box.input_value() == "well done 🚀!", "it where the caret was")
    page.keyboard.type("🙂")
    expect(ada.message_box).to_have_value("well done 🚀🙂!")
    clean(ada)


@pytest.mark.shows("R1")
def test_a_member_of_a_group_has_a_card(stage):
    ada, bob = people(stage, "Ada", "Bob")
    group = group_of(ada, bob)
    page = ada.page
    page.goto(f"{ada.base}/chats/{group}/info")
    page.get_by_role("list", name="Members").get_by_role("button", name="Bob Tester", exact=True).click()
    page.get_by_role("dialog", name="Bob Tester").get_by_role("button", name="Write").click()
    page.get_by_role("heading", name="Bob Tester").wait_for()
    clean(ada)


def long_chat(ada, bob, count):
    """The chat of two in which Bob has written much, and Ada has read it."""
    room = direct(ada, bob)
    names = {"Bob": bob.id}
    lines = [("Bob", f"line {n}.", 1_790_000_000_000 + n * 60_000) for n in range(count)]
    write_history(ada.stage.server, room, names, lines)
    return room


# A busy machine may look away for longer than the two seconds of a mark.
SLOW_MARKS = """(later => {
  window.setTimeout = (act, time, ...rest) =>
    later(act, time === 2000 && !sessionStorage.atUsualSpeed ? 3_600_000 : time, ...rest);
  new MutationObserver(() => { window.marked = document.querySelector('.log mark')?.textContent ?? window.marked; })
    .observe(document, {childList: true, subtree: true});
})(window.setTimeout)"""


@pytest.mark.shows("C3", "Q1")
def test_a_jump_marks_the_message_and_the_words_until_the_reader_scrolls_or_for_a_while(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = long_chat(ada, bob, 90)
    seq = post(bob, room, "Tea in the Teahouse, teapot ready")
    for number in range(30):
        post(bob, room, f"after {number}.")
    page = ada.page
    page.add_init_script(SLOW_MARKS)
    page.goto(f"{ada.base}/search?q=tea")
    hit = page.get_by_role("region", name="Results").get_by_role("link").filter(has_text="Teahouse")
    marks = lambda: message(ada, seq).locator("mark").all_inner_texts()
    hit.click()
    until(lambda: message(ada, seq).get_attribute("data-found") is not None, "the mark")
    until(lambda: marks() == ["Tea", "Teahouse", "teapot"], "the words")
    assert page.title().startswith(("Bob", "("))
    message(ada, seq).hover()
    page.mouse.wheel(0, 300)
    until(lambda: message(ada, seq).get_attribute("data-found") is None and marks() == [], "a scroll to end it")
    assert message(ada, seq).locator(".body").inner_text().startswith("Tea in the Teahouse, teapot ready")
    # Left alone, it goes by itself.
    page.evaluate("sessionStorage.atUsualSpeed = 'yes'")
    page.goto(f"{ada.base}/chats/{room}?at={seq}&found=Teahouse")
    until(lambda: page.evaluate("window.marked") == "Teahouse", "the word")
    until(lambda: message(ada, seq).get_attribute("data-found") is None and marks() == [], "two seconds to end it")
    clean(ada)


@pytest.mark.shows("C3", "O2")
def test_who_scrolls_to_the_start_of_what_is_kept_gets_more_once_the_server_answers(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room, page = long_chat(ada, bob, 120), ada.page
    ada.open(room)
    message(ada, 120).wait_for()
    until(lambda: room in kept(page)["messages"], "its messages to be kept")
    held = []
    page.route("**/messages?*", lambda route: held.append(route), times=1)
    page.reload()
    message(ada, 120).wait_for()
    until(lambda: page.evaluate("1") and held, "the newest messages to be asked for")
    page.locator(".log-scroller").evaluate("log => { log.scrollTop = 0; }")
    page.wait_for_function("() => document.querySelector('.log-scroller').scrollTop === 0")
    held[0].continue_()
    message(ada, 60).wait_for()
    clean(ada)


@pytest.mark.parametrize("back_to", [25, 60])
@pytest.mark.shows("C3")
def test_coming_back_to_a_chat_returns_to_the_place_read(stage, back_to):
    """Near its end, and pages away from it; through the list, and by going back."""
    ada, bob = people(stage, "Ada", "Bob")
    room, other = long_chat(ada, bob, 120), group_of(ada, bob)
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    message(ada, 120).wait_for()
    seq = 120 - back_to
    until(lambda: page.evaluate("""seq => { const log = document.querySelector('.log-scroller');
      const row = document.querySelector(`[data-seq="${seq}"]`);
      if (!row) { log.scrollTop = 0; return false; }
      log.scrollTop += row.getBoundingClientRect().top - log.getBoundingClientRect().top - 37;
      return true; }""", seq), "it")
    page.wait_for_load_state("networkidle")
    top = lambda: box(message(ada, seq))["y"]
    left = top()
    rows = page.get_by_role("list", name="Chats").get_by_role("link")
    rows.filter(has_text="Reading circle").click()
    page.get_by_role("heading", name="Reading circle").wait_for()
    post(bob, room, "meanwhile")
    rows.filter(has_text="Bob").click()
    message(ada, seq).wait_for()
    until(lambda: abs(top() - left) < 2, "the place read")
    page.get_by_role("button", name="1 new").wait_for()
    page.get_by_role("link", name="People").first.click()
    page.get_by_role("heading", name="People").wait_for()
    page.go_back()
    message(ada, seq).wait_for()
    until(lambda: abs(top() - left) < 2, "the place read once more")
    # At its end it is left at its end.
    page.get_by_role("button", name="1 new").click()
    ada.row("meanwhile").wait_for()
    rows.filter(has_text="Reading circle").click()
    page.get_by_role("heading", name="Reading circle").wait_for()
    page.go_back()
    until(lambda: page.evaluate("""() => { const log = document.querySelector('.log-scroller');
      return log && log.querySelector('[data-seq]') && log.scrollHeight - log.clientHeight - log.scrollTop < 2; }"""),
        "the end")
    assert ada.api("GET", f"/rooms/{other}")[0] == 200
    clean(ada)


@pytest.mark.shows("C5", "S4")
def test_the_arrow_says_from_the_start_how_many_are_unread(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = long_chat(ada, bob, 80)
    assert ada.api("PUT", f"/rooms/{room}/receipt", {"unread_from": 6})[0] == 200
    page = ada.page
    page.goto(f"{ada.base}/chats/{room}")
    arrow = page.locator(".below.new")
    arrow.wait_for()
    count = lambda: int(arrow.inner_text().split()[0])
    last = lambda: page.evaluate("""() => { const log = document.querySelector('.log-scroller').getBoundingClientRect();
      return Math.max(...[...document.querySelectorAll('[data-seq]')].filter(row => {
        const { top, height } = row.getBoundingClientRect(); return top + Math.min(height, 40) <= log.bottom + 1;
      }).map(row => Number(row.dataset.seq))); }""")
    until(lambda: count() == 80 - last(), "all that lie below")
    message(ada, last()).hover()
    page.mouse.wheel(0, 600)
    until(lambda: last() > 20 and count() == 80 - last(), "fewer, the farther it is read")
    clean(ada)
