"""Opening with no network, and coming back (O1, O2, S2, S5): a real service worker, a proxy that goes down."""

import json
import re
import time
import uuid

import pytest

from api_client import Client
from conftest import Stage, until
from proxy import Proxy

SHELLS = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
  (await (await caches.open(name)).keys()).length))).reduce((sum, count) => sum + count, 0)"""
KEPT = """async () => {
  const open = indexedDB.open('hubbub');
  const database = await new Promise((resolve, reject) => {
    open.onsuccess = () => resolve(open.result); open.onerror = () => reject(open.error); });
  const all = {};
  for (const name of ['outbox', 'messages', 'meta']) {
    const store = database.transaction(name).objectStore(name);
    const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()].map((request) =>
      new Promise((resolve) => { request.onsuccess = () => resolve(request.result); })));
    all[name] = Object.fromEntries(keys.map((key, index) => [key, values[index]]));
  }
  database.close();
  return all;
}"""


def kept(page):
    return page.evaluate(KEPT)


class World:
    """Ada behind a proxy, with a service worker; five people who have written to her."""

    def __init__(self, stage):
        self.stage = stage
        self.proxy = Proxy(stage.server.port)
        self.ada = stage.person("Ada", base=self.proxy.url, service_workers="allow").sign_up()
        self.peers = {name: Client(stage.server, name) for name in ("Bob", "Cleo", "Dan", "Eve", "Finn")}
        self.rooms = {}
        for name, peer in self.peers.items():
            answer = peer.request("POST", "/rooms", {"kind": "direct", "user_id": self.ada.id})
            self.rooms[name] = answer.data["id"]
            for number in range(1, 4):
                self.say(name, f"{name} says {number}")

    def say(self, name, text):
        """A message by API; returns what was stored."""
        body = {"client_id": str(uuid.uuid4()), "text": text}
        answer = self.peers[name].request("POST", f"/rooms/{self.rooms[name]}/messages", body)
        assert answer.status == 201, answer
        return answer.data

    def prepare(self):
        """Waits until everything is kept."""
        page = self.ada.page
        page.goto(self.ada.base + "/chats")
        page.get_by_text("Finn says 3").first.wait_for()
        until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"), "the worker", 20)
        until(lambda: page.evaluate("caches.match('/chats').then(Boolean)"), "the pages to be kept", 30)
        until(lambda: len(kept(page)["messages"]) >= len(self.rooms), "all chats to be kept", 20)
        until(lambda: kept(page)["meta"].get("rooms", {}).get("eventId"), "the list to be kept", 20)

    def close(self):
        self.proxy.close()


@pytest.fixture(scope="module")
def world(browser, tmp_path_factory):
    from conftest import Server
    folder = tmp_path_factory.mktemp("offline") / "data"
    folder.mkdir()
    server = Server(folder, environment={"HUBBUB_RATE_LIMIT": "off"})
    stage = Stage(browser, server, covers=True)
    world = World(stage)
    world.prepare()
    yield world
    world.close()
    stage.close()
    server.kill()


def test_with_no_network_chats_messages_and_pages_are_there_within_a_second_O1(world):
    ada, page = world.ada, world.ada.page
    world.proxy.go_down()
    try:
        began = time.monotonic()
        page.goto(ada.base + "/chats")
        page.get_by_text("Finn says 3").first.wait_for()
        took = time.monotonic() - began
        print(f"offline: the list after {took * 1000:.0f} ms")
        # Opened by pressing, and by its address; neither chat was ever open before.
        began = time.monotonic()
        page.get_by_role("link", name=re.compile("Cleo")).first.click()
        ada.row("Cleo says 1").wait_for()
        page.goto(f"{ada.base}/chats/{world.rooms['Dan']}")
        ada.row("Dan says 3").wait_for()
        print(f"offline: two chats after {(time.monotonic() - began) * 1000:.0f} ms")
        until(lambda: ada.connection == "offline", "to be told")
        for name in ("Settings", "News", "People", "Chats"):
            page.get_by_role("link", name=name, exact=True).first.click()
            page.wait_for_url(re.compile(name.lower()))
        assert took < 3
    finally:
        world.proxy.come_back()
