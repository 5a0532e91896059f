"""One field for chats, people and messages. Results come from the program; failures are made by the tests."""

import json
import re
import threading

import pytest
from playwright.sync_api import expect

from chat_list_page import friends, names
from serving import until


def field(page):
    return page.get_by_role("searchbox", name="Search")


def results(page):
    return page.get_by_role("region", name="Search results")


def section(page, name):
    return results(page).get_by_role("list", name=name)


def hit(text, seq=1, room="r", word=None, kind="direct", name="Bob"):
    """A found message as returned by the API."""
    word = word or text.split()[0]
    before, _, after = text.partition(word)
    sender = {"id": "bob", "first_name": "Bob", "last_name": "", "name": "Bob", "avatar_url": "/api/v1/avatars/initials-1",
              "member": True, "online": False}
    pieces = [{"text": before, "hit": False}, {"text": word, "hit": True}, {"text": after, "hit": False}]
    return {"room_id": room, "seq": seq, "client_id": f"c{seq}", "sender": sender, "text": text, "reply_to": None,
            "created_at": "2026-03-14T09:00:00.000Z", "edited_at": None, "deleted_at": None, "mentions": [],
            "snippet": [piece for piece in pieces if piece["text"]], "room": {"id": room, "name": name, "kind": kind}}


def answers(page, answer):
    """Answers searches with `answer(q)`: messages, or a status with a problem."""
    asked = []

    def handle(route):
        q = re.search(r"[?&]q=([^&]*)", route.request.url)
        asked.append(q[1] if q else route.request.url)
        result = answer(asked[-1])
        if isinstance(result, list):
            route.fulfill(json={"users": [], "rooms": [], "messages": result})
        elif result is not None:
            status, problem = result
            route.fulfill(status=status, content_type="application/problem+json", body=json.dumps(problem))
        else:
            route.abort()
    page.route(re.compile(r"/api/v1/search\?"), handle)
    return asked


@pytest.mark.shows("Q1", "H4")
def test_keys_focus_the_field_and_names_of_chats_show_at_once(stage):
    ada = stage.person("Ada").sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    held = threading.Event()
    page.route(re.compile(r"/api/v1/search\?"), lambda route: held.is_set() and route.abort())
    for key in ("/", "Control+k"):
        page.get_by_role("heading", name="Chats").focus()
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.type("CAR")
    page.wait_for_url("**/search?q=CAR")
    assert section(page, "Chats").get_by_role("listitem").all_inner_texts()[0].split("\n")[-1].startswith("Carl")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/chats/.+"))
    expect(page.locator(".conversation h1")).to_have_text("Carl", use_inner_text=True)
    ada.message_box.press("/")
    expect(ada.message_box, "where one writes it is a letter").to_have_value("/")
    ada.message_box.fill("")
    page.goto(ada.base + "/settings")
    page.get_by_role("heading", name="Settings").wait_for()
    page.keyboard.press("/")
    page.wait_for_url("**/search")
    until(lambda: page.evaluate("document.activeElement.type") == "search", "the field, from another page")


