"""Helpers for the tests of the chat list."""

from api_client import Client
from serving import until

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def chats(page):
    return page.get_by_role("list", name="Chats", exact=True)


def row(page, name):
    return chats(page).get_by_role("listitem").filter(has_text=name)


def names(page):
    """The rows' names from top to bottom, in visual order."""
    return page.evaluate("""() => [...document.querySelectorAll('.chat-rows > li')]
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map(li => li.querySelector('.name').textContent)""")


def menu(page):
    return page.get_by_role("menu")


def choose(page, name, action):
    """Opens a row's menu with the pointer and chooses an action."""
    row(page, name).click(button="right")
    menu(page).get_by_role("menuitem", name=action).click()


def again(stage, person, **options):
    """The same person on another device."""
    other = stage.person(person.first, **options)
    other.email = person.email
    return other.sign_in()


def friends(stage, ada, *first_names):
    """People without a browser, each of whom has written to Ada once. Returns their clients and rooms."""
    people, rooms = [], []
    for name in first_names:
        friend = Client(stage.server, name, "")
        room = friend.request("POST", "/rooms", {"kind": "direct", "user_id": ada.id}).data["id"]
        write(friend, room, f"hello from {name}")
        people.append(friend)
        rooms.append(room)
    until(lambda: chats(ada.page).get_by_role("listitem").count() >= len(people), "all rows")
    return people, rooms


def write(person, room, text):
    answer = person.request("POST", f"/rooms/{room}/messages", {"text": text})
    assert answer.status == 201, answer
    return answer.data["seq"]


def no_toasts(page):
    """Removes the toasts, which on a phone cover the first rows."""
    until(lambda: page.locator(".toast").count() == 0 or page.keyboard.press("Escape"), "no toast")


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch_ready(page):
    until(lambda: page.evaluate("[...document.styleSheets].some(s => s.href && s.href.endsWith('later/list.css'))"), "swiping")
    no_toasts(page)


def left_edge(locator):
    return locator.get_by_role("link").bounding_box()["x"]


def start_edge(locator, direction):
    """The row's edge at the start of its text. The opposite edge moves less, because a swiped row also gets narrower."""
    box = locator.get_by_role("link").bounding_box()
    return box["x"] + (box["width"] if direction == "rtl" else 0)
