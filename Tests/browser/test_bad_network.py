"""The network fails, responses get lost, the server dies: nothing is lost or duplicated, and the page says so."""

import re

import pytest
from playwright.sync_api import expect

from serving import until


def over(stage, network):
    ada, bob = stage.person("Ada", base=network.url).sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    return ada, bob, room


@pytest.mark.shows("S2")
def test_a_lost_response_results_in_one_message(stage, bad_network):
    ada, bob, room = over(stage, bad_network)
    bad_network.swallow_answer_to = b"sent exactly once"
    ada.say("sent exactly once")
    until(lambda: bad_network.swallowed == 1, "the answer to be swallowed")
    until(lambda: ada.state("sent exactly once") in ("sent", "delivered", "read"), "the retry to succeed")
    expect(ada.row("sent exactly once")).to_have_count(1)
    expect(bob.row("sent exactly once")).to_have_count(1)
    stored = ada.api("GET", f"/rooms/{room}/messages")[1]
    assert [m["text"] for m in stored] == ["sent exactly once"]


@pytest.mark.shows("S2", "S5")
def test_offline_is_shown_and_messages_wait_and_are_sent_in_order(stage, bad_network):
    ada, bob, _ = over(stage, bad_network)
    ada.say("before")
    until(lambda: ada.state("before") != "unsent", "stored")
    bad_network.go_down()
    until(lambda: ada.connection in ("connecting", "offline"), "the page to notice")
    for number in range(1, 6):
        ada.say(f"waiting {number}")
    assert [ada.state(f"waiting {n}") for n in range(1, 6)] == ["unsent"] * 5
    bob.say("meanwhile")
    until(lambda: bob.state("meanwhile") != "unsent", "Bob's own network is fine")
    bad_network.come_back()
    until(lambda: ada.connection == "online", "the stream to come back")
    ada.row("meanwhile").first.wait_for()
    until(lambda: bob.texts_in_order(r"waiting \d") == [f"waiting {n}" for n in range(1, 6)], "all five in order")
    until(lambda: all(ada.state(f"waiting {n}") != "unsent" for n in range(1, 6)), "stored")
    expect(ada.row("waiting")).to_have_count(5)


@pytest.mark.shows("S2")
def test_the_outbox_survives_a_reload_while_offline(stage, bad_network):
    ada, bob, room = over(stage, bad_network)
    bad_network.go_down()
    ada.say("written before the crash")
    until(lambda: ada.state("written before the crash") == "unsent", "unsent")
    bad_network.come_back()
    # The page crashes, and is opened again.
    bad_network.swallow_answer_to = None
    ada.page.close(run_before_unload=False)
    ada.page = ada.new_page()
    ada.open(room)
    until(lambda: ada.row("written before the crash").count() == 1, "the message to be there again")
    until(lambda: ada.state("written before the crash") in ("sent", "delivered", "read"), "and to be sent")
    until(lambda: bob.row("written before the crash").count() > 0, "the message at Bob's")
    expect(bob.row("written before the crash")).to_have_count(1)


@pytest.mark.shows("S5")
def test_messages_edits_and_names_missed_while_away_are_caught_up(stage, bad_network):
    ada, bob, room = over(stage, bad_network)
    bob.say("one")
    ada.row("one").first.wait_for()
    bad_network.go_down()
    until(lambda: ada.connection in ("connecting", "offline"), "the page to notice")
    bob.say("two")
    until(lambda: bob.state("two") != "unsent", "stored")
    assert bob.api("PATCH", f"/rooms/{room}/messages/1", {"text": "one, mended"})[0] == 200
    assert bob.api("PATCH", "/me", {"first_name": "Robert"})[0] == 200
    bad_network.come_back()
    ada.row("one, mended").first.wait_for()
    ada.row("two").first.wait_for()
    ada.page.get_by_text("Robert").first.wait_for()
    assert ada.texts_in_order(r"one, mended|two") == ["one, mended", "two"]


@pytest.mark.shows("S3")
def test_a_refusal_is_shown_with_retry_and_delete(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    ada.chat_with(bob)
    ada.page.route(re.compile(r"/messages$"), lambda route: route.fulfill(
        status=413, content_type="application/problem+json",
        body='{"type":"/problems/too-large","title":"Too large","status":413,"detail":"The message is too large."}')
        if route.request.method == "POST" else route.continue_())
    ada.say("refused at first")
    until(lambda: ada.state("refused at first") == "failed", "the refusal to show")
    ada.page.unroute(re.compile(r"/messages$"))
    ada.row("refused at first").get_by_role("button", name=re.compile("Retry")).click()
    until(lambda: ada.state("refused at first") in ("sent", "delivered"), "the retry")
    expect(ada.row("refused at first")).to_have_count(1)


@pytest.mark.shows("S2", "S5", "X1")
def test_restart_by_sigterm_and_by_sigkill_loses_nothing(stage):
    ada, bob = stage.person("Ada").sign_up(), stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    for number, end in enumerate((stage.server.stop, stage.server.kill), 1):
        ada.say(f"stored {number}")
        until(lambda: ada.state(f"stored {number}") not in ("unsent", None), "stored")
        code = end()
        assert code in (0, None)
        until(lambda: ada.connection in ("connecting", "offline"), "the page to notice")
        ada.say(f"while down {number}")
        assert ada.state(f"while down {number}") == "unsent"
        stage.server.start()
        until(lambda: ada.connection == "online" and bob.connection == "online", "both streams")
        bob.row(f"while down {number}").first.wait_for()
    expected = ["stored 1", "while down 1", "stored 2", "while down 2"]
    assert bob.texts_in_order(r"(stored|while down) \d") == expected
    ada.page.reload()
    until(lambda: ada.texts_in_order(r"(stored|while down) \d") == expected, "the history after a reload")
    assert [m["seq"] for m in ada.api("GET", f"/rooms/{room}/messages")[1]] == [1, 2, 3, 4]
