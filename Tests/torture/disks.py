"""Disks that lose unsynchronised data after a restart has shown it, that fill up within a statement, or are small; and
commands that are killed at each of their system calls."""

import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import time

from case import CUTS, KILLS, SEED, Case, say, some
from layer import Disk
from shows import shows
from visitors import PASSWORD
from world import BINARY, Program, World, history, hold


class Disks(Case):
    def shown(self, world):
        """All messages of all rooms as the program shows them, and its last event."""
        rows = [(room, m["seq"], m["client_id"], m["text"], m["sender"]["id"])
                for room in world.rooms for m in history(world.program, world.people[0], room)]
        return rows, world.program.ask("GET", "/sync", cookie=world.people[0].cookie)[1]["last_event_id"]

    def cut_after_restart(self, number):
        """Kills the program at the given request, restarts it, and cuts the power once it has shown its data. Returns
        whether the kill left unacknowledged commits in the WAL."""
        chance = random.Random(f"{SEED}-restart-{number}")
        world = self.world(starts=False, library=self.library, listeners=0)
        program = world.program
        try:
            program.trace = program.folder / "trace"
            program.start()
            world.begin()
            world.wait_for(chance.randrange(10, 60))
            program.control.kill_at = program.control.requests + chance.randrange(1, 60)
            self.assertEqual(program.process.wait(30), -signal.SIGKILL)
            program.control.kill_at = 0
            for writer in world.writers:  # nobody retries: only what the kill left is shown
                writer.gives_up = True
            for writer in world.writers:
                writer.join(30)
                self.assertFalse(writer.is_alive())
            rows = world.ledger.copy()
            program.start()
            before, last = self.shown(world)
            unheard = {row[2] for row in before} - {row[2] for row in rows}
            program.kill()
            after = program.folder / "after"
            Disk(self.beginning.data, program.trace).cut(after, chance)
            shutil.rmtree(program.data)
            os.rename(after, program.data)
            program.trace = None
            program.start()
            hold(program, world.people, world.rooms, before)
            now, number = self.shown(world)
            self.assertEqual((sorted(now), number), (sorted(before), last), "what was shown after the restart is gone")
            self.assertEqual(program.check(), "")
            return bool(unheard)
        finally:
            world.end()

    @shows("control 18")
    def test_data_shown_after_a_restart_survives_a_power_failure(self):
        unheard = sum(self.cut_after_restart(number) for number in range(CUTS))
        say(f"{CUTS} cuts after a kill and a restart: all that was shown is there; {unheard} kills left commits nobody had heard of")

    @shows("control 19")
    def test_a_disk_that_fills_inside_a_statement(self):
        chance, world = random.Random(SEED), self.world(library=self.library)
        world.begin()
        rounds = max(4, KILLS // 4)
        for _ in range(rounds):
            world.wait_for(20)
            control, refused = world.program.control, world.refusals()[507]
            control.full_at = control.requests + chance.randrange(1, 40)
            end = time.monotonic() + 20
            while world.refusals()[507] == refused:
                self.assertLess(time.monotonic(), end, f"no 507: {world.refusals()}")
                time.sleep(0.002)
            self.assertEqual(world.program.check(), "", "while the disk is full")
            control.full_at = 0
            began = time.monotonic()
            world.wait_for(1)
            self.assertLess(time.monotonic() - began, 1.5, "writing resumes within 1.5 s")
        say(f"disk full at {rounds} places: {world.hold()} messages, all there")

    @shows("control 19")
    def test_a_small_disk_holds_many_messages_reports_and_recovers(self):
        """40 MB hold 8,000 short messages of one person, sent one after the other."""
        if os.geteuid() != 0:
            self.skipTest("mounting a small disk needs root")
        folder = pathlib.Path(self.space.name) / "small"
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=True)
        world = World(self.beginning, folder / "world", listeners=0)
        self.addCleanup(world.end)
        program, person, room = world.program, world.people[0], world.rooms[0]
        program.start()
        # The initial data's sessions have no known password, so this needs a new person.
        body = {"email": "small@example.com", "password": PASSWORD, "first_name": "Small"}
        self.assertEqual(program.ask("POST", "/accounts", body)[0], 201)
        sent, rows = 0, []
        connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=30)
        while True:
            connection.request("POST", f"/api/v1/rooms/{room}/messages", json.dumps({
                "client_id": f"00000000-0000-4000-8000-{sent:012x}", "text": f"{person.id} {sent} the build is green again"}),
                {"Cookie": person.cookie, "Content-Type": "application/json"})
            answer = connection.getresponse()
            raw = answer.read()
            if answer.status != 201:
                break
            sent += 1
        self.assertEqual(answer.status, 507, raw)
        self.assertGreaterEqual(sent, 8000)
        signed = program.ask("POST", "/session", {"email": "small@example.com", "password": PASSWORD})
        self.assertIn(signed[0], (200, 201), signed)
        self.assertEqual(program.ask("GET", "/readyz", base="")[1].get("writing"), "refused")
        self.assertIn("the disk is nearly full", program.log_text())
        self.assertIn("the disk is full", program.log_text())
        self.assertEqual(program.stop(), 0)
        program.start()  # even if the disk is full
        say(f"a disk of 40 MB is full after {sent} short messages; {self.sizes(program.data)}")
        subprocess.run(["mount", "-o", "remount,size=48m", folder], check=True)
        began = time.monotonic()
        status = 0
        while status != 201:
            status = program.ask("POST", f"/rooms/{room}/messages", {"text": "with room"}, person.cookie)[0]
            self.assertLess(time.monotonic() - began, 1.5, "writing resumes within 1.5 s of being given room")
        self.assertEqual(len(history(program, person, room)), sent + 1)
        self.assertEqual(program.check(), "")

    @staticmethod
    def sizes(data):
        return ", ".join(f"{path.name} {path.stat().st_size >> 10} KB" for path in sorted(data.iterdir()) if path.is_file())

    def command(self, program, *arguments):
        """Runs one of the program's commands with the layer. Returns its exit code."""
        environment = {**os.environ, "LD_PRELOAD": str(self.library), "HUBBUB_LAYER_FOLDER": str(program.data),
                       "HUBBUB_LAYER_CONTROL": str(program.folder / "control")}
        return subprocess.run([BINARY, *arguments, "--data", str(program.data)], env=environment, capture_output=True,
                              text=True, timeout=60)

    def killed_data(self, name):
        """Data as left by a kill, with messages only in the WAL, and a backup of an earlier state."""
        program = Program(pathlib.Path(self.space.name) / name, library=self.library)
        shutil.copytree(self.left.data, program.data, dirs_exist_ok=True)
        return program

    def count(self, program):
        connection = sqlite3.connect(program.data / "hubbub.sqlite")
        try:
            return connection.execute("SELECT count(*) FROM messages").fetchone()[0]
        finally:
            connection.close()

    @shows("X1")
    def test_a_restore_killed_at_any_system_call_leaves_the_old_or_the_new_database(self):
        world = self.world(listeners=0)
        world.begin()
        world.wait_for(30)
        backup = world.program.folder / "backup.sqlite"
        world.rest()
        subprocess.run([BINARY, "backup", backup, "--data", world.program.data], check=True, capture_output=True)
        old = len(world.ledger.rows)
        for number in range(21):
            status, _ = world.program.ask("POST", f"/rooms/{world.rooms[0]}/messages", {
                "client_id": f"00000000-0000-4000-8000-{number:012x}", "text": "in the WAL alone"}, world.people[0].cookie)
            self.assertEqual(status, 201)
        world.program.kill()
        self.left = world.program
        whole = self.killed_data("restore-whole")
        ended = self.command(whole, "restore", backup)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(self.count(whole), old)
        steps, chance, outcomes = whole.control.requests, random.Random(SEED), {old: 0, old + 21: 0}
        self.assertGreater(steps, 5)
        for step in some(steps, chance):
            program = self.killed_data(f"restore-{step}")
            program.control.kill_at = step
            self.assertEqual(self.command(program, "restore", backup).returncode, -signal.SIGKILL)
            program.control.kill_at = 0
            self.assertEqual(program.check(), "", f"after a kill at request {step}")
            found = self.count(program)
            self.assertIn(found, outcomes, f"after a kill at request {step}")
            outcomes[found] += 1
            ended = self.command(program, "restore", backup)
            self.assertEqual((ended.returncode, self.count(program)), (0, old), ended.stderr)
            shutil.rmtree(program.folder)
        say(f"restore killed at {sum(outcomes.values())} of its {steps} requests: {outcomes[old + 21]} times the old data, "
            f"{outcomes[old]} times the new, whole each time")
