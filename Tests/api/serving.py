"""`hubbub serve` as a process, and waiting without sleeps: `until` polls until a condition holds."""

import os
import pathlib
import re
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("HUBBUB_BINARY", str(ROOT / ".build/release/hubbub"))


def until(question, what, seconds=30):
    """Calls `question` until its result is true, and returns that result."""
    end = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < end, f"waited {seconds} s for {what}; last answer: {answer!r}"
        pause.wait(0.02)


class Server:
    """`hubbub serve` as a separate process."""

    def __init__(self, folder, *options, environment=None, command=(BINARY, "serve")):
        self.folder = pathlib.Path(folder)
        self.command = command
        self.options = options
        self.environment = {**os.environ, "HUBBUB_LOG_LEVEL": "info", **(environment or {})}
        self.port = 0
        self.start()

    def start(self):
        command = [*self.command, "--data", str(self.folder), "--port", str(self.port), *self.options]
        self.began = time.monotonic()
        self.log = open(self.folder.parent / f"{self.folder.name}.log", "ab")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, env=self.environment, text=True, cwd=ROOT)
        line = self.process.stdout.readline()
        self.startup = time.monotonic() - self.began
        found = re.search(r"Hubbub is listening on (http://\S+:(\d+))$", line.strip())
        assert found, f"no listening line but {line!r}; log: {self.log_text()[-2000:]}"
        self.url, self.port = found[1], int(found[2])
        return self

    def log_text(self):
        return (self.folder.parent / f"{self.folder.name}.log").read_text(errors="replace")

    def stop(self):
        """Sends SIGTERM; returns the exit code."""
        self.process.terminate()
        return self.process.wait(10)

    def kill(self):
        self.process.kill()
        self.process.wait(10)

    @property
    def demo_github(self):
        """The GitHub stand-in's address, as logged."""
        return re.findall(r"address=(http://127\.0\.0\.1:\d+)", self.log_text())[-1]
