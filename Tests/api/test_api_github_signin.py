"""GitHub sign-in through the stand-in, linking and unlinking, and waiting chats, by API."""

import os
import pathlib
import subprocess
import urllib.parse

import pytest

from api_client import PASSWORD, Client
from github import CanaryGitHub, Visitor
from serving import BINARY, ROOT, until

LOGIN, OTHER = "octocat", "defunkt"


@pytest.fixture
def hub(serve):
    def start(**environment):
        return serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off", **environment})

    return start


def parameters(address):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


@pytest.mark.shows("A1", "A3")
def test_a_new_person_gets_an_account_and_can_return_to_it(hub):
    server = hub()
    somebody = Visitor(server)
    assert somebody.sign_in(LOGIN, "?return_to=/people%3Fa=b") == "/people?a=b"
    me = somebody.me
    assert (me["login"], me["github_id"], me["admin"], me["has_password"], me["email"]) == (LOGIN, 583231, True, False, None)
    assert not somebody.flows
    again = Visitor(server)
    assert again.sign_in(LOGIN) == "/chats"
    assert again.me["id"] == me["id"]
    other = Visitor(server)
    other.sign_in(OTHER)
    assert other.me["id"] != me["id"] and other.me["admin"] is False


@pytest.mark.shows("control 14")
def test_it_never_leads_to_another_site(hub):
    server = hub()
    for wanted in ("//evil.example", "/\\evil.example", "/%09/evil.example", "/..//evil.example", "https://evil.example",
                   "/%2F/evil.example", "/auth/github", "/x\r\nSet-Cookie: a=b"):
        query = "?return_to=" + urllib.parse.quote(wanted, safe="")
        assert Visitor(server).sign_in(LOGIN, query) == "/chats", wanted


@pytest.mark.shows("A6")
def test_linking_brings_waiting_chats_and_unlinking_requires_another_way_to_sign_in(hub):
    server = hub()
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    waiting = bob.request("POST", "/rooms", {"kind": "direct", "github_login": LOGIN}).data["id"]
    bob.say(waiting, "waited")
    room = ada.direct(bob)
    ada.say(room, "first")
    # In the demo the guest repeats it twice; from now on these messages are Ada's.
    until(lambda: len(bob.get(f"/rooms/{waiting}/messages").data) == 2, "the answer of the demo's peer")
    mine = Visitor(server, known=ada)
    assert mine.link(LOGIN) == "/settings"
    assert mine.me["login"] == LOGIN and mine.me["has_password"] is True
    messages = bob.get(f"/rooms/{room}/messages").data
    assert [m["text"] for m in messages] == ["first", "waited", "waited waited"]
    assert [m["seq"] for m in messages] == [1, 2, 3] and messages[2]["sender"]["id"] == ada.id
    assert bob.get(f"/rooms/{waiting}").status == 404
    found = ada.get("/search?q=waited").data["messages"]
    assert {m["seq"] for m in found} == {2, 3}
    assert mine.request("POST", "/me/github", {}).status == 409
    # Already linked to somebody else.
    other = Visitor(server, known=bob)
    assert other.link(LOGIN) == "/settings?github=taken"
    assert mine.request("DELETE", "/me/github").status == 200 and "login" not in mine.me
    assert other.link(LOGIN) == "/settings"
    only = Visitor(server)
    only.sign_in(OTHER)
    refused = only.request("DELETE", "/me/github")
    assert refused.status == 409 and "password" in refused.data["detail"]
    assert only.request("PUT", "/me/email", {"email": "octo@example.com"}).status == 200
    assert only.request("PUT", "/me/password", {"new": PASSWORD}).status == 204
    assert only.request("DELETE", "/me/github").status == 200
    assert only.request("POST", "/session", {"email": "octo@example.com", "password": PASSWORD}).status == 200


@pytest.mark.shows("control 15", "A1")
def test_no_code_token_secret_or_state_stays_anywhere(serve):
    github = CanaryGitHub()
    server = serve(environment={**github.environment, "HUBBUB_LOG_LEVEL": "trace"})
    somebody = Visitor(server)
    asked = parameters(somebody.go("/auth/github"))
    answers = [somebody.page(f"/auth/github/callback?code={github.CODE}&state={asked['state']}")]
    assert somebody.me["login"] == "canary" and somebody.me["name"] == "Canary Bird"
    exchange = next(form for path, form, _ in github.asked if path.endswith("access_token"))
    assert exchange["code"] == github.CODE and exchange["client_secret"] == github.SECRET
    assert any(field == f"Bearer {github.TOKEN}" for _, _, field in github.asked), "the token was used once"
    for path in ("/session", "/sessions", "/rooms", "/users"):
        answers.append(somebody.get(path))
    canaries = [github.CODE, github.TOKEN, github.SECRET, asked["state"], exchange["code_verifier"]]
    for answer in answers:
        for canary in canaries:
            assert canary not in str(answer.headers) and canary not in str(answer.data)
    for stop in (False, True):
        if stop:
            server.stop()
        files = [path for path in pathlib.Path(server.folder).rglob("*") if path.is_file()]
        assert any(path.name == "hubbub.sqlite" for path in files)
        for path in files:
            content = path.read_bytes()
            for canary in canaries:
                assert canary.encode() not in content, (path, canary)
        for canary in canaries:
            assert canary not in server.log_text()
    github.close()


@pytest.mark.shows("A1")
def test_without_a_known_address_it_is_off_and_the_log_says_how_to_enable_it(serve):
    github = CanaryGitHub()
    server = serve("--host", "0.0.0.0", environment=github.environment)
    assert "HUBBUB_PUBLIC_URL" in server.log_text()
    somebody = Visitor(server)
    assert somebody.go("/auth/github") == "/sign-in?github=misconfigured"
    told = serve("--host", "0.0.0.0", "--public-url", "https://chat.example.com", name="told", environment=github.environment)
    asked = parameters(Visitor(told).go("/auth/github"))
    assert asked["redirect_uri"] == "https://chat.example.com/auth/github/callback"
    github.close()


def user(server, github, *arguments):
    return subprocess.Popen(
        [BINARY, "user", *arguments, "--data", str(server.folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, cwd=ROOT, env={**os.environ, **(github.environment if github else {})})


@pytest.mark.shows("A6", "A1")
def test_an_operator_links_with_the_device_flow_and_unlinks(serve):
    github = CanaryGitHub()
    server = serve(environment={"HUBBUB_RATE_LIMIT": "off", **github.environment})
    ada = Client(server, "Ada")
    server.stop()
    link = user(server, github, "link", ada.email)
    output, errors = link.communicate(timeout=60)
    assert link.returncode == 0, errors
    assert "ABCD-EFGH" in output and f"{github.address}/login/device" in output and "@canary" in output
    assert github.TOKEN not in output + errors
    for arguments, code in ((["link", ada.email], 65), (["link", "nobody@example.com"], 67), (["unlink", ada.email], 0),
                            (["unlink", ada.email], 0), (["unlink", "nobody@example.com"], 67)):
        ended = user(server, github, *arguments)
        _, errors = ended.communicate(timeout=60)
        assert ended.returncode == code and (code == 0) == (errors == ""), (arguments, errors)
    without = user(server, None, "link", ada.email)
    _, errors = without.communicate(timeout=60)
    assert without.returncode == 78 and "HUBBUB_GITHUB_CLIENT_ID" in errors
    github.close()
    gone = user(server, github, "link", ada.email)
    _, errors = gone.communicate(timeout=60)
    assert gone.returncode == 75 and "GitHub is not available" in errors
    server.start()
    assert "login" not in ada.get("/session").data
