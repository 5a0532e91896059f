"""Everything that may happen to the program and its disk while people write: nothing that was acknowledged is lost,
doubled or out of order, streams go on without a gap, and `hubbub check` finds the data sound.

    bin/torture                    200 kills, 60 power cuts and the rest
    bin/test torture               a short run, which is part of bin/test

Each scenario prints its figures; the last line is what unittest says.
"""

import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import unittest

sys.path += [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1] / "tools")]
from case import CUTS, KILLS, SEED, Case, say, some  # noqa: E402
from disks import Disks  # noqa: E402, F401 (run with the rest)
from layer import Disk  # noqa: E402
from shows import shows  # noqa: E402
from soaking import Soaking  # noqa: E402, F401 (run with the rest)
from world import ROOT, Program, hold  # noqa: E402


class Torture(Case):
    @shows("H3", "control 18")
    def test_kills_under_load(self):
        """SIGKILL at random moments under eight writers that retry and eight streams that resume."""
        chance, world = random.Random(SEED), self.world()
        world.begin()
        answers, streams = [], []
        for _ in range(KILLS):
            world.wait_for(chance.randrange(5, 150))
            time.sleep(chance.random() * 0.02)  # the kill hits the program at a random point of its work
            world.program.kill()
            answers.append(world.program.start())
            back = time.monotonic()
            while any(listener.opened < back - answers[-1] for listener in world.listeners):
                self.assertLess(time.monotonic() - back, 5, "streams are not back within 5 s")
                time.sleep(0.005)
            streams.append(time.monotonic() - back)
        count = world.hold()
        self.assertLess(max(answers), 2, "the first answer after a restart")
        say(f"{KILLS} kills: {count} messages acknowledged, 0 lost, 0 doubled, 0 out of order; first answer after at most "
            f"{max(answers):.2f} s, streams back after {max(streams):.2f} s more")

    def cut_power(self, forgetful=False):
        """One power failure under load. Returns the number of messages acknowledged before it, and of sectors lost."""
        chance = random.Random(f"{SEED}-{self.cuts}")
        self.cuts += 1
        world = self.world(starts=False, library=self.library, listeners=0)
        try:
            world.program.trace = world.program.folder / "trace"
            world.program.control.forget_syncs = forgetful
            world.program.start()
            world.begin()
            world.wait_for(chance.randrange(20, 400))
            time.sleep(chance.random() * 0.01)  # at a random point
            rows = world.ledger.copy()
            world.program.kill()
            for writer in world.writers:
                writer.ends.set()
            after = world.program.folder / "after"
            torn = Disk(self.beginning.data, world.program.trace).cut(after, chance)
            shutil.rmtree(world.program.data)
            os.rename(after, world.program.data)
            world.program.trace = None
            world.program.control.forget_syncs = 0
            world.program.start()
            hold(world.program, world.people, world.rooms, rows)
            finding = world.program.check()
            self.assertEqual(finding, "")
            for writer in world.writers:
                writer.join(30)
            return len(rows), torn
        finally:
            world.end()

    @shows("H3", "control 17")
    def test_power_failures_lose_nothing_acknowledged(self):
        self.cuts = 0
        kept = lost = 0
        for _ in range(CUTS):
            rows, torn = self.cut_power()
            kept += rows
            lost += torn
        say(f"{CUTS} power cuts: {kept} acknowledged messages kept, {lost} sectors that were not synchronised lost")
        self.assertGreater(lost, 0, "a cut that takes nothing shows nothing")

    def test_power_failures_reveal_a_program_that_does_not_wait_for_the_disk(self):
        self.cuts = 1000
        with self.assertRaisesRegex(AssertionError, "lost or changed|did not start|not sound|!= ''|a gap|cannot be read any more|is there twice"):
            for _ in range(5):
                self.cut_power(forgetful=True)

    @shows("control 19")
    def test_a_full_disk_is_507_and_service_resumes(self):
        world = self.world(library=self.library)
        world.begin()
        world.wait_for(50)
        world.program.control.disk_full = 1
        end = time.monotonic() + 20
        while world.refusals()[507] < 30:
            self.assertLess(time.monotonic(), end, f"no 507: {world.refusals()}")
            time.sleep(0.01)
        reader = world.people[0]
        for path in ("/rooms", "/session", f"/rooms/{world.rooms[0]}/messages"):
            self.assertEqual(world.program.ask("GET", path, cookie=reader.cookie)[0], 200, path)
        status, problem = world.program.ask(
            "POST", f"/rooms/{world.rooms[0]}/messages", {"text": "no room"}, reader.cookie)
        self.assertEqual((status, problem["type"]), (507, "/problems/unavailable"))
        self.assertIn("disk is full", problem["detail"])
        self.assertEqual(world.program.ask("GET", "/readyz", base="")[:2], (200, {"status": "ready", "writing": "refused"}))
        refused = world.refusals()[507]
        world.program.control.disk_full = 0
        world.wait_for(100)
        count = world.hold()
        say(f"full disk: {refused} answers 507, reads went on; {count} messages, all there")

    @shows("control 19")
    def test_after_a_failed_sync_nothing_is_acknowledged(self):
        world = self.world(library=self.library, listeners=0)
        world.begin()
        world.wait_for(50)
        world.program.control.sync_fails = 1
        end = time.monotonic() + 20
        while world.refusals()[503] < 20:
            self.assertLess(time.monotonic(), end, f"no 503: {world.refusals()}")
            time.sleep(0.01)
        world.program.control.sync_fails = 0
        acknowledged = len(world.ledger.rows)
        status, problem = world.program.ask(
            "POST", f"/rooms/{world.rooms[0]}/messages", {"text": "after"}, world.people[0].cookie)
        self.assertEqual(status, 503)
        self.assertIn("restart", problem["detail"])
        self.assertEqual(len(world.ledger.rows), acknowledged, "acknowledged after a failed synchronisation")
        self.assertEqual(world.program.ask("GET", "/rooms", cookie=world.people[0].cookie)[0], 200)
        world.program.kill()
        world.program.start()
        world.wait_for(50)
        say(f"failing disk: {acknowledged} before, none after it, {world.hold()} in the end")

    def test_a_read_only_disk_is_refused_and_resumes(self):
        world = self.world(library=self.library)
        world.begin()
        world.wait_for(50)
        world.program.control.read_only = 1
        end = time.monotonic() + 20
        while sum(world.refusals().values()) < 20:
            self.assertLess(time.monotonic(), end, "nothing is refused")
            time.sleep(0.01)
        self.assertEqual(world.program.ask("GET", "/rooms", cookie=world.people[0].cookie)[0], 200)
        world.program.control.read_only = 0
        world.wait_for(100)
        say(f"read-only disk: refused by {dict(world.refusals())}; {world.hold()} messages, all there")

    @shows("control 20")
    def test_clock_jumps_change_no_order_and_end_no_session(self):
        world = self.world(library=self.library)
        world.begin()
        hour, day = 3600 * 10**9, 86400 * 10**9
        for offset in (-hour, day, 0, -30 * day, 30 * day, 0):
            world.wait_for(60)
            world.program.control.clock_offset = offset
            world.wait_for(60)
            self.assertEqual(world.program.ask("GET", "/session", cookie=world.people[0].cookie)[0], 200)
        for writer in world.writers:
            writer.ends.set()
        for writer in world.writers:
            writer.join(30)
        spent, began = self.processor_time(world), time.monotonic()
        while time.monotonic() - began < 2:
            world.program.ask("GET", "/healthz", base="")
            time.sleep(0.25)
        spent = self.processor_time(world) - spent
        self.assertLess(spent, 0.4, "it spins after a jump of the clock")
        say(f"clock: {world.hold()} messages in order; {spent:.2f} s of processor time in 2 quiet s")

    @staticmethod
    def processor_time(world):
        parts = pathlib.Path(f"/proc/{world.program.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    @shows("control 21")
    def test_few_descriptors_and_little_memory_lose_nothing(self):
        for name, limits in (("48 descriptors", ("prlimit", "--nofile=48:48")),
                             ("400 MiB of addresses beyond what it starts with", None)):
            with self.subTest(name):
                world = self.world(listeners=4)
                if limits is None:
                    status = pathlib.Path(f"/proc/{world.program.process.pid}/status").read_text()
                    size = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmPeak")))
                    limits = ("prlimit", f"--as={(size + 400 * 1024) * 1024}")
                world.program.stop()
                world.program.limits = limits
                world.program.start()
                world.begin()
                crowd = self.crowd(world.program.port, 100)
                world.wait_for(100)
                for peer in crowd:
                    peer.close()
                if world.program.process.poll() is not None:
                    world.program.start()
                world.wait_for(100)
                say(f"{name}: {world.hold()} messages, all there")
                world.end()

    @staticmethod
    def crowd(port, count):
        peers = []
        for _ in range(count):
            try:
                peers.append(socket.create_connection(("127.0.0.1", port), timeout=1))
            except OSError:
                break
        return peers

    def old_data(self, name):
        """A program on a copy of the first release's database."""
        program = Program(pathlib.Path(self.space.name) / name, library=self.library)
        shutil.copyfile(ROOT / "Tests/ChatSQLiteTests/Fixtures/01-v1.sqlite", program.data / "hubbub.sqlite")
        return program

    @shows("control 22")
    def test_a_kill_at_any_step_of_the_migrations_loses_nothing(self):
        """Upgrades the first schema to the current one, killed after each of some of its writes, then started again."""
        whole = self.old_data("migration")
        whole.start()
        steps = whole.control.requests
        whole.kill()
        self.assertGreater(steps, 100, "the migration is seen by the layer")
        chance, killed = random.Random(SEED), 0
        for step in some(steps, chance):
            program = self.old_data(f"migration-{step}")
            program.control.kill_at = step
            if program.start(expect=False) is None:
                self.assertEqual(program.process.wait(10), -signal.SIGKILL)
                killed += 1
            else:
                program.kill()
            program.control.kill_at = 0
            program.start()
            self.assertEqual(program.stop(), 0)
            self.assertEqual(program.check(), "", f"after a kill at step {step}")
            connection = sqlite3.connect(program.data / "hubbub.sqlite")
            texts = [text for text, in connection.execute("SELECT text FROM messages ORDER BY room, seq")]
            connection.close()
            self.assertEqual(
                texts, ["Grüße aus Wien", "edited by now", "", "mine, marked as unread", "the newest"], f"step {step}")
            shutil.rmtree(program.folder)
        say(f"{killed} kills within {steps} steps of the migrations: nothing lost")

    @shows("X1")
    def test_an_upgrade_without_disk_space_is_not_started(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small disk needs root")
        program = self.old_data("no-room")
        connection = sqlite3.connect(program.data / "hubbub.sqlite")
        with connection:
            connection.execute("UPDATE rooms SET topic = printf('%.*c', 500000, 'x') WHERE key = 1")
        connection.close()
        old = (program.data / "hubbub.sqlite").read_bytes()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={len(old) * 5 // 2}", "tmpfs", program.data], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", program.data], check=True)
        (program.data / "hubbub.sqlite").write_bytes(old)
        for _ in range(3):
            self.assertIsNone(program.start(expect=False))
            self.assertEqual(program.process.wait(10), 73)
            self.assertIn("no room for the upgrade", program.log_text())
            self.assertEqual([path.name for path in program.data.iterdir() if "before-upgrade" in path.name], [])

    @shows("X1")
    def test_a_missing_or_unwritable_folder_is_refused_in_one_line(self):
        folder = pathlib.Path(self.space.name) / "refusals"
        program = Program(folder, library=self.library)
        program.control.read_only = 1
        self.assertIsNone(program.start(expect=False))
        self.assertEqual(program.process.wait(10), 73)
        self.assertIn("cannot be written", program.log_text())
        program.control.read_only, program.control.disk_full = 0, 1
        self.assertIsNone(program.start(expect=False))
        self.assertEqual(program.process.wait(10), 73)
        self.assertIn("disk", program.log_text().splitlines()[-1])
        program.control.disk_full = 0
        self.assertIsNotNone(program.start(), "after the causes have gone it starts")
        program.kill()


if __name__ == "__main__":
    unittest.main(verbosity=2)
