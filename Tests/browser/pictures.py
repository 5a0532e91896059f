"""Takes pictures of every page of the app in four forms, and of some pages in German and from right to left:
`PYTHONPATH=Tests/api .tools/python/bin/python Tests/browser/pictures.py [FOLDER] [PAGE…]`.
With `FORMS="wide-light phone-dark"` it takes those forms only.

A picture is `<page>-<form>.png`, a sheet of all forms of a page `sheet-<page>.png`. This is no test: it only checks
that each page can be reached.
"""

import os
import pathlib
import re
import sys
import tempfile
import traceback

from playwright.sync_api import Error, sync_playwright

from chat_list_page import middle, touch_ready
from directory_page import fault
from fingers import Finger
from picture_world import World
from proxy import Proxy
from serving import Server, until
from stage import ARTIFACTS, Stage
from test_zoom import RTL

WIDE, PHONE = {}, {"viewport": {"width": 360, "height": 740}, "has_touch": True}
# Name: options of the browser, a script, and whether every page is taken in it.
FORMS = {
    "wide-light": (WIDE, None, True),
    "wide-dark": ({**WIDE, "color_scheme": "dark"}, None, True),
    "phone-light": (PHONE, None, True),
    "phone-dark": ({**PHONE, "color_scheme": "dark"}, None, True),
    "wide-german": ({**WIDE, "locale": "de-DE"}, None, False),
    "phone-german": ({**PHONE, "locale": "de-DE"}, None, False),
    "wide-rtl": (WIDE, RTL, False),
    "phone-rtl": (PHONE, RTL, False),
}
SAMPLE = {"sign-in", "chats", "conversation", "group-info", "people", "news", "settings", "welcome", "settings-section"}


