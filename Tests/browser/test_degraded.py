"""A browser that refuses what the app would like to have: each time a working chat is left (O1)."""

import pytest

from api_client import Client
from conftest import Server, Stage, until

# What is broken, as it breaks there.
BROKEN = {
    "no IndexedDB": "Object.defineProperty(window, 'indexedDB', {value: undefined})",
    "IndexedDB is denied": """Object.defineProperty(window, 'indexedDB', {get() {
        throw new DOMException('The operation is insecure.', 'SecurityError'); }})""",
    "IndexedDB refuses to open": """IDBFactory.prototype.open = () => { const request = {};
        setTimeout(() => { request.error = new DOMException('no', 'InvalidStateError'); request.onerror(); });
        return request; }""",
    "IndexedDB never answers": "IDBFactory.prototype.open = () => ({})",
    "the disk is full": """IDBObjectStore.prototype.put = function () {
        throw new DOMException('full', 'QuotaExceededError'); };
        Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }""",
    "local storage is denied": """Object.defineProperty(window, 'localStorage', {get() {
        throw new DOMException('denied', 'SecurityError'); }})""",
    "nothing of a secure origin": """for (const [what, name] of [[Navigator, 'locks'], [Navigator, 'serviceWorker'],
        [Crypto, 'randomUUID'], [Crypto, 'subtle']]) delete what.prototype[name]; delete window.caches""",
    "no locks, no shared worker, no channel": """delete Navigator.prototype.locks;
        for (const name of ['SharedWorker', 'BroadcastChannel']) delete window[name]""",
    "service workers are refused": """ServiceWorkerContainer.prototype.register = () =>
        Promise.reject(new DOMException('no', 'SecurityError'))""",
}


@pytest.fixture(scope="module")
def world(browser, tmp_path_factory):
    """Ada, signed in, what she signs in with, and Bob's chat with her."""
    folder = tmp_path_factory.mktemp("degraded") / "data"
    folder.mkdir()
    server = Server(folder, environment={"HUBBUB_RATE_LIMIT": "off"})
    stage = Stage(browser, server, covers=True)
    ada = stage.person("Ada").sign_up()
    bob = Client(server, "Bob")
    yield stage, ada.context.storage_state(), bob, bob.direct(ada)
    stage.close()
    server.kill()


@pytest.mark.parametrize("what", BROKEN)
def test_a_chat_works_where_something_is_missing_O1(world, what):
    stage, state, bob, room = world
    ada = stage.person("Ada", storage_state=state, service_workers="allow")
    ada.page.set_default_timeout(30_000)
    ada.page.add_init_script(BROKEN[what])
    ada.open(room)
    ada.say(f"to Bob, though {what}")
    until(lambda: ada.state(f"to Bob, though {what}") not in ("unsent", None), "stored", 30)
    bob.say(room, f"to Ada, though {what}")
    ada.row(f"to Ada, though {what}").wait_for()
    ada.page.goto(ada.base + "/settings")
    section = ada.page.get_by_role("heading", name="Offline", exact=True).locator("..")
    section.get_by_role("radio").first.wait_for(state="attached")
    lasting = "IndexedDB" not in what and "full" not in what
    until(lambda: ("lets nothing be kept" in section.inner_text()) != lasting, "the settings to say what is kept", 30)
    ada.page.reload()
    ada.page.get_by_role("link", name="Chats").first.wait_for()
    ada.open(room)
    until(lambda: ada.row(f"though {what}").count() == 2, "both there, once", 30)
    ada.context.close()
    assert ada.complaints == [], what
