"""The program from the operator's point of view: exit codes, restarts, streams that resume."""

import os
import socket
import subprocess
import uuid

import pytest

from api_client import Client, durable
from serving import BINARY, ROOT, until


@pytest.mark.parametrize("end", ["stop", "kill"])
@pytest.mark.shows("X1", "H3")
def test_history_sessions_and_replay_survive_a_restart(serve, end):
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    stream = ada.stream()
    assert next(stream)[1] == "hello"
    room = ada.request("POST", "/rooms", {"kind": "direct", "user_id": bob.id})[1]["id"]
    assert bob.request("POST", f"/rooms/{room}/messages", {"text": "before"})[0] == 201
    seen = durable(stream, 2)
    assert [name for _, name, _ in seen] == ["room.created", "message.created"]
    sent = str(uuid.uuid4())
    assert bob.request("POST", f"/rooms/{room}/messages", {"text": "not seen live", "client_id": sent})[0] == 201
    assert getattr(server, end)() in (0, None)
    server.start()
    assert ada.request("GET", "/session")[1]["id"] == ada.id
    assert [m["text"] for m in ada.request("GET", f"/rooms/{room}/messages")[1]] == ["before", "not seen live"]
    assert bob.request("POST", f"/rooms/{room}/messages", {"text": "not seen live", "client_id": sent})[0] == 200
    resumed = ada.stream(last_event_id=seen[-1][0])
    assert next(resumed)[1] == "hello"
    replayed = durable(resumed, 1)[0]
    assert replayed[0] > seen[-1][0] and replayed[2]["text"] == "not seen live"
    assert bob.request("POST", f"/rooms/{room}/messages", {"text": "live again"})[0] == 201
    live = durable(resumed, 1)[0]
    assert live[0] > replayed[0] and live[2]["text"] == "live again"


def test_sigterm_ends_the_streams_and_exits_with_zero(serve):
    server = serve("--github", "demo")
    ada = Client(server, "Ada")
    stream = ada.stream()
    assert next(stream)[1] == "hello"
    assert server.stop() == 0
    assert all(name != "session.ended" for _, name, _ in stream)


def run(*arguments, environment=None):
    return subprocess.run(
        [BINARY, "serve", *arguments], capture_output=True, text=True, timeout=30, cwd=ROOT,
        env={**os.environ, **(environment or {})})


def test_wrong_usage_is_64_with_what_to_do(tmp_path):
    for arguments, environment in (
        (["--port", "many"], {}), (["--nonsense"], {}), ([], {"HUBBUB_GITHUB": "gitlab"}), ([], {"HUBBUB_PORT": "-1"}),
    ):
        ended = run("--data", str(tmp_path), *arguments, environment=environment)
        assert ended.returncode == 64, ended
        assert ended.stderr.strip()


def test_a_taken_port_is_69_with_what_to_do(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = run("--data", str(tmp_path), "--github", "demo", "--port", str(taken.getsockname()[1]))
    assert ended.returncode == 69, ended
    assert "--port" in ended.stderr


def test_data_that_cannot_be_opened_is_73_with_what_to_do(tmp_path, serve):
    (tmp_path / "hubbub.sqlite").write_bytes(b"this is not a database " * 400)
    ended = run("--data", str(tmp_path), "--github", "demo", "--port", "0")
    assert ended.returncode == 73, ended
    (tmp_path / "file").write_text("")
    ended = run("--data", str(tmp_path / "file"), "--github", "demo", "--port", "0")
    assert ended.returncode == 73, ended
    server = serve("--github", "demo")
    ended = run("--data", str(server.folder), "--github", "demo", "--port", "0")
    assert ended.returncode == 73, ended
    assert "\n" not in ended.stderr.strip()


def test_data_of_another_github_is_refused_with_what_to_do(serve):
    server = serve("--github", "demo")
    ada = Client(server, "Ada")
    assert ada.request("POST", "/rooms", {"kind": "direct", "github_login": "octocat"}).status == 201
    server.stop()
    # The same number is somebody else at github.com: whoever signed in as octocat here would be them there.
    for github in ("live", "https://github.example.com/api/v3"):
        ended = run("--data", str(server.folder), "--github", github, "--port", "0")
        assert ended.returncode == 73, ended
        assert "demo" in ended.stderr and "--data" in ended.stderr and "\n" not in ended.stderr.strip(), ended
    server.start()
    assert len(ada.get("/rooms").data) == 1


def test_only_the_operator_can_read_the_data(serve):
    server = serve("--github", "demo")
    Client(server, "Ada")
    for file in server.folder.glob("hubbub.sqlite*"):
        assert file.stat().st_mode & 0o077 == 0, file


@pytest.mark.shows("D4")
def test_without_github_chat_works_and_the_directory_says_why(serve):
    server = serve("--github", "http://127.0.0.1:9")
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    status, problem, _ = ada.request("GET", "/github/users")
    assert status >= 500 and problem["type"] == "/problems/github-unavailable", problem
    room = ada.request("POST", "/rooms", {"kind": "direct", "user_id": bob.id})[1]["id"]
    assert ada.request("POST", f"/rooms/{room}/messages", {"text": "still here"})[0] == 201


@pytest.mark.shows("X2")
def test_demo_peers_answer_what_a_crash_left_unanswered_once(serve):
    server = serve("--github", "demo")
    ada = Client(server, "Ada")
    room = ada.request("POST", "/rooms", {"kind": "direct", "github_login": "defunkt"})[1]["id"]
    for text in ("one", "two", "three"):
        assert ada.request("POST", f"/rooms/{room}/messages", {"text": text})[0] == 201
    server.kill()
    server.start()

    def answers():
        stored = ada.request("GET", f"/rooms/{room}/messages")[1]
        return [m["text"] for m in stored if m["sender"]["id"] != ada.id]

    until(lambda: len(answers()) >= 3, "three answers", 20)
    assert answers() == ["one one", "two two", "three three"]