class Album:
    """All pictures of one form."""

    def __init__(self, stage, world, folder, form, only):
        self.options, self.script, self.whole = FORMS[form]
        self.stage, self.world, self.folder, self.form, self.only = stage, world, folder, form, only
        self.ada = self.someone(world.ada)
        self.page = self.ada.page

    def someone(self, client=None, **options):
        person = self.stage.person("Ada", "Lovelace", reduced_motion="reduce", **{**self.options, **options})
        if self.script:
            person.context.add_init_script(self.script)
        if client:
            name, value = client.cookie.split("=", 1)
            person.context.add_cookies([{"name": name, "value": value, "url": person.base}])
        return person

    def wants(self, *names):
        return any((self.whole or name in SAMPLE) and (not self.only or name in self.only) for name in names)

    def take(self, name, page=None, long=False):
        """A picture of what is there once nothing is on its way any more."""
        if not self.wants(name):
            return
        page = page or self.page
        until(lambda: page.locator(".avatar img:not([data-loaded])").filter(visible=True).count() == 0, "all faces", 20)
        size = page.viewport_size
        if long:
            # The page itself never scrolls: what is within is seen whole in a window as high as that.
            height = page.evaluate("Math.max(...[...document.querySelectorAll('.scroller')].map(n => n.scrollHeight))")
            page.set_viewport_size({"width": size["width"], "height": height + 120})
        page.screenshot(path=self.folder / f"{name}-{self.form}.png", animations="disabled")
        if long:
            page.set_viewport_size(size)

    def go(self, path, *, person=None, ready="h1:visible"):
        person = person or self.ada
        person.page.goto(person.base + path)
        person.page.locator(ready).first.wait_for()

    def all(self):
        for part in (self.doors, self.lists, self.chat, self.groups, self.people, self.news, self.settings,
                     self.troubles):
            try:
                part()
            except (Error, AssertionError) as error:
                # The other pages are worth seeing all the same.
                print(f"{self.form}, {part.__name__}: {error}".splitlines()[0], self.page.url, file=sys.stderr)
                traceback.print_exc()
        self.ada.context.close()

    def doors(self):
        """What somebody sees who is not signed in, and who is new."""
        if self.wants("sign-in", "sign-up", "sign-in-wrong", "sign-up-wrong"):
            nobody = self.someone()
            page = nobody.page
            self.go("/sign-in", person=nobody, ready="input[type=email]")
            self.take("sign-in", page)
            self.go("/sign-up", person=nobody, ready="input[type=email]")
            self.take("sign-up", page)
            page.locator("form").evaluate("form => form.requestSubmit()")
            page.locator("[aria-invalid=true]").first.wait_for()
            self.take("sign-up-wrong", page)
            self.go("/sign-in", person=nobody, ready="input[type=email]")
            page.locator("input[type=email]").fill("ada@example.com")
            page.locator("input[type=password]").fill("not the right one")
            page.locator("form").evaluate("form => form.requestSubmit()")
            page.locator(".form-error:visible, [aria-invalid=true]").first.wait_for()
            self.take("sign-in-wrong", page)
            nobody.context.close()
        if self.wants("chats-empty", "welcome"):
            new = self.someone(self.world.new)
            self.go("/chats", person=new)
            new.page.wait_for_load_state("networkidle")
            self.take("chats-empty", new.page)
            new.page.locator(".welcome").wait_for()
            self.take("welcome", new.page)
            new.context.close()

    def lists(self):
        if self.wants("chats", "chats-menu"):
            self.go("/chats", ready=".chat-rows > li")
            self.take("chats")
            self.page.locator(".chat-rows > li").nth(2).click(button="right")
            self.page.get_by_role("menu").wait_for()
            self.take("chats-menu")
            self.page.keyboard.press("Escape")
        if self.wants("search", "search-nothing"):
            self.go("/search?q=tea", ready=".search-view li")
            self.take("search")
            self.go("/search?q=zeppelin")
            self.page.locator(".search-view .list-body").get_by_text("zeppelin").first.wait_for()
            self.take("search-nothing")

        if self.ada.touches and self.wants("row-swiped"):
            self.go("/chats", ready=".chat-rows > li")
            touch_ready(self.page)
            swiped, finger = self.page.locator(".chat-rows > li").nth(3), Finger(self.page)
            finger.down(*middle(swiped))
            finger.move(-200, 0)
            finger.up()
            self.take("row-swiped")

    def open(self, room):
        self.go(f"/chats/{room}", ready="[role=log] [data-seq]")
        self.page.evaluate("document.fonts.ready")
        later = "[...document.styleSheets].some(sheet => sheet.href?.includes('later/'))"
        until(lambda: self.page.evaluate(later), "later styles")

    def message_menu(self, seq):
        row = self.page.locator(f'[role=log] [data-seq="{seq}"]')
        row.locator(".bubble").click(button="right", position={"x": 12, "y": 12})
        menu = self.page.get_by_role("menu")
        menu.wait_for()
        return menu

    def chat(self):
        names = ("conversation", "message-menu", "emoji", "reply", "delete", "forward", "selection", "failed",
                 "conversation-top", "message-bar", "person-card", "swipe-reply", "row-swiped", "found", "unread",
                 "removed")
        if not self.wants(*names):
            return
        page, world = self.page, self.world
        self.open(world.room)
        page.locator(".pins").wait_for()
        self.take("conversation")
        if not self.whole:
            return
        self.gestures()
        self.message_menu(world.last)
        self.take("message-menu")
        page.get_by_role("menuitem", name="More emoji").click()
        page.get_by_role("dialog", name="Choose an emoji").get_by_role("button").nth(20).wait_for()
        self.take("emoji")
        page.keyboard.press("Escape")
        self.message_menu(world.last).get_by_role("menuitem", name="Reply").click()
        self.ada.message_box.fill("Two kinds of tea, even.\nAnd the good biscuits")
        self.take("reply")
        page.keyboard.press("Escape")
        self.ada.message_box.fill("")
        self.message_menu(world.last - 1).get_by_role("menuitem", name="Delete").click()
        page.get_by_role("dialog").wait_for()
        self.take("delete")
        page.keyboard.press("Escape")
        self.message_menu(world.last).get_by_role("menuitem", name="Forward").click()
        dialog = page.get_by_role("dialog")
        for index in (1, 3):
            dialog.get_by_role("listitem").nth(index).get_by_role("button").click()
        dialog.get_by_role("textbox", name=re.compile("Comment|Kommentar")).fill("From the other chat")
        self.take("forward")
        page.keyboard.press("Escape")
        self.message_menu(world.last).get_by_role("menuitem", name="Select").click()
        page.get_by_role("group", name="Selected messages").wait_for()
        self.take("selection")
        page.keyboard.press("Escape")
        page.route("**/api/v1/rooms/*/messages", lambda route: route.fulfill(
            status=422, content_type="application/problem+json", body='{"type":"/problems/invalid","title":"Invalid",'
            '"status":422,"detail":"This cannot be sent.","request_id":"x","errors":[]}'))
        self.ada.say("This one does not go out")
        page.locator('[role=log] [data-state="failed"]').wait_for()
        self.take("failed")
        page.unroute("**/api/v1/rooms/*/messages")
        page.locator("[role=log]").evaluate("log => { log.closest('.scroller').scrollTop = 0; }")
        self.take("conversation-top")

    def gestures(self):
        """What a pointer, or a finger, finds at a message."""
        page, world = self.page, self.world
        bubble = page.locator(f'[role=log] [data-seq="{world.last}"] .bubble')
        if self.ada.touches and self.wants("swipe-reply"):
            finger = Finger(page)
            finger.down(*middle(bubble))
            finger.move(-80, 1)
            self.take("swipe-reply")
            finger.move(80, 0)
            finger.up()
        elif self.wants("message-bar"):
            bubble.hover()
            page.locator(".message-bar").wait_for()
            self.take("message-bar")
        if self.wants("found"):
            self.go(f"/chats/{world.room}?at=8&found=open&found=room", ready="[data-found] mark")
            self.take("found")
            self.open(world.room)
        if self.wants("unread"):
            world.ask(world.ada, "PUT", f"/rooms/{world.room}/receipt", {"unread_from": 6})
            self.open(world.room)
            page.locator(".below.new").wait_for()
            self.take("unread")
            world.ask(world.ada, "PUT", f"/rooms/{world.room}/receipt", {"read_seq": world.last})
            self.open(world.room)
        if self.wants("removed"):
            room = world.ask(world.grace, "POST", "/rooms", {
                "kind": "group", "name": "Difference engine", "member_ids": [world.ada.id]})["id"]
            self.go(f"/chats/{room}", ready=".composer")
            world.ask(world.grace, "DELETE", f"/rooms/{room}/members/{world.ada.id}")
            page.locator(".conversation[data-missing]").wait_for()
            self.take("removed")
            self.open(world.room)
        if self.wants("person-card"):
            self.open(world.by_login["mojombo"])
            face = page.locator(".message > .avatar").last
            face.tap() if self.ada.touches else face.click()
            page.get_by_role("dialog").get_by_role("link", name="GitHub").wait_for()
            page.wait_for_load_state("networkidle")
            self.take("person-card")
            page.keyboard.press("Escape")
            self.open(world.room)

    def groups(self):
        page, world = self.page, self.world
        if self.wants("group"):
            self.open(world.group)
            page.locator(".pins").wait_for()
            page.locator(".change-line").nth(3).wait_for()
            self.take("group")
        if self.wants("group-alone"):
            alone = world.ask(world.ada, "POST", "/rooms", {"kind": "group", "name": "Difference engine"})["id"]
            self.go(f"/chats/{alone}", ready=".log-frame > .empty .ways")
            self.take("group-alone")
            world.ask(world.ada, "DELETE", f"/rooms/{alone}/membership")
        if self.wants("group-info"):
            self.go(f"/chats/{world.group}/info", ready=".member-row")
            self.take("group-info", long=True)
        if self.wants("group-new"):
            self.go("/rooms/new", ready=".form-page form")
            self.take("group-new", long=True)
        if self.wants("rooms"):
            self.go("/rooms", ready=".form-page li")
            self.take("rooms")
        if self.wants("person-info"):
            self.go(f"/chats/{world.room}/info", ready="h2:visible")
            self.take("person-info", long=True)
        if self.wants("invitation", "invitation-out", "invitation-ended"):
            link = world.ask(world.ada, "POST", f"/rooms/{world.group}/invitations", {})["url"]
            path = "/invite/" + link.rsplit("/", 1)[1]
            new, nobody = self.someone(world.new), self.someone()
            self.go(path, person=new)
            new.page.get_by_role("button", name=re.compile("Engine room")).wait_for()
            self.take("invitation", new.page)
            self.go(path, person=nobody)
            nobody.page.get_by_text("Engine room").first.wait_for()
            self.take("invitation-out", nobody.page)
            self.go("/invite/none", person=nobody)
            self.take("invitation-ended", nobody.page)
            new.context.close()
            nobody.context.close()

    def people(self):
        rows = "ul.rows li[data-github-id]"
        for name, path in (("people", "/people"), ("people-search", "/people?q=tom"), ("organisation", "/orgs/github"),
                           ("followers", "/people/mojombo/followers"), ("people-nobody", "/people?q=xqzzt")):
            if self.wants(name):
                self.go(path, ready=rows if name != "people-nobody" else ".list-body .empty:visible")
                self.take(name)
        if self.wants("people-beside") and not self.ada.touches:
            self.go("/people", ready=rows)
            self.page.locator(rows).first.get_by_role("button").click()
            self.page.locator("[role=log]").wait_for()
            self.page.wait_for_load_state("networkidle")
            self.take("people-beside")
        if self.wants("person"):
            self.go("/people/mojombo", ready=".profile-head")
            self.take("person")

    def news(self):
        if self.wants("news", "item"):
            self.go("/news", ready="article")
            self.take("news")
            if self.whole:
                link = self.page.locator("article a[href*='/issues/'], article a[href*='/pulls/']").first
                path = link.get_attribute("href")
                self.go(path, ready=".thing-body, main h1:visible")
                self.take("item", long=True)

    def settings(self):
        page = self.page
        if self.wants("settings", "help"):
            self.go("/settings", ready="section h2")
            until(lambda: page.locator("[aria-busy=true], .skeleton").filter(visible=True).count() == 0, "the settings")
            self.take("settings", long=True)
        if self.wants("settings-section"):
            self.go("/settings/privacy", ready="section h2")
            until(lambda: page.locator(".settings-list [aria-current]").count() == 1, "the list")
            page.wait_for_load_state("networkidle")
            self.take("settings-section")
        if self.wants("help"):
            page.locator("h1").first.click()
            page.keyboard.press("?")
            page.get_by_role("dialog").wait_for()
            self.take("help")
            page.keyboard.press("Escape")

    def troubles(self):
        page, world = self.page, self.world
        if self.wants("nowhere"):
            self.go("/nowhere")
            self.take("nowhere")
        for name, mode, login, options in (("outage", "outage", "defunkt", {}),
                                           ("limit", "rate-limit", "pjhyett", {"reset_in_s": 5})):
            if self.wants(name):
                fault(self.stage, mode, **options)
                self.go(f"/people/{login}/following", ready="[role=alert]:visible")
                self.take(name)
                fault(self.stage, "none")
        if self.wants("offline"):
            proxy = Proxy(self.stage.server.port)
            away = self.someone(world.ada, base=proxy.url)
            self.go(f"/chats/{world.room}", person=away, ready="[role=log] [data-seq]")
            until(lambda: away.connection == "online", "the stream")
            proxy.go_down()
            away.say("I am in the train; more from the next station")
            until(lambda: away.connection == "offline", "the word", 40)
            self.take("offline", away.page)
            away.context.close()
            proxy.close()
        if self.wants("toast"):
            self.go("/people", ready="ul li")
            until(lambda: self.ada.connection == "online", "the stream")
            world.alan.say(world.alan.direct(world.ada), "The kettle boils")
            page.locator(".toast").first.wait_for()
            self.take("toast")


