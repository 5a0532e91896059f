"""Notifications: the settings, the system's notifications, sounds, quiet hours, and Web Push to a service.

The headless shell grants no notifications, so the browser's part is faked here: permission, the notifications of the
worker's registration, the push manager, sounds, and whether somebody looks at the page. The Swift tests decrypt pushes
and verify their signatures.
"""

import pytest
from playwright.sync_api import expect

from push_service import PushService
from serving import until
from stage import Stage

# A point on P-256 (RFC 8291, section 5) and a secret, as a browser would create them.
KEYS = {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg"}

BROWSER = """(() => {
  window.looks = true; window.asked = 0; window.tones = 0; window.notices = []; window.badge = null;
  document.hasFocus = () => window.looks;
  window.lookAway = () => { window.looks = false; dispatchEvent(new Event('blur')); };
  window.lookHere = () => { window.looks = true; dispatchEvent(new Event('focus')); };
  navigator.setAppBadge = async count => { window.badge = count; };
  navigator.clearAppBadge = async () => { window.badge = 0; };
  const leave = () => localStorage.getItem('leave') ?? '%(leave)s';
  window.Notification = class {
    static get permission() { return leave(); }
    static async requestPermission() { window.asked += 1; localStorage.setItem('leave', 'granted'); return 'granted'; }
  };
  let subscription = null;
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }) => (subscription = {
      options: { applicationServerKey: applicationServerKey.buffer },
      toJSON: () => ({ endpoint: '%(origin)s/push/ada', expirationTime: null, keys: %(keys)s }),
      unsubscribe: async () => { subscription = null; },
    }),
  };
  const registration = {
    active: { postMessage() {} }, pushManager, unregister: async () => true,
    showNotification: async (title, options) => {
      const notice = { title, ...options, close: () => { window.notices = window.notices.filter(one => one !== notice); } };
      window.notices = [...window.notices.filter(one => one.tag !== options.tag), notice];
    },
    getNotifications: async () => window.notices,
  };
  navigator.serviceWorker.getRegistration = async () => registration;
  navigator.serviceWorker.register = async () => registration;
  const node = more => ({ connect: next => next, ...more });
  window.AudioContext = class {
    state = 'running'; currentTime = 0; destination = node();
    createGain() {
      return node({ gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} } });
    }
    createOscillator() { return node({ frequency: {}, start() { window.tones += 1; }, stop() {} }); }
  };
})()"""


@pytest.fixture
def push_service():
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def stage(browser, serve, push_service):
    server = serve("--github", "demo", environment={
        "HUBBUB_RATE_LIMIT": "off", "HUBBUB_PUSH_HOSTS": push_service.origin})
    stage = Stage(browser, server)
    yield stage
    stage.close()


def person(stage, push_service, name, leave="default"):
    made = stage.person(name)
    made.page.add_init_script(BROWSER % {"leave": leave, "origin": push_service.origin, "keys": str(KEYS)})
    return made.sign_up_by_form()


def notices(person):
    return person.page.evaluate("window.notices.map(({title, body, tag}) => ({title, body, tag}))")


def settings(person):
    person.page.get_by_role("link", name="Settings").first.click()
    person.page.get_by_role("heading", name="Notifications").wait_for()


def ready(person):
    """The page's notifications are ready; they are loaded a moment after it can be used."""
    until(lambda: person.page.evaluate(
        "navigator.locks.query().then(({held}) => held.some(({name}) => name === 'hubbub-attention'))"), "the page to say who looks")


@pytest.mark.shows("T1")
def test_notifications_are_enabled_shown_once_per_chat_and_closed_when_read(stage, push_service):
    ada, bob = person(stage, push_service, "Ada"), stage.person("Bob").sign_up()
    room = bob.chat_with(ada)
    assert ada.page.evaluate("window.asked") == 0
    settings(ada)
    allow = ada.page.get_by_role("switch", name="Notifications on this device")
    assert not allow.is_checked()
    assert not ada.page.get_by_role("button", name="Send me a test").is_visible()
    allow.click()
    ada.page.get_by_text("also while no page of Hubbub is open").wait_for()
    assert ada.page.evaluate("window.asked") == 1
    assert ada.api("GET", "/push")[1]["subscribed"] is True

    ada.page.get_by_role("button", name="Send me a test").click()
    ada.page.get_by_text("Sent. It shows in a moment.").wait_for()
    path, fields, body = push_service.pushes[0]
    assert path == "/push/ada" and fields["content-encoding"] == "aes128gcm" and int(fields["ttl"]) > 0
    assert fields["authorization"].startswith("vapid t=") and b"work" not in body

    ready(ada)
    ada.page.evaluate("window.lookAway()")
    bob.say("Hello")
    until(lambda: notices(ada) == [{"title": "Bob", "body": "Hello", "tag": room}], "the notification")
    bob.say("Are you there?")
    until(lambda: [one["body"] for one in notices(ada)] == ["Are you there?"], "the newer in its place")
    until(lambda: ada.page.evaluate("window.badge") == 2, "the badge")
    # When clicked, the worker tells the page where to go.
    ada.page.evaluate(
        "path => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', {data: {type: 'open', path}}))",
        f"/chats/{room}")
    ada.page.wait_for_url(f"**/chats/{room}")
    assert len(notices(ada)) == 1
    # Read on another device.
    assert ada.api("PUT", f"/rooms/{room}/receipt", {"read_seq": 2})[0] == 200
    until(lambda: notices(ada) == [], "the notification to go")
    until(lambda: ada.page.evaluate("window.badge") == 0, "the badge to go")
    # While the page is visible it needs none: the row appears.
    ada.page.evaluate("window.lookHere()")
    bob.say("Seen")
    ada.row("Seen").wait_for()
    assert notices(ada) == []

    # Without an open page the server uses the push service.
    before = len(push_service.pushes)
    ada.page.close()
    bob.say("Still there?")
    until(lambda: len(push_service.pushes) > before, "the push", seconds=20)
    assert len(push_service.pushes[-1][1]["topic"]) == 32
    # The push service says the subscription is gone: it is deleted.
    push_service.status = 410
    bob.say("Hello?")
    until(lambda: ada.api("GET", "/push")[1]["subscribed"] is False, "the subscription to go", seconds=20)
    assert not any("Still there" in line for line in stage.server.log_text().splitlines())


@pytest.mark.shows("T2")
def test_quiet_hours_and_sounds_are_set_and_respected(stage, push_service):
    ada, bob = person(stage, push_service, "Ada", leave="granted"), stage.person("Bob").sign_up()
    room = bob.chat_with(ada)
    # The click on the way to the settings allows the page to play sounds.
    ready(ada)
    settings(ada)
    for name in ("Sound when I send", "Sound when a message comes"):
        expect(ada.page.get_by_role("switch", name=name)).to_be_checked()
    bob.say("With a sound")
    ada.page.get_by_role("link", name="Bob").first.wait_for()
    until(lambda: ada.page.evaluate("window.tones") == 2, "the tones")
    ada.page.get_by_role("switch", name="Sound when a message comes").uncheck()
    ada.page.get_by_role("switch", name="Do not disturb").check()
    for name in ("From", "To"):
        field = ada.page.get_by_label(name, exact=True)
        field.fill("05:00")
        field.blur()
    hours = lambda: ada.api("GET", "/session")[1]["settings"]["do_not_disturb"]
    until(lambda: hours()["from"] == hours()["to"] == "05:00" and hours()["on"], "the hours to be stored")
    # All day: neither toast nor notification, only the count.
    ada.page.get_by_role("switch", name="Notifications on this device").check()
    ada.page.evaluate("window.lookAway()")
    toasts = ada.page.locator(".toast")
    until(lambda: toasts.count() == 0, "the toasts to go")
    bob.say("Hush")
    until(lambda: ada.page.evaluate("document.title").startswith("(2)"), "the count")
    assert toasts.count() == 0 and notices(ada) == [] and ada.page.evaluate("window.tones") == 2
    # And off again.
    ada.page.get_by_role("switch", name="Do not disturb").uncheck()
    until(lambda: not hours()["on"], "the hours to be off")
    bob.say("Hello again")
    until(lambda: [one["body"] for one in notices(ada)] == ["Hello again"], "the notification")
    assert ada.page.evaluate("window.tones") == 2
    assert ada.complaints == []
    assert room in ada.page.evaluate("window.notices[0].tag")


@pytest.mark.shows("T1")
def test_where_notifications_are_not_possible_the_settings_say_why(stage, push_service):
    ada = person(stage, push_service, "Ada", leave="denied")
    settings(ada)
    expect(ada.page.get_by_role("switch", name="Notifications on this device")).to_be_disabled()
    ada.page.get_by_text("Allow them in its settings for this site").wait_for()
    assert ada.page.evaluate("window.asked") == 0
