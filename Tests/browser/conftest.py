"""Fixtures of the browser tests: a stage with people, and an unreliable network."""

import pytest
from playwright.sync_api import expect, sync_playwright

from proxy import Proxy
from stage import PATIENCE, Stage


expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", headless=True, chromium_sandbox=False)
        yield browser
        browser.close()


@pytest.fixture
def stage(browser, serve):
    """A demo server, with people from `stage.person(…)`. Fails if a page logged an error on its console."""
    server = serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"})
    stage = Stage(browser, server)
    yield stage
    stage.close()


@pytest.fixture
def quiet_stage(browser, serve):
    """The same without coverage, for timings."""
    stage = Stage(browser, serve("--github", "demo", environment={"HUBBUB_RATE_LIMIT": "off"}), covers=False)
    yield stage
    stage.close()


@pytest.fixture
def bad_network(stage):
    """A proxy in front of the server that can cut, refuse and swallow."""
    proxy = Proxy(stage.server.port)
    yield proxy
    proxy.close()
