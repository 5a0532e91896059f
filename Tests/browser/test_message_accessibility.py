"""axe on everything that an open chat opens: menus, pickers, dialogs, bars; light, dark, on phones, in forced colours.
"""

import re

import pytest

from test_accessibility import SIZES, check_all


@pytest.mark.parametrize("size, options", SIZES)
@pytest.mark.shows("H4")
def test_nothing_that_a_chat_opens_has_a_violation(stage, size, options):
    ada, bob = stage.person("Ada", "Lovelace", **options).sign_up(), stage.person("Bob", "Kahn").sign_up()
    room = ada.chat_with(bob)

    def post(person, text, **more):
        status, message = person.api("POST", f"/rooms/{room}/messages", {"text": text, **more})
        assert status == 201, message
        return message["seq"]

    first = post(bob, "hello @AdaLovelace, read https://example.org/notes")
    own = post(ada, "an answer", reply_to=first)
    gone = post(ada, "gone soon")
    emoji = post(bob, "🎉")
    assert ada.api("DELETE", f"/rooms/{room}/messages/{gone}")[0] == 204
    assert ada.api("PATCH", f"/rooms/{room}/messages/{own}", {"text": "an edited answer"})[0] == 200
    for person, seq in ((ada, first), (bob, own), (ada, own)):
        assert person.api("PUT", f"/rooms/{room}/messages/{seq}/reactions/%F0%9F%91%8D")[0] == 204
    for seq in (first, own):
        assert ada.api("PUT", f"/rooms/{room}/pins/{seq}")[0] == 204
    ada.page.reload()
    ada.page.get_by_role("region", name="Pinned message").wait_for()
    ada.log.locator(f'[data-seq="{emoji}"]').wait_for()
    check_all(ada.page, size, "messages")
    menu = lambda: (ada.log.locator(f'[data-seq="{own}"] .bubble').click(button="right", position={"x": 12, "y": 60}),
                    ada.page.get_by_role("menu").wait_for())

    def opened(item, ready, what, close="Escape"):
        menu()
        ada.page.get_by_role("menuitem", name=item, exact=True).click()
        ready.first.wait_for()
        check_all(ada.page, size, what)
        if close:
            ada.page.keyboard.press(close)

    menu()
    check_all(ada.page, size, "menu")
    ada.page.keyboard.press("Escape")
    dialog = ada.page.get_by_role("dialog")
    opened("More emoji", dialog, "emoji picker")
    opened("Forward…", dialog, "forward")
    opened("Delete…", dialog, "delete")
    opened("Who reacted", dialog.get_by_text("Bob Kahn"), "who reacted")
    opened("Copy link", ada.page.get_by_text(re.compile("Link copied|Copying failed")), "notice", close=None)
    opened("Reply", ada.page.get_by_role("button", name="Cancel reply"), "reply", close=None)
    ada.message_box.press_sequentially("@")
    ada.page.get_by_role("option").first.wait_for()
    check_all(ada.page, size, "completion")
    ada.message_box.press("Escape")
    ada.message_box.fill("")
    ada.message_box.press("Escape")
    opened("Edit", ada.page.get_by_role("button", name="Cancel editing"), "edit")
    ada.page.get_by_role("button", name="All pinned messages").click()
    dialog.wait_for()
    check_all(ada.page, size, "pins")
    ada.page.keyboard.press("Escape")
    opened("Select", ada.page.get_by_role("group", name="Selected messages"), "selection", close=None)
    ada.page.get_by_role("button", name="End selection").click()
    assert ada.complaints == []
