"""A complete chat between two people using only the keyboard, with the shortcuts and their help."""

import re

import pytest
from playwright.sync_api import expect

from api_client import PASSWORD
from serving import until


class Keys:
    """Somebody without a pointer: every key press goes to the focused element."""

    def __init__(self, person):
        self.person, self.page = person, person.page

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.type(text)

    @property
    def focused(self):
        """Role and name of the focused element, as exposed to assistive technology."""
        return self.page.evaluate("""() => { const n = document.activeElement; if (n === document.body) return ''; const text = n.getAttribute('aria-label')
          ?? n.labels?.[0]?.textContent ?? n.textContent; return `${n.getAttribute('role') ?? n.localName} ${text.trim()}`; }""")

    def tab_to(self, pattern, key="Tab", most=60):
        """Presses Tab until the wanted element has the focus, if it does not already; it must be visible."""
        for _ in range(most):
            if re.search(pattern, self.focused):
                assert self.page.evaluate("""() => { const n = document.activeElement; const s = getComputedStyle(n);
                  const b = n.getBoundingClientRect(); return b.width > 0 && n.matches(':focus-visible')
                  && (s.outlineStyle !== 'none' || s.boxShadow !== 'none' || n.matches('input, textarea, select')); }"""), self.focused
                return
            self.press(key)
        raise AssertionError(f"no {pattern} within {most} tabs; at last {self.focused}")

    def to_message(self, text):
        """From the field to the messages, and up to the one with this text."""
        self.press("Shift+Tab")
        for _ in range(20):
            assert self.page.evaluate("document.activeElement.matches('.message')"), self.focused
            before = self.focused
            if text in before:
                return
            self.press("ArrowUp")
            # The messages' key handlers are loaded with the first key press.
            until(lambda: self.focused != before, "another message to have the focus")
        raise AssertionError(f"no {text}; at last {self.focused}")

    def choose(self, item):
        """Selects an item of the open menu by pressing its first letter until it is the focused one."""
        self.page.get_by_role("menuitem", name=item).first.wait_for()
        until(lambda: re.search(f"^menuitem {item}", self.focused) or self.press(item[0].lower()), item)
        self.press("Enter")

    def until_focused(self, pattern):
        until(lambda: re.search(pattern, self.focused), f"{pattern} to have the focus, which {self.focused} has")


