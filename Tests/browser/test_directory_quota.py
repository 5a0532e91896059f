"""The cost of browsing in requests of the quota, counted by the stand-in's own header fields."""

import pytest

from directory_page import people, rows, scroller, seen
from serving import until


def used(person):
    """The number of requests counted so far, by resource."""
    return {reading["resource"]: reading["used"] for reading in person.api("GET", "/github/quota")[1]}


class Spent:
    """Measures one scenario after the other and prints the cost of each."""

    def __init__(self, person):
        self.person, self.before = person, used(person)

    def since(self, what):
        now = used(self.person)
        cost = {name: count - self.before.get(name, 0) for name, count in now.items()}
        self.before = now
        cost = {name: count for name, count in cost.items() if count}
        print(f"quota: {what}: {cost or 'nothing'}")
        return cost


@pytest.mark.shows("D5")
def test_quota_spent_per_scenario(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    print()
    spent = Spent(ada)
    ada.page.goto(ada.base + "/people")
    until(lambda: len(seen(ada)) > 5 and all(row["source"] for row in seen(ada)), "people with pictures")
    assert spent.since("the list of users is opened, with its pictures") == {"core": 1}
    ada.page.goto(ada.base + "/chats")
    ada.page.goto(ada.base + "/people")
    bob.page.goto(bob.base + "/people")
    for person in (ada, bob):
        people(person).get_by_text("mojombo").first.wait_for()
    assert spent.since("she comes back within a minute, and somebody else comes") == {}

    def at_end():
        scroller(ada).evaluate("body => { body.scrollTop = body.scrollHeight; }")
        return ada.page.get_by_text("That is everybody.").is_visible()

    until(at_end, "the end")
    pages = (int(rows(ada).last.get_attribute("aria-setsize")) + 99) // 100
    assert spent.since(f"she scrolls to the end, {pages} pages") == {"core": pages - 1}
    for path in ("/people/rtyler/followers", "/people/RTYLER/followers", "/people/Rtyler/followers"):
        bob.page.goto(bob.base + path)
        rows(bob).first.wait_for()
    assert spent.since("three ways to write one login") == {"core": 1}
    field = ada.page.get_by_role("searchbox", name="Search")
    field.press_sequentially("tomdale", delay=40)
    people(ada).get_by_text("tomdale", exact=True).wait_for()
    until(lambda: all(row["text"] == "tomdale" for row in seen(ada)), "the search")
    assert spent.since("a name is typed into the search") == {"search": 1}
    people(ada).get_by_text("tomdale", exact=True).click()
    ada.page.wait_for_url("**/chats/*")
    assert spent.since("who was found is written to") == {}
    for _ in range(5):
        assert ada.api("GET", "/github/users/nobody-of-this-name/followers")[0] == 404
    assert spent.since("a login that is nobody's, five times") == {"core": 1}
