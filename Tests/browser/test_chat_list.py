"""The list of chats: its rows, and the actions on each, on every device of a person."""

import re

import pytest
from playwright.sync_api import expect

from browser_storage import kept_texts
from chat_list_page import again, chats, choose, friends, menu, names, row, write
from serving import until


def said(page, name):
    """A row's text in one line: the author and the text are separate boxes side by side."""
    return " ".join(row(page, name).inner_text().split())


@pytest.mark.shows("L1")
def test_a_row_says_who_what_when_and_how_much_is_unread(stage):
    ada = stage.person("Ada", "Lovelace").sign_up()
    (bob, carl), (with_bob, with_carl) = friends(stage, ada, "Bob", "Carl")
    assert names(ada.page) == ["Carl", "Bob"], "the newest first"
    write(bob, with_bob, "and again")
    until(lambda: names(ada.page) == ["Bob", "Carl"], "the row to move")
    text = row(ada.page, "Bob").inner_text()
    assert "and again" in text and re.search(r"\d\d:\d\d", text) and "2" in text
    assert ada.api("POST", f"/rooms/{with_carl}/messages", {"text": "mine"})[0] == 201
    until(lambda: "You: mine" in said(ada.page, "Carl"), "one's own message, said to be so")
    assert ada.complaints == []


@pytest.mark.shows("L1", "K3")
def test_a_draft_is_shown_in_its_row_until_it_is_sent(stage):
    ada = stage.person("Ada").sign_up()
    _, (with_bob, _) = friends(stage, ada, "Bob", "Carl")
    ada.open(with_bob)
    ada.message_box.fill("half a thou")
    assert "half a thou" not in row(ada.page, "Bob").inner_text(), "the open chat's draft stands in its field"
    row(ada.page, "Carl").click()
    until(lambda: "Draft: half a thou" in said(ada.page, "Bob"), "the draft")
    row(ada.page, "Bob").click()
    until(lambda: ada.message_box.input_value() == "half a thou", "the draft in its field")
    ada.message_box.press("Enter")
    row(ada.page, "Carl").click()
    until(lambda: "You: half a thou" in said(ada.page, "Bob"), "the message in its place")


@pytest.mark.shows("L3")
def test_the_menu_opens_by_pointer_key_and_button_and_gives_the_focus_back(stage):
    ada = stage.person("Ada").sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    expected = ["Mark as read", "Mute", "Pin", "Clear history…", "Delete chat…"]
    row(page, "Bob").click(button="right")
    menu(page).wait_for()
    assert menu(page).get_by_role("menuitem").all_inner_texts() == expected
    page.keyboard.press("Escape")
    assert menu(page).count() == 0
    row(page, "Bob").hover()
    page.get_by_role("button", name="Actions for Bob").click()
    menu(page).get_by_role("menuitem", name="Mute").wait_for()
    page.keyboard.press("Escape")
    for key in ("Shift+F10", "ContextMenu"):
        row(page, "Bob").get_by_role("link").focus()
        page.keyboard.press(key)
        menu(page).wait_for()
        focused = lambda: page.evaluate("document.activeElement.textContent")
        assert focused() == "Mark as read"
        page.keyboard.press("ArrowUp")
        assert focused() == "Delete chat…", "it goes round"
        page.keyboard.press("p")
        assert focused() == "Pin", "letters jump"
        page.keyboard.press("Escape")
        assert menu(page).count() == 0
        assert page.evaluate("document.activeElement.textContent").startswith("BBob"), "the row has the focus again"
    row(page, "Bob").click(button="right")
    menu(page).wait_for()
    page.get_by_role("heading", name="Chats").click()
    assert menu(page).count() == 0, "a press elsewhere closes it"
    assert ada.complaints == []


@pytest.mark.shows("L1", "H4")
def test_arrow_keys_walk_the_rows_and_enter_opens(stage):
    ada = stage.person("Ada").sign_up()
    friends(stage, ada, "Bob", "Carl", "Dora")
    page = ada.page
    row(page, "Dora").get_by_role("link").focus()
    at = lambda: page.evaluate("document.activeElement.querySelector('.name')?.textContent")
    walked = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Home", "End", "ArrowUp"):
        page.keyboard.press(key)
        walked.append(at())
    assert walked == ["Carl", "Bob", "Bob", "Dora", "Bob", "Carl"]
    page.keyboard.press("Enter")
    until(lambda: page.locator(".conversation h1").inner_text() == "Carl", "the chat to open")


