"""Signing in with GitHub over the stand-in, linking and unlinking, and what waited: by API (A1, A6, D7, A3)."""

import os
import pathlib
import subprocess
import urllib.parse

import pytest

from api_client import PASSWORD, Client
from conftest import BINARY, ROOT, until
from github import CanaryGitHub, Visitor, flip, visit

LOGIN, OTHER = "octocat", "defunkt"


@pytest.fixture
def hub(serve):
    def start(**environment):
        return serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off", **environment})

    return start


def parameters(address):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


def test_somebody_new_gets_an_account_and_comes_back_to_it_A1_A3(hub):
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


def test_the_way_there_names_no_secret_and_asks_for_nothing_A1(hub):
    somebody = Visitor(hub())
    asked = parameters(somebody.go("/auth/github"))
    assert asked["client_id"] == "demo-client" and asked["code_challenge_method"] == "S256"
    assert len(asked["state"]) == 64 and len(asked["code_challenge"]) == 43
    assert asked["redirect_uri"] == f"http://127.0.0.1:{somebody.server.port}/auth/github/callback"
    assert "scope" not in asked and "demo-secret" not in str(asked)


@pytest.mark.parametrize("error, name", [
    ("access_denied", "denied"), ("application_suspended", "misconfigured"), ("redirect_uri_mismatch", "misconfigured"),
])
def test_what_github_says_in_its_redirect_is_told_at_the_door_A1(hub, error, name):
    somebody = Visitor(hub())
    assert somebody.sign_in(error=error) == f"/sign-in?github={name}"
    assert not somebody.flows and somebody.get("/session").status == 401


@pytest.mark.parametrize("mode", ["rate-limit", "server-error", "outage", "malformed"])
def test_a_github_that_does_not_answer_is_told_and_the_rest_goes_on_A1(hub, mode):
    server = hub()
    ada = Client(server, "Ada")
    somebody = Visitor(server)
    flip(server, "_sign_in", login=LOGIN)
    back = visit(somebody.go("/auth/github"))
    flip(server, "_faults", mode=mode)
    assert somebody.come_back(back) == "/sign-in?github=unavailable"
    assert ada.get("/session").status == 200 and Client(server, "Bob").get("/rooms").status == 200
    flip(server, "_faults", mode="none")
    assert somebody.sign_in(LOGIN) == "/chats"


def test_an_old_code_a_used_one_and_anothers_state_lead_nowhere_A1(hub):
    server = hub()
    somebody, other = Visitor(server), Visitor(server)
    flip(server, "_sign_in", login=LOGIN)
    back = visit(somebody.go("/auth/github?return_to=/news"))
    assert other.come_back(back) == "/sign-in?github=state"
    kept = dict(somebody.jar)
    assert somebody.come_back(back) == "/news"
    somebody.request("DELETE", "/session")
    assert somebody.come_back(back) == "/sign-in?github=state"
    somebody.jar = kept
    assert somebody.come_back(back) == "/sign-in?return_to=%2Fnews&github=expired"
    late = visit(somebody.go("/auth/github"))
    flip(server, "_clock", ahead_s=700)
    assert somebody.come_back(late) == "/sign-in?github=expired"


def test_a_restart_between_redirect_and_callback_does_no_harm_A1_X1(hub):
    server = hub()
    # The stand-in lives in the program; it forgets its codes, not who somebody is.
    somebody = Visitor(server)
    begun = parameters(somebody.go("/auth/github?return_to=/news"))
    assert server.stop() == 0
    server.start()
    flip(server, "_sign_in", login=LOGIN)
    address = f"{server.demo_github}/login/oauth/authorize?{urllib.parse.urlencode(begun)}"
    assert somebody.come_back(visit(address)) == "/news"
    assert somebody.me["login"] == LOGIN


def test_two_tabs_at_once_both_end_where_they_wanted_A1(hub):
    server = hub()
    somebody = Visitor(server)
    flip(server, "_sign_in", login=LOGIN)
    one, two = somebody.go("/auth/github?return_to=/news"), somebody.go("/auth/github?return_to=/people")
    assert len(somebody.flows) == 2
    assert somebody.come_back(visit(two)) == "/people"
    assert somebody.come_back(visit(one)) == "/news"
    assert not somebody.flows and len(somebody.get("/sessions").data) == 1