def sheets(browser, folder, forms):
    """One picture of all forms for each page."""
    pages = {}
    for form in forms:
        for path in sorted(folder.glob(f"*-{form}.png")):
            pages.setdefault(path.name.removesuffix(f"-{form}.png"), []).append(path)
    page = browser.new_page(viewport={"width": 1520, "height": 300})
    for name, paths in pages.items():
        images = "".join(f'<img src="{path.name}" class="{path.stem.rsplit("-", 2)[1]}">' for path in paths)
        sheet = folder / f"sheet-{name}.html"
        sheet.write_text("<style>body{margin:4px;background:#888;columns:auto} img{margin:2px;vertical-align:top}"
                         f".wide{{width:744px}}</style>{images}")
        page.goto(sheet.as_uri())
        page.screenshot(path=folder / f"sheet-{name}.png", full_page=True)
        sheet.unlink()


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ARTIFACTS / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        data = pathlib.Path(home) / "data"
        data.mkdir()
        server = Server(data, "--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", headless=True, chromium_sandbox=False)
        try:
            stage, world = Stage(browser, server, covers=False), World(server)
            for form in os.environ.get("FORMS", "").split() or FORMS:
                Album(stage, world, folder, form, set(sys.argv[2:])).all()
            sheets(browser, folder, FORMS)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
