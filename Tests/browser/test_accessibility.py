"""axe on every page, light and dark, on desktop and phones, and in forced colours: no violations."""

import pytest

from axe import violations

FORMS = [
    ("light", {"color_scheme": "light"}),
    ("dark", {"color_scheme": "dark"}),
    ("phone", {"viewport": {"width": 360, "height": 740}, "has_touch": True}),
    ("320", {"viewport": {"width": 320, "height": 640}, "has_touch": True, "color_scheme": "dark"}),
    ("forced", {"forced_colors": "active"}),
]
# On a desktop a page is checked in all colour schemes, one after the other; a phone has one.
SIZES = [("desk", {})] + [(form, options) for form, options in FORMS if "viewport" in options]
COLOURS = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "light", "forced_colors": "active"},
}


def check(page, where):
    """Checks that a completely loaded page (with its heading) has no violations."""
    page.locator("h1:visible").first.wait_for()
    found = violations(page)
    assert not found, f"{where}: " + "; ".join(f"{v['id']}: {v['help']} at {v['at']}" for v in found)


def colours(page, size):
    """Switches the page to each of its colour schemes, and yields the scheme's name."""
    if size != "desk":
        yield size
        return
    for name, media in COLOURS.items():
        page.emulate_media(**media)
        yield name
    page.emulate_media(**COLOURS["light"])


def check_all(page, size, where):
    """The same in all colour schemes for this size."""
    for form in colours(page, size):
        check(page, f"{form} {where}")


@pytest.mark.parametrize("size, options", SIZES)
@pytest.mark.shows("H4")
def test_no_page_has_a_violation(stage, size, options):
    ada = stage.person("Ada", "Lovelace", **options)
    for path in ("/sign-in", "/sign-up"):
        ada.page.goto(ada.base + path)
        ada.page.get_by_role("textbox", name="Email").wait_for()
        check_all(ada.page, size, path)
    ada.sign_up()
    check_all(ada.page, size, "/chats, empty")
    status, room = ada.api("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"})
    assert status == 201, room
    ada.open(room["id"])
    check_all(ada.page, size, "conversation, empty")
    ada.say("hello")
    ada.log.locator('[data-state="received"]').first.wait_for()
    check_all(ada.page, size, "conversation")
    for path in ("/chats", "/people", "/news", "/settings", "/nowhere"):
        ada.page.goto(ada.base + path)
        ada.page.get_by_role("link", name="Chats").first.wait_for()
        if path == "/people":
            ada.page.get_by_role("list", name="People").get_by_role("listitem").first.wait_for()
        check_all(ada.page, size, path)
    assert [c for c in ada.complaints if "404" not in c] == []