@pytest.mark.shows("Q1", "H4")
def test_arrow_keys_walk_the_results_and_escape_goes_back(stage):
    ada = stage.person("Ada").sign_up()
    friends(stage, ada, "Bob", "Carl")
    page = ada.page
    answers(page, lambda q: [hit("bob wrote this", 1), hit("bob wrote that", 2)])
    page.keyboard.press("Control+k")
    page.keyboard.type("bob")
    section(page, "Messages").get_by_text("wrote that").wait_for()
    walked = []
    for key in ["ArrowDown"] * 5 + ["ArrowUp"] * 4:
        page.keyboard.press(key)
        walked.append(page.evaluate("document.activeElement.textContent || document.activeElement.type"))
    assert [re.sub(r"\d\d Mar", "", text) for text in walked] == [
        "BBob", "Search GitHub for “bob”", "BBobin Bobbob wrote this", "BBobin Bobbob wrote that",
        "BBobin Bobbob wrote that", "BBobin Bobbob wrote this", "Search GitHub for “bob”", "BBob", "search"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    page.wait_for_url("**/chats")
    until(lambda: names(page) == ["Carl", "Bob"] and field(page).input_value() == "", "the list again")
    assert not results(page).is_visible()


@pytest.mark.shows("Q1")
def test_hits_are_highlighted_and_never_markup(stage):
    ada = stage.person("Ada").sign_up()
    answers(ada.page, lambda q: [hit("<b>bold</b> & <img src=x onerror=alert(1)>", word="bold")])
    ada.page.goto(ada.base + "/search?q=bold")
    row = section(ada.page, "Messages").get_by_role("listitem")
    row.wait_for()
    expect(row).to_contain_text("<b>bold</b> & <img src=x onerror=alert(1)>", use_inner_text=True)
    assert row.locator("mark").all_inner_texts() == ["bold"] and row.locator("b, img").count() == 0
    expect(field(ada.page), "an address can be kept").to_have_value("bold")
    assert ada.complaints == []


@pytest.mark.shows("Q1")
def test_only_the_last_search_is_shown(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page
    waiting = {}
    page.route(re.compile(r"/api/v1/search\?"), lambda route: waiting.setdefault(route.request.url[-2:], route))
    page.keyboard.press("/")
    page.keyboard.type("a")
    until(lambda: page.evaluate("1") and "=a" in waiting, "the first question")
    page.keyboard.type("b")
    until(lambda: page.evaluate("1") and "ab" in waiting, "the second")
    waiting["ab"].fulfill(json={"users": [], "rooms": [], "messages": [hit("ab it is")]})
    section(page, "Messages").get_by_text("it is").wait_for()
    try:
        waiting["=a"].fulfill(json={"users": [], "rooms": [], "messages": [hit("a too late")]})
    except Exception:  # aborted by the page
        pass
    assert results(page).get_by_text("too late").count() == 0


@pytest.mark.shows("Q1")
def test_errors_say_what_to_do(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page
    detail = "A day is written as 2026-03-14."
    replies = {"log": (500, {"type": "/problems/internal", "title": "x", "status": 500, "detail": "x"}),
               "before%3Ax": (422, {"type": "/problems/invalid", "title": "x", "status": 422, "detail": "x",
                                    "errors": [{"field": "q", "code": "invalid", "detail": detail}]})}
    answers(page, lambda q: replies.get(q, []))
    page.goto(ada.base + "/search?q=log")
    alert = results(page).get_by_role("alert").filter(visible=True)
    alert.filter(has_text="The search failed.").wait_for()
    replies.pop("log")
    alert.get_by_role("button", name="Retry").click()
    results(page).get_by_text("Nothing found for “log”").wait_for()
    field(page).fill("before:x")
    alert.filter(has_text=detail).wait_for()
    assert alert.get_by_role("button").filter(visible=True).count() == 0, "trying again would not help"
    field(page).fill("")
    results(page).get_by_text("Search everything").wait_for()
    assert page.url.endswith("/search")


@pytest.mark.shows("Q1", "S5")
def test_offline_is_shown_and_the_search_resumes_by_itself(stage, bad_network):
    ada = stage.person("Ada", base=bad_network.url).sign_up()
    friends(stage, ada, "Bob")
    page = ada.page
    field(page).focus()
    until(lambda: page.evaluate("[...document.styleSheets].some(s => s.href && s.href.endsWith('later/search.css'))"), "it")
    bad_network.go_down()
    until(lambda: ada.connection == "offline", "the page to notice")
    page.keyboard.type("bob")
    section(page, "Chats").get_by_text("Bob").wait_for()
    results(page).get_by_text("You are offline").wait_for()
    asked = answers(page, lambda q: [hit("bob is back")])
    bad_network.come_back()
    section(page, "Messages").get_by_text("bob is back").wait_for()
    assert asked and not results(page).get_by_text("You are offline").is_visible()


@pytest.mark.shows("Q1")
def test_words_that_narrow_it_down_are_offered(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page
    asked = answers(page, lambda q: [])
    page.goto(ada.base + "/search")
    chips = results(page).get_by_role("group", name="Narrow it down").get_by_role("button")
    until(lambda: chips.all_inner_texts() == ["from:", "in:", "before:", "after:", "has:"], "the words")
    field(page).fill("tea")
    chips.filter(has_text="has:").click()
    expect(field(page)).to_have_value("tea has:")
    until(lambda: chips.all_inner_texts() == ["has:link", "has:code", "has:mention"], "what can follow")
    chips.filter(has_text="has:link").click()
    expect(field(page)).to_have_value("tea has:link ")
    until(lambda: page.evaluate("1") and "tea+has%3Alink" in asked, f"the question, not only {asked}")
    assert results(page).get_by_role("link", name="Search GitHub").filter(visible=True).count() == 0


@pytest.mark.shows("Q1")
def test_more_messages_are_loaded_near_the_end(stage):
    ada = stage.person("Ada").sign_up()
    page = ada.page

    def handle(route):
        start = int((re.search(r"cursor=(\d+)", route.request.url) or [0, 200])[1])
        page_of = [hit(f"log {number}", number) for number in range(start, start - 50, -1)]
        link = {"Link": f'</api/v1/search?q=log&cursor={start - 50}>; rel="next"'} if start > 50 else {}
        route.fulfill(json={"users": [], "rooms": [], "messages": page_of}, headers=link)
    page.route(re.compile(r"/api/v1/search\?"), handle)
    page.goto(ada.base + "/search?q=log")
    found = section(page, "Messages").get_by_role("listitem")
    until(lambda: found.count() == 50, "the first page")
    for _ in range(40):
        page.locator(".search-view .list-body").evaluate("pane => { pane.scrollTop = pane.scrollHeight; }")
        if found.count() == 200:
            break
        page.wait_for_load_state("networkidle")
    expect(found).to_have_count(200)
    results(page).get_by_text("That is everything.").wait_for()


@pytest.mark.shows("Q1")
def test_a_phone_goes_from_the_results_to_the_chat_and_back(stage):
    ada = stage.person("Ada", viewport={"width": 360, "height": 740}, has_touch=True).sign_up()
    (bob,), (room,) = friends(stage, ada, "Bob")
    page = ada.page
    answers(page, lambda q: [hit("hello from Bob", 1, room)])
    field(page).tap()
    page.keyboard.type("hello")
    section(page, "Messages").get_by_text("from Bob").tap()
    page.wait_for_url(f"**/chats/{room}?at=1&found=hello")
    ada.row("hello from Bob").first.wait_for()
    assert not results(page).is_visible()
    page.get_by_role("link", name="Back").tap()
    page.wait_for_url("**/search?q=hello")
    section(page, "Messages").get_by_text("from Bob").wait_for()
    expect(field(page)).to_have_value("hello")
    page.get_by_role("link", name="Chats").first.tap()
    page.wait_for_url("**/chats")
    until(lambda: names(page) == ["Bob"] and field(page).input_value() == "", "the list")


@pytest.mark.shows("Q1")
def test_the_title_says_what_is_searched(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    page = ada.page
    room = ada.chat_with(bob)
    ada.say("a turbine")
    page.goto(f"{ada.base}/search?q=turbine")
    until(lambda: page.title() == "Search: turbine · Hubbub", "the title of a search")
    field(page).fill("engine")
    until(lambda: page.title() == "Search: engine · Hubbub", "the title of what is typed")
    page.goto(f"{ada.base}/chats/{room}")
    until(lambda: page.title().startswith("Bob"), "the title of a chat")