@pytest.mark.shows("L2", "L3", "T2")
def test_mute_and_pin_show_on_all_devices_and_muted_chats_are_not_counted(stage):
    ada = stage.person("Ada").sign_up()
    (bob, _), (with_bob, _) = friends(stage, ada, "Bob", "Carl")
    other = again(stage, ada)
    until(lambda: ada.page.title().startswith("(2)"), "the sum")
    choose(ada.page, "Bob", "Mute")
    choose(ada.page, "Bob", "Pin")
    for page in (ada.page, other.page):
        until(lambda: names(page) == ["Bob", "Carl"], "pinned ones on top")
        row(page, "Bob").get_by_role("img", name="Muted").wait_for()
        row(page, "Bob").get_by_role("img", name="Pinned").wait_for()
        until(lambda: page.title().startswith("(1)"), "the sum without the muted chat")
        expect(row(page, "Bob").locator(".count.muted")).to_have_text("1", use_inner_text=True)
    write(bob, with_bob, "nobody hears this")
    until(lambda: "nobody hears this" in row(other.page, "Bob").inner_text(), "the message")
    assert other.page.locator(".toast").count() == 0 and other.page.title().startswith("(1)")
    choose(other.page, "Bob", "Unmute")
    choose(other.page, "Bob", "Unpin")
    until(lambda: ada.page.title().startswith("(3)"), "the sum with all")
    assert names(ada.page) == ["Bob", "Carl"], "it is the newest by now"
    assert ada.complaints == [] and other.complaints == []


@pytest.mark.shows("L3", "S4")
def test_marking_as_read_and_unread_goes_to_all_devices_and_closes_the_chat(stage):
    ada = stage.person("Ada").sign_up()
    _, (with_bob, _) = friends(stage, ada, "Bob", "Carl")
    other = again(stage, ada)
    choose(other.page, "Carl", "Mark as read")
    until(lambda: ada.page.title().startswith("(1)"), "read on the other device")
    ada.open(with_bob)
    until(lambda: not other.page.title().startswith("("), "opening to read it")
    assert ada.api("POST", f"/rooms/{with_bob}/messages", {"text": "mine is the last"})[0] == 201
    until(lambda: "mine is the last" in row(ada.page, "Bob").inner_text(), "my message")
    choose(ada.page, "Bob", "Mark as unread")
    ada.page.wait_for_url("**/chats")
    for page in (ada.page, other.page):
        until(lambda: page.title().startswith("(1)"), "unread on all devices")
        expect(row(page, "Bob").locator(".count")).to_have_text("1", use_inner_text=True)


