"""The profile: picture, email, password, sessions, privacy, and registration."""

import re

import pytest
from playwright.sync_api import expect

from api_client import PASSWORD, Client, in_parallel
from people import check, clean, name_of, people, picture
from serving import until
from stage import Stage

# The size of a picture as decoded by the browser, and its leftmost pixel.
LOOK = """async address => {
  const image = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return {width: image.width, height: image.height, pixel: [...context.getImageData(2, 2, 1, 1).data]};
}"""

# Passes a file to the page as by a drop or a paste.
HAND_OVER = """async ([kind, selector, bytes, type]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(bytes)], 'file', {type}));
  const target = selector ? document.querySelector(selector) : document.body;
  target.dispatchEvent(kind === 'drop' ? new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true})
    : new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true, cancelable: true}));
}"""


def settings(person):
    person.page.goto(person.base + "/settings")
    person.page.get_by_role("heading", name="Settings").wait_for()
    return person.page


def second_browser(stage, person):
    """The same person on another device."""
    other = stage.person(person.first, person.last)
    other.email = person.email
    return other.sign_in()


def choose(page, data, name="face.png", kind="image/png"):
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": kind, "buffer": data})


def shown_face(page, name):
    """The address of somebody's picture in the list of chats; '' while it shows initials."""
    row = page.get_by_role("list", name="Chats").get_by_role("listitem").filter(has_text=name)
    image = row.locator("img[data-loaded]")
    return image.first.get_attribute("src") if image.count() else ""


@pytest.mark.shows("A4")
def test_a_picture_is_cropped_and_resized_and_shows_in_every_open_browser_at_once(stage):
    ada, bob = people(stage, "Ada", "Bob")
    room = ada.chat_with(bob)
    assert ada.api("POST", f"/rooms/{room}/messages", {"text": "so that Bob has the chat"})[0] == 201
    bob.page.goto(bob.base + "/chats")
    other = second_browser(stage, ada)
    page = settings(ada)
    other.page.goto(other.base + "/settings")
    choose(page, picture(1600, 900))
    page.get_by_alt_text("Preview of the new picture").wait_for()
    assert shown_face(bob.page, name_of(ada)) == "", "only chosen, not stored"
    page.get_by_role("button", name="Use this picture").click()
    page.get_by_text("The new picture is stored.").wait_for()
    address = until(lambda: shown_face(bob.page, name_of(ada)), "the face in Bob's browser")
    face = other.page.locator(".picture-field img[data-loaded]")
    face.wait_for()
    stored = bob.page.evaluate(LOOK, address.split("?")[0])
    assert (stored["width"], stored["height"]) == (384, 384)
    red, _, blue, _ = stored["pixel"]
    assert red > blue, "the middle was cut out: the stripe at the left is gone"
    page.get_by_role("button", name="Remove picture").click()
    page.get_by_text("The picture is removed.").wait_for()
    until(lambda: shown_face(bob.page, name_of(ada)) == "", "initials in Bob's browser again")
    face.wait_for(state="detached")
    clean(ada, bob, other)


@pytest.mark.parametrize("kind, selector", [("drop", ".picture-field"), ("paste", "")])
@pytest.mark.shows("A4")
def test_a_picture_is_dropped_or_pasted_and_a_small_one_is_not_enlarged(stage, kind, selector):
    (ada,) = people(stage, "Ada")
    page = settings(ada)
    page.evaluate(HAND_OVER, [kind, selector, list(picture(120, 90)), "image/png"])
    page.get_by_alt_text("Preview of the new picture").wait_for()
    # Who presses "Save" means the picture too.
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("The new picture is stored.").wait_for()
    stored = page.evaluate(LOOK, ada.api("GET", "/session")[1]["avatar_url"])
    assert (stored["width"], stored["height"]) == (90, 90)
    clean(ada)


@pytest.mark.shows("A4")
def test_other_files_are_refused_with_a_reason_and_a_lost_network_keeps_the_picture(stage):
    (ada,) = people(stage, "Ada")
    page = settings(ada)
    choose(page, b"no picture at all", "notes.png")
    page.get_by_text("This is not a picture that can be read.").wait_for()
    choose(page, picture(200, 200))
    page.get_by_alt_text("Preview of the new picture").wait_for()
    ada.context.route("**/api/v1/me/avatar", lambda route: route.abort())
    page.get_by_role("button", name="Use this picture").click()
    page.get_by_text("Hubbub cannot be reached").wait_for()
    ada.context.unroute("**/api/v1/me/avatar")
    page.get_by_role("button", name="Use this picture").click()
    page.get_by_text("The new picture is stored.").wait_for()
    choose(page, picture(200, 200))
    page.get_by_alt_text("Preview of the new picture").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_alt_text("Preview of the new picture").wait_for(state="hidden")
    clean(ada)


