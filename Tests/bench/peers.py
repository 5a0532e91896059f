"""The servers that Hubbub is compared with: each starts on a port with one worker and knows its processes."""

import http.client
import pathlib
import re
import socket
import subprocess
import time

import hubbub
from hubbub import ROOT

WORKBENCH = ROOT / ".build/workbench/release"
HUMMINGBIRD = ROOT / ".build/bench-hummingbird/release/Peer"
NCHAN_MODULE = "/usr/lib/nginx/modules/ngx_nchan_module.so"

NGINX = """
{module}
worker_processes 1; worker_rlimit_nofile 60000; daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 20000; }}
http {{
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000000; default_type text/plain;
  open_file_cache max=100; client_body_buffer_size 16k;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  {http}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location = / {{ return 200 "hello\\n"; }}
    location = /echo {{ return 200 "hello\\n"; }}
    location /files/ {{ root {folder}; }}
    {locations}
  }}
}}
"""
NCHAN = """
    location = /publish {
      nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 1; nchan_message_timeout 1s;
    }
    location = /events {
      nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest;
      nchan_eventsource_ping_interval 0;
    }
"""


class Peer:
    """A running server. `paths` are the cases that it supports."""

    def __init__(self, name, command, port, paths, headers=None):
        self.name, self.port, self.paths, self.headers = name, port, paths, headers or {}
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
        end = time.monotonic() + 20
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                connection.request("GET", "/")
                connection.getresponse().read()
                connection.close()
                break
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    self.stop()
                    raise RuntimeError(f"{name} does not start: {' '.join(map(str, command))}") from None
                time.sleep(0.05)

    @property
    def pids(self):
        """The process and its children; nginx works in a child."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [str(self.process.pid), *children]

    def pin(self, processor):
        for pid in self.pids:
            hubbub.pin(pid, processor)

    def processor_seconds(self):
        return sum(hubbub.processor_seconds(pid) for pid in self.pids)

    def memory(self):
        """Their own memory in KiB."""
        texts = [pathlib.Path(f"/proc/{pid}/status").read_text() for pid in self.pids]
        # A zombie process has none.
        return sum(int(size) for text in texts for size in re.findall(r"RssAnon:\s+(\d+)", text))

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port():
    """A port that nobody listens on, so that no server of an earlier run responds instead."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def server(folder, port):
    """Our server alone."""
    paths = {"small": "/", "post": "/echo", "static": "/files/a.bin", "events": "/events"}
    return Peer("hubbub's server", [WORKBENCH / "BenchServer", str(port), "1", folder / "files"], port, paths)


def nginx(folder, port, module=""):
    """nginx, with nchan if its module is given."""
    configuration = NGINX.format(
        folder=folder, port=port, locations=NCHAN if module else "", module=f"load_module {module};" if module else "",
        http="nchan_max_reserved_memory 512M;" if module else "")
    path = folder / f"nginx-{port}.conf"
    path.write_text(configuration)
    paths = {"events": "/events"} if module else {"small": "/", "post": "/echo", "static": "/files/a.bin"}
    return Peer("nchan" if module else "nginx", ["nginx", "-c", path], port, paths)


def hummingbird(_, port):
    return Peer("hummingbird", [HUMMINGBIRD, str(port), "1"], port, {"small": "/", "post": "/echo", "json": "/json"})