@pytest.mark.parametrize("wanted", ["//evil.example", "/\\evil.example", "/%09/evil.example", "/..//evil.example",
                                    "https://evil.example", "/%2F/evil.example", "/auth/github", "/x\r\nSet-Cookie: a=b"])
def test_it_never_leads_to_another_site_SECURITY_14(hub, wanted):
    somebody = Visitor(hub())
    assert somebody.sign_in(LOGIN, "?return_to=" + urllib.parse.quote(wanted, safe="")) == "/chats"


def test_messages_wait_for_a_github_account_and_are_found_by_its_number_D7(hub):
    server = hub()
    ada = Client(server, "Ada")
    room = ada.request("POST", "/rooms", {"kind": "direct", "github_login": OTHER}).data
    assert room["peer"]["member"] is False
    ada.say(room["id"], "for you")
    before = ada.get("/rooms").headers["Hubbub-Event-Id"]
    somebody = Visitor(server)
    assert somebody.sign_in(OTHER) == "/chats"
    assert somebody.me["id"] == room["peer"]["id"]
    (mine,) = somebody.get("/rooms").data
    assert mine["id"] == room["id"]
    texts = [message["text"] for message in somebody.get(f"/rooms/{room['id']}/messages").data]
    assert "for you" in texts
    told = ada.get(f"/sync?after={before}&wait=0").data["events"]
    assert [e["data"]["member"] for e in told if e["event"] == "user.updated"][-1:] == [True]
    # In the demo a peer answers for who is not here; from now on that person speaks for himself.
    ada.say(room["id"], "still there?")
    last = ada.get(f"/rooms/{room['id']}/messages?limit=1").data[0]
    assert last["text"] == "still there?"


def test_linking_brings_what_waited_and_unlinking_needs_another_way_in_A6(hub):
    server = hub()
    ada, bob = Client(server, "Ada"), Client(server, "Bob")
    waiting = bob.request("POST", "/rooms", {"kind": "direct", "github_login": LOGIN}).data["id"]
    bob.say(waiting, "waited")
    room = ada.direct(bob)
    ada.say(room, "first")
    # In the demo the guest says it back twice; what he said is Ada's from now on.
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
    # Somebody else's already.
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


def test_by_invite_the_invitation_is_carried_through_github_A3_A1(hub):
    server = hub(HUBBUB_REGISTRATION="invite")
    somebody = Visitor(server)
    assert somebody.sign_in(LOGIN) == "/sign-in?github=invite"
    server.stop()
    made = subprocess.run([BINARY, "user", "invite", "--data", str(server.folder)], capture_output=True, text=True, cwd=ROOT)
    token = made.stdout.strip().rsplit("/", 1)[-1]
    server.start()
    query = f"?return_to=/invite/{token}&invitation={token}"
    assert somebody.sign_in(LOGIN, query) == "/chats"
    assert somebody.me["admin"] is True
    assert Visitor(server).sign_in(OTHER, query).endswith("github=invite")


def test_registration_by_github_alone_makes_accounts_by_github_A3_A1(hub):
    server = hub(HUBBUB_REGISTRATION="github")
    somebody = Visitor(server)
    assert somebody.sign_in(LOGIN) == "/chats"
    body = {"email": "a@example.com", "password": PASSWORD, "first_name": "A"}
    assert somebody.request("POST", "/accounts", body).status == 403


def test_closed_means_closed_by_github_too_A3_A1(hub):
    assert Visitor(hub(HUBBUB_REGISTRATION="closed")).sign_in(LOGIN) == "/sign-in?github=closed"


def test_no_code_token_secret_or_state_stays_anywhere_SECURITY_15_A1(serve):
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


def test_without_an_address_to_come_back_to_it_is_off_and_the_log_says_how_to_turn_it_on_A1(serve):
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


def test_an_operator_links_and_unlinks_by_the_device_flow_A6_A1(serve):
    github = CanaryGitHub()
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
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
    assert gone.returncode == 75 and "GitHub cannot be asked" in errors
    server.start()
    assert "login" not in ada.get("/session").data
