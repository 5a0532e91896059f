"""Fixtures of the API and the browser tests: servers on free ports."""

import pytest

from api_client import Client
from serving import Server


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes many seconds by its nature")
    config.addinivalue_line("markers", "shows(*cases): cases of docs/spec.md and controls of docs/security.md it shows")


@pytest.fixture
def serve(tmp_path):
    """Starts servers, each on its own folder, and ends those that still run."""
    servers = []

    def start(*options, name="data", **how):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        servers.append(Server(folder, *options, **how))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """One demo server without rate limits for all tests that need none of their own."""
    folder = tmp_path_factory.mktemp("program") / "data"
    folder.mkdir()
    server = Server(
        folder, "--github", "demo",
        environment={"HUBBUB_RATE_LIMIT": "off", "HUBBUB_CONNECTIONS_PER_ADDRESS": "2000"})
    yield server
    server.kill()


@pytest.fixture(scope="module")
def ada(program):
    return Client(program, "Ada", "Lovelace")


@pytest.fixture(scope="module")
def nobody(program):
    return Client(program, account=False)
