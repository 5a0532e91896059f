"""What clients that mean no good cost the server, and what they cost everybody else (SECURITY 21): the real program, as
many clients as the issue names, and a bystander whose requests must stay under 50 ms.

Run by `bin/test server`. At 999 of 1,000 moments a bystander's request must be answered within 50 ms. Another bystander
asks another server meanwhile that nobody bothers: what that one has to wait, because the machine is busy, is allowed on
top. Where it may, the server runs before other programs; and since a scheduler owes nobody anything, what misses a time
is tried again, twice. What is no matter of time fails at once.
"""

import contextlib
import functools
import json
import pathlib
import re
import signal
import sys
import time
import unittest

from program import REQUEST, Bystander, Crowd, Program, descriptors

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "browser"))
from api_client import BASE, Client, durable  # noqa: E402

BAR = 0.050


class TooSlow(Exception):
    """A bystander had to wait."""


def tried_again(test):
    """The test as it is, but one that was too slow gets two more chances."""
    @functools.wraps(test)
    def attempts(self):
        for left in (2, 1, 0):
            try:
                return test(self)
            except TooSlow as problem:
                print(f"  too slow: {problem}", flush=True)
                self.assertTrue(left, str(problem))
                self.doCleanups()
    return attempts


class Hardness(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.quiet = Program()

    @classmethod
    def tearDownClass(cls):
        cls.quiet.__exit__()

    @contextlib.contextmanager
    def bystander(self, program):
        """Within the block somebody asks `program`, who must not have to wait."""
        with Bystander(self.quiet) as elsewhere, Bystander(program) as here:
            yield
        print(f"  bystander: {here.count} requests, worst {1000 * here.worst:.1f} ms, 99.9 % within "
              f"{1000 * here.usual_worst:.1f} ms; elsewhere {1000 * elsewhere.usual_worst:.1f} ms", flush=True)
        self.assertGreater(here.count, 200)
        if here.usual_worst >= BAR + elsewhere.usual_worst:
            raise TooSlow(f"{1000 * here.usual_worst:.1f} ms")

    @tried_again
    def test_ten_thousand_half_open_heads_cost_20_kib_each_and_are_gone_at_the_timeout(self):
        """SECURITY 21: slowloris."""
        count = descriptors(10_000)
        limits = "--limits", f"connections={count + 100}, connections_per_address={count + 100}, head_seconds=8"
        with Program(*limits) as program, self.bystander(program):
            before = program.memory()
            began = time.monotonic()
            crowd = Crowd(program, count, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ")
            self.addCleanup(crowd.close)
            opened = time.monotonic()
            # Byte by byte, which must earn nobody any time.
            while time.monotonic() < opened + 2:
                crowd.send(b"x")
            each = (program.memory() - before) / count
            print(f"  {count} half-open heads: {each / 1024:.1f} KiB each", flush=True)
            self.assertLess(each, 20 * 1024)
            ended = crowd.ended(opened + 8 + 2 - time.monotonic())
            self.assertEqual(ended, count, f"{time.monotonic() - began:.1f} s after the first")

    @tried_again
    def test_ten_thousand_readers_that_stall_cost_their_queue_and_then_their_connection(self):
        """SECURITY 21: answers that nobody reads."""
        count = descriptors(10_000)
        limits = "--limits", f"connections={count + 100}, connections_per_address={count + 100}, write_seconds=8"
        with Program(*limits) as program:
            head, page = program.ask(self.client(program), b"GET /assets/js/app.js HTTP/1.1\r\nHost: a\r\n\r\n")
            self.assertIn(b" 200 ", head)
            with self.bystander(program):
                before = program.memory()
                # Far more than the system's buffers take: what is left waits in the server.
                requests = b"GET /assets/js/app.js HTTP/1.1\r\nHost: a\r\n\r\n" * 40
                crowd = Crowd(program, count, requests, receive_buffer=4096)
                self.addCleanup(crowd.close)
                opened = time.monotonic()
                each = (program.memory() - before) / count
                print(f"  {count} stalled readers of {len(page)} bytes: {each / 1024:.1f} KiB each", flush=True)
                self.assertLess(each, 64 * 1024)
                # The system calls a connection gone for good when it is closed; none of them may be left.
                self.assertTrue(self.soon(opened + 8 + 8, lambda: len(program.connections()) <= 3))

    @tried_again
    def test_a_thousand_clients_of_256_descriptors_are_served_in_turn(self):
        """SECURITY 21: no exit, no busy loop, recovery within a second."""
        count = descriptors(1_000)
        with Program("--limits", "connections_per_address=5000, idle_seconds=60", files=256) as program:
            with self.bystander(program):
                crowd = Crowd(program, count, REQUEST)
                self.addCleanup(crowd.close)
                time_before, began = program.processor_seconds(), time.monotonic()
                while time.monotonic() < began + 3:
                    self.assertIsNone(program.process.poll())
                    time.sleep(0.05)
                busy = (program.processor_seconds() - time_before) / 3
                print(f"  out of descriptors: {100 * busy:.0f} % of a processor", flush=True)
                self.assertLess(busy, 0.5)
                # Those who have their answer and say nothing more make room for the others.
                self.assertEqual(crowd.answered(20), count)
                crowd.close()
                began = time.monotonic()
                head, body = program.ask(self.client(program))
                took = time.monotonic() - began
                self.assertEqual(json.loads(body), {"status": "ok"})
                print(f"  recovered in {1000 * took:.0f} ms", flush=True)
                self.assertLess(took, 1.0)

    @tried_again
    def test_a_stream_that_is_never_read_costs_its_queue_is_dropped_and_resumes_by_its_last_id(self):
        """SECURITY 21: at most 256 KiB wait in the server for one reader, and nobody else notices."""
        with Program("--rate-limit", "off") as program:
            ada, bob = Client(program, "Ada"), Client(program, "Bob")
            room = ada.direct(bob)
            stalled = program.connect(receive_buffer=4096)
            self.addCleanup(stalled.close)
            stalled.sendall(f"GET {BASE}/events HTTP/1.1\r\nHost: a\r\nCookie: {bob.cookie}\r\n\r\n".encode())
            received = b""
            while b"event: hello" not in received:
                received += stalled.recv(4096)
            port = stalled.getsockname()[1]
            sent, before = 0, program.memory()
            with self.bystander(program):
                while port in program.connections():
                    ada.say(room, f"{sent} " + "x" * 9000)
                    sent += 1
                    self.assertLess(sent, 400, "the reader is still there")
                grown = program.memory() - before
                print(f"  dropped after {sent} messages of 9 KB; the server grew by {grown // 1024} KiB", flush=True)
                # What comes while the reader is away waits in the log.
                while sent < 250:
                    ada.say(room, f"{sent} " + "x" * 9000)
                    sent += 1
                # Its queue, and what the program keeps of the messages for everybody.
                self.assertLess(grown, 8 << 20)
            try:
                while part := stalled.recv(65536):
                    received += part
            except ConnectionResetError:
                pass
            complete = received[:received.rindex(b"\n\n")]
            seen = [int(number) for number in re.findall(rb"^id: (\d+)$", complete, re.M)]
            texts = re.findall(rb'"text":"(\d+) x', complete)
            print(f"  it had got {len(texts)} of them", flush=True)
            self.assertLess(len(texts), sent)
            rest = durable((event for event in bob.stream(seen[-1]) if event[1] == "message.created"), sent - len(texts))
            texts += [event[2]["text"].split()[0] for event in rest]
            self.assertEqual([int(text) for text in texts], list(range(sent)))

    def test_the_bystander_notices_a_server_that_stands_still_for_a_moment(self):
        """What the other tests measure with: a stall of 100 ms is seen among thousands of answers."""
        with Program() as program:
            with Bystander(program) as here:
                time.sleep(2)
                program.process.send_signal(signal.SIGSTOP)
                time.sleep(0.1)
                program.process.send_signal(signal.SIGCONT)
                time.sleep(2)
            self.assertGreater(here.count, 200)
            self.assertGreater(here.usual_worst, BAR)

    def client(self, program):
        client = program.connect()
        self.addCleanup(client.close)
        return client

    def soon(self, end, holds):
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.2)
        return False


if __name__ == "__main__":
    unittest.main(verbosity=2)