@pytest.mark.shows("A4")
def test_changing_the_email_says_which_of_the_two_was_wrong(stage):
    ada, bob = people(stage, "Ada", "Bob")
    page = settings(ada)
    page.get_by_role("button", name="Change email").click()
    email, password = page.get_by_role("textbox", name="New email address"), page.get_by_role("textbox", name="Password, to be sure")
    until(lambda: email.evaluate("field => field === document.activeElement"), "the focus in the form that opened")
    email.fill("new-" + ada.email)
    password.fill("not the password")
    password.press("Enter")
    page.get_by_text("This is not your password.").wait_for()
    expect(password).to_have_attribute("aria-invalid", "true")
    assert email.get_attribute("aria-invalid") is None
    email.fill(bob.email)
    password.fill(PASSWORD)
    password.press("Enter")
    page.get_by_text("There is an account with this address already.").wait_for()
    expect(email).to_have_attribute("aria-invalid", "true")
    assert password.get_attribute("aria-invalid") is None
    email.fill("new-" + ada.email)
    password.press("Enter")
    page.get_by_text(f"Your address is new-{ada.email} now.").wait_for()
    ada.email = "new-" + ada.email
    second_browser(stage, ada)
    clean(ada)


@pytest.mark.shows("A4", "A5")
def test_a_new_password_ends_the_other_sessions(stage):
    (ada,) = people(stage, "Ada")
    other = second_browser(stage, ada)
    page = settings(ada)
    page.get_by_role("button", name="Change password").click()
    current, new = page.get_by_label("Present password"), page.get_by_label("New password")
    current.fill("wrong")
    new.fill("short")
    new.press("Enter")
    page.get_by_text("At least 8 characters.", exact=True).wait_for()
    new.fill("another long phrase")
    new.press("Enter")
    page.get_by_text("This is not your present password.").wait_for()
    assert new.get_attribute("aria-invalid") is None
    current.fill(PASSWORD)
    new.press("Enter")
    page.get_by_text("Your password is changed.").wait_for()
    other.page.wait_for_url("**/sign-in*")
    assert other.api("GET", "/session")[0] == 401
    assert ada.api("GET", "/session")[0] == 200
    other.page.get_by_role("textbox", name="Email").fill(ada.email)
    other.page.get_by_role("textbox", name="Password").fill("another long phrase")
    other.page.get_by_role("button", name="Sign in").click()
    other.page.wait_for_url("**/chats*")


@pytest.mark.shows("A5")
def test_sessions_are_listed_and_ended_one_or_all(stage):
    (ada,) = people(stage, "Ada")
    one, two, three = (second_browser(stage, ada) for _ in range(3))
    page = settings(ada)
    sessions = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    until(lambda: sessions.count() == 4, "all sessions")
    expect(sessions.first).to_contain_text("This browser", use_inner_text=True)
    assert re.search(r"Chrome \d+ on Linux", sessions.first.inner_text())
    page.get_by_role("button", name=re.compile("^End the session of")).first.click()
    until(lambda: sessions.count() == 3, "one to be gone")
    gone = lambda: [p for p in (one, two, three) if p.page.get_by_role("button", name="Sign in").count()]
    until(lambda: len(gone()) == 1, "one of the other browsers to be signed out")
    gone()[0].page.get_by_text("You were signed out here.").wait_for()
    page.get_by_role("button", name="End all other sessions").click()
    page.get_by_text("You are signed in nowhere else.").wait_for()
    until(lambda: len(gone()) == 3, "all other browsers to be signed out")
    assert ada.api("GET", "/session")[0] == 200


@pytest.mark.shows("S6")
def test_being_online_is_hidden_from_both_sides_when_switched_off(stage):
    ada, bob = people(stage, "Ada", "Bob")
    ada.chat_with(bob)
    bob.chat_with(ada)
    subtitle = bob.page.locator(".conversation .subtitle")
    until(lambda: subtitle.inner_text() == "online", "Ada to be online for Bob")
    page = settings(ada)
    switch = page.get_by_role("switch", name="Online and last seen")
    expect(switch).to_be_checked()
    switch.uncheck()
    until(lambda: not ada.api("GET", "/session")[1]["settings"]["last_seen"], "stored")
    until(lambda: "online" not in subtitle.inner_text() and "last seen" not in subtitle.inner_text(), "hidden from Bob")
    page.reload()
    until(lambda: not page.get_by_role("switch", name="Online and last seen").is_checked(), "the switch after a reload")
    assert "online" not in ada.api("GET", "/rooms")[1][0]["peer"], "Bob is hidden from Ada, too"


