"""`hubbub serve` as a separate process, many sockets to it, and a bystander who only wants a response."""

import multiprocessing
import os
import pathlib
import re
import resource
import selectors
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("HUBBUB_BINARY", str(ROOT / ".build/release/hubbub"))
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
# The delay after a response before a bystander's next request, in seconds.
PAUSE = 0.002


def descriptors(wanted):
    """Raises this process's descriptor limit; returns how many of the wanted sockets it can have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else 1 << 20
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 1 << 20), hard))
    return min(wanted, most - 200)


def prefer(process):
    """Gives a process priority if permitted, so that a busy machine does not count against the server, whose own delays
    remain. Threads that it starts later inherit the priority. It is not a real-time priority, at which a thread that
    hashes a password would hold a processor for a whole turn of 100 ms."""
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        try:
            os.setpriority(os.PRIO_PROCESS, int(thread.name), -10)
        except (PermissionError, ProcessLookupError):
            pass


class Program:
    """A server on a free port with its own folder."""

    def __init__(self, *options, files=None):
        self.folder = tempfile.TemporaryDirectory(prefix="hubbub-server-")

        def prepare():
            if files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

        self.log = open(pathlib.Path(self.folder.name) / "log", "wb+")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--data", self.folder.name + "/data", "--github", "demo", *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True, cwd=ROOT, preexec_fn=prepare)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)$", line.strip())
        assert found, f"no listening line but {line!r}: {self.log_text()}"
        self.port = int(found[1])
        prefer(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()

    def log_text(self):
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def memory(self):
        """The process's own (anonymous) resident memory in bytes."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+) kB", text)[1]) * 1024

    def connections(self):
        """The remote ports of TCP connections open from here, including those with nothing left to send."""
        port = f":{self.port:04X}"
        lines = pathlib.Path(f"/proc/{self.process.pid}/net/tcp").read_text().splitlines()[1:]
        rows = [line.split() for line in lines]
        return [int(row[2].rsplit(":", 1)[1], 16) for row in rows if row[1].endswith(port) and row[3] == "01"]

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connect(self, receive_buffer=None):
        client = socket.socket()
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.settimeout(30)
        client.connect(("127.0.0.1", self.port))
        return client

    def ask(self, client, request=REQUEST):
        """Sends a request and returns its response, which must have a length."""
        client.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            part = client.recv(65536)
            assert part, f"the connection ended after {received!r}"
            received += part
        head, _, body = received.partition(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head)[1])
        while len(body) < length:
            body += client.recv(65536)
        return head, body


def _stand_by(port, pipe):
    """Sends requests on one connection until told to stop; then reports how many there were and how long each took."""
    client = socket.create_connection(("127.0.0.1", port), timeout=30)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    times = []
    pipe.send("ready")
    while not pipe.poll(PAUSE):
        began = time.monotonic()
        client.sendall(REQUEST)
        answer = client.recv(65536)
        assert answer.startswith(b"HTTP/1.1 200"), answer
        times.append(time.monotonic() - began)
    client.close()
    pipe.send(times)


def _moments(times):
    """The waiting time at each moment. A client that asks again only after a response meets a one-second stall once,
    and would report one slow response among thousands; this counts all the requests that would have been made during
    it."""
    for took in times:
        while took > 0:
            yield took
            took -= PAUSE


class Bystander:
    """A client in a separate process; `worst`, `usual_worst` and `count` are known after the block."""

    def __init__(self, program):
        self.pipe, child = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_stand_by, args=(program.port, child))

    def __enter__(self):
        self.process.start()
        assert self.pipe.recv() == "ready"
        prefer(self.process.pid)
        return self

    def __exit__(self, *_):
        self.pipe.send("stop")
        # Silence for this long counts as waiting forever, or nearly.
        times = self.pipe.recv() if self.pipe.poll(40) else [40]
        self.process.join(10)
        moments = sorted(_moments(times))
        self.count, self.worst = len(times), moments[-1]
        # The slowest of thousands of wake-ups on a busy machine says more about the machine than about the server.
        self.usual_worst = moments[int(len(moments) * 0.999)]


class Crowd:
    """Many sockets."""

    def __init__(self, program, count, first_bytes=b"", receive_buffer=None):
        self.sockets = []
        for _ in range(count):
            client = program.connect(receive_buffer)
            if first_bytes:
                client.sendall(first_bytes)
            client.setblocking(False)
            self.sockets.append(client)

    def send(self, data):
        """Sends to all that are still connected; returns how many."""
        alive = 0
        for client in self.sockets:
            try:
                client.send(data)
                alive += 1
            except OSError:
                pass
        return alive

    def ended(self, seconds):
        """Waits until the server has closed all connections, whatever it sends before; returns how many it has."""
        selector = selectors.DefaultSelector()
        for client in self.sockets:
            selector.register(client, selectors.EVENT_READ)
        end = time.monotonic() + seconds
        while selector.get_map() and time.monotonic() < end:
            for key, _ in selector.select(max(0, end - time.monotonic())):
                try:
                    gone = key.fileobj.recv(65536) == b""
                except BlockingIOError:
                    continue
                except OSError:
                    gone = True
                if gone:
                    selector.unregister(key.fileobj)
        left = len(selector.get_map())
        selector.close()
        return len(self.sockets) - left

    def answered(self, seconds):
        """Waits until all have a response; returns how many have."""
        selector = selectors.DefaultSelector()
        for client in self.sockets:
            selector.register(client, selectors.EVENT_READ)
        end = time.monotonic() + seconds
        count = 0
        while selector.get_map() and time.monotonic() < end:
            for key, _ in selector.select(max(0, end - time.monotonic())):
                selector.unregister(key.fileobj)
                try:
                    count += key.fileobj.recv(65536).startswith(b"HTTP/1.1 200")
                except OSError:
                    pass
        selector.close()
        return count

    def close(self):
        for client in self.sockets:
            client.close()
