"""A TCP proxy that misbehaves on demand: the network between a browser and the server."""

import selectors
import socket
import threading


class Proxy:
    """Forwards to `target` until told otherwise. Each control takes effect at once, on open connections too."""

    def __init__(self, target):
        self.target = target
        self.refuses = False
        # Accepts everything and forwards nothing.
        self.holds = False
        # Holds responses to these requests back until they end, like a buffering proxy.
        self.collects = None
        # Called for each piece of data: may wait, or raise OSError, which cuts this connection.
        self.disturb = None
        self.swallow_answer_to = None
        self.swallowed = 0
        self.pairs = set()
        self.dead = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.open = True
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while self.open:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refuses:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            with self.lock:
                self.pairs.add((client, server))
            threading.Thread(target=self.forward, args=(client, server), daemon=True).start()

    def forward(self, client, server):
        watch = selectors.DefaultSelector()
        watch.register(client, selectors.EVENT_READ, server)
        watch.register(server, selectors.EVENT_READ, client)
        silent = collecting = False
        try:
            while True:
                for key, _ in watch.select():
                    data = key.fileobj.recv(65536)
                    if not data:
                        return
                    if (client, server) in self.dead and key.fileobj is client:
                        return
                    if self.holds or (client, server) in self.dead:
                        continue
                    if key.fileobj is client:
                        collecting = bool(self.collects and self.collects in data)
                    elif collecting:
                        continue
                    if self.disturb:
                        self.disturb()
                    if key.fileobj is client and self.swallow_answer_to and self.swallow_answer_to in data:
                        silent = True
                    if key.fileobj is server and silent:
                        # The request arrived and was answered; the response is lost with the connection.
                        self.swallowed += 1
                        self.swallow_answer_to = None
                        return
                    key.data.sendall(data)
        except OSError:
            pass
        finally:
            watch.close()
            self.end(client, server)

    def end(self, *pair):
        with self.lock:
            self.pairs.discard(pair)
            self.dead.discard(pair)
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def cut(self):
        """Closes every open connection; new ones work unless refused."""
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def deaden(self):
        """Open connections deliver nothing any more, and break when something is sent, as after a machine has slept."""
        with self.lock:
            self.dead |= self.pairs

    def go_down(self):
        self.refuses = True
        self.cut()

    def come_back(self):
        self.refuses = False

    def close(self):
        self.open = False
        self.refuses = True
        self.listener.close()
        self.cut()