@pytest.mark.shows("S6")
def test_read_receipts_are_hidden_from_both_sides_when_switched_off(stage):
    ada, bob = people(stage, "Ada", "Bob")
    page = settings(bob)
    page.get_by_role("switch", name="Read receipts").uncheck()
    until(lambda: not bob.api("GET", "/session")[1]["settings"]["read_receipts"], "stored")
    room = ada.chat_with(bob)
    ada.say("did you read?")
    bob.open(room)
    bob.row("did you read?").first.wait_for()
    until(lambda: ada.state("did you read?") == "delivered", "delivered")
    until(lambda: bob.api("GET", f"/rooms/{room}")[1]["read_seq"] == 1, "that Bob has read")
    assert ada.state("did you read?") == "delivered"


@pytest.mark.parametrize("mode, heading", [("closed", "No new accounts"), ("github", "Come in with GitHub")])
@pytest.mark.shows("A3")
def test_with_closed_registration_the_page_says_so(browser, serve, mode, heading):
    server = serve("--github", "demo", "--registration", mode)
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/sign-up")
    page.get_by_role("heading", name=heading).wait_for()
    assert page.get_by_role("textbox").count() == 0
    check(page, mode)
    page.get_by_role("link", name="Sign in instead").click()
    page.get_by_role("button", name="Sign in").wait_for()
    context.close()


@pytest.mark.parametrize("form, options", [
    ("light", {"color_scheme": "light"}), ("dark", {"color_scheme": "dark"}),
    ("phone", {"viewport": {"width": 360, "height": 740}, "has_touch": True}),
])
@pytest.mark.shows("H4")
def test_the_settings_have_no_violation_with_everything_open(stage, form, options):
    ada = people(stage, "Ada", **options)[0]
    second_browser(stage, ada)
    page = settings(ada)
    for name in ("Change email", "Change password"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Change email").click()
    page.get_by_text("Enter your password.").wait_for()
    choose(page, picture(200, 200))
    page.get_by_alt_text("Preview of the new picture").wait_for()
    page.locator("summary").filter(has_text="Invite people").click()
    page.get_by_role("button", name="Create link").click()
    page.get_by_role("textbox", name="Your new link").wait_for()
    until(lambda: page.get_by_role("list", name="Sessions").get_by_role("listitem").count() == 2, "both sessions")
    check(page, form)
    clean(ada)


@pytest.mark.shows("A3")
def test_with_registration_by_invite_a_pasted_link_works(browser, serve):
    quiet = {"HUBBUB_RATE_LIMIT": "off"}
    first = serve("--github", "demo", environment=quiet)
    ada = Stage(browser, first, covers=False).person("Ada", "Tester").sign_up()
    first.stop()
    server = serve("--github", "demo", "--registration", "invite", environment=quiet)
    ada.base = server.url
    page = settings(ada)
    page.locator("summary").filter(has_text="Invite people").click()
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_role("textbox", name="Your new link").input_value()
    page.get_by_role("list", name="Open links").get_by_text("used 0 times").wait_for()
    bob = Stage(browser, server, covers=False).person("Bob", "Tester")
    door = bob.page
    door.goto(server.url + "/sign-in")
    door.get_by_role("link", name="Create an account").click()
    for name, value in (("First name", "Bob"), ("Email", bob.email), ("Password", PASSWORD)):
        door.get_by_role("textbox", name=name).fill(value)
    create, invitation = door.get_by_role("button", name="Create account"), door.get_by_role("textbox", name="Invitation")
    create.click()
    door.get_by_text("Enter your invitation.").wait_for()
    check(door, "signing up by invitation")
    invitation.fill("no such invitation")
    create.click()
    door.get_by_text("This invitation does not work.").wait_for()
    expect(door.get_by_role("textbox", name="Email")).to_have_value(bob.email)
    invitation.fill(link)
    create.click()
    door.wait_for_url("**/chats")
    assert ada.api("GET", "/invitations")[1][0]["uses"] == 1
    for person in (ada, bob):
        person.context.close()


@pytest.mark.shows("A2")
def test_too_many_attempts_show_the_time_to_try_again(browser, serve):
    stage = Stage(browser, serve("--github", "demo"), covers=False)
    page = stage.person("Ada").page
    page.goto(stage.server.url + "/sign-in")
    wrong = {"email": "ada@example.com", "password": "wrong phrase"}
    somebody = Client(stage.server, account=False)
    guess = lambda _: somebody.request("POST", "/session", wrong).status
    while 429 not in (answers := in_parallel(4, guess)):
        assert set(answers) == {401}, answers
    page.get_by_role("textbox", name="Email").fill(wrong["email"])
    page.get_by_role("textbox", name="Password").fill(wrong["password"])
    page.get_by_role("button", name="Sign in").click()
    said = page.get_by_role("alert").filter(has_text="attempts")
    said.wait_for()
    assert re.search(r"Try again at \d\d:\d\d|Try again in a minute", said.inner_text()), said.inner_text()
    stage.close()
