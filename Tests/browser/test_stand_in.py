"""The GitHub stand-in in a browser: its sign-in page by keyboard and on a phone, light and dark, and its pictures."""

import http.server
import json
import threading
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect

from axe import violations


class Callback(http.server.BaseHTTPRequestHandler):
    """The redirect target: an empty page."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b'<!doctype html><link rel="icon" href="data:,"><title>back</title>')

    def log_message(self, *parts):
        pass


@pytest.fixture(scope="module")
def callback():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Callback)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/auth/github/callback"
    server.shutdown()


def post(program, path, value):
    urllib.request.urlopen(program.demo_github + path, json.dumps(value).encode(), timeout=5).close()


def authorize(program, callback, **more):
    items = {"client_id": "demo-client", "redirect_uri": callback, "state": "a state", **more}
    return program.demo_github + "/login/oauth/authorize?" + urllib.parse.urlencode(items)


@pytest.fixture
def page(browser):
    """A phone's page in dark mode, which goes to the stand-in and back; errors on its console are failures."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, color_scheme="dark")
    page = context.new_page()
    complaints = []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    yield page
    context.close()
    assert [text for text in complaints if "the server responded with a status of 4" not in text] == []


def came_back(page):
    page.wait_for_url(lambda url: "/auth/github/callback?" in url)
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))


def test_the_sign_in_page_works_by_keyboard_on_a_phone(program, callback, page):
    page.goto(authorize(program, callback, login="defunkt"))
    expect(page.get_by_role("radio", name="defunkt")).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Tab")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Somebody else")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.type("nobody-at-all")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("nobody-at-all", use_inner_text=True)
    other = page.get_by_role("textbox", name="Login of somebody else")
    expect(other).to_have_value("nobody-at-all")
    other.fill("brynary")
    page.get_by_role("button", name="Authorize").press("Enter")
    answer = came_back(page)
    assert answer["state"] == "a state" and len(answer["code"]) == 20


def test_cancel_redirects_with_a_refusal(program, callback, page):
    page.goto(authorize(program, callback))
    page.get_by_role("button", name="Cancel").click()
    answer = came_back(page)
    assert answer["error"] == "access_denied" and answer["state"] == "a state" and "code" not in answer


def test_sign_ins_can_be_approved_without_the_page(program, callback, page):
    try:
        post(program, "/_sign_in", {"login": "octocat"})
        page.goto(authorize(program, callback))
        assert "code" in came_back(page)
        post(program, "/_sign_in", {"error": "application_suspended"})
        page.goto(authorize(program, callback))
        assert came_back(page)["error"] == "application_suspended"
    finally:
        post(program, "/_sign_in", {})


def test_a_device_is_approved_on_its_page(program, page):
    form = urllib.parse.urlencode({"client_id": "demo-client"}).encode()
    request = urllib.request.Request(
        program.demo_github + "/login/device/code", form, {"Accept": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        device = json.load(answer)
    page.goto(device["verification_uri"])
    page.get_by_role("textbox", name="Code shown on the device").fill(device["user_code"].lower())
    page.get_by_role("radio", name="mojombo").check()
    page.get_by_role("button", name="Authorize").click()
    page.get_by_role("heading", name="Connected").wait_for()
    expect(page.get_by_role("status")).to_contain_text("mojombo", use_inner_text=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages(program, callback, page, scheme):
    page.emulate_media(color_scheme=scheme)
    pages = [authorize(program, callback, login="x"), authorize(program, callback, client_id="x")]
    for address in [*pages, program.demo_github + "/login/device"]:
        page.goto(address)
        assert violations(page) == [], address


@pytest.mark.shows("D8")
def test_a_picture_encodes_its_account(program, callback, page):
    page.goto(authorize(program, callback))
    told = page.evaluate(
        """async () => {
          const image = new Image();
          image.src = "/u/583231?v=4&s=80";
          await image.decode();
          const canvas = document.createElement("canvas");
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
          return [image.naturalWidth, (blue & 15) << 8 | (green & 15) << 4 | red & 15];
        }""")
    assert told == [80, 583_231 % 4096]
