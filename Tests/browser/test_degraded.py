"""A browser that refuses features the app would like to use: chat works each time."""

import pytest

from api_client import Client
from serving import Server, until
from stage import Stage

# The features that are broken, and how.
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
    """Ada, signed in, her credentials, and Bob's chat with her."""
    folder = tmp_path_factory.mktemp("degraded") / "data"
    folder.mkdir()
    server = Server(folder, environment={"HUBBUB_RATE_LIMIT": "off"})
    stage = Stage(browser, server)
    ada = stage.person("Ada").sign_up()
    bob = Client(server, "Bob")
    yield stage, ada.context.storage_state(), bob, bob.direct(ada)
    stage.close()
    server.kill()


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.shows("O1")
def test_a_chat_works_without_optional_browser_features(world, what):
    stage, state, bob, room = world
    ada = stage.person("Ada", storage_state=state, service_workers="allow")
    ada.page.add_init_script(BROKEN[what])
    ada.open(room)
    ada.say(f"to Bob, though {what}")
    until(lambda: ada.state(f"to Bob, though {what}") not in ("unsent", None), "stored")
    bob.say(room, f"to Ada, though {what}")
    ada.row(f"to Ada, though {what}").wait_for()
    ada.page.goto(ada.base + "/settings")
    section = ada.page.get_by_role("heading", name="Offline", exact=True).locator("..")
    section.get_by_role("radio").first.wait_for(state="attached")
    lasting = "IndexedDB" not in what and "full" not in what
    until(lambda: ("lets nothing be kept" in section.inner_text()) != lasting, "the settings to say what is kept")
    ada.page.reload()
    ada.page.get_by_role("link", name="Chats").first.wait_for()
    ada.open(room)
    until(lambda: ada.row(f"though {what}").count() == 2, "both there, once")
    ada.context.close()
    assert ada.complaints == [], what
