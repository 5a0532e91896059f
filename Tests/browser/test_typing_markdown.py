"""Typing Markdown: lists, code, marks, pasted lines, and the preview."""

import re

import pytest
from playwright.sync_api import expect

from axe import violations
from serving import until

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def open_chat(stage, **options):
    ada, bob = stage.person("Ada", **options).sign_up(), stage.person("Bob").sign_up()
    return ada, ada.chat_with(bob)


def value(person, expected, what="the field"):
    until(lambda: person.message_box.input_value() == expected, f"{what}: {expected!r}")


def paste(person, text):
    """Pastes as a person does, through the clipboard's event."""
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    person.message_box.press("Control+v")


@pytest.mark.shows("K4", "K1")
def test_lists_go_on_at_shift_return_and_return_breaks_lines_of_code_only(stage):
    ada, room = open_chat(stage)
    box = ada.message_box
    box.press_sequentially("- one")
    box.press("Shift+Enter")
    value(ada, "- one\n- ")
    box.press_sequentially("two")
    box.press("Tab")
    value(ada, "- one\n  - two")
    box.press("Shift+Tab")
    value(ada, "- one\n- two")
    box.press("Shift+Enter")
    value(ada, "- one\n- two\n- ")
    box.press("Shift+Enter")
    value(ada, "- one\n- two\n", "an empty item ends the list")
    box.press("Control+z")
    value(ada, "- one\n- two\n- ", "the browser's undo")
    box.fill("1. [ ] a")
    box.press("Shift+Enter")
    value(ada, "1. [ ] a\n2. [ ] ")
    box.fill("- sent")
    box.press("Enter")
    until(lambda: ada.state("sent") in ("sent", "delivered", "read"), "Return sends, in a list too")
    value(ada, "")
    box.press_sequentially("```js")
    box.press("Enter")
    box.press("Tab")
    box.press_sequentially("go();")
    box.press("Enter")
    value(ada, "```js\n  go();\n  ", "Return breaks lines of code")
    box.press("Shift+Tab")
    box.press_sequentially("```")
    value(ada, "```js\n  go();\n```")
    box.press("Enter")
    ada.log.locator(".code-block").wait_for()
    value(ada, "")
    box.press_sequentially("```")
    box.press("Enter")
    box.press_sequentially("open")
    box.press("Control+Enter")
    until(lambda: ada.log.locator(".code-block").count() == 2, "Ctrl+Return sends from anywhere")
    assert ada.complaints == []


@pytest.mark.shows("H4", "K1")
def test_escape_then_tab_leaves_a_list(stage):
    ada, room = open_chat(stage)
    box = ada.message_box
    box.press_sequentially("- one")
    box.press("Escape")
    assert box.evaluate("field => document.activeElement === field"), "Escape stays in the field"
    box.press("Tab")
    until(lambda: not box.evaluate("field => document.activeElement === field"), "Tab to leave")
    value(ada, "- one")
    box.focus()
    box.press("Tab")
    value(ada, "  - one", "Tab indents again")


@pytest.mark.shows("H4", "K1")
def test_escape_then_tab_leaves_a_list_before_its_tools_are_loaded(stage):
    ada, room = open_chat(stage)
    box, held = ada.message_box, []
    leaves = lambda: not box.evaluate("field => document.activeElement === field")
    ada.page.route("**/writingTools*", lambda route: held.append(route))
    box.press_sequentially("- one")
    box.press("Escape")
    box.press("Tab")
    until(leaves, "Tab to leave")
    until(lambda: held, "the tools to be asked for")
    for route in held:
        route.continue_()
    box.focus()
    box.press("Tab")
    value(ada, "  - one", "Tab indents")
    box.press("Escape")
    box.press("Tab")
    until(leaves, "Tab to leave again")
    value(ada, "  - one")


