"""Helpers for the tests of a group's page."""

import re

from people import name_of
from serving import until


def choose(page, name):
    """Finds somebody in the people field using the keyboard only, and selects them."""
    field = page.locator("input[role=combobox]")
    field.fill(name)
    page.get_by_role("option", name=re.compile(name)).first.wait_for()
    field.press("ArrowDown")
    field.press("Enter")
    page.get_by_role("list", name="Chosen people").get_by_text(name).wait_for()


def info(person, room):
    person.page.goto(f"{person.base}/chats/{room}/info")
    person.page.get_by_role("heading", name="Group info").wait_for()
    return person.page


def member(page, person):
    return page.get_by_role("list", name="Members").get_by_role("listitem").filter(has_text=name_of(person))


def act(page, person, action, sure=None):
    """Chooses an action in a member's menu, and confirms it if required."""
    page.get_by_role("button", name=f"What to do with {name_of(person)}").click()
    page.get_by_role("menuitem", name=action).click()
    if sure:
        page.get_by_role("dialog").get_by_role("button", name=sure).click()


def make_link(page, heading="Invitation links"):
    """Creates an invitation on the page, and returns its address."""
    links = page.locator("details").filter(has_text=heading)
    links.wait_for()
    # A group of one shows them already.
    if links.get_attribute("open") is None:
        links.locator("summary").click()
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_role("textbox", name="Your new link")
    link.wait_for()
    return until(lambda: link.input_value(), "the link")
