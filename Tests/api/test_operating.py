"""The operator's commands: backup while people write, restore, check."""

import http.client
import subprocess
import threading

import pytest

from api_client import Client
from serving import BINARY, ROOT, until


def hubbub(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=ROOT)


def texts(client, room):
    found, after = [], 0
    while True:
        page = client.request("GET", f"/rooms/{room}/messages?after={after}&limit=200")[1]
        if not page:
            return found
        found += [(m["seq"], m["text"]) for m in page]
        after = page[-1]["seq"]


@pytest.mark.shows("X1", "H3")
def test_a_backup_under_load_restores_a_consistent_state_and_browsers_reload(serve, tmp_path):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    room = ada.request("POST", "/rooms", {"kind": "direct", "user_id": bob.id})[1]["id"]
    sent, failed, end = [], [], threading.Event()

    def write():
        while not end.is_set():
            text = f"number {len(sent)}"
            status, answer = bob.request("POST", f"/rooms/{room}/messages", {"text": text})[:2]
            (sent if status == 201 else failed).append((answer.get("seq"), text))

    writer = threading.Thread(target=write)
    writer.start()
    until(lambda: len(sent) > 50, "some messages")
    backup = tmp_path / "backup.sqlite"
    before = len(sent)
    made = hubbub("backup", backup, "--data", server.folder)
    assert made.returncode == 0 and made.stdout.startswith(f"Backed up to {backup}: 2 accounts"), made
    assert oct(backup.stat().st_mode)[-3:] == "600"
    until(lambda: len(sent) > before + 50, "more messages")
    checked = hubbub("check", "--data", server.folder)
    assert checked.returncode == 0 and checked.stdout.startswith("Sound: "), checked
    refused = hubbub("restore", backup, "--data", server.folder)
    assert refused.returncode == 73 and "Stop that one first" in refused.stderr, refused
    end.set()
    writer.join()
    assert not failed
    assert texts(ada, room) == sent
    last = ada.get("/sync").data["last_event_id"]
    assert server.stop() == 0

    restored = hubbub("restore", backup, "--data", server.folder)
    assert restored.returncode == 0 and "is kept as" in restored.stdout, restored
    server.start()
    assert ada.get("/session").status == 401, "sessions may have been ended since the backup"
    ada = ada.again()
    held = texts(ada, room)
    assert held == sent[:len(held)] and len(held) >= before, "one state, with all that was acknowledged before"
    answer = ada.request("GET", f"/sync?after={last}")[1]
    assert answer["reset"] is True and answer["last_event_id"] > last
    status, message = ada.request("POST", f"/rooms/{room}/messages", {"text": "on we go"})[:2]
    assert status == 201 and message["seq"] == len(held) + 1
    assert hubbub("check", backup).returncode == 0


@pytest.mark.shows("X1")
def test_failures_are_explained_in_one_line(tmp_path):
    nothing = tmp_path / "nothing"
    for arguments, code, words in (
        (("backup", tmp_path / "b", "--data", nothing), 73, "There is no database at"),
        (("check", "--data", nothing), 73, "There is no database at"),
        (("restore", tmp_path / "b", "--data", nothing), 73, "There is no database at"),
        (("check", __file__), 73, "is not an SQLite database"),
        (("backup",), 64, "Missing expected argument"),
    ):
        ended = hubbub(*arguments)
        assert ended.returncode == code and words in ended.stderr, ended


@pytest.mark.shows("X1", "control 22")
def test_a_damaged_file_is_found_with_65(serve):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    room = ada.request("POST", "/rooms", {"kind": "direct", "user_id": bob.id})[1]["id"]
    for number in range(100):
        assert ada.request("POST", f"/rooms/{room}/messages", {"text": f"{number} " + "x" * 500})[0] == 201
    assert server.stop() == 0
    path = server.folder / "hubbub.sqlite"
    content = bytearray(path.read_bytes())
    for page in range(len(content) // 4096 - 12, len(content) // 4096):
        content[page * 4096] ^= 0x5A
    path.write_bytes(content)
    ended = hubbub("check", "--data", server.folder)
    assert ended.returncode == 65 and "is not sound" in ended.stderr, ended


@pytest.mark.shows("X3")
def test_metrics_are_for_local_programs_and_admins(serve):
    server = serve("--github", "demo", "--trusted-proxies", "127.0.0.1", environment={"HUBBUB_RATE_LIMIT": "off"})
    admin, member = Client(server, "Ada"), Client(server, "Bob")
    room = admin.direct(member)
    for _ in range(5):
        admin.say(room, "counted")
    assert member.get("/github/users").status == 200
    here = member.get("/metrics", base="")
    assert here.status == 200 and here.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    families = dict(
        line.rsplit(" ", 1) for line in here.data.decode().splitlines() if line and not line.startswith("#"))
    assert int(families['hubbub_http_requests_total{route="/api/v1/rooms/:room/messages",status="2xx"}']) == 5
    assert int(families["hubbub_commit_writes_sum"]) >= 8
    assert int(families["hubbub_database_bytes"]) > 0 and int(families["process_open_fds"]) > 5
    assert float(families["process_cpu_seconds_total"]) > 0
    assert int(families['hubbub_github_requests_limit{resource="core"}']) == 5000
    assert int(families['hubbub_github_requests_remaining{resource="core"}']) < 5000
    assert families["hubbub_github_is_limited"] == "0"
    own = int(families["hubbub_memory_own_bytes"])
    assert 1 << 20 < own < int(families["hubbub_memory_proportional_bytes"])

    def from_away(client):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", "/metrics", headers=client.fields({"X-Forwarded-For": "203.0.113.9"}))
        return connection.getresponse().status

    assert from_away(Client(server, account=False)) == 404
    assert from_away(member) == 404, "a member who is no admin"
    assert from_away(admin) == 200