@pytest.mark.shows("L3", "L4")
def test_clearing_asks_once_and_empties_the_chat_for_me_only(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    for number in range(3):
        bob.say(f"line {number}")
    ada.row("line 2").first.wait_for()
    other = again(stage, ada)
    other.open(room)
    other.row("line 2").first.wait_for()
    until(lambda: len(kept_texts(ada.page, room)) == 3, "the browser to keep the messages")
    choose(ada.page, "Bob", "Clear history")
    dialog = ada.page.get_by_role("dialog", name="Clear the history with Bob?")
    expect(dialog).to_contain_text("for you, on all your devices", use_inner_text=True)
    expect(dialog).to_contain_text("Bob keeps everything", use_inner_text=True)
    assert ada.page.evaluate("document.activeElement.textContent") == "Cancel"
    ada.page.keyboard.press("Escape")
    expect(ada.row("line"), "nothing was done").to_have_count(3)
    choose(ada.page, "Bob", "Clear history")
    dialog.get_by_role("button", name="Clear history").click()
    for person in (ada, other):
        until(lambda: person.row("line").count() == 0, "the open chat to empty")
        until(lambda: kept_texts(person.page, room) == [], "the browser to forget")
        assert "line" not in row(person.page, "Bob").inner_text()
    expect(bob.row("line"), "the peer keeps everything").to_have_count(3)
    bob.say("a new start")
    ada.row("a new start").first.wait_for()
    ada.page.reload()
    ada.row("a new start").first.wait_for()
    assert ada.texts_in_order(r"line \d|a new start") == ["a new start"]
    assert ada.complaints == [] and other.complaints == []


@pytest.mark.shows("L4")
def test_a_deleted_chat_leaves_all_devices_and_comes_back_without_its_past(stage):
    ada = stage.person("Ada").sign_up()
    (bob, _, _), (with_bob, _, _) = friends(stage, ada, "Bob", "Carl", "Dora")
    other = again(stage, ada)
    other.open(with_bob)
    ada.open(with_bob)
    choose(ada.page, "Bob", "Delete chat")
    dialog = ada.page.get_by_role("dialog", name="Delete the chat with Bob?")
    expect(dialog).to_contain_text("comes back, without what was there before", use_inner_text=True)
    dialog.get_by_role("button", name="Delete chat").click()
    for person in (ada, other):
        person.page.wait_for_url("**/chats")
        until(lambda: names(person.page) == ["Dora", "Carl"], "the row to go")
    assert ada.page.evaluate("document.activeElement.querySelector('.name')?.textContent") == "Carl", "the row in its place"
    write(bob, with_bob, "are you there?")
    for person in (ada, other):
        until(lambda: names(person.page) == ["Bob", "Dora", "Carl"], "the chat to come back")
    row(ada.page, "Bob").click()
    ada.row("are you there?").first.wait_for()
    assert ada.texts_in_order(r"hello from Bob|are you there\?") == ["are you there?"]
    assert len(bob.request("GET", f"/rooms/{with_bob}/messages").data) == 2, "the peer's copy is whole"


@pytest.mark.parametrize("action, confirm, failure", [
    ("Mute", None, "Bob could not be muted."),
    ("Pin", None, "Bob could not be pinned."),
    ("Clear history", "Clear history", "The history with Bob was not cleared."),
    ("Delete chat", "Delete chat", "The chat with Bob was not deleted."),
])
@pytest.mark.shows("L3")
def test_refused_changes_are_reverted_and_explained(stage, action, confirm, failure):
    ada = stage.person("Ada").sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    before = row(page, "Bob").inner_text()
    page.route(re.compile(r"/rooms/[0-9a-f-]+(/clearing|/hiding)?$"), lambda route: route.abort()
               if route.request.method != "GET" else route.continue_())
    choose(page, "Bob", action)
    if confirm:
        page.get_by_role("dialog").get_by_role("button", name=confirm).click()
    toast = page.locator(".toast", has_text=failure)
    toast.wait_for()
    expect(toast).to_contain_text("Hubbub cannot be reached", use_inner_text=True)
    until(lambda: names(page) == ["Carl", "Bob"] and row(page, "Bob").inner_text() == before, "all to be as before")
    page.keyboard.press("Escape")
    assert toast.count() == 0


def many_rooms(count):
    """Pages of `GET /rooms` for somebody with this many chats."""
    def room(number):
        user = {"id": f"u{number}", "first_name": f"Person {number}", "last_name": "", "name": f"Person {number}",
                "avatar_url": f"/api/v1/avatars/initials-{number}", "member": True, "online": False}
        minute = f"2026-01-{28 - number // 1000:02}T{23 - number % 1000 // 60:02}:{59 - number % 60:02}:00.000Z"
        message = {"room_id": f"r{number}", "seq": 1, "client_id": f"c{number}", "sender": user, "text": f"text {number}",
                   "reply_to": None, "created_at": minute, "edited_at": None, "deleted_at": None}
        return {"id": f"r{number}", "kind": "direct", "name": "", "topic": "", "peer": user, "members_count": 2,
                "role": "member", "muted": False, "pinned": False, "last_seq": 1, "read_seq": 1, "unread_count": 0,
                "last_message": message, "draft": "", "created_at": minute, "updated_at": minute}

    def answer(route):
        page = int((re.search(r"cursor=(\d+)", route.request.url) or [0, 0])[1])
        more = page + 200 < count
        headers = {"Hubbub-Event-Id": "0"}
        if more:
            headers["Link"] = f'</api/v1/rooms?limit=200&cursor={page + 200}>; rel="next"'
        route.fulfill(json=[room(page + index) for index in range(200)], headers=headers)
    return answer


@pytest.mark.shows("L1")
def test_five_thousand_chats_scroll_smoothly(quiet_stage):
    ada = quiet_stage.person("Ada").sign_up()
    page = ada.page
    page.route(re.compile(r"/api/v1/rooms\?"), many_rooms(5000))
    page.goto(ada.base + "/chats")
    until(lambda: chats(page).get_by_role("listitem").first.get_attribute("aria-setsize") == "5000", "all pages")
    assert page.locator(".chat-rows > li").count() < 60
    nodes = page.evaluate("document.querySelectorAll('*').length")
    assert nodes < 2500, nodes
    page.evaluate("""() => { window.long = 0;
      new PerformanceObserver(l => { window.long += l.getEntries().length; }).observe({type: 'longtask'}); }""")
    body = ".list-body:has(.chat-rows)"
    # Scrolls like a wheel through more than a thousand rows, and then to the end.
    page.evaluate("""async body => { const pane = document.querySelector(body);
      for (let step = 0; step < 150; step += 1) {
        pane.scrollTop += 500; await new Promise(done => requestAnimationFrame(done)); } }""", body)
    shown = names(page)
    assert "Person 1250" in shown and len(shown) < 60
    page.evaluate("body => { const pane = document.querySelector(body); pane.scrollTop = pane.scrollHeight; }", body)
    until(lambda: "Person 4999" in names(page), "the last row")
    assert page.evaluate("document.querySelectorAll('*').length") < 2500
    # A busy machine may make a few of the 150 frames long; a list that is too slow makes all of them long.
    assert page.evaluate("window.long") <= 10, "scrolling makes no long tasks"
    row(page, "Person 4999").get_by_role("link").focus()
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.querySelector('.name').textContent") == "Person 0"


@pytest.mark.shows("L1")
def test_the_visible_rows_stay_in_place_when_rows_move_above_them(stage):
    ada = stage.person("Ada", viewport={"width": 1000, "height": 420}).sign_up()
    people, rooms = friends(stage, ada, *[f"Friend{chr(65 + n)}" for n in range(14)])
    page = ada.page
    page.locator(".list-body:has(.chat-rows)").evaluate("pane => { pane.scrollTop = 240; }")
    until(lambda: page.evaluate("document.getAnimations().length") == 0, "all rows in their places")
    watched = row(page, "FriendH")
    before = watched.bounding_box()["y"]
    write(people[0], rooms[0], "to the top")
    until(lambda: row(page, "FriendA").get_attribute("aria-posinset") == "1", "the row to move")
    until(lambda: abs(watched.bounding_box()["y"] - before) <= 1, "the same rows in view")


@pytest.mark.shows("L1", "H4")
def test_rows_slide_only_where_motion_is_wanted(stage):
    for motion in ("no-preference", "reduce"):
        ada = stage.person("Ada", reduced_motion=motion).sign_up()
        (bob, _), (with_bob, _) = friends(stage, ada, "Bob", "Carl")
        page = ada.page
        page.evaluate("""() => { window.slides = 0; const animate = Element.prototype.animate;
          Element.prototype.animate = function (...a) { if (this.matches('.chat-rows > li')) window.slides += 1;
            return animate.apply(this, a); }; }""")
        write(bob, with_bob, "up")
        until(lambda: names(page) == ["Bob", "Carl"], "the row to move")
        assert (page.evaluate("window.slides") > 0) == (motion == "no-preference")


@pytest.mark.shows("L2")
def test_the_apps_badge_shows_the_sum(stage):
    ada = stage.person("Ada")
    ada.page.add_init_script("""window.badges = [];
      Object.defineProperty(navigator, 'setAppBadge', {value: async count => { window.badges.push(count); }});""")
    ada.sign_up()
    (bob, carl), (with_bob, with_carl) = friends(stage, ada, "Bob", "Carl")
    until(lambda: ada.page.evaluate("window.badges.at(-1)") == 2, "the sum")
    choose(ada.page, "Bob", "Mute")
    until(lambda: ada.page.evaluate("window.badges.at(-1)") == 1, "without the muted chat")
    choose(ada.page, "Carl", "Mark as read")
    until(lambda: ada.page.evaluate("window.badges.at(-1)") == 0, "nothing")


@pytest.mark.shows("L1")
def test_the_list_loads_without_a_shift_and_says_when_it_cannot(stage):
    ada = stage.person("Ada").sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    page.goto(ada.base + "/chats")
    row(page, "Carl").wait_for()
    shift = page.evaluate("""() => new Promise(done => new PerformanceObserver((list, self) => { self.disconnect();
      done(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)); }).observe({type: 'layout-shift', buffered: true})
      || setTimeout(() => done(0), 300))""")
    assert shift == 0
    other = again(stage, ada)
    row(other.page, "Carl").wait_for()
    fails = {"now": True}
    other.page.route(re.compile(r"/api/v1/rooms\?"), lambda route: route.fulfill(status=500, body="{}")
                     if fails["now"] else route.continue_())
    other.page.evaluate("indexedDB.deleteDatabase('hubbub')")
    other.page.goto(other.base + "/chats")
    alert = other.page.get_by_role("alert").filter(has_text="Your chats could not be loaded.")
    alert.wait_for()
    fails["now"] = False
    other.page.get_by_role("button", name="Retry").click()
    row(other.page, "Carl").wait_for()
    until(lambda: not alert.is_visible(), "the alert to go")


@pytest.mark.shows("L1")
def test_an_empty_list_says_what_to_do(stage):
    ada = stage.person("Ada").sign_up()
    ada.page.get_by_text("No chats yet").wait_for()
    ada.page.get_by_role("link", name="Find somebody").click()
    ada.page.wait_for_url("**/people")
