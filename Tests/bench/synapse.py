"""matrix-synapse as installed from PyPI, on SQLite, in its own environment under .tools: the peer of the chat
benchmark."""

import http.client
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse

from chat_data import SENDERS
from hubbub import ROOT, Measured, exchange
from peers import free_port

ENVIRONMENT = ROOT / ".tools/synapse"
PEOPLE = 100
# Generous limits: a homeserver's defaults are for people, not for load tests.
CONFIGURATION = """
server_name: localhost
pid_file: {folder}/synapse.pid
listeners: [{{port: {port}, bind_addresses: ["127.0.0.1"], type: http, tls: false, resources: [{{names: [client]}}]}}]
database: {{name: sqlite3, args: {{database: {folder}/homeserver.db}}}}
log_config: {folder}/log.yaml
media_store_path: {folder}/media
signing_key_path: {folder}/signing.key
registration_shared_secret: a secret for the benchmark
enable_registration: true
enable_registration_without_verification: true
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
presence: {{enabled: false}}
bcrypt_rounds: 4
rc_message: &open {{per_second: 1000000, burst_count: 1000000}}
rc_registration: *open
rc_login: {{address: *open, account: *open, failed_attempts: *open}}
rc_joins: {{local: *open, remote: *open}}
rc_joins_per_room: *open
rc_invites: {{per_room: *open, per_user: *open, per_issuer: *open}}
rc_room_creation: *open
"""
LOG = "{version: 1, root: {level: ERROR}, disable_existing_loggers: true}"


class Synapse(Measured):
    """A homeserver with people in rooms. `fields` are the people's header lines, `filter` is a receiver's filter."""

    def __init__(self, folder):
        self.port = free_port()
        folder.mkdir()
        (folder / "homeserver.yaml").write_text(CONFIGURATION.format(folder=folder, port=self.port))
        (folder / "log.yaml").write_text(LOG)
        command = [ENVIRONMENT / "bin/python", "-m", "synapse.app.homeserver", "-c", folder / "homeserver.yaml"]
        subprocess.run([*command, "--generate-keys"], check=True, capture_output=True)
        super().__init__(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(folder / "errors", "w")))
        self.wait(folder)
        people = [self.register(number) for number in range(PEOPLE)]
        self.fields = [f"Authorization: Bearer {token}" for _, token in people]
        self.together = self.room("Together", people[0], people[1:])
        self.own = [self.room(f"Own {n}", people[n], [people[(n + 1) % PEOPLE]]) for n in range(SENDERS)]
        # Only the room's messages, as in Hubbub's stream; in the address, because a stored filter belongs to one user.
        nothing = {"types": []}
        self.filter = urllib.parse.quote(json.dumps({
            "presence": nothing, "account_data": nothing, "room": {
                "rooms": [self.together], "timeline": {"limit": 50}, "state": nothing, "ephemeral": nothing, "account_data": nothing}}))

    def wait(self, folder):
        end = time.monotonic() + 60
        while True:
            try:
                return self.ask("GET", "/versions", base="/_matrix/client")
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((folder / "errors").read_text()[-500:] or "Synapse does not answer") from None
                time.sleep(0.1)  # the polling interval

    def ask(self, method, path, body=None, token=None, base="/_matrix/client/v3"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            status, answer, _ = exchange(connection, method, base + path, body, {"Authorization": f"Bearer {token}"} if token else {})
        finally:
            connection.close()
        if status != 200:
            raise RuntimeError(f"Synapse: {method} {path}: {status} {answer}")
        return answer

    def register(self, number):
        answer = self.ask("POST", "/register", {
            "username": f"person{number}", "password": "a long and private phrase", "auth": {"type": "m.login.dummy"}})
        return answer["user_id"], answer["access_token"]

    def room(self, name, maker, others):
        """An unencrypted room that anybody may join, with all of them in it."""
        room = self.ask("POST", "/createRoom", {"name": name, "preset": "public_chat"}, maker[1])["room_id"]
        for _, token in others:
            self.ask("POST", f"/rooms/{room}/join", {}, token)
        return room

    def rooms(self, senders, apart):
        return [self.own[n] if apart else self.together for n in range(senders)]


def version():
    """The version that pip has installed."""
    shown = subprocess.run([ENVIRONMENT / "bin/pip", "show", "matrix-synapse"], capture_output=True, text=True).stdout
    found = re.search(r"^Version: (\S+)", shown, re.MULTILINE)
    return found[1] if found else "?"


def homeserver(bench):
    """Synapse with its people; None, with a message, if it cannot be installed."""
    try:
        if not (ENVIRONMENT / "bin/synapse_homeserver").exists():
            if os.environ.get("HUBBUB_NO_INSTALL"):
                raise RuntimeError("it is not installed, and --no-install was given")
            bench.say("Installing matrix-synapse into .tools/synapse: it is measured beside Hubbub.")
            subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True, capture_output=True)
            subprocess.run([ENVIRONMENT / "bin/pip", "install", "--quiet", "matrix-synapse"], check=True, capture_output=True)
        peer = Synapse(bench.folder / "synapse")
        bench.say(f"matrix-synapse {version()} is there.")
        return peer
    except (OSError, RuntimeError, subprocess.CalledProcessError, json.JSONDecodeError) as reason:
        bench.say(f"matrix-synapse cannot be had and is left out: {reason}")
        return None