@pytest.mark.shows("K5")
def test_keys_set_marks_and_take_them_away(stage):
    ada, room = open_chat(stage)
    box = ada.message_box
    for key, marked in (("b", "**word**"), ("i", "_word_"), ("e", "`word`"), ("k", "[word](url)")):
        box.fill("word")
        box.press("Control+a")
        box.press(f"Control+{key}")
        value(ada, marked)
        if key == "k":
            assert box.evaluate("f => f.value.slice(f.selectionStart, f.selectionEnd)") == "url"
            continue
        box.press(f"Control+{key}")
        value(ada, "word")
        box.press("Control+z")
        value(ada, marked, "undo")
    box.fill("the docs")
    box.press("Control+a")
    paste(ada, "https://example.com/a")
    value(ada, "[the docs](https://example.com/a)")
    box.fill("")
    box.press("Control+k")
    until(lambda: ada.page.evaluate("document.activeElement.type") == "search", "without a selection it searches")


@pytest.mark.shows("K5")
def test_pasted_lines_of_code_are_offered_as_a_block(stage):
    ada, room = open_chat(stage)
    box, code = ada.message_box, "def go():\n    return 1"
    offer = ada.page.get_by_role("button", name="Make it a code block")
    box.focus()
    paste(ada, "just\nwords")
    value(ada, "just\nwords")
    assert offer.count() == 0
    for act in (lambda: offer.click(), lambda: box.press("Control+e")):
        box.fill("")
        paste(ada, code)
        offer.wait_for()
        value(ada, code, "pasted as it is")
        act()
        value(ada, f"```\n{code}\n```\n")
        offer.wait_for(state="detached")
        assert box.evaluate("field => document.activeElement === field")
        box.press("Control+z")
        value(ada, code, "undo")
    box.fill("")
    paste(ada, code)
    offer.wait_for()
    box.press("Escape")
    offer.wait_for(state="detached")
    value(ada, code)


@pytest.mark.shows("K5", "H4")
@pytest.mark.parametrize("options", [{}, PHONE, {"color_scheme": "dark"}], ids=["wide", "phone", "dark"])
def test_the_preview_shows_what_will_be_sent_and_keeps_the_text(stage, options):
    ada, room = open_chat(stage, **options)
    box = ada.message_box
    press = ada.page.get_by_role("button", name="Preview", exact=True)
    assert press.count() == 0, "nothing to preview"
    box.fill("**bold** @Bob\n\n- one\n- two")
    box.evaluate("field => field.setSelectionRange(2, 6)")
    (press.tap if ada.touches else press.click)()
    preview = ada.page.get_by_role("region", name="Preview")
    preview.locator("strong", has_text="bold").wait_for()
    assert preview.locator("li").all_inner_texts() == ["one", "two"]
    expect(preview.locator(".mention")).to_have_text("@Bob", use_inner_text=True)
    expect(preview).to_contain_text("Only you see it", use_inner_text=True)
    expect(press).to_have_attribute("aria-pressed", "true")
    assert box.evaluate("f => [f.selectionStart, f.selectionEnd, document.activeElement === f]") == [2, 6, True]
    assert violations(ada.page) == []
    box.press("End")
    box.press_sequentially(" more")
    preview.get_by_text("more").wait_for()
    box.press("Control+Shift+p")
    preview.wait_for(state="detached")
    box.press("Control+Shift+p")
    preview.wait_for()
    box.press("Escape")
    preview.wait_for(state="detached")
    assert box.input_value().startswith("**bold** @Bob more\n")
    assert ada.log.locator("[data-state]").count() == 0
    assert ada.complaints == []


@pytest.mark.shows("K5", "K2")
def test_on_touch_buttons_do_what_keys_do(stage):
    ada, room = open_chat(stage, **PHONE)
    box = ada.message_box
    box.tap()
    box.fill("- one\n- two")
    tools = ada.page.get_by_role("toolbar", name="Formatting")
    tools.get_by_role("button", name="Further in").tap()
    value(ada, "- one\n  - two")
    tools.get_by_role("button", name="Further out").tap()
    value(ada, "- one\n- two")
    box.fill("word")
    box.evaluate("field => field.select()")
    tools.get_by_role("button", name="Bold").tap()
    value(ada, "**word**")
    for tool in tools.get_by_role("button").all():
        box_of = tool.bounding_box()
        assert box_of["width"] >= 44 and box_of["height"] >= 44
    tools.get_by_role("button", name="Bold").tap()
    value(ada, "word")
    assert ada.complaints == []