@pytest.mark.shows("H4", "C7", "L3")
def test_two_people_talk_by_keyboard_only(stage):
    ada, bob = stage.person("Ada", "Lovelace"), stage.person("Bob", "Kahn")
    bob.sign_up()
    keys, page = Keys(ada), ada.page
    page.goto(ada.base + "/sign-up")
    page.get_by_role("button", name="Create account").wait_for()
    for label, text in (("First name", "Ada"), ("Last name", "Lovelace"), ("Email", ada.email), ("Password", PASSWORD)):
        keys.tab_to(label)
        keys.type(text)
    keys.press("Enter")
    page.wait_for_url("**/chats")
    page.get_by_text("No chats yet").wait_for()
    # A new group through `n` and its menu; then the other way, through people, and back.
    keys.press("n")
    page.get_by_role("menu").wait_for()
    keys.press("ArrowDown", "Enter")
    page.wait_for_url("**/rooms/new")
    keys.until_focused("New group|Name")
    keys.tab_to("Name")
    keys.type("Engine")
    keys.tab_to("^input .*Add people|combobox")
    keys.type("Bob")
    page.get_by_role("option").first.wait_for()
    keys.press("ArrowDown", "Enter")
    keys.tab_to("Create group")
    keys.press("Enter")
    page.wait_for_url(re.compile("/chats/[0-9a-f-]{36}"))
    keys.until_focused("Message")
    direct = bob.chat_with(ada)
    bob.say("first")
    bob.say("second")
    page.get_by_role("list", name="Chats").get_by_role("link", name=re.compile("Bob Kahn")).wait_for()
    # From chat to chat, and into the list and back.
    keys.press("Alt+ArrowUp")
    page.wait_for_url(f"**/chats/{direct}")
    keys.until_focused("Message")
    ada.row("second").wait_for()
    keys.type("an answer")
    keys.press("Shift+Enter")
    keys.type("of two lines")
    keys.press("Enter")
    until(lambda: bob.row("of two lines").count() == 1, "the answer at Bob's")
    # Through the messages: the menu of one, a reply to it.
    keys.to_message("first")
    keys.press("Enter")
    menu = page.get_by_role("menu")
    menu.wait_for()
    keys.choose("Reply")
    keys.until_focused("Message")
    keys.type("I reply")
    keys.press("Enter")
    until(lambda: bob.row("I reply").count() == 1, "the reply at Bob's")
    # The last message again with the arrow key; then a reaction, and its removal.
    keys.press("ArrowUp")
    page.get_by_role("button", name="Cancel editing").wait_for()
    keys.press("End")
    keys.type(", edited")
    keys.press("Enter")
    for person in (bob, ada):
        until(lambda: person.row("I reply, edited").count() == 1, f"the edit at {person.first}'s")
    keys.to_message("I reply, edited")
    keys.press("Shift+F10")
    menu.wait_for()
    keys.press("ArrowUp", "ArrowDown")
    until(lambda: "React with" in keys.focused or keys.press("ArrowUp"), "the line of reactions")
    keys.press("ArrowRight", "Enter")
    bob.log.locator(".reactions button, .reaction").first.wait_for()
    keys.until_focused("I reply, edited")
    for key, text in (("Home", "first"), ("End", "I reply, edited")):
        keys.press(key)
        keys.until_focused(text)
    keys.press("Enter")
    menu.wait_for()
    keys.choose("Delete")
    page.get_by_role("dialog").wait_for()
    keys.tab_to("Delete for everyone", most=5)
    keys.press("Enter")
    until(lambda: bob.row("I reply").count() == 0, "the message to go at Bob's")
    # Escape: from the messages to the field, from there to the row in the list, whose menu mutes the chat.
    keys.press("Escape")
    keys.until_focused("Message")
    keys.press("Escape")
    keys.until_focused("Bob Kahn")
    keys.press("ArrowDown")
    keys.until_focused("Engine")
    keys.press("Home", "Shift+F10")
    menu.wait_for()
    keys.choose("Mute")
    page.get_by_role("list", name="Chats").get_by_role("img", name="Muted").wait_for()
    keys.until_focused("Bob Kahn")
    # Search, and back; then, outside the chat, the places by two letters.
    keys.press("Control+k")
    keys.until_focused("Search")
    keys.type("answer")
    page.get_by_role("heading", name="Messages").wait_for()
    keys.press("Escape")
    until(lambda: "/search" not in page.url, "the search to close")
    page.get_by_role("list", name="Chats").get_by_role("link").first.wait_for()
    keys.tab_to("^a People", key="Shift+Tab")
    keys.press("Enter")
    keys.until_focused("^h1")
    for letter, place in (("n", "news"), ("p", "people"), ("c", "chats"), ("s", "settings")):
        keys.press("g", letter)
        page.wait_for_url(f"**/{place}")
    keys.until_focused("Settings")
    help_and_switch(keys)
    # The language by keyboard too; the page is reloaded in it.
    keys.tab_to("Language of Hubbub", key="Shift+Tab")
    keys.type("D")
    keys.tab_to("Use this language", most=3)
    keys.press("Enter")
    page.get_by_role("heading", name="Einstellungen").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert ada.complaints == []


def help_and_switch(keys):
    """`?` opens the help, which returns the focus; single-key shortcuts can be disabled, on the settings page too."""
    page = keys.page
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    before = keys.focused
    keys.press("?")
    dialog.wait_for()
    assert dialog.get_by_role("row").count() > 20
    expect(dialog.get_by_role("row", name=re.compile("Next or previous chat"))).to_have_count(1)
    keys.press("n")
    assert page.get_by_role("menu").count() == 0
    keys.press("Escape")
    dialog.wait_for(state="detached")
    assert keys.focused == before
    keys.press("Control+/")
    dialog.wait_for()
    keys.tab_to("Single keys", most=5)
    keys.press("Space")
    keys.press("Escape")
    dialog.wait_for(state="detached")
    keys.press("?", "n", "g", "c", "/")
    keys.tab_to("Show keyboard shortcuts")
    assert dialog.count() == 0 and "/settings" in page.url
    switch = page.get_by_role("switch", name="Single keys")
    keys.press("Enter")
    dialog.wait_for()
    keys.tab_to("Single keys", most=5)
    keys.press("Space", "Escape")
    dialog.wait_for(state="detached")
    keys.until_focused("Show keyboard shortcuts")
    expect(switch).to_be_checked()


@pytest.mark.shows("C7", "H4")
def test_a_message_pressed_before_its_tools_have_loaded_opens_its_menu(stage):
    ada, bob = stage.person("Ada", "Lovelace").sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = bob.chat_with(ada)
    bob.say("first")
    bob.say("second")
    page = ada.page
    held = []
    page.route("**/pages/chatPageLater.js", lambda route: held.append(route))
    for press in (lambda: ada.row("second").click(button="right"), lambda: page.keyboard.press("Enter")):
        held.clear()
        ada.open(room)
        ada.row("second").wait_for()
        until(lambda: page.evaluate("1") and held, "the tools to be asked for")
        page.keyboard.press("Shift+Tab")
        press()
        assert page.get_by_role("menu").count() == 0
        held[0].continue_()
        page.get_by_role("menu").wait_for()
    assert ada.complaints == []
